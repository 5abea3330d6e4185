//! The program: its arguments choose between the protocol loop and a command of the shell.

use clap::{CommandFactory, Parser, Subcommand};
use outflank::commands::{Command, completions};
use outflank::engine::{Engine, Options};
use outflank::protocol::{self, Kind, Output};
use std::io::{self, Write};
use std::process::ExitCode;

/// An Othello engine. Without a command it speaks UGI, GTP or the protocol of NBoard on stdin and
/// stdout, whichever the first line shows.
#[derive(Parser)]
#[command(version, after_help = EXAMPLES)]
struct Arguments {
    #[command(subcommand)]
    task: Option<Task>,
}

#[derive(Subcommand)]
enum Task {
    #[command(flatten)]
    Speak(Kind),
    #[command(flatten)]
    Command(Command),
    /// Print a script with which a shell completes commands and options
    Completions(completions::Arguments),
}

const EXAMPLES: &str = "\
Examples:
  outflank                               # then type: help
  echo 'go movetime 1000' | outflank     # one move from the start position
  echo 'genmove black' | outflank gtp    # the same in GTP
  outflank perft 9                       # check the move generator
  outflank solve ffo.obf --range 1-3     # solve positions, check the scores of the file
  outflank analyze f5d6c3d3              # rate every move of a game
  outflank book build my.book --level 4 --positions 100  # openings, for the option Book
  outflank bench --depth 10              # measure the speed of the search
  echo f5d6c3 | outflank convert - --to board

`outflank COMMAND --help` has more of each command.

RUST_LOG=debug shows on stderr what the program receives.";

fn main() -> ExitCode {
    outflank::cpu::require_features();
    env_logger::Builder::new()
        .filter_level(log::LevelFilter::Off)
        .parse_default_env()
        .target(env_logger::Target::Stderr)
        .init();
    match run(&Arguments::parse()) {
        Ok(()) => ExitCode::SUCCESS,
        // The usual status of a program that Ctrl-C ends, so that scripts around it end too.
        Err(error) if error.kind() == io::ErrorKind::Interrupted => ExitCode::from(130),
        // Nobody reads any more: there is nothing left to do, and nobody to tell.
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "outflank: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &Arguments) -> io::Result<()> {
    match &arguments.task {
        None => speak(None),
        Some(Task::Speak(kind)) => speak(Some(*kind)),
        Some(Task::Command(command)) => command.run(&mut Output::stdout()),
        Some(Task::Completions(shell)) => {
            completions::run(shell, Arguments::command(), &mut Output::stdout())
        }
    }
}

fn speak(kind: Option<Kind>) -> io::Result<()> {
    protocol::run(Engine::new(Options::default()).map_err(io::Error::other)?, kind)
}
