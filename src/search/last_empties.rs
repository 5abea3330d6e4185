//! Exact scores with four or fewer empty squares, in discs for the side to move.
//!
//! Each function takes a null window (`alpha`, `alpha + 1`) and returns a bound: above `alpha`
//! the score is at least the result, otherwise at most. Nothing here looks at the clock.

use super::parity::odd_quadrants;
use super::stable_bound::stability_bound;
use crate::board::{Bitboard, Board, Square};

/// Below every score: no move has been tried yet.
pub(super) const NONE: i32 = -65;

/// Adjacent squares of each square.
pub(super) const NEIGHBOURS: [u64; 64] = {
    let mut all = [0; 64];
    let mut square = 0;
    while square < 64 {
        all[square] = Bitboard(1 << square).neighbours().0;
        square += 1;
    }
    all
};

/// Could a move to `square` flip anything? It needs an opposing disc next to it.
#[inline(always)]
fn touches(board: Board, square: Square) -> bool {
    NEIGHBOURS[square.index()] & board.opponent.0 != 0
}

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// For a place on a line of eight: discs flipped by a move there, by the own discs on the line,
/// when all its other squares are the opponent's.
static LINE_FLIPS: [[u8; 256]; 8] = {
    let mut table = [[0; 256]; 8];
    let mut place = 0;
    while place < 8 {
        let mut own = 0;
        while own < 256 {
            table[place][own] = line_flips(place, own);
            own += 1;
        }
        place += 1;
    }
    table
};

const fn line_flips(place: usize, own: usize) -> u8 {
    let mut count = 0;
    let mut i = place + 1;
    while i < 8 {
        if own >> i & 1 != 0 {
            count += i - place - 1;
            break;
        }
        i += 1;
    }
    i = place;
    while i > 0 {
        i -= 1;
        if own >> i & 1 != 0 {
            count += place - i - 1;
            break;
        }
    }
    count as u8
}

/// The two diagonals through each square.
static DIAGONALS: [[u64; 2]; 64] = {
    let mut all = [[0; 2]; 64];
    let mut square = 0i32;
    while square < 64 {
        let mut other = 0i32;
        while other < 64 {
            let (dx, dy) = (other % 8 - square % 8, other / 8 - square / 8);
            if dx == dy {
                all[square as usize][0] |= 1 << other;
            }
            if dx == -dy {
                all[square as usize][1] |= 1 << other;
            }
            other += 1;
        }
        square += 1;
    }
    all
};

/// Discs that the side with the discs `own` flips on the last empty square.
#[inline(always)]
fn last_flips(own: Bitboard, square: Square) -> i32 {
    let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
    let row = (own.0 >> (8 * rank)) as usize & 0xff;
    let column = (own.0 >> file & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    let [falling, rising] = DIAGONALS[square.index()];
    let falling = (own.0 & falling).wrapping_mul(FILE_A) >> 56;
    let rising = (own.0 & rising).wrapping_mul(FILE_A) >> 56;
    let by_file = &LINE_FLIPS[file & 7];
    let by_rank = &LINE_FLIPS[rank & 7];
    i32::from(by_file[row])
        + i32::from(by_rank[column as usize & 0xff])
        + i32::from(by_file[falling as usize & 0xff])
        + i32::from(by_file[rising as usize & 0xff])
}

/// Exact score with one empty square.
#[inline(always)]
pub(super) fn solve_1(board: Board, square: Square, nodes: &mut u64) -> i32 {
    let own = board.player.len() as i32;
    let flips = last_flips(board.player, square);
    if flips > 0 {
        *nodes += 1;
        return 2 * (own + flips + 1) - 64;
    }
    let flips = last_flips(board.opponent, square);
    if flips > 0 {
        *nodes += 1;
        return 2 * (own - flips) - 64;
    }
    // Nobody can fill the square: the winner gets it.
    if 2 * own > 63 { 2 * own - 62 } else { 2 * own - 64 }
}

/// Exact score or bound with two empty squares.
#[inline(always)]
pub(super) fn solve_2(board: Board, alpha: i32, a: Square, b: Square, nodes: &mut u64) -> i32 {
    let best = best_of_2(board, alpha, a, b, nodes);
    if best != NONE {
        return best;
    }
    let reply = best_of_2(board.pass(), -alpha - 1, a, b, nodes);
    if reply != NONE { -reply } else { board.final_score() }
}

#[inline(always)]
fn best_of_2(board: Board, alpha: i32, a: Square, b: Square, nodes: &mut u64) -> i32 {
    let mut best = NONE;
    for (square, left) in [(a, b), (b, a)] {
        if !touches(board, square) {
            continue;
        }
        let flips = board.flips(square);
        if !flips.is_empty() {
            *nodes += 1;
            best = best.max(-solve_1(board.play(square, flips), left, nodes));
            if best > alpha {
                break;
            }
        }
    }
    best
}

/// Exact score or bound with three empty squares, the most promising first.
pub(super) fn solve_3(board: Board, alpha: i32, squares: [Square; 3], nodes: &mut u64) -> i32 {
    let best = best_of_3(board, alpha, squares, nodes);
    if best != NONE {
        return best;
    }
    let reply = best_of_3(board.pass(), -alpha - 1, squares, nodes);
    if reply != NONE { -reply } else { board.final_score() }
}

#[inline(always)]
fn best_of_3(board: Board, alpha: i32, [a, b, c]: [Square; 3], nodes: &mut u64) -> i32 {
    let mut best = NONE;
    for (square, left, right) in [(a, b, c), (b, a, c), (c, a, b)] {
        if !touches(board, square) {
            continue;
        }
        let flips = board.flips(square);
        if !flips.is_empty() {
            *nodes += 1;
            let next = board.play(square, flips);
            best = best.max(-solve_2(next, -alpha - 1, left, right, nodes));
            if best > alpha {
                break;
            }
        }
    }
    best
}

/// Exact score or bound with four empty squares.
pub(super) fn solve_4(board: Board, alpha: i32, nodes: &mut u64) -> i32 {
    if let Some(bound) = stability_bound(board, alpha, 4) {
        return bound;
    }
    let squares = by_parity(board.empties());
    let best = best_of_4(board, alpha, squares, nodes);
    if best != NONE {
        return best;
    }
    let reply = best_of_4(board.pass(), -alpha - 1, squares, nodes);
    if reply != NONE { -reply } else { board.final_score() }
}

#[inline(always)]
fn best_of_4(board: Board, alpha: i32, [a, b, c, d]: [Square; 4], nodes: &mut u64) -> i32 {
    let mut best = NONE;
    for (square, rest) in [(a, [b, c, d]), (b, [a, c, d]), (c, [a, b, d]), (d, [a, b, c])] {
        if !touches(board, square) {
            continue;
        }
        let flips = board.flips(square);
        if !flips.is_empty() {
            *nodes += 1;
            let next = board.play(square, flips);
            best = best.max(-solve_3(next, -alpha - 1, rest, nodes));
            if best > alpha {
                break;
            }
        }
    }
    best
}

/// Four squares, those of odd quadrants first. After a move elsewhere the rest is still in a
/// good order for [`solve_3`]: singles before pairs.
#[inline(always)]
fn by_parity(empties: Bitboard) -> [Square; 4] {
    let odd = empties & odd_quadrants(empties);
    let mut sets = [odd, empties - odd];
    std::array::from_fn(|_| {
        let set = usize::from(sets[0].is_empty());
        let square = Square::wrapping(sets[set].0.trailing_zeros());
        sets[set] = Bitboard(sets[set].0 & sets[set].0.wrapping_sub(1));
        square
    })
}

/// Exact score or bound with at most four empty squares.
pub(super) fn solve(board: Board, alpha: i32, nodes: &mut u64) -> i32 {
    let mut left = board.empties().into_iter();
    match (left.next(), left.next(), left.next(), left.next()) {
        (None, ..) => board.final_score(),
        (Some(a), None, ..) => solve_1(board, a, nodes),
        (Some(a), Some(b), None, _) => solve_2(board, alpha, a, b, nodes),
        (Some(a), Some(b), Some(c), None) => solve_3(board, alpha, [a, b, c], nodes),
        _ => solve_4(board, alpha, nodes),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::random_boards;

    fn minimax(board: Board) -> i32 {
        if board.is_over() {
            return board.final_score();
        }
        let moves = board.moves();
        if moves.is_empty() {
            return -minimax(board.pass());
        }
        let values = moves.into_iter().map(|m| -minimax(board.play(m, board.flips(m))));
        values.max().unwrap_or(NONE)
    }

    #[test]
    fn flips_on_the_last_square_are_counted_right() {
        for board in random_boards(3_000) {
            for square in board.empties() {
                let own = board.player;
                let filled = Board { player: own, opponent: !own - square.into() };
                assert_eq!(last_flips(own, square), filled.flips(square).len() as i32);
            }
        }
    }

    #[test]
    fn every_bound_agrees_with_minimax() {
        let near_end = random_boards(40_000).into_iter().filter(|b| b.empties().len() <= 4);
        let mut seen = [0; 5];
        for board in near_end {
            seen[board.empties().len() as usize] += 1;
            let exact = minimax(board);
            for alpha in [-64, exact - 3, exact - 1, exact, exact + 1, 63] {
                let mut nodes = 0;
                let bound = solve(board, alpha, &mut nodes);
                if exact > alpha {
                    assert!(alpha < bound && bound <= exact, "{board:?} {alpha} {bound} {exact}");
                } else {
                    assert!(exact <= bound && bound <= alpha, "{board:?} {alpha} {bound} {exact}");
                }
            }
        }
        assert!(seen.into_iter().all(|count| count > 100), "{seen:?}");
    }
}
