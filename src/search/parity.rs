//! Parity of the board's four quadrants: the side that moves last in a region gains from it, so
//! squares in regions with an odd number of empties are tried first.

use crate::board::{Bitboard, Square};

const CORNER: u64 = 0x0000_0000_0f0f_0f0f;
const QUADRANTS: [u64; 4] = [CORNER, CORNER << 4, CORNER << 32, CORNER << 36];

/// For a set of quadrants: all their squares.
const SQUARES: [u64; 16] = {
    let mut squares = [0; 16];
    let mut set = 0;
    while set < 16 {
        let mut quadrant = 0;
        while quadrant < 4 {
            if set >> quadrant & 1 != 0 {
                squares[set] |= QUADRANTS[quadrant];
            }
            quadrant += 1;
        }
        set += 1;
    }
    squares
};

/// The quadrants with an odd number of empty squares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Parity(u8);

impl Parity {
    pub fn of(empties: Bitboard) -> Parity {
        let mut odd = 0;
        for (i, quadrant) in QUADRANTS.into_iter().enumerate() {
            odd |= (((empties.0 & quadrant).count_ones() & 1) as u8) << i;
        }
        Parity(odd)
    }

    /// The parity after a disc on `square`.
    #[inline(always)]
    pub fn toggled(self, square: Square) -> Parity {
        let quadrant = (square.index() as u8 >> 2 & 1) | (square.index() as u8 >> 4 & 2);
        Parity(self.0 ^ (1 << quadrant))
    }

    /// All squares of the odd quadrants.
    #[inline(always)]
    pub fn odd_squares(self) -> Bitboard {
        Bitboard(SQUARES[usize::from(self.0 & 15)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::random_boards;

    #[test]
    fn toggling_agrees_with_counting_anew() {
        for board in random_boards(1_000) {
            let empties = board.empties();
            for square in empties {
                let after = empties - square.into();
                assert_eq!(Parity::of(empties).toggled(square), Parity::of(after));
            }
        }
    }
}
