//! Moves and flips in plain integer arithmetic.

use super::rays::{RAYS, STEPS};
use crate::board::Square;

/// Opposing discs that can lie between two others in each direction of [`STEPS`]: a disc on the
/// left or right edge ends a horizontal or diagonal line.
const INNER: [u64; 4] = [0x7e7e_7e7e_7e7e_7e7e, !0, 0x7e7e_7e7e_7e7e_7e7e, 0x7e7e_7e7e_7e7e_7e7e];

/// The legal moves of `player`: empty squares from which at least one disc is outflanked.
pub fn moves(player: u64, opponent: u64) -> u64 {
    let mut found = 0;
    for (step, inner) in STEPS.into_iter().zip(INNER) {
        let between = opponent & inner;
        // A run of opposing discs next to an own disc grows by one, then by two twice: six is
        // the longest run that can be outflanked.
        let mut up = between & (player << step);
        let mut down = between & (player >> step);
        up |= between & (up << step);
        down |= between & (down >> step);
        let pairs_up = between & (between << step);
        let pairs_down = between & (between >> step);
        for _ in 0..2 {
            up |= pairs_up & (up << (2 * step));
            down |= pairs_down & (down >> (2 * step));
        }
        found |= (up << step) | (down >> step);
    }
    found & !(player | opponent)
}

/// The opposing discs that a disc of `player` on `square` flips; 0 if the move is not legal.
/// The square must be empty.
pub fn flips(square: Square, player: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square.index()];
    let mut flipped = 0;
    for ray in rays.up {
        // The nearest square of the ray that is not opposing ends the run.
        let others = ray & !opponent;
        let end = others & others.wrapping_neg() & player;
        if end != 0 {
            flipped |= ray & (end - 1);
        }
    }
    for ray in rays.down {
        let others = ray & !opponent;
        if others != 0 {
            let end = (1 << 63 >> others.leading_zeros()) & player;
            if end != 0 {
                flipped |= ray & !((end << 1) - 1);
            }
        }
    }
    flipped
}
