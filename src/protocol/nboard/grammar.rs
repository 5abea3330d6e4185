//! Lines into commands. One table lists every command; other lines are not for this engine.

use super::command::Command;
use crate::engine::Options;
use crate::notation::SyntaxError;
use crate::notation::error::{Parsed, quoted};
use crate::notation::ggf::{annotated_move, ggf};
use crate::notation::words::{Words, after_blanks, keyword, number, word_end};
use crate::protocol::options::setting;
use nom::Parser;
use nom::character::complete::{i64, multispace0};
use nom::combinator::{cut, value};
use nom::sequence::{preceded, terminated};

struct Entry {
    words: &'static [&'static str],
    read: fn(Words<'_>) -> Result<Command, SyntaxError>,
}

const COMMANDS: [Entry; 12] = [
    Entry { words: &["nboard"], read: |words| words.parse(version).map(|_| Command::Nboard) },
    Entry { words: &["set", "depth"], read: |words| words.parse(depth).map(Command::SetDepth) },
    Entry {
        words: &["set", "contempt"],
        read: |words| words.parse(contempt).map(|()| Command::SetContempt),
    },
    Entry {
        words: &["set", "game"],
        read: |words| words.parse(ggf).map(|record| Command::SetGame(Box::new(record.game))),
    },
    Entry {
        words: &["move"],
        read: |words| {
            let annotated = preceded(multispace0, annotated_move);
            words.parse(annotated).map(|(mv, ..)| Command::Move(mv))
        },
    },
    Entry { words: &["hint"], read: |words| words.parse(moves).map(Command::Hint) },
    Entry { words: &["go"], read: |words| words.none(Command::Go) },
    Entry { words: &["ping"], read: |words| words.parse(ping).map(Command::Ping) },
    Entry { words: &["setoption"], read: |words| words.parse(setting).map(Command::SetOption) },
    Entry { words: &["learn"], read: |words| words.none(Command::Learn) },
    Entry { words: &["analyze"], read: |words| words.none(Command::Analyze) },
    Entry { words: &["quit"], read: |words| words.none(Command::Quit) },
];

/// Reads a line; `None` if it is blank or no command of this protocol.
///
/// # Errors
/// The place of the first argument that does not fit. Nothing has then been done.
pub fn read(line: &str) -> Result<Option<Command>, SyntaxError> {
    for entry in &COMMANDS {
        if let Some(rest) = after_words(line, entry.words) {
            return (entry.read)(Words { line, rest }).map(Some);
        }
    }
    if !line.trim().is_empty() {
        log::warn!("unknown command {}", quoted(line.trim()));
    }
    Ok(None)
}

/// What follows these words at the start of `line`.
fn after_words<'a>(line: &'a str, words: &[&'static str]) -> Option<&'a str> {
    words.iter().try_fold(line, |rest, &word| {
        keyword(word).parse(rest).ok().map(|(rest, _): (&str, &str)| rest)
    })
}

fn version(input: &str) -> Parsed<'_, u64> {
    cut(after_blanks("the version of the protocol", number)).parse(input)
}

/// The GUI names a depth of the midgame and leaves that of the endgame to the engine: a level.
fn depth(input: &str) -> Parsed<'_, u32> {
    let (rest, depth) = cut(after_blanks("a depth in plies", number)).parse(input)?;
    let depth = u32::try_from(depth).unwrap_or(u32::MAX);
    Ok((rest, depth.clamp(*Options::LEVEL.start(), *Options::LEVEL.end())))
}

fn contempt(input: &str) -> Parsed<'_, ()> {
    let number = value((), terminated(i64, word_end));
    cut(after_blanks("a contempt in centidiscs", number)).parse(input)
}

fn moves(input: &str) -> Parsed<'_, usize> {
    let (rest, count) = cut(after_blanks("a number of moves", number)).parse(input)?;
    Ok((rest, usize::try_from(count).unwrap_or(usize::MAX)))
}

fn ping(input: &str) -> Parsed<'_, u64> {
    cut(after_blanks("the number of the ping", number)).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Move;

    fn error(line: &str) -> String {
        read(line).unwrap_err().to_string()
    }

    #[test]
    fn moves_are_read_with_and_without_value_and_time() {
        for line in ["move f5", "move F5", "move F5/1.20/3.4", "move  F5//0.1 ", "move F5/-3"] {
            let Ok(Some(Command::Move(mv))) = read(line) else { panic!("{line}") };
            assert_eq!(mv.to_string(), "f5", "{line}");
        }
        for pass in ["P", "PA", "pas", "Pass", "PASS//2.1", "--", "--/0/0", "PS"] {
            let Ok(Some(Command::Move(mv))) = read(&format!("move {pass}")) else {
                panic!("{pass}")
            };
            assert_eq!(mv, Move::Pass, "{pass}");
        }
    }

    #[test]
    fn depths_and_numbers_of_moves_are_taken_as_the_nearest_possible() {
        for (text, level) in [("0", 1), ("1", 1), ("26", 26), ("99", 60), ("99999999999", 60)] {
            let Ok(Some(Command::SetDepth(depth))) = read(&format!("set depth {text}")) else {
                panic!("{text}")
            };
            assert_eq!(depth, level);
        }
        assert!(matches!(read("hint 99999999999999999999999"), Ok(Some(Command::Hint(_)))));
    }

    #[test]
    fn other_lines_are_not_for_us() {
        for line in ["", "  ", "hello", "set", "set colour red", "NBOARD 2", "going", "move2 f5"] {
            assert!(matches!(read(line), Ok(None)), "{line}");
        }
    }

    #[test]
    fn errors_name_the_place() {
        for (line, message) in [
            (
                "nboard",
                "expected the version of the protocol, found the end of the line at column 7",
            ),
            ("set depth ten", "expected a depth in plies, found 'ten' at column 11"),
            (
                "set contempt",
                "expected a contempt in centidiscs, found the end of the line at column 13",
            ),
            ("move x9", "expected a move (a1 to h8, or pass), found 'x9' at column 6"),
            ("move f5 d6", "expected the end of the line, found 'd6' at column 9"),
            ("hint", "expected a number of moves, found the end of the line at column 5"),
            ("ping -1", "expected the number of the ping, found '-1' at column 6"),
            ("go 5", "expected the end of the line, found '5' at column 4"),
            ("set game f5", "expected a game record '(;', found 'f5' at column 10"),
            ("set game (;B[A1];)", "illegal move: a1 flips nothing for black at column 14"),
        ] {
            assert_eq!(error(line), message, "{line}");
        }
    }
}
