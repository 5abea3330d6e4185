//! `outflank book build`: adds positions to the file of a book.

use super::builder::{Builder, Goal, Progress};
use super::saver::Saver;
use crate::board::Board;
use crate::book::analysis::key;
use crate::book::expansion::Bounds;
use crate::book::{Contents, Settings, read_file};
use crate::commands::convert::{Item, read_games};
use crate::commands::progress;
use crate::commands::stop::Stop;
use crate::commands::values::{hash, level, seconds, threads, within};
use crate::engine::Options;
use crate::eval::Weights;
use crate::notation::error::path_text;
use crate::protocol::Output;
use crate::training::game_file::weights_checksum;
use indicatif::HumanCount;
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Level of the searches of a new book.
const LEVEL: u8 = 10;

/// What to build, and when to stop.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// The book; it is made, or goes on growing from where it was left
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Strength of the search of each position, 1 to 60 [default: 10, or that of the book]
    #[arg(long, value_name = "N", value_parser = level)]
    level: Option<u32>,
    /// Stop when every line out of the book costs more: discs lost by its moves against the best
    /// ones, and --ply-cost for each ply
    #[arg(long, value_name = "DISCS", value_parser = discs)]
    max_cost: Option<i64>,
    /// Stop once the book has so many positions
    #[arg(long, value_name = "N")]
    positions: Option<usize>,
    /// Stop after so many seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Add no position with more than so many plies played, 0 to 60
    #[arg(long, value_name = "PLIES", value_parser = within::<u32>(0..=60))]
    depth: Option<u32>,
    /// What a ply costs: the less, the deeper and narrower the lines
    #[arg(long, value_name = "DISCS", default_value = "0.25", value_parser = discs)]
    ply_cost: i64,
    /// Grow from these positions as well: a file of them or of games, whose last positions count,
    /// in any form, or - for standard input [default: the start of a game]
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Positions searched at a time; the book is the same for any number [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Size of the transposition table of each search in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = hash)]
    hash: usize,
    /// Use the weights of this file instead of those in the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  outflank book build my.book --level 4 --positions 100
  outflank book build new.book --max-cost 3 --depth 12 --level 6
  outflank book build xot.book --from openings.txt --level 8 --time 2

Without a bound it goes on until Ctrl-C. The file can be used at any time, and the same command
goes on where the last one was stopped.";

/// Builds until a bound is reached or Ctrl-C is pressed, then prints what the book holds.
///
/// # Errors
/// One line saying which file cannot be used or written and why, or that another program has
/// written it meanwhile; the book is then as it was when it was written last. [`io::ErrorKind::Interrupted`] after Ctrl-C.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    let started = Instant::now();
    let weights = Weights::load(arguments.weights.as_deref()).map_err(io::Error::other)?;
    let mut saver = Saver::new(&arguments.file).map_err(io::Error::other)?;
    let mut contents = arguments.contents(weights_checksum(&weights)).map_err(io::Error::other)?;
    let before = contents.positions.len() + contents.pending.len();
    let stop = Stop::on_interrupt();
    let bounds = Bounds {
        ply_cost: arguments.ply_cost,
        max_cost: arguments.max_cost,
        max_ply: arguments.depth,
    };
    let deadline = arguments.time.and_then(|time| started.checked_add(time));
    let goal = Goal { positions: arguments.positions, deadline };
    let threads = arguments.threads.unwrap_or_else(|| Options::default().threads);
    let goal_positions = arguments.positions.map(|positions| positions as u64);
    let bar = progress::bar(goal_positions, before as u64);
    let end = Builder::new((threads, arguments.hash), &weights, (bounds, goal), stop.flag())
        .and_then(|builder| {
            // At once, so that a place that cannot be written is known before any work.
            saver.save(&contents)?;
            builder.build(&mut contents, &mut |contents, progress| {
                bar.set_position(progress.positions as u64);
                bar.set_message(Summary { progress, before, started }.to_string());
                if saver.is_due() { saver.save(contents) } else { Ok(()) }
            })
        })
        .and_then(|progress| saver.save(&contents).map(|()| progress));
    bar.finish_and_clear();
    let progress = &end.map_err(io::Error::other)?;
    output.line(Summary { progress, before, started })?;
    stop.result()
}

impl Arguments {
    /// What the file holds, or an empty book, with the positions to grow from.
    fn contents(&self, weights: u32) -> Result<Contents, String> {
        let level = self.level.and_then(|level| u8::try_from(level).ok());
        let path = path_text(&self.file);
        let mut contents = if std::fs::exists(&self.file).unwrap_or(true) {
            let contents = read_file(&self.file)?;
            let Settings { level: found, weights: others } = contents.settings;
            if let Some(wanted) = level.filter(|wanted| *wanted != found) {
                return Err(format!(
                    "{path}: its positions were searched with --level {found}, these would be \
                     with --level {wanted}"
                ));
            }
            if others != weights {
                return Err(format!(
                    "{path}: its positions were searched with weights of checksum {others:08x}, \
                     these would be with {weights:08x}"
                ));
            }
            contents
        } else {
            Contents::new(Settings { level: level.unwrap_or(LEVEL), weights })
        };
        match &self.from {
            Some(path) => contents.roots.extend(roots(path)?),
            None if contents.roots.is_empty() => contents.roots.extend(key(Board::START)),
            None => {}
        }
        Ok(contents)
    }
}

/// The last positions of the games of a file.
fn roots(path: &Path) -> Result<Vec<Board>, String> {
    let games = read_games(path)?;
    let root = |Item { place, game, .. }: &Item| {
        key(game.board()).ok_or_else(|| format!("{place}: the game is over"))
    };
    games.iter().map(root).collect()
}

/// What a run has done, in one line.
struct Summary<'p> {
    progress: &'p Progress,
    before: usize,
    started: Instant,
}

impl std::fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Progress { positions, deepest, cost } = *self.progress;
        let new = positions.saturating_sub(self.before);
        let minutes = self.started.elapsed().as_secs_f64() / 60.0;
        let rate = new as f64 / minutes.max(f64::MIN_POSITIVE);
        let (positions, new) = (HumanCount(positions as u64), HumanCount(new as u64));
        write!(f, "positions {positions}, new {new}, {rate:.0} a minute, {deepest} plies, ")?;
        match cost {
            Some(cost) => write!(f, "next cost {:.2}", cost as f64 / 100.0),
            None => f.write_str("no line left"),
        }
    }
}

/// A cost in centidiscs.
fn discs(text: &str) -> Result<i64, String> {
    const RANGE: std::ops::RangeInclusive<f64> = 0.0..=1e6;
    let number = text.parse().ok().filter(|discs| RANGE.contains(discs));
    number
        .map(|discs: f64| (discs * 100.0).round() as i64)
        .ok_or_else(|| "expected a number of discs, 0 or more".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_are_discs_and_never_negative() {
        assert_eq!(discs("0.25"), Ok(25));
        assert_eq!(discs("6"), Ok(600));
        for text in ["", "-1", "nan", "inf", "1e300", "x"] {
            assert!(discs(text).is_err(), "{text}");
        }
    }
}
