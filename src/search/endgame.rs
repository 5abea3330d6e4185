//! Exact scores with few empty squares, in discs for the side to move.
//!
//! All functions take a null window (`alpha`, `alpha + 1`) and return a bound, as in
//! [`last_empties`](super::last_empties).

use super::Selectivity;
use super::last_empties::{self, NONE, touches};
use super::params::{PARITY_ONLY_EMPTIES, POLL_EMPTIES, SOLVER_TABLE_EMPTIES};
use super::parity::Parity;
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
    score: i32,
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
        let empties = board.empties();
        match empties.len() {
            0..=4 => Some(last_empties::solve(board, alpha, &mut self.nodes)),
            5..=PARITY_ONLY_EMPTIES => {
                Some(self.solve_by_parity(board, alpha, empties, Parity::of(empties)))
            }
            _ => self.solve_by_mobility(board, alpha),
        }
    }

    fn solve_by_mobility(&mut self, board: Board, alpha: i32) -> Option<i32> {
        let empties = board.empties();
        let count = empties.len();
        if count >= POLL_EMPTIES {
            self.poll()?;
        }
        if let Some(bound) = stability_bound(board, alpha, count) {
            return Some(bound);
        }
        let moves = board.moves();
        if moves.is_empty() {
            return if board.pass().moves().is_empty() {
                Some(board.final_score())
            } else {
                Some(-self.solve_by_mobility(board.pass(), -alpha - 1)?)
            };
        }
        let known = match self.known(board, count, alpha) {
            Known::Bound(bound) => return Some(bound),
            Known::Move(known) => known,
        };
        let mut children = ArrayVec::new();
        self.children(board, moves, Parity::of(empties), known, &mut children);
        let mut best = NONE;
        let mut best_square = None;
        for i in 0..children.len() {
            let child = pick(&mut children, i);
            let value = -self.solve(child.board, -alpha - 1)?;
            if value > best {
                (best, best_square) = (value, Some(child.square));
                if best > alpha {
                    break;
                }
            }
        }
        self.remember(board, count, alpha, best, best_square);
        Some(best)
    }

    /// What the table for this number of empties says.
    #[inline(always)]
    fn known(&self, board: Board, count: u32, alpha: i32) -> Known {
        if count < SOLVER_TABLE_EMPTIES {
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
        if entry.covers(count, Selectivity::EXACT)
            && let Some(value) = entry.cutoff(window)
        {
            return Known::Bound(value.centidiscs().div_euclid(100));
        }
        Known::Move(entry.moves[0])
    }

    #[inline(always)]
    fn remember(&mut self, board: Board, count: u32, alpha: i32, score: i32, best: Option<Square>) {
        if count < SOLVER_TABLE_EMPTIES {
            self.local.store(board, alpha, score, best);
        } else {
            let window = Window::null(Score::from_discs(alpha));
            let score = Score::from_discs(score);
            self.shared.table.store(board, window, count, Selectivity::EXACT, score, best);
        }
    }

    /// The positions after each move, scored: few replies first, then parity and corners. The
    /// list is the caller's for the reason given at [`make_all`](Worker::make_all).
    #[inline(always)]
    fn children(
        &mut self,
        board: Board,
        moves: Bitboard,
        parity: Parity,
        known: Option<Square>,
        children: &mut ArrayVec<Child, 64>,
    ) {
        let odd = parity.odd_squares();
        for square in moves {
            let next = board.play(square, board.flips(square));
            let replies = next.moves();
            let mobility = (replies.len() + (replies & Bitboard::CORNERS).len()) as i32;
            let score = if known == Some(square) {
                i32::MAX
            } else {
                i32::from(Bitboard::CORNERS.has(square)) + i32::from(odd.has(square)) - 3 * mobility
            };
            children.push(Child { board: next, square, score });
        }
        self.nodes += children.len() as u64;
    }

    fn solve_by_parity(
        &mut self,
        board: Board,
        alpha: i32,
        empties: Bitboard,
        parity: Parity,
    ) -> i32 {
        let count = empties.len();
        if let Some(bound) = stability_bound(board, alpha, count) {
            return bound;
        }
        let mut best = NONE;
        let odd = empties & parity.odd_squares();
        for squares in [odd, empties - odd] {
            for square in squares {
                if !touches(board, square) {
                    continue;
                }
                let flips = board.flips(square);
                if flips.is_empty() {
                    continue;
                }
                self.nodes += 1;
                let next = board.play(square, flips);
                let parity = parity.toggled(square);
                let value = if count == 5 {
                    -last_empties::solve_4(next, -alpha - 1, parity, &mut self.nodes)
                } else {
                    -self.solve_by_parity(next, -alpha - 1, empties - square.into(), parity)
                };
                if value > best {
                    best = value;
                    if best > alpha {
                        return best;
                    }
                }
            }
        }
        if best != NONE {
            best
        } else if board.pass().moves().is_empty() {
            board.final_score()
        } else {
            -self.solve_by_parity(board.pass(), -alpha - 1, empties, parity)
        }
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
