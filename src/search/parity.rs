//! Parity of the board's four quadrants: the side that moves last in a region gains from it, so
//! squares in regions with an odd number of empties are tried first.

use crate::board::Bitboard;

const CORNER: u64 = 0x0000_0000_0f0f_0f0f;
const QUADRANTS: [u64; 4] = [CORNER, CORNER << 4, CORNER << 32, CORNER << 36];

/// All squares of the quadrants with an odd number of empty squares.
#[inline(always)]
pub(super) fn odd_quadrants(empties: Bitboard) -> Bitboard {
    let mut odd = 0;
    for quadrant in QUADRANTS {
        let is_odd = u64::from((empties.0 & quadrant).count_ones() & 1);
        odd |= quadrant & is_odd.wrapping_neg();
    }
    Bitboard(odd)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::board::testing::random_boards;

    #[test]
    fn a_square_is_odd_if_its_quadrant_has_an_odd_number_of_empties() {
        for board in random_boards(1_000) {
            let empties = board.empties();
            let odd = odd_quadrants(empties);
            for square in Square::all() {
                let same = |s: &Square| {
                    s.file() / 4 == square.file() / 4 && s.rank() / 4 == square.rank() / 4
                };
                let count = empties.into_iter().filter(same).count();
                assert_eq!(odd.has(square), count % 2 == 1, "{board:?} {square:?}");
            }
        }
    }
}
