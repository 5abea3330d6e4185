//! Sharing one node's moves among threads.
//!
//! Young brothers wait: the first move is searched alone, since it usually decides the node. The
//! others are then taken one by one from a common list by as many threads as are free. A cutoff
//! cancels the rest at once.

use super::Selectivity;
use super::ordering::ScoredMove;
use super::params::{SPECULATION, SPECULATION_MOVES, SPLIT_DEPTH, SPLIT_EMPTIES};
use super::position::Position;
use super::principal::{Line, set_line};
use super::window::Window;
use super::worker::Worker;
use crate::board::Square;
use crate::game::Move;
use crate::score::Score;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A value and the move that reached it.
pub(super) type Best = (Score, Option<Square>);

/// A node whose moves several threads search.
pub(crate) struct SplitPoint {
    position: Position,
    /// Best first.
    moves: Vec<ScoredMove>,
    /// The first move that nobody has taken yet.
    next: AtomicUsize,
    depth: u32,
    window: Window,
    outcome: Mutex<Outcome>,
    /// Set when the other moves need not be searched.
    cancelled: AtomicBool,
    /// The node above at which the thread that shares this one was at work.
    parent: Option<Arc<SplitPoint>>,
    selectivity: Selectivity,
    nested: u32,
}

/// What the moves searched so far have come to.
struct Outcome {
    best: Best,
    /// The line of the best move if its value is inside of the window.
    line: Line,
}

impl SplitPoint {
    /// Has this node, or one above it, been decided?
    pub fn is_cancelled(&self) -> bool {
        self.cancelled.load(Relaxed) || self.ancestors().any(|point| point.cancelled.load(Relaxed))
    }

    /// Is a move left for another thread?
    pub fn has_work(&self) -> bool {
        self.next.load(Relaxed) < self.moves.len() && !self.cancelled.load(Relaxed)
    }

    /// Is this node part of the search of that one?
    pub fn is_below(&self, other: &SplitPoint) -> bool {
        self.ancestors().any(|point| std::ptr::eq(point, other))
    }

    /// The larger, the more work a thread finds here.
    pub fn size(&self) -> u32 {
        self.depth
    }

    fn ancestors(&self) -> impl Iterator<Item = &SplitPoint> {
        std::iter::successors(self.parent.as_deref(), |point| point.parent.as_deref())
    }

    /// The window that is left, now that some moves have been searched.
    fn window(&self) -> Window {
        let mut window = self.window;
        window.raise(self.outcome().best.0);
        window
    }

    fn outcome(&self) -> MutexGuard<'_, Outcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Worker<'_> {
    /// Should this node be shared, now that the table's move and `tried` others have failed low?
    /// Only if a thread has nothing to do, and not if a cutoff that would make its work useless is
    /// to be expected; in searches of fewer plies all nodes are close, and waiting costs more.
    #[inline(always)]
    pub(super) fn should_share(
        &self,
        position: &Position,
        depth: u32,
        tried: usize,
        alpha: Score,
    ) -> bool {
        is_large(position, depth)
            && self.shared.splits.someone_idle()
            && (depth < position.empties()
                || tried >= SPECULATION_MOVES
                || self.evaluate(position) < alpha + SPECULATION)
    }

    /// Searches the other moves of a node, of which some have been searched with the result `best`
    /// and perhaps a line, together with as many threads as come free.
    pub(super) fn search_brothers(
        &mut self,
        position: &Position,
        moves: &mut [ScoredMove],
        depth: u32,
        window: Window,
        best: Best,
        line: &mut Line,
    ) -> Option<Best> {
        moves.sort_by_key(|mv| -mv.score);
        let point = Arc::new(SplitPoint {
            position: *position,
            moves: moves.to_vec(),
            next: AtomicUsize::new(0),
            depth,
            window,
            outcome: Mutex::new(Outcome { best, line: std::mem::take(line) }),
            cancelled: AtomicBool::new(false),
            parent: self.split.clone(),
            selectivity: self.selectivity,
            nested: self.nested,
        });
        let splits = &self.shared.splits;
        let outer = self.split.replace(point.clone());
        if self.shared.threads > 1 && is_large(position, depth) {
            splits.open(&point);
            self.take_moves(&point);
            while let Some(below) = splits.join_below(&point) {
                self.help(&below);
            }
        } else {
            self.take_moves(&point);
        }
        self.split = outer;
        let mut outcome = point.outcome();
        *line = std::mem::take(&mut outcome.line);
        // A cutoff found here counts even if the search was stopped meanwhile; otherwise a stop
        // means that some move was left out.
        (window.fails_high(outcome.best.0) || !point.is_cancelled()).then_some(outcome.best)
    }

    /// Works at nodes that other threads share until the search is over.
    pub fn assist(&mut self) {
        while let Some(point) = self.shared.splits.join_any() {
            self.help(&point);
        }
    }

    /// Works at a node that this thread has joined.
    fn help(&mut self, point: &Arc<SplitPoint>) {
        let own = (self.split.replace(point.clone()), self.selectivity, self.nested);
        (self.selectivity, self.nested) = (point.selectivity, point.nested);
        self.take_moves(point);
        (self.split, self.selectivity, self.nested) = own;
        self.report_nodes();
        self.shared.splits.leave(point);
    }

    /// Searches one move after the other until none is left or none is needed.
    fn take_moves(&mut self, point: &SplitPoint) {
        while let Some(mv) = point.moves.get(point.next.fetch_add(1, Relaxed)) {
            if point.cancelled.load(Relaxed) {
                return;
            }
            let searched = self.search_brother(point, mv).is_some();
            if !searched || point.window().is_empty() {
                point.cancelled.store(true, Relaxed);
                return;
            }
        }
    }

    /// Asks whether a move beats the best so far and, if so, by how much. `None` if the search was
    /// stopped.
    fn search_brother(&mut self, point: &SplitPoint, mv: &ScoredMove) -> Option<()> {
        let mut window = point.window();
        let mut line = Line::new();
        let mut value = self.null_window_after(&point.position, mv, point.depth, window.alpha)?;
        if !window.fails_low(value) && !window.fails_high(value) {
            window = point.window();
            if window.is_empty() {
                return Some(());
            }
            let mut rest = Line::new();
            let next = mv.after(&point.position);
            value = -self.principal(&next, point.depth - 1, -window, &mut rest)?;
            set_line(&mut line, Move::Place(mv.square), &rest);
        }
        let mut outcome = point.outcome();
        if value > outcome.best.0 {
            outcome.best = (value, Some(mv.square));
            if !window.fails_low(value) {
                outcome.line = line;
            }
        }
        Some(())
    }
}

/// Is there enough to do at this node for several threads?
#[inline(always)]
fn is_large(position: &Position, depth: u32) -> bool {
    depth >= if depth >= position.empties() { SPLIT_EMPTIES } else { SPLIT_DEPTH }
}

#[cfg(test)]
impl SplitPoint {
    /// A node at the start of the game, with its four moves to be searched that deep.
    pub fn at_start(depth: u32, parent: Option<&Arc<SplitPoint>>) -> Arc<SplitPoint> {
        let board = crate::board::Board::START;
        let position = Position::new(board);
        let moves = board.moves().into_iter().map(|square| {
            let flips = board.flips(square);
            ScoredMove { square, flips, after: board.play(square, flips), score: 0 }
        });
        Arc::new(SplitPoint {
            position,
            moves: moves.collect(),
            next: AtomicUsize::new(0),
            depth,
            window: Window::FULL,
            outcome: Mutex::new(Outcome { best: (-Score::INFINITY, None), line: Line::new() }),
            cancelled: AtomicBool::new(false),
            parent: parent.cloned(),
            selectivity: Selectivity::EXACT,
            nested: 0,
        })
    }

    /// Marks the node as decided.
    pub fn cancel(&self) {
        self.cancelled.store(true, Relaxed);
    }
}
