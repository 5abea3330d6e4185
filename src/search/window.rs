//! The open interval in which a search looks for a value.

use crate::score::Score;
use std::ops::Neg;

/// Values up to `alpha` are too low to matter, values from `beta` on too high.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// The value already certain.
    pub alpha: Score,
    /// The value at which the other side would avoid the position.
    pub beta: Score,
}

/// The smallest step between two values.
const STEP: Score = Score::from_centidiscs(1);

impl Window {
    /// Every value is inside.
    pub const FULL: Window =
        Window { alpha: Score::from_centidiscs(-6_401), beta: Score::INFINITY };

    /// The window that only asks whether the value is above `alpha`.
    #[inline(always)]
    pub fn null(alpha: Score) -> Window {
        Window { alpha, beta: alpha + STEP }
    }

    /// A window of `margin` to both sides of a guess.
    pub fn around(guess: Score, margin: Score) -> Window {
        Window {
            alpha: (guess - margin).max(Window::FULL.alpha),
            beta: (guess + margin).min(Window::FULL.beta),
        }
    }

    /// Is `value` too low?
    #[inline(always)]
    pub fn fails_low(self, value: Score) -> bool {
        value <= self.alpha
    }

    /// Is `value` too high?
    #[inline(always)]
    pub fn fails_high(self, value: Score) -> bool {
        value >= self.beta
    }

    /// Has `alpha` been lifted so far that no value is inside?
    #[inline(always)]
    pub fn is_empty(self) -> bool {
        self.alpha >= self.beta
    }

    /// Lifts `alpha` to a value just found.
    #[inline(always)]
    pub fn raise(&mut self, value: Score) {
        self.alpha = self.alpha.max(value);
    }
}

/// The same window as the other side sees it.
impl Neg for Window {
    type Output = Window;
    #[inline(always)]
    fn neg(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_null_window_holds_no_value() {
        let window = Window::null(Score::from_discs(3));
        for centidiscs in 298..303 {
            let value = Score::from_centidiscs(centidiscs);
            assert!(window.fails_low(value) != window.fails_high(value));
        }
    }

    #[test]
    fn negating_twice_changes_nothing() {
        let window = Window { alpha: Score::from_discs(-3), beta: Score::from_discs(7) };
        assert_eq!(-(-window), window);
        assert_eq!((-window).alpha, Score::from_discs(-7));
    }
}
