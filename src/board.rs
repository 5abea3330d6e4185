//! The board as the side to move sees it.

mod bitboard;
pub mod kernel;
pub mod perft;
mod square;
pub mod stability;
pub mod symmetry;
#[cfg(test)]
pub(crate) mod testing;

pub use bitboard::{Bitboard, Squares};
pub use square::Square;

use std::fmt;

/// A position without colours: the discs of the side to move and those of the other side.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Board {
    /// Discs of the side to move.
    pub player: Bitboard,
    /// Discs of the other side.
    pub opponent: Bitboard,
}

impl Board {
    /// The start of the game: Black (d5, e4) to move against White (d4, e5).
    pub const START: Board = Board {
        player: Bitboard(0x0000_0008_1000_0000),
        opponent: Bitboard(0x0000_0010_0800_0000),
    };

    /// A board from two disc sets, or `None` if they share a square.
    pub fn new(player: Bitboard, opponent: Bitboard) -> Option<Board> {
        (player & opponent).is_empty().then_some(Board { player, opponent })
    }

    /// Squares without a disc.
    #[inline(always)]
    pub fn empties(self) -> Bitboard {
        !(self.player | self.opponent)
    }

    /// Legal moves of the side to move. An empty set means a pass or the end of the game.
    #[inline(always)]
    pub fn moves(self) -> Bitboard {
        Bitboard(kernel::moves(self.player.0, self.opponent.0))
    }

    /// Discs that a move to an empty square flips; empty if the move is not legal.
    #[inline(always)]
    pub fn flips(self, square: Square) -> Bitboard {
        Bitboard(kernel::flips(square, self.player.0, self.opponent.0))
    }

    /// The position after a move, seen by the side that moves next.
    #[inline(always)]
    pub fn play(self, square: Square, flips: Bitboard) -> Board {
        Board { player: self.opponent - flips, opponent: self.player | flips.with(square) }
    }

    /// The position after a move, or `None` if it is not legal.
    pub fn try_play(self, square: Square) -> Option<Board> {
        if !self.empties().has(square) {
            return None;
        }
        let flips = self.flips(square);
        (!flips.is_empty()).then(|| self.play(square, flips))
    }

    /// The same discs with the other side to move.
    #[inline(always)]
    pub fn pass(self) -> Board {
        Board { player: self.opponent, opponent: self.player }
    }

    /// Has the side to move no move while the other side has one?
    pub fn must_pass(self) -> bool {
        self.moves().is_empty() && !self.pass().moves().is_empty()
    }

    /// Has neither side a move?
    pub fn is_over(self) -> bool {
        self.moves().is_empty() && self.pass().moves().is_empty()
    }

    /// Own discs minus opposing discs, empty squares not counted (discs, −64 … 64).
    #[inline(always)]
    pub fn disc_difference(self) -> i32 {
        self.player.len() as i32 - self.opponent.len() as i32
    }

    /// The result if the game ended here: disc difference with the empty squares given to the
    /// winner (discs, −64 … 64), from the view of the side to move.
    #[inline(always)]
    pub fn final_score(self) -> i32 {
        let difference = self.disc_difference();
        difference + difference.signum() * self.empties().len() as i32
    }

    /// A well-mixed 64-bit hash of both disc sets.
    #[inline(always)]
    pub fn hash(self) -> u64 {
        const A: u64 = 0x9e37_79b9_7f4a_7c15;
        const B: u64 = 0xd6e8_feb8_6659_fd93;
        let product =
            u128::from(self.player.0 ^ A) * u128::from(self.opponent.0.rotate_left(32) ^ B);
        (product as u64 ^ (product >> 64) as u64).wrapping_mul(A)
    }
}

/// Eight rows, `X` for the side to move and `O` for the other one.
impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        for square in Square::all() {
            let disc = match (self.player.has(square), self.opponent.has(square)) {
                (true, _) => 'X',
                (_, true) => 'O',
                _ => '.',
            };
            let end = if square.file() == 7 { "\n" } else { " " };
            write!(f, "{disc}{end}")?;
        }
        Ok(())
    }
}
