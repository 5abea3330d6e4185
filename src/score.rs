//! The one scale of values: centidiscs from the view of the side to move.

use std::fmt;
use std::ops::{Add, Neg, Sub};

/// A value in centidiscs (hundredths of a disc of final difference), −6,400 … 6,400.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct Score(i32);

impl Score {
    /// An even position.
    pub const ZERO: Score = Score(0);
    /// The highest result: all 64 discs.
    pub const MAX: Score = Score(6_400);
    /// The lowest result.
    pub const MIN: Score = Score(-6_400);
    /// Above every value: the open end of a window.
    pub const INFINITY: Score = Score(6_401);

    /// From a difference of whole discs, such as a final result.
    pub const fn from_discs(discs: i32) -> Score {
        Score(discs * 100)
    }

    /// From hundredths of a disc.
    pub const fn from_centidiscs(centidiscs: i32) -> Score {
        Score(centidiscs)
    }

    /// In hundredths of a disc.
    pub const fn centidiscs(self) -> i32 {
        self.0
    }

    /// In discs.
    pub fn discs(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// The nearest whole number of discs, halves away from zero.
    pub const fn rounded_discs(self) -> i32 {
        (self.0 + 50 * self.0.signum()) / 100
    }

    /// Limits the value to what a game can end with.
    pub fn clamped(self) -> Score {
        Score(self.0.clamp(Score::MIN.0, Score::MAX.0))
    }
}

impl Neg for Score {
    type Output = Score;
    #[inline(always)]
    fn neg(self) -> Score {
        Score(-self.0)
    }
}

impl Add for Score {
    type Output = Score;
    #[inline(always)]
    fn add(self, other: Score) -> Score {
        Score(self.0 + other.0)
    }
}

impl Sub for Score {
    type Output = Score;
    #[inline(always)]
    fn sub(self, other: Score) -> Score {
        Score(self.0 - other.0)
    }
}

/// Discs with a sign and two decimals: `+1.25`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.0 < 0 { '-' } else { '+' };
        write!(f, "{sign}{}.{:02}", self.0.abs() / 100, self.0.abs() % 100)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_discs_with_a_sign() {
        for (centidiscs, text) in [(125, "+1.25"), (-7, "-0.07"), (0, "+0.00"), (-6400, "-64.00")] {
            assert_eq!(Score::from_centidiscs(centidiscs).to_string(), text);
        }
    }

    #[test]
    fn rounds_to_the_nearest_disc() {
        for (centidiscs, discs) in [(149, 1), (150, 2), (-149, -1), (-150, -2), (49, 0), (-400, -4)]
        {
            assert_eq!(Score::from_centidiscs(centidiscs).rounded_discs(), discs);
        }
    }
}
