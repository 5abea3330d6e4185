//! `outflank solve`: solves or searches the positions of test suites, one row a position, and
//! compares what it finds with the scores in the files.

mod row;
mod suite;
mod totals;

use super::self_play::threads;
use crate::engine::{Engine, Options};
use crate::eval::Weights;
use crate::notation::error::{expect, parse_all};
use crate::protocol::Output;
use crate::search::{Info, Limits, Selectivity};
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressDrawTarget, ProgressStyle};
use nom::Parser;
use nom::character::complete::{char, u32};
use nom::combinator::{opt, verify};
use nom::sequence::{pair, preceded};
use row::{HEADER, Row};
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;
use suite::{Range, Task, tasks};
use totals::Totals;

/// Which positions to search, and how far. Limits hold together; without one every position is
/// solved exactly.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Suites in OBF, one position a line with the scores of its moves, or - for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Time for each position in seconds
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Greatest depth in plies, 1 to 60; selective at 73 % unless told otherwise
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=60))]
    depth: Option<u32>,
    /// Confidence of the selective cuts in per cent: 73, 87, 95, 98, 99 or 100 (none)
    #[arg(long, value_name = "P", value_parser = selectivity)]
    selectivity: Option<Selectivity>,
    /// Strength of the search, 1 to 60
    #[arg(long, value_name = "N", value_parser = level)]
    level: Option<u32>,
    /// Only the first N positions of each file
    #[arg(long, value_name = "N", conflicts_with = "range", value_parser = first)]
    first: Option<Range>,
    /// Only these positions of each file, counted from 1: A-B, A- or A
    #[arg(long, value_name = "A-B", value_parser = range)]
    range: Option<Range>,
    /// One JSON object a line instead of a table
    #[arg(long)]
    json: bool,
    /// Search threads; with one, results are exactly reproducible [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Size of the transposition table in MiB
    #[arg(long, value_name = "MB", default_value_t = 64, value_parser = hash)]
    hash: usize,
    /// Use the weights of this file instead of those in the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

const EXAMPLES: &str = "\
Examples:
  outflank solve ffo.obf --first 3              # exactly; the scores of the file are checked
  outflank solve suite.obf --depth 8            # searched; errors of score and move in the totals
  outflank solve suite.obf --level 10 --json    # an object a line; protocol.md has the keys
  outflank solve ffo.obf suite.obf --time 0.05 --threads 1 --hash 1
  grep 'FFO #2$' ffo.obf | outflank solve -";

/// Searches the positions in order, each with an empty table. All files are read first, so that
/// a fault in one is known at once. Ctrl-C ends with the totals so far.
///
/// # Errors
/// One line saying which file cannot be used and why, or how many solved positions differ from
/// the scores in the files; the output cannot be written; [`io::ErrorKind::Interrupted`] after
/// Ctrl-C.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    let tasks = tasks(&arguments.files, arguments.range()).map_err(io::Error::other)?;
    let engine = arguments.engine().map_err(io::Error::other)?;
    let interrupt = Interrupt::install();
    let totals = search_all(arguments, &tasks, engine, &interrupt, output)?;
    match arguments.json {
        true => output.line(totals.json()?)?,
        false => output.line(&totals)?,
    }
    if interrupt.happened.load(SeqCst) {
        return Err(io::ErrorKind::Interrupted.into());
    }
    match totals.wrong() {
        0 => Ok(()),
        1 => Err(io::Error::other("1 solved position differs from the scores in its file")),
        wrong => Err(io::Error::other(format!(
            "{wrong} solved positions differ from the scores in their files"
        ))),
    }
}

/// Writes a row for each position until all are searched or Ctrl-C is pressed.
fn search_all(
    arguments: &Arguments,
    tasks: &[Task],
    mut engine: Engine,
    interrupt: &Interrupt,
    output: &mut Output,
) -> io::Result<Totals> {
    let limits = arguments.limits();
    let mut totals = Totals::default();
    let bar = bar(tasks.len());
    if !arguments.json {
        output.line(HEADER)?;
    }
    for (index, task) in tasks.iter().enumerate() {
        let opens_file = arguments.files.len() > 1 && task.number == arguments.range().first;
        if opens_file && !arguments.json {
            bar.suspend(|| output.line(format_args!("# {}", task.file.display())))?;
        }
        bar.set_position(index as u64);
        bar.set_message(String::new());
        engine.clear();
        interrupt.stop.store(false, SeqCst);
        if interrupt.happened.load(SeqCst) {
            break;
        }
        let show = &mut |info: &Info| bar.set_message(Progress(task, info).to_string());
        let report = engine.search(&task.record.game, &limits, &interrupt.stop, show);
        if interrupt.happened.load(SeqCst) {
            break;
        }
        let row = Row::new(task, &report);
        totals.add(&row);
        bar.suspend(|| match arguments.json {
            true => output.line(row.json()?),
            false => output.line(row),
        })?;
    }
    bar.finish_and_clear();
    Ok(totals)
}

impl Arguments {
    fn range(&self) -> Range {
        self.first.or(self.range).unwrap_or(Range::ALL)
    }

    fn engine(&self) -> Result<Engine, String> {
        let defaults = Options::default();
        let threads = self.threads.unwrap_or(defaults.threads);
        let weights = Weights::load(self.weights.as_deref())?;
        let mut engine = Engine::new(Options { threads, hash_mb: self.hash, ..defaults })?;
        engine.set_weights(weights);
        Ok(engine)
    }

    fn limits(&self) -> Limits {
        Limits {
            depth: self.depth,
            time: self.time,
            level: self.level,
            selectivity: self.selectivity,
            ..Limits::default()
        }
    }
}

/// What Ctrl-C does: it is remembered, then the running search is stopped.
#[derive(Clone, Default)]
pub(super) struct Interrupt {
    /// Was Ctrl-C pressed?
    pub happened: Arc<AtomicBool>,
    /// Ends a search, and is set by every search that its limits end.
    stop: Arc<AtomicBool>,
}

impl Interrupt {
    /// Without a handler Ctrl-C ends the program at once, which loses what comes after the rows.
    pub fn install() -> Interrupt {
        let interrupt = Interrupt::default();
        let Interrupt { happened, stop } = interrupt.clone();
        let handler = move || {
            happened.store(true, SeqCst);
            stop.store(true, SeqCst);
        };
        if let Err(error) = ctrlc::set_handler(handler) {
            log::warn!("Ctrl-C will end the program at once: {error}");
        }
        interrupt
    }
}

/// Shows how far the command has come if stderr is a terminal.
fn bar(positions: usize) -> ProgressBar {
    let target = ProgressDrawTarget::stderr();
    let bar = ProgressBar::with_draw_target(Some(positions as u64), target);
    // A template that cannot be read would leave the package's own style.
    if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar
}

/// What is known about the position that is being searched.
struct Progress<'t>(&'t Task, &'t Info);

impl std::fmt::Display for Progress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Progress(task, info) = self;
        let Info { depth, selectivity, score, nodes, time, .. } = info;
        let (nodes, time) = (HumanCount(*nodes), HumanDuration(*time));
        write!(f, "#{} depth {depth}@{selectivity}% {score} {nodes} nodes {time}", task.number)
    }
}

pub(super) fn hash(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| Options::HASH_MB.contains(number));
    let (least, most) = Options::HASH_MB.into_inner();
    number.ok_or_else(|| format!("expected {least} to {most}"))
}

pub(super) fn level(text: &str) -> Result<u32, String> {
    let number = text.parse().ok().filter(|number| Options::LEVEL.contains(number));
    let (least, most) = Options::LEVEL.into_inner();
    number.ok_or_else(|| format!("expected {least} to {most}"))
}

pub(super) fn selectivity(text: &str) -> Result<Selectivity, String> {
    let level = text.parse().ok().and_then(Selectivity::from_percent);
    level.ok_or_else(|| "expected 73, 87, 95, 98, 99 or 100".to_string())
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    const RANGE: std::ops::RangeInclusive<f64> = 0.001..=1e8;
    let number = text.parse().ok().filter(|seconds| RANGE.contains(seconds));
    number.map(Duration::from_secs_f64).ok_or_else(|| "expected 0.001 or more seconds".to_string())
}

fn first(text: &str) -> Result<Range, String> {
    let last = text.parse().ok().filter(|count| *count >= 1);
    last.map(|last| Range { first: 1, last }).ok_or_else(|| "expected 1 or more".to_string())
}

fn range(text: &str) -> Result<Range, crate::notation::SyntaxError> {
    let number = || verify(u32, |number| *number >= 1).map(|number| number as usize);
    let range = pair(number(), opt(preceded(char('-'), opt(number()))));
    let range = range.map(|(first, rest)| Range {
        first,
        last: rest.map_or(first, |last| last.unwrap_or(usize::MAX)),
    });
    let range = verify(range, |Range { first, last }| first <= last);
    parse_all(text, expect("a range such as 40-59", range))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_in_every_form() {
        for (text, first, last) in
            [("3", 3, 3), ("3-5", 3, 5), ("3-", 3, usize::MAX), ("7-7", 7, 7)]
        {
            assert_eq!(range(text), Ok(Range { first, last }), "{text}");
        }
        for text in ["", "0", "5-3", "x", "3-x", "-3", "3-5-7"] {
            assert!(range(text).is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        for text in ["0", "-1", "nan", "inf", "1e300", "x", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
        for text in ["0", "61", "x", "-1"] {
            assert!(level(text).is_err(), "{text}");
        }
        assert!(hash("0").is_err() && hash("65537").is_err() && hash("65536").is_ok());
        assert!(selectivity("90").is_err() && selectivity("100").is_ok());
        assert!(first("0").is_err() && first("1").is_ok());
    }
}
