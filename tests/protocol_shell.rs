//! The program's arguments.

use std::process::Command;

fn run(arguments: &[&str]) -> (String, String, Option<i32>) {
    let output = Command::new(env!("CARGO_BIN_EXE_outflank")).args(arguments).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code())
}

#[test]
fn the_version_is_one_line() {
    let (stdout, stderr, status) = run(&["--version"]);
    assert_eq!(stdout, concat!("outflank ", env!("CARGO_PKG_VERSION"), "\n"));
    assert_eq!((stderr.as_str(), status), ("", Some(0)));
}

#[test]
fn the_help_names_the_commands_and_gives_examples() {
    let (stdout, _, status) = run(&["--help"]);
    assert!(stdout.contains("perft") && stdout.contains("Examples:"), "{stdout}");
    assert_eq!(status, Some(0));
}

#[test]
fn perft_prints_every_depth() {
    let board = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    let (stdout, stderr, status) =
        run(&["perft", "5", "--convention", "pass-free", "--position", board]);
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), 5);
    for (depth, (line, count)) in (1..).zip(lines.iter().zip([4, 5, 11, 21, 32])) {
        let start = format!("perft depth {depth} convention pass-free count {count} time ");
        assert!(line.starts_with(&start), "{line}");
    }
    assert_eq!((stderr.as_str(), status), ("", Some(0)));
}

#[test]
fn bad_arguments_are_refused_with_the_reason() {
    for (arguments, reason) in [
        (vec!["foo"], "unrecognized subcommand 'foo'"),
        (vec!["perft"], "<DEPTH>"),
        (vec!["perft", "0"], "expected 1 to 60"),
        (vec!["perft", "3", "--convention", "x"], "pass-ply, pass-free, full-depth"),
        (vec!["perft", "3", "--position", "8/8"], "expected 64 squares, found 16 at column 4"),
    ] {
        let (stdout, stderr, status) = run(&arguments);
        assert_eq!((stdout.as_str(), status), ("", Some(2)), "{arguments:?}");
        assert!(stderr.contains(reason), "{arguments:?}: {stderr}");
    }
}
