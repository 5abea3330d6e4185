//! The rules of the UGI dialect, seen from outside.

use crate::support::driver::Engine;
use std::io::Write;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Black must pass, White can play c1 and so end the game.
const BLACK_MUST_PASS: &str = "position fen OX6/8/8/8/8/8/8/8 X";
const START: &str = "position: ---------------------------OX------XO--------------------------- X";

/// Everything that the program answers to these lines when the input ends after them.
fn answers(lines: &[&str]) -> Vec<String> {
    finish(&mut Engine::after(lines))
}

/// Everything that it still answers when the input ends here: it must end well and silently.
fn finish(engine: &mut Engine) -> Vec<String> {
    let lines = engine.end_input();
    assert!(engine.exit_status().success());
    assert_eq!(engine.errors(), "");
    lines
}

/// Everything that it still answers until it ends of its own accord.
fn last_lines(engine: &mut Engine) -> Vec<String> {
    assert!(engine.exit_status().success());
    finish(engine)
}

/// Position and moves so far as `d` shows them.
fn position(engine: &mut Engine) -> Vec<String> {
    engine.send("d");
    vec![engine.find("position:"), engine.line()]
}

#[test]
fn ugi_is_answered_with_name_author_and_options() {
    let lines = answers(&["ugi"]);
    assert_eq!(lines[0], concat!("id name outflank ", env!("CARGO_PKG_VERSION")));
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    for name in ["Threads", "Hash", "MultiPV", "Level", "Move Overhead"] {
        let start = format!("option name {name} type spin default ");
        assert!(lines.iter().any(|line| line.starts_with(&start)), "{name}: {lines:?}");
    }
    assert!(lines.contains(&"option name Clear Hash type button".to_string()), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "ugiok");
    assert_eq!(lines.iter().filter(|line| *line == "ugiok").count(), 1);
}

#[test]
fn other_handshakes_are_unknown() {
    assert_eq!(answers(&["uci"]), ["error unknown command 'uci' at column 1"]);
}

#[test]
fn each_answer_is_written_at_once() {
    let mut engine = Engine::start();
    assert_eq!(engine.ask("isready"), "readyok");
    assert_eq!(engine.ask("query p1turn"), "response true");
    assert_eq!(engine.ask("isready"), "readyok");
}

#[test]
fn option_names_are_read_in_any_case() {
    let lines = answers(&["setoption name multipv value 3", "go depth 1"]);
    for rank in 1..=3 {
        let part = format!(" multipv {rank} ");
        assert!(lines.iter().any(|line| line.contains(&part)), "{lines:?}");
    }
    assert!(!lines.iter().any(|line| line.contains(" multipv 4 ")), "{lines:?}");
    let silent = ["THREADS value 1", "hash value 2", "LeVeL  value  1", "clear hash"]
        .map(|setting| format!("setoption name {setting}"));
    assert_eq!(answers(&silent.each_ref().map(String::as_str)), [""; 0]);
}

#[test]
fn an_unknown_option_is_one_error_and_nothing_else() {
    let lines = answers(&["setoption name Use Book value yes please", "isready"]);
    assert_eq!(lines, ["error unknown option 'Use Book' at column 16", "readyok"]);
}

#[test]
fn option_errors_name_the_range() {
    let mut engine = Engine::start();
    for (setting, error) in [
        ("name Threads value 0", "Threads must be 1 to 256, found '0' at column 30"),
        ("name threads value 257", "Threads must be 1 to 256, found '257' at column 30"),
        ("name Hash value big", "Hash must be 1 to 65536, found 'big' at column 27"),
        ("name MultiPV value -1", "MultiPV must be 1 to 60, found '-1' at column 30"),
        ("name Level value 4 2", "expected the end of the line, found '2' at column 30"),
        ("name Level value", "Level must be 1 to 60, found '' at column 27"),
        ("name Level", "expected 'value', found the end of the line at column 21"),
        ("name Level 4", "unknown option 'Level 4' at column 16"),
        ("name Clear Hash value 1", "expected the end of the line, found 'value' at column 27"),
        ("name", "expected the name of an option, found the end of the line at column 15"),
        ("Level value 4", "expected 'name' and the name of an option, found 'Level' at column 11"),
    ] {
        let line = format!("setoption {setting}");
        assert_eq!(engine.ask(&line), format!("error {error}"), "{line}");
    }
}

#[test]
fn positions_are_read_in_every_form() {
    let mut engine = Engine::start();
    let start = position(&mut engine);
    for form in [
        "startpos",
        "fen startpos",
        "fen ---------------------------OX------XO--------------------------- X",
        "board ---------------------------ox------xo---------------------------",
        "fen 8/8/8/3wb3/3bw3/8/8/8 b",
        "fen 8/8/8/3OX3/3XO3/8/8/8 black",
    ] {
        engine.send("position startpos moves f5");
        engine.send(&format!("position {form}"));
        assert_eq!(position(&mut engine), start, "{form}");
    }
    assert_eq!(start, [START, "moves: none"]);
}

#[test]
fn moves_follow_any_position_and_any_opening() {
    let mut engine = Engine::after(&["position startpos moves f5 d6 c3"]);
    let expected = position(&mut engine);
    assert_eq!(expected[1], "moves: f5 d6 c3");
    for form in [
        "startpos moves F5 D6 C3",
        "startpos moves f5d6c3",
        "startpos moves f5 moves d6 c3",
        "fen startpos moves f5 d6 moves c3",
        "fen startpos moves f5 d6 c3 moves",
        "fen 8/8/8/3OX3/3XO3/8/8/8 X moves f5 d6 c3",
    ] {
        engine.send("position startpos");
        engine.send(&format!("position {form}"));
        assert_eq!(position(&mut engine), expected, "{form}");
    }
}

#[test]
fn a_forced_pass_may_be_written_or_left_out() {
    let mut engine = Engine::start();
    for moves in ["c1", "pass c1", "PA c1", "-- c1", "c1 pass", "pass c1 pass pass"] {
        engine.send("position startpos");
        engine.send(&format!("{BLACK_MUST_PASS} moves {moves}"));
        assert_eq!(position(&mut engine)[1], "moves: pass c1", "{moves}");
    }
}

#[test]
fn a_pass_with_a_move_at_hand_is_refused() {
    assert_eq!(
        answers(&["position startpos moves f5 pass"]),
        ["error illegal move: white has a move and may not pass at column 28"]
    );
}

#[test]
fn queries_are_answered_in_two_words() {
    let mut engine = Engine::start();
    for (position, p1turn, gameover, result) in [
        ("position startpos", "true", "false", "none"),
        ("position startpos moves f5", "false", "false", "none"),
        (BLACK_MUST_PASS, "true", "false", "none"),
        ("position fen OX6/8/8/8/8/8/8/8 X moves c1", "true", "true", "p2win"),
        ("position fen XO6/8/8/8/8/8/8/8 X moves c1", "false", "true", "p1win"),
        ("position fen X6O/8/8/8/8/8/8/8 O", "false", "true", "draw"),
        ("position fen 8/8/8/8/8/8/8/8 X", "true", "true", "draw"),
    ] {
        engine.send(position);
        assert_eq!(engine.ask("query p1turn"), format!("response {p1turn}"), "{position}");
        assert_eq!(engine.ask("query gameover"), format!("response {gameover}"), "{position}");
        assert_eq!(engine.ask("query result"), format!("response {result}"), "{position}");
    }
}

#[test]
fn a_move_is_a_square_in_lower_case_or_pass_or_none() {
    let mut engine = Engine::after(&["go depth 2"]);
    let best = engine.find("bestmove");
    assert!(["d3", "c4", "f5", "e6"].map(|m| format!("bestmove {m}")).contains(&best), "{best}");
    engine.send(BLACK_MUST_PASS);
    engine.send("go depth 2");
    assert_eq!(engine.find("bestmove"), "bestmove pass");
    engine.send("position fen OX6/8/8/8/8/8/8/8 X moves c1");
    engine.send("go depth 2");
    assert_eq!(engine.find("bestmove"), "bestmove none");
}

#[test]
fn info_lines_name_their_numbers_in_a_fixed_order() {
    let lines = answers(&["go depth 3"]);
    let infos: Vec<&String> = lines.iter().filter(|line| line.starts_with("info ")).collect();
    assert!(!infos.is_empty());
    for info in infos {
        let optional = ["lowerbound", "upperbound", "solved"];
        let words: Vec<&str> = info.split(' ').filter(|word| !optional.contains(word)).collect();
        let names = ["depth", "selectivity", "multipv", "score cd"];
        let names = [names.as_slice(), &["nodes", "nps", "time", "hashfull"]].concat().join(" ");
        let mut words = words.into_iter().skip(1);
        for name in names.split(' ') {
            assert_eq!(words.next(), Some(name), "{info}");
            if name != "score" {
                assert!(words.next().is_some_and(|n| n.parse::<i64>().is_ok()), "{info}");
            }
        }
        assert_eq!(words.next(), Some("pv"), "{info}");
        assert!(words.all(|mv| mv == "pass" || mv.len() == 2), "{info}");
    }
}

#[test]
fn every_limit_ends_a_search() {
    let mut engine = Engine::start();
    for limits in [
        "depth 4",
        "nodes 2000",
        "movetime 50",
        "level 1",
        "p1time 400 p2time 0",
        "btime 400 wtime 400 binc 10 winc 10",
        "p1time 0",
        "p1time -20 p2time 5000",
        "selectivity 73 depth 4",
        "infinite movetime 50 depth 60",
    ] {
        engine.send(&format!("go {limits}"));
        if limits.starts_with("infinite") {
            engine.send("stop");
        }
        assert!(engine.find("bestmove").len() == "bestmove f5".len(), "{limits}");
    }
}

#[test]
fn a_search_without_limits_plays_at_the_level_option() {
    let lines = answers(&["setoption name Level value 1", "go"]);
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
}

#[test]
fn a_clock_of_the_other_side_alone_is_an_error() {
    assert_eq!(
        answers(&["position startpos moves f5", "go p1time 1000 p1inc 5"]),
        ["error expected p2time too, since it is white's turn at column 4"]
    );
}

#[test]
fn a_search_does_not_delay_isready_query_and_stop() {
    let mut engine = Engine::after(&["go infinite"]);
    engine.find("info");
    let asked = Instant::now();
    engine.send("isready");
    engine.find("readyok");
    engine.send("query p1turn");
    assert_eq!(engine.find("response"), "response true");
    engine.send("query gameover");
    assert_eq!(engine.find("response"), "response false");
    engine.send("stop");
    engine.find("bestmove");
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
}

#[test]
fn other_commands_wait_for_the_search_in_order() {
    let mut engine = Engine::after(&["go infinite", "eval", "foo", "perft 2", "isready"]);
    let before = engine.lines_until("readyok");
    assert!(before.iter().all(|line| line.starts_with("info ") || line == "readyok"));
    engine.send("stop");
    engine.find("bestmove");
    assert!(engine.line().starts_with("eval cd "));
    assert_eq!(engine.line(), "error unknown command 'foo' at column 1");
    assert!(engine.line().starts_with("perft depth 2 convention pass-ply count 12 time "));
}

#[test]
fn a_query_waits_only_for_a_position_that_waits() {
    let mut engine = Engine::after(&["go infinite", "eval", "query p1turn"]);
    assert_eq!(engine.find("response"), "response true");
    engine.send("position startpos moves f5");
    engine.send("query p1turn");
    engine.send("isready");
    assert!(!engine.lines_until("readyok").iter().any(|line| line.starts_with("response")));
    engine.send("stop");
    engine.find("bestmove");
    assert!(engine.line().starts_with("eval"));
    assert_eq!(engine.line(), "response false");
}

#[test]
fn a_piped_script_gets_every_answer_for_its_own_position() {
    let lines = answers(&[
        "go depth 2",
        "query p1turn",
        "position startpos moves f5",
        "query p1turn",
        "go depth 2",
        "uginewgame",
        "query p1turn",
    ]);
    let lines: Vec<&str> =
        lines.iter().map(String::as_str).filter(|line| line.starts_with("response")).collect();
    assert_eq!(lines, ["response true", "response false", "response true"]);
}

#[test]
fn options_set_during_a_search_hold_for_the_next_one() {
    let mut engine = Engine::after(&["go infinite", "setoption name MultiPV value 2", "stop"]);
    assert!(!engine.lines_until("bestmove").iter().any(|line| line.contains(" multipv 2 ")));
    engine.send("go depth 1");
    assert!(engine.lines_until("bestmove").iter().any(|line| line.contains(" multipv 2 ")));
}

#[test]
fn a_stop_ends_one_search_and_the_next_one_begins() {
    let mut engine = Engine::after(&["go infinite", "go infinite"]);
    for _ in 0..2 {
        engine.find("info");
        engine.send("stop");
        engine.find("bestmove");
    }
    assert_eq!(engine.ask("isready"), "readyok");
}

#[test]
fn a_stop_without_a_search_does_nothing() {
    assert_eq!(answers(&["stop", "isready", "stop"]), ["readyok"]);
}

#[test]
fn a_deep_search_is_stopped_within_a_moment() {
    let mut engine = Engine::start();
    for limits in ["depth 60", "infinite", "level 60", "movetime 60000", "nodes 999999999999"] {
        engine.send(&format!("go {limits}"));
        std::thread::sleep(Duration::from_millis(50));
        let stopped = Instant::now();
        engine.send("stop");
        engine.find("bestmove");
        assert!(stopped.elapsed() < Duration::from_secs(2), "{limits}: {:?}", stopped.elapsed());
    }
}

#[test]
fn quit_ends_the_search_answers_it_and_drops_the_rest() {
    let mut engine = Engine::after(&["go infinite", "d", "perft 3"]);
    engine.send("quit");
    engine.send("isready");
    let lines = last_lines(&mut engine);
    assert!(lines.last().unwrap().starts_with("bestmove "), "{lines:?}");
    assert!(lines.iter().all(|line| line.starts_with("info ") || line.starts_with("bestmove ")));
}

#[test]
fn quit_without_a_search_ends_at_once() {
    assert_eq!(last_lines(&mut Engine::after(&["isready", "quit"])), ["readyok"]);
}

#[test]
fn at_the_end_of_input_everything_asked_is_answered() {
    let lines = answers(&["go depth 4", "position startpos moves f5", "go depth 3", "perft 3"]);
    let bestmoves = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(bestmoves, 2, "{lines:?}");
    assert!(lines.last().unwrap().starts_with("perft depth 3 "), "{lines:?}");
}

#[test]
fn at_the_end_of_input_an_endless_search_stops_and_answers() {
    let lines = answers(&["go infinite", "go infinite", "query gameover"]);
    let bestmoves = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    assert_eq!(bestmoves, 2, "{lines:?}");
    assert_eq!(answers(&[]), [""; 0]);
}

#[test]
fn a_last_line_without_an_end_counts() {
    let mut engine = Engine::start();
    engine.send_raw(b"isready");
    assert_eq!(finish(&mut engine), ["readyok"]);
}

#[test]
fn bad_input_is_one_error_and_changes_nothing() {
    let mut engine = Engine::after(&["position startpos moves f5 d6"]);
    let before = position(&mut engine);
    for (line, error) in [
        ("foo bar", "unknown command 'foo' at column 1"),
        ("  Go depth 3", "unknown command 'Go' at column 3"),
        ("isready now", "expected the end of the line, found 'now' at column 9"),
        (
            "position",
            "expected 'startpos', 'fen' or 'board', found the end of the line at column 9",
        ),
        ("position start", "expected 'startpos', 'fen' or 'board', found 'start' at column 10"),
        ("position fen", "expected 64 squares, found 0 at column 13"),
        ("position fen 8/8", "expected 64 squares, found 16 at column 17"),
        ("position startpos f5", "expected 'moves', found 'f5' at column 19"),
        (
            "position startpos moves f5 x9",
            "expected a move (a1 to h8, or pass), found 'x9' at column 28",
        ),
        ("position startpos moves f5 f5", "illegal move: f5 is occupied at column 28"),
        (
            "position startpos moves f5 a1 c3",
            "illegal move: a1 flips nothing for white at column 28",
        ),
        (
            "go depth",
            "expected a depth in plies (1 or more), found the end of the line at column 9",
        ),
        ("go fast", "unknown limit 'fast' at column 4"),
        ("go depth 3 depth 4", "depth is given twice at column 12"),
        (
            "query",
            "expected 'p1turn', 'gameover' or 'result', found the end of the line at column 6",
        ),
        ("query p2turn", "expected 'p1turn', 'gameover' or 'result', found 'p2turn' at column 7"),
        ("perft", "expected a depth in plies (1 to 60), found the end of the line at column 6"),
        ("perft 61", "expected a depth in plies (1 to 60), found '61' at column 7"),
        (
            "perft 3 free",
            "expected a convention (pass-ply, pass-free or full-depth), found 'free' at column 9",
        ),
    ] {
        assert_eq!(engine.ask(line), format!("error {error}"), "{line}");
        assert_eq!(position(&mut engine), before, "{line}");
    }
}

#[test]
fn blank_lines_and_line_ends_of_any_style_are_fine() {
    let mut engine = Engine::start();
    engine.send_raw(b"\r\n\n   \n\t\r\nisready\r\n  isready  \nposition startpos moves f5\r\n");
    engine.send_raw(b"query p1turn\r\n");
    assert_eq!(finish(&mut engine), ["readyok", "readyok", "response false"]);
}

#[test]
fn what_is_no_text_is_an_error_like_any_other() {
    let mut engine = Engine::start();
    engine.send_raw(b"\xff\xfe\nis\0ready\n\xc3\xa9t\xc3\xa9\nisready\n");
    let lines = finish(&mut engine);
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(lines[..3].iter().all(|line| line.starts_with("error unknown command '")), "{lines:?}");
    assert!(lines.iter().all(|line| line.is_ascii()), "{lines:?}");
}

#[test]
fn a_line_of_a_megabyte_is_read_in_a_moment() {
    let start = Instant::now();
    let size = 1 << 20;
    let mut engine = Engine::start();
    for line in [
        "x".repeat(size),
        "go ".repeat(size / 3),
        format!("go depth {}", "x".repeat(size)),
        format!("position fen {}", "-".repeat(size)),
        format!("position startpos moves {}", "f5 ".repeat(size / 3)),
        format!("setoption name {}", "a ".repeat(size / 2)),
        "é".repeat(size / 2),
    ] {
        let error = engine.ask(&line);
        assert!(error.starts_with("error ") && error.len() < 200, "{error}");
    }
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn a_long_list_of_moves_takes_linear_time() {
    let start = Instant::now();
    let mut engine = Engine::start();
    engine.send(&format!("{BLACK_MUST_PASS} moves c1 {}", "pass ".repeat(400_000)));
    assert_eq!(position(&mut engine)[1], "moves: pass c1");
    let line = format!("{BLACK_MUST_PASS} moves c1 {}d1", "pass ".repeat(400_000));
    let error = format!("error illegal move: the game is over at column {}", line.len() - 1);
    assert_eq!(engine.ask(&line), error);
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
}

#[test]
fn an_overlong_line_is_one_error_and_its_rest_is_dropped() {
    let mut engine = Engine::start();
    engine.send_raw(&vec![b'x'; (16 << 20) + 1_000_000]);
    engine.send_raw(b"\nisready\n");
    assert_eq!(
        finish(&mut engine),
        ["error the line is too long, its rest is ignored at column 16777217", "readyok"]
    );
}

#[test]
fn nobody_reading_the_answers_ends_the_program_quietly() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_outflank"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(b"go infinite\nisready\nisready\nisready\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "{:?}", output.status);
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn perft_counts_in_three_conventions() {
    let position =
        "position board XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
    let mut engine = Engine::after(&[position]);
    for (arguments, start) in [
        ("4", "perft depth 4 convention pass-ply count 18 time "),
        ("4 pass-ply", "perft depth 4 convention pass-ply count 18 time "),
        ("4 pass-free", "perft depth 4 convention pass-free count 21 time "),
        ("4 full-depth", "perft depth 4 convention full-depth count 17 time "),
    ] {
        let answer = engine.ask(&format!("perft {arguments}"));
        assert!(answer.starts_with(start), "{answer}");
    }
}

#[test]
fn a_long_perft_answers_isready_and_can_be_stopped() {
    let mut engine = Engine::after(&["perft 30"]);
    assert_eq!(engine.ask("isready"), "readyok");
    assert_eq!(engine.ask("query p1turn"), "response true");
    assert_eq!(engine.ask("stop"), "error perft was stopped");
    engine.send("perft 30");
    engine.send("quit");
    assert_eq!(last_lines(&mut engine), ["error perft was stopped"]);
}

#[test]
fn the_board_is_shown_with_side_moves_and_counts() {
    let lines = answers(&["position startpos moves f5", "d"]);
    for line in [
        "  a b c d e f g h",
        "5 . . . X X X . . 5",
        "side to move: white",
        "legal moves: f4 d6 f6",
        "discs: black 4, white 1",
        "position: ---------------------------OX------XXX-------------------------- O",
        "moves: f5",
    ] {
        assert!(lines.iter().any(|shown| shown == line), "{line}: {lines:?}");
    }
}

#[test]
fn a_shown_position_can_be_set_up_again() {
    let mut engine = Engine::after(&["position startpos moves f5 d6 c3 d3 c4"]);
    let shown = position(&mut engine).swap_remove(0);
    engine.send("uginewgame");
    engine.send(&shown.replace("position:", "position board"));
    assert_eq!(position(&mut engine)[0], shown);
}

#[test]
fn a_new_game_starts_from_the_start() {
    let mut engine = Engine::after(&["position startpos moves f5 d6", "uginewgame"]);
    assert_eq!(position(&mut engine), [START, "moves: none"]);
}

#[test]
fn the_static_value_is_one_number() {
    let lines = answers(&["position startpos moves f5 d6", "eval"]);
    assert_eq!(lines.len(), 1);
    let value = lines[0].strip_prefix("eval cd ").unwrap().parse::<i32>().unwrap();
    assert!((-6400..=6400).contains(&value));
}

#[test]
fn help_lists_every_command_in_a_line_of_its_own() {
    let mut engine = Engine::after(&["help"]);
    let lines = engine.lines_until("quit:");
    let words: Vec<String> = lines
        .iter()
        .map(|line| line.split([' ', ':']).next().unwrap_or_default().to_string())
        .collect();
    for word in ["ugi", "isready", "uginewgame", "setoption", "position", "go", "stop", "query"] {
        assert!(words.iter().any(|listed| listed == word), "{word}: {words:?}");
    }
    for word in words {
        let answer = engine.ask(&format!("{word} ?"));
        assert!(answer.starts_with("error ") && !answer.contains("unknown command"), "{answer}");
    }
}

#[test]
fn diagnostics_go_to_stderr_and_only_on_request() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_outflank"))
        .env("RUST_LOG", "debug")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"isready\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.stdout, b"readyok\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("received \"isready\""));
}
