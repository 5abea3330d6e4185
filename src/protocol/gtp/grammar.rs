//! Lines into requests. One table lists every command; an unknown command and a bad argument are
//! different errors.

use super::clocks::Control;
use super::command::{Analysis, Command, Question, Request};
use crate::engine::Options;
use crate::game::{Colour, Move};
use crate::notation::SyntaxError;
use crate::notation::error::{Expected, Parsed, quoted};
use crate::notation::moves::a_move;
use crate::notation::words::{Words, after_blanks, number, ranged, word, word_end};
use crate::protocol::options::setting;
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, multispace0};
use nom::combinator::{eof, map, map_opt, not, opt, value};
use nom::number::complete::double;
use nom::sequence::{preceded, terminated};
use std::time::Duration;

/// Times above this count as this (three years, in seconds): sums of them stay far from any
/// overflow.
const LONGEST: u64 = 100_000_000;

/// More moves than a game has.
const MOST_MOVES: u64 = 1_000;

struct Entry {
    word: &'static str,
    read: fn(Words<'_>) -> Result<Command, SyntaxError>,
}

macro_rules! question {
    ($word:literal, $question:ident) => {
        Entry { word: $word, read: |words| words.none(Command::Ask(Question::$question)) }
    };
}

const COMMANDS: [Entry; 32] = [
    question!("protocol_version", ProtocolVersion),
    question!("name", Name),
    question!("version", Version),
    Entry {
        word: "known_command",
        read: |words| words.parse(an_argument("a command")).map(Command::Knows),
    },
    question!("list_commands", ListCommands),
    Entry { word: "quit", read: |words| words.none(Command::Quit) },
    question!("list_games", ListGames),
    Entry {
        word: "set_game",
        read: |words| words.parse(an_argument("a game")).map(Command::SetGame),
    },
    Entry {
        word: "boardsize",
        read: |words| words.parse(after_blanks("a size", number)).map(Command::BoardSize),
    },
    Entry { word: "clear_board", read: |words| words.none(Command::ClearBoard) },
    Entry {
        word: "komi",
        read: |words| words.parse(after_blanks("a number", komi)).map(|()| Command::Komi),
    },
    Entry {
        word: "play",
        read: |words| words.parse((colour, vertex)).map(|(side, mv)| Command::Play(side, mv)),
    },
    Entry {
        word: "genmove",
        read: |words| words.parse(colour).map(|colour| Command::GenMove { colour, play: true }),
    },
    Entry {
        word: "reg_genmove",
        read: |words| words.parse(colour).map(|colour| Command::GenMove { colour, play: false }),
    },
    Entry { word: "undo", read: |words| words.none(Command::Undo) },
    question!("showboard", ShowBoard),
    question!("final_score", FinalScore),
    Entry { word: "time_settings", read: |words| words.parse(time_settings) },
    Entry { word: "time_left", read: |words| words.parse(time_left) },
    Entry {
        word: "set_level",
        read: |words| words.parse(level).map(|level| Command::SetLevel(level as u32)),
    },
    Entry {
        word: "level",
        read: |words| words.parse(level).map(|level| Command::SetLevel(level as u32)),
    },
    Entry { word: "setoption", read: |words| words.parse(setting).map(Command::SetOption) },
    Entry { word: "loadsgf", read: |words| words.parse(load_sgf) },
    question!("gogui-rules_game_id", GameId),
    question!("gogui-rules_board_size", Size),
    question!("gogui-rules_board", Board),
    question!("gogui-rules_side_to_move", SideToMove),
    question!("gogui-rules_legal_moves", LegalMoves),
    question!("gogui-rules_final_result", FinalResult),
    question!("gogui-analyze_commands", AnalyzeCommands),
    Entry {
        word: "outflank-move_values",
        read: |words| words.none(Command::Analyse(Analysis::MoveValues)),
    },
    Entry {
        word: "outflank-best_line",
        read: |words| words.none(Command::Analyse(Analysis::BestLine)),
    },
];

/// Is this the name of a command?
pub fn is_command(word: &str) -> bool {
    COMMANDS.iter().any(|entry| entry.word == word)
}

/// The names of all commands.
pub fn names() -> impl Iterator<Item = &'static str> {
    COMMANDS.iter().map(|entry| entry.word)
}

/// Reads a line; `None` if it is blank or a comment.
pub fn read(line: &str) -> Option<Request> {
    let line = cleaned(line);
    let text = line.trim();
    if text.is_empty() {
        return None;
    }
    let (id, rest) = split_id(text);
    Some(Request { id: id.to_string(), command: command(rest) })
}

/// The line as the protocol wants it to be read: without its comment and control characters.
fn cleaned(line: &str) -> String {
    let code = line.split('#').next().unwrap_or_default();
    let blank = |c| if c == '\t' { ' ' } else { c };
    code.chars().map(blank).filter(|c| !c.is_control()).collect()
}

/// The number before the command, blank if there is none, and the rest of the line.
pub fn split_id(text: &str) -> (&str, &str) {
    let first = text.split(char::is_whitespace).next().unwrap_or_default();
    let is_id = !first.is_empty() && first.bytes().all(|byte| byte.is_ascii_digit());
    if is_id { text.split_at(first.len()) } else { ("", text) }
}

fn command(text: &str) -> Result<Command, String> {
    let text = text.trim_start();
    let Some(name) = text.split_whitespace().next() else {
        return Err("syntax error: expected a command after the number".into());
    };
    let Some(entry) = COMMANDS.iter().find(|entry| entry.word == name) else {
        return Err(format!("unknown command {}", quoted(name)));
    };
    let rest = text.get(name.len()..).unwrap_or_default();
    (entry.read)(Words { line: text, rest })
        .map_err(|error| format!("syntax error: {}", error.message))
}

/// The next word, whatever it is.
fn an_argument<'a>(
    what: &'static str,
) -> impl Parser<&'a str, Output = String, Error = Expected<'a>> {
    map(after_blanks(what, word), str::to_string)
}

fn colour(input: &str) -> Parsed<'_, Colour> {
    let colour = map_opt(word, |word| match word.to_ascii_lowercase().as_str() {
        "b" | "black" => Some(Colour::Black),
        "w" | "white" => Some(Colour::White),
        _ => None,
    });
    after_blanks("a colour (black or white)", colour).parse(input)
}

fn vertex(input: &str) -> Parsed<'_, Move> {
    after_blanks("a move (a1 to h8, or pass)", terminated(a_move, word_end)).parse(input)
}

fn komi(input: &str) -> Parsed<'_, ()> {
    value((), terminated(double, word_end)).parse(input)
}

fn level(input: &str) -> Parsed<'_, u64> {
    let (min, max) = (*Options::LEVEL.start(), *Options::LEVEL.end());
    ranged("a level (1 to 60)", min.into(), max.into()).parse(input)
}

/// Whole seconds. A controller may count a little below zero when time runs out: that is none.
fn seconds(input: &str) -> Parsed<'_, Duration> {
    let overdrawn = value(0, preceded(char('-'), number));
    let seconds =
        map(alt((number, overdrawn)), |seconds| Duration::from_secs(seconds.min(LONGEST)));
    after_blanks("a time in seconds", seconds).parse(input)
}

fn moves(input: &str) -> Parsed<'_, u32> {
    let moves = map(number, |moves| moves.min(MOST_MOVES) as u32);
    after_blanks("a number of moves", moves).parse(input)
}

fn time_settings(input: &str) -> Parsed<'_, Command> {
    let settings = (seconds, seconds, moves);
    map(settings, |(main, period, moves)| {
        Command::TimeSettings(Control::from_settings(main, period, moves))
    })
    .parse(input)
}

fn time_left(input: &str) -> Parsed<'_, Command> {
    let left = (colour, seconds, moves);
    map(left, |(colour, time, moves)| Command::TimeLeft { colour, time, moves }).parse(input)
}

fn load_sgf(input: &str) -> Parsed<'_, Command> {
    let (rest, path) = an_argument("the name of a file").parse(input)?;
    let more = preceded(multispace0, not(eof));
    let number = after_blanks("the number of a move", number);
    let (rest, before) = opt(preceded(more, number)).parse(rest)?;
    Ok((rest, Command::LoadSgf { path, before }))
}
