//! The nodes on the principal variation: they return an exact value and the line to it.

use super::ordering::{MoveList, ScoredMove, pick};
use super::position::Position;
use super::split::Best;
use super::window::Window;
use super::worker::Worker;
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
        window: Window,
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

        let (value, best) = self.principal_moves(position, &mut moves, depth, window, line)?;
        self.shared.table.store(board, window, depth, self.selectivity, value, best);
        Some(value)
    }

    /// The same for the moves of a node, at least one; the best is searched first.
    pub(super) fn principal_moves(
        &mut self,
        position: &Position,
        moves: &mut [ScoredMove],
        depth: u32,
        window: Window,
        line: &mut Line,
    ) -> Option<Best> {
        let first = pick(moves, 0)?;
        let mut rest = Line::new();
        let value = -self.principal(&first.after(position), depth - 1, -window, &mut rest)?;
        set_line(line, Move::Place(first.square), &rest);
        let best = (value, Some(first.square));
        match moves.get_mut(1..) {
            Some(brothers) if !brothers.is_empty() && !window.fails_high(value) => {
                self.search_brothers(position, brothers, depth, window, best, line)
            }
            _ => Some(best),
        }
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
