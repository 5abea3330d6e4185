//! `outflank analyze`: searches every position of games, or single positions, and says what each
//! move was worth.

mod crew;
mod csv;
mod examine;
mod format;
mod json;
mod plan;
mod resume;
mod row;
mod settings;
mod sheet;
mod table;
mod tally;

use super::files;
use super::progress;
use super::stop::Stop;
use super::values::{hash, level, multipv, seconds, selectivity, threads, within};
use crate::engine::Options;
use crate::eval::Weights;
use crate::protocol::Output;
use crate::score::Score;
use crate::search::{Limits, Selectivity};
use crew::Crew;
use format::{Format, Layout};
use plan::Plan;
use settings::Settings;
use sheet::{Sheet, Target};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use std::time::Duration;
use tally::Tally;

const EXAMPLES: &str = "\
Examples:
  outflank analyze f5d6c3d3c4f4f6f3                # annotate a game
  outflank analyze suite.obf --exact --json        # solve the positions of a file
  outflank analyze --depth 10 --multipv 3 'startpos moves f5 d6'
  outflank analyze game.txt --time 0.02             # seconds a position
  outflank analyze games.wtb --level 6 --csv --resume games.csv  # run it again to go on

A position that begins with - stands after --. Every position is searched by one thread with an
empty table of its own, so that neither --threads nor the other positions change the output; one
position alone is searched by all threads.";

/// What to search, how far, and what to write.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// Files of games or positions in any form, one a line, SGF files or WTHOR archives; - for
    /// standard input; or a game or a position itself
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Depth of the searches in plies, 1 to 60; selective at 73 % unless told otherwise
    #[arg(long, value_name = "N", value_parser = within::<u32>(1..=60))]
    depth: Option<u32>,
    /// Time for each position in seconds, and as much for a move that is not the best one
    #[arg(long, value_name = "S", value_parser = seconds)]
    time: Option<Duration>,
    /// Strength of the search, 1 to 60 [default: 12, unless there is another limit]
    #[arg(long, value_name = "N", value_parser = level)]
    level: Option<u32>,
    /// Search every position to the end of the game
    #[arg(long, conflicts_with_all = ["depth", "level", "selectivity"])]
    exact: bool,
    /// Confidence of the selective cuts in per cent: 73, 87, 95, 98, 99 or 100 (none)
    #[arg(long, value_name = "P", value_parser = selectivity)]
    selectivity: Option<Selectivity>,
    /// Number of best moves to report for each position, 1 to 60
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = multipv)]
    multipv: usize,
    /// Loss in discs from which a move is marked as a blunder
    #[arg(long, value_name = "DISCS", default_value = "6", value_parser = blunder)]
    blunder: Score,
    /// One JSON object a position instead of a table
    #[arg(long, conflicts_with = "csv")]
    json: bool,
    /// Comma-separated values instead of a table
    #[arg(long)]
    csv: bool,
    /// File to write instead of standard output; what it held is lost
    #[arg(long, short, value_name = "FILE", conflicts_with = "resume")]
    output: Option<PathBuf>,
    /// File to write, going on where an interrupted run with the same input and settings stopped
    #[arg(long, value_name = "OUT")]
    resume: Option<PathBuf>,
    /// Positions at a time [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Size of the transposition table of each thread in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = hash)]
    hash: usize,
    /// Use the weights of this file instead of those in the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
}

/// Writes a row for each position, in the order of the input, as soon as it and those before it
/// are known. All input is read first, so that a fault in it is known at once.
///
/// # Errors
/// One line saying which input or file cannot be used and why; the output cannot be written;
/// [`io::ErrorKind::Interrupted`] after Ctrl-C.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    if let Some(path) = arguments.file() {
        let inputs = arguments.inputs.iter().chain(&arguments.weights);
        files::refuse_input(path, inputs).map_err(io::Error::other)?;
    }
    let plan = Plan::read(&arguments.inputs).map_err(io::Error::other)?;
    let weights = Weights::load(arguments.weights.as_deref()).map_err(io::Error::other)?;
    let settings = Settings::new(arguments, &plan, &weights);
    let threads = arguments.threads.unwrap_or_else(|| Options::default().threads);
    let (limits, multipv) = (arguments.limits(), arguments.multipv);
    let crew = Crew::new(&plan, limits, multipv, &weights, threads, arguments.hash)
        .map_err(io::Error::other)?;
    let interrupt = Stop::on_interrupt();
    let mut sheet = arguments.sheet(&plan, &settings, output).map_err(io::Error::other)?;
    let bar = progress::bar(Some(plan.len() as u64), sheet.done() as u64);
    let written = crew.work(sheet.done(), &interrupt, &mut |row| {
        bar.suspend(|| sheet.add(row))?;
        bar.inc(1);
        Ok(())
    });
    bar.finish_and_clear();
    written.map_err(|error| arguments.named(error))?;
    interrupt.result()?;
    match plan.len() - sheet.done() {
        0 => Ok(()),
        missing => Err(io::Error::other(format!("{missing} positions could not be searched"))),
    }
}

impl Arguments {
    fn limits(&self) -> Limits {
        let limited = self.depth.is_some() || self.time.is_some() || self.exact;
        Limits {
            depth: self.depth,
            time: self.time,
            level: self.level.or((!limited).then_some(Options::default().level)),
            selectivity: self.selectivity,
            ..Limits::default()
        }
    }

    fn format(&self) -> Format {
        match (self.json, self.csv) {
            (true, _) => Format::Json,
            (_, true) => Format::Csv,
            _ => Format::Table,
        }
    }

    /// Where the rows go, after those that are there already.
    fn sheet<'s>(
        &self,
        plan: &'s Plan,
        settings: &'s Settings,
        stdout: &'s mut Output,
    ) -> Result<Sheet<'s>, String> {
        let (format, multipv, blunder) = (self.format(), self.multipv, self.blunder);
        let layout = Layout { format, multipv, settings, blunder };
        let to = |file| Output::to(BufWriter::new(file));
        if let Some(path) = &self.resume {
            let (file, done, tally) = resume::open(path, plan, &layout)?;
            return Ok(Sheet::new(layout, Target::File(to(file)), done, tally));
        }
        let target = match &self.output {
            None => Target::Stdout(stdout),
            Some(path) => Target::File(to(File::create(path)
                .map_err(|error| format!("cannot write {}: {error}", path.display()))?)),
        };
        Ok(Sheet::new(layout, target, 0, Tally::default()))
    }

    /// The file to write, if there is one.
    fn file(&self) -> Option<&PathBuf> {
        self.output.as_ref().or(self.resume.as_ref())
    }

    /// An error of writing, with the file if there is one.
    fn named(&self, error: io::Error) -> io::Error {
        match self.file() {
            Some(path) => io::Error::other(format!("cannot write {}: {error}", path.display())),
            None => error,
        }
    }
}

fn blunder(text: &str) -> Result<Score, String> {
    const RANGE: std::ops::RangeInclusive<f64> = 0.01..=128.0;
    let discs = text.parse().ok().filter(|discs| RANGE.contains(discs));
    let score = |discs: f64| Score::from_centidiscs((100.0 * discs).round() as i32);
    discs.map(score).ok_or_else(|| "expected 0.01 to 128 discs".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn limits(options: &[&str]) -> Limits {
        let line = ["analyze", "f5"].iter().chain(options);
        Line::try_parse_from(line).unwrap().arguments.limits()
    }

    #[test]
    fn without_a_limit_the_level_is_the_usual_one() {
        let usual = Some(Options::default().level);
        assert_eq!(limits(&[]).level, usual);
        assert_eq!(limits(&["--selectivity", "87"]).level, usual);
        assert_eq!(limits(&["--exact"]), Limits::default());
        assert_eq!(limits(&["--depth", "7"]).level, None);
        let time = Some(Duration::from_millis(20));
        assert_eq!(limits(&["--time", "0.02"]), Limits { time, ..Limits::default() });
        assert_eq!(limits(&["--time", "0.02", "--level", "3"]).level, Some(3));
    }

    #[test]
    fn a_blunder_is_a_loss_in_discs() {
        assert_eq!(blunder("2.5"), Ok(Score::from_centidiscs(250)));
        for text in ["0", "-1", "129", "nan", "x", ""] {
            assert!(blunder(text).is_err(), "{text}");
        }
    }
}
