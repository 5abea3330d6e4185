//! The engine that every front end drives: options, table and threads, searches that run in the
//! background. It prints nothing; callers hear of a search through events.

use crate::game::Game;
use crate::search::{Info, Limits, Report};

/// What a running search tells its caller, in order. `Done` comes exactly once, last.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Event {
    /// A line of a completed iteration.
    Info(Info),
    /// The answer.
    Done(Report),
}

/// Settings that hold until they are changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// Search threads, 1 … 256.
    pub threads: usize,
    /// Size of the transposition table in MiB, 1 … 65,536.
    pub hash_mb: usize,
    /// Number of best moves to report, 1 … 60.
    pub multipv: usize,
    /// Level of a search without limits, 1 … 60.
    pub level: u32,
}

/// One thread a CPU, a table of 64 MiB, one line, level 21.
impl Default for Options {
    fn default() -> Options {
        let threads = std::thread::available_parallelism().map_or(1, usize::from).min(256);
        Options { threads, hash_mb: 64, multipv: 1, level: 21 }
    }
}

/// A search that runs in the background.
#[derive(Debug)]
pub struct Search {}

impl Search {
    /// Tells the search to end with the last completed iteration. Returns at once; the answer
    /// comes as [`Event::Done`].
    pub fn stop(&self) {}
}

/// The engine.
#[derive(Debug)]
pub struct Engine {
    options: Options,
}

impl Engine {
    /// An engine with these settings.
    ///
    /// # Errors
    /// One line saying what could not be set up (threads, memory).
    pub fn new(options: Options) -> Result<Engine, String> {
        Ok(Engine { options })
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
        self.options = options;
        Ok(())
    }

    /// Forgets all earlier searches, so that the next one does not depend on them.
    pub fn clear(&mut self) {}

    /// Value of the position without a search.
    pub fn evaluate(&self, _game: &Game) -> crate::score::Score {
        crate::score::Score::ZERO
    }

    /// Starts a search in the background. `on_event` runs on the search's thread. One search
    /// runs at a time: the caller waits for [`Event::Done`] before the next call.
    pub fn go(
        &mut self,
        _game: &Game,
        _limits: Limits,
        _on_event: impl FnMut(Event) + Send + 'static,
    ) -> Search {
        Search {}
    }
}
