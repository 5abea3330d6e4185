//! The commands of the shell, one file each. They write their results to stdout and end.

pub mod perft;

use crate::protocol::Output;
use std::io;

/// A command with its arguments.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Command {
    /// Count the lines of play of each length up to DEPTH
    Perft(perft::Arguments),
}

impl Command {
    /// Carries the command out.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn run(&self, output: &mut Output) -> io::Result<()> {
        match self {
            Command::Perft(arguments) => perft::run(arguments, output),
        }
    }
}
