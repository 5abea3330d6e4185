//! The nodes that only answer a question: is the value above `alpha`?

use super::ordering::{MoveList, ScoredMove, pick};
use super::params::{ETC_DEPTH, QUICK_DEPTH, SOLVER_EMPTIES};
use super::position::Position;
use super::principal::Line;
use super::split::Best;
use super::stable_bound::stability_bound;
use super::tt::Entry;
use super::window::Window;
use super::worker::Worker;
use crate::board::Bitboard;
use crate::score::Score;

impl Worker<'_> {
    /// Fail-soft bound on the value of a position after `depth` plies. A depth of at least the
    /// number of empties means a search to the end: the bound then is one on the exact result.
    pub(super) fn null_window(
        &mut self,
        position: &Position,
        depth: u32,
        alpha: Score,
    ) -> Option<Score> {
        let empties = position.empties();
        let to_end = depth >= empties;
        let board = position.board;
        let window = Window::null(alpha);
        if to_end && empties <= SOLVER_EMPTIES {
            return self.solve(board, whole_discs(alpha)).map(Score::from_discs);
        }
        if depth <= QUICK_DEPTH {
            return Some(self.quick(position, depth, window));
        }
        self.poll()?;
        if let Some(bound) = stability_bound(board, whole_discs(alpha), empties) {
            return Some(Score::from_discs(bound));
        }
        let moves = board.moves();
        if moves.is_empty() {
            return if board.pass().moves().is_empty() {
                Some(Score::from_discs(board.final_score()))
            } else {
                Some(-self.null_window(&position.pass(), depth, (-window).alpha)?)
            };
        }
        let depth = depth.min(empties);
        let known = self.shared.table.probe(board);
        if let Some(entry) = known
            && entry.covers(depth, self.selectivity)
            && let Some(value) = entry.cutoff(window)
        {
            return Some(value);
        }
        if let Some(bound) = self.likely_bound(position, depth, window)? {
            return Some(bound);
        }
        let (value, best) = self.search_moves(position, moves, depth, window, known.as_ref())?;
        self.shared.table.store(board, window, depth, self.selectivity, value, best);
        Some(value)
    }

    /// The table's move alone first: where it fails high, the others need not even be made.
    fn search_moves(
        &mut self,
        position: &Position,
        mut untried: Bitboard,
        depth: u32,
        window: Window,
        known: Option<&Entry>,
    ) -> Option<Best> {
        // In a search to the end a small tree is worth more than a good move: what a search of
        // fewer plies liked best is no better a start than the usual order.
        let to_end = depth >= position.empties();
        let known = known.filter(|entry| !to_end || entry.depth >= depth);
        let mut best = (-Score::INFINITY, None);
        if let Some(first) = known.and_then(|entry| entry.moves[0])
            && untried.has(first)
        {
            let mv = self.make(position, first);
            best = (self.null_window_after(position, &mv, depth, window.alpha)?, Some(first));
            untried = untried - first.into();
            if window.fails_high(best.0) || untried.is_empty() {
                return Some(best);
            }
        }
        let mut moves = MoveList::new();
        self.make_all(position, untried, &mut moves);
        if depth >= ETC_DEPTH
            && let Some(refutation) = self.refuted_by_child(&moves, depth, window)
        {
            return Some(refutation);
        }
        self.score_moves(position, &mut moves, depth, known);
        for i in 0..moves.len() {
            if best.1.is_some()
                && moves.len() > i + 1
                && self.should_share(position, depth, i, window.alpha)
            {
                let rest = moves.get_mut(i..).unwrap_or_default();
                let mut line = Line::new();
                return self.search_brothers(position, rest, depth, window, best, &mut line);
            }
            let Some(mv) = pick(&mut moves, i) else { break };
            let value = self.null_window_after(position, &mv, depth, window.alpha)?;
            if value > best.0 {
                best = (value, Some(mv.square));
                if window.fails_high(value) {
                    break;
                }
            }
        }
        Some(best)
    }

    /// Bound on the value of one move of a node of this depth.
    #[inline(always)]
    pub(super) fn null_window_after(
        &mut self,
        position: &Position,
        mv: &ScoredMove,
        depth: u32,
        alpha: Score,
    ) -> Option<Score> {
        let next = mv.after(position);
        Some(-self.null_window(&next, depth - 1, (-Window::null(alpha)).alpha)?)
    }

    /// Enhanced transposition cutoff: a lower bound that fails high, from the table entries of
    /// the children (Plaat et al., "Exploiting graph properties of game trees", 1996).
    fn refuted_by_child(&self, moves: &MoveList, depth: u32, window: Window) -> Option<Best> {
        moves.iter().find_map(|mv| {
            let entry: Entry = self.shared.table.probe(mv.after)?;
            let bound = -entry.upper;
            let cuts = entry.covers(depth - 1, self.selectivity) && window.fails_high(bound);
            cuts.then_some((bound, Some(mv.square)))
        })
    }
}

/// The greatest whole number of discs that is not above `score`: results are whole, so one is
/// above `score` exactly if it is above this.
fn whole_discs(score: Score) -> i32 {
    score.centidiscs().div_euclid(100)
}
