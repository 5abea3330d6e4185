//! When a search ends.

use super::Selectivity;
use std::time::Duration;

/// What a side has on its clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    /// Time left for the game.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
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
