//! `outflank selfplay`: plays games of the engine against itself and adds them to a file.

use super::progress;
use super::stop::Stop;
use super::values::{threads, within};
use crate::engine::Options;
use crate::eval::Weights;
use crate::notation::SyntaxError;
use crate::notation::error::{Parsed, expect, parse_all};
use crate::protocol::Output;
use crate::training::game_file::{Settings, weights_checksum};
use crate::training::generator::{Goal, Progress, generate};
use indicatif::{HumanCount, ProgressBar};
use nom::Parser;
use nom::character::complete::{char, u8};
use nom::combinator::verify;
use nom::sequence::separated_pair;
use std::io;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How to play, and where the games go.
#[derive(Clone, Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub struct Arguments {
    /// File to add the games to; a new one is made
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Stop once the file holds so many games [default: go on until interrupted]
    #[arg(long, value_name = "N", value_parser = within::<u64>(0..=u64::from(u32::MAX)))]
    games: Option<u64>,
    /// Stop once the file holds so many positions with a score
    #[arg(long, value_name = "N")]
    positions: Option<u64>,
    /// Depth of the searches in plies
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = within::<u8>(1..=60))]
    depth: u8,
    /// Empty squares from which on positions are solved
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = within::<u8>(0..=60))]
    exact_empties: u8,
    /// Least and greatest number of random plies at the start of a game, 0 to 59. Three games in
    /// four stay within 8-30
    #[arg(long, value_name = "MIN-MAX", default_value = "6-50", value_parser = parse_plies)]
    random: [u8; 2],
    /// Seed of the random plies: files with different seeds hold different games
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Games at a time [default: one a core]
    #[arg(long, value_name = "N", value_parser = threads)]
    threads: Option<usize>,
    /// Use the weights of this file instead of those in the program
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Size of the transposition table of each game in MiB
    #[arg(long, value_name = "MB", default_value_t = 4, value_parser = within::<u32>(1..=1_024))]
    hash: u32,
}

const EXAMPLES: &str = "\
Examples:
  outflank selfplay --output new.bin --games 20 --depth 2 --exact-empties 8
  outflank selfplay --output new.bin --positions 500 --depth 3 --exact-empties 10 --seed 2
  outflank selfplay --output new.bin --games 4 --random 10-20 --threads 1";

/// Plays until the file holds what was asked for; shows on the way how far it has come, and at
/// the end prints what the file holds, after Ctrl-C as well.
///
/// # Errors
/// One line saying which file cannot be used and why, or the output cannot be written;
/// [`io::ErrorKind::Interrupted`] after Ctrl-C.
pub fn run(arguments: &Arguments, output: &mut Output) -> io::Result<()> {
    let weights = Weights::load(arguments.weights.as_deref()).map_err(io::Error::other)?;
    let settings = Settings {
        depth: arguments.depth,
        exact_empties: arguments.exact_empties,
        random_plies: arguments.random,
        hash_mb: arguments.hash,
        seed: arguments.seed,
        weights: weights_checksum(&weights),
    };
    let threads = arguments.threads.unwrap_or_else(|| Options::default().threads);
    let goal = Goal { games: arguments.games, positions: arguments.positions };
    let mut display = Display::new(goal);
    let path = &arguments.output;
    let shown = &mut |progress: &Progress| display.show(progress);
    let stop = Stop::on_interrupt();
    let end = generate(path, &settings, &weights, threads, goal, stop.flag(), shown);
    display.bar.finish_and_clear();
    output.line(Summary(&end.map_err(io::Error::other)?))?;
    stop.result()
}

fn parse_plies(text: &str) -> Result<[u8; 2], SyntaxError> {
    parse_all(text, plies)
}

fn plies(input: &str) -> Parsed<'_, [u8; 2]> {
    let number = || verify(u8, |plies| *plies < 60);
    let range = separated_pair(number(), char('-'), number()).map(|(least, most)| [least, most]);
    let ordered = verify(range, |[least, most]: &[u8; 2]| least <= most);
    expect("a range of plies such as 6-50, within 0-59", ordered).parse(input)
}

/// What a run has done, in one line.
struct Summary<'p>(&'p Progress);

impl std::fmt::Display for Summary<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Progress { games, positions, new_games, new_positions, .. } = *self.0;
        let rate = self.0.positions_per_core_hour();
        write!(
            f,
            "games {games} positions {positions}; new: games {new_games} positions \
             {new_positions}; {rate:.0} positions a core and hour"
        )
    }
}

/// Shows how far a run has come: a bar if stderr is a terminal, now and then a line in the log
/// otherwise.
struct Display {
    bar: ProgressBar,
    goal: Goal,
    logged: Instant,
    started: bool,
}

/// Time between two lines in the log.
const LOG_EVERY: Duration = Duration::from_secs(60);

impl Display {
    fn new(goal: Goal) -> Display {
        let bar = progress::bar(goal.positions.or(goal.games), 0);
        Display { bar, goal, logged: Instant::now(), started: false }
    }

    fn show(&mut self, progress: &Progress) {
        let Progress { games, positions, new_games, new_positions, .. } = *progress;
        if self.bar.is_hidden() {
            if self.logged.elapsed() >= LOG_EVERY {
                self.logged = Instant::now();
                log::info!("{}", Summary(progress));
            }
            return;
        }
        self.bar.set_message(format!(
            "{} games, {} positions, {} a core and hour",
            HumanCount(games),
            HumanCount(positions),
            HumanCount(progress.positions_per_core_hour() as u64),
        ));
        let (done, new) = match self.goal.positions {
            Some(_) => (positions, new_positions),
            None => (games, new_games),
        };
        if !self.started {
            self.started = true;
            progress::start_at(&self.bar, done - new);
        }
        self.bar.set_position(done);
    }
}
