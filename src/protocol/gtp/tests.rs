//! Properties of the dialect: nothing that can be typed breaks it, and every line is answered once.

use super::*;
use crate::notation::moves::play_transcript;
use crate::protocol::testing::{Sink, change, changed, core};
use proptest::collection::vec;
use proptest::prelude::*;

/// What `line` is answered with. A search that it starts is not waited for: `None`.
fn answer(gtp: &mut Gtp, core: &mut Core, sink: &Sink, line: &str) -> Option<String> {
    let request = gtp.read(line)?;
    gtp.execute(core, request).unwrap();
    let text = sink.take();
    (!text.is_empty()).then_some(text)
}

/// One answer: a mark and the number, then text without blank lines, then a blank line.
fn check_frame(line: &str, text: &str) {
    assert!(text.starts_with(['=', '?']), "{line:?}: {text:?}");
    assert!(text.ends_with("\n\n"), "{line:?}: {text:?}");
    assert_eq!(text.matches("\n\n").count(), 1, "{line:?}: {text:?}");
    if text.starts_with('?') {
        assert_eq!(text.matches('\n').count(), 2, "an error of one line: {line:?}: {text:?}");
    }
    assert!(text.chars().all(|c| c == '\n' || !c.is_control()), "{line:?}: {text:?}");
}

const GOOD_LINES: [&str; 24] = [
    "protocol_version",
    "12 name",
    "known_command genmove",
    "list_commands",
    "list_games",
    "set_game Othello",
    "boardsize 8",
    "clear_board",
    "komi 6.5",
    "play white D3",
    "play w e3 # a comment",
    "undo",
    "showboard",
    "time_settings 60 0 0",
    "time_settings 0 300 10",
    "time_left black 15 1",
    "time_left w 0 0",
    "set_level 3",
    "setoption name Move Overhead value 50",
    "gogui-rules_board",
    "gogui-rules_legal_moves",
    "gogui-rules_final_result",
    "7 gogui-rules_side_to_move",
    "gogui-analyze_commands",
];

proptest! {
    #[test]
    fn random_bytes_are_answered_once(bytes in vec(any::<u8>(), 0..200)) {
        let ((mut core, sink), mut gtp) = (core(), Gtp::default());
        let line = String::from_utf8_lossy(&bytes).replace('\n', " ");
        if let Some(text) = answer(&mut gtp, &mut core, &sink, &line) {
            check_frame(&line, &text);
        }
    }

    #[test]
    fn damaged_commands_are_answered_once(
        line in prop::sample::select(GOOD_LINES.to_vec()),
        changes in vec(change(), 1..5),
    ) {
        let ((mut core, sink), mut gtp) = (core(), Gtp::default());
        let line = changed(line, &changes);
        let before = core.game.clone();
        match answer(&mut gtp, &mut core, &sink, &line) {
            Some(text) => {
                check_frame(&line, &text);
                prop_assert!(text.starts_with('=') || core.game == before, "{line:?}: {text:?}");
            }
            None => prop_assert!(core.game == before),
        }
    }

    #[test]
    fn games_are_undone_as_often_as_they_are_played(
        choices in vec((any::<prop::sample::Index>(), any::<bool>(), any::<bool>()), 0..90),
    ) {
        let ((mut core, sink), mut gtp) = (core(), Gtp::default());
        answer(&mut gtp, &mut core, &sink, "clear_board");
        let mut before = Vec::new();
        for (choice, send_pass, repeat_pass) in choices {
            let mut colour = core.game.colour();
            let mut lines = Vec::new();
            if core.game.must_pass() || core.game.is_over() {
                let pass = format!("play {colour} pass");
                lines.extend(send_pass.then(|| pass.clone()));
                lines.extend((send_pass && repeat_pass).then_some(pass));
                colour = colour.other();
            }
            let mut game = core.game.clone();
            if game.give_turn_to(colour).is_ok() {
                let moves: Vec<_> = game.board().moves().into_iter().collect();
                lines.push(format!("play {colour} {}", choice.get(&moves)));
            }
            for line in lines {
                before.push(core.game.clone());
                let text = answer(&mut gtp, &mut core, &sink, &line).unwrap();
                prop_assert_eq!(text, "=\n\n", "{}", line);
            }
        }
        while let Some(earlier) = before.pop() {
            prop_assert_eq!(answer(&mut gtp, &mut core, &sink, "undo").unwrap(), "=\n\n");
            prop_assert_eq!(&core.game, &earlier);
        }
        let text = answer(&mut gtp, &mut core, &sink, "undo").unwrap();
        prop_assert_eq!(text, "? cannot undo\n\n");
    }
}

#[test]
fn undamaged_commands_are_all_carried_out() {
    let ((mut core, sink), mut gtp) = (core(), Gtp::default());
    for line in GOOD_LINES {
        let text = answer(&mut gtp, &mut core, &sink, line).unwrap();
        check_frame(line, &text);
        let legal = !line.starts_with("play w e3");
        assert_eq!(text.starts_with('='), legal, "{line}: {text}");
        core.game = play_transcript(&Game::new(), "f5d6c3").unwrap();
    }
    for line in ["", "  ", "\t\r", "# play b f5", "  #"] {
        assert!(gtp.read(line).is_none(), "{line:?}");
    }
}

#[test]
fn tabs_are_blanks_and_other_control_characters_nothing() {
    let ((mut core, sink), mut gtp) = (core(), Gtp::default());
    for line in ["5\tplay\twhite\td3", "5 pl\u{1}ay white d\u{7f}3\r", "  5  play  W  D3  # x"] {
        core.game = play_transcript(&Game::new(), "f5d6c3").unwrap();
        let text = answer(&mut gtp, &mut core, &sink, line).unwrap();
        assert_eq!(text, "=5\n\n", "{line:?}");
    }
}

#[test]
fn an_analysis_leaves_the_options_as_they_were() {
    let ((mut core, sink), mut gtp) = (core(), Gtp::default());
    let options = core.engine.options().clone();
    assert_eq!(answer(&mut gtp, &mut core, &sink, "outflank-move_values"), None);
    assert_ne!(core.engine.options(), &options);
    let report =
        Report { best: Some(Move::Pass), lines: Vec::new(), nodes: 0, time: Default::default() };
    gtp.done(&mut core, &report).unwrap();
    assert_eq!(core.engine.options(), &options);
}
