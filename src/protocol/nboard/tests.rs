//! Properties of the dialect: nothing that can be typed breaks it, and errors change nothing.

use super::*;
use crate::notation::forms::Form;
use crate::notation::testing::any_game;
use crate::protocol::testing::{Sink, change, changed, core};
use proptest::collection::vec;
use proptest::prelude::*;

const GOOD_LINES: [&str; 14] = [
    "nboard 2",
    "set depth 12",
    "set contempt -50",
    "set game (;GM[Othello]PB[a]PW[b]RE[?]BO[8 ---------------------------O*------*O--------------------------- *]B[F5/1.20/3.4]W[F6//2];)",
    "set game (;GM[Othello]BO[8 O*-------------------------------------------------------------- *]B[PA];)",
    "move F5/1.20/3.4",
    "move PA",
    "hint 3",
    "go",
    "ping 7",
    "setoption name Book Randomness value 50",
    "learn",
    "analyze",
    "quit",
];

/// What `line` is answered with if it is an error. Checks that it then changes nothing.
fn error_of(core: &mut Core, sink: &Sink, line: &str) -> Option<String> {
    let mut nboard = Nboard::default();
    let error = nboard.read(line)?.err()?;
    let before = (core.game.clone(), core.engine.options().clone());
    nboard.execute(core, Err(error)).unwrap();
    assert_eq!(before, (core.game.clone(), core.engine.options().clone()), "{line:?}");
    Some(sink.take())
}

/// One line, with a column inside the input line or just behind it.
fn check_error(line: &str, text: &str) {
    assert_eq!(text.matches('\n').count(), 1, "{line:?}: {text:?}");
    assert!(text.starts_with("status error: ") && text.ends_with('\n'), "{line:?}: {text:?}");
    let (_, column) = text.trim_end().rsplit_once(" at column ").unwrap();
    let column: usize = column.parse().unwrap();
    assert!((1..=line.chars().count() + 1).contains(&column), "{line:?}: {text:?}");
}

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
    fn every_game_can_be_set(game in any_game()) {
        let (mut core, sink) = core();
        let mut nboard = Nboard::default();
        let line = format!("set game {}", Form::Ggf.write(&game).unwrap());
        let command = nboard.read(&line).unwrap();
        nboard.execute(&mut core, command).unwrap();
        prop_assert_eq!(sink.take(), "");
        prop_assert_eq!(&core.game, &game);
        prop_assert_eq!(positions(&game).len(), game.plies().len() + 1);
        prop_assert_eq!(positions(&game).pop(), Some(game));
    }
}

#[test]
fn undamaged_commands_are_all_read() {
    for line in GOOD_LINES {
        assert!(matches!(Nboard::default().read(line), Some(Ok(_))), "{line}");
    }
}

#[test]
fn an_illegal_move_is_refused_and_changes_nothing() {
    let (mut core, sink) = core();
    let before = core.game.clone();
    let mut nboard = Nboard::default();
    for line in ["move a1", "move pass", "move f5"] {
        let command = nboard.read(line).unwrap();
        nboard.execute(&mut core, command).unwrap();
        assert!(sink.take().starts_with("status error: illegal move: "), "{line}");
        assert_eq!(core.game, before, "{line}");
    }
}
