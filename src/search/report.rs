//! What a search tells its caller.

use super::Selectivity;
use crate::game::Move;
use crate::score::Score;
use std::time::Duration;

/// How a reported score relates to the value that the search was after.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bound {
    /// The value itself.
    Exact,
    /// The value is at least the score.
    Lower,
    /// The value is at most the score.
    Upper,
}

/// One line of a finished (or bounded) iteration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Info {
    /// Nominal depth in plies; the number of empties once the search reaches the end.
    pub depth: u32,
    /// Confidence of the selective cuts.
    pub selectivity: Selectivity,
    /// Rank of the line, from 1.
    pub multipv: usize,
    /// Value for the side to move at the root.
    pub score: Score,
    /// Is the score a bound?
    pub bound: Bound,
    /// Is the score the exact result of the game under best play?
    pub solved: bool,
    /// Moves made on boards since the search began.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// Part of the table in use by this search, in thousandths.
    pub hashfull: u32,
    /// Best play from the root; forced passes are written out.
    pub pv: Vec<Move>,
}

impl Info {
    /// Nodes a second.
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000 / micros).unwrap_or(u64::MAX)
    }
}

/// The answer to a search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Report {
    /// The move to make, a forced pass included; `None` if the game is over.
    pub best: Option<Move>,
    /// The lines of the last completed iteration, best first. At least one unless the game is
    /// over.
    pub lines: Vec<Info>,
    /// Moves made on boards.
    pub nodes: u64,
    /// Time from start to answer.
    pub time: Duration,
}
