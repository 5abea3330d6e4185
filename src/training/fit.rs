//! Gradient descent: the weights of the network with a small squared error over all samples.
//!
//! Samples are taken one at a time in random order, several times over. Each number moves against
//! its gradient by a step that shrinks with the gradients it has seen (AdaGrad: J. Duchi, E. Hazan
//! and Y. Singer, 2011), all numbers of a row by the same one: a rare configuration learns
//! quickly from its few samples, a frequent one settles. On top of that all steps shrink
//! steadily to the end. One thread does it all, so the same samples always give the same weights.

use super::samples::Sample;
use crate::eval::Features;
use crate::eval::network::{
    DISCS, HIDDEN, Layers, Parameters, ROW_BITS, Row, STAGES, Sum, VALUE_BITS, WEIGHT_BITS, WIDTH,
};
use crate::eval::patterns::{FOLDING, PLACEMENTS, TABLE_LEN};
use crate::random::Random;

/// How to fit.
#[derive(Clone, Debug)]
pub struct Options {
    /// How often each sample is taken.
    pub passes: usize,
    /// Size of the first steps of the rows; those of the layers are [`LAYER_SHARE`] of it.
    pub first_rate: f64,
    /// Size of the last steps.
    pub last_rate: f64,
    /// Seed of the order of the samples and of the layers before the first step.
    pub seed: u64,
}

/// Steps of the layers as a share of those of the rows.
const LAYER_SHARE: f32 = 0.1;

/// Squares of gradients that every row has seen before the first, so that first steps are small.
const ROW_START: f32 = 0.05;

/// The same for each number of the layers.
const LAYER_START: f32 = 0.01;

/// Slope of the activation below 0.
const LEAK: f32 = 0.125;

/// Most that a number of a row may be either way.
const ROW_MOST: f32 = i8::MAX as f32 / (1 << ROW_BITS) as f32;

/// Samples from one report of progress to the next.
const REPORT: usize = 1 << 18;

/// Fits the network to samples. `progress` hears now and then which share of the work is done
/// and the root of the mean squared error of the latest samples before they were learned (discs).
pub fn fit(
    samples: &[Sample],
    options: &Options,
    mut progress: impl FnMut(f64, f64),
) -> Parameters {
    let mut random = Random(options.seed);
    let mut model = Model::new(&mut random);
    let slots = Slots::new();
    let total: f64 = samples.iter().map(|s| f64::from(s.weight)).sum();
    let mean_weight = (total / samples.len().max(1) as f64).max(f64::MIN_POSITIVE) as f32;
    let steps = (samples.len() * options.passes).max(1);
    let mut order: Vec<u32> = (0..samples.len() as u32).collect();
    let (mut done, mut squares) = (0, 0.0);
    for _ in 0..options.passes {
        shuffle(&mut order, &mut random);
        for number in &order {
            let sample = &samples[*number as usize];
            let decay = (options.last_rate / options.first_rate).powf(done as f64 / steps as f64);
            let rate = (options.first_rate * decay) as f32;
            let example = Example::of(sample, &slots, mean_weight);
            let error = model.learn(&example, rate);
            squares += f64::from(error * error);
            done += 1;
            if done % REPORT == 0 || done == steps {
                let latest = (done - 1) % REPORT + 1;
                let root = (squares / latest as f64).sqrt() * f64::from(DISCS);
                progress(done as f64 / steps as f64, root);
                squares = 0.0;
            }
        }
    }
    model.parameters()
}

fn shuffle(order: &mut [u32], random: &mut Random) {
    for i in (1..order.len()).rev() {
        order.swap(i, random.below(i as u64 + 1) as usize);
    }
}

/// The folded row of each entry of the table of rows.
struct Slots(Vec<u32>);

impl Slots {
    fn new() -> Slots {
        let mut slots = vec![0; TABLE_LEN];
        for (entry, slot) in FOLDING.entries() {
            slots[entry] = slot as u32;
        }
        Slots(slots)
    }
}

/// A sample as the network sees it.
struct Example {
    /// The row of each pattern.
    rows: [u32; PLACEMENTS],
    stage: usize,
    /// What the output should be.
    target: f32,
    weight: f32,
}

impl Example {
    fn of(sample: &Sample, slots: &Slots, mean_weight: f32) -> Example {
        let mut rows = [0; PLACEMENTS];
        let features = Features::of(sample.board);
        for (row, entry) in rows.iter_mut().zip(features.entries()) {
            *row = slots.0[entry];
        }
        Example {
            rows,
            stage: (sample.board.empties().len() as usize).min(STAGES - 1),
            target: sample.label / DISCS as f32,
            weight: sample.weight / mean_weight,
        }
    }
}

type Vector = [f32; WIDTH];

// Where the numbers of a stage's layers are.
const FIRST_BIAS: usize = WIDTH * HIDDEN;
const SECOND: usize = FIRST_BIAS + HIDDEN;
const SKIP: usize = SECOND + HIDDEN;
const BIAS: usize = SKIP + WIDTH;
const LAYER_NUMBERS: usize = BIAS + 1;

/// The numbers of the layers for one stage: of each hidden number its weights, then the biases,
/// the second layer, the weights from the sum, the last bias.
type Dense = [f32; LAYER_NUMBERS];

/// The network with the squares of the gradients that each number has seen.
struct Model {
    rows: Vec<Vector>,
    row_squares: Vec<f32>,
    layers: Vec<Dense>,
    layer_squares: Vec<Dense>,
}

/// All values on the way to an output.
struct Pass {
    sum: Vector,
    input: Vector,
    /// Hidden numbers before the activation.
    raw: [f32; HIDDEN],
    hidden: [f32; HIDDEN],
    output: f32,
}

/// Derivatives of half the squared error.
struct Gradient {
    /// By the sum, and so by each row.
    sum: Vector,
    layers: Dense,
}

impl Model {
    /// Rows of zeros: a configuration that never occurs says nothing.
    fn new(random: &mut Random) -> Model {
        let mut dense = [0.0; LAYER_NUMBERS];
        let mut fill = |range: std::ops::Range<usize>, spread: f32| {
            dense[range].fill_with(|| spread * normal(random));
        };
        fill(0..FIRST_BIAS, (1.0 / WIDTH as f32).sqrt());
        fill(FIRST_BIAS..SECOND, 0.1);
        fill(SECOND..SKIP, (1.0 / HIDDEN as f32).sqrt());
        fill(SKIP..BIAS, 0.3);
        Model {
            rows: vec![[0.0; WIDTH]; FOLDING.len()],
            row_squares: vec![ROW_START; FOLDING.len()],
            layers: vec![dense; STAGES],
            layer_squares: vec![[LAYER_START; LAYER_NUMBERS]; STAGES],
        }
    }

    /// Moves all numbers by one step for one example; returns the error before.
    fn learn(&mut self, example: &Example, rate: f32) -> f32 {
        let pass = self.pass(example);
        let error = pass.output - example.target;
        let layers = &mut self.layers[example.stage];
        let gradient = gradient(layers, &pass, error * example.weight);
        let squares = &mut self.layer_squares[example.stage];
        for ((number, square), slope) in layers.iter_mut().zip(squares).zip(&gradient.layers) {
            *square += slope * slope;
            *number -= LAYER_SHARE * rate * slope / square.sqrt();
        }
        let mean_square = gradient.sum.iter().map(|g| g * g).sum::<f32>() / WIDTH as f32;
        for row in example.rows {
            let square = &mut self.row_squares[row as usize];
            *square += mean_square;
            let step = rate / square.sqrt();
            for (number, slope) in self.rows[row as usize].iter_mut().zip(&gradient.sum) {
                *number = (*number - step * slope).clamp(-ROW_MOST, ROW_MOST);
            }
        }
        error
    }

    fn pass(&self, example: &Example) -> Pass {
        let mut sum = [0.0; WIDTH];
        for row in example.rows {
            let row = &self.rows[row as usize];
            sum.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
        }
        let layers = &self.layers[example.stage];
        let input = sum.map(leaky);
        let raw = std::array::from_fn(|hidden| {
            layers[FIRST_BIAS + hidden] + dot(&layers[WIDTH * hidden..][..WIDTH], &input)
        });
        let hidden = raw.map(leaky);
        let output =
            layers[BIAS] + dot(&layers[SECOND..SKIP], &hidden) + dot(&layers[SKIP..BIAS], &sum);
        Pass { sum, input, raw, hidden, output }
    }

    /// The numbers as the evaluation has them.
    fn parameters(&self) -> Parameters {
        let row = |numbers: &Vector| Row(numbers.map(|x| fixed(x, ROW_BITS) as i8));
        Parameters {
            rows: self.rows.iter().map(row).collect(),
            bias: Sum::default(),
            layers: self.layers.iter().map(quantise).collect(),
        }
    }
}

fn gradient(layers: &Dense, pass: &Pass, error: f32) -> Gradient {
    let mut slopes = [0.0; LAYER_NUMBERS];
    let mut of_input = [0.0; WIDTH];
    for hidden in 0..HIDDEN {
        let slope = error * layers[SECOND + hidden] * leaky_slope(pass.raw[hidden]);
        let weights = WIDTH * hidden..WIDTH * (hidden + 1);
        for ((target, weight), (of_input, input)) in slopes[weights.clone()]
            .iter_mut()
            .zip(&layers[weights])
            .zip(of_input.iter_mut().zip(&pass.input))
        {
            *target = slope * input;
            *of_input += slope * weight;
        }
        slopes[FIRST_BIAS + hidden] = slope;
        slopes[SECOND + hidden] = error * pass.hidden[hidden];
    }
    let mut sum = [0.0; WIDTH];
    for i in 0..WIDTH {
        slopes[SKIP + i] = error * pass.sum[i];
        sum[i] = error * layers[SKIP + i] + of_input[i] * leaky_slope(pass.sum[i]);
    }
    slopes[BIAS] = error;
    Gradient { sum, layers: slopes }
}

fn quantise(dense: &Dense) -> Layers {
    let weight = |x: f32| fixed(x, WEIGHT_BITS).clamp(i16::MIN.into(), i16::MAX.into()) as i16;
    let bias = |x: f32| fixed(x, VALUE_BITS + WEIGHT_BITS);
    let first = |input: usize, hidden: usize| weight(dense[WIDTH * hidden + input]);
    Layers {
        first: std::array::from_fn(|pair| {
            std::array::from_fn(|h| [first(2 * pair, h), first(2 * pair + 1, h)])
        }),
        first_bias: std::array::from_fn(|h| bias(dense[FIRST_BIAS + h])),
        second: std::array::from_fn(|h| weight(dense[SECOND + h])),
        skip: std::array::from_fn(|i| weight(dense[SKIP + i])),
        bias: bias(dense[BIAS]),
    }
}

/// The nearest integer to x·2^bits that fits.
fn fixed(x: f32, bits: u32) -> i32 {
    (f64::from(x) * f64::from(1u32 << bits)).round() as i32
}

fn leaky(x: f32) -> f32 {
    x.max(LEAK * x)
}

fn leaky_slope(x: f32) -> f32 {
    if x > 0.0 { 1.0 } else { LEAK }
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Nearly normal, mean 0 and variance 1: the sum of twelve uniform numbers.
fn normal(random: &mut Random) -> f32 {
    let uniform = |random: &mut Random| (random.next() >> 40) as f32 / (1u64 << 24) as f32;
    (0..12).map(|_| uniform(random)).sum::<f32>() - 6.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::testing::random_boards;
    use crate::eval::Weights;

    /// Boards of random games with 20 to 26 empties, labelled with their disc difference.
    fn samples() -> Vec<Sample> {
        random_boards(10_000)
            .into_iter()
            .filter(|board| (20..=26).contains(&board.empties().len()))
            .map(|board| Sample { board, label: board.disc_difference() as f32, weight: 1.0 })
            .collect()
    }

    fn options() -> Options {
        Options { passes: 20, first_rate: 0.15, last_rate: 0.01, seed: 1 }
    }

    fn mean_error(value: impl Fn(&Sample) -> f64, samples: &[Sample]) -> f64 {
        let error = |sample: &Sample| (value(sample) - f64::from(sample.label)).abs();
        samples.iter().map(error).sum::<f64>() / samples.len() as f64
    }

    fn value(weights: &Weights, board: Board) -> f64 {
        weights.evaluate(&Features::of(board), board.empties().len()).discs()
    }

    #[test]
    fn a_sum_over_the_discs_is_learned() {
        let samples = samples();
        let mut heard = Vec::new();
        let weights = Weights::new(fit(&samples, &options(), |share, _| heard.push(share)));
        let before = mean_error(|_| 0.0, &samples);
        let after = mean_error(|sample| value(&weights, sample.board), &samples);
        assert!(after < 1.0 && before > 6.0, "mean error {before} before, {after} after");
        assert_eq!(heard.last(), Some(&1.0));
    }

    #[test]
    fn the_gradient_is_the_slope_of_the_error() {
        let mut random = Random(3);
        let slots = Slots::new();
        for sample in samples().iter().take(5) {
            let example = Example::of(sample, &slots, 1.0);
            let mut model = Model::new(&mut random);
            for row in example.rows {
                model.rows[row as usize] = std::array::from_fn(|_| 0.1 * normal(&mut random));
            }
            let pass = model.pass(&example);
            let error = pass.output - example.target;
            let gradient = gradient(&model.layers[example.stage], &pass, error);
            let half_square = |model: &Model| {
                let error = f64::from(model.pass(&example).output - example.target);
                error * error / 2.0
            };
            const STEP: f32 = 1e-3;
            let check = |slope: f32, lower: f64, upper: f64| {
                let measured = (upper - lower) / f64::from(2.0 * STEP);
                let difference = (measured - f64::from(slope)).abs();
                assert!(difference < 0.02 * (1.0 + measured.abs()), "{measured} {slope}");
            };
            for number in 0..LAYER_NUMBERS {
                let mut at = |shift: f32| {
                    model.layers[example.stage][number] += shift;
                    let value = half_square(&model);
                    model.layers[example.stage][number] -= shift;
                    value
                };
                check(gradient.layers[number], at(-STEP), at(STEP));
            }
            // One row's slope is that of the sum, as often as the example has the row.
            let row = example.rows[0];
            let times = example.rows.iter().filter(|other| **other == row).count() as f32;
            for place in 0..WIDTH {
                let mut at = |shift: f32| {
                    model.rows[row as usize][place] += shift;
                    let value = half_square(&model);
                    model.rows[row as usize][place] -= shift;
                    value
                };
                check(times * gradient.sum[place], at(-STEP), at(STEP));
            }
        }
    }

    #[test]
    fn the_integer_network_gives_the_value_of_the_one_that_was_fitted() {
        let mut random = Random(9);
        let mut model = Model::new(&mut random);
        for row in &mut model.rows {
            *row = std::array::from_fn(|_| 0.2 * normal(&mut random));
        }
        let weights = Weights::new(model.parameters());
        let slots = Slots::new();
        let samples = &samples()[..500];
        let exact = |sample: &Sample| {
            let output = model.pass(&Example::of(sample, &slots, 1.0)).output * DISCS as f32;
            f64::from(output.clamp(-63.0, 63.0))
        };
        // The rounding of 62 rows adds up.
        let error = |s: &Sample| (value(&weights, s.board) - exact(s)).abs();
        let mean = samples.iter().map(error).sum::<f64>() / samples.len() as f64;
        assert!(mean < 1.0 && samples.iter().all(|s| error(s) < 4.0), "mean error {mean}");
    }

    #[test]
    fn the_same_samples_give_the_same_weights_and_another_seed_others() {
        let samples = &samples()[..200];
        let with_seed = |seed| fit(samples, &Options { passes: 1, seed, ..options() }, |_, _| ());
        assert!(with_seed(1) == with_seed(1));
        assert!(with_seed(1) != with_seed(2));
    }

    #[test]
    fn no_number_of_a_row_exceeds_what_the_evaluation_can_hold() {
        let sample = Sample { board: Board::START, label: 64.0, weight: 1.0 };
        let example = Example::of(&sample, &Slots::new(), 1.0);
        let mut model = Model::new(&mut Random(1));
        let mut reached = false;
        for _ in 0..100 {
            model.learn(&example, 50.0);
            let most = model.rows.iter().flatten().fold(0.0, |most: f32, x| most.max(x.abs()));
            assert!(most <= ROW_MOST);
            reached |= most == ROW_MOST;
        }
        assert!(reached);
        assert_eq!(fixed(-ROW_MOST, ROW_BITS) as i8, -127);
    }

    #[test]
    fn nothing_to_learn_from_is_no_trouble() {
        let parameters = fit(&[], &options(), |_, _| ());
        assert!(parameters.rows.iter().all(|row| *row == Row::default()));
    }
}
