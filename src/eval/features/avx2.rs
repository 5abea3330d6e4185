//! Feature vectors in four 256-bit registers.

use crate::board::{Bitboard, Square};
use crate::eval::patterns::{CONTRIBUTIONS, LANES, Lanes};
use std::arch::x86_64::*;

/// Lanes in one register.
const WIDTH: usize = 16;

type Registers = [__m256i; LANES / WIDTH];

/// The lanes with an own disc more on each of `discs`.
#[inline(always)]
pub fn add_discs(lanes: &Lanes, discs: Bitboard) -> Lanes {
    store(add_contributions(load(lanes), discs))
}

/// Lane by lane `a` − `b`.
#[inline(always)]
pub fn subtract(a: &Lanes, b: &Lanes) -> Lanes {
    store(subtract_registers(load(a), load(b)))
}

/// Every lane with the other sign.
#[inline(always)]
pub fn negate(lanes: &Lanes) -> Lanes {
    store(negate_registers(load(lanes)))
}

/// The lanes after a move, seen by the side that moves next. A flipped disc goes from −1 to +1
/// for the mover.
#[inline(always)]
pub fn play(lanes: &Lanes, square: Square, flips: Bitboard) -> Lanes {
    // −(v + s + 2·f) = (−v − s − f) − f.
    let flipped = add_contributions(zeros(), flips);
    let before = add_registers(load(lanes), load(&CONTRIBUTIONS[square.index()]));
    let once = add_registers(before, flipped);
    store(negate_registers(add_registers(once, flipped)))
}

#[inline(always)]
fn add_contributions(registers: Registers, discs: Bitboard) -> Registers {
    let mut registers = registers;
    for square in discs {
        registers = add_registers(registers, load(&CONTRIBUTIONS[square.index()]));
    }
    registers
}

#[inline(always)]
fn load(lanes: &Lanes) -> Registers {
    std::array::from_fn(|i| {
        // SAFETY: this file is compiled only where the target has AVX2; each load reads 16 of
        // the 64 lanes of a 64-byte aligned struct.
        unsafe { _mm256_load_si256(lanes.0.as_ptr().add(i * WIDTH).cast()) }
    })
}

#[inline(always)]
fn store(registers: Registers) -> Lanes {
    let mut lanes = Lanes([0; LANES]);
    for (i, register) in registers.into_iter().enumerate() {
        // SAFETY: as in `load`.
        unsafe { _mm256_store_si256(lanes.0.as_mut_ptr().add(i * WIDTH).cast(), register) };
    }
    lanes
}

#[inline(always)]
fn zeros() -> Registers {
    // SAFETY: this file is compiled only where the target has AVX2.
    [unsafe { _mm256_setzero_si256() }; LANES / WIDTH]
}

#[inline(always)]
fn add_registers(a: Registers, b: Registers) -> Registers {
    // SAFETY: this file is compiled only where the target has AVX2.
    std::array::from_fn(|i| unsafe { _mm256_add_epi16(a[i], b[i]) })
}

#[inline(always)]
fn subtract_registers(a: Registers, b: Registers) -> Registers {
    // SAFETY: this file is compiled only where the target has AVX2.
    std::array::from_fn(|i| unsafe { _mm256_sub_epi16(a[i], b[i]) })
}

#[inline(always)]
fn negate_registers(registers: Registers) -> Registers {
    subtract_registers(zeros(), registers)
}

#[cfg(test)]
mod tests {
    use super::super::portable;
    use super::*;
    use crate::board::testing::random_boards;
    use crate::random::Random;

    #[test]
    fn agrees_with_the_portable_twin_on_random_games() {
        let zero = Lanes([0; LANES]);
        for board in random_boards(5_000) {
            let own = add_discs(&zero, board.player);
            let other = add_discs(&zero, board.opponent);
            assert_eq!(own, portable::add_discs(&zero, board.player));
            let lanes = subtract(&own, &other);
            assert_eq!(lanes, portable::subtract(&own, &other));
            assert_eq!(negate(&lanes), portable::negate(&lanes));
            for square in board.moves() {
                let flips = board.flips(square);
                let next = play(&lanes, square, flips);
                assert_eq!(next, portable::play(&lanes, square, flips), "{square} on {board:?}");
            }
        }
    }

    #[test]
    fn agrees_with_the_portable_twin_on_lanes_that_no_board_has() {
        let mut random = Random(2);
        for _ in 0..1_000 {
            let a = Lanes(std::array::from_fn(|_| random.next() as i16));
            let b = Lanes(std::array::from_fn(|_| random.next() as i16));
            assert_eq!(negate(&a), portable::negate(&a));
            assert_eq!(subtract(&a, &b), portable::subtract(&a, &b));
        }
    }
}
