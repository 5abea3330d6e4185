//! The eight ways in which a board can be turned and mirrored without changing the game.

use super::{Bitboard, Board, Square};

/// One of the eight symmetries: bit 0 mirrors left–right, bit 1 top–bottom, bit 2 then mirrors
/// along the a1–h8 diagonal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// All eight, the identity first.
    pub fn all() -> impl Iterator<Item = Symmetry> {
        Symmetry::ALL.into_iter()
    }

    /// Where a set of squares goes.
    pub const fn apply(self, squares: Bitboard) -> Bitboard {
        let mut bits = squares.0;
        if self.0 & 1 != 0 {
            bits = mirror_files(bits);
        }
        if self.0 & 2 != 0 {
            bits = bits.swap_bytes();
        }
        if self.0 & 4 != 0 {
            bits = transpose(bits);
        }
        Bitboard(bits)
    }

    /// Where one square goes.
    pub const fn apply_square(self, square: Square) -> Square {
        Square::wrapping(self.apply(Bitboard(square.bit())).0.trailing_zeros())
    }

    /// The board turned as a whole.
    pub fn apply_board(self, board: Board) -> Board {
        Board { player: self.apply(board.player), opponent: self.apply(board.opponent) }
    }
}

impl Board {
    /// The one of the eight symmetric boards with the lowest bits: equal for all eight.
    pub fn canonical(self) -> Board {
        Symmetry::all()
            .map(|symmetry| symmetry.apply_board(self))
            .min_by_key(|board| (board.player.0, board.opponent.0))
            .unwrap_or(self)
    }
}

const fn mirror_files(bits: u64) -> u64 {
    bits.reverse_bits().swap_bytes()
}

/// Swaps rows and columns: 1×1, then 2×2, then 4×4 blocks across the a1–h8 diagonal.
const fn transpose(bits: u64) -> u64 {
    let bits = swap(bits, 0x00aa_00aa_00aa_00aa, 7);
    let bits = swap(bits, 0x0000_cccc_0000_cccc, 14);
    swap(bits, 0x0000_0000_f0f0_f0f0, 28)
}

/// Exchanges the bits of `mask` with those `shift` places higher.
const fn swap(bits: u64, mask: u64, shift: u32) -> u64 {
    let difference = (bits ^ (bits >> shift)) & mask;
    bits ^ difference ^ (difference << shift)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::random_boards;

    #[test]
    fn a_lone_corner_square_reaches_eight_images() {
        let square = Square::parse("b1").unwrap();
        let mut images: Vec<String> =
            Symmetry::all().map(|s| s.apply_square(square).to_string()).collect();
        images.sort();
        assert_eq!(images, ["a2", "a7", "b1", "b8", "g1", "g8", "h2", "h7"]);
    }

    #[test]
    fn moves_and_flips_turn_with_the_board() {
        for board in random_boards(500) {
            for symmetry in Symmetry::all() {
                let turned = symmetry.apply_board(board);
                assert_eq!(turned.moves(), symmetry.apply(board.moves()));
                for square in board.moves() {
                    let image = symmetry.apply_square(square);
                    assert_eq!(turned.flips(image), symmetry.apply(board.flips(square)));
                }
                assert_eq!(turned.canonical(), board.canonical());
            }
        }
    }
}
