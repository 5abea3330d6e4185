//! `outflank convert`: games and positions from any form into another.

use super::files::{self, read, text};
use crate::game::Game;
use crate::notation::error::path_text;
use crate::notation::forms::{Form, parse_file};
use crate::notation::sgf;
use crate::notation::wthor::{Archive, ArchivedGame, is_archive};
use crate::protocol::Output;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use std::io;
use std::path::{Path, PathBuf};

/// The name of WTHOR archives among the forms.
const ARCHIVE: &str = "wtb";

/// What to convert, and into what.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Files of games or positions in any form, one a line, SGF files or WTHOR archives; - for
    /// standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Form to write: games as transcript, xot (the first 8 plies), ugi, ggf or wtb; the last
    /// position of each as obf, board, slash or as bitboards with a1 in bit 0 (hex), 7, 56, 63
    #[arg(long, value_name = "FORM", value_parser = target())]
    to: Target,
    /// File to write instead of standard output
    #[arg(long, short, value_name = "FILE", required_if_eq("to", ARCHIVE))]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  outflank convert games.ggf --to transcript    # a game a line
  outflank convert games.txt --to wtb --output games.wtb && ls games.wtb
  outflank convert games.wtb games.ggf --to obf # the last position of each
  outflank convert game.sgf --to transcript     # the main line
  echo f5d6c3 | outflank convert - --to slash";

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Target {
    Text(Form),
    Archive,
}

fn target() -> impl TypedValueParser<Value = Target> {
    let names = Form::ALL.into_iter().map(|(name, _)| name).chain([ARCHIVE]);
    PossibleValuesParser::new(names).map(|chosen| {
        let form = Form::ALL.into_iter().find(|(name, _)| *name == chosen);
        form.map_or(Target::Archive, |(_, form)| Target::Text(form))
    })
}

/// Reads everything, then writes everything: after an error nothing has been written.
///
/// # Errors
/// One line saying which file and line cannot be used and why, or the output cannot be written.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    if let Some(path) = &arguments.output {
        files::refuse_input(path, &arguments.files).map_err(io::Error::other)?;
    }
    let mut games = Vec::new();
    for path in &arguments.files {
        let read = read_games(path).map_err(io::Error::other)?;
        games.extend(read);
    }
    let save = |bytes: &[u8]| match &arguments.output {
        Some(path) => files::save(path, bytes).map_err(io::Error::other),
        None => Err(io::Error::other("an archive needs --output FILE")),
    };
    match arguments.to {
        Target::Archive => save(&archive(&games).map_err(io::Error::other)?),
        Target::Text(form) => {
            let lines = converted(&games, |game| form.write(game)).map_err(io::Error::other)?;
            if arguments.output.is_none() {
                return lines.iter().try_for_each(|line| output.line(line));
            }
            save(lines.iter().flat_map(|line| [line, "\n"]).collect::<String>().as_bytes())
        }
    }
}

/// A game and where it came from.
pub(super) struct Item {
    /// File and line, or file and number of the game, for messages.
    pub place: String,
    /// The line on which the game begins, from 1; games of archives have none.
    pub line: Option<usize>,
    /// The game.
    pub game: Game,
}

/// The games of a file in any form, at least one; `-` is standard input.
///
/// # Errors
/// One line with the file and the place of the first thing that does not fit.
pub(super) fn read_games(path: &Path) -> Result<Vec<Item>, String> {
    let games = games(path, &read(path)?)?;
    if games.is_empty() {
        return Err(format!("no games or positions in {}", path_text(path)));
    }
    Ok(games)
}

/// The games of a file with these contents.
fn games(path: &Path, bytes: &[u8]) -> Result<Vec<Item>, String> {
    let name = path.display();
    if is_archive(bytes) || path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ARCHIVE)) {
        let archive = Archive::read(bytes).map_err(|error| format!("{name}: {error}"))?;
        return (1..)
            .zip(&archive.games)
            .map(|(number, record)| {
                let place = format!("{name}: game {number}");
                let game = record.game().map_err(|error| format!("{place}: {error}"))?;
                Ok(Item { place, line: None, game })
            })
            .collect();
    }
    // A comment of SGF may be in any encoding.
    let lossy = String::from_utf8_lossy(bytes);
    let text = if sgf::begins(&lossy) { Ok(&*lossy) } else { text(bytes) };
    let text = text.map_err(|error| format!("{name}: {error}"))?;
    let games = parse_file(text).map_err(|error| format!("{name}: {error}"))?;
    let item =
        |(line, game)| Item { place: format!("{name}: line {line}"), line: Some(line), game };
    Ok(games.into_iter().map(item).collect())
}

/// What to say about a file that is not OBF: `error`, unless it has games or positions in another
/// form, of which [`run`] makes OBF.
pub(super) fn not_obf(path: &Path, bytes: &[u8], error: String) -> String {
    match games(path, bytes) {
        Err(_) => error,
        Ok(_) => {
            let name = path_text(path);
            format!(
                "{name}: expected positions in OBF; to make them: outflank convert {name} --to obf"
            )
        }
    }
}

fn converted<T>(
    games: &[Item],
    write: impl Fn(&Game) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    let write = |item: &Item| write(&item.game).map_err(|error| format!("{}: {error}", item.place));
    games.iter().map(write).collect()
}

fn archive(games: &[Item]) -> Result<Vec<u8>, String> {
    let games = converted(games, |game| ArchivedGame::try_from(game))?;
    Archive { games, ..Archive::default() }.write()
}
