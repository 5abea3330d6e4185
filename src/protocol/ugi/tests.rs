//! Properties of the dialect: nothing that can be typed breaks it, and what it prints it reads.

use super::*;
use crate::game::Move;
use crate::protocol::testing::{Sink, change, changed, core};
use proptest::collection::vec;
use proptest::prelude::*;

/// What `line` is answered with if it is an error. Checks that it then changes nothing.
fn error_of(core: &mut Core, sink: &Sink, line: &str) -> Option<String> {
    let error = Ugi.read(line)?.err()?;
    let before = (core.game.clone(), core.engine.options().clone());
    Ugi.execute(core, Err(error)).unwrap();
    assert_eq!(before, (core.game.clone(), core.engine.options().clone()), "{line:?}");
    Some(sink.take())
}

/// One line, with a column inside the input line or just behind it.
fn check_error(line: &str, text: &str) {
    assert_eq!(text.matches('\n').count(), 1, "{line:?}: {text:?}");
    assert!(text.starts_with("error ") && text.ends_with('\n'), "{line:?}: {text:?}");
    let (_, column) = text.trim_end().rsplit_once(" at column ").unwrap();
    let column: usize = column.parse().unwrap();
    assert!((1..=line.chars().count() + 1).contains(&column), "{line:?}: {text:?}");
}

const GOOD_LINES: [&str; 13] = [
    "ugi",
    "isready",
    "uginewgame",
    "setoption name MultiPV value 3",
    "setoption name Clear Hash",
    "position startpos moves f5 d6 c3",
    "position fen 8/8/8/3OX3/3XO3/8/8/8 X moves f5",
    "position fen startpos moves f5 d6 moves c3 d3",
    "go p1time 1000 p2time 1000 p1inc 10 p2inc 10",
    "go depth 8 nodes 1000 movetime 50 selectivity 95 level 3 infinite",
    "query gameover",
    "perft 3 pass-free",
    "help",
];

proptest! {
    #[test]
    fn random_bytes_are_never_more_than_an_error(bytes in vec(any::<u8>(), 0..200)) {
        let (mut core, sink) = core();
        let line = String::from_utf8_lossy(&bytes).replace('\n', " ");
        if let Some(text) = error_of(&mut core, &sink, &line) {
            check_error(&line, &text);
        }
    }

    #[test]
    fn damaged_commands_are_never_more_than_an_error(
        line in prop::sample::select(GOOD_LINES.to_vec()),
        changes in vec(change(), 1..5),
    ) {
        let (mut core, sink) = core();
        let line = changed(line, &changes);
        if let Some(text) = error_of(&mut core, &sink, &line) {
            check_error(&line, &text);
        }
    }

    #[test]
    fn a_printed_game_is_read_back(choices in vec(any::<prop::sample::Index>(), 0..70)) {
        let mut game = Game::new();
        for choice in choices {
            let moves: Vec<_> = game.board().moves().into_iter().collect();
            let mv = if moves.is_empty() { Move::Pass } else { Move::Place(*choice.get(&moves)) };
            if game.play(mv).is_err() {
                break;
            }
        }
        let lines = reply::board(&game);
        let find = |start| lines.iter().find_map(|line| line.strip_prefix(start)).unwrap();
        let moves = find("moves: ").replace("none", "");
        let by_moves = read_position(&format!("position startpos moves {moves}"));
        prop_assert_eq!(&by_moves, &game);
        let by_board = read_position(&format!("position board {}", find("position: ")));
        prop_assert_eq!((by_board.board(), by_board.colour()), (game.board(), game.colour()));
    }
}

fn read_position(line: &str) -> Game {
    match Ugi.read(line) {
        Some(Ok(Command::Position(game))) => game,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn undamaged_commands_are_all_read() {
    for line in GOOD_LINES {
        assert!(matches!(Ugi.read(line), Some(Ok(_))), "{line}");
    }
    for line in ["", "  ", "\t\r"] {
        assert!(Ugi.read(line).is_none());
    }
}
