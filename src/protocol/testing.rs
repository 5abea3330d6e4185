//! What the tests of the dialects share: a session's core without a client, damaged lines.

use super::{Core, Output};
use crate::engine::{Engine, Options};
use crate::game::Game;
use crate::notation::moves::play_transcript;
use proptest::prelude::*;
use std::cell::RefCell;
use std::io::{self, Write};
use std::rc::Rc;
use std::sync::mpsc;

/// Output that the test can read.
#[derive(Clone, Default)]
pub struct Sink(Rc<RefCell<Vec<u8>>>);

impl Sink {
    /// What has been written since the last call.
    pub fn take(&self) -> String {
        String::from_utf8(self.0.take()).unwrap()
    }
}

impl Write for Sink {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A core in the middle of a game, and what it writes.
pub fn core() -> (Core, Sink) {
    let sink = Sink::default();
    let options = Options { threads: 1, hash_mb: 1, ..Options::default() };
    let engine = Engine::new(options).unwrap();
    let mut core = Core::new(engine, Output::to(sink.clone()), mpsc::channel().0);
    core.game = play_transcript(&Game::new(), "f5d6c3").unwrap();
    (core, sink)
}

/// One change to a line.
#[derive(Clone, Debug)]
pub enum Change {
    Delete(usize),
    Insert(usize, char),
    Repeat(usize, usize),
}

/// Any change.
pub fn change() -> impl Strategy<Value = Change> {
    prop_oneof![
        (0..80usize).prop_map(Change::Delete),
        (0..80usize, prop_oneof![any::<char>(), prop::char::range(' ', 'z')])
            .prop_map(|(at, c)| Change::Insert(at, c)),
        (0..80usize, 1..20usize).prop_map(|(at, length)| Change::Repeat(at, length)),
    ]
}

/// The line after these changes.
pub fn changed(line: &str, changes: &[Change]) -> String {
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
