//! Any position can be set up, however odd, and the rules hold from there.

use super::{Black, White, allows, place, plays};
use crate::support::{game, game_at, position_of};
use outflank::board::{Bitboard, Board};
use outflank::game::{Game, IllegalMove, Move};

/// The game is over with these disc counts and this score for Black, whoever is on turn.
#[track_caller]
fn over(picture: &str, discs: (u32, u32), black_score: i32) {
    for turn in [Black, White] {
        let game = game(turn, picture);
        let outcome = game.outcome();
        assert!(game.is_over() && !game.must_pass(), "{turn}");
        assert!(game.board().moves().is_empty(), "{turn}");
        assert_eq!((outcome.black_discs, outcome.white_discs), discs, "{turn}");
        assert_eq!(outcome.black_score, black_score, "{turn}");
        let winner = match black_score {
            0 => None,
            1.. => Some(Black),
            _ => Some(White),
        };
        assert_eq!(outcome.winner(), winner, "{turn}");
        let mut tried = game.clone();
        assert_eq!(tried.play(Move::Pass), Err(IllegalMove::GameOver));
        assert_eq!(tried, game);
    }
}

fn rows(row: &str) -> String {
    [row; 8].join("\n")
}

#[test]
fn an_empty_board_is_a_finished_draw() {
    over(&rows(". . . . . . . ."), (0, 0), 0);
}

#[test]
fn a_full_board_of_one_colour_is_a_win_by_64() {
    over(&rows("X X X X X X X X"), (64, 0), 64);
    over(&rows("O O O O O O O O"), (0, 64), -64);
}

#[test]
fn a_full_board_with_as_many_discs_of_each_colour_is_a_draw() {
    over(&rows("X O O X O X X O"), (32, 32), 0);
}

#[test]
fn a_single_disc_wins_all_64_squares() {
    over(
        "
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . O",
        (0, 1),
        -64,
    );
}

#[test]
fn isolated_discs_of_both_colours_leave_no_move() {
    over(
        "
        X . . O . . X .
        . . . . . . . .
        . O . . X . . O
        . . . . . . . .
        . . . . . . . .
        X . . . . O . .
        . . . . . . . .
        . . X . . . . X",
        (6, 4),
        2 + 54,
    );
}

#[test]
fn discs_far_from_the_centre_can_be_played_on() {
    allows(
        Black,
        "
        X O * . . . . .
        O . . . . . . .
        * . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . * O X",
    );
    plays(
        White,
        "
        . . . . . . . *    . . . . . . . O
        . . . . . . . X    . . . . . . . O
        . . . . . . . X    . . . . . . . O
        . . . . . . . X    . . . . . . . O
        . . . . . . . X    . . . . . . . O
        . . . . . . . X    . . . . . . . O
        . . . . . . . X    . . . . . . . O
        . . . . . . . O    . . . . . . . O",
    );
}

#[test]
fn a_board_that_no_game_can_reach_is_played_by_the_same_rules() {
    // One empty square in the middle, which flips in eight directions.
    plays(
        White,
        "
        O X X O X X O X    O X X O X X O X
        X X X X X X X X    X O X O X O X X
        X X X X X X X X    X X O O O X X X
        O X X * X X X O    O O O O O O O O
        X X X X X X X X    X X O O O X X X
        X X X X X X X X    X O X O X O X X
        O X X X X X X X    O X X O X X O X
        X X X O X X X O    X X X O X X X O",
    );
}

#[test]
fn either_side_may_be_on_turn_in_the_start_position() {
    let board = Board::START.pass();
    let mut game = Game::from_position(board, White);
    assert_eq!(game.discs(Black), Game::new().discs(Black));
    assert_eq!(game.colour(), White);
    game.play(place("e3")).unwrap();
    assert_eq!(game.colour(), Black);
}

#[test]
fn a_square_with_two_discs_is_refused() {
    let square = Bitboard(1 << 20);
    assert_eq!(Board::new(square, square), None);
    assert_eq!(Board::new(Bitboard::FULL, Bitboard(1 << 63)), None);
    assert!(Board::new(Bitboard::FULL, Bitboard::EMPTY).is_some());
}

#[test]
fn a_set_up_game_says_what_was_set_up() {
    for turn in [Black, White] {
        let game = game(turn, &rows("X O . . O X X ."));
        assert_eq!(game.start(), (game.board(), turn));
        assert_eq!(game.plies().len(), 0);
        assert_eq!(game_at(&position_of(&game)), game);
    }
}
