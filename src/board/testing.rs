//! Boards for unit tests, the same ones in every run.

use super::{Bitboard, Board, Square};

/// A small generator (SplitMix64) that needs no seed from outside.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, which must not be 0.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn pick(&mut self, squares: Bitboard) -> Option<Square> {
        if squares.is_empty() {
            return None;
        }
        squares.into_iter().nth(self.below(u64::from(squares.len())) as usize)
    }
}

/// At least `count` boards: every position of random games, and one board of pure noise a game.
pub fn random_boards(count: usize) -> Vec<Board> {
    let mut random = Random(count as u64);
    let mut boards = Vec::new();
    while boards.len() < count {
        let mut board = Board::START;
        loop {
            boards.push(board);
            if let Some(square) = random.pick(board.moves()) {
                board = board.play(square, board.flips(square));
            } else if board.must_pass() {
                board = board.pass();
            } else {
                break;
            }
        }
        let player = random.next() & random.next();
        let opponent = random.next() & !player;
        boards.push(Board { player: Bitboard(player), opponent: Bitboard(opponent) });
    }
    boards
}
