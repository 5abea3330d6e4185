//! What must happen in time. These tests run one after another, though not alone on the machine:
//! a slow moment is forgiven a few times, since what counts is that the engine can be in time.

use crate::rules::LONG_RUN;
use crate::support::driver;
use crate::support::searching::{engine, search};
use outflank::engine::{Engine, Event};
use outflank::game::{Game, Move};
use outflank::notation::moves::play_transcript;
use outflank::notation::position::parse_position;
use outflank::search::{Bound, Limits};
use std::sync::{Mutex, MutexGuard, mpsc};
use std::time::{Duration, Instant};

static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());

fn alone() -> MutexGuard<'static, ()> {
    ONE_AT_A_TIME.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// The best of five tries.
fn quickest(mut attempt: impl FnMut() -> Duration) -> Duration {
    (0..5).map(|_| attempt()).min().unwrap()
}

/// FFO #55, 29 empties: minutes of work.
fn long_solve() -> Game {
    parse_position("--------X-X------XXXXOOOOOXOXX--OOOXXXX-OOXXXX--O-OOOX-----OO--- O").unwrap()
}

#[test]
fn a_time_for_a_move_is_kept() {
    let _alone = alone();
    let mut engine = engine(cores(), 16);
    for millis in [20, 100, 300] {
        let limits = Limits { time: Some(Duration::from_millis(millis)), ..Limits::default() };
        let time = quickest(|| {
            engine.clear();
            search(&mut engine, &long_solve(), limits.clone()).0.time
        });
        assert!(time <= Duration::from_millis(millis + 5), "{millis}: {time:?}");
        assert!(time >= Duration::from_millis(millis / 2), "{millis}: {time:?}");
    }
}

/// Time from the stop to the answer, of a search that has run for a while.
fn answer_to_stop(engine: &mut Engine, pause: Duration) -> Duration {
    let (sender, events) = mpsc::channel();
    let running = engine
        .go(&long_solve(), Limits::default(), move |event| sender.send(event).unwrap())
        .unwrap();
    std::thread::sleep(pause);
    let stopped = Instant::now();
    running.stop();
    let mut last = None;
    for event in events {
        match event {
            Event::Info(info) if info.bound == Bound::Exact => last = info.pv.first().copied(),
            Event::Info(_) => {}
            Event::Done(report) => {
                assert_eq!(report.best, last, "the move of the last completed iteration");
                break;
            }
        }
    }
    stopped.elapsed()
}

#[test]
fn a_stop_is_answered_within_20_milliseconds_also_in_a_long_solve_with_all_threads() {
    let _alone = alone();
    let mut engine = engine(cores(), 64);
    for pause in [1, 30, 150, 400, 800].map(Duration::from_millis) {
        let time = quickest(|| answer_to_stop(&mut engine, pause));
        assert!(time <= Duration::from_millis(20), "after {pause:?}: {time:?}");
    }
}

#[test]
fn an_infinite_search_answers_only_when_stopped() {
    let _alone = alone();
    let game = parse_position("XXXXX---XXXXX---XXXXXO--XXXXXO--XXXXXOO-XXXXXOXXXOOOOXXXO-O-XXXX X")
        .unwrap();
    let mut engine = engine(1, 4);
    let (sender, events) = mpsc::channel();
    let limits = Limits { infinite: true, ..Limits::default() };
    let running = engine.go(&game, limits, move |event| sender.send(event).unwrap()).unwrap();
    let solved = events.iter().find(|event| matches!(event, Event::Info(info) if info.solved));
    assert!(solved.is_some());
    let early = events.recv_timeout(Duration::from_millis(150));
    assert_eq!(early, Err(mpsc::RecvTimeoutError::Timeout));
    running.stop();
    assert!(matches!(events.recv_timeout(Duration::from_millis(100)), Ok(Event::Done(_))));
}

/// What both sides have left of `millis` at the end of a game of the program against itself, as a
/// client measures it; `None` if one of them has lost on time.
fn left_after_a_game(millis: u64) -> Option<[Duration; 2]> {
    let mut engine = driver::Engine::after(&["uginewgame", "isready"]);
    engine.find("readyok");
    let mut left = [Duration::from_millis(millis); 2];
    let mut game = Game::new();
    while !game.is_over() {
        let moves: String = game.plies().map(|(_, mv)| format!(" {mv}")).collect();
        engine.send(&format!("position startpos moves{moves}"));
        let [p1time, p2time] = left.map(|left| left.as_millis());
        let asked = Instant::now();
        engine.send(&format!("go p1time {p1time} p2time {p2time}"));
        let answer = engine.find("bestmove");
        let clock = &mut left[game.colour() as usize];
        *clock = clock.checked_sub(asked.elapsed())?;
        game = play_transcript(&game, answer.trim_start_matches("bestmove ")).unwrap();
    }
    Some(left)
}

#[test]
fn no_game_is_lost_on_time_and_most_of_the_time_is_used() {
    let _alone = alone();
    let in_time = (0..5).any(|_| left_after_a_game(100).is_some());
    assert!(in_time, "100 ms a game");
    let used = (0..5).any(|_| {
        let left = left_after_a_game(2_000);
        left.is_some_and(|left| left.iter().all(|left| *left < Duration::from_millis(500)))
    });
    assert!(used, "2 s a game");
}

#[test]
fn a_thousand_gtp_moves_cost_less_than_50_milliseconds() {
    let _alone = alone();
    let game = play_transcript(&Game::new(), LONG_RUN).unwrap();
    let moves = game.plies().filter(|(_, mv)| *mv != Move::Pass);
    let plays: Vec<String> = moves.map(|(colour, mv)| format!("play {colour} {mv}\n")).collect();
    let mut script = String::new();
    let mut count = 0;
    while count < 1_000 {
        script.push_str("clear_board\n");
        script.extend(plays.iter().map(String::as_str));
        count += plays.len();
    }
    script.push_str("name\n");
    let mut engine = driver::Engine::after(&["name"]);
    engine.find("=");
    let time = quickest(|| {
        let sent = Instant::now();
        engine.send_raw(script.as_bytes());
        while engine.line() != "= outflank" {}
        sent.elapsed()
    });
    assert!(time < Duration::from_millis(50), "{time:?}");
}
