//! `outflank solve` as a script sees it.

use crate::support::driver::Engine;
use crate::support::files::Folder;
use crate::support::program;
use serde_json::Value;

/// FFO #1 with 14 empties, then a position of 10 twice: without a score and with one of an unknown move.
const SUITE: &str = "\
% a comment, then a blank line

--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; % the first
---XXXOO--OOOOOO-XOOOOOOXXOOOOOOXXOXOOOO--XOOOOO-XOOOOOO-OOOOOOO X
---XXXOO--OOOOOO-XOOOOOOXXOOOOOOXXOXOOOO--XOOOOO-XOOOOOO-OOOOOOO X; ??:-64;
";

/// FFO #55: minutes of work.
const LONG: &str = "--------X-X------XXXXOOOOOXOXX--OOOXXXX-OOXXXX--O-OOOX-----OO--- O";

struct Outcome {
    lines: Vec<String>,
    errors: String,
    status: Option<i32>,
}

impl Outcome {
    fn json(&self) -> Vec<Value> {
        self.lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

fn run(arguments: &[&str], input: &str) -> Outcome {
    let output = program::run(arguments, input);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    Outcome {
        lines: text(&output.stdout).lines().map(str::to_string).collect(),
        errors: text(&output.stderr),
        status: output.status.code(),
    }
}

/// Columns of a row up to the move.
fn columns(row: &str) -> Vec<&str> {
    row.split_whitespace().take(8).collect()
}

#[test]
fn solved_positions_are_checked_against_the_file() {
    let outcome = run(&["solve", "-", "--hash", "1"], SUITE);
    assert_eq!((outcome.errors.as_str(), outcome.status), ("", Some(0)));
    assert_eq!(outcome.lines.len(), 6, "{:?}", outcome.lines);
    let head = ["#", "empties", "depth", "score", "file", "check", "loss", "move"];
    assert_eq!(columns(&outcome.lines[0]), head);
    // Every move of the second position loses all discs.
    for (row, expected) in outcome.lines[1..].iter().zip([
        &["1", "14", "14", "+18.00", "+18.00", "ok", "-", "g8"][..],
        &["2", "10", "10", "-64.00", "-", "-", "-"],
        &["3", "10", "10", "-64.00", "-64.00", "ok", "-"],
    ]) {
        assert_eq!(columns(row)[..expected.len()], *expected, "{row}");
    }
    assert!(outcome.lines[4].starts_with("total: positions 3, nodes "), "{}", outcome.lines[4]);
    assert_eq!(outcome.lines[5], "solved: 3, 2 as in the file, 0 wrong");
}

#[test]
fn a_wrong_score_ends_with_status_1_after_all_rows() {
    let wrong = SUITE.replace("+18", "+16");
    let outcome = run(&["solve", "-", "--hash", "1"], &wrong);
    assert_eq!(outcome.status, Some(1));
    assert!(outcome.lines[1].contains(" WRONG "), "{}", outcome.lines[1]);
    assert_eq!(outcome.lines.len(), 6);
    assert_eq!(outcome.errors, "outflank: 1 solved position differs from the scores in its file\n");
    let outcome = run(&["solve", "-", "--hash", "1", "--json"], &wrong);
    assert_eq!((outcome.status, &outcome.json()[0]["correct"]), (Some(1), &Value::Bool(false)));
}

#[test]
fn a_limited_search_is_measured_and_never_wrong() {
    let board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let line = format!("{board}; G8:+64; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;\n");
    let outcome = run(&["solve", "-", "--hash", "1", "--depth", "2", "--threads", "1"], &line);
    assert_eq!((outcome.errors.as_str(), outcome.status), ("", Some(0)));
    assert_eq!(columns(&outcome.lines[1])[..3], ["1", "14", "2@73%"]);
    let totals = &outcome.lines[2..];
    assert!(totals[0].starts_with("total: positions 1, "), "{totals:?}");
    assert!(totals[1].starts_with("scores: 1 with one in the file, mean error "), "{totals:?}");
    assert!(totals[2].starts_with("moves: 1 positions with a score for every move"), "{totals:?}");
    assert_eq!(totals.len(), 3);
    // A selective search to the end is not a solution either.
    let arguments = ["solve", "-", "--selectivity", "73", "--json", "--hash", "1"];
    let outcome = run(&arguments, &line);
    let row = &outcome.json()[0];
    assert_eq!((&row["solved"], &row["correct"]), (&Value::Bool(false), &Value::Null));
    assert_eq!((row["depth"].as_u64(), outcome.status), (Some(14), Some(0)));
}

#[test]
fn json_rows_and_totals_have_the_keys_of_the_document() {
    let outcome = run(&["solve", "-", "--json", "--hash", "1"], SUITE);
    let objects = outcome.json();
    let keys =
        |value: &Value| -> Vec<String> { value.as_object().unwrap().keys().cloned().collect() };
    let document = include_str!("../protocol.md");
    for (object, start) in
        [(&objects[0], "| Key of a row |"), (&objects[3]["totals"], "| Key of the totals |")]
    {
        let (_, table) = document.split_once(start).unwrap();
        let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
        let mut described: Vec<String> =
            rows.map(|row| row.split('`').nth(1).unwrap().to_string()).collect();
        described.sort();
        let mut present = keys(object);
        present.sort();
        assert_eq!(present, described);
    }
    let row = &objects[0];
    assert_eq!((row["line"].as_u64(), row["number"].as_u64()), (Some(3), Some(1)));
    assert_eq!(
        (row["score_cd"].as_i64(), row["file_score_cd"].as_i64()),
        (Some(1_800), Some(1_800))
    );
    assert_eq!((row["move"].as_str(), row["pv"][0].as_str()), (Some("g8"), Some("g8")));
    assert_eq!((row["file"].as_str(), row["correct"].as_bool()), (Some("-"), Some(true)));
    assert!(objects[1]["file_score_cd"].is_null() && objects[1]["correct"].is_null());
    let totals = &objects[3]["totals"];
    assert_eq!((totals["positions"].as_u64(), totals["correct"].as_u64()), (Some(3), Some(2)));
}

#[test]
fn node_counts_of_one_thread_depend_neither_on_the_run_nor_on_the_order() {
    let nodes = |suite: &str| {
        let arguments = ["solve", "-", "--json", "--threads", "1", "--hash", "1"];
        let rows = run(&arguments, suite).json();
        let row = |row: &Value| (row["position"].to_string(), row["nodes"].as_u64().unwrap());
        let mut nodes: Vec<_> = rows[..rows.len() - 1].iter().map(row).collect();
        nodes.sort();
        nodes
    };
    let lines: Vec<&str> = SUITE.lines().rev().collect();
    let forward = nodes(SUITE);
    assert!(forward.iter().all(|(_, nodes)| *nodes > 0));
    assert_eq!(nodes(SUITE), forward);
    assert_eq!(nodes(&lines.join("\n")), forward);
}

#[test]
fn a_part_of_each_file_can_be_chosen() {
    let folder = Folder::new("solve");
    let (first, second) = (folder.file("a.obf", SUITE), folder.file("b.obf", SUITE));
    let numbers = |choice: &[&str]| -> Vec<u64> {
        let arguments = ["solve", &first, &second, "--json", "--hash", "1", "--depth", "1"];
        let objects = run(&[arguments.as_slice(), choice].concat(), "").json();
        objects.iter().filter_map(|object| object["number"].as_u64()).collect()
    };
    assert_eq!(numbers(&[]), [1, 2, 3, 1, 2, 3]);
    assert_eq!(numbers(&["--first", "1"]), [1, 1]);
    assert_eq!(numbers(&["--range", "2-"]), [2, 3, 2, 3]);
    assert_eq!(numbers(&["--range", "2"]), [2, 2]);
    let outcome = run(&["solve", &first, &second, "--first", "1", "--hash", "1"], "");
    assert_eq!(outcome.lines[1], format!("# {first}"));
    assert_eq!(outcome.lines[3], format!("# {second}"));
}

#[test]
fn what_cannot_be_used_is_one_line_with_its_place_and_nothing_is_searched() {
    let folder = Folder::new("solve-errors");
    let good = folder.file("good.obf", SUITE);
    let bad = folder.file("bad.obf", SUITE.replace("??:-64", "??:x"));
    let empty = folder.file("empty.obf", "% nothing\n");
    let missing = folder.path("missing.obf");
    for (arguments, error) in [
        (
            vec!["solve", &good, &bad],
            format!("{bad}: line 5: expected a score (-64 to 64), found 'x;' at column 72"),
        ),
        (vec!["solve", &good, &missing], format!("cannot read {missing}: ")),
        (vec!["solve", &empty], format!("no positions to search in {empty}")),
        (vec!["eval-suite", &empty], format!("no positions in {empty}")),
        (vec!["solve", &good, "--range", "4-"], format!("no positions to search in {good}")),
        (vec!["solve", &good, "--weights", &bad], format!("{bad}: not a file of weights")),
        (
            vec!["solve", "-"],
            "standard input: line 1: expected 64 squares, found 1 at column 2".into(),
        ),
        (vec!["bench", "--weights", &missing], format!("cannot read {missing}: ")),
    ] {
        let outcome = run(&arguments, "X\n");
        assert!(outcome.errors.starts_with(&format!("outflank: {error}")), "{}", outcome.errors);
        assert_eq!(outcome.errors.lines().count(), 1, "{}", outcome.errors);
        assert_eq!((outcome.lines.len(), outcome.status), (0, Some(1)), "{arguments:?}");
    }
    for (option, value) in [
        ("--time", "0"),
        ("--depth", "61"),
        ("--selectivity", "90"),
        ("--level", "0"),
        ("--first", "0"),
        ("--range", "5-3"),
        ("--threads", "0"),
        ("--hash", "0"),
    ] {
        let outcome = run(&["solve", &good, option, value], "");
        assert_eq!((outcome.lines.len(), outcome.status), (0, Some(2)), "{option} {value}");
        assert!(
            outcome.errors.contains(&format!("'{value}' for '{option} ")),
            "{}",
            outcome.errors
        );
    }
}

#[test]
fn time_ends_each_search_and_not_the_command() {
    let suite = format!("{LONG}\n{LONG}; ??:+0;\n{SUITE}");
    let outcome = run(&["solve", "-", "--time", "0.05", "--json", "--hash", "1"], &suite);
    let objects = outcome.json();
    assert_eq!((objects.len(), outcome.status), (6, Some(0)));
    assert_eq!(objects[0]["solved"], Value::Bool(false));
    assert!(objects[1]["correct"].is_null() && objects[1]["depth"].as_u64() > Some(1));
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_rows_and_adds_the_totals() {
    let mut engine = Engine::start_with(&["solve", "-", "--hash", "1"]);
    engine.send_raw(format!("{SUITE}{LONG}\n{LONG}\n").as_bytes());
    engine.close_input();
    for _ in 0..4 {
        engine.line();
    }
    engine.interrupt();
    let rest = engine.end_input();
    assert!(rest[0].starts_with("total: positions 3, "), "{rest:?}");
    assert_eq!(rest.len(), 2, "{rest:?}");
    assert_eq!(engine.exit_status().code(), Some(130));
    assert_eq!(engine.errors(), "");
}

#[test]
fn games_and_positions_in_other_forms_are_told_from_faulty_obf() {
    let folder = Folder::new("solve-forms");
    let games = folder.file("games.txt", "f5d6c3d3c4f4f6f3\n");
    let archive = folder.path("games.wtb");
    assert_eq!(run(&["convert", &games, "--to", "wtb", "-o", &archive], "").status, Some(0));
    for command in ["solve", "eval-suite"] {
        for file in [&games, &archive] {
            let outcome = run(&[command, file], "");
            let hint = "expected positions in OBF; to make them: outflank convert";
            assert_eq!(outcome.errors, format!("outflank: {file}: {hint} {file} --to obf\n"));
            assert_eq!((outcome.lines.len(), outcome.status), (0, Some(1)));
        }
    }
    // What is nothing at all stays a line of text.
    let zeros = folder.file("zeros", [0; 100]);
    let outcome = run(&["solve", &zeros], "");
    assert_eq!(outcome.errors.lines().count(), 1, "{}", outcome.errors);
    assert!(!outcome.errors.contains('\0'), "{}", outcome.errors);
}
