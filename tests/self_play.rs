//! The engine plays itself over the UGI protocol, and a referee without the engine's code checks
//! every move, pass, end and result.
//!
//! `OUTFLANK_GAMES` sets the number of games (a few by default, so that the suite stays short);
//! `OUTFLANK_GAMES=1000 cargo test --release plays_itself -- --nocapture` is the long run.

use crate::support::Random;
use crate::support::driver::Engine;
use crate::support::slow_rules::{Disc, Position};
use std::env;
use std::num::NonZero;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

const DEFAULT_GAMES: u64 = 6;
const MOVE_TIME_MS: u32 = 10;

/// How a client writes the passes of `position startpos moves …`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Passes {
    Written,
    /// Left out as soon as a move follows that shows that there was a pass.
    LeftOut,
}

#[derive(Default, Debug)]
struct Summary {
    games: u64,
    plies: u64,
    passes: u64,
    ends_with_empties: u64,
    black_wins: u64,
    white_wins: u64,
    draws: u64,
}

/// One game in progress: what the engine is told and what the referee knows.
struct Match {
    position: Position,
    moves: Vec<String>,
    passes: Passes,
    number_of_passes: u64,
}

impl Match {
    /// A game after 6 to 8 random plies.
    fn new(seed: u64) -> Match {
        let passes = if seed.is_multiple_of(2) { Passes::Written } else { Passes::LeftOut };
        let mut game =
            Match { position: Position::start(), moves: Vec::new(), passes, number_of_passes: 0 };
        let mut random = Random::new(seed);
        for _ in 0..6 + random.below(3) {
            let moves = game.position.moves();
            if moves.is_empty() {
                break;
            }
            game.play(&random.pick(&moves).to_string()).unwrap();
        }
        game
    }

    /// `position startpos moves …` for the position on the board.
    fn command(&self) -> String {
        let mut moves: Vec<&str> = self.moves.iter().map(String::as_str).collect();
        if self.passes == Passes::LeftOut {
            let last = moves.pop();
            moves.retain(|&mv| mv != "pass");
            moves.extend(last);
        }
        if moves.is_empty() {
            "position startpos".to_string()
        } else {
            format!("position startpos moves {}", moves.join(" "))
        }
    }

    /// Plays a move if the rules allow it, and says otherwise why not.
    fn play(&mut self, mv: &str) -> Result<(), String> {
        if mv == "pass" {
            if !self.position.must_pass() {
                return Err(format!("it passes but may not: {:?}", self.position));
            }
            self.position.pass();
            self.number_of_passes += 1;
        } else if self.position.play(mv.parse()?).is_empty() {
            return Err(format!("its move {mv} is illegal: {:?}", self.position));
        }
        self.moves.push(mv.to_string());
        Ok(())
    }

    fn result(&self) -> &'static str {
        match self.position.black_score() {
            _ if !self.position.is_over() => "none",
            0 => "draw",
            1.. => "p1win",
            _ => "p2win",
        }
    }
}

/// Asks a `query` and checks the two words of the answer.
fn check_query(engine: &mut Engine, query: &str, expected: &str) {
    let answer = engine.ask(&format!("query {query}"));
    if answer != format!("response {expected}") {
        engine.fail(&format!("'query {query}' should answer 'response {expected}'"));
    }
}

fn wait_until_ready(engine: &mut Engine) {
    if engine.ask("isready") != "readyok" {
        engine.fail("'isready' should answer 'readyok'");
    }
}

fn start_engine() -> Engine {
    let mut engine = Engine::start();
    engine.send("ugi");
    if engine.lines_until("ugiok").last().map(String::as_str) != Some("ugiok") {
        engine.fail("'ugiok' should stand alone");
    }
    // One engine a core plays; an engine without this option ignores it.
    engine.send("setoption name Threads value 1");
    wait_until_ready(&mut engine);
    engine
}

/// The engine's move: the second of exactly two words.
fn best_move(engine: &mut Engine) -> String {
    engine.send(&format!("go movetime {MOVE_TIME_MS}"));
    let lines = engine.lines_until("bestmove");
    for line in &lines[..lines.len() - 1] {
        if line.split_whitespace().next() != Some("info") {
            engine.fail("before 'bestmove' there should be 'info …' lines only");
        }
    }
    match lines[lines.len() - 1].split(' ').collect::<Vec<_>>()[..] {
        [_, mv] => mv.to_string(),
        _ => engine.fail("'bestmove MOVE' should have exactly two words"),
    }
}

/// Plays one game to its end and checks all that the engine says about it.
fn play(engine: &mut Engine, seed: u64) -> Match {
    let mut game = Match::new(seed);
    engine.set_label(&format!("game {seed}"));
    wait_until_ready(engine);
    engine.send("uginewgame");
    loop {
        let over = game.position.is_over();
        engine.send(&game.command());
        check_query(engine, "p1turn", &(game.position.turn == Disc::Black).to_string());
        check_query(engine, "gameover", &over.to_string());
        check_query(engine, "result", game.result());
        if over {
            return game;
        }
        let mv = best_move(engine);
        if let Err(reason) = game.play(&mv) {
            engine.fail(&reason);
        }
    }
}

impl Summary {
    fn add(&mut self, game: &Match) {
        self.games += 1;
        self.plies += game.moves.len() as u64;
        self.passes += game.number_of_passes;
        let discs = game.position.count(Disc::Black) + game.position.count(Disc::White);
        self.ends_with_empties += u64::from(discs < 64);
        match game.result() {
            "p1win" => self.black_wins += 1,
            "p2win" => self.white_wins += 1,
            _ => self.draws += 1,
        }
    }
}

/// Ends the games of the other threads early when this one fails.
struct EndOnFailure<'a>(&'a AtomicU64);

impl Drop for EndOnFailure<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.store(u64::MAX / 2, Ordering::Relaxed);
        }
    }
}

fn number_of_games() -> u64 {
    match env::var("OUTFLANK_GAMES") {
        Ok(text) => text.parse().expect("OUTFLANK_GAMES is a number of games"),
        Err(_) => DEFAULT_GAMES,
    }
}

#[test]
fn the_engine_plays_itself_by_the_rules() {
    let games = number_of_games();
    let engines = thread::available_parallelism().map_or(1, NonZero::get);
    let next = AtomicU64::new(0);
    let summary = Mutex::new(Summary::default());
    thread::scope(|scope| {
        for _ in 0..engines {
            scope.spawn(|| {
                let _guard = EndOnFailure(&next);
                let mut engine = start_engine();
                loop {
                    let seed = next.fetch_add(1, Ordering::Relaxed);
                    if seed >= games {
                        break;
                    }
                    let game = play(&mut engine, seed);
                    summary.lock().unwrap().add(&game);
                }
                engine.send("quit");
                let rest = engine.end_input();
                let status = engine.exit_status();
                if !rest.is_empty() || !status.success() {
                    engine.fail("'quit' should end it in silence and with success");
                }
            });
        }
    });
    let Summary { plies, passes, ends_with_empties, black_wins, white_wins, draws, .. } =
        *summary.lock().unwrap();
    println!(
        "{games} games, {plies} plies, {passes} passes, {ends_with_empties} ended with empties; \
         black won {black_wins}, white {white_wins}, draws {draws}"
    );
    assert_eq!(summary.lock().unwrap().games, games);
}
