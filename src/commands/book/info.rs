//! `outflank book info`: a book in numbers.

use crate::book::{Graph, Settings, read_file};
use crate::eval::Weights;
use crate::protocol::Output;
use crate::training::game_file::weights_checksum;
use std::io;
use std::path::PathBuf;

/// Which book.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = "Examples:\n  outflank book info my.book")]
pub struct Arguments {
    /// File made by `outflank book build`
    #[arg(value_name = "FILE")]
    file: PathBuf,
}

/// Prints one number a line.
///
/// # Errors
/// The file cannot be used, or the output cannot be written.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    let contents = read_file(&arguments.file).map_err(io::Error::other)?;
    let graph = Graph::new(contents.positions.iter().chain(&contents.pending));
    let nodes = graph.nodes();
    let moves: usize = nodes.iter().map(|node| node.edges().len()).sum();
    let Settings { level, weights } = contents.settings;
    let known = weights == weights_checksum(Weights::embedded());
    let whose = if known { ", those in the program" } else { "" };
    output.line(format_args!("positions: {}", nodes.len()))?;
    output.line(format_args!("moves: {moves}"))?;
    output.line(format_args!("deepest: {} plies", nodes.last().map_or(0, |node| node.ply())))?;
    output.line(format_args!("solved: {}", nodes.iter().filter(|node| node.solved()).count()))?;
    output.line(format_args!("unfinished batch: {}", contents.pending.len()))?;
    output.line(format_args!("roots: {}", contents.roots.len()))?;
    output.line(format_args!("level: {level}"))?;
    output.line(format_args!("weights: checksum {weights:08x}{whose}"))
}
