//! The nodes on the principal variation: they return an exact value and the line to it.

use super::ordering::{MoveList, pick};
use super::position::Position;
use super::window::Window;
use super::worker::Worker;
use crate::board::Square;
use crate::game::Move;
use crate::score::Score;
use arrayvec::ArrayVec;

/// A line of play, forced passes written out: at most 60 discs and a pass before each.
pub(super) type Line = ArrayVec<Move, 128>;

impl Worker<'_> {
    /// Value of a position after `depth` plies, exact inside `window`, fail-soft outside. Writes
    /// the line that leads to it. Nothing is cut off by the table, so the line is whole.
    pub(super) fn principal(
        &mut self,
        position: &Position,
        depth: u32,
        mut window: Window,
        line: &mut Line,
    ) -> Option<Score> {
        line.clear();
        let board = position.board;
        let legal = board.moves();
        if legal.is_empty() {
            if board.pass().moves().is_empty() {
                return Some(Score::from_discs(board.final_score()));
            }
            if depth == 0 {
                return Some(self.evaluate(position));
            }
            let mut rest = Line::new();
            let value = -self.principal(&position.pass(), depth, -window, &mut rest)?;
            set_line(line, Move::Pass, &rest);
            return Some(value);
        }
        if depth == 0 {
            return Some(self.evaluate(position));
        }
        self.poll()?;
        let depth = depth.min(position.empties());
        let known = self.shared.table.probe(board);
        let mut moves = MoveList::new();
        self.make_all(position, legal, &mut moves);
        self.score_moves(position, &mut moves, depth, known.as_ref());

        let asked = window;
        let mut best = -Score::INFINITY;
        let mut best_square: Option<Square> = None;
        let mut rest = Line::new();
        for i in 0..moves.len() {
            let Some(mv) = pick(&mut moves, i) else { break };
            if i > 0 {
                let bound = self.null_window_after(position, &mv, depth, window.alpha)?;
                if window.fails_low(bound) || window.fails_high(bound) {
                    if bound > best {
                        (best, best_square) = (bound, Some(mv.square));
                    }
                    if window.fails_high(bound) {
                        break;
                    }
                    continue;
                }
            }
            let next = mv.after(position);
            let value = -self.principal(&next, depth - 1, -window, &mut rest)?;
            if value > best {
                (best, best_square) = (value, Some(mv.square));
                set_line(line, Move::Place(mv.square), &rest);
                if window.fails_high(best) {
                    break;
                }
                window.raise(best);
            }
        }
        self.shared.table.store(board, asked, depth, self.selectivity, best, best_square);
        Some(best)
    }
}

/// `line` = the move, then `rest`.
pub(super) fn set_line(line: &mut Line, first: Move, rest: &Line) {
    line.clear();
    // A line cannot be longer than the game that it is part of; should it ever be, its end is
    // left out.
    let _ = line.try_push(first);
    for mv in rest {
        let _ = line.try_push(*mv);
    }
}
