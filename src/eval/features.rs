//! The configuration of every pattern on a board, kept up to date move by move.
//!
//! The inner loops have an AVX2 and a portable version with the same function names; this is the
//! one place that chooses. The portable one is always compiled and is what the tests compare
//! against.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2;
pub mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
use avx2 as kernel;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
use portable as kernel;

use super::patterns::{CENTRES, LANES, Lanes};
use crate::board::{Bitboard, Board, Square};

/// The number of the configuration of each pattern, as the side to move sees it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Features(Lanes);

impl Features {
    /// The features of a board.
    pub fn of(board: Board) -> Features {
        let zero = Lanes([0; LANES]);
        let own = kernel::add_discs(&zero, board.player);
        let opposing = kernel::add_discs(&zero, board.opponent);
        Features(kernel::subtract(&own, &opposing))
    }

    /// The features after a move, seen by the side that moves next.
    #[inline(always)]
    pub fn play(&self, square: Square, flips: Bitboard) -> Features {
        Features(kernel::play(&self.0, square, flips))
    }

    /// The features of the same discs with the other side to move.
    #[inline(always)]
    pub fn pass(&self) -> Features {
        Features(kernel::negate(&self.0))
    }

    /// The entries of a table that the patterns name, one a pattern.
    #[inline(always)]
    pub fn entries(&self) -> impl Iterator<Item = usize> {
        let lanes = CENTRES.iter().zip(&self.0.0);
        lanes.map(|(centre, lane)| centre.wrapping_add_signed(isize::from(*lane)))
    }

    /// The number in each lane.
    pub fn lanes(&self) -> &Lanes {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::random_boards;
    use crate::random::Random;

    #[test]
    fn moves_and_passes_lead_to_the_features_of_the_board_they_lead_to() {
        let mut random = Random(7);
        let mut passes = 0;
        for _ in 0..400 {
            let mut board = Board::START;
            let mut features = Features::of(board);
            loop {
                if let Some(square) = random.pick(board.moves()) {
                    let flips = board.flips(square);
                    board = board.play(square, flips);
                    features = features.play(square, flips);
                } else if board.must_pass() {
                    board = board.pass();
                    features = features.pass();
                    passes += 1;
                } else {
                    break;
                }
                assert_eq!(features, Features::of(board), "{board:?}");
            }
        }
        assert!(passes > 10);
    }

    #[test]
    fn the_other_side_sees_every_number_with_the_other_sign() {
        for board in random_boards(1_000) {
            let own = Features::of(board);
            let other = Features::of(board.pass());
            assert!(own.lanes().0.iter().zip(&other.lanes().0).all(|(a, b)| *a == -b));
        }
    }
}
