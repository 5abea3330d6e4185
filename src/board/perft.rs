//! Perft: how many lines of play of a given length a position has. The usual check that a move
//! generator is right, since published counts exist.
//!
//! Programs count passes and finished games in three ways, which differ from depth 9 of the
//! start position on; [`Convention`] names them.

use super::Board;
use rayon::prelude::*;
use std::fmt;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};

/// How passes and finished games count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Convention {
    /// `pass-ply`: a pass is a ply; a finished game counts once, at whatever depth it ends.
    #[default]
    PassPly,
    /// `pass-free`: a pass takes no depth; a finished game counts once.
    PassFree,
    /// `full-depth`: a pass is a ply; only lines that reach the whole depth count.
    FullDepth,
}

impl Convention {
    /// All three.
    pub const ALL: [Convention; 3] =
        [Convention::PassPly, Convention::PassFree, Convention::FullDepth];

    /// The convention with this name.
    pub fn parse(name: &str) -> Option<Convention> {
        Convention::ALL.into_iter().find(|convention| convention.name() == name)
    }

    /// The name in commands and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Convention::PassPly => "pass-ply",
            Convention::PassFree => "pass-free",
            Convention::FullDepth => "full-depth",
        }
    }
}

impl fmt::Display for Convention {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Positions this many plies above the leaves are counted in parallel and look at the stop flag;
/// below, a subtree takes about a millisecond.
const SPLIT_DEPTH: u32 = 6;

/// Counts the lines of `depth` plies from `board`.
pub fn perft(board: Board, depth: u32, convention: Convention) -> u64 {
    perft_until(board, depth, convention, &AtomicBool::new(false)).unwrap_or_default()
}

/// As [`perft`]; `None` if `stop` became true before the count was complete.
pub fn perft_until(
    board: Board,
    depth: u32,
    convention: Convention,
    stop: &AtomicBool,
) -> Option<u64> {
    if depth < SPLIT_DEPTH {
        return Some(count(board, depth, convention));
    }
    if stop.load(Ordering::Relaxed) {
        return None;
    }
    let moves: Vec<Board> =
        board.moves().into_iter().map(|square| board.play(square, board.flips(square))).collect();
    if moves.is_empty() {
        return match without_moves(board, depth, convention) {
            Next::Leaves(leaves) => Some(leaves),
            Next::Pass(next, depth) => perft_until(next, depth, convention, stop),
        };
    }
    moves.into_par_iter().map(|next| perft_until(next, depth - 1, convention, stop)).sum()
}

/// Plays every line of `depth` plies (a pass is one) disc by disc on this thread and counts the
/// moves made, as a search counts its nodes. Unlike [`perft`] it counts nothing in bulk, so it
/// measures how fast a machine finds and makes moves.
pub fn moves_made(board: Board, depth: u32) -> u64 {
    let Some(left) = depth.checked_sub(1) else { return 0 };
    let moves = board.moves();
    if moves.is_empty() {
        return if board.is_over() { 0 } else { moves_made(board.pass(), left) };
    }
    let play = |square| {
        // Without the black box the last ply's boards, which nobody reads, would not be made.
        let next = black_box(board.play(square, board.flips(square)));
        1 + moves_made(next, left)
    };
    moves.into_iter().map(play).sum()
}

/// The recursion without a look at anything else. The last ply is counted, not played.
fn count(board: Board, depth: u32, convention: Convention) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = board.moves();
    if moves.is_empty() {
        return match without_moves(board, depth, convention) {
            Next::Leaves(leaves) => leaves,
            Next::Pass(next, depth) => count(next, depth, convention),
        };
    }
    if depth == 1 {
        return u64::from(moves.len());
    }
    moves
        .into_iter()
        .map(|square| count(board.play(square, board.flips(square)), depth - 1, convention))
        .sum()
}

enum Next {
    Leaves(u64),
    Pass(Board, u32),
}

/// What follows when the side to move has no move and `depth` (1 or more) plies are left.
fn without_moves(board: Board, depth: u32, convention: Convention) -> Next {
    let next = board.pass();
    if next.moves().is_empty() {
        return Next::Leaves(u64::from(convention != Convention::FullDepth));
    }
    match convention {
        Convention::PassFree => Next::Pass(next, depth),
        Convention::PassPly | Convention::FullDepth => Next::Pass(next, depth - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Bitboard;
    use crate::board::testing::random_boards;

    /// Plays every ply and passes one ply at a time: nothing is counted in bulk or in parallel.
    fn naive(board: Board, depth: u32, convention: Convention) -> u64 {
        if depth == 0 {
            return 1;
        }
        if board.is_over() {
            return u64::from(convention != Convention::FullDepth);
        }
        if board.must_pass() {
            let left = if convention == Convention::PassFree { depth } else { depth - 1 };
            return naive(board.pass(), left, convention);
        }
        let nexts = board.moves().into_iter().filter_map(|square| board.try_play(square));
        nexts.map(|next| naive(next, depth - 1, convention)).sum()
    }

    #[test]
    fn counting_in_bulk_equals_playing_every_ply() {
        for board in random_boards(300) {
            for convention in Convention::ALL {
                for depth in 0..4 {
                    let expected = naive(board, depth, convention);
                    assert_eq!(perft(board, depth, convention), expected, "{board:?} {depth}");
                }
            }
        }
    }

    #[test]
    fn parallel_counts_equal_serial_ones_down_to_the_end_of_the_game() {
        let late = random_boards(600).into_iter().filter(|board| board.empties().len() < 8);
        for board in late.take(60) {
            for convention in Convention::ALL {
                for depth in SPLIT_DEPTH..SPLIT_DEPTH + 4 {
                    assert_eq!(perft(board, depth, convention), count(board, depth, convention));
                }
            }
        }
    }

    #[test]
    fn moves_made_are_the_lines_of_every_length_but_those_that_end_in_a_pass() {
        // From the start no side passes before ply 9, so each line's last ply is a move.
        let lines = (1..=6).map(|depth| perft(Board::START, depth, Convention::FullDepth));
        assert_eq!(moves_made(Board::START, 6), lines.sum::<u64>());
        assert_eq!(moves_made(Board::START, 0), 0);
        // b1 has no move, then a1 takes it with c1 and ends the game.
        let board = Board::new(Bitboard(0b10), Bitboard(0b1)).unwrap();
        assert_eq!([1, 2, 3, 9].map(|depth| moves_made(board, depth)), [0, 1, 1, 1]);
    }

    #[test]
    fn a_stopped_count_gives_no_number() {
        let stop = AtomicBool::new(true);
        assert_eq!(perft_until(Board::START, 20, Convention::PassPly, &stop), None);
    }

    #[test]
    fn names_parse_back() {
        for convention in Convention::ALL {
            assert_eq!(Convention::parse(convention.name()), Some(convention));
        }
        assert_eq!(Convention::parse("pass"), None);
    }
}
