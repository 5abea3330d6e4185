//! When a search ends.

use super::Selectivity;
use std::time::Duration;

/// What a side has on its clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    /// Time left: for the game, or in byo-yomi for the moves left in the period.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Periods that come after the time for the game, or that run already.
    pub byo_yomi: Option<ByoYomi>,
}

/// Canadian byo-yomi: a period of time for a number of moves, then the next one as long as it.
/// With one move a period it is a time for each move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ByoYomi {
    /// Length of a whole period.
    pub period: Duration,
    /// Moves to be made in a whole period; 0 counts as 1.
    pub moves: u32,
    /// Moves still to be made in the period that runs, `None` while the time for the game runs.
    pub left: Option<u32>,
}

/// The limits of one search. Those that are given hold together: the first one reached ends the
/// search. With none, the search ends when the position is solved.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Limits {
    /// Greatest nominal depth in plies.
    pub depth: Option<u32>,
    /// Greatest number of nodes.
    pub nodes: Option<u64>,
    /// Time for this move.
    pub time: Option<Duration>,
    /// A clock to be shared out over the rest of the game.
    pub clock: Option<Clock>,
    /// Playing strength 1 … 60: depth, start of the endgame search and selectivity at once.
    pub level: Option<u32>,
    /// Confidence of the selective cuts. Midgame searches make them with this one, a solve ends
    /// with it. If not given, midgame searches of a fixed depth too have
    /// [`Selectivity::MIDGAME`], which is far stronger for the same nodes, and a solve ends
    /// exact. [`Selectivity::EXACT`] gives full width.
    pub selectivity: Option<Selectivity>,
    /// Answer only when told to stop, even if the position is solved.
    pub infinite: bool,
}
