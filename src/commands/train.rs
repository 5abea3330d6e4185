//! `train`: fits the weights of the evaluation to games and writes them to a file.

use super::eval_suite::suite_line;
use super::files::{read, refuse_input, save, text};
use super::values::within;
use crate::eval::{Weights, format};
use crate::notation::wthor::{Archive, is_archive};
use crate::protocol::Output;
use crate::training::fit::{self, Options};
use crate::training::game_file::{Contents, is_game_file};
use crate::training::measure::Accuracy;
use crate::training::samples::{Collection, Kind, Labels, Sample};
use clap::Args;
use std::io;
use std::path::PathBuf;

/// Fits the weights of the evaluation to games.
#[derive(Args, Clone, Debug)]
#[command(after_help = EXAMPLES)]
pub struct TrainArgs {
    /// Files of games, one a line, made by selfplay or WTHOR archives (.wtb), or - for standard
    /// input
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// Where to write the weights
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Test suites in OBF to measure the weights on
    #[arg(long, value_name = "FILE")]
    suite: Vec<PathBuf>,
    /// How often each position is taken
    #[arg(long, default_value_t = 8, value_parser = within::<u32>(1..=1_000))]
    passes: u32,
    /// Size of the first steps
    #[arg(long, default_value_t = 0.15, value_parser = positive)]
    rate: f64,
    /// Size of the last steps
    #[arg(long, default_value_t = 0.005, value_parser = positive)]
    last_rate: f64,
    /// Seed of the order of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Share of the theoretical result in the labels of WTHOR positions with 24 or more empties
    #[arg(long, default_value_t = 1.0, value_parser = share)]
    theory: f64,
    /// Share of the search score in the labels of self-play positions without an exact score
    #[arg(long, default_value_t = 0.85, value_parser = share)]
    search: f64,
    /// Weight of a WTHOR position
    #[arg(long, default_value_t = 1.0, value_parser = not_negative)]
    wthor: f64,
    /// Weight of a logbook position
    #[arg(long, default_value_t = 1.0, value_parser = not_negative)]
    logbook: f64,
    /// Weight of a self-play position
    #[arg(long, default_value_t = 4.0, value_parser = not_negative)]
    selfplay: f64,
    /// Weight that a position approaches, however often it occurs
    #[arg(long, default_value_t = 4.0, value_parser = positive)]
    saturation: f64,
    /// Hold out one game in so many to measure the weights on; 0 holds none out
    #[arg(long, default_value_t = 20)]
    hold_out: u64,
}

const EXAMPLES: &str = "\
Examples:
  outflank train results.txt --output weights.bin
  outflank train games.bin games.wtb --output weights.bin --passes 2 --suite suite.obf";

/// Reads the games, fits, writes the weights and prints how accurate they are.
///
/// # Errors
/// One line saying what went wrong; the output file is then as it was before.
pub fn run(args: &TrainArgs, output: &mut Output) -> io::Result<()> {
    refuse_input(&args.output, args.games.iter().chain(&args.suite)).map_err(io::Error::other)?;
    let samples = collect(args).map_err(io::Error::other)?;
    output.line(format_args!(
        "games: {} read, {} left out; distinct training positions: {}",
        samples.games,
        samples.refused,
        samples.training.len(),
    ))?;
    if samples.training.is_empty() {
        return Err(io::Error::other("no positions to train on"));
    }
    let options = Options {
        passes: args.passes as usize,
        first_rate: args.rate,
        last_rate: args.last_rate,
        seed: args.seed,
    };
    let parameters = fit::fit(&samples.training, &options, |share, error| {
        log::info!("{:.1} %: root mean square {error:.3} discs", 100.0 * share);
    });
    format::encode(&parameters)
        .and_then(|bytes| save(&args.output, &bytes))
        .map_err(io::Error::other)?;
    let weights = Weights::new(parameters);
    for kind in Kind::ALL {
        print_table(kind.name(), &weights, &samples.held_out[kind as usize], output)?;
    }
    for path in &args.suite {
        output.line(suite_line(&weights, path).map_err(io::Error::other)?)?;
    }
    Ok(())
}

fn collect(args: &TrainArgs) -> Result<Collection, String> {
    let labels = Labels {
        theory: args.theory as f32,
        search: args.search as f32,
        weights: [args.wthor, args.logbook, args.selfplay].map(|weight| weight as f32),
        hold_out: args.hold_out,
        saturation: args.saturation as f32,
    };
    let mut samples = Collection::default();
    for path in &args.games {
        let archive = path.extension().is_some_and(|name| name.eq_ignore_ascii_case("wtb"));
        add(&mut samples, &read(path)?, archive, &labels)
            .map_err(|error| format!("{}: {error}", path.display()))?;
    }
    samples.merge(&labels);
    Ok(samples)
}

/// Adds the games of a file; `archive` says that its name is one of a WTHOR archive.
fn add(
    samples: &mut Collection,
    bytes: &[u8],
    archive: bool,
    labels: &Labels,
) -> Result<(), String> {
    if archive || is_archive(bytes) {
        samples.add_archive(&Archive::read(bytes)?, labels);
        return Ok(());
    }
    if is_game_file(bytes) {
        samples.add_self_play(&Contents::read(bytes)?.games, labels);
        return Ok(());
    }
    samples.add_games(text(bytes)?, labels)
}

/// A line for each group of six plies, counted by the discs that games have placed.
fn print_table(
    name: &str,
    weights: &Weights,
    samples: &[Sample],
    output: &mut Output,
) -> io::Result<()> {
    const GROUP: u32 = 6;
    if samples.is_empty() {
        return Ok(());
    }
    output
        .line(format_args!("held out, {name}: plies, positions, mean error, mean squared error"))?;
    let groups = (0..60).step_by(GROUP as usize).map(|first| (first, first + GROUP));
    for (first, end) in groups.chain([(0, 61)]) {
        let plies = |sample: &&Sample| 60 - sample.board.empties().len().min(60);
        let group = samples.iter().filter(|s| (first..end).contains(&plies(s)));
        let accuracy = Accuracy::on_samples(weights, group);
        let label = if end > 60 { "all".to_string() } else { format!("{first}-{}", end - 1) };
        if accuracy.count() > 0 {
            output.line(format_args!(
                "{label:>7} {:>9} {:>8.3} {:>9.3}",
                accuracy.count(),
                accuracy.mean_error(),
                accuracy.root_mean_square().powi(2),
            ))?;
        }
    }
    Ok(())
}

fn not_negative(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| "not a number".to_string())?;
    if (0.0..=1e9).contains(&number) { Ok(number) } else { Err("not in 0 to 1e9".to_string()) }
}

fn positive(text: &str) -> Result<f64, String> {
    not_negative(text).and_then(|n| if n > 0.0 { Ok(n) } else { Err("not above 0".to_string()) })
}

fn share(text: &str) -> Result<f64, String> {
    not_negative(text).and_then(|n| if n <= 1.0 { Ok(n) } else { Err("above 1".to_string()) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::WIDTH;
    use clap::Parser;
    use std::path::Path;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        args: TrainArgs,
    }

    fn train(games: &Path, output: &Path) -> io::Result<()> {
        let line = ["train", "--passes", "3", "--output"].map(str::to_string);
        let paths = [output, games].map(|path| path.display().to_string());
        let args = Line::try_parse_from(line.into_iter().chain(paths)).unwrap().args;
        run(&args, &mut Output::to(io::sink()))
    }

    #[test]
    fn games_go_in_and_readable_weights_come_out() {
        let folder = std::env::temp_dir().join(format!("outflank-train-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let (games, output) = (folder.join("games.txt"), folder.join("weights.bin"));
        std::fs::write(&games, "# two games\nf5f6e6f4 12\nf5d6c5f4 20\n").unwrap();
        train(&games, &output).unwrap();
        let weights = Weights::from_file(&output).unwrap();
        assert!(weights.parameters().rows.iter().any(|row| row.0 != [0; WIDTH]));

        std::fs::write(&games, "f5f6e6f4 12\nnonsense\n").unwrap();
        let error = train(&games, &output).unwrap_err().to_string();
        assert!(error.contains("games.txt: line 2"), "{error}");
        assert!(Weights::from_file(&output).unwrap().parameters() == weights.parameters());
        let error = train(&games, &games).unwrap_err().to_string();
        assert!(error.ends_with(&format!("it is the input {}", games.display())), "{error}");
        assert_eq!(std::fs::read(&games).unwrap(), b"f5f6e6f4 12\nnonsense\n");
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn options_out_of_range_are_refused() {
        for option in [
            "--rate=-1",
            "--rate=x",
            "--theory=1.5",
            "--passes=0",
            "--search=nan",
            "--saturation=0",
        ] {
            assert!(Line::try_parse_from(["train", "-o", "w", "g", option]).is_err(), "{option}");
        }
    }
}
