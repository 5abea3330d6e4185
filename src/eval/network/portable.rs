//! The network in plain integer arithmetic.

use super::{HIDDEN, LEAK_BITS, Layers, ROW_BITS, Rows, Sum, VALUE_BITS, WEIGHT_BITS, WIDTH};
use crate::eval::patterns::{CENTRES, Lanes};

/// `bias` plus the rows that the lanes name.
pub fn sum(lanes: &Lanes, rows: &Rows, bias: &Sum) -> Sum {
    let start = Sum::default();
    let sum = CENTRES.iter().zip(&lanes.0).fold(start, |sum, (centre, lane)| {
        let row = &rows[centre.wrapping_add_signed(isize::from(*lane))];
        Sum(std::array::from_fn(|i| sum.0[i].wrapping_add(i16::from(row.0[i]))))
    });
    Sum(std::array::from_fn(|i| (sum.0[i] << (VALUE_BITS - ROW_BITS)).wrapping_add(bias.0[i])))
}

/// The output for a sum.
pub fn output(sum: &Sum, layers: &Layers) -> i32 {
    let input: [i32; WIDTH] = sum.0.map(|x| i32::from(x.max(x >> LEAK_BITS)));
    let mut output = layers.bias;
    for (x, weight) in sum.0.iter().zip(&layers.skip) {
        output = output.wrapping_add(i32::from(*x).wrapping_mul(i32::from(*weight)));
    }
    for hidden in 0..HIDDEN {
        let mut z = layers.first_bias[hidden];
        for (pair, weights) in input.chunks_exact(2).zip(&layers.first) {
            for (x, weight) in pair.iter().zip(weights[hidden]) {
                z = z.wrapping_add(x.wrapping_mul(i32::from(weight)));
            }
        }
        let z = z.max(z >> LEAK_BITS) >> WEIGHT_BITS;
        let z = z.clamp(i32::from(i16::MIN), i32::from(i16::MAX));
        output = output.wrapping_add(z.wrapping_mul(i32::from(layers.second[hidden])));
    }
    output
}
