//! Least squares: the weights with the smallest squared error over all samples.
//!
//! All knots are fitted together, each sample through the interpolation with which it will be
//! valued. The objective is
//!
//! Σ c·(label − value)² + ridge·Σ w² + smoothness·Σ (w − w at the next knot)²
//!
//! with c the weight of a sample. It is minimised by conjugate gradients with the diagonal as
//! preconditioner (M. R. Hestenes and E. Stiefel, 1952): no step size to choose, and the result
//! does not depend on the number of threads. Stopping early is a further regularisation.

use super::samples::Sample;
use crate::eval::features::Features;
use crate::eval::patterns::{FOLDING, TABLE_LEN};
use crate::eval::stages::{KNOTS, MOST_EMPTIES, Stage};
use crate::eval::weights::UNITS_PER_DISC;
use rayon::prelude::*;

/// Most samples in one unit of parallel work.
const CHUNK: usize = 1 << 18;

/// What a fit is to weigh against the error.
#[derive(Clone, Debug)]
pub struct Options {
    /// Steps of the minimisation.
    pub iterations: usize,
    /// Penalty on a squared weight (in discs), as a number of samples.
    pub ridge: f64,
    /// Penalty on the squared difference of a weight at two neighbouring knots, as a number of
    /// samples.
    pub smoothness: f64,
}

/// Folded weights in discs, knot after knot.
type Vector = Vec<f64>;

/// Fits folded weights (discs, knot after knot) to samples in ascending order of empties.
/// `progress` hears, after each step, its number and the root of the objective a sample (discs).
pub fn fit(samples: &[Sample], options: &Options, progress: impl Fn(usize, f64)) -> Vec<f64> {
    let problem = Problem { chunks: chunks(samples), options };
    let total: f64 = samples.iter().map(|s| f64::from(s.weight)).sum();
    let squares: f64 = samples.iter().map(|s| f64::from(s.weight * s.label * s.label)).sum();

    let scale = problem.diagonal();
    let target = problem.target();
    let mut weights = vec![0.0; target.len()];
    let mut residual = target.clone();
    let mut step: Vector = divide(&residual, &scale);
    let mut norm = dot(&residual, &step);
    for iteration in 1..=options.iterations {
        if norm <= 0.0 {
            break;
        }
        let image = problem.apply(&step);
        let length = norm / dot(&step, &image);
        add_scaled(&mut weights, length, &step);
        add_scaled(&mut residual, -length, &image);
        let objective = squares - dot(&target, &weights) - dot(&residual, &weights);
        progress(iteration, (objective / total).max(0.0).sqrt());

        let scaled = divide(&residual, &scale);
        let next = dot(&residual, &scaled);
        let share = next / norm;
        step.par_iter_mut().zip(&scaled).for_each(|(s, z)| *s = z + share * *s);
        norm = next;
    }
    weights
}

/// Weights in discs rounded to the units of the evaluation; those out of range get the nearest
/// value that fits.
pub fn quantise(weights: &[f64]) -> Vec<i16> {
    weights.iter().map(|weight| (weight * f64::from(UNITS_PER_DISC)).round() as i16).collect()
}

/// Samples with the same number of empties.
struct Chunk<'a> {
    empties: usize,
    samples: &'a [Sample],
}

fn chunks(samples: &[Sample]) -> Vec<Chunk<'_>> {
    samples
        .chunk_by(|a, b| a.board.empties().len() == b.board.empties().len())
        .flat_map(|group| group.chunks(CHUNK))
        .filter_map(|samples| {
            let empties = samples.first()?.board.empties().len() as usize;
            Some(Chunk { empties: empties.min(MOST_EMPTIES), samples })
        })
        .collect()
}

/// The normal equations (XᵀCX + penalties)·w = XᵀC·labels, without the matrix.
struct Problem<'a> {
    chunks: Vec<Chunk<'a>>,
    options: &'a Options,
}

impl Problem<'_> {
    /// The right-hand side.
    fn target(&self) -> Vector {
        self.gather(|chunk| chunk.scatter(|sample, _| sample.weight * sample.label), |share| share)
    }

    /// The product of the left-hand side with a vector.
    fn apply(&self, vector: &Vector) -> Vector {
        let value = |chunk: &Chunk| {
            let table = expand(vector, chunk.empties);
            chunk.scatter(|sample, features| {
                sample.weight * features.entries().map(|entry| table[entry]).sum::<f32>()
            })
        };
        let mut image = self.gather(value, |share| share);
        self.add_penalties(vector, &mut image);
        image
    }

    /// The diagonal of the left-hand side, taking each weight to occur once a sample. Where
    /// neither samples nor penalties say anything it is 1, to divide by.
    fn diagonal(&self) -> Vector {
        let mut diagonal =
            self.gather(|chunk| chunk.scatter(|sample, _| sample.weight), |share| share * share);
        for (knot, part) in diagonal.chunks_mut(FOLDING.len()).enumerate() {
            let neighbours = if knot == 0 || knot == KNOTS - 1 { 1.0 } else { 2.0 };
            let penalty = self.options.ridge + neighbours * self.options.smoothness;
            part.iter_mut().for_each(|d| *d = if *d + penalty > 0.0 { *d + penalty } else { 1.0 });
        }
        diagonal
    }

    /// Sums what `of_chunk` gives over all chunks, each shared out to its two knots.
    fn gather(
        &self,
        of_chunk: impl Fn(&Chunk) -> Vector + Sync + Send,
        factor: impl Fn(f64) -> f64,
    ) -> Vector {
        let parts: Vec<Vector> = self.chunks.par_iter().map(of_chunk).collect();
        let mut sum = vec![0.0; KNOTS * FOLDING.len()];
        for (chunk, part) in self.chunks.iter().zip(&parts) {
            for (knot, share) in Stage::of(chunk.empties).shares() {
                if share > 0.0 {
                    let knot = &mut sum[knot * FOLDING.len()..][..FOLDING.len()];
                    add_scaled(knot, factor(f64::from(share)), part);
                }
            }
        }
        sum
    }

    fn add_penalties(&self, vector: &Vector, image: &mut Vector) {
        add_scaled(image, self.options.ridge, vector);
        let smoothness = self.options.smoothness;
        for i in 0..image.len() - FOLDING.len() {
            let difference = smoothness * (vector[i] - vector[i + FOLDING.len()]);
            image[i] += difference;
            image[i + FOLDING.len()] -= difference;
        }
    }
}

impl Chunk<'_> {
    /// Adds the value of each sample to every weight that the sample uses.
    fn scatter(&self, value: impl Fn(&Sample, &Features) -> f32) -> Vector {
        let mut table = vec![0.0; TABLE_LEN];
        for sample in self.samples {
            let features = Features::of(sample.board);
            let value = f64::from(value(sample, &features));
            for entry in features.entries() {
                table[entry] += value;
            }
        }
        let mut folded = vec![0.0; FOLDING.len()];
        for (entry, slot) in FOLDING.entries() {
            folded[slot] += table[entry];
        }
        folded
    }
}

/// The table of all patterns for one number of empties.
fn expand(vector: &Vector, empties: usize) -> Vec<f32> {
    let shares = Stage::of(empties).shares();
    let weight = |slot: usize| -> f64 {
        shares.iter().map(|(k, share)| f64::from(*share) * vector[k * FOLDING.len() + slot]).sum()
    };
    let mut table = vec![0.0; TABLE_LEN];
    for (entry, slot) in FOLDING.entries() {
        table[entry] = weight(slot) as f32;
    }
    table
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn divide(a: &[f64], b: &[f64]) -> Vector {
    a.par_iter().zip(b).map(|(a, b)| a / b).collect()
}

fn add_scaled(sum: &mut [f64], factor: f64, vector: &[f64]) {
    sum.par_iter_mut().zip(vector).for_each(|(sum, v)| *sum += factor * v);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::random_boards;
    use crate::eval::Weights;
    use crate::eval::patterns::PLACEMENTS;

    /// Boards of random games with 20 to 26 empties, labelled with their disc difference.
    fn samples() -> Vec<Sample> {
        let mut samples: Vec<Sample> = random_boards(10_000)
            .into_iter()
            .filter(|board| (20..=26).contains(&board.empties().len()))
            .map(|board| Sample { board, label: board.disc_difference() as f32, weight: 1.0 })
            .collect();
        samples.sort_by_key(|sample| sample.board.empties().len());
        samples
    }

    fn options() -> Options {
        Options { iterations: 12, ridge: 0.1, smoothness: 0.1 }
    }

    fn mean_error(weights: &Weights, samples: &[Sample]) -> f64 {
        let error = |sample: &Sample| {
            let empties = sample.board.empties().len();
            let value = weights.evaluate(&Features::of(sample.board), empties).discs();
            (value - f64::from(sample.label)).abs()
        };
        samples.iter().map(error).sum::<f64>() / samples.len() as f64
    }

    #[test]
    fn a_sum_over_the_discs_is_learned() {
        let samples = samples();
        let weights = Weights::new(quantise(&fit(&samples, &options(), |_, _| {})));
        let error = mean_error(&weights, &samples);
        assert!(error < 0.5, "mean error {error}");
    }

    #[test]
    fn each_step_lowers_the_objective() {
        let last = std::cell::Cell::new(f64::MAX);
        fit(&samples(), &options(), |step, objective| {
            assert!(objective < last.get(), "step {step}");
            last.set(objective);
        });
    }

    #[test]
    fn one_thread_and_three_give_the_same_weights() {
        let samples = samples();
        let with_threads = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| quantise(&fit(&samples, &options(), |_, _| {})))
        };
        assert_eq!(with_threads(1), with_threads(3));
    }

    #[test]
    fn the_normal_equations_are_symmetric() {
        let samples = samples();
        let options = options();
        let problem = Problem { chunks: chunks(&samples), options: &options };
        let vector = |step: usize| -> Vector {
            (0..KNOTS * FOLDING.len()).map(|i| ((i * step) % 7) as f64 - 3.0).collect()
        };
        let (a, b) = (vector(3), vector(5));
        let (left, right) = (dot(&a, &problem.apply(&b)), dot(&problem.apply(&a), &b));
        assert!((left - right).abs() <= 1e-5 * left.abs().max(right.abs()), "{left} {right}");
    }

    #[test]
    fn a_single_sample_is_shared_out_evenly() {
        let board = crate::board::Board::START;
        let samples = [Sample { board, label: 31.0, weight: 1e6 }];
        let options = Options { iterations: 5, ridge: 1e-3, smoothness: 0.0 };
        let folded = fit(&samples, &options, |_, _| {});
        let weights = Weights::new(quantise(&folded));
        let value = weights.evaluate(&Features::of(board), 60).discs();
        assert!((value - 31.0).abs() < 0.5 * PLACEMENTS as f64 / 128.0, "{value}");
    }

    #[test]
    fn weights_out_of_range_are_saturated() {
        assert_eq!(quantise(&[1.0, -0.5, 1e9, -1e9]), [128, -64, i16::MAX, i16::MIN]);
    }
}
