//! The rules of the GTP dialect, seen from outside: what real clients send, and what traps them.

use crate::rules::{LONG_RUN, RUN_OF_WHITE, WIPE_OUT};
use crate::support::driver::Engine;
use outflank::game::{Colour, Game, Move};
use outflank::notation::moves::{play_transcript, transcript};
use std::time::{Duration, Instant};

/// A client: it sends a command and reads up to the blank line.
struct Client(Engine);

impl Client {
    fn start() -> Client {
        Client(Engine::start())
    }

    /// A client whose engine is quick and strong enough for tests.
    fn quick() -> Client {
        let mut client = Client::start();
        for line in ["setoption name Threads value 1", "setoption name Hash value 1", "set_level 2"]
        {
            // The first line would be taken for UGI's.
            client.say("name");
            client.must(line);
        }
        client
    }

    /// The answer, its lines joined, without the blank line.
    fn say(&mut self, line: &str) -> String {
        self.0.send(line);
        self.answer()
    }

    fn answer(&mut self) -> String {
        let mut lines = vec![self.0.line()];
        assert!(lines[0].starts_with(['=', '?']), "{lines:?}");
        loop {
            let line = self.0.line();
            if line.is_empty() {
                return lines.join("\n");
            }
            lines.push(line);
        }
    }

    /// The text of an answer that must be a success.
    fn must(&mut self, line: &str) -> String {
        let answer = self.say(line);
        let text = answer.strip_prefix('=').unwrap_or_else(|| panic!("{line}: {answer}"));
        text.strip_prefix(' ').unwrap_or(text).to_string()
    }

    /// The text of an answer that must be a failure, one that changes nothing.
    fn refused(&mut self, line: &str) -> String {
        let before = self.must("showboard");
        let answer = self.say(line);
        assert_eq!(self.must("showboard"), before, "{line}");
        answer.strip_prefix("? ").unwrap_or_else(|| panic!("{line}: {answer}")).to_string()
    }

    /// A move must be a square or a pass and nothing else.
    fn gen_move(&mut self, colour: Colour) -> Move {
        let text = self.must(&format!("genmove {colour}"));
        if text == "pass" {
            return Move::Pass;
        }
        assert_eq!(text.len(), 2, "{text}");
        assert_eq!(text, text.to_uppercase());
        Move::Place(outflank::board::Square::parse(&text).unwrap())
    }

    fn play(&mut self, colour: Colour, mv: Move) {
        assert_eq!(self.must(&format!("play {colour} {mv}")), "");
    }

    /// The board as the engine shows it must be that of `game`.
    fn shows(&mut self, game: &Game) {
        let expected: Vec<String> = outflank::notation::diagram::diagram(game)
            .into_iter()
            .chain(outflank::notation::diagram::caption(game))
            .collect();
        let shown = self.must("showboard");
        assert_eq!(shown.trim_start_matches('\n'), expected.join("\n"));
    }

    fn end(mut self) {
        self.0.send("quit");
        assert_eq!(self.answer(), "=");
        assert_eq!(self.0.end_input(), [""; 0]);
        assert!(self.0.exit_status().success());
        assert_eq!(self.0.errors(), "");
    }
}

/// Everything that the program writes when it is given these lines and the end of input.
fn output_of(input: &str) -> String {
    let mut engine = Engine::start_with(&["gtp"]);
    engine.send_raw(input.as_bytes());
    let lines = engine.end_input();
    assert!(engine.exit_status().success());
    assert_eq!(engine.errors(), "");
    lines.iter().map(|line| format!("{line}\n")).collect()
}

#[test]
fn answers_are_framed_as_the_protocol_says() {
    let version = env!("CARGO_PKG_VERSION");
    for (input, output) in [
        ("name\n", "= outflank\n\n".to_string()),
        ("12 version\n", format!("=12 {version}\n\n")),
        ("0 protocol_version\r\n", "=0 2\n\n".into()),
        ("7 foo\n", "?7 unknown command 'foo'\n\n".into()),
        ("\n# comment\n  \n3 clear_board # comment\n\n", "=3\n\n".into()),
        (
            "komi 6.5\nkomi -1e2\nkomi much\n",
            "=\n\n=\n\n? syntax error: expected a number, found 'much'\n\n".into(),
        ),
        ("99\n", "?99 syntax error: expected a command after the number\n\n".into()),
        ("known_command play\nknown_command pley", "= true\n\n= false\n\n".into()),
        ("name now\n", "? syntax error: expected the end of the line, found 'now'\n\n".into()),
        ("quit\nname\n", "=\n\n".into()),
    ] {
        assert_eq!(output_of(input), output, "{input:?}");
    }
}

#[test]
fn every_listed_command_is_known() {
    let mut client = Client::start();
    let list = client.must("list_commands");
    for name in list.lines() {
        assert_eq!(client.must(&format!("known_command {name}")), "true");
    }
    for name in "protocol_version name version known_command list_commands quit boardsize \
        clear_board komi play genmove reg_genmove undo showboard final_score time_settings \
        time_left set_level set_game list_games loadsgf gogui-rules_game_id gogui-rules_board \
        gogui-rules_board_size gogui-rules_legal_moves gogui-rules_side_to_move \
        gogui-rules_final_result gogui-analyze_commands"
        .split_whitespace()
    {
        assert!(list.lines().any(|listed| listed == name), "{name}");
    }
    client.end();
}

/// A whole game between two engines in one style of passing. `passes`: the mover is asked for its
/// pass; `told`: the other one hears of it, and with `both` so does the mover.
fn whole_game(opening: &str, passes: bool, told: bool, both: bool) {
    let (mut black, mut white) = (Client::quick(), Client::quick());
    let mut game = Game::new();
    for client in [&mut black, &mut white] {
        client.must("clear_board");
    }
    for (colour, mv) in play_transcript(&game, opening).unwrap().plies() {
        for client in [&mut black, &mut white] {
            if mv != Move::Pass || told {
                client.play(colour, mv);
            }
        }
        game.play(mv).unwrap();
    }
    while !game.is_over() {
        let colour = game.colour();
        let [mover, other] = match colour {
            Colour::Black => [&mut black, &mut white],
            Colour::White => [&mut white, &mut black],
        };
        let mv = if game.must_pass() && !passes { Move::Pass } else { mover.gen_move(colour) };
        game.play(mv).unwrap();
        if mv != Move::Pass || told {
            other.play(colour, mv);
        }
        if mv == Move::Pass && both {
            mover.play(colour, mv);
        }
    }
    let score = match game.outcome().black_score {
        0 => "0".to_string(),
        black @ 1.. => format!("B+{black}"),
        black => format!("W+{}", -black),
    };
    for mut client in [black, white] {
        if told {
            // Some runners go on with passes until both have passed.
            assert_eq!(client.gen_move(game.colour()), Move::Pass);
            client.play(game.colour().other(), Move::Pass);
        }
        client.shows(&game);
        assert_eq!(client.must("final_score"), score);
        client.end();
    }
}

/// The moves of a transcript without the last few.
fn all_but(transcript: &str, moves: usize) -> &str {
    &transcript[..transcript.len() - 2 * moves]
}

#[test]
fn whole_games_are_played_in_every_style_of_passing() {
    // Openings into the games with the most passes.
    for opening in [all_but(LONG_RUN, 20), all_but(RUN_OF_WHITE, 18), ""] {
        whole_game(opening, true, true, false); // gogui-twogtp
        whole_game(opening, true, true, true); // a battle script
        whole_game(opening, false, false, false); // match-runner, Quarry
    }
}

#[test]
fn passes_are_accepted_where_they_are_right_or_harmless() {
    for style in ["implicit", "explicit", "redundant"] {
        let mut client = Client::start();
        let mut game = Game::new();
        for (colour, mv) in play_transcript(&Game::new(), LONG_RUN).unwrap().plies() {
            game.play(mv).unwrap();
            match (mv, style) {
                (Move::Pass, "implicit") => continue,
                (Move::Pass, "redundant") => client.play(colour, mv),
                _ => {}
            }
            client.play(colour, mv);
        }
        // After the end of the game, from either side.
        client.play(Colour::Black, Move::Pass);
        client.play(Colour::White, Move::Pass);
        client.shows(&game);
        client.end();
    }
}

#[test]
fn passes_are_refused_while_the_side_has_a_move() {
    let mut client = Client::start();
    assert_eq!(client.refused("play b pass"), "illegal move: black has a move and may not pass");
    assert_eq!(client.refused("play w pass"), "illegal move: it is not white's turn");
    client.play(
        Colour::Black,
        play_transcript(&Game::new(), "f5").unwrap().plies().next().unwrap().1,
    );
    assert_eq!(
        client.refused("play white PASS"),
        "illegal move: white has a move and may not pass"
    );
}

#[test]
fn a_colour_out_of_turn_is_refused_while_the_other_side_has_a_move() {
    let mut client = Client::start();
    assert_eq!(client.refused("play w d3"), "illegal move: it is not white's turn");
    assert_eq!(client.refused("genmove w"), "it is not white's turn");
    assert_eq!(client.refused("reg_genmove white"), "it is not white's turn");
    client.end();
}

#[test]
fn a_move_may_be_asked_of_the_side_after_an_implicit_pass() {
    let mut client = Client::quick();
    let long = play_transcript(&Game::new(), LONG_RUN).unwrap();
    let mut game = Game::new();
    for (colour, mv) in long.plies() {
        if mv == Move::Pass {
            break;
        }
        client.play(colour, mv);
        game.play(mv).unwrap();
    }
    let waiting = game.colour();
    let before = client.must("showboard");
    let told = client.must(&format!("reg_genmove {}", waiting.other()));
    assert_eq!((told.len(), client.must("showboard")), (2, before.clone()));
    assert_eq!(client.must(&format!("reg_genmove {waiting}")), "pass");
    assert_eq!(client.must(&format!("genmove {}", waiting.other())).len(), 2);
    // One command, one undo.
    client.must("undo");
    assert_eq!(client.must("showboard"), before);
    assert_eq!(client.must(&format!("genmove {waiting}")), "pass");
    client.play(waiting, Move::Pass);
    client.must("undo");
    client.must("undo");
    assert_eq!(client.must("showboard"), before);
    client.end();
}

#[test]
fn after_the_end_everybody_passes_and_takes_it_back() {
    let mut client = Client::start();
    let game = play_transcript(&Game::new(), WIPE_OUT).unwrap();
    game.plies().for_each(|(colour, mv)| client.play(colour, mv));
    assert_eq!(client.must("final_score"), "B+64");
    assert_eq!(client.must("gogui-rules_final_result"), "B+64");
    assert_eq!(client.must("gogui-rules_legal_moves"), "");
    assert_eq!(client.must("genmove w"), "pass");
    assert_eq!(client.must("genmove b"), "pass");
    assert_eq!(client.must("reg_genmove b"), "pass");
    client.play(Colour::White, Move::Pass);
    for _ in 0..3 {
        client.must("undo");
    }
    client.shows(&game);
    client.must("undo");
    let last = play_transcript(&Game::new(), all_but(WIPE_OUT, 1)).unwrap();
    client.shows(&last);
    assert_eq!(client.refused("final_score"), "cannot score: the game is not over");
    assert_eq!(client.must("gogui-rules_final_result"), "");
    client.end();
}

/// Sends each line and expects each answer; `…` stands for a move.
fn recorded(arguments: &[&str], dialogue: &[(&str, &str)]) {
    let mut client = Client(Engine::start_with(arguments));
    for (line, expected) in dialogue {
        let answer = client.say(line);
        match expected.strip_suffix('…') {
            Some(start) => {
                let mv = answer.strip_prefix(start).unwrap_or_else(|| panic!("{line}: {answer}"));
                assert!(mv.len() == 2 && mv.is_ascii(), "{line}: {answer}");
            }
            None => assert_eq!(answer, *expected, "{line}"),
        }
    }
    client.end();
}

#[test]
fn recorded_gogui_twogtp() {
    let mut client = Client::start();
    assert_eq!(client.must("protocol_version"), "2");
    assert_eq!(client.must("name"), "outflank");
    client.must("version");
    client.must("list_commands");
    client.end();
    recorded(
        &[],
        &[
            ("protocol_version", "= 2"),
            ("boardsize 8", "="),
            ("clear_board", "="),
            ("komi 6.5", "="),
            ("time_settings 1 0 0", "="),
            ("genmove b", "= …"),
            ("undo", "="),
            ("play B F5", "="),
            ("play W D6", "="),
            ("genmove b", "= …"),
            ("final_score", "? cannot score: the game is not over"),
        ],
    );
}

#[test]
fn recorded_match_runner() {
    recorded(
        &[],
        &[
            ("name", "= outflank"),
            ("version", concat!("= ", env!("CARGO_PKG_VERSION"))),
            ("clear_board", "="),
            ("time_settings 1 1 0", "="),
            ("play black f5", "="),
            ("time_left black 1 0", "="),
            ("time_left white 0 0", "="),
            ("genmove white", "= …"),
            ("time_left black 0 0", "="),
            ("time_left white 0 0", "="),
            ("genmove black", "= …"),
        ],
    );
}

#[test]
fn recorded_quarry() {
    recorded(
        &[],
        &[
            ("protocol_version", "= 2"),
            ("name", "= outflank"),
            ("list_games", "= Othello"),
            ("set_game Othello", "="),
            ("set_game Go", "? unknown game, expected Othello"),
            ("boardsize 10", "? unacceptable size"),
            ("boardsize 8", "="),
            ("clear_board", "="),
            ("time_settings 0 1 1", "="),
            ("time_left black 1 1", "="),
            ("genmove black", "= …"),
            ("time_settings 0 5 10", "="),
            ("time_left white 4 9", "="),
            ("genmove white", "= …"),
        ],
    );
}

#[test]
fn recorded_gogui_board_view() {
    recorded(
        &[],
        &[
            ("1 gogui-rules_game_id", "=1 Othello"),
            ("2 gogui-rules_board_size", "=2 8"),
            (
                "3 gogui-rules_board",
                "=3 ........\n........\n........\n...XO...\n...OX...\n........\n........\n........",
            ),
            ("4 gogui-rules_legal_moves", "=4 D3 C4 F5 E6"),
            ("5 gogui-rules_side_to_move", "=5 black"),
            ("6 gogui-rules_final_result", "=6"),
            ("7 play b F5", "=7"),
            ("8 gogui-rules_side_to_move", "=8 white"),
            (
                "9 gogui-rules_board",
                "=9 ........\n........\n........\n...XXX..\n...OX...\n........\n........\n........",
            ),
            ("10 undo", "=10"),
            ("11 gogui-rules_side_to_move", "=11 black"),
            (
                "12 gogui-analyze_commands",
                "=12 gfx/Move Values/outflank-move_values\ngfx/Best Line/outflank-best_line",
            ),
        ],
    );
}

#[test]
fn analysis_is_drawn_for_every_move_and_changes_nothing() {
    let mut client = Client::quick();
    let before = client.must("showboard");
    let values = client.must("outflank-move_values");
    let (labels, text) = values.split_once('\n').unwrap();
    let words: Vec<&str> = labels.split(' ').collect();
    assert_eq!((words[0], words.len()), ("LABEL", 9), "{labels}");
    for pair in words[1..].chunks(2) {
        assert!(["D3", "C4", "F5", "E6"].contains(&pair[0]), "{labels}");
        let value: f64 = pair[1].parse().unwrap();
        assert!(value.abs() <= 64.0 && pair[1].starts_with(['+', '-']), "{labels}");
    }
    assert_eq!(text, "TEXT discs for black, depth 2");
    let line = client.must("outflank-best_line");
    assert!(line.starts_with("VAR b ") && line.contains(" w "), "{line}");
    assert!(
        line.contains("\nTEXT ") && line.ends_with(" discs for black, depth 2, 100 %"),
        "{line}"
    );
    assert_eq!(client.must("showboard"), before);
    client.end();
}

#[test]
fn bad_arguments_are_one_line_and_change_nothing() {
    let mut client = Client::start();
    client.must("name");
    for (line, error) in [
        ("play", "syntax error: expected a colour (black or white), found the end of the line"),
        ("play green f5", "syntax error: expected a colour (black or white), found 'green'"),
        ("play b", "syntax error: expected a move (a1 to h8, or pass), found the end of the line"),
        ("play b i9", "syntax error: expected a move (a1 to h8, or pass), found 'i9'"),
        ("play b f55", "syntax error: expected a move (a1 to h8, or pass), found 'f55'"),
        ("play b f5 now", "syntax error: expected the end of the line, found 'now'"),
        ("play b d4", "illegal move: d4 is occupied"),
        ("play b a1", "illegal move: a1 flips nothing for black"),
        ("genmove", "syntax error: expected a colour (black or white), found the end of the line"),
        ("boardsize", "syntax error: expected a size, found the end of the line"),
        ("boardsize 19", "unacceptable size"),
        ("boardsize big", "syntax error: expected a size, found 'big'"),
        ("undo", "cannot undo"),
        ("set_level 0", "syntax error: expected a level (1 to 60), found '0'"),
        ("set_level 61", "syntax error: expected a level (1 to 60), found '61'"),
        ("time_settings 60", "syntax error: expected a time in seconds, found the end of the line"),
        ("time_settings 60 0 x", "syntax error: expected a number of moves, found 'x'"),
        ("time_left b", "syntax error: expected a time in seconds, found the end of the line"),
        ("setoption name Ponder value true", "syntax error: unknown option 'Ponder'"),
        ("loadsgf", "syntax error: expected the name of a file, found the end of the line"),
        ("loadsgf no/such/file", "cannot load file: No such file or directory (os error 2)"),
        ("known_command", "syntax error: expected a command, found the end of the line"),
        ("Genmove b", "unknown command 'Genmove'"),
        ("go depth 3", "unknown command 'go'"),
    ] {
        assert_eq!(client.refused(line), error, "{line}");
    }
    client.end();
}

#[test]
fn a_file_is_loaded_up_to_a_move() {
    let path = std::env::temp_dir().join(format!("outflank-{}.sgf", std::process::id()));
    std::fs::write(&path, "(;GM[2]SZ[8]PB[a b]\n;B[f5];W[d6];B[c3];W[d3])\n").unwrap();
    let mut client = Client::start();
    for (argument, moves) in [("", "f5d6c3d3"), (" 1", ""), (" 3", "f5d6"), (" 99", "f5d6c3d3")] {
        client.must(&format!("loadsgf {}{argument}", path.display()));
        client.shows(&play_transcript(&Game::new(), moves).unwrap());
    }
    client.must("undo");
    client.shows(&play_transcript(&Game::new(), "f5d6c3").unwrap());
    std::fs::write(&path, "(;GM[2]\n;B[f5];W[a1])").unwrap();
    let error = client.refused(&format!("loadsgf {}", path.display()));
    assert_eq!(
        error,
        "cannot load file: illegal move: a1 flips nothing for white at column 10 of line 2"
    );
    std::fs::remove_file(&path).unwrap();
    client.end();
}

#[test]
fn every_time_setting_is_kept_and_zero_seconds_are_a_move_at_once() {
    let mut client = Client::quick();
    client.must("set_level 60");
    for (settings, left, most) in [
        ("60 0 0", "0 0", 0.5),
        ("1 0 0", "1 0", 1.0),
        ("0 1 0", "0 0", 1.0),
        ("0 1 1", "1 1", 1.0),
        ("5 1 0", "0 0", 0.5),
        ("0 5 10", "1 8", 1.0),
        ("1 1 5", "0 0", 1.0),
        ("99999999999999999999 0 0", "0 0", 0.5),
    ] {
        client.must("clear_board");
        client.must(&format!("time_settings {settings}"));
        client.must(&format!("time_left black {left}"));
        let asked = Instant::now();
        client.gen_move(Colour::Black);
        // A busy machine is forgiven a little.
        let most = Duration::from_secs_f64(most + 0.5);
        assert!(asked.elapsed() < most, "{settings}, {left}: {:?}", asked.elapsed());
    }
    client.end();
}

#[test]
fn a_clock_that_nobody_tells_runs_all_the_same() {
    let mut client = Client::quick();
    client.must("set_level 60");
    client.must("time_settings 1 0 0");
    let started = Instant::now();
    let mut game = Game::new();
    while !game.is_over() {
        let mv = client.gen_move(game.colour());
        game.play(mv).unwrap();
    }
    // Both sides had a second.
    assert!(started.elapsed() < Duration::from_millis(2_500), "{:?}", started.elapsed());
    client.end();
}

#[test]
fn commands_wait_for_the_search_in_order() {
    let mut client = Client::quick();
    client.must("set_level 8");
    client.0.send_raw(b"1 genmove b\n2 gogui-rules_side_to_move\n3 genmove w\n4 name\n");
    assert!(client.answer().starts_with("=1 "));
    assert_eq!(client.answer(), "=2 white");
    assert!(client.answer().starts_with("=3 "));
    assert_eq!(client.answer(), "=4 outflank");
    client.end();
}

#[test]
fn quit_ends_a_search_at_once_and_every_command_is_answered() {
    let mut client = Client::start();
    client.must("set_level 60");
    client.0.send("1 genmove b");
    std::thread::sleep(Duration::from_millis(200));
    let asked = Instant::now();
    client.0.send_raw(b"2 genmove w\n3 showboard\n4 quit\n5 name\n");
    let answers: Vec<String> = (0..4).map(|_| client.answer()).collect();
    assert!(answers[0].starts_with("=1 ") && answers[0].len() == 5, "{answers:?}");
    assert_eq!(answers[1], "?2 not done, since quit came first");
    assert_eq!(answers[2], "?3 not done, since quit came first");
    assert_eq!(answers[3], "=4");
    assert!(client.0.exit_status().success());
    assert_eq!(client.0.end_input(), [""; 0]);
    assert!(asked.elapsed() < Duration::from_secs(2), "{:?}", asked.elapsed());
}

#[test]
fn at_the_end_of_input_everything_asked_is_answered() {
    let output = output_of("set_level 3\n1 genmove b\n2 genmove w\n3 gogui-rules_side_to_move\n");
    assert!(output.starts_with("=\n\n=1 "), "{output:?}");
    assert!(output.ends_with("\n\n=3 black\n\n"), "{output:?}");
    assert_eq!(output_of(""), "");
}

#[test]
fn the_first_line_decides_unless_an_argument_does() {
    for (arguments, line, start) in [
        (&[][..], "name", "= outflank"),
        (&[], "\n\n  3 name", "=3 outflank"),
        (&[], "# hello\nname", "= outflank"),
        (&[], "isready\nname", "readyok"),
        (&[], "nonsense", "error unknown command 'nonsense' at column 1"),
        (&[], "quit", "="),
        (&[], "\n nboard 2\nname", "set myname outflank"),
        (&["gtp"], "isready", "? unknown command 'isready'"),
        (&["gtp"], "setoption name Threads value 1", "="),
        (&["gtp"], "nboard 2", "? unknown command 'nboard'"),
        (&["ugi"], "name", "error unknown command 'name' at column 1"),
        (&["ugi"], "nboard 2", "error unknown command 'nboard' at column 1"),
        (&["nboard"], "name\nping 1", "pong 1"),
    ] {
        let mut engine = Engine::start_with(arguments);
        engine.send(line);
        assert_eq!(engine.line(), start, "{arguments:?} {line:?}");
        engine.end_input();
        assert!(engine.exit_status().success());
    }
    let mut engine = Engine::start_with(&["ugi"]);
    engine.send("quit");
    assert!(engine.exit_status().success());
    assert_eq!(engine.end_input(), [""; 0]);
}

#[test]
fn overlong_lines_and_bytes_that_are_no_text_are_one_error() {
    let mut client = Client::start();
    client.must("name");
    client.0.send_raw(&vec![b'x'; (16 << 20) + 1_000]);
    client.0.send_raw(b"\nplay \xff\xfe f5\nplay b f5\r\n");
    assert_eq!(client.answer(), "? the line is too long, its rest is ignored");
    let answer = client.answer();
    assert!(answer.starts_with("? syntax error: ") && answer.is_ascii(), "{answer}");
    assert_eq!(client.answer(), "=");
    client.shows(&play_transcript(&Game::new(), "f5").unwrap());
    client.end();
}

#[test]
fn a_long_paste_is_answered_line_by_line() {
    let mut client = Client::start();
    let game = play_transcript(&Game::new(), LONG_RUN).unwrap();
    let mut script = String::new();
    for _ in 0..100 {
        script.push_str("clear_board\n");
        for (colour, mv) in game.plies() {
            script.push_str(&format!("play {colour} {mv}\n"));
        }
    }
    client.0.send_raw(script.as_bytes());
    for _ in 0..script.lines().count() {
        assert_eq!(client.answer(), "=");
    }
    client.shows(&game);
    assert_eq!(transcript(&game), LONG_RUN);
    client.end();
}
