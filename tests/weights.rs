//! Another evaluation than that in the program.

use crate::support::driver::Engine;
use crate::support::files::Folder;
use std::process::Command;

const POSITION: &str = "position startpos moves f5 d6 c3";

fn eval(engine: &mut Engine) -> String {
    engine.ask("eval")
}

#[test]
fn weights_come_from_a_file_and_go_again() {
    let folder = Folder::new("weights");
    let path = folder.even_weights();
    let mut engine = Engine::after(&[POSITION]);
    let own = eval(&mut engine);
    assert_ne!(own, "eval cd 0");
    for empty in ["", " <empty>"] {
        engine.send(&format!("setoption name weights value {path} "));
        assert_eq!(eval(&mut engine), "eval cd 0");
        engine.send("uginewgame");
        engine.send(POSITION);
        assert_eq!(eval(&mut engine), "eval cd 0");
        engine.send("go depth 1");
        let lines = engine.lines_until("bestmove");
        assert!(lines[0].contains(" score cd 0 "), "{lines:?}");
        engine.send(&format!("setoption name Weights value{empty}"));
        assert_eq!(eval(&mut engine), own);
    }
}

#[test]
fn weights_that_cannot_be_used_are_one_error_and_change_nothing() {
    let folder = Folder::new("bad-weights");
    let (good, missing) = (folder.even_weights(), folder.path("missing.bin"));
    let text = folder.file("text.bin", "no weights");
    let bytes = std::fs::read(&good).unwrap();
    let cut = folder.file("cut.bin", &bytes[..bytes.len() - 1]);
    let mut engine = Engine::after(&[POSITION]);
    let own = eval(&mut engine);
    for path in [&missing, &text, &cut, &folder.path("")] {
        let error = engine.ask(&format!("setoption name Weights value {path}"));
        assert!(error.starts_with("error ") && error.contains(path.as_str()), "{error}");
        assert_eq!(eval(&mut engine), own);
    }
    assert_eq!(
        engine.ask("setoption name Weights"),
        "error expected 'value', found the end of the line at column 23"
    );
    engine.send(&format!("setoption name Weights value {good}"));
    assert_eq!(eval(&mut engine), "eval cd 0");
    assert!(engine.ask(&format!("setoption name Weights value {cut}")).starts_with("error "));
    assert_eq!(eval(&mut engine), "eval cd 0");
}

#[test]
fn weights_set_during_a_search_hold_for_the_next_one_only() {
    let folder = Folder::new("late-weights");
    let set = format!("setoption name Weights value {}", folder.even_weights());
    let mut engine = Engine::after(&[POSITION, "go infinite", &set, "stop", "go depth 1"]);
    let first = engine.lines_until("bestmove");
    assert!(!first[0].contains(" score cd 0 "), "{}", first[0]);
    let second = engine.lines_until("bestmove");
    assert!(second[0].contains(" score cd 0 "), "{}", second[0]);
}

#[test]
fn solve_takes_weights_too() {
    let folder = Folder::new("solve-weights");
    let start = "---------------------------OX------XXX-------------------------- O";
    let (weights, suite) = (folder.even_weights(), folder.file("suite.obf", start));
    let score = |arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
        command.args(["solve", &suite, "--depth", "1", "--json"]).args(arguments);
        let text = String::from_utf8(command.output().unwrap().stdout).unwrap();
        let row: serde_json::Value = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        row["score_cd"].as_i64().unwrap()
    };
    assert_eq!(score(&["--weights", &weights]), 0);
    assert_ne!(score(&[]), 0);
}
