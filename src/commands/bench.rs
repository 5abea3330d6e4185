//! `outflank bench`: the speed of the search on a fixed set of positions, and its signature, the
//! number of nodes, which changes with anything that changes the search.

mod positions;

use super::values::{hash, threads, within};
use crate::board::Board;
use crate::board::perft::moves_made;
use crate::engine::{Engine, Options};
use crate::eval::{Features, Weights};
use crate::notation::obf::{self, Record};
use crate::protocol::Output;
use crate::score::Score;
use crate::search::{Limits, Report};
use positions::{ENDGAME, MIDGAME};
use std::fmt;
use std::hint::black_box;
use std::io;
use std::ops::Add;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// How to search the positions.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Depth of the midgame searches in plies, 1 to 20
    #[arg(long, value_name = "N", default_value_t = 15, value_parser = within::<u32>(1..=20))]
    depth: u32,
    /// Search threads; only one gives a signature
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = threads)]
    threads: usize,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = hash)]
    hash: usize,
    /// Use the weights of this file instead of those in the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  outflank bench --depth 10                     # speed, and the signature of the search";

/// Depth of the perft that all speeds are compared with (plies): about half a second.
const PERFT_DEPTH: u32 = 10;

/// Prints the speed of the machine (moves made in a perft on one thread), then that of the
/// search for each part and in total, each also as a share of the machine's, then the signature.
/// Nodes of a search are moves made too.
///
/// # Errors
/// The weights cannot be used, there is no memory or no thread, a solved score is wrong, or the
/// output cannot be written.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    let engine = arguments.engine().map_err(io::Error::other)?;
    let perft = machine_speed();
    output.line(format_args!("perft depth {PERFT_DEPTH} {perft}"))?;
    let depth = arguments.depth;
    let midgame = part(engine.clone(), &MIDGAME, |record| {
        // A midgame search, even where the end is in sight.
        let least = record.game.board().empties().len().saturating_sub(1);
        Limits { depth: Some(depth.min(least)), ..Limits::default() }
    })?;
    let count = MIDGAME.len();
    let share = midgame.of(&perft);
    output.line(format_args!("midgame positions {count} depth {depth} {share}"))?;
    let endgame = part(engine, &ENDGAME, |_| Limits::default())?;
    let (count, share) = (ENDGAME.len(), endgame.of(&perft));
    output.line(format_args!("endgame positions {count} {share}"))?;
    let total = midgame + endgame;
    output.line(format_args!("total {}", total.of(&perft)))?;
    match arguments.threads {
        1 => output.line(format_args!("signature {}", total.nodes)),
        _ => output.line("signature none"),
    }
}

impl Arguments {
    fn engine(&self) -> Result<Engine, String> {
        let (threads, hash_mb) = (self.threads, self.hash);
        let mut engine = Engine::new(Options { threads, hash_mb, ..Options::default() })?;
        let weights = Weights::load(self.weights.as_deref())?;
        // Tables that are worked out when first needed belong to no part's time.
        for empties in 0..=60 {
            black_box(weights.evaluate(&Features::of(Board::START), empties));
        }
        engine.set_weights(weights);
        Ok(engine)
    }
}

/// Nodes and the time that they took.
#[derive(Clone, Copy, Default)]
struct Speed {
    nodes: u64,
    time: Duration,
}

impl Speed {
    fn nps(&self) -> f64 {
        self.nodes as f64 / self.time.as_secs_f64().max(1e-6)
    }

    /// This speed and what share it is of that of the machine.
    fn of(&self, machine: &Speed) -> String {
        format!("{self} ratio {:.4}", self.nps() / machine.nps())
    }
}

impl Add for Speed {
    type Output = Speed;

    fn add(self, other: Speed) -> Speed {
        Speed { nodes: self.nodes + other.nodes, time: self.time + other.time }
    }
}

/// The time in milliseconds.
impl fmt::Display for Speed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (nodes, time) = (self.nodes, self.time.as_millis());
        write!(f, "nodes {nodes} time {time} nps {:.0}", self.nps())
    }
}

fn machine_speed() -> Speed {
    let started = Instant::now();
    let nodes = moves_made(Board::START, PERFT_DEPTH);
    Speed { nodes, time: started.elapsed() }
}

/// Searches each position with an empty table.
fn part(
    mut engine: Engine,
    lines: &[&str],
    limits: impl Fn(&Record) -> Limits,
) -> io::Result<Speed> {
    let mut speed = Speed::default();
    for line in lines {
        let record = obf::parse_line(line).map_err(io::Error::other)?;
        let Some(record) = record else { continue };
        engine.clear();
        let never = AtomicBool::new(false);
        let report = engine.search(&record.game, &limits(&record), &never, &mut |_| ());
        check(line, &record, &report).map_err(io::Error::other)?;
        speed.nodes += report.nodes;
        speed.time += report.time;
    }
    Ok(speed)
}

/// A fast search that is wrong is worth nothing.
fn check(line: &str, record: &Record, report: &Report) -> Result<(), String> {
    let found = report.lines.first().filter(|found| found.solved);
    match (found, record.best_score()) {
        (Some(found), Some(score)) if found.score != Score::from_discs(score) => {
            Err(format!("solved with {}, which is wrong: {line}", found.score))
        }
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn records(lines: &[&str]) -> Vec<Record> {
        lines.iter().map(|line| obf::parse_line(line).unwrap().unwrap()).collect()
    }

    #[test]
    fn the_positions_are_what_they_should_be() {
        let midgame = records(&MIDGAME);
        assert!(midgame.iter().all(|record| record.game.board().empties().len() >= 24));
        let endgame = records(&ENDGAME);
        assert!(endgame.iter().all(|record| record.best_score().is_some()));
        for record in midgame.iter().chain(&endgame) {
            assert!(!record.game.board().moves().is_empty());
        }
    }

    #[test]
    fn speeds_add_up_and_have_a_share_of_the_machines() {
        let speed = |nodes, ms| Speed { nodes, time: Duration::from_millis(ms) };
        let total = speed(1_000, 200) + speed(500, 100);
        assert_eq!(total.of(&speed(40_000, 1_000)), "nodes 1500 time 300 nps 5000 ratio 0.1250");
    }

    #[test]
    fn the_nodes_of_one_thread_repeat_whatever_was_searched_before() {
        let options = Options { threads: 1, hash_mb: 1, ..Options::default() };
        let engine = Engine::new(options).unwrap();
        let limits = |_: &Record| Limits { depth: Some(5), ..Limits::default() };
        let nodes = |lines: &[&str]| part(engine.clone(), lines, limits).unwrap().nodes;
        let whole = nodes(&MIDGAME);
        assert!(whole > 1_000);
        assert_eq!(nodes(&MIDGAME[6..]) + nodes(&MIDGAME[..6]), whole);
    }

    #[test]
    fn a_wrong_solution_is_refused() {
        let line = "XXXXX---XXXXX---XXXXXO--XXXXXO--XXXXXOO-XXXXXOXXXOOOOXXXO-O-XXXX X; H5:+56;";
        let engine = Engine::new(Options { threads: 1, hash_mb: 1, ..Options::default() });
        let engine = engine.unwrap();
        assert!(part(engine.clone(), &[line], |_| Limits::default()).is_ok());
        let wrong = line.replace("+56", "+54");
        let error = part(engine, &[&wrong], |_| Limits::default()).err().unwrap().to_string();
        assert!(error.contains("+56.00"), "{error}");
    }
}
