//! The command that converts games and positions, as a process.

use crate::support::program;
use std::cmp::Ordering;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

/// Runs a command line; blanks separate the arguments.
fn run(line: &str, files: &[&Path], input: &str) -> Output {
    let files = files.iter().map(|path| path.to_str().unwrap());
    let arguments: Vec<&str> = line.split_whitespace().chain(files).collect();
    program::run(&arguments, input)
}

/// What `convert` makes of `input`; it must succeed.
fn converted(to: &str, input: &str) -> String {
    let output = run(&format!("convert - --to {to}"), &[], input);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && errors.is_empty(), "{to}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// What `convert` says is wrong; it must have written nothing.
fn error(line: &str, files: &[&Path], input: &str) -> String {
    let output = run(line, files, input);
    assert!(!output.status.success() && output.stdout.is_empty(), "{line}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors.trim_end().to_string()
}

/// An empty folder for one test.
fn folder(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("outflank-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

const GAMES: &str = "f5d6c3d3c4f4f6f3\nf5f6e6f4\n";

#[test]
fn games_come_out_as_they_went_in_through_every_form() {
    for form in ["ggf", "ugi", "transcript"] {
        assert_eq!(converted("transcript", &converted(form, GAMES)), GAMES, "{form}");
    }
    assert_eq!(converted("xot", "F5 d6 c3 d3 c4 f4 f6 f3 e6 e7"), "f5d6c3d3c4f4f6f3\n");
}

#[test]
fn positions_come_out_as_they_went_in_through_every_form() {
    let boards = converted("board", GAMES);
    assert_eq!(boards.lines().count(), 2);
    for form in ["obf", "slash", "hex", "hex7", "hex56", "hex63", "ggf", "ugi"] {
        let there = converted(form, &boards);
        assert_eq!(converted("board", &there), boards, "{there}");
    }
    let start = "hex a1=0 0x0000000810000000 0x0000001008000000 b\n";
    assert_eq!(converted("hex", "startpos"), start);
    assert_eq!(converted("slash", "startpos"), "8/8/8/3WB3/3BW3/8/8/8 b\n");
}

#[test]
fn archives_are_written_and_read() {
    let folder = folder("archives");
    let (text, archive) = (folder.join("games.txt"), folder.join("games.wtb"));
    fs::write(&text, GAMES).unwrap();
    let line = format!("convert --to wtb --output {}", archive.display());
    assert!(run(&line, &[&text], "").status.success());
    assert_eq!(fs::metadata(&archive).unwrap().len(), 16 + 2 * 68);
    let output = run("convert --to transcript", &[&archive, &text], "");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), GAMES.repeat(2));

    fs::write(&archive, [0; 20]).unwrap();
    let found = error("convert --to ggf", &[&archive], "");
    let name = archive.display();
    assert_eq!(found, format!("outflank: {name}: expected 0 games of 68 bytes, found 4 bytes"));
    let mut bytes = vec![0; 16 + 68];
    bytes[4] = 1;
    bytes[24] = 11;
    fs::write(&archive, bytes).unwrap();
    let found = error("convert --to ggf", &[&archive], "");
    let reason = "game 1: move 1: illegal move: a1 flips nothing for black";
    assert_eq!(found, format!("outflank: {name}: {reason}"));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn the_trainer_makes_the_same_of_an_archive_and_of_its_text() {
    let folder = folder("archive-text");
    let (text, archive) = (folder.join("games.txt"), folder.join("games.WTB"));
    // The discs of boards that are not full count as results of games that were given up.
    let moves = ["f5d6c3d3c4f4f6f3", "f5f6e6f4"];
    let discs: Vec<usize> = moves
        .iter()
        .map(|moves| {
            let board = converted("board", moves);
            let count = |letter| board[..64].chars().filter(|c| *c == letter).count();
            let (black, white) = (count('X'), count('O'));
            match black.cmp(&white) {
                Ordering::Greater => 64 - white,
                Ordering::Equal => 32,
                Ordering::Less => black,
            }
        })
        .collect();
    let lines: Vec<String> = moves
        .iter()
        .zip(&discs)
        .map(|(moves, discs)| format!("{moves} {discs} {discs}\n"))
        .collect();
    fs::write(&text, lines.concat()).unwrap();
    let games = moves.join("\n");
    let line = format!("convert - --to wtb -o {}", archive.display());
    assert!(run(&line, &[], &games).status.success());
    let weights = |games: &Path| {
        let output = folder.join("weights.bin");
        let told = run("train --hold-out 0 --passes 2 --output", &[&output, games], "");
        let told = String::from_utf8(told.stdout).unwrap();
        assert!(told.contains("2 read, 0 left out"), "{told}");
        fs::read(output).unwrap()
    };
    assert!(weights(&text) == weights(&archive));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn errors_name_file_line_and_column_and_nothing_is_written() {
    let folder = folder("convert-errors");
    let (games, output) = (folder.join("games.txt"), folder.join("out.txt"));
    let name = games.display();
    for (text, to, reason) in [
        (
            "f5d6\nf5x6\n",
            "ggf",
            "line 2: expected a move (a1 to h8, or pass), found 'x6' at column 3",
        ),
        (
            "0x0000000810000000 0x0000001008000000 b",
            "board",
            "line 1: ambiguous bit order of bitboards: begin with 'hex a1=0' or 'hex a1=63' at column 1",
        ),
        (
            "f5\n8/8/8/8/8/8/8/8 X",
            "transcript",
            "line 2: a transcript needs a game from the standard start",
        ),
        ("\n\nf5d6", "xot", "line 3: an XOT opening has 8 plies, this game 2"),
    ] {
        fs::write(&games, text).unwrap();
        let line = format!("convert --to {to} -o {}", output.display());
        assert_eq!(error(&line, &[&games], ""), format!("outflank: {name}: {reason}"));
        assert!(!output.exists());
    }
    for text in ["", "# nothing\n\n"] {
        let found = error("convert - --to ggf", &[], text);
        assert_eq!(found, "outflank: no games or positions in -");
    }
    let missing = error("convert --to ggf", &[&output], "");
    assert!(missing.starts_with("outflank: cannot read "), "{missing}");
    let found = run("convert - --to wtb", &[], GAMES);
    assert!(String::from_utf8_lossy(&found.stderr).contains("--output"));
    assert_eq!(found.status.code(), Some(2));
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn an_output_that_is_an_input_is_refused_and_kept() {
    let folder = folder("convert-onto");
    let (games, other) = (folder.join("games.txt"), folder.join("other.txt"));
    fs::write(&games, GAMES).unwrap();
    fs::write(&other, GAMES).unwrap();
    let name = games.display();
    for to in ["ggf", "wtb"] {
        let line = format!("convert --to {to} -o {name}");
        let found = error(&line, &[&other, &games], "");
        assert_eq!(found, format!("outflank: cannot write {name}: it is the input {name}"));
        assert_eq!(fs::read_to_string(&games).unwrap(), GAMES);
    }
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn games_in_sgf_are_read_too() {
    let folder = folder("convert-sgf");
    let file = folder.join("two.sgf");
    // The comment is in Latin-1.
    fs::write(&file, b"(;GM[2]C[\xe9]\n;B[ef](;W[fd])(;W[ff]))\n(;GM[2];B[f5]\n;W[f6])\n").unwrap();
    let output = run("convert --to transcript", &[&file], "");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "e6f4\nf5f6\n");
    fs::write(&file, "(;GM[2]\n;B[f5];W[a1])\n").unwrap();
    let found = error("convert --to transcript", &[&file], "");
    let reason = "line 2: illegal move: a1 flips nothing for white at column 10";
    assert_eq!(found, format!("outflank: {}: {reason}", file.display()));
    // A game on a line among others is not SGF as a file.
    let found = error("convert - --to transcript", &[], "f5d6\n(;GM[2];B[f5])\nf5f6\n");
    assert!(found.contains("line 3: expected the end of the line, found 'f5f6'"), "{found}");
    let analysed = program::run(&["analyze", "(;GM[2];B[f5])", "--depth", "1", "--csv"], "");
    assert_eq!(String::from_utf8(analysed.stdout).unwrap().lines().count(), 3);
    fs::remove_dir_all(folder).unwrap();
}
