//! Many self-play games at once: one game a thread, one writer.

use super::game_file::{Settings, Stock, StoredGame, Writer};
use super::self_play::Player;
use crate::engine::thread_pool;
use crate::eval::Weights;
use crate::search::tt::Table;
use std::collections::HashSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// Time between two writes to the file: what a killed process loses at most.
const FLUSH_EVERY: Duration = Duration::from_secs(1);

/// How much a file is to hold in the end, games of earlier runs included. With neither of them
/// the generator goes on until it is stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Goal {
    /// Number of games.
    pub games: Option<u64>,
    /// Number of positions with a score; games under way are finished and added as well.
    pub positions: Option<u64>,
}

/// How far a generator has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Games in the file.
    pub games: u64,
    /// Positions in the file.
    pub positions: u64,
    /// Games of this run.
    pub new_games: u64,
    /// Positions of this run.
    pub new_positions: u64,
    /// Threads at work.
    pub threads: usize,
    /// Time since the start of this run.
    pub time: Duration,
}

impl Progress {
    /// Positions that a thread makes in an hour.
    pub fn positions_per_core_hour(&self) -> f64 {
        let hours = self.time.as_secs_f64() * self.threads as f64 / 3_600.0;
        self.new_positions as f64 / hours.max(f64::MIN_POSITIVE)
    }

    fn count(&mut self, game: &StoredGame) {
        let positions = game.positions() as u64;
        self.games += 1;
        self.new_games += 1;
        self.positions += positions;
        self.new_positions += positions;
    }
}

/// Adds games to a file until it holds what it should. The games are those with the lowest
/// numbers that the file does not hold yet. About once a second `on_progress` hears what is in
/// the file. `stop` ends it early, with all finished games in the file; it is set at the end.
///
/// # Errors
/// One line: the file cannot be used (see [`Writer::open`]) or written, or there is no memory or
/// no thread. Games written before stay in the file.
pub fn generate(
    path: &Path,
    settings: &Settings,
    weights: &Weights,
    threads: usize,
    goal: Goal,
    stop: &AtomicBool,
    on_progress: &mut dyn FnMut(&Progress),
) -> Result<Progress, String> {
    let started = Instant::now();
    let pool = thread_pool(threads)?;
    let table = |_| Table::new(settings.hash_mb as usize);
    let tables = pool.install(|| (0..threads).map(table).collect::<Result<Vec<_>, _>>())?;
    let (writer, stock) = Writer::open(path, settings)?;
    let mut progress = Progress {
        games: stock.games.len() as u64,
        positions: stock.positions,
        new_games: 0,
        new_positions: 0,
        threads,
        time: Duration::ZERO,
    };
    let (orders, tables) = (&Orders::new(stock, goal), &tables);
    let (sender, receiver) = channel();
    pool.in_place_scope(|scope| {
        scope.spawn_broadcast(move |_, context| {
            if let Some(table) = tables.get(context.index()) {
                work(&Player { settings, weights, table, stop }, orders, &sender);
            }
        });
        let written = write(writer, &receiver, |games| {
            games.iter().for_each(|game| progress.count(game));
            progress.time = started.elapsed();
            on_progress(&progress);
        });
        stop.store(true, Relaxed);
        written
    })?;
    progress.time = started.elapsed();
    Ok(progress)
}

/// Plays games until there is no order left.
fn work(player: &Player<'_>, orders: &Orders, games: &Sender<StoredGame>) {
    while !player.stop.load(Relaxed)
        && let Some(index) = orders.take()
    {
        let Some(game) = player.game(index) else {
            if !player.stop.load(Relaxed) {
                log::error!("game {index} could not be played");
            }
            continue;
        };
        orders.fulfilled(&game);
        if games.send(game).is_err() {
            return;
        }
    }
}

/// Writes games as they come until no more will come. `on_written` hears of those in the file.
fn write(
    mut writer: Writer,
    games: &Receiver<StoredGame>,
    mut on_written: impl FnMut(&[StoredGame]),
) -> Result<(), String> {
    let mut batch = Vec::new();
    let mut last = Instant::now();
    loop {
        let next = games.recv_timeout(FLUSH_EVERY.saturating_sub(last.elapsed()));
        let end = next == Err(RecvTimeoutError::Disconnected);
        if let Ok(game) = next {
            writer.add(&game);
            batch.push(game);
        }
        if end || last.elapsed() >= FLUSH_EVERY {
            writer.flush()?;
            on_written(&batch);
            batch.clear();
            last = Instant::now();
        }
        if end {
            return Ok(());
        }
    }
}

/// Which game is to be played next, for all threads.
struct Orders {
    queue: Mutex<Queue>,
    /// Positions to go; none is left at 0 or below.
    positions: Option<AtomicI64>,
}

struct Queue {
    next: u32,
    /// Games that are there already.
    done: HashSet<u32>,
    /// Games to go.
    left: Option<u64>,
}

impl Orders {
    fn new(stock: Stock, goal: Goal) -> Orders {
        let games = stock.games.len() as u64;
        let left = goal.games.map(|goal| goal.saturating_sub(games));
        let positions = goal.positions.map(|goal| {
            AtomicI64::new(goal.saturating_sub(stock.positions).try_into().unwrap_or(i64::MAX))
        });
        Orders { queue: Mutex::new(Queue { next: 0, done: stock.games, left }), positions }
    }

    fn take(&self) -> Option<u32> {
        if self.positions.as_ref().is_some_and(|left| left.load(Relaxed) <= 0) {
            return None;
        }
        self.queue.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take()
    }

    fn fulfilled(&self, game: &StoredGame) {
        if let Some(left) = &self.positions {
            left.fetch_sub(game.positions() as i64, Relaxed);
        }
    }
}

impl Queue {
    fn take(&mut self) -> Option<u32> {
        if let Some(left) = &mut self.left {
            *left = left.checked_sub(1)?;
        }
        let index = (self.next..u32::MAX).find(|index| !self.done.contains(index))?;
        self.next = index + 1;
        Some(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::game_file::Contents;
    use crate::training::self_play::tests::settings;
    use std::path::PathBuf;

    /// A path in the folder for temporary files at which nothing is.
    fn fresh(name: &str) -> PathBuf {
        let name = format!("outflank-{name}-{}.games", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_file(&path);
        path
    }

    fn generate_with(
        path: &Path,
        threads: usize,
        goal: Goal,
        on_progress: &mut dyn FnMut(&Progress),
    ) -> Result<Progress, String> {
        let (weights, stop) = (Weights::embedded(), AtomicBool::new(false));
        generate(path, &settings(), weights, threads, goal, &stop, on_progress)
    }

    fn run(path: &Path, threads: usize, goal: Goal) -> Progress {
        generate_with(path, threads, goal, &mut |_| ()).unwrap()
    }

    fn games(count: u64) -> Goal {
        Goal { games: Some(count), positions: None }
    }

    /// The games of a file in the order of their numbers.
    fn sorted(path: &Path) -> Vec<StoredGame> {
        let mut games = Contents::read(&std::fs::read(path).unwrap()).unwrap().games;
        games.sort_by_key(|game| game.index);
        games
    }

    #[test]
    fn one_and_two_threads_play_the_same_games() {
        let (one, two) = (fresh("one-thread"), fresh("two-threads"));
        run(&one, 1, games(30));
        run(&two, 2, games(30));
        let found = sorted(&two);
        assert_eq!(found, sorted(&one));
        assert!(found.iter().map(|game| game.index).eq(0..30));
        std::fs::remove_file(one).unwrap();
        std::fs::remove_file(two).unwrap();
    }

    #[test]
    fn a_later_run_adds_what_is_missing_and_nothing_twice() {
        let path = fresh("later-run");
        run(&path, 2, games(12));
        let all = sorted(&path);
        std::fs::remove_file(&path).unwrap();

        // Games 3 and 7 of an earlier run were on their way when it was killed.
        let (mut writer, _) = Writer::open(&path, &settings()).unwrap();
        let kept = all.iter().filter(|game| ![3, 7].contains(&game.index)).take(6);
        kept.for_each(|game| writer.add(game));
        writer.flush().unwrap();
        let progress = run(&path, 2, games(12));
        assert_eq!((progress.games, progress.new_games), (12, 6));
        assert_eq!(sorted(&path), all);
        assert_eq!(run(&path, 2, games(12)).new_games, 0);
        assert_eq!(run(&path, 1, games(5)).new_games, 0);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_number_of_positions_is_reached_and_not_exceeded_by_more_than_the_games_under_way() {
        let path = fresh("positions");
        let goal = Goal { games: None, positions: Some(500) };
        let mut heard = 0;
        let hear = &mut |progress: &Progress| heard = progress.positions;
        let end = generate_with(&path, 2, goal, hear).unwrap();
        assert!((500..500 + 2 * 60).contains(&end.positions), "{end:?}");
        let positions: usize = sorted(&path).iter().map(StoredGame::positions).sum();
        assert_eq!((positions as u64, heard), (end.positions, end.positions));
        assert_eq!(run(&path, 1, goal).new_games, 0);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_path_that_is_no_file_is_named() {
        let path = std::env::temp_dir();
        let error = generate_with(&path, 1, games(1), &mut |_| ()).unwrap_err();
        assert!(error.contains(&path.display().to_string()), "{error}");
    }
}
