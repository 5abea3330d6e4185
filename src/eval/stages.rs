//! How weights change in the course of a game: they are given at knots, every few empty squares,
//! and interpolated linearly in between.

/// Most empty squares that have weights of their own; boards with more are valued as if they had
/// this many.
pub const MOST_EMPTIES: usize = 60;

/// Empty squares from one knot to the next.
pub const SPACING: usize = 4;

/// Number of knots: at 0, 4, 8, … 60 empty squares.
pub const KNOTS: usize = MOST_EMPTIES / SPACING + 1;

/// A place between two knots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Stage {
    /// The knot at or below.
    pub lower: usize,
    /// The knot above; the same one if there is none above.
    pub upper: usize,
    /// Distance from the lower knot, 0 … [`SPACING`] − 1.
    pub above: usize,
}

impl Stage {
    /// The stage of boards with this many empty squares.
    pub fn of(empties: usize) -> Stage {
        let empties = empties.min(MOST_EMPTIES);
        let lower = empties / SPACING;
        Stage { lower, upper: (lower + 1).min(KNOTS - 1), above: empties % SPACING }
    }

    /// The knots with the share of each; the shares add up to 1.
    pub fn shares(self) -> [(usize, f32); 2] {
        let share = self.above as f32 / SPACING as f32;
        [(self.lower, 1.0 - share), (self.upper, share)]
    }

    /// A value between those at the two knots, rounded to the nearest, halves upwards.
    pub fn blend(self, lower: i16, upper: i16) -> i16 {
        let spacing = SPACING as i32;
        let above = self.above as i32;
        let sum = i32::from(lower) * (spacing - above) + i32::from(upper) * above;
        // A mean of two i16 is an i16.
        (sum + spacing / 2).div_euclid(spacing) as i16
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_knot_is_its_own_value_and_between_two_it_is_their_mean() {
        assert_eq!(Stage::of(8), Stage { lower: 2, upper: 3, above: 0 });
        assert_eq!(Stage::of(8).blend(100, -300), 100);
        assert_eq!(Stage::of(9).blend(100, -300), 0);
        assert_eq!(Stage::of(10).blend(100, -300), -100);
        assert_eq!(Stage::of(11).blend(i16::MAX, i16::MAX), i16::MAX);
        assert_eq!(Stage::of(11).blend(i16::MIN, i16::MIN), i16::MIN);
    }

    #[test]
    fn every_number_of_empty_squares_has_a_stage() {
        for empties in 0..=64 {
            let stage = Stage::of(empties);
            assert!(stage.lower < KNOTS && stage.upper < KNOTS && stage.above < SPACING);
            assert_eq!(stage.shares().iter().map(|(_, share)| share).sum::<f32>(), 1.0);
        }
        assert_eq!(Stage::of(64), Stage::of(60));
    }
}
