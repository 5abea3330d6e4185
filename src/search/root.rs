//! The root: several best lines, windows that widen.

use super::ordering::{MoveList, ScoredMove};
use super::params::{ASPIRATION, ASPIRATION_TO_END};
use super::position::Position;
use super::principal::{Line, set_line};
use super::report::Bound;
use super::window::Window;
use super::worker::Worker;
use crate::board::Board;
use crate::game::Move;
use crate::score::Score;

/// A move at the root and what is known about it.
#[derive(Clone)]
pub(super) struct RootMove {
    pub mv: Move,
    /// Value in the last iteration that ranked the move.
    pub value: Score,
    /// Best play from the root, this move first.
    pub line: Line,
}

/// The moves at the root, best first once an iteration is complete; a forced pass is the only
/// move then.
pub(super) fn root_moves(board: Board) -> Vec<RootMove> {
    let root_move = |mv| {
        let mut line = Line::new();
        set_line(&mut line, mv, &Line::new());
        RootMove { mv, value: Score::ZERO, line }
    };
    if board.must_pass() {
        return vec![root_move(Move::Pass)];
    }
    board.moves().into_iter().map(|square| root_move(Move::Place(square))).collect()
}

impl Worker<'_> {
    /// Orders the root moves for the first time.
    pub(super) fn presort(&mut self, position: &Position, moves: &mut [RootMove]) {
        for root_move in moves.iter_mut() {
            if let Move::Place(square) = root_move.mv {
                let after = self.make(position, square).after(position);
                root_move.value = -self.evaluate(&after);
            }
        }
        moves.sort_by_key(|root_move| -root_move.value);
    }

    /// Searches the best `lines` moves `depth` plies deep and brings them to the front. `on_fail`
    /// hears of values that turn out to be outside of the window.
    pub(super) fn iterate(
        &mut self,
        position: &Position,
        moves: &mut [RootMove],
        depth: u32,
        lines: usize,
        on_fail: &mut dyn FnMut(&mut Self, usize, Score, Bound, &Line),
    ) -> Option<()> {
        let to_end = depth >= position.empties();
        for rank in 0..lines.min(moves.len()) {
            let guess = moves[rank].value;
            let mut margin = if to_end { ASPIRATION_TO_END } else { ASPIRATION };
            let mut window = if depth <= 2 { Window::FULL } else { Window::around(guess, margin) };
            loop {
                let best = self.search_root(position, &moves[rank..], depth, window)?;
                let (index, value) = (rank + best.0, best.1);
                let is_bound = window != Window::FULL;
                let failed_low = is_bound && window.fails_low(value);
                let failed_high = is_bound && window.fails_high(value);
                if !failed_low {
                    moves[index].value = value;
                    moves[index].line = best.2;
                    moves[rank..=index].rotate_right(1);
                }
                if !failed_low && !failed_high {
                    break;
                }
                let bound = if failed_low { Bound::Upper } else { Bound::Lower };
                let line = moves[rank].line.clone();
                on_fail(self, rank, value, bound, &line);
                margin = margin + margin + margin;
                let wide = Window::around(value, margin);
                // The window only grows: entries of deeper searches in the table may make a
                // value fail low in one window and high in the next.
                if failed_low {
                    window.alpha = wide.alpha.min(window.alpha);
                } else {
                    window.beta = wide.beta.max(window.beta);
                }
            }
        }
        let ranked = lines.min(moves.len());
        moves[..ranked].sort_by_key(|root_move| -root_move.value);
        Some(())
    }

    /// The best of these moves: its index, its value or bound, and the line.
    fn search_root(
        &mut self,
        position: &Position,
        moves: &[RootMove],
        depth: u32,
        window: Window,
    ) -> Option<(usize, Score, Line)> {
        let mut line = Line::new();
        let mut list = MoveList::new();
        for (rank, root_move) in moves.iter().enumerate() {
            let Move::Place(square) = root_move.mv else { continue };
            let mv = ScoredMove { score: -(rank as i32), ..self.make(position, square) };
            // A list has room for a move to every square.
            let _ = list.try_push(mv);
        }
        if list.is_empty() {
            self.nodes += 1;
            let mut rest = Line::new();
            let value = -self.principal(&position.pass(), depth, -window, &mut rest)?;
            set_line(&mut line, Move::Pass, &rest);
            return Some((0, value, line));
        }
        let (value, best) = self.principal_moves(position, &mut list, depth, window, &mut line)?;
        let best = best.map(Move::Place)?;
        let index = moves.iter().position(|root_move| root_move.mv == best)?;
        if line.first() != Some(&best) {
            set_line(&mut line, best, &Line::new());
        }
        Some((index, value, line))
    }
}
