//! Searches that a test waits for.

use outflank::engine::{Engine, Event, Options};
use outflank::game::Game;
use outflank::search::{Info, Limits, Report};
use std::sync::mpsc;

/// An engine with this many threads and MiB of table.
pub fn engine(threads: usize, hash_mb: usize) -> Engine {
    Engine::new(Options { threads, hash_mb, level: 60, ..Options::default() }).unwrap()
}

/// Searches and waits for the answer; also returns what was reported on the way.
pub fn search(engine: &mut Engine, game: &Game, limits: Limits) -> (Report, Vec<Info>) {
    let (sender, events) = mpsc::channel();
    let _search = engine.go(game, limits, move |event| sender.send(event).unwrap()).unwrap();
    let mut infos = Vec::new();
    for event in events {
        match event {
            Event::Info(info) => infos.push(info),
            Event::Done(report) => return (report, infos),
        }
    }
    panic!("the search gave no answer");
}

/// Solves a position to the end.
pub fn solve(engine: &mut Engine, game: &Game) -> Report {
    search(engine, game, Limits::default()).0
}
