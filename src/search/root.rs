//! The root: its moves in parallel, several best lines, windows that widen.

use super::params::{ASPIRATION, ASPIRATION_TO_END};
use super::position::Position;
use super::principal::{Line, set_line};
use super::report::Bound;
use super::window::Window;
use super::worker::{SplitPoint, Worker};
use crate::board::Board;
use crate::game::Move;
use crate::score::Score;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

/// A move at the root and what is known about it.
#[derive(Clone)]
pub(super) struct RootMove {
    pub mv: Move,
    after: Position,
    /// Value in the last iteration that ranked the move.
    pub value: Score,
    /// Best play from the root, this move first.
    pub line: Line,
}

/// The moves at the root, best first once an iteration is complete; a forced pass is the only
/// move then.
pub(super) fn root_moves(board: Board) -> Vec<RootMove> {
    let position = Position::new(board);
    let root_move = |mv, after| {
        let mut line = Line::new();
        set_line(&mut line, mv, &Line::new());
        RootMove { mv, after, value: Score::ZERO, line }
    };
    if board.must_pass() {
        return vec![root_move(Move::Pass, position.pass())];
    }
    let moves = board.moves().into_iter();
    moves.map(|m| root_move(Move::Place(m), position.play(m, board.flips(m)))).collect()
}

/// What the younger brothers at the root share.
struct Race {
    alpha: Score,
    best: Option<(usize, Score, Line)>,
}

impl Worker<'_> {
    /// Orders the root moves for the first time.
    pub(super) fn presort(&mut self, moves: &mut [RootMove]) {
        for root_move in moves.iter_mut() {
            self.nodes += 1;
            root_move.value = -self.evaluate(&root_move.after);
        }
        moves.sort_by_key(|root_move| -root_move.value);
    }

    /// Searches the best `lines` moves `depth` plies deep and brings them to the front. `on_fail`
    /// hears of values that turn out to be outside of the window.
    pub(super) fn iterate(
        &mut self,
        moves: &mut [RootMove],
        depth: u32,
        to_end: bool,
        lines: usize,
        on_fail: &mut dyn FnMut(&mut Self, usize, Score, Bound, &Line),
    ) -> Option<()> {
        for rank in 0..lines.min(moves.len()) {
            let guess = moves[rank].value;
            let mut margin = if to_end { ASPIRATION_TO_END } else { ASPIRATION };
            let mut window = if depth <= 2 { Window::FULL } else { Window::around(guess, margin) };
            loop {
                let best = self.search_root(&moves[rank..], depth, window)?;
                let (index, value) = (rank + best.0, best.1);
                let is_bound = window != Window::FULL;
                let failed_low = is_bound && window.fails_low(value);
                let failed_high = is_bound && window.fails_high(value);
                if !failed_low {
                    moves[index].value = value;
                    moves[index].line = best.2;
                    moves[rank..=index].rotate_right(1);
                }
                if !failed_low && !failed_high {
                    break;
                }
                let bound = if failed_low { Bound::Upper } else { Bound::Lower };
                let line = moves[rank].line.clone();
                on_fail(self, rank, value, bound, &line);
                margin = margin + margin + margin;
                let wide = Window::around(value, margin);
                // The window only grows: entries of deeper searches in the table may make a
                // value fail low in one window and high in the next.
                if failed_low {
                    window.alpha = wide.alpha.min(window.alpha);
                } else {
                    window.beta = wide.beta.max(window.beta);
                }
            }
        }
        let ranked = lines.min(moves.len());
        moves[..ranked].sort_by_key(|root_move| -root_move.value);
        Some(())
    }

    /// The best of these moves: its index, its value or bound, and the line.
    fn search_root(
        &mut self,
        moves: &[RootMove],
        depth: u32,
        window: Window,
    ) -> Option<(usize, Score, Line)> {
        let first = moves.first()?;
        let mut line = Line::new();
        let value = self.search_root_move(first, depth, window, &mut line)?;
        if window.fails_high(value) || moves.len() == 1 {
            return Some((0, value, line));
        }
        let race =
            Mutex::new(Race { alpha: window.alpha.max(value), best: Some((0, value, line)) });
        let point = SplitPoint { cancelled: AtomicBool::new(false), parent: None };
        let next = AtomicUsize::new(1);
        let finished = AtomicUsize::new(1);
        let work = |worker: &mut Worker<'_>| {
            loop {
                let index = next.fetch_add(1, Relaxed);
                let Some(root_move) = moves.get(index) else { return };
                if worker.younger_brother(root_move, index, depth, window, &race).is_none() {
                    point.cancelled.store(true, Relaxed);
                    return;
                }
                finished.fetch_add(1, Relaxed);
            }
        };
        let threads = self.shared.threads.min(moves.len() - 1);
        if threads > 1 {
            self.share(&point, threads, work);
        } else {
            work(self);
        }
        let best = race.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner()).best?;
        let complete = finished.load(Relaxed) == moves.len();
        (complete || window.fails_high(best.1)).then_some(best)
    }

    /// Asks whether a move beats the best so far and, if so, by how much. `None` ends the work:
    /// the search was stopped, or another move has failed high.
    fn younger_brother(
        &mut self,
        root_move: &RootMove,
        index: usize,
        depth: u32,
        window: Window,
        race: &Mutex<Race>,
    ) -> Option<()> {
        let current =
            |race: &Mutex<Race>| race.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).alpha;
        let mut line = Line::new();
        let mut alpha = current(race);
        if window.fails_high(alpha) {
            return None;
        }
        let null = Window::null(alpha);
        let mut value = self.null_root_move(root_move, depth, null)?;
        if !null.fails_low(value) && !window.fails_high(value) {
            alpha = current(race).max(alpha);
            let inside = Window { alpha, beta: window.beta };
            if window.fails_high(alpha) {
                return None;
            }
            value = self.search_root_move(root_move, depth, inside, &mut line)?;
        }
        if line.is_empty() {
            set_line(&mut line, root_move.mv, &Line::new());
        }
        let mut race = race.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if race.best.as_ref().is_none_or(|best| value > best.1) {
            race.alpha = race.alpha.max(value);
            race.best = Some((index, value, line));
        }
        if window.fails_high(value) { None } else { Some(()) }
    }

    fn search_root_move(
        &mut self,
        root_move: &RootMove,
        depth: u32,
        window: Window,
        line: &mut Line,
    ) -> Option<Score> {
        self.nodes += 1;
        let mut rest = Line::new();
        let depth = depth_after(root_move.mv, depth);
        let value = -self.principal(&root_move.after, depth, -window, &mut rest)?;
        set_line(line, root_move.mv, &rest);
        Some(value)
    }

    fn null_root_move(&mut self, root_move: &RootMove, depth: u32, null: Window) -> Option<Score> {
        self.nodes += 1;
        let depth = depth_after(root_move.mv, depth);
        Some(-self.null_window(&root_move.after, depth, (-null).alpha)?)
    }
}

/// A pass costs no depth.
fn depth_after(mv: Move, depth: u32) -> u32 {
    if mv == Move::Pass { depth } else { depth.saturating_sub(1) }
}
