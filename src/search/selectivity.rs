//! How much a search may leave out.

use std::fmt;

/// The confidence of selective cuts; [`Selectivity::EXACT`] makes none.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct Selectivity(u8);

impl Selectivity {
    /// No selective cuts at all.
    pub const EXACT: Selectivity = Selectivity(5);
    /// Of midgame searches, unless told otherwise: the most selective level.
    pub const MIDGAME: Selectivity = Selectivity(0);
    /// The levels from the most selective (73 %) to exact (100 %).
    pub const LEVELS: [Selectivity; 6] = [
        Selectivity(0),
        Selectivity(1),
        Selectivity(2),
        Selectivity(3),
        Selectivity(4),
        Selectivity(5),
    ];

    const PERCENT: [u8; 6] = [73, 87, 95, 98, 99, 100];

    /// The level with this confidence in per cent (73, 87, 95, 98, 99 or 100).
    pub fn from_percent(percent: u32) -> Option<Selectivity> {
        Selectivity::LEVELS.into_iter().find(|level| u32::from(level.percent()) == percent)
    }

    /// The confidence in per cent.
    pub fn percent(self) -> u8 {
        Selectivity::PERCENT[usize::from(self.0).min(5)]
    }

    /// 0 for the most selective level, 5 for exact.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }
}

impl fmt::Display for Selectivity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.percent())
    }
}
