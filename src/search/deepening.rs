//! Iterative deepening: from depth 1 to the limits, with the last completed answer at hand.

use super::params::{SOLVER_EMPTIES, last_depth_before_solving, selective_solves};
use super::position::Position;
use super::principal::Line;
use super::report::{Bound, Info, Report};
use super::root::{RootMove, root_moves};
use super::split_list::SplitList;
use super::time::Budget;
use super::tt::Table;
use super::worker::{Shared, Worker};
use super::{Level, Limits, Selectivity};
use crate::board::Board;
use crate::eval::Weights;
use crate::score::Score;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

/// What a search works with.
#[derive(Clone, Copy)]
pub struct Environment<'e> {
    /// The transposition table.
    pub table: &'e Table,
    /// The evaluation.
    pub weights: &'e Weights,
    /// Ends the search when it becomes true.
    pub stop: &'e AtomicBool,
    /// Threads to use; the caller runs the search inside a rayon pool of that size.
    pub threads: usize,
    /// Number of best moves to rank.
    pub multipv: usize,
    /// What a move costs on a clock beyond the search.
    pub move_overhead: Duration,
}

/// With so many empties at the root, only the solver sees nodes that might be cut off, and it
/// makes no selective cuts: a search to the end is exact.
const NEVER_SELECTIVE_EMPTIES: u32 = SOLVER_EMPTIES + 1;

/// Values outside of a window are reported once a search has run this long.
const REPORT_BOUNDS_AFTER: Duration = Duration::from_millis(200);

/// One iteration.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Step {
    depth: u32,
    selectivity: Selectivity,
}

/// Searches a position within the limits and tells `on_info` about each completed iteration.
/// With one thread and without limits of time the outcome depends on nothing but the arguments
/// and the table.
pub fn search(
    board: Board,
    limits: &Limits,
    environment: Environment<'_>,
    on_info: &mut dyn FnMut(&Info),
) -> Report {
    let started = Instant::now();
    if board.is_over() {
        return Report { best: None, lines: Vec::new(), nodes: 0, time: Duration::ZERO };
    }
    environment.table.age();
    let empties = board.empties().len();
    let budget = Budget::new(limits, empties, environment.move_overhead);
    let shared = Shared {
        table: environment.table,
        weights: environment.weights,
        stop: environment.stop,
        started,
        deadline: budget.hard.map(|hard| started + hard),
        node_limit: limits.nodes,
        threads: environment.threads,
        nodes: AtomicU64::new(0),
        splits: SplitList::default(),
    };
    let mut deepen =
        || deepen(board, &shared, limits, &budget, environment.multipv.max(1), on_info);
    if shared.threads <= 1 {
        return deepen();
    }
    rayon::in_place_scope(|scope| {
        for _ in 1..shared.threads {
            scope.spawn(|_| Worker::new(&shared, Selectivity::EXACT).assist());
        }
        let report = deepen();
        shared.splits.end();
        report
    })
}

/// The iterations, on the calling thread; others may assist it.
fn deepen(
    board: Board,
    shared: &Shared<'_>,
    limits: &Limits,
    budget: &Budget,
    multipv: usize,
    on_info: &mut dyn FnMut(&Info),
) -> Report {
    let root = Position::new(board);
    let empties = root.empties();
    let mut worker = Worker::new(shared, Selectivity::EXACT);
    let mut moves = root_moves(board);
    worker.presort(&root, &mut moves);
    let mut lines = Vec::new();
    for (i, step) in schedule(limits, empties).into_iter().enumerate() {
        worker.interruptible = i > 0;
        let forced = i > 0 && moves.len() == 1 && limits.clock.is_some();
        let late = budget.soft.is_some_and(|soft| shared.started.elapsed() >= soft);
        if i > 0 && (forced || late || shared.stop.load(Relaxed)) {
            break;
        }
        let iteration = Iteration { root: &root, step, multipv };
        let Some(ranked) = iteration.run(&mut worker, &moves, on_info) else { break };
        moves = ranked;
        worker.report_nodes();
        lines = iteration.lines(&worker, &moves);
        lines.iter().for_each(&mut *on_info);
    }
    worker.report_nodes();
    Report {
        best: moves.first().map(|root_move| root_move.mv),
        lines,
        nodes: shared.nodes.load(Relaxed),
        time: shared.started.elapsed(),
    }
}

/// The iterations that the limits allow, in order; at least one. A midgame search deepens ply by
/// ply; a solve stops that some plies before the end and goes on with searches to the end, more
/// and more confident.
fn schedule(limits: &Limits, empties: u32) -> Vec<Step> {
    let mut depth = limits.depth.unwrap_or(empties).clamp(1, empties.max(1));
    let mut end = limits.selectivity.unwrap_or(Selectivity::EXACT);
    let mut midgame = limits.selectivity.unwrap_or(Selectivity::MIDGAME);
    if let Some(number) = limits.level {
        let level = Level::new(number);
        midgame = level.selectivity.min(end);
        match level.to_end(empties) {
            Some(selectivity) => end = end.min(selectivity),
            None => depth = depth.min(level.depth.min(empties - 1).max(1)),
        }
    }
    let to_end = depth >= empties;
    if empties <= NEVER_SELECTIVE_EMPTIES {
        end = Selectivity::EXACT;
    }
    let last = if to_end { last_depth_before_solving(empties).min(depth - 1) } else { depth };
    let mut steps: Vec<Step> =
        (1..=last).map(|depth| Step { depth, selectivity: midgame }).collect();
    if to_end {
        let before = selective_solves(empties).iter().filter(|selectivity| **selectivity < end);
        steps.extend(before.chain([&end]).map(|&selectivity| Step { depth, selectivity }));
    }
    steps
}

struct Iteration<'r> {
    root: &'r Position,
    step: Step,
    multipv: usize,
}

impl Iteration<'_> {
    /// The root moves ranked by this iteration, or `None` if it was stopped.
    fn run(
        &self,
        worker: &mut Worker<'_>,
        moves: &[RootMove],
        on_info: &mut dyn FnMut(&Info),
    ) -> Option<Vec<RootMove>> {
        worker.selectivity = self.step.selectivity;
        let mut moves = moves.to_vec();
        let mut on_fail =
            |worker: &mut Worker<'_>, rank: usize, value: Score, bound: Bound, line: &Line| {
                if worker.shared.started.elapsed() >= REPORT_BOUNDS_AFTER {
                    worker.report_nodes();
                    on_info(&self.info(worker, rank, value, bound, line));
                }
            };
        worker.iterate(self.root, &mut moves, self.step.depth, self.multipv, &mut on_fail)?;
        Some(moves)
    }

    fn lines(&self, worker: &Worker<'_>, moves: &[RootMove]) -> Vec<Info> {
        let ranked = moves.iter().take(self.multipv).enumerate();
        ranked.map(|(rank, m)| self.info(worker, rank, m.value, Bound::Exact, &m.line)).collect()
    }

    fn info(
        &self,
        worker: &Worker<'_>,
        rank: usize,
        value: Score,
        bound: Bound,
        line: &Line,
    ) -> Info {
        let exact = self.step.selectivity == Selectivity::EXACT && bound == Bound::Exact;
        Info {
            depth: self.step.depth,
            selectivity: self.step.selectivity,
            multipv: rank + 1,
            score: value.clamped(),
            bound,
            solved: exact && self.step.depth >= self.root.empties(),
            nodes: worker.shared.nodes.load(Relaxed),
            time: worker.shared.started.elapsed(),
            hashfull: worker.shared.table.hashfull(),
            pv: line.to_vec(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn depths(limits: Limits, empties: u32) -> Vec<u32> {
        schedule(&limits, empties).into_iter().map(|step| step.depth).collect()
    }

    #[test]
    fn a_depth_is_reached_one_ply_at_a_time() {
        let limits = Limits { depth: Some(4), ..Limits::default() };
        assert_eq!(depths(limits.clone(), 60), [1, 2, 3, 4]);
        assert_eq!(depths(limits, 3), [1, 3]);
    }

    #[test]
    fn without_limits_the_last_step_is_the_solve() {
        for empties in 1..=60 {
            assert_eq!(depths(Limits::default(), empties).last(), Some(&empties));
        }
    }

    fn percents(limits: Limits, empties: u32) -> Vec<(u32, u8)> {
        let steps = schedule(&limits, empties).into_iter();
        steps.map(|step| (step.depth, step.selectivity.percent())).collect()
    }

    #[test]
    fn a_fixed_depth_is_selective_unless_told_otherwise() {
        let limits = Limits { depth: Some(2), ..Limits::default() };
        assert_eq!(percents(limits.clone(), 30), [(1, 73), (2, 73)]);
        for selectivity in Selectivity::LEVELS {
            let limits = Limits { selectivity: Some(selectivity), ..limits.clone() };
            let percent = selectivity.percent();
            assert_eq!(percents(limits, 30), [(1, percent), (2, percent)]);
        }
    }

    #[test]
    fn a_solve_climbs_to_the_confidence_allowed() {
        let last = |percent, empties| {
            let selectivity = Selectivity::from_percent(percent);
            let steps = percents(Limits { selectivity, ..Limits::default() }, empties);
            steps.into_iter().filter(|step| step.0 == empties).map(|step| step.1).collect()
        };
        let ladder: Vec<u8> = last(100, 28);
        assert_eq!(ladder, [73, 87, 95, 98, 100]);
        assert_eq!(last(0, 28), ladder);
        assert_eq!(last(95, 28), [73, 87, 95]);
        assert_eq!(last(99, 28), [73, 87, 95, 98, 99]);
        assert_eq!(last(73, 28), [73]);
        assert_eq!(last(100, 14), [100]);
        // No cut is possible there.
        assert_eq!(last(73, NEVER_SELECTIVE_EMPTIES), [100]);
    }

    #[test]
    fn the_last_step_without_limits_is_exact() {
        for empties in 1..=60 {
            assert_eq!(percents(Limits::default(), empties).last(), Some(&(empties, 100)));
        }
    }

    #[test]
    fn a_selectivity_caps_that_of_a_level_and_a_level_that_of_a_selectivity() {
        let limits = |level, percent| Limits {
            level: Some(level),
            selectivity: Selectivity::from_percent(percent),
            ..Limits::default()
        };
        assert_eq!(percents(limits(3, 87), 40).last(), Some(&(3, 87)));
        assert_eq!(percents(limits(12, 100), 40).last(), Some(&(12, 73)));
        assert_eq!(percents(limits(12, 100), 19).last(), Some(&(19, 95)));
        assert_eq!(percents(limits(12, 87), 17).last(), Some(&(17, 87)));
    }

    #[test]
    fn a_level_solves_late_positions_and_only_these() {
        let limits = Limits { level: Some(5), ..Limits::default() };
        assert_eq!(percents(limits.clone(), 30).last(), Some(&(5, 100)));
        assert_eq!(percents(limits.clone(), 11).last(), Some(&(5, 100)));
        assert_eq!(percents(limits, 10).last(), Some(&(10, 100)));
        let limits = Limits { level: Some(10), ..Limits::default() };
        assert_eq!(percents(limits.clone(), 21).last(), Some(&(10, 73)));
        assert_eq!(percents(limits.clone(), 20).last(), Some(&(20, 73)));
        assert_eq!(percents(limits, 16).last(), Some(&(16, 100)));
    }
}
