//! The commands that make and use training games, as processes.

use crate::support::driver::Engine;
use crate::support::files::Folder;
use outflank::training::game_file::Contents;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// A command line; blanks separate the arguments.
fn outflank(line: &str, files: &[&Path]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
    command.args(line.split_whitespace()).args(files).env_remove("RUST_LOG");
    command
}

fn run(line: &str, files: &[&Path]) -> Output {
    outflank(line, files).output().unwrap()
}

/// Runs a command that must succeed and returns what it prints.
fn printed(line: &str, files: &[&Path]) -> String {
    let output = run(line, files);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && errors.is_empty(), "{line}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("outflank-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

const QUICK: &str = "--depth 2 --exact-empties 8 --hash 1 --output";

#[test]
fn a_killed_generator_goes_on_as_if_nothing_had_happened() {
    let folder = folder("killed");
    let (killed, whole) = (folder.join("killed.games"), folder.join("whole.games"));
    let mut process = outflank(&format!("selfplay --threads 2 {QUICK}"), &[&killed])
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let start = Instant::now();
    while fs::metadata(&killed).map_or(0, |data| data.len()) < 1_000 {
        assert!(start.elapsed() < Duration::from_secs(60), "no games");
        sleep(Duration::from_millis(20));
    }
    process.kill().unwrap();
    process.wait().unwrap();
    let before = printed("games", &[&killed]);
    let count = before.lines().count() + 20;

    printed(&format!("selfplay --threads 2 --games {count} {QUICK}"), &[&killed]);
    printed(&format!("selfplay --threads 1 --games {count} {QUICK}"), &[&whole]);
    let after = printed("games", &[&killed]);
    assert!(after.starts_with(&before));
    let sorted = |text: &str| {
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        lines.sort();
        lines
    };
    assert_eq!(sorted(&after), sorted(&printed("games", &[&whole])));
    assert_eq!(after.lines().count(), count + 1);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_trainer_makes_the_same_of_a_file_and_of_its_text() {
    let folder = folder("text");
    let (games, text) = (folder.join("stored.games"), folder.join("games.txt"));
    let told = printed(&format!("selfplay --games 20 {QUICK}"), &[&games]);
    assert!(told.starts_with("games 20 positions "), "{told}");
    fs::write(&text, printed("games", &[&games])).unwrap();
    let weights = |games: &Path| {
        let output = folder.join("weights.bin");
        let told = printed("train --hold-out 0 --passes 2 --output", &[&output, games]);
        assert!(told.contains("20 read, 0 left out"), "{told}");
        fs::read(output).unwrap()
    };
    assert!(weights(&games) == weights(&text));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_file_that_does_not_fit_is_refused_in_one_line() {
    let folder = folder("refused");
    let (games, foreign) = (folder.join("stored.games"), folder.join("foreign"));
    printed(&format!("selfplay --games 1 {QUICK}"), &[&games]);
    fs::write(&foreign, [0xff; 100]).unwrap();
    let weights = folder.join("weights.bin");
    for (line, files, message) in [
        ("selfplay --games 2 --output".to_string(), vec![&games], "made with --depth 2"),
        (format!("selfplay {QUICK}"), vec![&foreign], "expected a file of self-play games"),
        ("games".to_string(), vec![&foreign], "expected a file of self-play games"),
        (
            "train --output".to_string(),
            vec![&weights, &foreign],
            "line 1: expected text in UTF-8, found the byte 0x",
        ),
    ] {
        let files: Vec<&Path> = files.into_iter().map(PathBuf::as_path).collect();
        let output = run(&line, &files);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && errors.contains(message), "{line}: {errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        let last = files.last().unwrap().display().to_string();
        assert!(errors.contains(&last), "{errors}");
    }
    assert!(!weights.exists());
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn a_reader_that_leaves_early_is_no_error() {
    let folder = folder("reader");
    let games = folder.join("stored.games");
    printed(&format!("selfplay --games 5 {QUICK}"), &[&games]);
    let mut process =
        outflank("games", &[&games]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(process.stdout.take());
    let output = process.wait_with_output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty());
    fs::remove_dir_all(folder).unwrap();
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_selfplay_with_what_the_file_holds() {
    let folder = Folder::new("selfplay-interrupt");
    let path = folder.path("games.bin");
    let options = ["--depth", "1", "--exact-empties", "6", "--threads", "1"];
    let mut engine = Engine::start_with(&[&["selfplay", "-o", &path][..], &options].concat());
    while fs::metadata(&path).map_or(0, |file| file.len()) < 200 {
        sleep(Duration::from_millis(20));
    }
    engine.interrupt();
    assert_eq!(engine.exit_status().code(), Some(130));
    let lines = engine.end_input();
    let games = Contents::read(&fs::read(&path).unwrap()).unwrap().games.len();
    assert_eq!((lines.len(), engine.errors().as_str()), (1, ""));
    assert!(lines[0].starts_with(&format!("games {games} positions ")), "{games}: {lines:?}");
}
