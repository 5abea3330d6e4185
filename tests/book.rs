//! The book: built, shown and used in play, as a process.

use crate::support::driver::Engine;
use crate::support::files::Folder;
use crate::support::program;
use outflank::board::Board;
use outflank::book::analysis::key;
use outflank::book::format::{decode, encode};
use outflank::book::{Analysis, Contents, Settings};
use outflank::notation::forms::parse_game;
use outflank::score::Score;
use std::fs;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

/// White to move after Black's pass; c1 ends the game.
const AFTER_A_PASS: &str = "OX6/8/8/8/8/8/8/8 O";

fn run(arguments: &[&str]) -> Output {
    program::run(arguments, "")
}

/// What a command prints; it must succeed in silence.
fn printed(arguments: &[&str]) -> String {
    let output = run(arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success() && errors.is_empty(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).unwrap()
}

/// What a command says is wrong, in one line; it must have printed nothing.
fn error(arguments: &[&str]) -> String {
    let output = run(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(errors.lines().count(), 1, "{errors}");
    errors.trim_end().trim_start_matches("outflank: ").to_string()
}

fn board(text: &str) -> Board {
    parse_game(text).unwrap().board()
}

/// A position whose moves have these values, or the last of them, from a1 to h8.
fn position(text: &str, values: &[i32]) -> Analysis {
    let board = key(board(text)).unwrap();
    let last = values.last().unwrap();
    let values = (0..board.moves().len() as usize).map(|i| values.get(i).unwrap_or(last));
    Analysis {
        board,
        solved: false,
        values: values.map(|cd| Score::from_centidiscs(*cd)).collect(),
    }
}

/// A book with these positions.
fn book(positions: Vec<Analysis>) -> Vec<u8> {
    let settings = Settings { level: 9, weights: 0 };
    encode(&Contents { positions, ..Contents::new(settings) }).unwrap()
}

/// A book in which d6 after f5 is best by far, f4 second and f6 last.
fn small_book() -> Vec<u8> {
    // The canonical board may be any image of it, so the values are found by what they lead to.
    let mut reply = position("f5", &[0]);
    let squares: Vec<_> = reply.board.moves().into_iter().collect();
    for (value, square) in reply.values.iter_mut().zip(squares) {
        let after = reply.board.try_play(square).unwrap().canonical();
        let same = |text: &str| board(text).canonical() == after;
        *value = Score::from_centidiscs(match () {
            () if same("f5d6") => 70,
            () if same("f5f4") => 20,
            () => -400,
        });
    }
    book(vec![position("startpos", &[-1, -2, -3, -4]), reply, position(AFTER_A_PASS, &[300])])
}

#[test]
fn ugi_answers_from_the_book_at_once() {
    let folder = Folder::new("book-ugi");
    let path = folder.file("my small.book", small_book());
    let mut engine = Engine::after(&[&format!("setoption name book value {path}")]);
    engine.send("position startpos moves f5");
    for limits in
        ["", " movetime 600000", " depth 50", " nodes 5", " p1time 5 p2time 9", " level 30"]
    {
        assert_eq!(
            engine.ask(&format!("go{limits}")),
            "info depth 9 selectivity 73 multipv 1 score cd 70 nodes 0 nps 0 time 0 hashfull 0 pv d6"
        );
        assert_eq!(engine.line(), "bestmove d6");
    }
    // The value of what follows, not that of the search at the start.
    engine.send("position startpos");
    let line = engine.ask("go");
    assert!(line.starts_with("info depth 10 ") && line.contains(" score cd -70 "), "{line}");
    engine.find("bestmove");
    // What asks for more than a move is searched.
    engine.send("position startpos moves f5");
    for (set, go) in [
        ("isready", "go selectivity 100 depth 2"),
        ("isready", "go depth 60 nodes 1000"),
        ("isready", "go level 60 nodes 1000"),
        ("setoption name MultiPV value 2", "go depth 2"),
        ("setoption name MultiPV value 1", "go infinite"),
        ("position startpos moves f5 d6", "go depth 2"),
        ("setoption name Book value <empty>", "go depth 2"),
        ("position startpos moves f5", "go depth 2"),
    ] {
        engine.send(set);
        engine.send(go);
        engine.send("stop");
        let lines = engine.lines_until("bestmove");
        let first = lines.iter().find(|line| *line != "readyok").unwrap();
        assert!(first.starts_with("info depth 1 "), "{go}: {first}");
    }
}

#[test]
fn what_waits_is_done_after_the_answer_of_the_book() {
    let folder = Folder::new("book-order");
    let path = folder.file("a.book", small_book());
    let set = format!("setoption name Book value {path}");
    let position = "position startpos moves f5";
    let mut engine = Engine::after(&[&set, position, "go", "eval", position, "go", "go"]);
    let lines = engine.end_input();
    let words: Vec<&str> = lines.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(words, ["info", "bestmove", "eval", "info", "bestmove", "info", "bestmove"]);
}

#[test]
fn passed_transposed_and_turned_positions_are_found() {
    let folder = Folder::new("book-images");
    let transposed = position("f5d6c3d3c4", &[35]);
    let positions = vec![position("f5d6", &[7]), transposed, position(AFTER_A_PASS, &[300])];
    let path = folder.file("a.book", book(positions));
    let mut engine = Engine::after(&[&format!("setoption name Book value {path}")]);
    for (set_up, score) in [
        ("startpos moves f5 d6", 7),
        ("startpos moves d3 e3", 0),
        ("startpos moves d3 c5", 7),
        ("startpos moves c4 e3", 7),
        ("startpos moves e6 f4", 7),
        ("startpos moves f5 d6 c3 d3 c4", 35),
        ("startpos moves f5 d6 c4 d3 c3", 35),
        ("startpos moves e6 f4 c3 c4 d3", 35),
        ("startpos moves e6 f4 d3 c4 c3", 35),
        (&format!("board {AFTER_A_PASS}"), 300),
        ("board OX6/8/8/8/8/8/8/8 X", -300),
        ("board XO6/8/8/8/8/8/8/8 O", -300),
        ("board 8/8/8/8/8/8/X7/O7 X", -300),
        ("board 5XX1/8/8/8/8/8/8/8 O", 0),
    ] {
        engine.send(&format!("position {set_up}"));
        engine.send("query gameover");
        engine.line();
        engine.send("go depth 1");
        let lines = engine.lines_until("bestmove");
        let found = lines.iter().any(|line| line.contains(" nodes 0 "));
        assert_eq!(found, score != 0, "{set_up}: {lines:?}");
        if found {
            assert!(lines[0].contains(&format!(" score cd {score} ")), "{set_up}: {lines:?}");
            assert_eq!(lines[1] == "bestmove pass", score == -300, "{set_up}: {lines:?}");
        }
    }
}

#[test]
fn symmetric_openings_get_symmetric_moves() {
    let folder = Folder::new("book-symmetry");
    let path = folder.file("a.book", small_book());
    let mut engine = Engine::after(&[&format!("setoption name Book value {path}")]);
    for (opening, reply) in [("f5", "d6"), ("e6", "f4"), ("d3", "c5"), ("c4", "e3")] {
        engine.send(&format!("position startpos moves {opening}"));
        engine.send("go");
        assert_eq!(engine.find("bestmove"), format!("bestmove {reply}"));
    }
}

#[test]
fn randomness_chooses_among_the_good_moves_only() {
    let folder = Folder::new("book-random");
    let path = folder.file("a.book", small_book());
    let mut engine = Engine::after(&[&format!("setoption name Book value {path}")]);
    engine.send("position startpos moves f5");
    let mut moves = |randomness: u32| {
        engine.send(&format!("setoption name Book Randomness value {randomness}"));
        let mut moves: Vec<String> = (0..200)
            .map(|_| {
                let info = engine.ask("go");
                let mv = engine.line().trim_start_matches("bestmove ").to_string();
                let score = if mv == "d6" { 70 } else { 20 };
                assert!(info.contains(&format!(" score cd {score} ")), "{mv}: {info}");
                mv
            })
            .collect();
        moves.sort();
        moves.dedup();
        moves
    };
    assert_eq!(moves(0), ["d6"]);
    assert_eq!(moves(49), ["d6"]);
    assert_eq!(moves(100), ["d6", "f4"]);
    assert_eq!(
        engine.ask("setoption name Book Randomness value 1001"),
        "error Book Randomness must be 0 to 1000, found '1001' at column 38"
    );
}

#[test]
fn gtp_plays_from_the_book_and_analyses_without_it() {
    let folder = Folder::new("book-gtp");
    let path = folder.file("a.book", small_book());
    let mut engine = Engine::start_with(&["gtp"]);
    let mut ask = |command: &str| {
        engine.send(command);
        let answer = engine.line();
        while !engine.line().is_empty() {}
        answer
    };
    assert_eq!(ask(&format!("setoption name Book value {path}")), "=");
    assert_eq!(ask("play b F5"), "=");
    assert_eq!(ask("time_settings 1000 0 0"), "=");
    assert_eq!(ask("3 reg_genmove w"), "=3 D6");
    assert_eq!(ask("genmove w"), "= D6");
    assert_eq!(ask("play w f4"), "? illegal move: it is not white's turn");
    assert_eq!(ask("undo"), "=");
    assert_eq!(ask("set_level 1"), "=");
    // The search of a ply, not the one ply of the book.
    let values = ask("outflank-move_values");
    assert!(values.starts_with("= LABEL") && !values.contains("D6 +0.7"), "{values}");
}

#[test]
fn nboard_plays_from_the_book_and_hints_without_it() {
    let folder = Folder::new("book-nboard");
    let path = folder.file("a.book", small_book());
    let mut engine = Engine::start_with(&["nboard"]);
    engine.send(&format!("setoption name Book value {path}"));
    engine.send("move F5");
    engine.send("set depth 2");
    engine.send("go");
    assert_eq!(engine.line(), "status thinking");
    assert_eq!(engine.line(), "nodestats 0 0.000");
    assert_eq!(engine.line(), "=== D6/0.70/0.000");
    assert_eq!(engine.line(), "status ready");
    engine.send("hint 1");
    engine.send("analyze");
    let lines = engine.lines_until("analysis");
    // Searched, as deep as the analysis let the hint come: 0.70 is the value of the book.
    assert!(lines.iter().any(|line| line.starts_with("search ")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains(" 0.70")), "{lines:?}");
    engine.find("status");
    // A hint for two leaves no trace in the next move.
    engine.send("hint 2");
    engine.send("ping 1");
    engine.find("pong");
    engine.send("go");
    assert_eq!(engine.find("==="), "=== D6/0.70/0.000");
}

#[test]
fn a_book_that_cannot_be_used_is_one_error_and_changes_nothing() {
    let folder = Folder::new("book-bad");
    let good = small_book();
    let path = folder.file("good.book", &good);
    let mut engine = Engine::after(&[&format!("setoption name Book value {path}")]);
    engine.send("position startpos moves f5");
    let mut damaged = good.clone();
    damaged[good.len() / 2] ^= 4;
    for (name, bytes, reason) in [
        ("cut.book", &good[..good.len() - 1], "damaged book: its checksum does not fit"),
        ("damaged.book", &damaged[..], "damaged book: its checksum does not fit"),
        ("text.book", &b"f5d6"[..], "expected a book, found something else"),
        ("empty.book", &b""[..], "expected a book, found something else"),
    ] {
        let bad = folder.file(name, bytes);
        let line = engine.ask(&format!("setoption name Book value {bad}"));
        assert_eq!(line, format!("error {bad}: {reason}"));
        for arguments in [
            &["book", "show", &bad][..],
            &["book", "info", &bad],
            &["book", "build", &bad, "--positions", "1"],
        ] {
            assert_eq!(error(arguments), format!("{bad}: {reason}"));
        }
        assert_eq!(fs::read(&bad).unwrap(), bytes, "{name}");
        engine.send("go");
        assert_eq!(engine.find("bestmove"), "bestmove d6");
    }
    let missing = folder.path("missing.book");
    let line = engine.ask(&format!("setoption name Book value {missing}"));
    assert!(line.starts_with(&format!("error cannot read {missing}: ")), "{line}");
    assert!(error(&["book", "info", &missing]).starts_with(&format!("cannot read {missing}: ")));
}

/// Positions in a file.
fn positions(path: &str) -> usize {
    let contents = decode(&fs::read(path).unwrap()).unwrap();
    contents.positions.len() + contents.pending.len()
}

#[test]
fn a_builder_that_is_killed_goes_on_to_the_same_file() {
    // Enough for some seconds: the file is written about every second.
    const POSITIONS: &str = "1000";
    let folder = Folder::new("book-kill");
    let (whole, killed) = (folder.path("whole.book"), folder.path("killed.book"));
    let build = |path: &str, threads: &str| -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
        command.args(["book", "build", path, "--level", "6", "--positions", POSITIONS]);
        command.args(["--threads", threads, "--hash", "4"]).env_remove("RUST_LOG");
        command.stdout(Stdio::null());
        command
    };
    assert!(build(&whole, "1").status().unwrap().success());
    let mut steps = vec![0];
    for run in 0..4 {
        let mut child = build(&killed, ["2", "1", "3"][run % 3]).spawn().unwrap();
        // Killed some time after it has written something new, or ended by then.
        let before = steps[steps.len() - 1];
        while child.try_wait().unwrap().is_none()
            && (!fs::exists(&killed).unwrap() || positions(&killed) == before)
        {
            thread::sleep(Duration::from_millis(10));
        }
        thread::sleep(Duration::from_millis(70 * run as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        steps.push(positions(&killed));
    }
    assert!(steps.is_sorted() && steps[1] < 1000, "{steps:?}");
    assert!(build(&killed, "2").status().unwrap().success());
    assert_eq!(positions(&killed).to_string(), POSITIONS);
    assert!(fs::read(&killed).unwrap() == fs::read(&whole).unwrap(), "after kills at {steps:?}");
    println!("killed at {steps:?}");
}

#[test]
fn two_builders_of_one_book_leave_a_whole_one() {
    let folder = Folder::new("book-two");
    let path = folder.path("a.book");
    let builder = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_outflank"));
        command.args(["book", "build", &path, "--level", "3", "--hash", "1", "--threads", "1"]);
        command.args(["--time", "1.5"]).env_remove("RUST_LOG");
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let builders = [builder(), builder()].map(|child| child.wait_with_output().unwrap());
    let failed = builders.iter().filter(|output| !output.status.success());
    let errors: Vec<_> = failed.map(|output| String::from_utf8_lossy(&output.stderr)).collect();
    let message =
        format!("outflank: {path}: another program has written it since this one read it\n");
    assert!(!errors.is_empty() && errors.iter().all(|error| *error == message), "{errors:?}");
    assert!(positions(&path) > 0);
    let names = fs::read_dir(folder.path("")).unwrap().map(|entry| entry.unwrap().file_name());
    assert_eq!(names.collect::<Vec<_>>(), ["a.book"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_the_book_written() {
    let folder = Folder::new("book-interrupt");
    let path = folder.path("a.book");
    let mut engine = Engine::start_with(&["book", "build", &path, "--level", "3"]);
    while !fs::exists(&path).unwrap() || positions(&path) == 0 {
        thread::sleep(Duration::from_millis(20));
    }
    engine.interrupt();
    assert_eq!(engine.exit_status().code(), Some(130));
    let lines = engine.end_input();
    assert_eq!(engine.errors(), "");
    let count = positions(&path).to_string();
    let line = lines[0].replace(',', "");
    assert!(lines.len() == 1 && line.starts_with(&format!("positions {count} new {count} ")));
}

#[test]
fn a_later_run_goes_on_with_what_the_book_was_made_with() {
    let folder = Folder::new("book-settings");
    let path = folder.path("a.book");
    let build = ["book", "build", &path, "--threads", "1", "--hash", "1", "--positions"];
    let with = |more: &[&'static str]| [&build[..], more].concat();
    printed(&with(&["3", "--level", "2"]));
    let line = printed(&with(&["5"]));
    assert!(line.starts_with("positions 5, new 2, "), "{line}");
    assert!(printed(&with(&["5", "--level", "2"])).starts_with("positions 5, new 0, "));
    let info = printed(&["book", "info", &path]);
    for line in ["positions: 5", "roots: 1", "level: 2"] {
        assert!(info.lines().any(|found| found == line), "{info}");
    }
    assert!(info.trim_end().ends_with(", those in the program"), "{info}");
    let bytes = fs::read(&path).unwrap();
    assert_eq!(
        error(&with(&["6", "--level", "3"])),
        format!(
            "{path}: its positions were searched with --level 2, these would be with --level 3"
        )
    );
    let weights = folder.even_weights();
    let message = error(&[&with(&["6"])[..], &["--weights", &weights]].concat());
    assert!(message.contains("searched with weights of checksum "), "{message}");
    assert_eq!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn books_grow_from_the_positions_of_a_file() {
    let folder = Folder::new("book-from");
    let path = folder.path("a.book");
    let openings = folder.file("openings.txt", "# two\nf5d6c3\nF5 d6 c4\nf5d6c3\n");
    let bounds = ["--level", "1", "--hash", "1", "--max-cost", "0"];
    let build = [&["book", "build", &path, "--from", &openings][..], &bounds].concat();
    let line = printed(&build);
    assert!(line.starts_with("positions 2, new 2, ") && line.contains("no line left"), "{line}");
    for (opening, found) in [("f5d6c3", true), ("f5d6c4", true), ("f5d6", false)] {
        assert_eq!(run(&["book", "show", &path, opening]).status.success(), found, "{opening}");
    }
    for (text, message) in [
        ("f5\nf5x9", "line 2: expected a move (a1 to h8, or pass), found 'x9' at column 3"),
        ("\nOO6/8/8/8/8/8/8/8 X", "line 2: the game is over"),
    ] {
        let bad = folder.file("bad.txt", text);
        let new = folder.path("new.book");
        assert_eq!(error(&["book", "build", &new, "--from", &bad]), format!("{bad}: {message}"));
        assert!(!fs::exists(&new).unwrap());
    }
    let empty = folder.file("empty.txt", "# none");
    let found = error(&["book", "build", &path, "--from", &empty]);
    assert_eq!(found, format!("no games or positions in {empty}"));
}

#[test]
fn show_prints_a_table_or_json() {
    let folder = Folder::new("book-show");
    let path = folder.file("a.book", small_book());
    assert_eq!(
        printed(&["book", "show", &path, "startpos", "moves", "f5"]),
        "position: ---------------------------OX------XXX-------------------------- O\n\
         value: +0.70\n\
         move    value  best play\n\
         d6      +0.70  d6\n\
         f4      +0.20  f4\n\
         f6      -4.00  f6\n"
    );
    let text = printed(&["book", "show", &path, "--json"]);
    let page: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(page["score_cd"], -70);
    assert_eq!((&page["solved"], &page["level"]), (&false.into(), &9.into()));
    let moves = page["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 4);
    assert_eq!(keys(&page), documented("Key"));
    assert!(moves.iter().all(|mv| keys(mv) == documented("Key of a move")));
    for mv in moves {
        let pv = mv["pv"].as_array().unwrap();
        assert_eq!((&pv[0], pv.len(), &mv["score_cd"]), (&mv["move"], 2, &page["score_cd"]));
    }
    let passes = printed(&["book", "show", &path, "OX6/8/8/8/8/8/8/8 X"]);
    assert!(passes.ends_with("\npass    -3.00  pass c1\n"), "{passes}");
    assert_eq!(
        error(&["book", "show", &path, "f5d6"]),
        format!("{path}: the position is not in the book")
    );
    assert_eq!(
        error(&["book", "show", &path, "f5", "x9"]),
        "POSITION: expected a move (a1 to h8, or pass), found 'x9' at column 4"
    );
}

/// The keys of an object, sorted.
fn keys(object: &serde_json::Value) -> Vec<String> {
    let mut keys: Vec<String> = object.as_object().unwrap().keys().cloned().collect();
    keys.sort();
    keys
}

/// The keys in the table with this heading in the section on this command of protocol.md, sorted.
fn documented(heading: &str) -> Vec<String> {
    let protocol = include_str!("../protocol.md");
    let section = protocol.split("\n## outflank book\n").nth(1).unwrap();
    let table = section.split(&format!("\n| {heading} | |\n")).nth(1).unwrap();
    let rows = table.lines().skip(1).map_while(|line| line.strip_prefix("| `"));
    let mut keys: Vec<String> = rows.map(|row| row.split('`').next().unwrap().into()).collect();
    keys.sort();
    keys
}
