//! `outflank analyze` as a script sees it.

use crate::support::driver::Engine;
use crate::support::files::Folder;
use crate::support::program;
use crate::support::schema;
use serde_json::Value;
use std::fs;
use std::process::{Command, Output};
use std::thread;
use std::time::Duration;

/// A whole game with passes, one that stops early, and a position of 10 empties.
const GAMES: &str = "\
# three inputs
f5f6e6f4g5e7f7h5g4g6e3d3f3h4g3d2h3h2e2c5c6e8h7d6f8g8d8c8d7g2f2f1c2c3b5c4b4c1d1b3c7e1h1h6g1h8b1a5b6a6b7a7a8b8a4b2a1a2a3g7

f5d6c3d3c4f4
---XXXOO--OOOOOO-XOOOOOOXXOOOOOOXXOXOOOO--XOOOOO-XOOOOOO-OOOOOOO X
";

/// The number of positions in it: the game has a pass in ply 60.
const POSITIONS: usize = 61 + 7 + 1;

/// FFO #55: minutes of work.
const LONG: &str = "--------X-X------XXXXOOOOOXOXX--OOOXXXX-OOXXXX--O-OOOX-----OO--- O";

/// How often a run is killed.
const KILLS: u64 = 10;

const FORMATS: [&[&str]; 3] = [&[], &["--json"], &["--csv"]];

fn run(arguments: &[&str], input: &str) -> Output {
    program::run(&with(&["analyze"], arguments), input)
}

/// What it writes; it must succeed and say nothing else.
fn output(arguments: &[&str], input: &str) -> String {
    let output = run(arguments, input);
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The one line it says before it ends with this status.
fn error(arguments: &[&str], input: &str, status: i32) -> String {
    let output = run(arguments, input);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), errors.lines().count()), (Some(status), 1), "{errors}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    errors.trim_end().to_string()
}

/// Joins lists of arguments.
fn with<'a>(first: &[&'a str], more: &[&'a str]) -> Vec<&'a str> {
    [first, more].concat()
}

#[test]
fn the_three_forms_say_the_same_of_a_game() {
    let arguments = ["-", "--level", "2", "--hash", "1"];
    let objects = objects(&output(&with(&arguments, &["--json"]), GAMES));
    let csv = output(&with(&arguments, &["--csv"]), GAMES);
    let table = output(&arguments, GAMES);
    assert_eq!(objects.len(), POSITIONS);
    let rows: Vec<&str> = table.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!((rows.len() - 1, csv.lines().count() - 1), (POSITIONS, POSITIONS));
    let names: Vec<&str> = csv.lines().next().unwrap().split(',').collect();
    for ((object, row), line) in objects.iter().zip(&rows[1..]).zip(csv.lines().skip(1)) {
        let values: Vec<&str> = line.split(',').collect();
        assert_eq!(values.len(), names.len(), "{line}");
        for (name, value) in names.iter().zip(values) {
            let expected = match &object[*name] {
                _ if *name == "rank" => "1".to_string(),
                _ if *name == "settings" => continue,
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Array(moves) => {
                    moves.iter().map(|mv| mv.as_str().unwrap()).collect::<Vec<_>>().join(" ")
                }
                other => other.to_string(),
            };
            assert_eq!(value, expected, "{name}: {line}");
        }
        let columns: Vec<&str> = row.split_whitespace().collect();
        let discs = |key: &str, sign: bool| match object[key].as_f64().map(|cd| cd / 100.0) {
            None => "-".to_string(),
            Some(discs) if sign => format!("{discs:+.2}"),
            Some(discs) => format!("{discs:.2}"),
        };
        let text = |key: &str| object[key].as_str().unwrap_or("-").to_string();
        let expected = [
            object["number"].to_string(),
            object["ply"].to_string(),
            text("side"),
            text("played"),
            discs("played_score_cd", true),
            text("best"),
            discs("score_cd", true),
            discs("loss_cd", false),
            if object["blunder"] == Value::Bool(true) { "??" } else { "-" }.to_string(),
            object["empties"].to_string(),
        ];
        assert_eq!(columns[..expected.len()], expected, "{row}");
        assert_eq!(columns[11], if object["solved"] == Value::Bool(true) { "yes" } else { "-" });
    }
}

#[test]
fn a_game_is_rated_move_by_move_and_as_a_whole() {
    let arguments = ["-", "--level", "4", "--json", "--hash", "1", "--blunder", "4"];
    let objects = objects(&output(&arguments, GAMES));
    let game = &objects[..61];
    let number = |row: &Value, key: &str| row[key].as_i64().unwrap();
    for (index, row) in game.iter().enumerate() {
        assert_eq!(number(row, "ply"), index as i64 + 1);
        let (score, played) = (number(row, "score_cd"), number(row, "played_score_cd"));
        assert_eq!(number(row, "loss_cd"), (score - played).max(0));
        assert_eq!(row["blunder"], Value::Bool(number(row, "loss_cd") >= 400));
        let sign = if row["side"] == "black" { 1 } else { -1 };
        assert_eq!(number(row, "black_cd"), sign * played);
        if row["best"] == row["played"] {
            assert_eq!(score, played);
        }
        assert_eq!(row["line"], Value::from(2));
    }
    let pass = &game[59];
    assert_eq!((pass["played"].as_str(), pass["side"].as_str()), (Some("pass"), Some("white")));
    assert!(pass["move_number"].is_null() && pass["loss_cd"] == 0);
    assert_eq!(game[60]["move_number"], Value::from(60));
    // The last part is exact: the values of both sides follow from the moves.
    let summary = &game[60]["summary"];
    let exact_from = number(summary, "exact_from") as usize;
    assert!((30..60).contains(&exact_from));
    assert_eq!(game[exact_from - 1]["empties"], summary["exact_empties"]);
    assert!(game[exact_from - 1..].iter().all(|row| row["solved"] == Value::Bool(true)));
    assert_eq!(game[exact_from - 2]["solved"], Value::Bool(false));
    for pair in game[exact_from - 1..].windows(2) {
        assert_eq!(number(&pair[0], "played_score_cd"), -number(&pair[1], "score_cd"));
    }
    assert_eq!(number(summary, "result") * 100, number(&game[60], "black_cd"));
    for side in ["black", "white"] {
        let own = || game.iter().filter(|row| row["side"] == side && row["played"] != "pass");
        let part = &summary[side];
        assert_eq!(number(part, "moves"), own().count() as i64);
        assert_eq!(number(part, "loss_cd"), own().map(|row| number(row, "loss_cd")).sum::<i64>());
        let blunders = own().filter(|row| row["blunder"] == Value::Bool(true)).count();
        assert_eq!(number(part, "blunders"), blunders as i64);
        assert!(blunders > 0);
    }
    assert!(game[..60].iter().all(|row| row.get("summary").is_none()));
    let last = &objects[67];
    assert!(last["played"].is_null() && last["summary"]["result"].is_null());
    assert!(objects[68].get("summary").is_none());
}

/// The schema in the document.
fn documented() -> Value {
    let (_, rest) = include_str!("../protocol.md").split_once("```json\n").unwrap();
    serde_json::from_str(rest.split_once("```").unwrap().0).unwrap()
}

#[test]
fn every_object_fits_the_schema_of_the_document() {
    let schema = documented();
    let over = "8/8/8/8/8/8/8/X7 O\n";
    for options in
        [&["--level", "2"][..], &["--depth", "2", "--multipv", "3"], &["--time", "0.001"]]
    {
        let arguments = with(&["-", "--json", "--hash", "1"], options);
        let objects = objects(&output(&arguments, &format!("{GAMES}{over}")));
        assert_eq!(objects.len(), POSITIONS + 1);
        for object in &objects {
            schema::check(&schema, object).unwrap();
        }
        let required: Vec<&Value> = schema["required"].as_array().unwrap().iter().collect();
        assert!(required.len() > 15);
        for key in required {
            let mut object = objects[0].clone();
            object.as_object_mut().unwrap().remove(key.as_str().unwrap());
            assert!(schema::check(&schema, &object).is_err(), "{key}");
        }
        for (key, value) in [("side", "red".into()), ("ply", 0.into()), ("other", Value::Null)] {
            let mut object = objects[0].clone();
            object[key] = value;
            assert!(schema::check(&schema, &object).is_err(), "{key}");
        }
    }
}

#[test]
fn the_number_of_threads_does_not_change_a_byte() {
    for format in FORMATS {
        let arguments = with(&["-", "--level", "4", "--hash", "1", "--multipv", "2"], format);
        let one = output(&with(&arguments, &["--threads", "1"]), GAMES);
        assert_eq!(output(&with(&arguments, &["--threads", "3"]), GAMES), one, "{format:?}");
        assert_eq!(output(&arguments, GAMES), one, "{format:?}");
    }
    let game = GAMES.lines().nth(1).unwrap();
    let arguments = [game, "--level", "5", "--hash", "1", "--threads"];
    assert_eq!(output(&with(&arguments, &["1"]), ""), output(&with(&arguments, &["4"]), ""));
}

#[test]
fn values_are_those_of_solve() {
    let board = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X";
    let suite = format!("{board}; G8:+18;\n{}", GAMES.lines().last().unwrap());
    for limit in [&["--exact"][..], &["--depth", "5"], &["--level", "3"]] {
        let own = with(&["-", "--json", "--hash", "1", "--threads", "1"], limit);
        let found = objects(&output(&own, &suite));
        let limit = if limit == ["--exact"] { &[] } else { limit };
        let command = ["solve", "-", "--json", "--hash", "1", "--threads", "1"];
        let solved = program::run(&with(&command, limit), &suite).stdout;
        let solved = objects(std::str::from_utf8(&solved).unwrap());
        assert_eq!((found.len(), solved.len()), (2, 3));
        for (own, row) in found.iter().zip(&solved) {
            for key in ["score_cd", "solved", "depth", "selectivity", "pv", "nodes", "position"] {
                assert_eq!(own[key], row[key], "{key}");
            }
            assert_eq!(own["best"], row["move"]);
        }
    }
}

#[test]
fn an_archive_is_analysed_as_its_text() {
    let folder = Folder::new("analyze-archive");
    let text = folder.file("games.txt", "f5d6c3d3c4f4f6f3\nf5f6e6f4\n");
    let archive = folder.path("games.wtb");
    let made = program::run(&["convert", &text, "--to", "wtb", "-o", &archive], "");
    assert!(made.status.success());
    let rows = |file: &str| {
        let mut rows = objects(&output(&[file, "--json", "--depth", "2", "--hash", "1"], ""));
        for row in &mut rows {
            let row = row.as_object_mut().unwrap();
            ["file", "line", "settings"].iter().for_each(|key| drop(row.remove(*key)));
        }
        rows
    };
    assert_eq!(rows(&archive), rows(&text));
    let both = output(&[&archive, &text, "f5", "--depth", "1", "--hash", "1"], "");
    let names: Vec<&str> = both.lines().filter(|line| line.ends_with(".wtb")).collect();
    assert_eq!(names, [format!("# {archive}")]);
}

#[test]
fn what_is_killed_and_resumed_is_as_if_it_had_never_been_killed() {
    let folder = Folder::new("analyze-kill");
    let games = folder.file("games.txt", GAMES.repeat(3));
    for format in FORMATS {
        let limits = ["--level", "5", "--hash", "1", "--multipv", "2"];
        let arguments = with(&with(&[games.as_str()], &limits), format);
        let whole = output(&arguments, "");
        let out = folder.path("out");
        let resume = with(&arguments, &["--resume", &out]);
        for kill in 1..=KILLS {
            let mut child = Command::new(env!("CARGO_BIN_EXE_outflank"))
                .arg("analyze")
                .args(&resume)
                .spawn()
                .unwrap();
            // As soon as the file has grown to a part of its length; then a little later.
            let part = whole.len() as u64 * kill / (KILLS + 1);
            while fs::metadata(&out).map_or(0, |file| file.len()) < part {
                assert!(child.try_wait().unwrap().is_none(), "ended before it was killed");
                thread::sleep(Duration::from_millis(1));
            }
            thread::sleep(Duration::from_millis(kill * 37 % 11));
            child.kill().unwrap();
            child.wait().unwrap();
            let there = fs::read_to_string(&out).unwrap();
            assert!(whole.starts_with(&there), "{there}");
            // Now and then half of a row, as a full disk may leave it.
            if kill % 3 == 0 {
                fs::write(&out, &there[..there.len() - 7]).unwrap();
            }
        }
        assert_eq!(output(&resume, ""), "");
        assert_eq!(fs::read_to_string(&out).unwrap(), whole, "{format:?}");
        assert_eq!(output(&resume, ""), "");
        assert_eq!(fs::read_to_string(&out).unwrap(), whole, "{format:?}");
        fs::remove_file(&out).unwrap();
    }
}

#[test]
fn a_file_of_another_run_is_refused_and_kept() {
    let folder = Folder::new("analyze-refused");
    for format in FORMATS {
        let out = folder.path("out");
        let first = with(&["f5d6", "--level", "2", "--hash", "1", "--resume", &out], format);
        assert_eq!(output(&first, ""), "");
        let bytes = fs::read(&out).unwrap();
        for (arguments, reason) in [
            (
                ["f5d6", "--level", "3", "--hash", "1", "--resume", &out],
                "made with other settings: level 2 there, 3 here",
            ),
            (["f5f6", "--level", "2", "--hash", "1", "--resume", &out], "made from another input"),
        ] {
            let found = error(&with(&arguments, format), "", 1);
            assert_eq!(found, format!("outflank: cannot go on with {out}: {reason}"));
            assert_eq!(fs::read(&out).unwrap(), bytes);
        }
        let foreign = folder.file("foreign", "a letter to a friend");
        let found = error(&with(&["f5d6", "--hash", "1", "--resume", &foreign], format), "", 1);
        let reason = "line 1 is not what an earlier run of this command wrote";
        assert_eq!(found, format!("outflank: cannot go on with {foreign}: {reason}"));
        assert_eq!(fs::read_to_string(&foreign).unwrap(), "a letter to a friend");
        // A fresh file takes the place of any other.
        let fresh = with(&["f5d6", "--level", "2", "--hash", "1", "-o", &foreign], format);
        assert_eq!(output(&fresh, ""), "");
        assert_eq!(fs::read(&foreign).unwrap(), bytes);
        fs::remove_file(&out).unwrap();
    }
}

#[test]
fn what_cannot_be_used_is_one_line_with_its_place_and_nothing_is_searched() {
    let folder = Folder::new("analyze-errors");
    let good = folder.file("good.txt", GAMES);
    let bad = folder.file("bad.txt", "f5d6\nf5x6\n");
    let empty = folder.file("empty.txt", "# nothing\n");
    let missing = folder.path("missing.txt");
    let under = format!("{good}/out");
    for (arguments, reason) in [
        (
            vec![good.as_str(), &bad],
            format!("{bad}: line 2: expected a move (a1 to h8, or pass), found 'x6' at column 3"),
        ),
        (vec!["-"], "-: line 1: illegal move: a1 flips nothing for white at column 3".into()),
        (vec![&empty], format!("no games or positions in {empty}")),
        (vec![&missing], format!("'{missing}' is not a file, and not a game or a position: ")),
        (vec!["f5d7"], "'f5d7' is not a file, and not a game or a position: illegal move: ".into()),
        (vec!["f5", "--weights", &bad], format!("{bad}: not a file of weights")),
        (vec![&good, "-o", &good], format!("cannot write {good}: it is the input {good}")),
        (vec![&good, "--resume", &good], format!("cannot write {good}: it is the input {good}")),
        (vec!["f5", "-o", &under], format!("cannot write {under}: ")),
        (vec!["f5", "--resume", &under], format!("cannot open {under}: ")),
    ] {
        let found = error(&arguments, "f5a1\n", 1);
        assert!(found.starts_with(&format!("outflank: {reason}")), "{found}");
        assert_eq!(fs::read_to_string(&good).unwrap(), GAMES);
    }
    for (option, value) in [
        ("--depth", "0"),
        ("--time", "0"),
        ("--level", "61"),
        ("--selectivity", "90"),
        ("--multipv", "0"),
        ("--blunder", "-1"),
        ("--threads", "0"),
        ("--hash", "0"),
    ] {
        let output = run(&["f5", &format!("{option}={value}")], "");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{option}");
        assert!(errors.contains(&format!("'{value}' for '{option} ")), "{errors}");
    }
    for pair in [["--exact", "--depth=3"], ["--json", "--csv"], ["--resume=a", "-ob"]] {
        assert_eq!(run(&with(&["f5"], &pair), "").status.code(), Some(2), "{pair:?}");
    }
}

#[test]
fn an_argument_that_is_a_file_and_a_text_is_refused() {
    let folder = Folder::new("analyze-ambiguous");
    let path = folder.file("f5d6", "f5f6\n");
    let inside = std::path::Path::new(&path).parent().unwrap();
    let run = |argument: &str| {
        Command::new(env!("CARGO_BIN_EXE_outflank"))
            .current_dir(inside)
            .args(["analyze", "--depth", "1", "--hash", "1", argument])
            .output()
            .unwrap()
    };
    let output = run("f5d6");
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "outflank: 'f5d6' is a file and a text: write './f5d6' for the file, or 'startpos moves' \
         before the moves\n"
    );
    assert_eq!(output.status.code(), Some(1));
    assert!(run("./f5d6").status.success() && run("startpos moves f5d6").status.success());
}

#[cfg(unix)]
#[test]
fn an_interrupt_keeps_the_rows_in_order() {
    let mut engine =
        Engine::start_with(&["analyze", "-", "--exact", "--csv", "--hash", "1", "--threads", "2"]);
    let short = GAMES.lines().last().unwrap();
    engine.send_raw(format!("{short}\n{short}\n{LONG}\n{LONG}\n{short}\n").as_bytes());
    engine.close_input();
    let lines = [engine.line(), engine.line(), engine.line()];
    assert!(lines[1].starts_with("-,1,1,") && lines[2].starts_with("-,2,2,"), "{lines:?}");
    engine.interrupt();
    assert!(engine.end_input().is_empty());
    assert_eq!(engine.exit_status().code(), Some(130));
    assert_eq!(engine.errors(), "");
}

#[test]
fn time_is_in_seconds_as_in_solve() {
    let objects = objects(&output(&["-", "--time", "0.05", "--hash", "1", "--json"], LONG));
    assert_eq!((objects.len(), &objects[0]["solved"]), (1, &Value::Bool(false)));
    assert_eq!(objects[0]["settings"]["time_ms"], 50);
    let output = run(&["-", "--time", "1s"], "");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("expected 0.001 or more seconds"), "{errors}");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_second_run_on_the_same_file_ends_at_once() {
    let folder = Folder::new("analyze-twice");
    let short = GAMES.lines().last().unwrap();
    let input = folder.file("positions.txt", format!("{short}\n{LONG}\n"));
    let out = folder.path("out");
    let arguments = [&input, "--exact", "--csv", "--hash", "1", "--threads", "1", "--resume", &out];
    let mut first = Command::new(env!("CARGO_BIN_EXE_outflank"))
        .arg("analyze")
        .args(arguments)
        .spawn()
        .unwrap();
    while fs::metadata(&out).map_or(0, |file| file.len()) == 0 {
        assert!(first.try_wait().unwrap().is_none(), "ended before its time");
        thread::sleep(Duration::from_millis(1));
    }
    let bytes = fs::read(&out).unwrap();
    let found = error(&arguments, "", 1);
    first.kill().unwrap();
    first.wait().unwrap();
    assert_eq!(found, format!("outflank: {out}: another program is writing it"));
    assert_eq!(fs::read(&out).unwrap(), bytes);
}
