//! The commands of the shell, one file each. They write their results to stdout and end.

pub mod analyze;
pub mod bench;
pub mod book;
pub mod completions;
pub mod convert;
pub mod eval_suite;
mod files;
pub mod fit_probcut;
pub mod games;
pub mod perft;
mod progress;
pub mod self_play;
pub mod solve;
mod stop;
pub mod train;
mod values;

use crate::protocol::Output;
use std::io;

/// A command with its arguments.
#[derive(Clone, Debug, clap::Subcommand)]
pub enum Command {
    /// Count the lines of play of each length up to DEPTH
    Perft(perft::Arguments),
    /// Solve or search the positions of test suites and check their scores
    Solve(solve::Arguments),
    /// Annotate games and positions: values, best moves, losses, blunders
    Analyze(analyze::Arguments),
    /// Measure the speed of the search on a fixed set of positions
    Bench(bench::Arguments),
    /// Build a book of openings, look into one
    Book(book::Arguments),
    /// Compare the evaluation without a search with the exact scores of test suites
    EvalSuite(eval_suite::EvalSuiteArgs),
    /// Convert games and positions from any form into another
    Convert(convert::Arguments),
    /// Fit the weights of the evaluation to games
    Train(train::TrainArgs),
    /// Fit the selective cuts of the search to the evaluation
    FitProbcut(fit_probcut::Arguments),
    /// Play games of the engine against itself and add them to a file
    #[command(name = "selfplay")]
    SelfPlay(self_play::Arguments),
    /// Print the games of a file that selfplay made
    Games(games::Arguments),
}

impl Command {
    /// Carries the command out.
    ///
    /// # Errors
    /// The output cannot be written, or one line saying what went wrong.
    pub fn run(&self, output: &mut Output) -> io::Result<()> {
        match self {
            Command::Perft(arguments) => perft::run(arguments, output),
            Command::Solve(arguments) => solve::run(arguments, output),
            Command::Analyze(arguments) => analyze::run(arguments, output),
            Command::Bench(arguments) => bench::run(arguments, output),
            Command::Book(arguments) => book::run(arguments, output),
            Command::EvalSuite(arguments) => eval_suite::run(arguments, output),
            Command::Convert(arguments) => convert::run(arguments, output),
            Command::Train(arguments) => train::run(arguments, output),
            Command::FitProbcut(arguments) => fit_probcut::run(arguments, output),
            Command::SelfPlay(arguments) => self_play::run(arguments, output),
            Command::Games(arguments) => games::run(arguments, output),
        }
    }
}
