//! From limits to the two moments that matter: when to begin nothing new, and when to stop.

use super::Limits;
use std::time::Duration;

/// Kept back for the way of an answer to its reader.
const OVERHEAD: Duration = Duration::from_millis(10);
/// Kept back from a fixed time for a move, which is a wish rather than a threat.
const MOVETIME_OVERHEAD: Duration = Duration::from_millis(1);

/// Time for one search, from its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Budget {
    /// No iteration begins after this.
    pub soft: Option<Duration>,
    /// The search is stopped at this.
    pub hard: Option<Duration>,
}

impl Budget {
    /// The budget for a position with this many empties.
    pub fn new(limits: &Limits, empties: u32) -> Budget {
        let mut budget = Budget::default();
        if let Some(clock) = limits.clock {
            // From about 20 empties on one search solves the rest of the game, so the time is
            // shared among the own moves until then and two more.
            let moves = empties.saturating_sub(20).div_ceil(2) + 2;
            let usable = clock.remaining.saturating_sub(OVERHEAD);
            let increment = clock.increment.min(usable);
            let share = usable / moves + increment * 3 / 4;
            let most = (usable / 2 + increment / 2).min(usable);
            budget.soft = Some((share / 2).min(most));
            budget.hard = Some((share * 3).min(most));
        }
        if let Some(time) = limits.time {
            let time = time.saturating_sub(MOVETIME_OVERHEAD);
            budget.hard = Some(budget.hard.map_or(time, |hard| hard.min(time)));
        }
        budget
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Clock;

    fn budget(remaining: u64, increment: u64, empties: u32) -> Budget {
        let clock = Clock {
            remaining: Duration::from_millis(remaining),
            increment: Duration::from_millis(increment),
        };
        Budget::new(&Limits { clock: Some(clock), ..Limits::default() }, empties)
    }

    #[test]
    fn a_search_never_plans_more_than_the_clock_has() {
        for remaining in [0, 1, 5, 11, 100, 1_000, 60_000] {
            for increment in [0, 10, 1_000, 100_000] {
                for empties in 0..=60 {
                    let budget = budget(remaining, increment, empties);
                    let hard = budget.hard.unwrap();
                    assert!(hard <= Duration::from_millis(remaining.saturating_sub(10)));
                    assert!(budget.soft.unwrap() <= hard);
                }
            }
        }
    }

    #[test]
    fn the_shorter_of_clock_and_movetime_holds() {
        let limits = Limits { time: Some(Duration::from_millis(50)), ..Limits::default() };
        assert_eq!(Budget::new(&limits, 30).hard, Some(Duration::from_millis(49)));
        assert_eq!(Budget::new(&limits, 30).soft, None);
    }
}
