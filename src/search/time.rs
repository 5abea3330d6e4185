//! From limits to the two moments that matter: when to begin nothing new, and when to stop.

use super::{ByoYomi, Clock, Limits};
use std::time::Duration;

/// Kept back from a fixed time for a move, which is a wish rather than a threat.
const MOVETIME_OVERHEAD: Duration = Duration::from_millis(1);

/// From about so many empties on one search solves the rest of the game and the moves after it
/// take no time: the clock is to be used before.
const SOLVED_EMPTIES: u32 = 24;

/// The time left when that search comes is as much as so many moves before it have.
const MOVES_FOR_SOLVING: u32 = 2;

/// Part of a move's share after which no iteration begins, in per cent. An iteration takes about
/// one and a half times as long as all before it, so that a move takes its share on average.
const SOFT_PERCENT: u32 = 60;

/// A move never takes more than so many shares.
const MOST_SHARES: u32 = 3;

/// With less time than the overhead of all moves to come, one part in so many is for searching.
const CAUTION: u32 = 4;

/// Time for one search, from its start.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Budget {
    /// No iteration begins after this.
    pub soft: Option<Duration>,
    /// The search is stopped at this.
    pub hard: Option<Duration>,
}

impl Budget {
    /// The budget for a position with this many empties, where each move costs `overhead` on the
    /// clock beyond its search.
    pub fn new(limits: &Limits, empties: u32, overhead: Duration) -> Budget {
        let mut budget = limits.clock.map_or(Budget::default(), |clock| match clock.byo_yomi {
            None => Budget::of_game(clock, empties, overhead),
            Some(byo_yomi) => Budget::with_byo_yomi(clock, byo_yomi, empties, overhead),
        });
        if let Some(time) = limits.time {
            let time = time.saturating_sub(MOVETIME_OVERHEAD);
            budget.hard = Some(budget.hard.map_or(time, |hard| hard.min(time)));
        }
        budget
    }

    /// `share` for a move, and never more than `most`.
    fn shared(share: Duration, most: Duration) -> Budget {
        Budget {
            soft: Some((share * SOFT_PERCENT / 100).min(most)),
            hard: Some((share * MOST_SHARES).min(most)),
        }
    }

    /// Time for the rest of the game, perhaps with increments.
    fn of_game(clock: Clock, empties: u32, overhead: Duration) -> Budget {
        let own_moves = empties.div_ceil(2).max(1);
        let now = clock.remaining.saturating_sub(overhead);
        // What the moves after this one cost and do not gain.
        let later = overhead.saturating_sub(clock.increment) * (own_moves - 1);
        let usable = now.saturating_sub(later);
        let gain = clock.increment.saturating_sub(overhead);
        let share = usable / moves_to_share(empties) + gain;
        let budget = Budget::shared(share, (usable * 2 / 3 + gain / 2).min(now));
        // The overhead is a caution: where it would leave no time at all, some is left to think.
        budget.at_least(now / (CAUTION * own_moves))
    }

    fn at_least(self, least: Duration) -> Budget {
        Budget { soft: self.soft.max(Some(least)), hard: self.hard.max(Some(least)) }
    }

    /// Time for the rest of the game and then periods, or a period that runs.
    fn with_byo_yomi(clock: Clock, byo_yomi: ByoYomi, empties: u32, overhead: Duration) -> Budget {
        let ByoYomi { period, moves, left } = byo_yomi;
        if let Some(left) = left {
            return Budget::of_period(clock.remaining, left, overhead);
        }
        let allowance = (period / moves.max(1)).saturating_sub(overhead);
        let usable = clock.remaining.saturating_sub(overhead);
        if usable < allowance {
            // This move or the next one begins the first period: it may as well be this one.
            return Budget::of_period(clock.remaining + period, moves, overhead);
        }
        // The periods make sure of the later moves; the time for the game may all be used.
        let share = usable / moves_to_share(empties) + allowance / 2;
        Budget::shared(share, usable / 2 + allowance)
    }

    /// Time for so many moves, after which there is new time. What is not used is lost.
    fn of_period(time: Duration, moves: u32, overhead: Duration) -> Budget {
        let moves = moves.max(1);
        let now = time.saturating_sub(overhead);
        if moves == 1 {
            return Budget { soft: Some(now), hard: Some(now) };
        }
        let usable = now.saturating_sub(overhead * (moves - 1)).max(now / moves);
        let share = usable / moves;
        Budget::shared(share, (share * 2).min(usable * 2 / 3))
    }
}

/// Among how many moves the time for the rest of the game is shared.
fn moves_to_share(empties: u32) -> u32 {
    empties.saturating_sub(SOLVED_EMPTIES).div_ceil(2) + MOVES_FOR_SOLVING
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);
    const OVERHEAD: Duration = Duration::from_millis(20);

    fn budget(clock: Clock, empties: u32, overhead: Duration) -> (Duration, Duration) {
        let limits = Limits { clock: Some(clock), ..Limits::default() };
        let budget = Budget::new(&limits, empties, overhead);
        (budget.soft.unwrap(), budget.hard.unwrap())
    }

    #[test]
    fn a_search_never_plans_more_than_the_clock_has() {
        for remaining in [0, 1, 5, 11, 100, 1_000, 60_000].map(|n| n * MS) {
            for increment in [0, 10, 1_000, 100_000].map(|n| n * MS) {
                for overhead in [0, 1, 20, 10_000].map(|n| n * MS) {
                    for empties in 0..=60 {
                        let clock = Clock { remaining, increment, byo_yomi: None };
                        let (soft, hard) = budget(clock, empties, overhead);
                        assert!(hard <= remaining.saturating_sub(overhead));
                        assert!(soft <= hard);
                    }
                }
            }
        }
    }

    #[test]
    fn byo_yomi_never_plans_more_than_its_period_has() {
        for remaining in [0, 1, 100, 1_000, 600_000].map(|n| n * MS) {
            for period in [0, 1_000, 300_000].map(|n| n * MS) {
                for (moves, left) in
                    [(1, None), (0, None), (10, None), (10, Some(3)), (1, Some(1)), (5, Some(0))]
                {
                    for empties in 0..=60 {
                        let byo_yomi = Some(ByoYomi { period, moves, left });
                        let clock = Clock { remaining, byo_yomi, ..Clock::default() };
                        let (soft, hard) = budget(clock, empties, OVERHEAD);
                        let whole = if left.is_some() { remaining } else { remaining + period };
                        assert!(hard <= whole.saturating_sub(OVERHEAD), "{clock:?} {hard:?}");
                        assert!(soft <= hard);
                    }
                }
            }
        }
    }

    #[test]
    fn the_shorter_of_clock_and_movetime_holds() {
        let limits = Limits { time: Some(50 * MS), ..Limits::default() };
        assert_eq!(Budget::new(&limits, 30, OVERHEAD).hard, Some(49 * MS));
        assert_eq!(Budget::new(&limits, 30, OVERHEAD).soft, None);
        let clock = Some(Clock { remaining: 60 * MS, ..Clock::default() });
        assert!(Budget::new(&Limits { clock, ..limits }, 30, OVERHEAD).hard < Some(40 * MS));
    }

    /// What is left in the end of a game in which the search takes `part` of the way from soft to
    /// hard, each move costs `cost` more, and `solved` empties are solved in no time.
    fn left_over(
        mut remaining: Duration,
        increment: Duration,
        part: f64,
        cost: Duration,
        solved: u32,
    ) -> Option<Duration> {
        for empties in (1..=60).rev().step_by(2) {
            let (soft, hard) =
                budget(Clock { remaining, increment, byo_yomi: None }, empties, OVERHEAD);
            let search =
                if empties < solved { Duration::ZERO } else { soft + (hard - soft).mul_f64(part) };
            remaining = remaining.checked_sub(search + cost)? + increment;
        }
        Some(remaining)
    }

    #[test]
    fn no_game_is_lost_on_time_however_long_the_searches_take() {
        for (millis, increment, cost) in [
            (60_000, 0, 15),
            (5_000, 0, 15),
            (1_000, 10, 10),
            (1_000, 0, 15),
            (100, 0, 2),
            (0, 0, 0),
        ] {
            for part in [0.0, 0.3, 1.0] {
                let left = left_over(millis * MS, increment * MS, part, cost as u32 * MS, 0);
                assert!(left.is_some(), "{millis} + {increment}, {part}");
            }
        }
    }

    #[test]
    fn at_sixty_seconds_most_of_the_time_is_used() {
        for solved in [20, 24, 28] {
            let left = left_over(60_000 * MS, Duration::ZERO, 0.15, 3 * MS, solved).unwrap();
            assert!(left < 15_000 * MS, "{solved}: {left:?}");
        }
    }

    #[test]
    fn a_time_for_each_move_is_used_up() {
        for seconds in [1, 15] {
            let remaining = seconds * 1_000 * MS;
            let byo_yomi = Some(ByoYomi { period: remaining, moves: 1, left: Some(1) });
            let clock = Clock { remaining, byo_yomi, ..Clock::default() };
            let whole = remaining - OVERHEAD;
            assert_eq!(budget(clock, 40, OVERHEAD), (whole, whole));
        }
    }

    #[test]
    fn a_period_is_shared_among_its_moves() {
        let byo_yomi = Some(ByoYomi { period: 300_000 * MS, moves: 10, left: None });
        let mut clock = Clock { byo_yomi, ..Clock::default() };
        let (soft, hard) = budget(clock, 40, OVERHEAD);
        assert!(soft > 15_000 * MS && hard < 90_000 * MS, "{soft:?} {hard:?}");
        // Time for the game comes on top.
        clock.remaining = 600_000 * MS;
        let (more, _) = budget(clock, 40, OVERHEAD);
        assert!(more > soft, "{more:?}");
    }
}
