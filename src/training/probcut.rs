//! Fits the spreads of Multi-ProbCut to searches of our own.
//!
//! Positions of real games, spread evenly over the numbers of empties, are searched at full width
//! to every depth. Every other one is first given a random move, since most nodes of a search
//! tree come after a weak move. For each pair of depths of the same parity the difference of the
//! values is squared and averaged over positions with about as many empties: such a cell has one
//! observed spread. The logarithm of the spread is modelled as a linear function of a few terms,
//! by least squares over the cells, each counted by its positions. The mean of the differences is
//! small for depths of the same parity (mostly below half a disc, up to two near the end) and is
//! left in the spread.
//!
//! Searches to the end have a model of their own, from positions that are solved here and from the
//! theoretical results of WTHOR games.
//!
//! To be done again whenever the weights of the evaluation change; takes some minutes:
//!
//! ```text
//! outflank fit-probcut wthor.txt        then paste the two tables into src/search/probcut.rs
//! ```

use super::games::{Source, THEORETICAL_EMPTIES, parse_line};
use super::samples::{Labels, replay};
use crate::board::Board;
use crate::eval::{Features, Weights};
use crate::random::Random;
use crate::score::Score;
use crate::search::probcut::{Model, end_terms, midgame_terms};
use crate::search::tt::Table;
use crate::search::{Bound, Environment, Limits, Selectivity, search};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Empties of the positions.
const EMPTIES: std::ops::RangeInclusive<u32> = 6..=56;
/// With this many empties or fewer the positions are solved.
const SOLVED_EMPTIES: u32 = 18;
/// Searches to the end count from this many empties on: below, none is selective.
const END_EMPTIES: u32 = 9;
/// Where WTHOR results are exact, so many times the usual number of positions are taken: they
/// alone say something about long searches to the end.
const THEORETICAL_SHARE: usize = 4;
/// One position in so many is searched to the greatest depth, the others this much less deep.
const DEEPEST_SHARE: usize = 6;
const LESS_DEEP: u32 = 2;
/// Empties in one cell.
const CELL_EMPTIES: u32 = 3;
/// Positions without which a cell has no spread to speak of.
const LEAST_POSITIONS: usize = 12;
/// Size of the table of each search in MiB.
const TABLE_MB: usize = 8;

/// A position to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    /// The result under best play, if it is known without a search.
    result: Option<Score>,
    depth: u32,
}

/// What searches say about a position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    empties: u32,
    /// Values by depth, from 0 on.
    values: Vec<Score>,
    /// The value of a search to the end.
    result: Option<Score>,
}

/// Chooses about `count` positions from games in text form, to be searched up to `max_depth`.
///
/// # Errors
/// The number of the first line that is no game, counted from 1, and what is wrong with it.
pub fn choose(
    text: &str,
    count: usize,
    max_depth: u32,
    seed: u64,
) -> Result<Vec<Position>, String> {
    let mut by_empties: BTreeMap<u32, Vec<(u64, Board, Option<Score>)>> = BTreeMap::new();
    for (number, line) in text.lines().enumerate() {
        let game = parse_line(line).map_err(|error| format!("line {}: {error}", number + 1))?;
        let Some(game) = game else { continue };
        let theoretical = matches!(game.source, Source::Wthor { .. });
        for sample in replay(&game, &Labels::results()).unwrap_or_default() {
            let empties = sample.board.empties().len();
            if EMPTIES.contains(&empties) && !sample.board.must_pass() {
                let exact = theoretical && empties == THEORETICAL_EMPTIES;
                let result = exact.then(|| Score::from_discs(sample.label as i32));
                let lot = Random::stream(seed, sample.board.hash()).next();
                by_empties.entry(empties).or_default().push((lot, sample.board, result));
            }
        }
    }
    let each = count.div_ceil(EMPTIES.count() + THEORETICAL_SHARE - 1);
    let mut chosen = Vec::new();
    for (empties, mut candidates) in by_empties {
        candidates.sort_by_key(|(lot, board, _)| (*lot, board.player.0, board.opponent.0));
        candidates.dedup_by_key(|(_, board, _)| *board);
        let share = if empties == THEORETICAL_EMPTIES { THEORETICAL_SHARE } else { 1 };
        let taken = candidates.into_iter().take(each * share).enumerate();
        chosen.extend(taken.filter_map(|(i, (lot, board, result))| {
            let depth = if i % DEEPEST_SHARE == 0 { max_depth } else { max_depth - LESS_DEEP };
            if result.is_some() || i % 2 == 0 {
                return Some(Position { board, result, depth });
            }
            let square = Random(lot).pick(board.moves())?;
            let board = board.try_play(square)?;
            (!board.moves().is_empty()).then_some(Position { board, result: None, depth })
        }));
    }
    Ok(chosen)
}

/// Searches the positions, in parallel in the current rayon pool. `progress` hears of each one
/// that is done. The outcome does not depend on the number of threads.
///
/// # Errors
/// There is no memory for a table.
pub fn observe(
    positions: &[Position],
    weights: &Weights,
    progress: impl Fn() + Sync,
) -> Result<Vec<Observation>, String> {
    positions
        .par_iter()
        .map_init(
            || Table::new(TABLE_MB),
            |table, position| {
                let table = table.as_ref().map_err(String::clone)?;
                table.clear();
                let observation = position.observe(table, weights);
                progress();
                Ok(observation)
            },
        )
        .collect()
}

impl Position {
    fn observe(&self, table: &Table, weights: &Weights) -> Observation {
        let empties = self.board.empties().len();
        let never = AtomicBool::new(false);
        let environment = Environment {
            table,
            weights,
            stop: &never,
            threads: 1,
            multipv: 1,
            move_overhead: Duration::ZERO,
        };
        let depth = Some(self.depth.min(empties - 1));
        let full_width =
            Limits { depth, selectivity: Some(Selectivity::EXACT), ..Limits::default() };
        let mut values = vec![weights.evaluate(&Features::of(self.board), empties)];
        search(self.board, &full_width, environment, &mut |info| {
            if info.bound == Bound::Exact {
                values.push(info.score);
            }
        });
        let mut result = self.result;
        if result.is_none() && empties <= SOLVED_EMPTIES {
            let solved = search(self.board, &Limits::default(), environment, &mut |_| ());
            result = solved.lines.first().map(|line| line.score);
        }
        Observation { empties, values, result }
    }
}

/// The differences between two depths at positions with about as many empties.
#[derive(Clone, PartialEq, Debug)]
pub struct Cell {
    /// The number of empties, less than [`CELL_EMPTIES`] below that of any of its positions.
    pub empties: u32,
    /// The deeper of the searches in plies, or `None` if it goes to the end.
    pub depth: Option<u32>,
    /// The shallower one in plies.
    pub probe: u32,
    /// Number of positions.
    pub count: usize,
    /// Spread: the root of the mean squared difference (discs).
    pub observed: f64,
    /// Means of the terms of the model.
    terms: Vec<f64>,
}

impl Cell {
    /// The spread of a model (discs).
    pub fn modelled(&self, model: &Model) -> f64 {
        match self.depth {
            Some(_) => dot(&self.terms, &model.midgame).exp(),
            None => dot(&self.terms, &model.to_end).exp(),
        }
    }
}

/// Sorts the differences of all observations into cells; leaves out those with too few.
pub fn cells(observations: &[Observation]) -> Vec<Cell> {
    let mut sums: BTreeMap<(u32, Option<u32>, u32), Sums> = BTreeMap::new();
    for Observation { empties, values, result } in observations {
        let group = empties / CELL_EMPTIES * CELL_EMPTIES;
        for (probe, value) in (0..).zip(values) {
            let deeper = (0..).zip(values).skip(probe as usize + 2).step_by(2);
            for (depth, deep) in deeper {
                let terms = midgame_terms(*empties, depth, probe);
                sums.entry((group, Some(depth), probe)).or_default().add(*deep - *value, &terms);
            }
            if let Some(result) = result
                && *empties >= END_EMPTIES
            {
                let terms = end_terms(*empties, probe);
                sums.entry((group, None, probe)).or_default().add(*result - *value, &terms);
            }
        }
    }
    let cells = sums.into_iter().map(|((empties, depth, probe), sums)| {
        let count = sums.count as f64;
        Cell {
            empties,
            depth,
            probe,
            count: sums.count,
            observed: (sums.squares / count).sqrt(),
            terms: sums.terms.iter().map(|sum| sum / count).collect(),
        }
    });
    cells.filter(|cell| cell.count >= LEAST_POSITIONS && cell.observed > 0.0).collect()
}

/// Sums over the positions of a cell.
#[derive(Default)]
struct Sums {
    count: usize,
    squares: f64,
    terms: Vec<f64>,
}

impl Sums {
    fn add(&mut self, difference: Score, terms: &[f64]) {
        self.count += 1;
        self.squares += difference.discs().powi(2);
        self.terms.resize(terms.len(), 0.0);
        self.terms.iter_mut().zip(terms).for_each(|(sum, term)| *sum += term);
    }
}

/// The model that fits the cells best.
///
/// # Errors
/// There are too few cells to tell the terms apart.
pub fn fit(cells: &[Cell]) -> Result<Model, String> {
    let of = |to_end: bool| cells.iter().filter(move |cell| cell.depth.is_none() == to_end);
    let too_few = |what| format!("too few positions for the model of {what}");
    Ok(Model {
        midgame: least_squares(of(false)).ok_or_else(|| too_few("midgame searches"))?,
        to_end: least_squares(of(true)).ok_or_else(|| too_few("searches to the end"))?,
    })
}

/// Minimises Σ count·(ln observed − terms · coefficients)² by the normal equations.
fn least_squares<'c, const N: usize>(cells: impl Iterator<Item = &'c Cell>) -> Option<[f64; N]> {
    let mut matrix = [[0.0; N]; N];
    let mut target = [0.0; N];
    for cell in cells {
        let weight = cell.count as f64;
        for ((row, target), a) in matrix.iter_mut().zip(&mut target).zip(&cell.terms) {
            *target += weight * a * cell.observed.ln();
            row.iter_mut().zip(&cell.terms).for_each(|(entry, b)| *entry += weight * a * b);
        }
    }
    eliminate(matrix, target)
}

/// Solves a symmetric positive definite system by elimination; `None` if it is not one.
fn eliminate<const N: usize>(mut matrix: [[f64; N]; N], mut target: [f64; N]) -> Option<[f64; N]> {
    let diagonal: [f64; N] = std::array::from_fn(|i| matrix[i][i]);
    for i in 0..N {
        let (pivot, right) = (matrix[i], target[i]);
        if pivot[i] <= 1e-12 * diagonal[i] || diagonal[i] <= 0.0 {
            return None;
        }
        for j in i + 1..N {
            let factor = matrix[j][i] / pivot[i];
            matrix[j].iter_mut().zip(pivot).for_each(|(entry, p)| *entry -= factor * p);
            target[j] -= factor * right;
        }
    }
    for i in (0..N).rev() {
        let known: f64 = (i + 1..N).map(|j| matrix[i][j] * target[j]).sum();
        target[i] = (target[i] - known) / matrix[i][i];
    }
    Some(target)
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_is_found_again_from_spreads_that_follow_it() {
        let model = Model {
            midgame: [1.5, -0.04, 0.0007, 0.45, -0.2, 0.02, -0.005, -0.002],
            to_end: [3.0, -1.0, 0.7, -0.01],
        };
        // Two opposite differences of the size of the spread: their mean square is its square.
        let difference = |sign: f64, log: f64| sign * 100.0 * log.exp();
        let mut sums: Vec<Cell> = Vec::new();
        for empties in (9..54).step_by(3) {
            for probe in 0..6 {
                for depth in [None, Some(probe + 2), Some(probe + 4), Some(probe + 8)] {
                    let (terms, log) = match depth {
                        Some(depth) => {
                            let terms = midgame_terms(empties, depth, probe);
                            (terms.to_vec(), dot(&terms, &model.midgame))
                        }
                        None => {
                            let terms = end_terms(empties, probe);
                            (terms.to_vec(), dot(&terms, &model.to_end))
                        }
                    };
                    let observed = difference(1.0, log) / 100.0;
                    sums.push(Cell { empties, depth, probe, count: 20, observed, terms });
                }
            }
        }
        let found = fit(&sums).unwrap();
        let pairs = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6);
        assert!(pairs(&found.midgame, &model.midgame) && pairs(&found.to_end, &model.to_end));
        assert!(sums.iter().all(|cell| (cell.modelled(&found) - cell.observed).abs() < 1e-6));
    }

    #[test]
    fn pairs_of_depths_of_one_parity_and_the_end_are_compared() {
        let discs = |values: &[i32]| values.iter().map(|v| Score::from_discs(*v)).collect();
        let observation = |sign: i32| Observation {
            empties: 20,
            values: discs(&[0, 5, 3 * sign]),
            result: Some(Score::from_discs(4 * sign)),
        };
        let observations: Vec<Observation> =
            (0..20).map(|i| observation(1 - 2 * (i % 2))).collect();
        let cells = cells(&observations);
        let found: Vec<_> =
            cells.iter().map(|c| (c.empties, c.depth, c.probe, c.count, c.observed)).collect();
        let from_5 = 41f64.sqrt();
        assert_eq!(
            found,
            [
                (18, None, 0, 20, 4.0),
                (18, None, 1, 20, from_5),
                (18, None, 2, 20, 1.0),
                (18, Some(2), 0, 20, 3.0),
            ]
        );
    }

    #[test]
    fn a_line_that_is_no_game_is_named() {
        let error = choose("f5d6c3 0\nf5d9 0\n", 50, 4, 0).unwrap_err();
        assert!(error.starts_with("line 2: "), "{error}");
    }
}
