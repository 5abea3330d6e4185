//! Feature vectors in plain integer arithmetic.

use crate::board::{Bitboard, Square};
use crate::eval::patterns::{CONTRIBUTIONS, Lanes};

/// The lanes with an own disc more on each of `discs`.
pub fn add_discs(lanes: &Lanes, discs: Bitboard) -> Lanes {
    discs.into_iter().fold(*lanes, |lanes, square| {
        combine(&lanes, &CONTRIBUTIONS[square.index()], i16::wrapping_add)
    })
}

/// Lane by lane `a` − `b`.
pub fn subtract(a: &Lanes, b: &Lanes) -> Lanes {
    combine(a, b, i16::wrapping_sub)
}

/// Every lane with the other sign.
pub fn negate(lanes: &Lanes) -> Lanes {
    Lanes(lanes.0.map(i16::wrapping_neg))
}

/// The lanes after a move, seen by the side that moves next. A flipped disc goes from −1 to +1
/// for the mover.
pub fn play(lanes: &Lanes, square: Square, flips: Bitboard) -> Lanes {
    let once = add_discs(&add_discs(lanes, square.into()), flips);
    negate(&add_discs(&once, flips))
}

fn combine(a: &Lanes, b: &Lanes, op: impl Fn(i16, i16) -> i16) -> Lanes {
    Lanes(std::array::from_fn(|lane| op(a.0[lane], b.0[lane])))
}
