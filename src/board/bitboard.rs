//! A set of squares in one machine word.

use super::Square;
use std::fmt;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, Not, Sub};

/// A set of squares; bit 0 is a1, bit 63 is h8.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

impl Bitboard {
    /// No square.
    pub const EMPTY: Bitboard = Bitboard(0);
    /// All 64 squares.
    pub const FULL: Bitboard = Bitboard(!0);
    /// a1, h1, a8, h8.
    pub const CORNERS: Bitboard = Bitboard(0x8100_0000_0000_0081);
    /// b2, g2, b7, g7: the squares diagonally next to a corner.
    pub const X_SQUARES: Bitboard = Bitboard(0x0042_0000_0000_4200);
    /// The squares next to a corner along the edge.
    pub const C_SQUARES: Bitboard = Bitboard(0x4281_0000_0000_8142);

    /// Is the square in the set?
    pub const fn has(self, square: Square) -> bool {
        self.0 & square.bit() != 0
    }

    /// Number of squares, 0 … 64.
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Is the set empty?
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The set with one square more.
    pub const fn with(self, square: Square) -> Bitboard {
        Bitboard(self.0 | square.bit())
    }

    /// Squares next to one of the set, in any of the eight directions.
    #[inline(always)]
    pub const fn neighbours(self) -> Bitboard {
        const LEFT: u64 = 0xfefe_fefe_fefe_fefe;
        const RIGHT: u64 = 0x7f7f_7f7f_7f7f_7f7f;
        let beside = (self.0 & RIGHT) << 1 | (self.0 & LEFT) >> 1;
        let row = self.0 | beside;
        Bitboard(beside | row << 8 | row >> 8)
    }

    /// The lowest square, if there is one.
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square::wrapping(self.0.trailing_zeros())) }
    }
}

impl From<Square> for Bitboard {
    fn from(square: Square) -> Bitboard {
        Bitboard(square.bit())
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Bitboard {
        squares.into_iter().fold(Bitboard::EMPTY, Bitboard::with)
    }
}

macro_rules! binary {
    ($trait:ident, $method:ident, $expr:expr) => {
        impl $trait for Bitboard {
            type Output = Bitboard;
            #[inline(always)]
            fn $method(self, other: Bitboard) -> Bitboard {
                let combine: fn(u64, u64) -> u64 = $expr;
                Bitboard(combine(self.0, other.0))
            }
        }
    };
}

binary!(BitAnd, bitand, |a, b| a & b);
binary!(BitOr, bitor, |a, b| a | b);
binary!(BitXor, bitxor, |a, b| a ^ b);
binary!(Sub, sub, |a, b| a & !b);

impl Not for Bitboard {
    type Output = Bitboard;
    fn not(self) -> Bitboard {
        Bitboard(!self.0)
    }
}

impl BitAndAssign for Bitboard {
    fn bitand_assign(&mut self, other: Bitboard) {
        self.0 &= other.0;
    }
}

impl BitOrAssign for Bitboard {
    fn bitor_assign(&mut self, other: Bitboard) {
        self.0 |= other.0;
    }
}

/// The squares of a set from the lowest to the highest.
#[derive(Clone)]
pub struct Squares(u64);

impl Iterator for Squares {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let square = Bitboard(self.0).first()?;
        self.0 &= self.0 - 1;
        Some(square)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.count_ones() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline(always)]
    fn into_iter(self) -> Squares {
        Squares(self.0)
    }
}

/// Eight rows of `X` (in the set) and `.`, row 1 first.
impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for square in Square::all() {
            let end = if square.file() == 7 { "\n" } else { " " };
            write!(f, "{}{end}", if self.has(square) { 'X' } else { '.' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_iterates_in_order_and_collects_back() {
        let set = Bitboard(0x8000_0400_0010_0001);
        let squares: Vec<Square> = set.into_iter().collect();
        assert_eq!(squares.len(), set.len() as usize);
        assert!(squares.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(squares.into_iter().collect::<Bitboard>(), set);
    }

    #[test]
    fn neighbours_are_the_squares_a_king_could_reach() {
        for square in Square::all() {
            let near = |other: Square| {
                let files = square.file().abs_diff(other.file());
                let ranks = square.rank().abs_diff(other.rank());
                files.max(ranks) == 1
            };
            let expected: Bitboard = Square::all().filter(|other| near(*other)).collect();
            assert_eq!(Bitboard::from(square).neighbours(), expected, "{square:?}");
        }
        assert_eq!(Bitboard::FULL.neighbours(), Bitboard::FULL);
    }

    #[test]
    fn difference_removes_only_what_is_named() {
        assert_eq!(Bitboard(0b1110) - Bitboard(0b0111), Bitboard(0b1000));
    }
}
