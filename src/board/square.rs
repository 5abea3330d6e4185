//! Squares a1 … h8.

use std::fmt;

/// One of the 64 squares: 0 is a1, 1 is b1, 8 is a2, 63 is h8. Row 1 is the top row.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// How many squares a board has.
    pub const COUNT: usize = 64;

    /// The square with this index, or `None` above 63.
    pub const fn new(index: u8) -> Option<Square> {
        if index < 64 { Some(Square(index)) } else { None }
    }

    /// The square whose index is the low six bits of `index`.
    pub const fn wrapping(index: u32) -> Square {
        Square((index & 63) as u8)
    }

    /// The square in column `file` (0 is a) and row `rank` (0 is row 1), or `None` off the board.
    pub const fn at(file: u8, rank: u8) -> Option<Square> {
        if file < 8 && rank < 8 { Some(Square(rank * 8 + file)) } else { None }
    }

    /// 0 … 63. The mask is free and lets the optimiser drop bounds checks on 64-entry tables.
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// Column, 0 (a) to 7 (h).
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// Row, 0 (row 1, the top) to 7.
    pub const fn rank(self) -> u8 {
        self.0 >> 3
    }

    /// The square's bit in a [`Bitboard`](super::Bitboard).
    pub const fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }

    /// All squares from a1 to h8.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..64).map(Square)
    }

    /// Reads two characters such as `f5` or `F5`.
    pub fn parse(text: &str) -> Option<Square> {
        let &[file, rank] = text.as_bytes() else { return None };
        let file = file.to_ascii_lowercase().wrapping_sub(b'a');
        Square::at(file, rank.wrapping_sub(b'1'))
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.file()), self.rank() + 1)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_square_prints_and_parses_back() {
        for square in Square::all() {
            assert_eq!(Square::parse(&square.to_string()), Some(square));
            assert_eq!(Square::parse(&square.to_string().to_uppercase()), Some(square));
        }
    }

    #[test]
    fn corners_are_where_the_convention_puts_them() {
        assert_eq!(Square::parse("a1").map(Square::index), Some(0));
        assert_eq!(Square::parse("h1").map(Square::index), Some(7));
        assert_eq!(Square::parse("a8").map(Square::index), Some(56));
        assert_eq!(Square::parse("h8").map(Square::index), Some(63));
    }

    #[test]
    fn nonsense_is_no_square() {
        for text in ["", "a", "a0", "a9", "i1", "`1", "f55", "5f", "é"] {
            assert_eq!(Square::parse(text), None, "{text}");
        }
    }
}
