//! `outflank book`: builds a book of openings from the engine's own searches, and shows what is in
//! one.

mod build;
mod builder;
mod info;
mod saver;
mod show;

use crate::protocol::Output;
use std::io;

/// What to do with a book.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    #[command(subcommand)]
    task: Task,
}

const EXAMPLES: &str = "\
Examples:
  outflank book build my.book --level 4 --positions 100
  outflank book show my.book f5d6
  outflank book info my.book

In play the option Book names the file: setoption name Book value my.book";

#[derive(Clone, Debug, clap::Subcommand)]
enum Task {
    /// Add positions to a book, the most important ones first; a new one is made
    Build(build::Arguments),
    /// Show the moves of a position with their values
    Show(show::Arguments),
    /// Show how large a book is and how it was made
    Info(info::Arguments),
}

/// Carries the task out.
///
/// # Errors
/// One line saying which file cannot be used and why, or the output cannot be written;
/// [`io::ErrorKind::Interrupted`] after Ctrl-C.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    match &arguments.task {
        Task::Build(arguments) => build::run(arguments, output),
        Task::Show(arguments) => show::run(arguments, output),
        Task::Info(arguments) => info::run(arguments, output),
    }
}
