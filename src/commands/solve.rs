//! `outflank solve`: solves or searches the positions of test suites, one row a position, and
//! compares what it finds with the scores in the files.

mod row;
mod suite;
mod totals;

use super::progress;
use super::stop::Stop;
use super::values::{hash, level, seconds, selectivity, threads, within};
use crate::engine::{Engine, Options};
use crate::eval::Weights;
use crate::notation::error::{expect, parse_all};
use crate::protocol::Output;
use crate::search::{Info, Limits, Selectivity};
use indicatif::{HumanCount, HumanDuration};
use nom::character::complete::{char, u32};
use nom::combinator::{map, opt};
use nom::sequence::{pair, preceded};
use row::{HEADER, Row};
use std::io;
use std::path::PathBuf;
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
    #[arg(long, value_name = "N", value_parser = within::<u32>(1..=60))]
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
    let stop = Stop::on_interrupt();
    let totals = search_all(arguments, &tasks, engine, &stop, output)?;
    match arguments.json {
        true => output.line(totals.json()?)?,
        false => output.line(&totals)?,
    }
    stop.result()?;
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
    stop: &Stop,
    output: &mut Output,
) -> io::Result<Totals> {
    let limits = arguments.limits();
    let mut totals = Totals::default();
    let bar = progress::bar(Some(tasks.len() as u64), 0);
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
        let Some(flag) = stop.next_search() else { break };
        let show = &mut |info: &Info| bar.set_message(Progress(task, info).to_string());
        let report = engine.search(&task.record.game, &limits, flag, show);
        if stop.ended() {
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

fn first(text: &str) -> Result<Range, String> {
    let last = text.parse().ok().filter(|count| *count >= 1);
    last.map(|last| Range { first: 1, last }).ok_or_else(|| "expected 1 or more".to_string())
}

fn range(text: &str) -> Result<Range, String> {
    let number = || map(u32, |number| number as usize);
    let range = pair(number(), opt(preceded(char('-'), opt(number()))));
    let range = map(range, |(first, rest)| Range {
        first,
        last: rest.map_or(first, |last| last.unwrap_or(usize::MAX)),
    });
    let range = parse_all(text, expect("a range such as 40-59", range));
    match range.map_err(|error| error.to_string())? {
        Range { first: 0, .. } => Err("positions are counted from 1".into()),
        Range { first, last } if last < first => Err("its end is before its beginning".into()),
        range => Ok(range),
    }
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
        for text in ["", "x", "3-x", "-3", "3-5-7"] {
            assert!(range(text).unwrap_err().starts_with("expected "), "{text}");
        }
        for (text, error) in [
            ("0", "positions are counted from 1"),
            ("0-5", "positions are counted from 1"),
            ("9-5", "its end is before its beginning"),
        ] {
            assert_eq!(range(text).unwrap_err(), error, "{text}");
        }
    }

    #[test]
    fn the_first_ones_are_one_or_more() {
        assert!(first("0").is_err() && first("x").is_err());
        assert_eq!(first("2"), Ok(Range { first: 1, last: 2 }));
    }
}
