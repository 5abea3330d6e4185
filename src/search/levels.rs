//! Playing strength as one number.

use super::Selectivity;

/// What a level stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Depth of the midgame search in plies.
    pub depth: u32,
    /// With this many empties or fewer the position is searched to the end.
    pub solve_empties: u32,
    /// Confidence of selective cuts in the midgame.
    pub selectivity: Selectivity,
}

impl Level {
    /// Lowest and highest level.
    pub const RANGE: std::ops::RangeInclusive<u32> = 1..=60;

    /// The meaning of level `number`, taken as the nearest one in [`Level::RANGE`].
    ///
    /// The depth is the level itself. The exact solve starts at twice the level for weak levels
    /// and grows slowly above level 8, since its cost grows faster than that of depth.
    pub fn new(number: u32) -> Level {
        let number = number.clamp(*Level::RANGE.start(), *Level::RANGE.end());
        Level {
            depth: number,
            solve_empties: (2 * number).min(number.max(14 + number / 3)),
            selectivity: Selectivity::EXACT,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_levels_never_search_less() {
        let levels: Vec<Level> = Level::RANGE.map(Level::new).collect();
        assert!(levels.windows(2).all(|pair| pair[0].depth < pair[1].depth));
        assert!(levels.windows(2).all(|pair| pair[0].solve_empties <= pair[1].solve_empties));
        assert_eq!(Level::new(60).solve_empties, 60);
    }
}
