//! Playing strength as one number.

use super::Selectivity;
use std::ops::RangeInclusive;

/// What a level stands for: the depth of midgame searches, and how many empties are searched to
/// the end instead, selectively or exactly. Depth and ends are matched so that all positions of a
/// game take about as long.
///
/// | level | depth | selectivity | to the end at 73 % | at 95 % | exactly |
/// |--:|--:|--:|--:|--:|--:|
/// | 1 | 1 | 100 % | – | – | 2 |
/// | 5 | 5 | 100 % | – | – | 10 |
/// | 8 | 8 | 73 % | 19 | 17 | 15 |
/// | 10 | 10 | 73 % | 20 | 18 | 16 |
/// | 12 | 12 | 73 % | 21 | 19 | 17 |
/// | 16 | 16 | 73 % | 23 | 21 | 19 |
/// | 21 | 21 | 73 % | 25 | 23 | 21 |
/// | 24 | 24 | 73 % | 27 | 25 | 23 |
/// | 30 | 30 | 73 % | 30 | 28 | 26 |
/// | 40 | 40 | 73 % | 40 | 33 | 31 |
/// | 60 | 60 | 73 % | – | – | 60 |
///
/// The last columns give the greatest number of empties.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Depth of the midgame search in plies.
    pub depth: u32,
    /// Confidence of the selective cuts in the midgame.
    pub selectivity: Selectivity,
    /// With so many empties or fewer the position is searched to the end with this confidence;
    /// the greatest confidence comes first.
    ends: [(u32, Selectivity); 3],
}

/// Up to this level the midgame search makes no selective cuts: it is fast enough, and a weak
/// level is easier to understand as the plies it sees.
const FULL_WIDTH: u32 = 5;

impl Level {
    /// Lowest and highest level.
    pub const RANGE: RangeInclusive<u32> = 1..=60;

    /// The meaning of level `number`, taken as the nearest one in [`Level::RANGE`].
    pub fn new(number: u32) -> Level {
        let number = number.clamp(*Level::RANGE.start(), *Level::RANGE.end());
        let [most_selective, _, middle, ..] = Selectivity::LEVELS;
        // One more empty costs an exact solve as much as two more plies cost a midgame search.
        let exact = match number {
            0..=40 => (2 * number).min(11 + number / 2),
            _ => 31 + (number - 40) * 29 / 20,
        };
        let full_width = number <= FULL_WIDTH;
        let (selective, confident) =
            if full_width { (exact, exact) } else { ((exact + 4).max(number), exact + 2) };
        Level {
            depth: number,
            selectivity: if full_width { Selectivity::EXACT } else { Selectivity::MIDGAME },
            ends: [(exact, Selectivity::EXACT), (confident, middle), (selective, most_selective)],
        }
    }

    /// The confidence with which a position of so many empties is searched to the end, or `None`
    /// if it gets a midgame search.
    pub fn to_end(&self, empties: u32) -> Option<Selectivity> {
        self.ends.iter().find(|(most, _)| empties <= *most).map(|(_, selectivity)| *selectivity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn higher_levels_never_search_less() {
        let levels: Vec<Level> = Level::RANGE.map(Level::new).collect();
        for pair in levels.windows(2) {
            assert!(pair[0].depth < pair[1].depth);
            assert!((1..=60).all(|empties| pair[0].to_end(empties) <= pair[1].to_end(empties)));
        }
        assert_eq!(Level::new(60).to_end(60), Some(Selectivity::EXACT));
    }

    #[test]
    fn the_levels_are_those_of_the_table() {
        let most = |level: &Level, percent: u32| {
            let least = Selectivity::from_percent(percent);
            (0..=60).rev().find(|&empties| level.to_end(empties) >= least).unwrap()
        };
        for (number, percent, ends) in [
            (1, 100, [2, 2, 2]),
            (5, 100, [10, 10, 10]),
            (8, 73, [19, 17, 15]),
            (10, 73, [20, 18, 16]),
            (12, 73, [21, 19, 17]),
            (16, 73, [23, 21, 19]),
            (21, 73, [25, 23, 21]),
            (24, 73, [27, 25, 23]),
            (30, 73, [30, 28, 26]),
            (40, 73, [40, 33, 31]),
            (60, 73, [60, 60, 60]),
        ] {
            let level = Level::new(number);
            assert_eq!((level.depth, u32::from(level.selectivity.percent())), (number, percent));
            assert_eq!([73, 95, 100].map(|percent| most(&level, percent)), ends, "level {number}");
        }
    }
}
