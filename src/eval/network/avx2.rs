//! The network in 256-bit registers. Sixteen numbers of 16 bits are one register.

use super::{LEAK_BITS, Layers, ROW_BITS, Rows, Sum, VALUE_BITS, WEIGHT_BITS};
use crate::eval::patterns::{CENTRES, Lanes, PLACEMENTS};
use std::arch::x86_64::*;

const LEAK: i32 = LEAK_BITS as i32;

/// From the places of a row to those of a sum.
const SCALE: i32 = (VALUE_BITS - ROW_BITS) as i32;

/// `bias` plus the rows that the lanes name.
#[inline(always)]
pub fn sum(lanes: &Lanes, rows: &Rows, bias: &Sum) -> Sum {
    // SAFETY: this file is compiled only where the target has AVX2. `patterns` puts a margin of
    // 2^15 entries on either side of the rows, so the entry of any i16 in any lane is inside the
    // table (and tested there); a row is 16 aligned bytes and a sum 32.
    unsafe {
        // Two sums, so that additions do not wait for one another.
        let mut sums = [_mm256_setzero_si256(); 2];
        let mut lane = 0;
        while lane < PLACEMENTS {
            let entry = CENTRES[lane].wrapping_add_signed(lanes.0[lane] as isize);
            let row = _mm_load_si128(rows.get_unchecked(entry).0.as_ptr().cast());
            sums[lane % 2] = _mm256_add_epi16(sums[lane % 2], _mm256_cvtepi8_epi16(row));
            lane += 1;
        }
        let scaled = _mm256_slli_epi16::<SCALE>(_mm256_add_epi16(sums[0], sums[1]));
        let mut sum = Sum::default();
        _mm256_store_si256(sum.0.as_mut_ptr().cast(), _mm256_add_epi16(scaled, load(bias)));
        sum
    }
}

/// The output for a sum.
#[inline(always)]
pub fn output(sum: &Sum, layers: &Layers) -> i32 {
    // SAFETY: this file is compiled only where the target has AVX2; every load reads 32 bytes
    // of an array of at least as many, and alignment is not asked for.
    unsafe {
        let sum = load(sum);
        let input = _mm256_max_epi16(sum, _mm256_srai_epi16::<LEAK>(sum));
        let hidden = hidden(input, layers);
        let second = _mm256_madd_epi16(hidden, _mm256_loadu_si256(layers.second.as_ptr().cast()));
        let skip = _mm256_madd_epi16(sum, _mm256_loadu_si256(layers.skip.as_ptr().cast()));
        layers.bias.wrapping_add(total(_mm256_add_epi32(second, skip)))
    }
}

/// The hidden numbers in order.
#[inline(always)]
fn hidden(input: __m256i, layers: &Layers) -> __m256i {
    // SAFETY: this file is compiled only where the target has AVX2; `first` holds 16 registers
    // and `first_bias` two.
    unsafe {
        let first: *const __m256i = layers.first.as_ptr().cast();
        let bias: *const __m256i = layers.first_bias.as_ptr().cast();
        let mut z = [_mm256_loadu_si256(bias), _mm256_loadu_si256(bias.add(1))];
        // The pairs 0 … 3 and 4 … 7, each twice.
        let halves = [
            _mm256_permute4x64_epi64::<0b01_00_01_00>(input),
            _mm256_permute4x64_epi64::<0b11_10_11_10>(input),
        ];
        for (half, pairs) in halves.into_iter().enumerate() {
            let spread = [
                _mm256_shuffle_epi32::<0x00>(pairs),
                _mm256_shuffle_epi32::<0x55>(pairs),
                _mm256_shuffle_epi32::<0xaa>(pairs),
                _mm256_shuffle_epi32::<0xff>(pairs),
            ];
            for (i, pair) in spread.into_iter().enumerate() {
                let weights = first.add(2 * (4 * half + i));
                for (j, z) in z.iter_mut().enumerate() {
                    let product = _mm256_madd_epi16(pair, _mm256_loadu_si256(weights.add(j)));
                    *z = _mm256_add_epi32(*z, product);
                }
            }
        }
        let scaled = z.map(|z| {
            let leaky = _mm256_max_epi32(z, _mm256_srai_epi32::<LEAK>(z));
            _mm256_srai_epi32::<{ WEIGHT_BITS as i32 }>(leaky)
        });
        // Packing interleaves the halves of its operands.
        _mm256_permute4x64_epi64::<0b11_01_10_00>(_mm256_packs_epi32(scaled[0], scaled[1]))
    }
}

#[inline(always)]
fn total(numbers: __m256i) -> i32 {
    // SAFETY: this file is compiled only where the target has AVX2.
    unsafe {
        let high = _mm256_extracti128_si256::<1>(numbers);
        let four = _mm_add_epi32(_mm256_castsi256_si128(numbers), high);
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
    }
}

#[inline(always)]
fn load(sum: &Sum) -> __m256i {
    // SAFETY: this file is compiled only where the target has AVX2; a sum is 32 aligned bytes.
    unsafe { _mm256_load_si256(sum.0.as_ptr().cast()) }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{noise, random_parameters};
    use super::super::{Parameters, Row, portable};
    use super::*;
    use crate::board::testing::random_boards;
    use crate::eval::features::Features;
    use crate::eval::patterns::{LANES, TABLE_LEN};
    use crate::random::Random;

    fn random_rows(random: &mut Random) -> Box<Rows> {
        let rows: Vec<Row> =
            (0..TABLE_LEN).map(|_| Row(std::array::from_fn(|_| noise(random) as i8))).collect();
        rows.into_boxed_slice().try_into().unwrap()
    }

    #[test]
    fn sums_agree_with_the_portable_twin_on_boards_and_on_lanes_that_no_board_has() {
        let mut random = Random(1);
        let rows = random_rows(&mut random);
        let bias = Sum(std::array::from_fn(|_| noise(&mut random)));
        let of_boards = random_boards(2_000).into_iter().map(|board| *Features::of(board).lanes());
        let noise = (0..500).map(|_| Lanes(std::array::from_fn(|_| random.next() as i16)));
        let extremes = [i16::MIN, i16::MAX].map(|number| Lanes([number; LANES]));
        for lanes in of_boards.chain(noise).chain(extremes) {
            assert_eq!(sum(&lanes, &rows, &bias), portable::sum(&lanes, &rows, &bias));
        }
    }

    #[test]
    fn outputs_agree_with_the_portable_twin_whatever_the_numbers() {
        let mut random = Random(2);
        let Parameters { layers, .. } = random_parameters(3);
        for layers in layers.iter().cycle().take(5_000) {
            let sum = Sum(std::array::from_fn(|_| noise(&mut random)));
            assert_eq!(output(&sum, layers), portable::output(&sum, layers), "{sum:?}");
        }
    }
}
