//! `outflank fit-probcut`: measures how far shallow searches are from deep ones, and fits the
//! model of the selective cuts to it.

use super::files::{read, text};
use super::progress;
use super::values::{threads, within};
use crate::engine::Options;
use crate::eval::Weights;
use crate::protocol::Output;
use crate::search::probcut::{MODEL, Model};
use crate::training::probcut::{Cell, cells, choose, fit, observe};
use rayon::ThreadPoolBuilder;
use std::io;
use std::path::PathBuf;

/// Which positions to search, and how.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// File of games in text form, one a line, or - for standard input
    #[arg(value_name = "FILE")]
    games: PathBuf,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 3_000, value_parser = within::<u32>(1..=1_000_000))]
    positions: u32,
    /// Greatest depth of a part of the searches in plies, 4 to 20
    #[arg(long, value_name = "N", default_value_t = 11, value_parser = within::<u32>(4..=20))]
    max_depth: u32,
    /// Seed of the choice of positions
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Searches at a time [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Use the weights of this file instead of those in the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  outflank fit-probcut results.txt --positions 300 --max-depth 6
  cat results.txt | outflank fit-probcut - --positions 300 --max-depth 6 --threads 1 --seed 2";

/// Prints the observed spreads beside those of the model in the program and of the new one, then
/// the new one as the source to paste.
///
/// # Errors
/// One line saying what went wrong, or the output cannot be written.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    let cells = searched(arguments).map_err(io::Error::other)?;
    let model = fit(&cells).map_err(io::Error::other)?;
    report(&cells, &model, output)?;
    output.line(format_args!("midgame: {},", source(&model.midgame)))?;
    output.line(format_args!("to_end: {},", source(&model.to_end)))
}

fn searched(arguments: &Arguments) -> Result<Vec<Cell>, String> {
    let weights = Weights::load(arguments.weights.as_deref())?;
    let name = arguments.games.display();
    let bytes = read(&arguments.games)?;
    let text = text(&bytes).map_err(|error| format!("{name}: {error}"))?;
    let (count, depth) = (arguments.positions as usize, arguments.max_depth);
    let positions =
        choose(text, count, depth, arguments.seed).map_err(|error| format!("{name}: {error}"))?;
    let threads = arguments.threads.unwrap_or_else(|| Options::default().threads);
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .map_err(|error| format!("no pool of {threads} threads: {error}"))?;
    let bar = progress::bar(Some(positions.len() as u64), 0);
    let observations = pool.install(|| observe(&positions, &weights, || bar.inc(1)))?;
    bar.finish_and_clear();
    Ok(cells(&observations))
}

/// Numbers as a Rust array.
fn source(numbers: &[f64]) -> String {
    let numbers: Vec<String> = numbers.iter().map(|number| format!("{number:.5}")).collect();
    format!("[{}]", numbers.join(", "))
}

/// A line for each pair of depths and each group of empties.
fn report(cells: &[Cell], model: &Model, output: &mut Output) -> io::Result<()> {
    output.line(
        "spreads in discs: depths, empties, positions, observed, new model, model in force",
    )?;
    for cell in cells {
        let depth = cell.depth.map_or("end".to_string(), |depth| depth.to_string());
        output.line(format_args!(
            "{:>3}-{depth:<3} {:>2}+ {:>5} {:>6.2} {:>6.2} {:>6.2}",
            cell.probe,
            cell.empties,
            cell.count,
            cell.observed,
            cell.modelled(model),
            cell.modelled(&MODEL),
        ))?;
    }
    for (name, to_end) in [("midgame", false), ("to the end", true)] {
        let chosen = || cells.iter().filter(|cell| cell.depth.is_none() == to_end);
        let error = |model: &Model| {
            let square = |cell: &Cell| (cell.modelled(model) / cell.observed).ln().powi(2);
            let sum: f64 = chosen().map(|cell| cell.count as f64 * square(cell)).sum();
            (sum / chosen().map(|cell| cell.count as f64).sum::<f64>()).sqrt()
        };
        output.line(format_args!(
            "{name}: {} groups, relative error of the spread {:.3}, of the model in force {:.3}",
            chosen().count(),
            error(model),
            error(&MODEL),
        ))?;
    }
    Ok(())
}
