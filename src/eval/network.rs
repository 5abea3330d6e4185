//! The network: from the configurations of the patterns to a value.
//!
//! ```text
//! sum    = bias + the row of each pattern's configuration      16 numbers, all positions
//! hidden = leaky(first · leaky(sum) + first_bias)              16 numbers, ┐ by the number of
//! value  = second · hidden + skip · sum + bias                  1 number,  ┘ empty squares
//! leaky(x) = x or x / 8, whichever is greater
//! ```
//!
//! The rows are the same for the whole game, so every position teaches something about every
//! other; what they are worth at a given number of empty squares is for the layers on top to say.
//!
//! All numbers are integers: a number of the network is x·2⁶ in the rows, x·2⁸ for sums and hidden
//! values, x·2¹⁰ for weights and x·2¹⁸ for products of both. One is worth [`DISCS`] discs at the
//! output. Arithmetic wraps or saturates in one given way, so any weights at all have a value, and
//! the AVX2 and portable versions agree on every bit. Rows of 16 bits in place of 8 are no more
//! accurate, and twice as much to fetch from memory, which is what an evaluation waits for.

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub mod avx2;
pub mod portable;

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
pub(super) use avx2 as kernel;
#[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
pub(super) use portable as kernel;

use super::patterns::{FOLDING, TABLE_LEN};

/// Numbers in a row.
pub const WIDTH: usize = 16;

/// Hidden numbers.
pub const HIDDEN: usize = 16;

/// Number of layers on top: one for each number of empty squares, 0 to 60.
pub const STAGES: usize = 61;

/// What 1 at the output is worth (discs).
pub const DISCS: i32 = 16;

/// Binary places of rows.
pub const ROW_BITS: u32 = 6;

/// Binary places of sums and hidden values.
pub const VALUE_BITS: u32 = 8;

/// Binary places of weights.
pub const WEIGHT_BITS: u32 = 10;

/// How far x / 8 shifts.
pub const LEAK_BITS: u32 = 3;

/// The numbers of one configuration. Any sum of them fits 16 bits, also as a [`Sum`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(16))]
pub struct Row(pub [i8; WIDTH]);

/// The sum of the rows of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct Sum(pub [i16; WIDTH]);

/// The rows of all configurations, as [`CENTRES`](super::patterns::CENTRES) places them.
pub type Rows = [Row; TABLE_LEN];

/// The layers for one number of empty squares. First layer: inputs in pairs, as the
/// multiplication of 16-bit numbers takes them; of each pair the weights to every hidden number.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
#[repr(C, align(32))]
pub struct Layers {
    /// Weights from pairs of inputs to hidden numbers.
    pub first: [[[i16; 2]; HIDDEN]; WIDTH / 2],
    /// Added to the hidden numbers.
    pub first_bias: [i32; HIDDEN],
    /// Weights from hidden numbers to the output.
    pub second: [i16; HIDDEN],
    /// Weights from the sum to the output.
    pub skip: [i16; WIDTH],
    /// Added to the output.
    pub bias: i32,
}

/// Everything that is learned.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parameters {
    /// A row for each folded configuration.
    pub rows: Vec<Row>,
    /// Added to every sum.
    pub bias: Sum,
    /// The layers by the number of empty squares.
    pub layers: Vec<Layers>,
}

impl Default for Parameters {
    /// All zero: the value of every position is 0.
    fn default() -> Parameters {
        Parameters {
            rows: vec![Row::default(); FOLDING.len()],
            bias: Sum::default(),
            layers: vec![Layers::default(); STAGES],
        }
    }
}

/// 16-bit numbers in the layers for one number of empty squares.
const LAYER_NUMBERS: usize = WIDTH * HIDDEN + 2 * HIDDEN + HIDDEN + WIDTH + 2;

impl Parameters {
    /// Number of 16-bit numbers in all parameters.
    pub fn count() -> usize {
        (FOLDING.len() + 1) * WIDTH + STAGES * LAYER_NUMBERS
    }

    /// All parameters as numbers of at most 16 bits in a fixed order: the rows, number by number, the bias,
    /// the layers. A 32-bit number is two, the low half first.
    pub fn numbers(&self) -> Vec<i16> {
        let mut numbers = Vec::with_capacity(Self::count());
        for place in 0..WIDTH {
            numbers.extend(self.rows.iter().map(|row| i16::from(row.0[place])));
        }
        numbers.extend(self.bias.0);
        let halves = |number: i32| [number as i16, (number >> 16) as i16];
        for layers in &self.layers {
            numbers.extend(layers.first.as_flattened().as_flattened());
            numbers.extend(layers.first_bias.iter().flat_map(|number| halves(*number)));
            numbers.extend(layers.second);
            numbers.extend(layers.skip);
            numbers.extend(halves(layers.bias));
        }
        numbers
    }

    /// The parameters with these numbers; missing ones are 0. Rows take the low 8 bits.
    pub fn from_numbers(numbers: &[i16]) -> Parameters {
        let mut parameters = Parameters::default();
        let mut rest = numbers.iter().copied();
        let mut next = || rest.next().unwrap_or(0);
        for place in 0..WIDTH {
            parameters.rows.iter_mut().for_each(|row| row.0[place] = next() as i8);
        }
        parameters.bias.0.fill_with(&mut next);
        let whole = |low: i16, high: i16| i32::from(high) << 16 | i32::from(low as u16);
        for layers in &mut parameters.layers {
            let first = layers.first.as_flattened_mut().as_flattened_mut();
            first.fill_with(&mut next);
            layers.first_bias.fill_with(|| whole(next(), next()));
            layers.second.fill_with(&mut next);
            layers.skip.fill_with(&mut next);
            layers.bias = whole(next(), next());
        }
        parameters
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::eval::patterns::PLACEMENTS;
    use crate::random::Random;

    /// Numbers of every size, extremes included.
    pub(in crate::eval) fn noise(random: &mut Random) -> i16 {
        match random.below(8) {
            0 => i16::MIN,
            1 => i16::MAX,
            2 => 0,
            bits => (random.next() as i16) >> bits,
        }
    }

    pub(in crate::eval) fn random_parameters(seed: u64) -> Parameters {
        let mut random = Random(seed);
        let numbers: Vec<i16> = (0..Parameters::count()).map(|_| noise(&mut random)).collect();
        Parameters::from_numbers(&numbers)
    }

    #[test]
    fn parameters_are_their_numbers() {
        let parameters = random_parameters(4);
        let numbers = parameters.numbers();
        assert_eq!(numbers.len(), Parameters::count());
        assert!(Parameters::from_numbers(&numbers) == parameters);
        assert_eq!(Parameters::from_numbers(&[]), Parameters::default());
    }

    #[test]
    fn no_sum_of_rows_leaves_16_bits() {
        let most = (PLACEMENTS as i32 * 128) << (VALUE_BITS - ROW_BITS);
        assert!(most <= -i32::from(i16::MIN));
    }
}
