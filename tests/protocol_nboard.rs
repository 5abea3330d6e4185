//! The NBoard dialect, seen from outside: what NBoard and reversi-arena send, with the traps.

use crate::support::driver::Engine;
use outflank::game::{Colour, Game, Move};
use outflank::notation::forms::{Form, parse_game};
use outflank::notation::ggf::upper_case;

/// Six empty squares; Black wins by 6.
const BLACK_WINS_BY_6: &str = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
/// Black must pass, White can play c1 and so end the game.
const BLACK_MUST_PASS: &str = "OX6/8/8/8/8/8/8/8 X";
/// A tournament game.
const LONG_GAME: &str = "f5d6c3f3f4d3c4g6f6e6c5c6d7d8e7g5e3d2g4h3f7b5h5g3b4b6c8b8c7e8f8g8h4h6\
    e2d1c1a3a6a5e1f2g7c2a4h8a2b7f1b3b1b2h7a7a8a1g1g2h2h1";

/// An engine that has been told these lines.
fn after(lines: &[&str]) -> Engine {
    let mut engine = Engine::start_with(&["nboard"]);
    lines.iter().for_each(|line| engine.send(line));
    engine
}

/// Ends the input; the engine must end well and silently. Returns what it still answers.
fn finish(engine: &mut Engine) -> Vec<String> {
    let lines = engine.end_input();
    assert!(engine.exit_status().success());
    assert_eq!(engine.errors(), "");
    lines
}

/// Everything that is answered to these lines when the input ends after them.
fn answers(lines: &[&str]) -> Vec<String> {
    finish(&mut after(lines))
}

fn set_game(text: &str) -> String {
    let game = parse_game(text).unwrap_or_else(|error| panic!("{text}: {error}"));
    format!("set game {}", Form::Ggf.write(&game).unwrap())
}

/// The move of a line `=== F5/eval/time`, whose form is checked.
fn best_move(line: &str) -> String {
    let answer = line.strip_prefix("=== ").unwrap_or_else(|| panic!("{line}"));
    assert!(!answer.contains(' '), "{line}");
    if answer == "PA" {
        return answer.to_string();
    }
    let parts: Vec<&str> = answer.split('/').collect();
    assert_eq!(parts.len(), 3, "{line}");
    parts[1..].iter().for_each(|number| check_decimal(number));
    parts[0].to_string()
}

fn check_decimal(text: &str) {
    let digits = text.strip_prefix('-').unwrap_or(text);
    assert!(digits.chars().all(|c| c.is_ascii_digit() || c == '.'), "{text}");
    assert!(text.parse::<f64>().is_ok_and(f64::is_finite), "{text}");
}

/// First move, value and depth of a line `search PV EVAL 0 DEPTH`, whose form is checked.
fn search_line(line: &str) -> (String, f64, String) {
    let words: Vec<&str> = line.split(' ').collect();
    let ["search", pv, eval, "0", depth] = words[..] else { panic!("{line}") };
    assert!(pv.len() >= 2 && pv.len().is_multiple_of(2), "{line}");
    check_decimal(eval);
    assert!(depth.starts_with(|c: char| c.is_ascii_digit()), "{line}");
    (pv[..2].to_string(), eval.parse().unwrap(), depth.to_string())
}

fn searches(lines: &[String]) -> Vec<(String, f64, String)> {
    lines.iter().filter(|line| line.starts_with("search ")).map(|line| search_line(line)).collect()
}

#[test]
fn the_name_is_one_word_of_letters_and_digits() {
    let lines = answers(&["nboard 2"]);
    assert_eq!(lines, ["set myname outflank"]);
}

#[test]
fn a_session_of_the_gui() {
    let mut engine = after(&["nboard 2", "set depth 6", "set contempt 0"]);
    assert_eq!(engine.line(), "set myname outflank");
    engine.send(&set_game("startpos"));
    assert_eq!(engine.ask("ping 1"), "pong 1");
    engine.send("hint 2");
    let hinted = searches(&engine.lines_until("search"));
    assert!(["D3", "C4", "F5", "E6"].contains(&hinted[0].0.as_str()), "{hinted:?}");
    // The user plays f5: all that is said of the old position comes before the pong.
    for line in ["ping 2", "move F5//2.5", "hint 1"] {
        engine.send(line);
    }
    for (first, ..) in searches(&engine.lines_until("pong")) {
        assert!(["D3", "C4", "F5", "E6"].contains(&first.as_str()), "{first}");
    }
    for (first, ..) in searches(&engine.lines_until("search")) {
        assert!(["D6", "F4", "F6"].contains(&first.as_str()), "{first}");
    }
    engine.send("ping 3");
    engine.find("pong");
    engine.send("go");
    let answer = best_move(&engine.find("==="));
    assert!(["D6", "F4", "F6"].contains(&answer.as_str()), "{answer}");
    engine.send(&format!("move {answer}/0.5/1.25"));
    engine.send("quit");
    assert!(engine.exit_status().success());
    assert_eq!(finish(&mut engine), ["status ready"]);
}

#[test]
fn a_hint_deepens_and_ranks_as_many_moves_as_asked() {
    let lines = answers(&["set depth 5", "hint 3"]);
    let searches = searches(&lines);
    assert_eq!(searches.len(), 5 * 3, "{lines:?}");
    for (index, lines) in searches.chunks(3).enumerate() {
        assert!(lines.iter().all(|(.., depth)| *depth == (index + 1).to_string()), "{lines:?}");
        let mut moves: Vec<&str> = lines.iter().map(|(first, ..)| first.as_str()).collect();
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), 3, "{lines:?}");
        assert!(lines.is_sorted_by(|a, b| a.1 >= b.1), "{lines:?}");
    }
    let stats: Vec<&String> = lines.iter().filter(|line| line.starts_with("nodestats ")).collect();
    assert_eq!(stats.len(), 6, "{lines:?}");
    for line in stats {
        let words: Vec<&str> = line.split(' ').collect();
        assert!(words.len() == 3 && words[1].parse::<u64>().is_ok(), "{line}");
        check_decimal(words[2]);
    }
}

#[test]
fn only_an_exact_value_is_a_hundred_per_cent() {
    let lines = answers(&["set depth 6", &set_game(BLACK_WINS_BY_6), "hint 1"]);
    let (_, value, depth) = searches(&lines).pop().unwrap();
    assert_eq!((value, depth.as_str()), (6.0, "100%"));
    // Level 8 goes to the end from 19 empties on, but at 73 %.
    let lines = answers(&["set depth 8", &set_game(&LONG_GAME[..2 * 41]), "hint 1"]);
    let depths: Vec<String> = searches(&lines).into_iter().map(|(.., depth)| depth).collect();
    assert_eq!(depths.last().unwrap(), "19@73%", "{lines:?}");
    assert!(!depths.iter().any(|depth| depth.starts_with("100%")), "{lines:?}");
}

#[test]
fn a_ping_ends_a_hint_that_would_take_for_ever() {
    let mut engine = after(&["set depth 60", "hint 5"]);
    engine.find("search");
    engine.send("ping 12");
    let lines = engine.lines_until("pong");
    assert_eq!(lines.last().unwrap(), "pong 12");
    let old = ["search", "nodestats", "status"];
    let others = lines.iter().filter(|line| !old.iter().any(|word| line.starts_with(word)));
    assert_eq!(others.count(), 1, "{lines:?}");
    assert_eq!(engine.ask("ping 13"), "pong 13");
    assert_eq!(finish(&mut engine), [""; 0]);
}

#[test]
fn a_ping_ends_a_search_for_a_move_which_is_answered_first() {
    for lines in [["go", "ping 1"].as_slice(), &["go", "hint 3", "go", "ping 1"]] {
        let mut engine = after(&["set depth 60"]);
        lines.iter().for_each(|line| engine.send(line));
        let answers = engine.lines_until("pong");
        let moves = answers.iter().filter(|line| line.starts_with("=== ")).count();
        let asked = lines.iter().filter(|line| **line == "go").count();
        assert_eq!(moves, asked, "{answers:?}");
        assert_eq!(finish(&mut engine), [""; 0]);
    }
}

#[test]
fn pings_are_answered_in_order() {
    let lines = ["ping 1", "set depth 1", "go", "ping 2", "learn", "ping 3"];
    let answers: Vec<String> =
        answers(&lines).into_iter().filter(|l| !l.starts_with(['s', 'n'])).collect();
    assert_eq!(answers.len(), 5, "{answers:?}");
    best_move(&answers[1]);
    assert_eq!(
        [&answers[0], &answers[2], &answers[3], &answers[4]],
        ["pong 1", "pong 2", "learned", "pong 3"]
    );
}

#[test]
fn a_hint_makes_way_for_whatever_comes_next() {
    for (line, answer) in [("go", "==="), ("learn", "learned"), ("analyze", "analysis")] {
        let mut engine = after(&["set depth 60", "hint 2"]);
        engine.find("search");
        engine.send("set depth 1");
        engine.send(line);
        engine.find(answer);
    }
    let mut engine = after(&["set depth 60", "hint 2"]);
    engine.find("search");
    engine.send("move f5");
    engine.send("hint 1");
    engine.find("status");
    engine.find("status");
    let (first, ..) = search_line(&engine.find("search"));
    assert!(["D6", "F4", "F6"].contains(&first.as_str()), "{first}");
}

#[test]
fn a_move_is_thought_out_although_commands_wait() {
    let lines = answers(&["set depth 4", "go", "move f5", "go", "set depth 1"]);
    let moves: Vec<String> =
        lines.iter().filter(|line| line.starts_with("===")).map(|line| best_move(line)).collect();
    assert!(["D3", "C4", "F5", "E6"].contains(&moves[0].as_str()), "{moves:?}");
    assert!(["D6", "F4", "F6"].contains(&moves[1].as_str()), "{moves:?}");
}

#[test]
fn a_search_for_a_move_leaves_the_board_alone() {
    let mut engine = after(&["set depth 3"]);
    for _ in 0..3 {
        engine.send("go");
        let answer = best_move(&engine.find("==="));
        assert!(["D3", "C4", "F5", "E6"].contains(&answer.as_str()), "{answer}");
    }
}

#[test]
fn a_forced_pass_is_answered_with_pa() {
    let mut engine = after(&["set depth 5", &set_game(BLACK_MUST_PASS), "go"]);
    assert_eq!(engine.line(), "=== PA");
    // The answer has not been played: the GUI tells everyone.
    assert_eq!(engine.ask("go"), "=== PA");
    engine.send("move PA");
    engine.send("go");
    assert_eq!(best_move(&engine.find("===")), "C1");
    engine.send("move C1/64/0.1");
    // The game is over: there is nothing to play, but an answer to wait for.
    engine.find("status");
    assert_eq!(engine.ask("go"), "=== PA");
}

#[test]
fn a_hint_for_a_forced_pass_begins_with_it() {
    let lines = answers(&["set depth 5", &set_game(BLACK_MUST_PASS), "hint 2"]);
    let (first, value, _) = searches(&lines).pop().unwrap();
    assert_eq!((first.as_str(), value), ("PA", -64.0), "{lines:?}");
    let over = format!("{BLACK_MUST_PASS} moves pass c1");
    let lines = answers(&[&set_game(&over), "hint 2"]);
    assert!(searches(&lines).is_empty(), "{lines:?}");
    assert_eq!(lines.last().unwrap(), "status ready");
}

#[test]
fn passes_are_read_in_every_spelling() {
    for pass in ["P", "PA", "pa", "Pas", "PASS", "pass", "--", "PS", "PA//0.5", "pass/1.5/2"] {
        let mut engine = after(&[&set_game(BLACK_MUST_PASS), &format!("move {pass}"), "go"]);
        assert_eq!(best_move(&engine.find("===")), "C1", "{pass}");
    }
    // Version 1 and careless programs: no pass at all.
    let mut engine = after(&[&set_game(BLACK_MUST_PASS), "move c1", "ping 1"]);
    assert_eq!(engine.line(), "pong 1");
}

#[test]
fn a_game_may_end_with_a_pass() {
    let board = format!("BO[8 O*{:-<62} *]", "");
    for (moves, answer) in
        [("", "=== PA"), ("B[PA]", "C1"), ("B[pass//0.1]", "C1"), ("B[--]", "C1")]
    {
        let line = format!("set game (;GM[Othello]PB[a]PW[b]RE[?]TI[15:00]TY[8]{board}{moves};)");
        let mut engine = after(&["set depth 4", &line, "go"]);
        let found = engine.find("===");
        if answer.starts_with("===") {
            assert_eq!(found, answer);
        } else {
            assert_eq!(best_move(&found), answer, "{moves}");
        }
    }
}

#[test]
fn every_position_of_a_game_is_analysed() {
    let mut engine = after(&["set depth 2", &set_game("f5d6c3d3c4f4"), "analyze", "ping 1"]);
    let cut_short = engine.lines_until("pong");
    assert!(cut_short.iter().filter(|line| line.starts_with("analysis ")).count() >= 1);
    engine.send("analyze");
    let mut numbers = Vec::new();
    loop {
        let line = engine.line();
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["analysis", moves, value] => {
                check_decimal(value);
                numbers.push(moves.parse::<usize>().unwrap());
            }
            ["status", "ready"] => break,
            _ => assert!(words[0] == "status", "{line}"),
        }
    }
    numbers.sort_unstable();
    assert_eq!(numbers, [0, 1, 2, 3, 4, 5, 6]);
}

#[test]
fn an_analysis_values_each_position_for_its_mover() {
    let game = format!("{BLACK_MUST_PASS} moves pass c1");
    let lines = answers(&[&set_game(&game), "analyze"]);
    let values: Vec<&String> = lines.iter().filter(|line| line.starts_with("analysis")).collect();
    assert_eq!(values, ["analysis 2 -64.00", "analysis 1 64.00", "analysis 0 -64.00"]);
    let lines = answers(&["set depth 6", &set_game(BLACK_WINS_BY_6), "analyze"]);
    assert!(lines.contains(&"analysis 0 6.00".to_string()), "{lines:?}");
}

#[test]
fn a_ping_ends_an_analysis() {
    let mut engine = after(&["set depth 60", &set_game("f5d6c3d3c4f4f6f3"), "analyze"]);
    engine.send("ping 4");
    let lines = engine.lines_until("pong");
    let analysed = lines.iter().filter(|line| line.starts_with("analysis ")).count();
    assert_eq!(analysed, 1, "{lines:?}");
    assert_eq!(engine.ask("ping 5"), "pong 5");
    assert_eq!(finish(&mut engine), [""; 0]);
}

#[test]
fn learning_is_confirmed() {
    assert_eq!(answers(&["learn"]), ["learned"]);
}

#[test]
fn other_lines_are_ignored_in_silence() {
    let lines = ["", "hello", "set colour red", "GO", "ugi", "ping 1"];
    assert_eq!(answers(&lines), ["pong 1"]);
}

#[test]
fn what_is_wrong_is_a_status_line_and_changes_nothing() {
    let mut engine = after(&["set depth 1"]);
    for (line, error) in [
        ("move a1", "illegal move: a1 flips nothing for black"),
        ("move pass", "illegal move: black has a move and may not pass"),
        ("move x9", "expected a move (a1 to h8, or pass), found 'x9' at column 6"),
        ("set game (;GM[Othello]BO[10 x];)", "expected a board of size 8, found '10' at column 26"),
        ("hint many", "expected a number of moves, found 'many' at column 6"),
    ] {
        assert_eq!(engine.ask(line), format!("status error: {error}"));
    }
    engine.send("go");
    let answer = best_move(&engine.find("==="));
    assert!(["D3", "C4", "F5", "E6"].contains(&answer.as_str()), "{answer}");
}

#[test]
fn the_end_of_input_waits_for_the_answer_and_quit_does_not() {
    let lines = answers(&["set depth 8", "go"]);
    best_move(lines.iter().find(|line| line.starts_with("===")).unwrap());
    let mut engine = after(&["set depth 60", "hint 1"]);
    engine.find("search");
    engine.send("quit");
    assert!(engine.exit_status().success());
    finish(&mut engine);
}

/// A game as reversi-arena runs it: `set game` before `set depth`, and every move to both.
fn arena(opening: &str, passes_are_asked_for: bool) -> (Game, usize) {
    let mut game = parse_game(opening).unwrap();
    let mut engines = [after(&["nboard 2"]), after(&["nboard 2"])];
    for (number, engine) in engines.iter_mut().enumerate() {
        assert_eq!(engine.line(), "set myname outflank");
        engine.send(&set_game(opening));
        engine.send("set depth 1");
        assert_eq!(engine.ask(&format!("ping {number}")), format!("pong {number}"));
    }
    let mut passes = 0;
    while !game.is_over() {
        let forced = game.must_pass();
        passes += usize::from(forced);
        let side = usize::from(game.colour() == Colour::White);
        let answer = if forced && !passes_are_asked_for {
            "PA".to_string()
        } else {
            engines[side].send("go");
            let line = engines[side].find("===");
            let mv = best_move(&line);
            assert_eq!(mv == "PA", forced, "{line}");
            line.replacen("=== ", "", 1)
        };
        let mv = match best_move(&format!("=== {answer}")).as_str() {
            "PA" => Move::Pass,
            name => Move::Place(outflank::board::Square::parse(name).unwrap()),
        };
        game.play(mv).unwrap_or_else(|error| panic!("{answer}: {error}"));
        engines.iter_mut().for_each(|engine| engine.send(&format!("move {answer}")));
    }
    for engine in &mut engines {
        // Both have the same last position: no move was refused.
        engine.send("ping 99");
        let lines = engine.lines_until("pong");
        assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
        assert_eq!(engine.ask("go"), "=== PA");
        engine.send("quit");
        assert!(engine.exit_status().success());
    }
    (game, passes)
}

#[test]
fn whole_games_in_an_arena() {
    let mut passes = 0;
    for (number, opening) in
        ["f5d6c4d3c2b3b4b5", "f5f6d3c5d6c7b5e3", "f5f4e3d2c3e6e1g5", &LONG_GAME[..80]]
            .into_iter()
            .enumerate()
    {
        let (game, passed) = arena(opening, number % 2 == 0);
        assert!(game.is_over());
        passes += passed;
    }
    let (game, passed) = arena(BLACK_MUST_PASS, true);
    assert_eq!(game.outcome().winner(), Some(Colour::White));
    assert!(passes + passed > 0);
}

#[test]
fn names_of_moves_are_in_upper_case() {
    let game = parse_game("f5").unwrap();
    assert_eq!(game.plies().map(|(_, mv)| upper_case(mv)).collect::<Vec<_>>(), ["F5"]);
    assert_eq!(upper_case(Move::Pass), "PA");
}
