//! How far the evaluation is from what it should say.

use super::samples::Sample;
use crate::eval::{Features, Weights};
use crate::notation::obf;

/// Sums over pairs of value and truth (discs).
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Accuracy {
    count: f64,
    absolute: f64,
    squared: f64,
    value: f64,
    truth: f64,
    value_squared: f64,
    truth_squared: f64,
    product: f64,
}

impl Accuracy {
    /// Adds a pair.
    pub fn add(&mut self, value: f64, truth: f64) {
        let error = value - truth;
        self.count += 1.0;
        self.absolute += error.abs();
        self.squared += error * error;
        self.value += value;
        self.truth += truth;
        self.value_squared += value * value;
        self.truth_squared += truth * truth;
        self.product += value * truth;
    }

    /// The accuracy of the evaluation on samples, all counted alike.
    pub fn on_samples<'a>(
        weights: &Weights,
        samples: impl IntoIterator<Item = &'a Sample>,
    ) -> Accuracy {
        let mut accuracy = Accuracy::default();
        for sample in samples {
            let empties = sample.board.empties().len();
            let value = weights.evaluate(&Features::of(sample.board), empties).discs();
            accuracy.add(value, f64::from(sample.label));
        }
        accuracy
    }

    /// The accuracy of the evaluation on the positions of an OBF file that have a score.
    ///
    /// # Errors
    /// The number of the first line that does not fit, and what is wrong with it.
    pub fn on_suite(weights: &Weights, text: &str) -> Result<Accuracy, String> {
        let mut accuracy = Accuracy::default();
        for line in obf::parse_file(text) {
            let (_, record) = line?;
            let Some(score) = record.best_score() else { continue };
            let board = record.game.board();
            let value = weights.evaluate(&Features::of(board), board.empties().len()).discs();
            accuracy.add(value, f64::from(score));
        }
        Ok(accuracy)
    }

    /// Number of pairs.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// Mean absolute error (discs); not a number without a pair.
    pub fn mean_error(&self) -> f64 {
        self.absolute / self.count
    }

    /// Root of the mean squared error (discs); not a number without a pair.
    pub fn root_mean_square(&self) -> f64 {
        (self.squared / self.count).sqrt()
    }

    /// Mean of value minus truth (discs); not a number without a pair.
    pub fn bias(&self) -> f64 {
        (self.value - self.truth) / self.count
    }

    /// Correlation of value and truth, −1 … 1; not a number where either never changes.
    pub fn correlation(&self) -> f64 {
        let covariance = self.count * self.product - self.value * self.truth;
        let spread = |squared: f64, sum: f64| self.count * squared - sum * sum;
        let spreads =
            spread(self.value_squared, self.value) * spread(self.truth_squared, self.truth);
        covariance / spreads.sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::Parameters;

    #[test]
    fn errors_and_correlation_of_a_few_pairs() {
        let mut accuracy = Accuracy::default();
        for (value, truth) in [(1.0, 2.0), (3.0, 2.0), (5.0, 8.0)] {
            accuracy.add(value, truth);
        }
        assert_eq!(accuracy.count(), 3);
        assert!((accuracy.mean_error() - 5.0 / 3.0).abs() < 1e-12);
        assert!((accuracy.root_mean_square() - (11.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert!((accuracy.bias() + 1.0).abs() < 1e-12);
        assert!((accuracy.correlation() - 0.75f64.sqrt()).abs() < 1e-12);
    }

    #[test]
    fn a_suite_is_measured_where_it_has_scores_and_refused_where_it_is_wrong() {
        let weights = Weights::new(Parameters::default());
        let start = "---------------------------OX------XO--------------------------- X;";
        let accuracy = Accuracy::on_suite(&weights, &format!("{start} d3:+6;\n% c\n{start}\n"));
        let accuracy = accuracy.unwrap();
        assert_eq!((accuracy.count(), accuracy.mean_error()), (1, 6.0));
        let error = Accuracy::on_suite(&weights, &format!("{start}\n--- X;")).unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
    }
}
