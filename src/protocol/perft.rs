//! A perft with its time, as sessions and the shell report it.

use crate::board::Board;
use crate::board::perft::{Convention, perft_until};
use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// A complete count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PerftReport {
    /// Depth in plies.
    pub depth: u32,
    /// How passes and finished games count.
    pub convention: Convention,
    /// Lines of play.
    pub count: u64,
    /// Time that it took.
    pub time: Duration,
}

impl PerftReport {
    /// Counts; `None` if `stop` became true before the count was complete.
    pub fn count(
        board: Board,
        depth: u32,
        convention: Convention,
        stop: &AtomicBool,
    ) -> Option<PerftReport> {
        let start = Instant::now();
        let count = perft_until(board, depth, convention, stop)?;
        Some(PerftReport { depth, convention, count, time: start.elapsed() })
    }
}

/// Names and numbers; the time in milliseconds.
impl fmt::Display for PerftReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let PerftReport { depth, convention, count, time } = self;
        let time = time.as_millis();
        write!(f, "perft depth {depth} convention {convention} count {count} time {time}")
    }
}
