//! Cutoffs by the discs that one side can never lose.

use super::params::stability_alpha;
use crate::board::Board;

/// An upper bound on the score (discs) that already fails low against `alpha`, from the discs the
/// opponent can never lose.
#[inline(always)]
pub(super) fn stability_bound(board: Board, alpha: i32, empties: u32) -> Option<i32> {
    // Discs to be found; most often there are not as many at all.
    let needed = (65 - alpha).max(0) as u32 / 2;
    if alpha < stability_alpha(empties) || board.opponent.len() < needed {
        return None;
    }
    let bound = 64 - 2 * board.stable_opponent_discs(needed).len() as i32;
    (bound <= alpha).then_some(bound)
}
