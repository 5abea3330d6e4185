//! In which order a node tries its moves.

use super::params::{
    MOBILITY_COST, MOBILITY_COST_TO_END, POTENTIAL_COST_TO_END, ordering_depth,
    ordering_depth_to_end,
};
use super::position::Position;
use super::tt::Entry;
use super::window::Window;
use super::worker::Worker;
use crate::board::{Bitboard, Board, Square};
use arrayvec::ArrayVec;

/// A move with what it flips, the board after it and how promising it is (higher is tried
/// earlier).
#[derive(Clone, Copy, Debug)]
pub(super) struct ScoredMove {
    pub square: Square,
    pub flips: Bitboard,
    pub after: Board,
    pub score: i32,
}

impl ScoredMove {
    /// The position after the move, made in `position`.
    #[inline(always)]
    pub fn after(&self, position: &Position) -> Position {
        Position { board: self.after, features: position.features.play(self.square, self.flips) }
    }
}

/// The moves of one node. No position has more than one a square.
pub(super) type MoveList = ArrayVec<ScoredMove, 64>;

/// Ordering scores of the table's moves: above every other.
const TABLE_MOVES: [i32; 2] = [2_000_000, 1_000_000];

/// Brings the best of the moves from `from` on to that place and returns it.
#[inline(always)]
pub(super) fn pick(moves: &mut [ScoredMove], from: usize) -> Option<ScoredMove> {
    let (mut best, mut chosen) = (*moves.get(from)?, from);
    for (i, candidate) in moves.iter().enumerate().skip(from + 1) {
        if candidate.score > best.score {
            (best, chosen) = (*candidate, i);
        }
    }
    moves.swap(from, chosen);
    Some(best)
}

/// The number of moves, those to a corner twice.
#[inline(always)]
pub(super) fn mobility(moves: Bitboard) -> i32 {
    (moves.len() + (moves & Bitboard::CORNERS).len()) as i32
}

impl Worker<'_> {
    /// Makes one move; it counts as a node here, however often its position is looked at then.
    #[inline(always)]
    pub(super) fn make(&mut self, position: &Position, square: Square) -> ScoredMove {
        self.nodes += 1;
        let flips = position.board.flips(square);
        ScoredMove { square, flips, after: position.board.play(square, flips), score: 0 }
    }

    /// Makes all these moves; they are in no order yet. The list is the caller's, since one that
    /// is returned is copied, and it is large.
    #[inline(always)]
    pub(super) fn make_all(&mut self, position: &Position, moves: Bitboard, list: &mut MoveList) {
        for square in moves {
            let mv = self.make(position, square);
            // A list has room for a move to every square.
            let _ = list.try_push(mv);
        }
    }

    /// Scores the moves of a node that will be searched `depth` plies deep.
    pub(super) fn score_moves(
        &mut self,
        position: &Position,
        moves: &mut MoveList,
        depth: u32,
        known: Option<&Entry>,
    ) {
        let empties = position.empties();
        let to_end = depth >= empties;
        let (search_depth, mobility_cost, potential_cost) = if to_end {
            (ordering_depth_to_end(empties), MOBILITY_COST_TO_END, POTENTIAL_COST_TO_END)
        } else {
            (ordering_depth(depth), MOBILITY_COST, 0)
        };
        let known = known.map_or([None; 2], |entry| entry.moves);
        for mv in moves.iter_mut() {
            if let Some(rank) = known.iter().position(|known| *known == Some(mv.square)) {
                mv.score = TABLE_MOVES[rank];
                continue;
            }
            let next = mv.after(position);
            let value = -self.quick(&next, search_depth, Window::FULL);
            let replies = next.board.moves();
            let mobility = mobility(replies);
            let potential = (next.board.opponent.neighbours() & next.board.empties()).len() as i32;
            mv.score = value.centidiscs() - mobility_cost * mobility - potential_cost * potential;
        }
    }
}
