//! `outflank completions`: a script with which a shell completes commands and options.

use crate::protocol::Output;
use clap_complete::{Shell, generate};
use std::io;

/// Which shell.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Shell to complete in
    shell: Shell,
}

const EXAMPLES: &str = "\
Examples:
  outflank completions bash    # for this session: source <(outflank completions bash)
  mkdir -p completions && outflank completions fish > completions/outflank.fish && ls completions";

/// Prints the script for the command line that `program` describes.
///
/// # Errors
/// The output cannot be written.
pub fn run(
    arguments: &Arguments,
    mut program: clap::Command,
    output: &mut Output,
) -> io::Result<()> {
    let name = program.get_name().to_string();
    // The package panics where a pipe is closed, so it does not get to see one.
    let mut script = Vec::new();
    generate(arguments.shell, &mut program, name, &mut script);
    output.line(String::from_utf8_lossy(&script).trim_end())
}
