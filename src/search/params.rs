//! Every constant of the search in one place, with its unit and the reason for its value.
//!
//! "Depth" is the number of plies still to search; "empties" the number of empty squares of the
//! node's board. Changing any of these changes the node count of `bench`.
//!
//! # What did not pay in searches to the end
//!
//! Change of the nodes for FFO #40–44, FFO #46–48 and 40 positions of hard-20; of the first only
//! where one figure is given. "No time" means that no change of the time was seen.
//!
//! | tried | nodes |
//! |---|---|
//! | children with a bound in the table ordered by it | 0, 0, 0 % |
//! | no move of an entry whose search failed low | 0, +2, 0 % |
//! | a selective search of a node without an entry first, from 18 (16) empties | +1, +2, +1 (+4, +3, +2) % |
//! | only one selective solve from 21 to 24 empties | +30, −5, 0 % |
//! | two selective solves from 19 empties, three from 21 | +4, 0, +5 % |
//! | midgame iterations one ply further (less far) before the solve | +1, +8, +3 (+2, 0, +1) % |
//! | half a window of 1 (2) discs in the solve | +1, −2, 0 (0, +5, +1) % |
//! | a reply costs 4 (5) discs | 0, +1, 0 (−1, +4, +1) % |
//! | solver from 11 empties | +6, +1, +8 %, no time |
//! | solver from 9 (8) empties | −2, −2, −3 (0, 0, −4) %, no time (slower) |
//! | parity alone with 5 empties (with 6, too, on top of that) | +4 (+7, +7, +10) %, no time |
//! | potential mobility in the solver | +4, 0, +2 % |
//! | a value of each square in the solver | +1 … +6, −1, 0 … +4 % |
//! | replies in a corner count once (three times) in the solver | +1, +5, +2 (+1, +1, +1) % |
//! | parity worth less (nothing, more) in the solver | +1, +1, 0 (+2, +1, +2; +5 … +13) % |
//! | a corner worth four in the solver | +25 % |
//! | the small table for 10 empties, too | +7, –, +5 %, no time |
//! | small table of four times the size | −2, –, −2 %, no time |
//! | child bounds looked for from 12 plies on only | +2 %, no time |
//! | odd quadrants worth 1 disc up to 16 (20) empties, 2 up to 14 (#46–49) | 0, 0, 0 (+1, +1, 0; +1, +1, 0) % |
//! | values above `alpha` + 6 discs count as that | +53 % |
//!
//! The same for FFO #45, #48, #49 and #50, with 24 to 26 empties:
//!
//! | tried | nodes |
//! |---|---|
//! | one selective solve fewer (one more, two more, the 98 % one for the 87 % one) | 0, −1, −4, 0 (+3, +2, +4, 0; +8, +7, +12, +1; +3, +2, 0, 0) % |
//! | midgame iterations two plies further (less far) | 0, −8, +1, +1 (0, −6, +3, +1) % |
//! | ordering by a search of 4 plies from 26 empties on | 0, 0, 0, 0 % |
//! | a reply costs 2 (1.5, 4) discs from 20 empties on | −4, 0, −1, +2 (−7, +3, +3, +7; +10, +5, +2, +1) % |
//! | potential mobility worth twice (a third) from 20 empties on | −2, +1, 0, −3 (+3, 0, 0, +9) % |
//! | 8 GiB of table in place of 1 (#55 alone) | −2 % |
//! | stability cutoffs with 3 empties, too | −1.5 %, no time |
//! | only solver moves without a reply searched at once (#45, #48, #49) | +9, +6, +6 %, no time |
//! | solver moves with up to two replies searched at once, odd quadrants first | −1 %, slower |
//! | child bounds in the small table with 6 empties, too (#49) | 0 %, no time |
//! | solver from 9 empties, once it searches moves with hardly a reply at once | 0 … +1.5 % |
//! | main table from 9 empties, then | −1 %, no time |
//! | small table of four times the size, then | −1 %, slower |
//! | stability cutoffs from lower `alpha` on | 0 % |
//!
//! With two threads, FFO #45–49; nodes, then time:
//!
//! | tried | nodes | time |
//! |---|---|---|
//! | nodes with at least 13 (15, 17) empties shared before a thread is idle | +2 % | 0 … +2 % |
//! | nodes shared wherever a cutoff is to be expected, too | +1 % (eight threads: +4 %) | 0 % |
//! | nodes where a cutoff is to be expected shared, but chosen last | 0 % | 0 % |
//! | nodes shared from 12 (15) empties on | 0 % | 0 % |
//! | ten times as many spins before a thread goes to sleep | 0 % | 0 % |
//! | midgames: nodes shared from depth 3 (5, 6) on | | −2 (+1, +3) % |
//! | midgames: not shared where a cutoff is to be expected | | +4 … +20 % |
//! | rayon's queue, whose oldest jobs go to idle threads, filled by all nodes | +3 % | +5 % |
//!
//! And with rayon's queue, against it:
//!
//! | tried | nodes | time |
//! |---|---|---|
//! | nodes are shared only once two (three) moves have been searched | −3 (−2) % | +7 (+14) % |
//! | the same with at least 20 (18) empties only | −2 (−2) % | 0 % |
//! | the same with at most 17 (19) empties only | 0 (−1) % | +3 (+3) % |
//! | nodes shared from 11 (13, 16) empties on | 0 % | +5 (0, 0) % |

use super::Selectivity;
use crate::score::Score;

/// With this many empties or fewer a search to the end leaves the evaluation behind: ordering by
/// mobility and parity is cheaper than what it saves.
pub(super) const SOLVER_EMPTIES: u32 = 10;

/// The solver stores and looks up positions with at least this many empties in the main table,
/// those with fewer in a small one of its own: a search there costs less than a trip to memory.
pub(super) const SOLVER_TABLE_EMPTIES: u32 = 10;

/// The small table has two to this power entries of 24 bytes: it must fit the second-level cache.
pub(super) const LOCAL_TABLE_BITS: u32 = 12;

/// A solver move that leaves the opponent no more moves than this (corners count twice) is
/// searched as soon as it is made, before the moves after it are made.
pub(super) const REPLIES_AT_ONCE: i32 = 1;

/// Solver nodes with at least this many empties look for a child whose entry in the small table
/// refutes them.
pub(super) const SOLVER_ETC_EMPTIES: u32 = 7;

/// Solver nodes with at least this many empties look for a stop: a smaller one is over within
/// microseconds.
pub(super) const POLL_EMPTIES: u32 = 9;

/// Polls between two looks at the flags that end a search. One that divides the next number.
pub(super) const POLLS_PER_LOOK: u32 = 8;

/// Polls between two looks at the clock and the node limit. One poll stands for a few
/// microseconds of work.
pub(super) const POLLS_PER_CLOCK: u32 = 32;

/// Up to this depth a search keeps no table: see `quick`.
pub(super) const QUICK_DEPTH: u32 = 2;

/// Nodes of at least this depth look for a child whose table entry already refutes them.
pub(super) const ETC_DEPTH: u32 = 5;

/// Nodes of at least this depth look for a shallower search that makes a bound likely.
pub(super) const PROBCUT_DEPTH: u32 = 3;

/// Such a search may itself rely on a shallower one, but not without end: the errors add up.
pub(super) const PROBCUT_NESTED: u32 = 2;

/// Nodes of at least this depth may be shared among threads once their first move is searched.
pub(super) const SPLIT_DEPTH: u32 = 4;
/// The same for searches to the end, in empties: these are cheaper for their depth.
pub(super) const SPLIT_EMPTIES: u32 = 13;

/// A search to the end shares a node if its evaluation is that far below `alpha` (`alpha` plus
/// this): few such nodes have a move that fails high once the first has not.
pub(super) const SPECULATION: Score = Score::from_centidiscs(-400);
/// It also shares the others once so many moves beside the table's have failed low.
pub(super) const SPECULATION_MOVES: usize = 3;

/// How often a thread without work looks for some before it goes to sleep: tens of microseconds.
pub(super) const SPINS: u32 = 2_000;

/// Depth of the search that orders moves, by depth of the node.
pub(super) fn ordering_depth(depth: u32) -> u32 {
    match depth {
        0..=5 => 0,
        6..=10 => 1,
        11..=15 => 2,
        _ => 3,
    }
}

/// The same for nodes that are searched to the end, by empties.
pub(super) fn ordering_depth_to_end(empties: u32) -> u32 {
    match empties {
        0..=16 => 0,
        17..=19 => 1,
        20..=23 => 2,
        _ => 3,
    }
}

/// What each move left to the opponent costs when moves are ordered (centidiscs). Larger in
/// searches to the end, where a small tree is worth more than a good guess.
pub(super) const MOBILITY_COST: i32 = 30;
/// See [`MOBILITY_COST`].
pub(super) const MOBILITY_COST_TO_END: i32 = 300;
/// What each empty square beside an own disc costs there: the opponent may come to move to it.
pub(super) const POTENTIAL_COST_TO_END: i32 = 60;

/// Stability can refute a null window only if `alpha` is high: below this (discs) by empties, the
/// test almost never succeeds and is left out.
pub(super) fn stability_alpha(empties: u32) -> i32 {
    match empties {
        0..=8 => -14,
        9..=12 => -4,
        13..=17 => 6,
        18..=22 => 16,
        23..=28 => 26,
        _ => 36,
    }
}

/// Half the first window of an iteration around the last iteration's value.
pub(super) const ASPIRATION: Score = Score::from_centidiscs(300);
/// The same once the search goes to the end.
pub(super) const ASPIRATION_TO_END: Score = Score::from_centidiscs(300);

/// Iterations stop deepening this many plies before the end and go on with the solve: a deeper
/// search costs about as much and answers less.
pub(super) fn last_depth_before_solving(empties: u32) -> u32 {
    match empties {
        0..=10 => 1,
        11..=16 => empties.saturating_sub(9),
        17..=24 => empties.saturating_sub(10),
        _ => empties.saturating_sub(11),
    }
}

/// A solve begins with selective searches to the end at these levels: each leaves a good move
/// should the next be stopped, and fills the table, so that all of them and the exact one
/// together are cheaper than the exact one alone. A short solve is not worth it.
pub(super) fn selective_solves(empties: u32) -> &'static [Selectivity] {
    const LEVELS: [Selectivity; 6] = Selectivity::LEVELS;
    const SHORT: [Selectivity; 1] = [LEVELS[0]];
    const MIDDLE: [Selectivity; 2] = [LEVELS[0], LEVELS[2]];
    const LONG: [Selectivity; 3] = [LEVELS[0], LEVELS[1], LEVELS[2]];
    const LONGEST: [Selectivity; 4] = [LEVELS[0], LEVELS[1], LEVELS[2], LEVELS[3]];
    match empties {
        0..=15 => &[],
        16..=20 => &SHORT,
        21..=23 => &MIDDLE,
        24..=27 => &LONG,
        _ => &LONGEST,
    }
}
