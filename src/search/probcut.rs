//! Multi-ProbCut: leaving out a search whose result a shallower one makes all but certain.
//!
//! The value of a shallow search predicts the value of a deep one up to an error of known spread.
//! If the shallow value is outside of the window by so many times that spread, the deep search is
//! not made (M. Buro, "ProbCut: An effective selective extension of the alpha-beta algorithm",
//! 1995, and "Experiments with Multi-ProbCut and a new high-quality evaluation function for
//! Othello", 1997). The spreads are fitted to searches of our own: see
//! [`training::probcut`](crate::training::probcut).

use super::Selectivity;
use super::params::{PROBCUT_DEPTH, PROBCUT_NESTED};
use super::position::Position;
use super::window::Window;
use super::worker::Worker;
use crate::score::Score;
use once_cell::sync::Lazy;

/// How far a shallow search is from a deep one. The logarithm of the spread is a linear function
/// of a few terms.
#[derive(Clone, PartialEq, Debug)]
pub struct Model {
    /// Coefficients of a midgame search, in the order of [`midgame_terms`].
    pub midgame: [f64; 8],
    /// Coefficients of a search to the end, in the order of [`end_terms`].
    pub to_end: [f64; 4],
}

/// The model of the embedded weights.
pub const MODEL: Model = Model {
    midgame: [1.72826, -0.02855, 0.00036, 0.41138, -0.28549, 0.00453, -0.00445, -0.00110],
    to_end: [2.81426, -0.84578, 0.55452, -0.05174],
};

impl Model {
    /// Standard deviation of the difference between the value of a search of `depth` plies and
    /// that of one of `probe` plies (discs). A depth of at least `empties` means a search to the
    /// end.
    pub fn spread(&self, empties: u32, depth: u32, probe: u32) -> f64 {
        let dot = |terms: &[f64], model: &[f64]| terms.iter().zip(model).map(|(t, c)| t * c).sum();
        let logarithm: f64 = if depth >= empties {
            dot(&end_terms(empties, probe), &self.to_end)
        } else {
            dot(&midgame_terms(empties, depth, probe), &self.midgame)
        };
        logarithm.exp()
    }
}

/// What the spread of a midgame search depends on.
pub fn midgame_terms(empties: u32, depth: u32, probe: u32) -> [f64; 8] {
    let (e, d) = (f64::from(empties), f64::from(probe));
    let gap = f64::from(depth.saturating_sub(probe).max(1)).ln();
    [1.0, e, e * e, gap, (d + 1.0).ln(), d, e * gap, e * d]
}

/// What the spread of a search to the end depends on.
pub fn end_terms(empties: u32, probe: u32) -> [f64; 4] {
    let gap = f64::from(empties.saturating_sub(probe).max(1)).ln();
    [1.0, f64::from(empties.max(1)).ln(), gap, f64::from(probe)]
}

/// Depth of the search that predicts one of `depth` plies: about half of it, a third for a search
/// to the end, and of the same parity, since whoever moves last shifts all values.
fn probe_depth(empties: u32, depth: u32) -> u32 {
    let pairs = if depth >= empties { depth / 6 } else { depth / 4 };
    2 * pairs + depth % 2
}

/// How many spreads make a bound certain enough, by selectivity: outside of so many standard
/// deviations to both sides lies the rest to 100 %. The last level makes no cuts.
const DEVIATIONS: [f32; Selectivity::LEVELS.len()] = [1.1, 1.5, 2.0, 2.6, 3.3, f32::INFINITY];

/// Most empties, and most plies, of any search.
const MOST: u32 = 60;

/// The model is not believed below this (discs), which is about the least spread that searches of
/// up to 11 plies have: it would promise less to much deeper ones.
const LEAST_SPREAD: f64 = 1.5;

/// The spread of each search from that of its probe in centidiscs, by empties and depth.
static SPREADS: Lazy<Vec<f32>> = Lazy::new(|| {
    let searches = (0..=MOST).flat_map(|empties| (0..=MOST).map(move |depth| (empties, depth)));
    let spread = |(empties, depth)| {
        MODEL.spread(empties, depth, probe_depth(empties, depth)).max(LEAST_SPREAD)
    };
    searches.map(|search| 100.0 * spread(search) as f32).collect()
});

/// Works out what is otherwise worked out when it is first needed.
pub(super) fn prepare() {
    Lazy::force(&SPREADS);
}

/// How far outside of the window a probe must be to answer a search of `depth` plies.
fn margin(selectivity: Selectivity, empties: u32, depth: u32) -> Score {
    let place = empties.min(MOST) * (MOST + 1) + depth.min(MOST);
    let spread = SPREADS.get(place as usize).copied().unwrap_or(f32::INFINITY);
    let deviations = DEVIATIONS.get(selectivity.index()).copied().unwrap_or(f32::INFINITY);
    // A conversion to an integer saturates; no more than the range of values is ever needed.
    Score::from_centidiscs((deviations * spread) as i32).min(Score::MAX + Score::MAX)
}

impl Worker<'_> {
    /// A bound outside of the null window that a shallower search makes likely; inside, `None` if
    /// the value stays open. Only the side to which the evaluation points is tried.
    pub(super) fn likely_bound(
        &mut self,
        position: &Position,
        depth: u32,
        window: Window,
    ) -> Option<Option<Score>> {
        if self.selectivity == Selectivity::EXACT
            || depth < PROBCUT_DEPTH
            || self.nested >= PROBCUT_NESTED
        {
            return Some(None);
        }
        let empties = position.empties();
        let margin = margin(self.selectivity, empties, depth);
        let probe = probe_depth(empties, depth);
        if window.fails_high(self.evaluate(position)) {
            let beta = window.beta + margin;
            if beta > Score::MAX {
                return Some(None);
            }
            let bound = self.probe(position, probe, -Window::null(-beta))?;
            Some((bound >= beta).then(|| bound - margin))
        } else {
            let alpha = window.alpha - margin;
            if alpha < Score::MIN {
                return Some(None);
            }
            let bound = self.probe(position, probe, Window::null(alpha))?;
            Some((bound <= alpha).then(|| bound + margin))
        }
    }

    fn probe(&mut self, position: &Position, depth: u32, window: Window) -> Option<Score> {
        self.nested += 1;
        let bound = self.null_window(position, depth, window.alpha);
        self.nested -= 1;
        bound
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SELECTIVE: [Selectivity; 5] = {
        let [a, b, c, d, e, _] = Selectivity::LEVELS;
        [a, b, c, d, e]
    };

    /// All searches that can be cut: depth 3 and more, of any number of empties.
    fn searches() -> impl Iterator<Item = (u32, u32)> {
        (PROBCUT_DEPTH..=MOST)
            .flat_map(|empties| (PROBCUT_DEPTH..=empties).map(move |d| (empties, d)))
    }

    #[test]
    fn a_probe_is_shallower_than_its_search_and_of_the_same_parity() {
        for (empties, depth) in searches() {
            let probe = probe_depth(empties, depth);
            assert!(
                probe < depth && (depth - probe).is_multiple_of(2),
                "{probe} for {depth} at {empties}"
            );
        }
    }

    #[test]
    fn every_spread_is_a_plausible_number_of_discs() {
        for (empties, depth) in searches() {
            let spread = MODEL.spread(empties, depth, probe_depth(empties, depth));
            assert!(spread > 0.0 && spread < 15.0, "{spread} for {depth} plies at {empties}");
        }
    }

    #[test]
    fn a_deeper_probe_is_closer_to_the_same_search() {
        for (empties, depth) in searches() {
            let probe = probe_depth(empties, depth);
            let wider = MODEL.spread(empties, depth, probe.saturating_sub(2));
            assert!(wider >= MODEL.spread(empties, depth, probe), "{depth} plies at {empties}");
        }
    }

    #[test]
    fn more_confidence_takes_a_wider_margin() {
        for (empties, depth) in searches() {
            let margins = SELECTIVE.map(|selectivity| margin(selectivity, empties, depth));
            assert!(margins[0] > Score::ZERO);
            assert!(margins.windows(2).all(|pair| pair[0] < pair[1]), "{depth} at {empties}");
        }
        assert!(margin(Selectivity::EXACT, 30, 12) > Score::MAX);
    }
}
