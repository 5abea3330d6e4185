//! `eval-suite`: how far the evaluation without a search is from exact scores.

use super::convert::not_obf;
use super::files::read;
use crate::eval::Weights;
use crate::notation::error::path_text;
use crate::protocol::Output;
use crate::training::measure::Accuracy;
use clap::Args;
use std::io;
use std::path::{Path, PathBuf};

/// Compares the evaluation without a search with the exact scores of test suites.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct EvalSuiteArgs {
    /// Suites in OBF, one position a line with the scores of its moves, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Use the weights of this file instead of those in the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  outflank eval-suite suite.obf                 # how far the evaluation is from the scores
  outflank eval-suite ffo.obf suite.obf --weights weights.bin";

/// Prints a line for each suite.
///
/// # Errors
/// One line saying which file cannot be used and why.
pub fn run(args: &EvalSuiteArgs, output: &mut Output) -> io::Result<()> {
    let weights = Weights::load(args.weights.as_deref()).map_err(io::Error::other)?;
    for path in &args.files {
        output.line(suite_line(&weights, path).map_err(io::Error::other)?)?;
    }
    Ok(())
}

/// The accuracy of the evaluation on one suite in one line; errors in discs.
///
/// # Errors
/// One line with the path and what is wrong with the file.
pub fn suite_line(weights: &Weights, path: &Path) -> Result<String, String> {
    // A comment may be in any encoding; a bad byte elsewhere is an error with its place.
    let bytes = read(path)?;
    let accuracy = Accuracy::on_suite(weights, &String::from_utf8_lossy(&bytes))
        .map_err(|error| not_obf(path, &bytes, format!("{}: {error}", path.display())))?;
    if accuracy.count() == 0 {
        return Err(format!("no positions in {}", path_text(path)));
    }
    Ok(format!(
        "{}: {} positions, mean error {:.3}, root mean square {:.3}, bias {:+.3}, correlation {:.4}",
        path.display(),
        accuracy.count(),
        accuracy.mean_error(),
        accuracy.root_mean_square(),
        accuracy.bias(),
        accuracy.correlation(),
    ))
}
