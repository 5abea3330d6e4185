//! Properties of the dialect: nothing that can be typed breaks it, and what it prints it reads.

use super::*;
use crate::engine::{Engine, Options};
use crate::game::Move;
use crate::notation::moves::play_transcript;
use crate::protocol::Output;
use proptest::collection::vec;
use proptest::prelude::*;
use std::cell::RefCell;
use std::io::Write;
use std::rc::Rc;
use std::sync::mpsc;

/// Output that the test can read.
#[derive(Clone, Default)]
struct Sink(Rc<RefCell<Vec<u8>>>);

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A core in the middle of a game, and what it writes.
fn core() -> (Core, Sink) {
    let sink = Sink::default();
    let options = Options { threads: 1, hash_mb: 1, ..Options::default() };
    let engine = Engine::new(options).unwrap();
    let mut core = Core::new(engine, Output::to(sink.clone()), mpsc::channel().0);
    core.game = play_transcript(&Game::new(), "f5d6c3").unwrap();
    (core, sink)
}

/// What `line` is answered with if it is an error. Checks that it then changes nothing.
fn error_of(core: &mut Core, sink: &Sink, line: &str) -> Option<String> {
    let error = Ugi.read(line)?.err()?;
    let before = (core.game.clone(), core.engine.options().clone());
    Ugi.execute(core, Err(error)).unwrap();
    assert_eq!(before, (core.game.clone(), core.engine.options().clone()), "{line:?}");
    Some(String::from_utf8(sink.0.take()).unwrap())
}

/// One line, with a column inside the input line or just behind it.
fn check_error(line: &str, text: &str) {
    assert_eq!(text.matches('\n').count(), 1, "{line:?}: {text:?}");
    assert!(text.starts_with("error ") && text.ends_with('\n'), "{line:?}: {text:?}");
    let (_, column) = text.trim_end().rsplit_once(" at column ").unwrap();
    let column: usize = column.parse().unwrap();
    assert!((1..=line.chars().count() + 1).contains(&column), "{line:?}: {text:?}");
}

const GOOD_LINES: [&str; 14] = [
    "ugi",
    "isready",
    "uginewgame",
    "setoption name MultiPV value 3",
    "setoption name Clear Hash",
    "setoption name Weights value some file.bin",
    "position startpos moves f5 d6 c3",
    "position fen 8/8/8/3OX3/3XO3/8/8/8 X moves f5",
    "position fen startpos moves f5 d6 moves c3 d3",
    "go p1time 1000 p2time 1000 p1inc 10 p2inc 10",
    "go depth 8 nodes 1000 movetime 50 selectivity 95 level 3 infinite",
    "query gameover",
    "perft 3 pass-free",
    "help",
];

/// One change to a line.
#[derive(Clone, Debug)]
enum Change {
    Delete(usize),
    Insert(usize, char),
    Repeat(usize, usize),
}

fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (0..80usize).prop_map(Change::Delete),
        (0..80usize, prop_oneof![any::<char>(), prop::char::range(' ', 'z')])
            .prop_map(|(at, c)| Change::Insert(at, c)),
        (0..80usize, 1..20usize).prop_map(|(at, length)| Change::Repeat(at, length)),
    ]
}

fn changed(line: &str, changes: &[Change]) -> String {
    let mut line: Vec<char> = line.chars().collect();
    for change in changes {
        match *change {
            Change::Delete(at) if at < line.len() => drop(line.remove(at)),
            Change::Insert(at, c) => line.insert(at.min(line.len()), c),
            Change::Repeat(at, length) if at + length <= line.len() => {
                let part = line[at..at + length].to_vec();
                line.splice(at..at, part);
            }
            Change::Delete(_) | Change::Repeat(..) => {}
        }
    }
    line.into_iter().filter(|c| *c != '\n').collect()
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
