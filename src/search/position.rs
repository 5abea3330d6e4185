//! A board together with its evaluation features, moved on as one.

use crate::board::{Bitboard, Board, Square};
use crate::eval::Features;

/// What a search node works on.
#[derive(Clone, Copy)]
pub(crate) struct Position {
    pub board: Board,
    pub features: Features,
}

impl Position {
    pub fn new(board: Board) -> Position {
        Position { board, features: Features::of(board) }
    }

    #[inline(always)]
    pub fn empties(&self) -> u32 {
        self.board.empties().len()
    }

    #[inline(always)]
    pub fn play(&self, square: Square, flips: Bitboard) -> Position {
        Position {
            board: self.board.play(square, flips),
            features: self.features.play(square, flips),
        }
    }

    #[inline(always)]
    pub fn pass(&self) -> Position {
        Position { board: self.board.pass(), features: self.features.pass() }
    }
}
