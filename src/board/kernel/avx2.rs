//! Moves and flips, four directions at a time in a 256-bit register.

use super::rays::{RAYS, STEPS};
use crate::board::Square;
use std::arch::x86_64::*;

/// The legal moves of `player`: empty squares from which at least one disc is outflanked.
#[inline(always)]
pub fn moves(player: u64, opponent: u64) -> u64 {
    const INNER: i64 = 0x7e7e_7e7e_7e7e_7e7e;
    // SAFETY: this file is compiled only where the target has AVX2.
    unsafe {
        let own = _mm256_set1_epi64x(player as i64);
        let between = _mm256_and_si256(
            _mm256_set1_epi64x(opponent as i64),
            _mm256_set_epi64x(INNER, INNER, -1, INNER),
        );
        let one = steps(1);
        let two = steps(2);
        let mut up = _mm256_and_si256(between, _mm256_sllv_epi64(own, one));
        let mut down = _mm256_and_si256(between, _mm256_srlv_epi64(own, one));
        up = _mm256_or_si256(up, _mm256_and_si256(between, _mm256_sllv_epi64(up, one)));
        down = _mm256_or_si256(down, _mm256_and_si256(between, _mm256_srlv_epi64(down, one)));
        let pairs_up = _mm256_and_si256(between, _mm256_sllv_epi64(between, one));
        let pairs_down = _mm256_srlv_epi64(pairs_up, one);
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
        up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, two)));
        down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, two)));
        let found = _mm256_or_si256(_mm256_sllv_epi64(up, one), _mm256_srlv_epi64(down, one));
        or_lanes(found) & !(player | opponent)
    }
}

/// The opposing discs that a disc of `player` on `square` flips; 0 if the move is not legal.
/// The square must be empty.
#[inline(always)]
pub fn flips(square: Square, player: u64, opponent: u64) -> u64 {
    let rays = &RAYS[square.index()];
    // SAFETY: this file is compiled only where the target has AVX2; both loads read four u64
    // of a 32-byte aligned struct.
    unsafe {
        let own = _mm256_set1_epi64x(player as i64);
        let opposing = _mm256_set1_epi64x(opponent as i64);
        let zero = _mm256_setzero_si256();

        // Towards higher squares the run ends at the lowest square that is not opposing: the
        // bits below it on the ray are flipped if it holds an own disc.
        let up = _mm256_load_si256(rays.up.as_ptr().cast());
        let others = _mm256_andnot_si256(opposing, up);
        let end = _mm256_and_si256(_mm256_and_si256(others, _mm256_sub_epi64(zero, others)), own);
        let below = _mm256_add_epi64(end, _mm256_set1_epi64x(-1));
        let flipped_up =
            _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), _mm256_and_si256(below, up));

        // Towards lower squares it ends at the highest one: smear the candidates downwards and
        // keep the one that nothing above reaches. −2·end has all bits above it set.
        let down = _mm256_load_si256(rays.down.as_ptr().cast());
        let others = _mm256_andnot_si256(opposing, down);
        let mut reached = _mm256_or_si256(others, _mm256_srlv_epi64(others, steps(1)));
        reached = _mm256_or_si256(reached, _mm256_srlv_epi64(reached, steps(2)));
        reached = _mm256_or_si256(reached, _mm256_srlv_epi64(reached, steps(4)));
        let highest = _mm256_andnot_si256(_mm256_srlv_epi64(reached, steps(1)), others);
        let end = _mm256_and_si256(highest, own);
        let above = _mm256_sub_epi64(zero, _mm256_add_epi64(end, end));
        let flipped_down = _mm256_and_si256(above, down);

        or_lanes(_mm256_or_si256(flipped_up, flipped_down))
    }
}

/// The four direction steps, each times `n`.
#[inline(always)]
fn steps(n: u32) -> __m256i {
    let [a, b, c, d] = STEPS.map(|step| i64::from(step * n));
    // SAFETY: this file is compiled only where the target has AVX2.
    unsafe { _mm256_set_epi64x(d, c, b, a) }
}

#[inline(always)]
fn or_lanes(lanes: __m256i) -> u64 {
    // SAFETY: this file is compiled only where the target has AVX2.
    unsafe {
        let halves =
            _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
        let word = _mm_or_si128(halves, _mm_unpackhi_epi64(halves, halves));
        _mm_cvtsi128_si64(word) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::super::portable;
    use super::*;
    use crate::board::testing::random_boards;

    #[test]
    fn agrees_with_the_portable_twin_on_random_games_and_random_noise() {
        for board in random_boards(20_000) {
            let (player, opponent) = (board.player.0, board.opponent.0);
            assert_eq!(moves(player, opponent), portable::moves(player, opponent), "{board:?}");
            for square in board.empties() {
                assert_eq!(
                    flips(square, player, opponent),
                    portable::flips(square, player, opponent),
                    "{square} on {board:?}"
                );
            }
        }
    }
}
