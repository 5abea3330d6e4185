//! Sharing one node's moves among threads.
//!
//! Young brothers wait: the first move is searched alone, since it usually decides the node. The
//! others are then taken one by one from a common list by as many threads as are free. A cutoff
//! cancels the rest at once.

use super::ordering::ScoredMove;
use super::params::{SPLIT_DEPTH, SPLIT_EMPTIES};
use super::position::Position;
use super::window::Window;
use super::worker::{SplitPoint, Worker};
use crate::board::Square;
use crate::score::Score;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// The best value so far and its move.
pub(super) type Best = (Score, Option<Square>);

impl Worker<'_> {
    /// Is this node large enough to be shared?
    #[inline(always)]
    pub(super) fn splits_at(&self, position: &Position, depth: u32) -> bool {
        self.shared.threads > 1
            && if depth >= position.empties() {
                depth >= SPLIT_EMPTIES
            } else {
                depth >= SPLIT_DEPTH
            }
    }

    /// Searches moves of a node of which others have been searched with the result `best`.
    pub(super) fn search_in_parallel(
        &mut self,
        position: &Position,
        moves: &mut [ScoredMove],
        depth: u32,
        window: Window,
        best: Best,
    ) -> Option<Best> {
        moves.sort_by_key(|mv| -mv.score);
        let moves: &[ScoredMove] = moves;
        let point = SplitPoint { cancelled: AtomicBool::new(false), parent: self.split };
        let best = Mutex::new(best);
        let next = AtomicUsize::new(0);
        let work = |worker: &mut Worker<'_>| {
            while let Some(mv) = moves.get(next.fetch_add(1, Relaxed)) {
                let Some(value) = worker.null_window_after(position, mv, depth, window.alpha)
                else {
                    return;
                };
                let mut best = best.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                if value > best.0 {
                    *best = (value, Some(mv.square));
                    if window.fails_high(value) {
                        point.cancelled.store(true, Relaxed);
                        return;
                    }
                }
            }
        };
        self.share(&point, self.shared.threads.min(moves.len()), work);
        let best = best.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
        // A cutoff found here counts even if the search was stopped meanwhile; otherwise a stop
        // means that some move was left out.
        if !window.fails_high(best.0) {
            self.go_on()?;
        }
        Some(best)
    }
}
