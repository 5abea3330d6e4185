//! One thread's part of a search: what it shares with the others, what it counts, when it stops.

use super::Selectivity;
use super::local_table::LocalTable;
use super::params::{POLLS_PER_CLOCK, POLLS_PER_LOOK};
use super::position::Position;
use super::split::SplitPoint;
use super::split_list::SplitList;
use super::tt::Table;
use crate::eval::Weights;
use crate::score::Score;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Instant;

/// What all threads of a search have in common.
pub(crate) struct Shared<'s> {
    pub table: &'s Table,
    pub weights: &'s Weights,
    /// Set from outside, or by the first thread that reaches a limit.
    pub stop: &'s AtomicBool,
    pub started: Instant,
    /// When the search must end.
    pub deadline: Option<Instant>,
    pub node_limit: Option<u64>,
    pub threads: usize,
    /// Nodes of all threads, brought up to date now and then.
    pub nodes: AtomicU64,
    pub splits: SplitList,
}

/// One thread's search. Its methods are spread over the files of the node kinds; a `None` from
/// any of them means that the search was stopped and nothing is known.
pub(crate) struct Worker<'s> {
    pub shared: &'s Shared<'s>,
    pub selectivity: Selectivity,
    pub nodes: u64,
    /// The shared node that this worker's part belongs to.
    pub split: Option<Arc<SplitPoint>>,
    /// Number of searches around this one that only predict another one.
    pub nested: u32,
    /// The first iteration runs to its end whatever happens, so that there is always a move.
    pub interruptible: bool,
    /// For positions near the end.
    pub local: LocalTable,
    reported: u64,
    polls: u32,
}

impl<'s> Worker<'s> {
    pub fn new(shared: &'s Shared<'s>, selectivity: Selectivity) -> Worker<'s> {
        Worker {
            shared,
            selectivity,
            nodes: 0,
            split: None,
            nested: 0,
            interruptible: true,
            local: LocalTable::full_size(),
            reported: 0,
            polls: 0,
        }
    }

    /// Adds what this worker has counted to the common total.
    pub fn report_nodes(&mut self) {
        self.shared.nodes.fetch_add(self.nodes - self.reported, Relaxed);
        self.reported = self.nodes;
    }

    /// `None` soon after the search is to stop. Cheap enough for every node that is not tiny:
    /// what is asked only now and then takes a walk over all split nodes above.
    #[inline(always)]
    pub fn poll(&mut self) -> Option<()> {
        self.polls += 1;
        if self.polls.is_multiple_of(POLLS_PER_LOOK) { self.look() } else { Some(()) }
    }

    #[cold]
    fn look(&mut self) -> Option<()> {
        if self.polls >= POLLS_PER_CLOCK {
            self.check_limits();
        }
        self.go_on()
    }

    /// `None` if the search is to stop.
    pub fn go_on(&self) -> Option<()> {
        let stopped = self.shared.stop.load(Relaxed)
            || self.split.as_ref().is_some_and(|split| split.is_cancelled());
        if stopped && self.interruptible { None } else { Some(()) }
    }

    fn check_limits(&mut self) {
        self.polls = 0;
        self.report_nodes();
        let nodes_spent =
            self.shared.node_limit.is_some_and(|limit| self.shared.nodes.load(Relaxed) >= limit);
        let time_spent = self.shared.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if nodes_spent || time_spent {
            self.shared.stop.store(true, Relaxed);
        }
    }

    /// The evaluation of a position, or its result if one side has no disc left.
    #[inline(always)]
    pub fn evaluate(&self, position: &Position) -> Score {
        let board = position.board;
        if board.player.is_empty() || board.opponent.is_empty() {
            return Score::from_discs(board.final_score());
        }
        self.shared.weights.evaluate(&position.features, position.empties())
    }
}
