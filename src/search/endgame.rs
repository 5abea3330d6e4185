//! Exact scores with few empty squares, in discs for the side to move.
//!
//! All functions take a null window (`alpha`, `alpha + 1`) and return a bound, as in
//! [`last_empties`](super::last_empties).

use super::Selectivity;
use super::last_empties::{self, NONE};
use super::ordering::mobility;
use super::params::{POLL_EMPTIES, REPLIES_AT_ONCE, SOLVER_ETC_EMPTIES, SOLVER_TABLE_EMPTIES};
use super::parity::odd_quadrants;
use super::stable_bound::stability_bound;
use super::window::Window;
use super::worker::Worker;
use crate::board::{Bitboard, Board, Square};
use crate::score::Score;
use arrayvec::ArrayVec;

/// A child of a solver node.
#[derive(Clone, Copy)]
struct Child {
    board: Board,
    square: Square,
    /// The opponent's moves.
    replies: Bitboard,
    /// Their [`mobility`].
    mobility: i32,
    score: i32,
}

impl Child {
    /// The position after a move; `odd` are the squares of odd quadrants.
    #[inline(always)]
    fn new(board: Board, square: Square, odd: Bitboard) -> Child {
        let board = board.play(square, board.flips(square));
        let replies = board.moves();
        let mobility = mobility(replies);
        let corner = i32::from(Bitboard::CORNERS.has(square));
        let score = corner + i32::from(odd.has(square)) - 3 * mobility;
        Child { board, square, replies, mobility, score }
    }
}

/// The best move so far.
struct BestMove {
    score: i32,
    square: Option<Square>,
}

/// What a table knows about a position.
enum Known {
    /// Enough to answer.
    Bound(i32),
    /// At most a move to try first.
    Move(Option<Square>),
}

impl Worker<'_> {
    /// Bound on the exact score of a position.
    pub(super) fn solve(&mut self, board: Board, alpha: i32) -> Option<i32> {
        let empties = board.empties().len();
        if empties <= 4 {
            Some(last_empties::solve(board, alpha, &mut self.nodes))
        } else {
            self.solve_in_order(board, board.moves(), alpha, empties)
        }
    }

    /// The same with five empties or more, given the legal moves.
    fn solve_in_order(
        &mut self,
        board: Board,
        moves: Bitboard,
        alpha: i32,
        empties: u32,
    ) -> Option<i32> {
        if empties >= POLL_EMPTIES {
            self.poll()?;
        }
        if let Some(bound) = stability_bound(board, alpha, empties) {
            return Some(bound);
        }
        if moves.is_empty() {
            let moves = board.pass().moves();
            return if moves.is_empty() {
                Some(board.final_score())
            } else {
                Some(-self.solve_in_order(board.pass(), moves, -alpha - 1, empties)?)
            };
        }
        let known = match self.known(board, empties, alpha) {
            Known::Bound(bound) => return Some(bound),
            Known::Move(known) => known,
        };
        let best = self.best_child(board, moves, alpha, known, empties)?;
        self.remember(board, empties, alpha, &best);
        Some(best.score)
    }

    /// What the table for this number of empties says.
    #[inline(always)]
    fn known(&self, board: Board, empties: u32, alpha: i32) -> Known {
        if empties < SOLVER_TABLE_EMPTIES {
            let Some(entry) = self.local.probe(board) else { return Known::Move(None) };
            return if i32::from(entry.lower) > alpha {
                Known::Bound(i32::from(entry.lower))
            } else if i32::from(entry.upper) <= alpha {
                Known::Bound(i32::from(entry.upper))
            } else {
                Known::Move(entry.best())
            };
        }
        let Some(entry) = self.shared.table.probe(board) else { return Known::Move(None) };
        let window = Window::null(Score::from_discs(alpha));
        if entry.covers(empties, Selectivity::EXACT)
            && let Some(value) = entry.cutoff(window)
        {
            return Known::Bound(value.centidiscs().div_euclid(100));
        }
        Known::Move(entry.moves[0])
    }

    #[inline(always)]
    fn remember(&mut self, board: Board, empties: u32, alpha: i32, best: &BestMove) {
        if empties < SOLVER_TABLE_EMPTIES {
            self.local.store(board, alpha, best.score, best.square);
        } else {
            let window = Window::null(Score::from_discs(alpha));
            let score = Score::from_discs(best.score);
            self.shared.table.store(board, window, empties, Selectivity::EXACT, score, best.square);
        }
    }

    /// The best score of these moves and its move. The table's move comes first, then few replies,
    /// parity and corners decide. Moves with hardly a reply do not wait until the others are made,
    /// too: they often refute the position.
    #[inline(always)]
    fn best_child(
        &mut self,
        board: Board,
        moves: Bitboard,
        alpha: i32,
        known: Option<Square>,
        empties: u32,
    ) -> Option<BestMove> {
        let odd = odd_quadrants(board.empties());
        let mut best = BestMove { score: NONE, square: None };
        let mut left = moves;
        if let Some(square) = known
            && moves.has(square)
        {
            self.nodes += 1;
            let child = Child::new(board, square, odd);
            if self.refutes(&child, alpha, empties, &mut best)? {
                return Some(best);
            }
            left = left - square.into();
        }
        let mut children = ArrayVec::<Child, 64>::new();
        for square in left {
            self.nodes += 1;
            let child = Child::new(board, square, odd);
            if let Some(score) = self.refutation_in_table(&child, alpha, empties) {
                return Some(BestMove { score, square: Some(square) });
            }
            if child.mobility > REPLIES_AT_ONCE {
                children.push(child);
            } else if self.refutes(&child, alpha, empties, &mut best)? {
                return Some(best);
            }
        }
        for i in 0..children.len() {
            let child = pick(&mut children, i);
            if self.refutes(&child, alpha, empties, &mut best)? {
                break;
            }
        }
        Some(best)
    }

    /// Enhanced transposition cutoff, as in [`null_window`](super::null_window), from the small
    /// table.
    #[inline(always)]
    fn refutation_in_table(&self, child: &Child, alpha: i32, empties: u32) -> Option<i32> {
        if empties < SOLVER_ETC_EMPTIES {
            return None;
        }
        let score = -i32::from(self.local.probe(child.board)?.upper);
        (score > alpha).then_some(score)
    }

    /// Searches one move of a position; is its score above `alpha`?
    #[inline(always)]
    fn refutes(
        &mut self,
        child: &Child,
        alpha: i32,
        empties: u32,
        best: &mut BestMove,
    ) -> Option<bool> {
        let score = if empties <= 5 {
            -last_empties::solve_4(child.board, -alpha - 1, &mut self.nodes)
        } else {
            -self.solve_in_order(child.board, child.replies, -alpha - 1, empties - 1)?
        };
        if score > best.score {
            *best = BestMove { score, square: Some(child.square) };
        }
        Some(score > alpha)
    }
}

/// Brings the best of the children from `from` on to that place and returns it.
#[inline(always)]
fn pick(children: &mut [Child], from: usize) -> Child {
    let mut chosen = from;
    for i in from + 1..children.len() {
        if children[i].score > children[chosen].score {
            chosen = i;
        }
    }
    children.swap(from, chosen);
    children[from]
}
