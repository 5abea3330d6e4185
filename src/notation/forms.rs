//! Positions and games in any text form, told apart by how they begin.
//!
//! | form | for example |
//! |---|---|
//! | start | `startpos` |
//! | transcript, XOT | `f5d6c3`, `1. F5 d6 2. C3` |
//! | board, OBF | `---…--- X`, `---…--- X; A2:+38;` |
//! | slash | `8/8/8/3WB3/3BW3/8/8/8 b` |
//! | bitboards | `hex a1=0 0x0000000810000000 0x0000001008000000 b` |
//! | GGF | `(;GM[Othello]…;)` |
//! | SGF | `(;GM[2]…)`, in files and where nothing follows |
//!
//! After any of the others may come `moves` and moves. No text fits two of these forms: no board
//! has a letter that a first move can begin with, see [`set_up`].

use super::SyntaxError;
use super::error::{Expected, Parsed, parse_all};
use super::ggf::{self, Ggf};
use super::hex::{self, BitOrder, hex_text};
use super::moves::{a_move, played, transcript};
use super::obf::{Record, scored_position};
use super::position::{position_text, slash_text};
use super::sgf;
use super::words::{after_blanks, keyword};
use crate::game::{Game, Move};
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{multispace0, space0};
use nom::combinator::{cut, eof, map, opt, peek, value};
use nom::sequence::{preceded, terminated};

/// A position or a game in any form, up to its last move.
pub fn set_up(input: &str) -> Parsed<'_, Game> {
    let (at, _) = multispace0(input)?;
    if let (rest, Some(game)) = opt(value(Game::new(), keyword("startpos"))).parse(at)? {
        Ok((rest, game))
    } else if ggf::begins(at) {
        map(ggf::ggf, |record| record.game).parse(at)
    } else if hex::begins(at) && !begins_with_moves(at) {
        map(hex::position, |(board, colour)| Game::from_position(board, colour)).parse(at)
    } else if begins_with_moves(at) {
        let end = alt((value((), eof), value((), peek(keyword("moves")))));
        let another = alt((end, map(a_move, |_| ())));
        terminated(played(&Game::new()), cut(after_blanks("a move (a1 to h8, or pass)", another)))
            .parse(at)
    } else {
        map(scored_position, |record| record.game).parse(at)
    }
}

/// Does the text begin with a move, perhaps numbered? A `b` does not count, although it names a
/// file: boards have black discs of that letter, and no game begins with a move there.
fn begins_with_moves(text: &str) -> bool {
    let text = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.' || c == ' ');
    let mut letters = text.chars();
    let file = letters.next().is_some_and(|c| "acdefgh".contains(c.to_ascii_lowercase()));
    file && letters.next().is_some_and(|c| c.is_ascii_digit())
}

/// Any number of `moves` and moves, played from `game` on, up to the end of the line.
pub fn then_moves<'a>(game: Game) -> impl Parser<&'a str, Output = Game, Error = Expected<'a>> {
    move |mut rest: &'a str| {
        let mut game = game.clone();
        let mut missing = "'moves'";
        while let (after, Some(_)) = opt(keyword("moves")).parse(rest)? {
            (rest, game) = preceded(multispace0, played(&game)).parse(after)?;
            missing = "a move (a1 to h8, or pass)";
        }
        let (rest, _) = cut(after_blanks(missing, eof)).parse(rest)?;
        Ok((rest, game))
    }
}

/// One position or game in any form. A `%` begins a comment, except in GGF; the words `position`
/// and `fen` or `board` of UGI may stand before it.
///
/// # Errors
/// The place of the first thing that does not fit.
pub fn parse_game(text: &str) -> Result<Game, SyntaxError> {
    if ggf::begins(text) {
        return parse_all(text, terminated(ggf::ggf, multispace0).flat_map(|g| then_moves(g.game)));
    }
    let ugi = (opt(keyword("position")), opt(alt((keyword("fen"), keyword("board")))));
    let text = text.split('%').next().unwrap_or(text);
    parse_all(text, preceded((ugi, space0), set_up).flat_map(then_moves))
}

/// As [`parse_game`]; several GGF records may stand together, and SGF is read as well.
///
/// # Errors
/// The place of the first thing that does not fit.
pub fn parse_games(text: &str) -> Result<Vec<Game>, SyntaxError> {
    if sgf::begins(text) {
        return Ok(sgf::parse_games(text)?.into_iter().map(|(_, game)| game).collect());
    }
    if ggf::begins(text) {
        let records = parse_all(text, ggf::ggfs)?;
        return Ok(records.into_iter().map(|record| record.game).collect());
    }
    parse_game(text).map(|game| vec![game])
}

/// The games of a file with the number of the line on which each begins, counted from 1. There
/// is one on each line; a GGF record may take several, and a file that begins with SGF is all
/// SGF. Blank lines and those that begin with `#` or `%` are skipped.
///
/// # Errors
/// Line, column and reason of the first thing that does not fit.
pub fn parse_file(text: &str) -> Result<Vec<(usize, Game)>, String> {
    let mut games = Vec::new();
    let mut rest = text.trim_start_matches('\u{feff}');
    if sgf::begins(rest) {
        return sgf::parse_games(rest).map_err(|error| located(rest, 1, &error));
    }
    let mut number = 1;
    while !rest.is_empty() {
        let (item, after) = next_item(rest);
        let lines = item.matches('\n').count();
        if !(item.trim().is_empty() || item.trim_start().starts_with(['#', '%'])) {
            let read = parse_games(item).map_err(|error| located(item, number, &error))?;
            games.extend(read.into_iter().map(|game| (number, game)));
        }
        number += lines;
        rest = after;
    }
    Ok(games)
}

/// The first line of `text` with its end, or a whole GGF record, and what follows.
fn next_item(text: &str) -> (&str, &str) {
    let mut length = 0;
    let first = text.lines().next().unwrap_or_default();
    for line in text.split_inclusive('\n') {
        length += line.len();
        if !ggf::begins(first) || line.trim_end().ends_with(";)") {
            break;
        }
    }
    text.split_at_checked(length).unwrap_or((text, ""))
}

/// The error with its line in the file. `item` begins on line `number`.
fn located(item: &str, number: usize, error: &SyntaxError) -> String {
    let before: Vec<char> = item.chars().take(error.column.saturating_sub(1)).collect();
    // The end of an item is the end of its last line, not the start of the next one.
    let text = before.strip_suffix(&['\n']).filter(|t| t.len() + 1 == item.chars().count());
    let before = text.unwrap_or(&before);
    let lines = before.iter().filter(|c| **c == '\n').count();
    let column = before.iter().rev().take_while(|c| **c != '\n').count() + 1;
    format!("line {}: {} at column {column}", number + lines, error.message)
}

/// A form in which games or positions are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// The moves run together.
    Transcript,
    /// The first eight moves.
    Xot,
    /// What follows `position` in UGI.
    Ugi,
    /// A GGF record.
    Ggf,
    /// The position as a line of OBF.
    Obf,
    /// The position as 64 letters.
    Board,
    /// The position in slash form.
    Slash,
    /// The position as two bitboards.
    Hex(BitOrder),
}

impl Form {
    /// All forms, named.
    pub const ALL: [(&'static str, Form); 11] = [
        ("transcript", Form::Transcript),
        ("xot", Form::Xot),
        ("ugi", Form::Ugi),
        ("ggf", Form::Ggf),
        ("obf", Form::Obf),
        ("board", Form::Board),
        ("slash", Form::Slash),
        ("hex", Form::Hex(BitOrder::A1Is0)),
        ("hex7", Form::Hex(BitOrder::A1Is7)),
        ("hex56", Form::Hex(BitOrder::A1Is56)),
        ("hex63", Form::Hex(BitOrder::A1Is63)),
    ];

    /// The game or its last position in this form, in one line. [`parse_game`] reads it.
    ///
    /// # Errors
    /// The form cannot hold the game.
    pub fn write(self, game: &Game) -> Result<String, String> {
        let (board, colour) = game.start();
        let start = Game::from_position(board, colour);
        match self {
            Form::Transcript | Form::Xot if start != Game::new() => {
                Err("a transcript needs a game from the standard start".into())
            }
            // No text at all would be no game.
            Form::Transcript if *game == start => Ok("startpos".into()),
            Form::Transcript => Ok(transcript(game)),
            Form::Xot => opening(game),
            Form::Ugi => Ok(ugi_text(&start, game)),
            Form::Ggf => Ok(Ggf::from(game).to_string()),
            Form::Obf => {
                let game = Game::from_position(game.board(), game.colour());
                Ok(Record { game, scores: Vec::new(), comment: String::new() }.to_string())
            }
            Form::Board => Ok(position_text(game)),
            Form::Slash => Ok(slash_text(game)),
            Form::Hex(order) => Ok(hex_text(game, order)),
        }
    }
}

/// The first eight plies; no opening of eight has a pass.
fn opening(game: &Game) -> Result<String, String> {
    const PLIES: usize = 8;
    let mut moves = game.plies().map(|(_, mv)| mv).filter(|mv| *mv != Move::Pass).take(PLIES);
    let text: String = moves.by_ref().map(|mv| mv.to_string()).collect();
    if text.len() == 2 * PLIES {
        Ok(text)
    } else {
        Err(format!("an XOT opening has {PLIES} plies, this game {}", text.len() / 2))
    }
}

fn ugi_text(start: &Game, game: &Game) -> String {
    let mut text = if *start == Game::new() {
        "startpos".to_string()
    } else {
        format!("board {}", position_text(start))
    };
    if game.plies().len() > 0 {
        text.push_str(" moves");
    }
    text.extend(game.plies().map(|(_, mv)| format!(" {mv}")));
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::moves::play_transcript;
    use crate::notation::testing::{any_game, game_from_start};
    use proptest::collection::vec;
    use proptest::prelude::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn the_start_in_every_form() {
        for text in [
            "startpos",
            START,
            &START[..64],
            &START.replace('-', "."),
            &START.replace('X', "*"),
            &format!("{START};"),
            &format!("{START}; D3:+0; C4:+0; --:-127; % the start"),
            &format!("{START} % the start"),
            "8/8/8/3WB3/3BW3/8/8/8 b",
            "8/8/8/3wb3/3bw3/8/8/8",
            "hex a1=0 0x0000000810000000 0x0000001008000000 b",
            "(;GM[Othello];)",
            "position startpos",
            &format!("position board {START}"),
            &format!("fen {START}"),
        ] {
            for blanks in ["", "  "] {
                let text = format!("{blanks}{text}{blanks}");
                assert_eq!(parse_game(&text).as_ref(), Ok(&Game::new()), "{text}");
            }
        }
    }

    #[test]
    fn a_game_in_every_form() {
        let game = play_transcript(&Game::new(), "f5d6c3").unwrap();
        for text in [
            "f5d6c3",
            "F5D6C3",
            "1. f5 d6 2. c3",
            "1.F5 2.D6 3.C3",
            "f5 d6 c3 % a comment",
            "f5 moves d6 c3",
            "startpos moves f5 d6 c3",
            "position startpos moves f5d6 moves c3",
            "8/8/8/3WB3/3BW3/8/8/8 b moves f5 d6 c3",
            &format!("position fen {START} moves f5 d6 c3"),
            "hex a1=0 0x0000000810000000 0x0000001008000000 moves f5 d6 c3",
            "(;GM[Othello]B[F5]W[D6]B[C3];)",
            "1 (;GM[Othello]B[F5]W[D6]B[C3];)",
            "(;B[F5]W[D6];) moves c3",
        ] {
            assert_eq!(parse_game(text).as_ref(), Ok(&game), "{text}");
        }
    }

    #[test]
    fn an_opening_of_letters_that_are_digits_too_is_an_opening() {
        let xot = "f5d6c3d3c4f4f6f3";
        let game = play_transcript(&Game::new(), xot).unwrap();
        assert_eq!(parse_game(xot), Ok(game.clone()));
        assert_eq!(Form::Xot.write(&game), Ok(xot.into()));
        let twice = "f5d6c3d3c4f4f6f3 e6e7d7c6d8c5b4e3";
        let game = play_transcript(&Game::new(), twice);
        assert_eq!(parse_game(twice), game);
    }

    #[test]
    fn errors_say_what_is_wrong_with_the_form_that_was_meant() {
        for (text, error) in [
            ("", "expected 64 squares, found 0 at column 1"),
            ("8/8", "expected 64 squares, found 16 at column 4"),
            ("f5 z6", "expected a move (a1 to h8, or pass), found 'z6' at column 4"),
            ("f9d6", "expected a move (a1 to h8, or pass), found 'f9d6' at column 1"),
            ("f5 d6 a1", "illegal move: a1 flips nothing for black at column 7"),
            ("c4 moves c9", "expected a move (a1 to h8, or pass), found 'c9' at column 10"),
            ("startpos f5", "expected 'moves', found 'f5' at column 10"),
            (
                "  0x0000000810000000 0x0000001008000000",
                "ambiguous bit order of bitboards: begin with 'hex a1=0' or 'hex a1=63' at column 3",
            ),
            (
                "0000000810000000 0000001008000000 b",
                "ambiguous bit order of bitboards: begin with 'hex a1=0' or 'hex a1=63' at column 1",
            ),
            ("(;B[f4];)", "illegal move: f4 flips nothing for black at column 5"),
            (
                "8/8/8/3pP3/3Pp3/8/8/8 w",
                "expected a square of the board (X, O, -, or a count 1 to 8), found \
                 'pP3/3Pp3/8/8/8' at column 8",
            ),
        ] {
            assert_eq!(parse_game(text).unwrap_err().to_string(), error, "{text}");
        }
    }

    #[test]
    fn files_hold_a_game_a_line_or_records_over_several() {
        let text = "\u{feff}# openings\r\nf5d6\r\n\r\n% two records\n(;GM[Othello]\nB[F5]\nW[D6]\n;)\n2 (;B[F5]W[D6];) (;B[F5]W[D6];)\nf5 d6";
        let game = play_transcript(&Game::new(), "f5d6").unwrap();
        let expected: Vec<(usize, Game)> =
            [2, 5, 9, 9, 10].map(|line| (line, game.clone())).to_vec();
        assert_eq!(parse_file(text), Ok(expected));
        assert_eq!(parse_file(""), Ok(Vec::new()));
    }

    #[test]
    fn errors_in_files_name_line_and_column() {
        for (text, error) in [
            ("f5d6\nf5x6\n", "line 2: expected a move (a1 to h8, or pass), found 'x6' at column 3"),
            ("\n8/8\nf5", "line 2: expected 64 squares, found 16 at column 4"),
            (
                "f5\n(;GM[Othello]\nB[F5]\nW[F5];)\nf5",
                "line 4: illegal move: f5 is occupied at column 3",
            ),
            (
                "(;GM[Othello]\nB[F5]\n",
                "line 2: expected a property such as B[F5], or ';)', found the end of the line at column 6",
            ),
        ] {
            assert_eq!(parse_file(text).unwrap_err(), error, "{text}");
        }
    }

    #[test]
    fn forms_refuse_what_they_cannot_hold() {
        let game = parse_game("8/8/8/3BW3/3WB3/8/8/8 b").unwrap();
        for form in [Form::Transcript, Form::Xot] {
            let error = "a transcript needs a game from the standard start";
            assert_eq!(form.write(&game).unwrap_err(), error);
        }
        let game = parse_game("f5d6c3").unwrap();
        assert_eq!(Form::Xot.write(&game).unwrap_err(), "an XOT opening has 8 plies, this game 3");
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(game in any_game()) {
            let position = Game::from_position(game.board(), game.colour());
            for (name, form) in Form::ALL {
                let Ok(text) = form.write(&game) else { continue };
                let read = parse_game(&text);
                match form {
                    Form::Transcript | Form::Ugi | Form::Ggf => {
                        prop_assert_eq!(read.as_ref(), Ok(&game), "{}: {}", name, text);
                    }
                    Form::Xot => prop_assert_eq!(read.map(|game| game.plies().len()), Ok(8)),
                    _ => prop_assert_eq!(read.as_ref(), Ok(&position), "{}: {}", name, text),
                }
                prop_assert_eq!(form.write(&parse_game(&text).unwrap()), Ok(text));
            }
        }

        #[test]
        fn only_transcripts_of_other_starts_cannot_be_written(game in game_from_start()) {
            for (name, form) in Form::ALL {
                let refused = form == Form::Xot && game.plies().len() < 8;
                prop_assert_eq!(form.write(&game).is_err(), refused, "{}", name);
            }
        }

        #[test]
        fn random_bytes_are_never_more_than_an_error(bytes in vec(any::<u8>(), 0..200)) {
            let text = String::from_utf8_lossy(&bytes);
            let _ = parse_file(&text);
            if let Err(error) = parse_games(&text) {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.column));
            }
        }

        #[test]
        fn damaged_games_are_never_more_than_an_error(
            game in any_game(),
            form in prop::sample::select(Form::ALL.to_vec()),
            at in any::<prop::sample::Index>(),
            inserted in any::<char>(),
            deleted in 0..3usize,
        ) {
            let Ok(text) = form.1.write(&game) else { return Ok(()) };
            let mut letters: Vec<char> = text.chars().collect();
            let at = at.index(letters.len() + 1);
            letters.splice(at..(at + deleted).min(letters.len()), [inserted]);
            let text: String = letters.into_iter().collect();
            if let Err(error) = parse_game(&text) {
                prop_assert!((1..=text.chars().count() + 1).contains(&error.column), "{}", error);
            }
        }
    }
}
