//! The weights of the network and the value of a position.

use super::features::Features;
use super::format;
use super::network::{DISCS, Parameters, Row, Rows, STAGES, VALUE_BITS, WEIGHT_BITS, kernel};
use super::patterns::FOLDING;
use crate::notation::error::path_text;
use crate::pages::{Pages, Zeroed};
use crate::score::Score;
use once_cell::sync::Lazy;
use std::alloc::Layout;
use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

/// The value of no position is beyond ±63 discs: that one side will lose all its discs is for
/// the search to say.
const LIMIT: i32 = 6_300;

/// Longer files are not read to their end: they might have none. Weights take a small part of it.
const LONGEST_FILE: u64 = 64 << 20;

static EMBEDDED: Lazy<Arc<Weights>> = Lazy::new(|| {
    let weights = Weights::from_bytes(include_bytes!("weights.bin")).unwrap_or_else(|error| {
        // Not reachable: a test reads these bytes.
        log::error!("the weights in this program are damaged: {error}");
        Weights::new(Parameters::default())
    });
    Arc::new(weights)
});

// SAFETY: rows are integers, aligned to 16 bytes.
unsafe impl Zeroed for Rows {}

/// The weights of the network, ready for use.
#[derive(Debug)]
pub struct Weights {
    parameters: Parameters,
    rows: Pages<Rows>,
}

impl Weights {
    /// The weights that are part of the program.
    pub fn embedded() -> &'static Arc<Weights> {
        &EMBEDDED
    }

    /// The weights of a file, or those that are part of the program.
    ///
    /// # Errors
    /// As [`Weights::from_file`].
    pub fn load(path: Option<&Path>) -> Result<Arc<Weights>, String> {
        match path {
            Some(path) => Weights::from_file(path).map(Arc::new),
            None => Ok(Arc::clone(&EMBEDDED)),
        }
    }

    /// Reads weights from a file, see [`format`].
    ///
    /// # Errors
    /// One line with the path and the reason why it cannot be used.
    pub fn from_file(path: &Path) -> Result<Weights, String> {
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(LONGEST_FILE).read_to_end(&mut bytes))
            .map_err(|error| format!("cannot read {}: {error}", path_text(path)))?;
        Weights::from_bytes(&bytes).map_err(|error| format!("{}: {error}", path_text(path)))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Weights, String> {
        format::decode(bytes).map(Weights::new)
    }

    /// Weights with these parameters; those that are missing are 0.
    pub fn new(mut parameters: Parameters) -> Weights {
        parameters.rows.resize(FOLDING.len(), Row::default());
        parameters.layers.resize(STAGES, Default::default());
        // A lack of memory for 6 MiB ends the program, as it does wherever a vector grows.
        let mut rows: Pages<Rows> =
            Pages::new(1).unwrap_or_else(|_| std::alloc::handle_alloc_error(Layout::new::<Rows>()));
        for table in rows.iter_mut() {
            for (entry, slot) in FOLDING.entries() {
                table[entry] = parameters.rows[slot];
            }
        }
        Weights { parameters, rows }
    }

    /// What the weights were made from.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// Value of a position with these features and this many empty squares, for the side to
    /// move; within ±63 discs.
    pub fn evaluate(&self, features: &Features, empties: u32) -> Score {
        const UNIT_BITS: u32 = VALUE_BITS + WEIGHT_BITS;
        let sum = kernel::sum(features.lanes(), self.rows.first(), &self.parameters.bias);
        let layers = &self.parameters.layers[(empties as usize).min(STAGES - 1)];
        let output = i64::from(kernel::output(&sum, layers));
        let centidiscs = (output * i64::from(100 * DISCS)) >> UNIT_BITS;
        Score::from_centidiscs((centidiscs as i32).clamp(-LIMIT, LIMIT))
    }
}

#[cfg(test)]
mod tests {
    use super::super::network::tests::random_parameters;
    use super::super::network::{HIDDEN, Layers, Sum, WIDTH};
    use super::*;
    use crate::board::Board;
    use crate::board::symmetry::Symmetry;
    use crate::board::testing::random_boards;

    fn value(weights: &Weights, board: Board) -> Score {
        weights.evaluate(&Features::of(board), board.empties().len())
    }

    #[test]
    fn the_embedded_weights_are_readable() {
        assert!(Weights::from_bytes(include_bytes!("weights.bin")).is_ok());
    }

    #[test]
    fn all_eight_images_of_a_board_have_one_value() {
        for weights in [&Weights::new(random_parameters(3)), &**Weights::embedded()] {
            for board in random_boards(300) {
                let expected = value(weights, board);
                for symmetry in Symmetry::all() {
                    assert_eq!(value(weights, symmetry.apply_board(board)), expected, "{board:?}");
                }
            }
        }
    }

    #[test]
    fn values_stay_inside_the_limit_whatever_the_weights() {
        for seed in 0..4 {
            let weights = Weights::new(random_parameters(seed));
            for board in random_boards(500) {
                assert!(value(&weights, board).centidiscs().abs() <= LIMIT);
            }
        }
        for (bias, expected) in [(i32::MAX, LIMIT), (i32::MIN, -LIMIT)] {
            let layers = vec![Layers { bias, ..Layers::default() }; STAGES];
            let weights = Weights::new(Parameters { layers, ..Parameters::default() });
            assert_eq!(value(&weights, Board::START).centidiscs(), expected);
        }
    }

    /// A network small enough to work out by hand.
    #[test]
    fn the_value_is_that_of_the_documented_formula() {
        const ONE: i16 = 1 << VALUE_BITS;
        const WHOLE: i16 = 1 << WEIGHT_BITS;
        let mut bias = [0; WIDTH];
        (bias[0], bias[1]) = (ONE, -ONE);
        let mut layers = Layers::default();
        // Hidden 0: 2·1 + 1·(−1/8) = 15/8; hidden 1: 8·(−1/8) − 1/2 = −3/2, after the leak −3/16.
        layers.first[0][0] = [2 * WHOLE, WHOLE];
        layers.first[0][1] = [0, 8 * WHOLE];
        layers.first_bias[1] = -(1 << (VALUE_BITS + WEIGHT_BITS - 1));
        (layers.second[0], layers.second[1]) = (WHOLE / 2, WHOLE);
        layers.skip[1] = WHOLE / 4;
        layers.bias = 1 << (VALUE_BITS + WEIGHT_BITS - 2);
        const { assert!(HIDDEN > 1) };
        let stages = |empties| if empties == 60 { layers.clone() } else { Layers::default() };
        let weights = Weights::new(Parameters {
            bias: Sum(bias),
            layers: (0..STAGES).map(stages).collect(),
            ..Parameters::default()
        });
        // 15/16 − 3/16 − 1/4 + 1/4 = 3/4 of 16 discs.
        assert_eq!(value(&weights, Board::START).centidiscs(), 1_200);
        let features = Features::of(Board::START);
        assert_eq!(weights.evaluate(&features, 59).centidiscs(), 0);
        assert_eq!(weights.evaluate(&features, 64).centidiscs(), 1_200);
    }

    #[test]
    fn weights_of_a_missing_file_are_an_error_with_its_name() {
        let error = Weights::load(Some(Path::new("no-such-file.bin"))).unwrap_err();
        assert!(error.contains("no-such-file.bin"), "{error}");
    }

    #[test]
    fn without_a_file_everyone_shares_the_embedded_weights() {
        assert!(Arc::ptr_eq(&Weights::load(None).unwrap(), Weights::embedded()));
    }
}
