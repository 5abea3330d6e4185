//! `outflank games`: the games of a file that `selfplay` made, as text.

use crate::protocol::Output;
use crate::training::game_file::Contents;
use crate::training::games::GameRecord;
use std::io;
use std::path::PathBuf;

/// What to print.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// File made by selfplay
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

const EXAMPLES: &str = "\
Examples:
  outflank games games.bin                      # random plies, moves, result and scores
  outflank games games.bin | grep -c '^[^#]'    # how many games";

/// Prints a comment with the settings of the file, then a game a line: random plies, moves,
/// Black minus White, scores.
///
/// # Errors
/// The file cannot be used, or the output cannot be written.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    let named = |error: String| io::Error::other(format!("{}: {error}", arguments.file.display()));
    let bytes = std::fs::read(&arguments.file).map_err(|error| named(error.to_string()))?;
    let contents = Contents::read(&bytes).map_err(named)?;
    output.line(format_args!("# {}", contents.settings))?;
    contents.games.iter().try_for_each(|game| output.line(GameRecord::from(game)))
}
