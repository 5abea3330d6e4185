//! Boards for unit tests, the same ones in every run.

use super::{Bitboard, Board};
use crate::random::Random;

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
