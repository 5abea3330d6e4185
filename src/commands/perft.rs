//! `outflank perft`: counts lines of play, one depth a line.

use super::values::within;
use crate::board::perft::Convention;
use crate::game::Game;
use crate::notation::forms::parse_game;
use crate::protocol::{Output, PerftReport};
use clap::ValueEnum;
use clap::builder::PossibleValue;
use std::io;
use std::sync::atomic::AtomicBool;

/// What to count.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Greatest length in plies, 1 to 60
    #[arg(value_parser = within::<u32>(1..=60))]
    depth: u32,
    /// How passes and finished games count
    #[arg(long, value_enum, default_value_t)]
    convention: Convention,
    /// Position to count from, or a game, in any form [default: the start]
    #[arg(long, value_name = "POSITION", value_parser = parse_game)]
    position: Option<Game>,
}

const EXAMPLES: &str = "\
Examples:
  outflank perft 9                              # lines of play from the start, a depth a line
  outflank perft 8 --convention full-depth      # only those that reach the depth
  outflank perft 6 --position f5d6c3d3          # after these moves
  outflank perft 4 --position '8/8/8/3WB3/3BW3/8/8/8 b'";

impl ValueEnum for Convention {
    fn value_variants<'a>() -> &'a [Convention] {
        &Convention::ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(self.name()).help(match self {
            Convention::PassPly => "A pass is a ply; a finished game counts once",
            Convention::PassFree => "A pass takes no depth; a finished game counts once",
            Convention::FullDepth => "A pass is a ply; only lines of the whole length count",
        }))
    }
}

/// Counts to each depth up to the given one and prints the counts with their times.
///
/// # Errors
/// The output cannot be written.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    let board = arguments.position.clone().unwrap_or_default().board();
    let never = AtomicBool::new(false);
    (1..=arguments.depth)
        .filter_map(|depth| PerftReport::count(board, depth, arguments.convention, &never))
        .try_for_each(|report| output.line(report))
}
