//! A small table of one thread's own for positions near the end: it stays in the cache, where
//! the main table would cost a trip to memory.

use super::params::LOCAL_TABLE_BITS;
use crate::board::{Board, Square};

/// Bounds on the exact score of a position (discs) and the move that reached the lower one.
#[derive(Clone, Copy)]
pub(super) struct LocalEntry {
    board: Board,
    pub lower: i8,
    pub upper: i8,
    best: u8,
}

impl LocalEntry {
    pub fn best(&self) -> Option<Square> {
        Square::new(self.best)
    }
}

/// Direct-mapped: a position overwrites what was in its place. The default has no places at all.
#[derive(Default)]
pub(crate) struct LocalTable {
    entries: Box<[LocalEntry]>,
}

const NO_SQUARE: u8 = 64;

impl LocalTable {
    pub fn full_size() -> LocalTable {
        // No position that is looked up has an empty board.
        let board = Board { player: Default::default(), opponent: Default::default() };
        let entry = LocalEntry { board, lower: -64, upper: 64, best: NO_SQUARE };
        LocalTable { entries: vec![entry; 1 << LOCAL_TABLE_BITS].into_boxed_slice() }
    }

    #[inline(always)]
    fn index(board: Board) -> usize {
        (board.hash() >> (64 - LOCAL_TABLE_BITS)) as usize
    }

    #[inline(always)]
    pub fn probe(&self, board: Board) -> Option<&LocalEntry> {
        self.entries.get(LocalTable::index(board)).filter(|entry| entry.board == board)
    }

    /// Stores the result of a search with the null window above `alpha`.
    #[inline(always)]
    pub fn store(&mut self, board: Board, alpha: i32, score: i32, best: Option<Square>) {
        let Some(entry) = self.entries.get_mut(LocalTable::index(board)) else { return };
        let (mut lower, mut upper) = (-64, 64);
        if score > alpha {
            lower = score as i8;
        } else {
            upper = score as i8;
        }
        if entry.board == board {
            lower = lower.max(entry.lower);
            upper = upper.min(entry.upper);
        }
        let best = best.map_or(NO_SQUARE, |square| square.index() as u8);
        *entry = LocalEntry { board, lower, upper, best };
    }
}
