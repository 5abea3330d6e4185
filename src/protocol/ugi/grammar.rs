//! Lines into commands. One table lists every command; an unknown command and a bad argument are
//! different errors.

use super::command::{Command, Query};
use super::go;
use crate::board::perft::Convention;
use crate::game::Game;
use crate::notation::SyntaxError;
use crate::notation::error::{Parsed, quoted};
use crate::notation::forms;
use crate::notation::words::{Words, after_blanks, keyword, ranged, word};
use crate::protocol::options::setting;
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::multispace0;
use nom::combinator::{cut, eof, map_opt, not, opt, value};
use nom::sequence::preceded;

struct Entry {
    word: &'static str,
    arguments: &'static str,
    help: &'static str,
    read: fn(Words<'_>) -> Result<Command, SyntaxError>,
}

const COMMANDS: [Entry; 13] = [
    Entry {
        word: "ugi",
        arguments: "",
        help: "name, author and options, then ugiok",
        read: |words| words.none(Command::Ugi),
    },
    Entry {
        word: "isready",
        arguments: "",
        help: "readyok, also during a search",
        read: |words| words.none(Command::IsReady),
    },
    Entry {
        word: "uginewgame",
        arguments: "",
        help: "set up the start, forget earlier searches",
        read: |words| words.none(Command::NewGame),
    },
    Entry {
        word: "setoption",
        arguments: "name NAME [value VALUE]",
        help: "change an option",
        read: |words| words.parse(setting).map(Command::SetOption),
    },
    Entry {
        word: "position",
        arguments: "startpos|fen BOARD|board BOARD [moves MOVE ...]",
        help: "set up a position",
        read: |words| words.parse(set_up).map(Command::Position),
    },
    Entry {
        word: "go",
        arguments: "[LIMIT ...]",
        help: "search, then bestmove; limits: p1time p2time p1inc p2inc movetime MS, depth nodes \
               level selectivity N, infinite",
        read: |words| go::read(words).map(|go| Command::Go(Box::new(go))),
    },
    Entry {
        word: "stop",
        arguments: "",
        help: "end the running search or perft now",
        read: |words| words.none(Command::Stop),
    },
    Entry {
        word: "query",
        arguments: "p1turn|gameover|result",
        help: "ask about the position",
        read: |words| words.parse(query).map(Command::Query),
    },
    Entry {
        word: "d",
        arguments: "",
        help: "show the board and the moves so far",
        read: |words| words.none(Command::Display),
    },
    Entry {
        word: "eval",
        arguments: "",
        help: "value of the position without a search",
        read: |words| words.none(Command::Eval),
    },
    Entry {
        word: "perft",
        arguments: "DEPTH [pass-ply|pass-free|full-depth]",
        help: "count lines of play",
        read: |words| words.parse(count),
    },
    Entry {
        word: "help",
        arguments: "",
        help: "this list",
        read: |words| words.none(Command::Help),
    },
    Entry {
        word: "quit",
        arguments: "",
        help: "stop and end the program",
        read: |words| words.none(Command::Quit),
    },
];

/// Reads a line; `None` if it is blank.
///
/// # Errors
/// The place of the first thing that does not fit. Nothing has then been done.
pub fn read(line: &str) -> Result<Option<Command>, SyntaxError> {
    let start = line.trim_start();
    if start.is_empty() {
        return Ok(None);
    }
    let name = start.split_whitespace().next().unwrap_or(start);
    let Some(entry) = COMMANDS.iter().find(|entry| entry.word == name) else {
        return Err(SyntaxError::at(line, start, format!("unknown command {}", quoted(name))));
    };
    let rest = start.get(name.len()..).unwrap_or_default();
    (entry.read)(Words { line, rest }).map(Some)
}

/// Is this the first word of a command?
pub fn is_command(word: &str) -> bool {
    COMMANDS.iter().any(|entry| entry.word == word)
}

/// Every command in a line of its own.
pub fn help() -> impl Iterator<Item = String> {
    COMMANDS.iter().map(|Entry { word, arguments, help, .. }| {
        let blank = if arguments.is_empty() { "" } else { " " };
        format!("{word}{blank}{arguments}: {help}")
    })
}

/// `startpos`, `fen …` or `board …`, then any number of `moves …`: an opening of a tournament
/// manager may itself be `startpos moves …` and stands where the fen is expected.
fn set_up(input: &str) -> Parsed<'_, Game> {
    let start = value(Game::new(), keyword("startpos"));
    let board = preceded(alt((keyword("fen"), keyword("board"))), cut(forms::set_up));
    let start = after_blanks("'startpos', 'fen' or 'board'", alt((start, board)));
    start.flat_map(forms::then_moves).parse(input)
}

fn query(input: &str) -> Parsed<'_, Query> {
    let query = alt((
        value(Query::P1Turn, keyword("p1turn")),
        value(Query::GameOver, keyword("gameover")),
        value(Query::Result, keyword("result")),
    ));
    after_blanks("'p1turn', 'gameover' or 'result'", query).parse(input)
}

fn count(input: &str) -> Parsed<'_, Command> {
    let (rest, depth) = ranged("a depth in plies (1 to 60)", 1, 60).parse(input)?;
    let more = preceded(multispace0, not(eof));
    let convention = after_blanks(
        "a convention (pass-ply, pass-free or full-depth)",
        map_opt(word, Convention::parse),
    );
    let (rest, convention) = opt(preceded(more, cut(convention))).parse(rest)?;
    let convention = convention.unwrap_or_default();
    Ok((rest, Command::Perft { depth: depth as u32, convention }))
}
