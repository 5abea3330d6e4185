//! The engine that every front end drives: options, table and threads, searches that run in the
//! background. It prints nothing; callers hear of a search through events.

use crate::book::Book;
use crate::book::choice::choose;
use crate::eval::{Features, Weights};
use crate::game::{Game, Move};
use crate::random::Random;
use crate::score::Score;
use crate::search::tt::Table;
use crate::search::{self, Bound, Environment, Info, Level, Limits, Report, Selectivity, search};
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// What a running search tells its caller, in order. `Done` comes exactly once, last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A line of a completed iteration, or a bound on its way.
    Info(Info),
    /// The answer.
    Done(Report),
}

/// Settings that hold until they are changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Search threads, [`Options::THREADS`].
    pub threads: usize,
    /// Size of the transposition table in MiB, [`Options::HASH_MB`].
    pub hash_mb: usize,
    /// Number of best moves to report, [`Options::MULTIPV`].
    pub multipv: usize,
    /// Level of a search without limits, [`Options::LEVEL`].
    pub level: u32,
    /// What a move costs on the clock beyond the search, [`Options::MOVE_OVERHEAD_MS`] (ms).
    pub move_overhead_ms: u64,
    /// How much a move of the book may lose against the best one, [`Options::BOOK_RANDOMNESS`]
    /// (centidiscs).
    pub book_randomness: u32,
}

impl Options {
    /// Range of `threads`.
    pub const THREADS: RangeInclusive<usize> = 1..=256;
    /// Range of `hash_mb`.
    pub const HASH_MB: RangeInclusive<usize> = 1..=65_536;
    /// Range of `multipv`.
    pub const MULTIPV: RangeInclusive<usize> = 1..=60;
    /// Range of `level`.
    pub const LEVEL: RangeInclusive<u32> = Level::RANGE;
    /// Range of `move_overhead_ms`.
    pub const MOVE_OVERHEAD_MS: RangeInclusive<u64> = 0..=10_000;
    /// Range of `book_randomness`.
    pub const BOOK_RANDOMNESS: RangeInclusive<u32> = 0..=1_000;
}

impl Default for Options {
    /// All cores, so that nobody has to ask for them.
    fn default() -> Options {
        let cores = thread::available_parallelism().map_or(1, usize::from);
        let threads = cores.min(*Options::THREADS.end());
        Options {
            threads,
            hash_mb: 64,
            multipv: 1,
            level: 12,
            move_overhead_ms: 20,
            book_randomness: 0,
        }
    }
}

/// A search's stack: a frame for each ply, generously.
const STACK_BYTES: usize = 16 << 20;

/// A search that runs in the background.
#[derive(Debug)]
pub struct Search {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Search {
    /// Tells the search to end with the last completed iteration. Returns at once; the answer
    /// comes as [`Event::Done`].
    pub fn stop(&self) {
        self.stop.store(true, Relaxed);
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for Search {
    /// Stops the search and waits for its end.
    fn drop(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::error!("a search thread ended abnormally");
        }
    }
}

/// The engine. A clone shares table, threads and weights until one of the two changes its own.
#[derive(Clone, Debug)]
pub struct Engine {
    options: Options,
    table: Arc<Table>,
    pool: Arc<ThreadPool>,
    weights: Arc<Weights>,
    book: Option<Arc<Book>>,
}

impl Engine {
    /// An engine with these settings.
    ///
    /// # Errors
    /// One line saying what could not be set up (threads, memory).
    pub fn new(options: Options) -> Result<Engine, String> {
        let pool = Arc::new(thread_pool(options.threads)?);
        let table = Arc::new(pool.install(|| Table::new(options.hash_mb))?);
        let weights = Arc::clone(Weights::embedded());
        Ok(Engine { options, table, pool, weights, book: None })
    }

    /// The settings in force.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Changes settings; not to be called while a search runs.
    ///
    /// # Errors
    /// One line saying what could not be set up; the old settings then stay in force.
    pub fn set_options(&mut self, options: Options) -> Result<(), String> {
        if options.threads != self.options.threads {
            self.pool = Arc::new(thread_pool(options.threads)?);
            self.options.threads = options.threads;
        }
        if options.hash_mb != self.options.hash_mb {
            self.table = Arc::new(self.pool.install(|| Table::new(options.hash_mb))?);
        }
        self.options = options;
        Ok(())
    }

    /// Changes the evaluation and forgets all earlier searches, which used another one; not to be
    /// called while a search runs.
    pub fn set_weights(&mut self, weights: Arc<Weights>) {
        self.weights = weights;
        self.clear();
    }

    /// Changes the opening knowledge, `None` for no book.
    pub fn set_book(&mut self, book: Option<Arc<Book>>) {
        self.book = book;
    }

    /// Forgets all earlier searches, so that the next one does not depend on them.
    pub fn clear(&mut self) {
        self.pool.install(|| self.table.clear());
    }

    /// Works out everything that searches need and that is otherwise worked out when it is first
    /// needed: at the start of a game nobody's clock runs. Weights and table are ready since they
    /// were set. It costs time only once in a process.
    pub fn prepare(&self) {
        search::prepare();
    }

    /// Value of the position for the side to move without a search: the result if the game is
    /// over.
    pub fn evaluate(&self, game: &Game) -> Score {
        let board = game.board();
        if game.is_over() {
            return Score::from_discs(board.final_score());
        }
        self.weights.evaluate(&Features::of(board), board.empties().len())
    }

    /// The answer of the book to a search for a move, if there is one: the best move, or one of the
    /// good ones with some randomness. Questions about more than a move are for a search: those
    /// with `infinite` or a selectivity, for several lines, or for an exact solve.
    pub fn book_answer(&self, game: &Game, limits: &Limits) -> Option<Report> {
        let book = self.book.as_ref()?;
        let board = game.board();
        let empties = board.empties().len();
        let solves = limits.depth.is_some_and(|depth| depth >= empties)
            || limits.level.is_some_and(|number| {
                Level::new(number).to_end(empties) == Some(Selectivity::EXACT)
            });
        if limits.infinite || limits.selectivity.is_some() || self.options.multipv > 1 || solves {
            return None;
        }
        let entry = book.look_up(board)?;
        let mut random = Random(RandomState::new().build_hasher().finish());
        let (best, score) = choose(&entry.moves, self.options.book_randomness, &mut random)?;
        let pv = book.line(board, best);
        // The value is that of the search in the last position of the line with a choice.
        let level = Level::new(u32::from(book.settings().level));
        let discs = pv.iter().filter(|mv| **mv != Move::Pass).count() as u32;
        let depth = if entry.solved { empties } else { level.depth + discs.saturating_sub(1) };
        let info = Info {
            depth: depth.min(empties),
            selectivity: if entry.solved { Selectivity::EXACT } else { level.selectivity },
            multipv: 1,
            score,
            bound: Bound::Exact,
            solved: entry.solved,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            pv,
        };
        Some(Report { best: Some(best), lines: vec![info], nodes: 0, time: Duration::ZERO })
    }

    /// Searches on the calling thread's time and answers when the limits or `stop` end the search;
    /// `limits.infinite` makes no difference. A search that its limits end may set `stop` itself, so
    /// each one takes a fresh one. `on_info` hears of completed iterations and bounds.
    pub fn search(
        &self,
        game: &Game,
        limits: &Limits,
        stop: &AtomicBool,
        on_info: &mut (dyn FnMut(&Info) + Send),
    ) -> Report {
        let environment = Environment {
            table: &self.table,
            weights: &self.weights,
            stop,
            threads: self.options.threads,
            multipv: self.options.multipv,
            move_overhead: Duration::from_millis(self.options.move_overhead_ms),
        };
        self.pool.install(|| search(game.board(), limits, environment, on_info))
    }

    /// Starts a search in the background. `on_event` runs on the search's thread. One search
    /// runs at a time: the caller waits for [`Event::Done`] before the next call.
    ///
    /// # Errors
    /// One line if no thread can be started; `on_event` is then never called.
    pub fn go(
        &mut self,
        game: &Game,
        limits: Limits,
        mut on_event: impl FnMut(Event) + Send + 'static,
    ) -> Result<Search, String> {
        let stop = Arc::new(AtomicBool::new(false));
        let (engine, game, stopped) = (self.clone(), game.clone(), stop.clone());
        let run = move || {
            let on_info = &mut |info: &Info| on_event(Event::Info(info.clone()));
            let report = engine.search(&game, &limits, &stopped, on_info);
            // An answer before `stop` would be taken for the answer to the next question.
            while limits.infinite && !stopped.load(Relaxed) {
                thread::park_timeout(Duration::from_millis(100));
            }
            on_event(Event::Done(report));
        };
        let thread = thread::Builder::new()
            .name("search".into())
            .spawn(run)
            .map_err(|error| format!("no thread for the search: {error}"))?;
        Ok(Search { stop, thread: Some(thread) })
    }
}

/// A pool whose threads have room for a search.
pub(crate) fn thread_pool(threads: usize) -> Result<ThreadPool, String> {
    ThreadPoolBuilder::new()
        .num_threads(threads)
        .stack_size(STACK_BYTES)
        .thread_name(|index| format!("search-{index}"))
        .build()
        .map_err(|error| format!("no pool of {threads} threads: {error}"))
}
