//! Iterative deepening: from depth 1 to the limits, with the last completed answer at hand.

use super::params::last_depth_before_solving;
use super::principal::Line;
use super::report::{Bound, Info, Report};
use super::root::{RootMove, root_moves};
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
}

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
    let budget = Budget::new(limits, empties);
    let shared = Shared {
        table: environment.table,
        weights: environment.weights,
        stop: environment.stop,
        started,
        deadline: budget.hard.map(|hard| started + hard),
        node_limit: limits.nodes,
        threads: environment.threads,
        nodes: AtomicU64::new(0),
    };
    let mut worker = Worker::new(&shared, Selectivity::EXACT);
    let mut moves = root_moves(board);
    worker.presort(&mut moves);
    let mut lines = Vec::new();
    for (i, step) in schedule(limits, empties).into_iter().enumerate() {
        worker.interruptible = i > 0;
        let forced = i > 0 && moves.len() == 1 && limits.clock.is_some();
        let late = budget.soft.is_some_and(|soft| started.elapsed() >= soft);
        if i > 0 && (forced || late || shared.stop.load(Relaxed)) {
            break;
        }
        let iteration = Iteration { step, empties, multipv: environment.multipv.max(1) };
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
        time: started.elapsed(),
    }
}

/// The iterations that the limits allow, in order; at least one.
fn schedule(limits: &Limits, empties: u32) -> Vec<Step> {
    let mut depth = limits.depth.unwrap_or(empties).clamp(1, empties.max(1));
    let mut selectivity = limits.selectivity.unwrap_or(Selectivity::EXACT);
    if let Some(number) = limits.level {
        let level = Level::new(number);
        if empties > level.solve_empties {
            depth = depth.min(level.depth.min(empties - 1).max(1));
            selectivity = selectivity.min(level.selectivity);
        }
    }
    let last = if depth >= empties { last_depth_before_solving(empties) } else { depth };
    let mut steps: Vec<Step> =
        (1..=last.min(depth)).map(|depth| Step { depth, selectivity }).collect();
    if depth >= empties && last < depth {
        steps.push(Step { depth: empties, selectivity });
    }
    steps
}

struct Iteration {
    step: Step,
    empties: u32,
    multipv: usize,
}

impl Iteration {
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
        let to_end = self.step.depth >= self.empties;
        worker.iterate(&mut moves, self.step.depth, to_end, self.multipv, &mut on_fail)?;
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
            solved: exact && self.step.depth >= self.empties,
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

    #[test]
    fn a_level_solves_late_positions_and_only_these() {
        let limits = Limits { level: Some(6), ..Limits::default() };
        assert_eq!(depths(limits.clone(), 30).last(), Some(&6));
        assert_eq!(depths(limits.clone(), 13).last(), Some(&6));
        assert_eq!(depths(limits, 12).last(), Some(&12));
    }
}
