//! The weights of the patterns and the value of a position.

use super::features::Features;
use super::format;
use super::patterns::{FOLDING, TABLE_LEN};
use super::stages::{KNOTS, MOST_EMPTIES, Stage};
use crate::score::Score;
use once_cell::sync::{Lazy, OnceCell};
use rayon::prelude::*;
use std::path::Path;

/// Units of a weight that make a disc. A sum of 64 weights of 16 bits fits 32 bits many times.
pub const UNITS_PER_DISC: i32 = 128;

/// The value of no position is beyond ±63 discs: that one side will lose all its discs is for
/// the search to say.
const LIMIT: i32 = 6_300;

static EMBEDDED: Lazy<Weights> = Lazy::new(|| {
    Weights::from_bytes(include_bytes!("weights.bin")).unwrap_or_else(|error| {
        // Not reachable: a test reads these bytes.
        log::error!("the weights in this program are damaged: {error}");
        Weights::new(vec![0; KNOTS * FOLDING.len()])
    })
});

type Table = [i16; TABLE_LEN];

/// The weights of all patterns at all stages. A table for one number of empty squares is worked
/// out when it is first needed.
#[derive(Debug)]
pub struct Weights {
    /// Folded weights, knot after knot.
    folded: Vec<i16>,
    tables: [OnceCell<Box<Table>>; MOST_EMPTIES + 1],
}

impl Weights {
    /// The weights that are part of the program.
    pub fn embedded() -> &'static Weights {
        &EMBEDDED
    }

    /// Reads weights from a file, see [`format`].
    ///
    /// # Errors
    /// One line with the path and the reason why it cannot be used.
    pub fn from_file(path: &Path) -> Result<Weights, String> {
        let bytes = std::fs::read(path)
            .map_err(|error| format!("cannot read {}: {error}", path.display()))?;
        Weights::from_bytes(&bytes).map_err(|error| format!("{}: {error}", path.display()))
    }

    fn from_bytes(bytes: &[u8]) -> Result<Weights, String> {
        format::decode(bytes).map(Weights::new)
    }

    /// Weights in units, [`UNITS_PER_DISC`]: [`KNOTS`] knots from 0 empty squares up, each with
    /// the folded weights of all patterns. Missing ones are 0.
    pub fn new(folded: Vec<i16>) -> Weights {
        let mut folded = folded;
        folded.resize(KNOTS * FOLDING.len(), 0);
        Weights { folded, tables: [const { OnceCell::new() }; MOST_EMPTIES + 1] }
    }

    /// The folded weights, knot after knot.
    pub fn folded(&self) -> &[i16] {
        &self.folded
    }

    /// Value of a position with these features and this many empty squares, for the side to
    /// move; within ±63 discs.
    #[inline(always)]
    pub fn evaluate(&self, features: &Features, empties: u32) -> Score {
        let units = features.sum(self.table(empties));
        let centidiscs = (units * 100 + UNITS_PER_DISC / 2).div_euclid(UNITS_PER_DISC);
        Score::from_centidiscs(centidiscs.clamp(-LIMIT, LIMIT))
    }

    #[inline(always)]
    fn table(&self, empties: u32) -> &Table {
        let empties = (empties as usize).min(MOST_EMPTIES);
        self.tables[empties].get_or_init(|| self.expand(empties))
    }

    /// Works out the tables for all numbers of empty squares, which takes a moment.
    pub fn expand_all(&self) {
        (0..=MOST_EMPTIES).into_par_iter().for_each(|empties| {
            self.tables[empties].get_or_init(|| self.expand(empties));
        });
    }

    #[cold]
    fn expand(&self, empties: usize) -> Box<Table> {
        let stage = Stage::of(empties);
        let knot = |number: usize| &self.folded[number * FOLDING.len()..][..FOLDING.len()];
        let (lower, upper) = (knot(stage.lower), knot(stage.upper));
        let mut table = vec![0; TABLE_LEN];
        for (entry, slot) in FOLDING.entries() {
            table[entry] = stage.blend(lower[slot], upper[slot]);
        }
        // The length is right, so the fallback of zeros is never taken.
        table.into_boxed_slice().try_into().unwrap_or_else(|_| Box::new([0; TABLE_LEN]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::board::symmetry::Symmetry;
    use crate::board::testing::random_boards;
    use crate::random::Random;

    fn random_weights() -> Weights {
        let mut random = Random(3);
        Weights::new((0..KNOTS * FOLDING.len()).map(|_| random.next() as i16 >> 5).collect())
    }

    fn value(weights: &Weights, board: Board) -> Score {
        weights.evaluate(&Features::of(board), board.empties().len())
    }

    #[test]
    fn the_embedded_weights_are_readable() {
        assert!(Weights::from_bytes(include_bytes!("weights.bin")).is_ok());
    }

    #[test]
    fn all_eight_images_of_a_board_have_one_value() {
        for weights in [&random_weights(), Weights::embedded()] {
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
        for extreme in [i16::MIN, i16::MAX] {
            let weights = Weights::new(vec![extreme; KNOTS * FOLDING.len()]);
            let expected = LIMIT * i32::from(extreme.signum());
            for board in random_boards(200) {
                assert_eq!(value(&weights, board).centidiscs(), expected);
            }
        }
    }

    #[test]
    fn a_value_is_the_sum_of_the_folded_weights_between_two_knots() {
        // One unit for every weight at 12 empty squares, none elsewhere.
        let mut folded = vec![0; KNOTS * FOLDING.len()];
        folded[3 * FOLDING.len()..4 * FOLDING.len()].fill(64);
        let weights = Weights::new(folded);
        let features = Features::of(Board::START);
        let patterns = crate::eval::patterns::PLACEMENTS as i32;
        for (empties, units) in [(8, 0), (9, 16), (10, 32), (12, 64), (13, 48), (16, 0), (64, 0)] {
            let value = weights.evaluate(&features, empties).centidiscs();
            assert_eq!(value, (patterns * units * 100 + 64) / 128, "{empties} empty squares");
        }
    }

    #[test]
    fn weights_of_a_missing_file_are_an_error_with_its_name() {
        let error = Weights::from_file(Path::new("no-such-file.bin")).unwrap_err();
        assert!(error.contains("no-such-file.bin"), "{error}");
    }
}
