//! `outflank book show`: what a book knows about a position.

use crate::book::{Book, Entry};
use crate::game::{Game, Move};
use crate::notation::error::path_text;
use crate::notation::forms::parse_game;
use crate::notation::position::position_text;
use crate::protocol::Output;
use serde::Serialize;
use std::fmt;
use std::io;
use std::path::PathBuf;

/// Which book and position.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// File made by `outflank book build`
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Position or game in any form [default: the start of a game]
    #[arg(value_name = "POSITION")]
    position: Vec<String>,
    /// One JSON object instead of a table
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
Examples:
  outflank book show my.book
  outflank book show my.book f5d6c3
  outflank book show my.book startpos moves f5 --json";

/// Prints the moves of the position, best first, each with its value and best play.
///
/// # Errors
/// The file cannot be used, the position cannot be read or is not in the book, or the output
/// cannot be written.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    let text = arguments.position.join(" ");
    let game = if text.trim().is_empty() { Game::new() } else { read(&text)? };
    let book = Book::load(&arguments.file).map_err(io::Error::other)?;
    let entry = book.look_up(game.board()).ok_or_else(|| {
        let path = path_text(&arguments.file);
        io::Error::other(format!("{path}: the position is not in the book"))
    })?;
    let page = Page { game: &game, entry: &entry, book: &book };
    match arguments.json {
        true => output.line(page.json()?),
        false => output.line(page),
    }
}

fn read(text: &str) -> io::Result<Game> {
    parse_game(text).map_err(|error| io::Error::other(format!("POSITION: {error}")))
}

/// All about one position.
struct Page<'p> {
    game: &'p Game,
    entry: &'p Entry,
    book: &'p Book,
}

impl Page<'_> {
    fn line(&self, mv: Move) -> Vec<String> {
        self.book.line(self.game.board(), mv).iter().map(Move::to_string).collect()
    }

    fn json(&self) -> serde_json::Result<String> {
        let moves = self.entry.moves.iter().map(|(mv, value)| JsonMove {
            r#move: mv.to_string(),
            score_cd: value.centidiscs(),
            pv: self.line(*mv),
        });
        serde_json::to_string(&JsonPage {
            position: position_text(self.game),
            score_cd: self.entry.value.centidiscs(),
            solved: self.entry.solved,
            level: self.book.settings().level,
            moves: moves.collect(),
        })
    }
}

/// The keys are part of the program's interface: protocol.md describes them.
#[derive(Serialize)]
struct JsonPage {
    position: String,
    score_cd: i32,
    solved: bool,
    level: u8,
    moves: Vec<JsonMove>,
}

#[derive(Serialize)]
struct JsonMove {
    r#move: String,
    score_cd: i32,
    pv: Vec<String>,
}

/// The position, then a row a move; values in discs for the side to move.
impl fmt::Display for Page<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let solved = if self.entry.solved { ", solved" } else { "" };
        writeln!(f, "position: {}", position_text(self.game))?;
        writeln!(f, "value: {}{solved}", self.entry.value)?;
        write!(f, "{:<5} {:>7}  best play", "move", "value")?;
        self.entry.moves.iter().try_for_each(|(mv, value)| {
            let (mv, value, line) = (mv.to_string(), value.to_string(), self.line(*mv).join(" "));
            write!(f, "\n{mv:<5} {value:>7}  {line}")
        })
    }
}
