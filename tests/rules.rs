//! The rules of Othello, one test for each sentence of them. Boards are drawn with `X` for Black,
//! `O` for White and `*` for an empty square that matters.

mod passes;
mod referee;
mod setup;
use crate::support::slow_rules::Spot;
use crate::support::{Picture, bitboard, game, position_of, square};
use outflank::board::Square;
use outflank::game::Colour::{Black, White};
use outflank::game::{Colour, Game, IllegalMove, Move};
use outflank::notation::moves::play_transcript;

/// A game in which Black makes the last 19 moves in a row and leaves White without a disc.
pub const LONG_RUN: &str = "d3c5c6c7f5g5b7c3c4c2f3a7e2g2d6e6h1b4b1c1b2b3d1f1d2a2a1g4e1h3g1e3f2\
                        h2a3a4g3h4a5h5f4h6g6f6b5f7e7b6a8a6d7";
/// A game in which White makes 15 of the last 16 moves and is not finished with it.
pub const RUN_OF_WHITE: &str = "f5d6c6b6c3f4g4g5h5g3d7c4h2g6b4e6h7d3d2f3f7f6a6h6f2b7a8g2h4e2f1c2b2\
                            h8h3h1c5g1e1e3d1g7g8c1a1a3e7a7";
/// A game in which Black places 40 discs and White 20.
const FORTY_DISCS: &str = "d3c5c6c7f5g5b6e3d6b5b4a5a7b3d8c3a3b8e7b7a6d7a4f7c4e6a8c8a2e8g7c2b2d2\
                           e2a1f3g4f4b1c1f2d1h6g2e1g6f1g8h1f6h7g3g1h2h3h4h5h8f8";
/// A game that ends with 14 empty squares, 49 black discs and a white one.
const EMPTIES_LEFT: &str =
    "d3c5c6c7f5g5b7c2f3e3c8g3g2g1e2f1d1f4h1a8e1d2a6f2b2c1b1a2a3h2a1b3c3g4h4h3h5h6g6f6f7g7h8c4b5a5";
/// A draw with two empty squares.
const DRAW: &str = "d3c5c6c7f5g5g6d2h5e3c2b2b1f4a2h7f7h6h8g7f8e8c1d1e1g4e2f1c3a1b3b4a3a4d8f2e7\
                    g8d6c8f6c4h4e6d7b8h3g3b6b7g1a6a5f3a7h1b5a8";
/// Black wins with its fifth move: no white disc is left.
pub const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5c5";

fn played(transcript: &str) -> Game {
    play_transcript(&Game::new(), transcript).unwrap()
}

fn place(name: &str) -> Move {
    Move::Place(Square::parse(name).unwrap())
}

/// On the left the board before the move marked `*`, on the right the board after it.
#[track_caller]
fn plays(turn: Colour, boards: &str) {
    let (before, after) = Picture::pair(boards);
    let &[spot] = before.marked.as_slice() else { panic!("not one move is marked") };
    let mut game = before.game(turn);
    game.play(Move::Place(square(spot))).unwrap();
    assert_eq!(position_of(&game), after.position(turn.other()), "{turn} {spot}");

    let mut position = before.position(turn);
    position.play(spot);
    assert_eq!(position, after.position(turn.other()), "the referee, {turn} {spot}");
}

/// The squares marked `*` are the legal moves, and no others.
#[track_caller]
fn allows(turn: Colour, picture: &str) {
    let picture = Picture::new(picture);
    let game = picture.game(turn);
    assert_eq!(game.board().moves(), bitboard(&picture.marked));
    assert_eq!(picture.position(turn).moves(), picture.marked, "the referee");
    for spot in Spot::all() {
        let mut tried = game.clone();
        let result = tried.play(Move::Place(square(spot)));
        assert_eq!(result.is_ok(), picture.marked.contains(&spot), "{spot}: {result:?}");
        assert!(result.is_ok() || tried == game, "{spot} was refused but changed the game");
    }
}

#[test]
fn the_game_starts_with_two_discs_of_each_colour_crosswise_in_the_centre() {
    let start = game(
        Black,
        "
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . O X . . .
        . . . X O . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .",
    );
    assert_eq!(Game::new(), start);
    let of = |colour| Game::new().discs(colour).into_iter().map(|s| s.to_string()).collect();
    let (black, white): (Vec<String>, Vec<String>) = (of(Black), of(White));
    assert_eq!((black, white), (vec!["e4".into(), "d5".into()], vec!["d4".into(), "e5".into()]));
}

#[test]
fn black_moves_first_and_then_the_sides_alternate() {
    let mut game = Game::new();
    assert_eq!(game.colour(), Black);
    allows(
        Black,
        "
        . . . . . . . .
        . . . . . . . .
        . . . * . . . .
        . . * O X . . .
        . . . X O * . .
        . . . . * . . .
        . . . . . . . .
        . . . . . . . .",
    );
    for (name, next) in [("f5", White), ("d6", Black), ("c3", White), ("d3", Black)] {
        game.play(place(name)).unwrap();
        assert_eq!(game.colour(), next, "after {name}");
    }
}

#[test]
fn a_move_must_outflank_at_least_one_opposing_disc() {
    allows(
        White,
        "
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . O X * . .
        . . . X X X . .
        . . . * . * . .
        . . . . . . . .
        . . . . . . . .",
    );
}

#[test]
fn a_line_that_ends_at_an_empty_square_or_at_the_edge_outflanks_nothing() {
    allows(
        Black,
        "
        . . . . . . . .
        . . . . . . . .
        . O O O O O O O
        . . . . . . . .
        . . . . . . . .
        . O O . X . . .
        . . . . . . . .
        X O O * . . . .",
    );
}

#[test]
fn discs_are_outflanked_in_straight_lines_only() {
    allows(
        Black,
        "
        . . . . . . . .
        X O O * . . . .
        . . . O . . . .
        . . . O . . . .
        . . . O . . . .
        . . . O . . . .
        . . . . . . . .
        . . . . . . . .",
    );
}

#[test]
fn one_move_flips_in_all_eight_directions() {
    plays(
        Black,
        "
        X . . X . . X .    X . . X . . X .
        . O . O . O . .    . X . X . X . .
        . . O O O . . .    . . X X X . . .
        X O O * O O O X    X X X X X X X X
        . . O O O . . .    . . X X X . . .
        . O . O . O . .    . X . X . X . .
        X . . O . . O .    X . . X . . X .
        . . . X . . . X    . . . X . . . X",
    );
}

#[test]
fn each_of_the_eight_directions_counts_on_its_own() {
    let from = "d4".parse::<Spot>().unwrap();
    for (down, right) in [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)] {
        for length in 1..=2 {
            let along = |n: i32| Spot { row: from.row + n * down, column: from.column + n * right };
            let line = Picture {
                black: vec![along(length + 1)],
                white: (1..=length).map(along).collect(),
                marked: vec![from],
            };
            let mut game = line.game(Black);
            assert_eq!(game.board().moves(), bitboard(&[from]), "({down}, {right})");
            game.play(Move::Place(square(from))).unwrap();
            assert!(game.discs(White).is_empty(), "({down}, {right})");
            assert_eq!(game.discs(Black).len() as i32, length + 2, "({down}, {right})");
        }
    }
}

#[test]
fn every_outflanked_disc_in_every_direction_is_flipped_wanted_or_not() {
    plays(
        Black,
        "
        X . . . . . . X    X . . . . . . X
        . O . . . . . O    . X . . . . . X
        . . O . . . . O    . . X . . . . X
        . . . O . . . O    . . . X . . . X
        . . . . O . . O    . . . . X . . X
        . . . . . O . O    . . . . . X . X
        . . . . . . O O    . . . . . . X X
        X O O O O O O *    X X X X X X X X",
    );
}

#[test]
fn discs_that_are_not_outflanked_stay_as_they_are() {
    // d1 to d3 end at the edge, f5 and g5 at an empty square.
    plays(
        White,
        "
        . . . X . . . .    . . . X . . . .
        . . . X . . . .    . . . X . . . .
        . . . X . . . .    . . . X . . . .
        O X X * X X . .    O O O O X X . .
        . . . . X . . .    . . . . O . . .
        . . . . . O . .    . . . . . O . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .",
    );
}

#[test]
fn own_discs_are_never_skipped_to_outflank_discs_beyond() {
    plays(
        Black,
        "
        * O X O X . . .    X X X O X . . .
        O . . . . . . .    X . . . . . . .
        X . . . . . . .    X . . . . . . .
        O . . . . . . .    O . . . . . . .
        O . . . . . . .    O . . . . . . .
        X . . . . . . .    X . . . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .",
    );
}

#[test]
fn an_own_disc_next_to_the_square_outflanks_nothing_beyond_it() {
    allows(
        Black,
        "
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . X O O X . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .",
    );
}

#[test]
fn flips_are_the_direct_result_of_the_move_and_start_no_chain() {
    // After the move c3 and c5 lie between black discs, but not on a line with the new disc.
    plays(
        Black,
        "
        . . . . . . . .    . . . . . . . .
        . . X . . . . .    . . X . . . . .
        . . O . . . . .    . . O . . . . .
        X O O * . . . .    X X X X . . . .
        . . O . . . . .    . . O . . . . .
        . . X . . . . .    . . X . . . . .
        . . . . . . . .    . . . . . . . .
        . . . . . . . .    . . . . . . . .",
    );
}

#[test]
fn a_disc_is_placed_on_an_empty_square_only() {
    let mut game = Game::new();
    for name in ["d4", "e4", "d5", "e5"] {
        let occupied = IllegalMove::Occupied(Square::parse(name).unwrap());
        assert_eq!(game.play(place(name)), Err(occupied));
    }
    assert_eq!(game, Game::new());
}

#[test]
fn more_discs_win_and_the_winner_gets_the_empty_squares() {
    let game = played(EMPTIES_LEFT);
    assert!(game.is_over());
    let outcome = game.outcome();
    assert_eq!((outcome.black_discs, outcome.white_discs), (49, 1), "discs on the board");
    assert_eq!(outcome.black_score, 49 - 1 + 14, "14 squares are empty");
    assert_eq!(outcome.winner(), Some(Black));
}

#[test]
fn on_a_full_board_the_score_is_the_plain_difference() {
    let game = game(
        Black,
        "
        O O O O O O O O
        O O O O O O O O
        O O O O O O O O
        O O O O O O O O
        O X X X X X X X
        X X X X X X X X
        X X X X X X X X
        X X X X X X X X",
    );
    assert!(game.is_over());
    let outcome = game.outcome();
    assert_eq!((outcome.black_discs, outcome.white_discs), (31, 33));
    assert_eq!((outcome.black_score, outcome.winner()), (-2, Some(White)));
}

#[test]
fn a_wipe_out_is_64_however_few_discs_are_on_the_board() {
    let game = played(WIPE_OUT);
    assert!(game.is_over());
    assert_eq!(game.plies().len(), 9);
    let outcome = game.outcome();
    assert_eq!((outcome.black_discs, outcome.white_discs), (13, 0));
    assert_eq!((outcome.black_score, outcome.winner()), (64, Some(Black)));
}

#[test]
fn a_draw_gives_no_one_the_empty_squares() {
    let game = played(DRAW);
    assert!(game.is_over());
    let outcome = game.outcome();
    assert_eq!((outcome.black_discs, outcome.white_discs), (31, 31));
    assert_eq!((outcome.black_score, outcome.winner()), (0, None));
}

#[test]
fn the_game_ends_when_neither_side_can_move_and_no_move_or_pass_follows() {
    for (transcript, empties) in [(WIPE_OUT, 51), (EMPTIES_LEFT, 14), (DRAW, 2), (LONG_RUN, 9)] {
        let mut game = played(transcript);
        assert!(game.is_over());
        assert!(!game.must_pass());
        assert_eq!(game.board().empties().len(), empties);
        let end = game.clone();
        for square in Square::all() {
            assert_eq!(game.play(Move::Place(square)), Err(IllegalMove::GameOver), "{square}");
        }
        assert_eq!(game.play(Move::Pass), Err(IllegalMove::GameOver));
        assert_eq!(game, end);
    }
}

#[test]
fn the_number_of_discs_that_a_side_has_placed_never_limits_it() {
    let game = played(FORTY_DISCS);
    let placed = |side| game.plies().filter(|&(c, mv)| c == side && mv != Move::Pass).count();
    assert_eq!((placed(Black), placed(White)), (40, 20));
    assert_eq!(game.board().empties().len(), 0);
    assert_eq!(game.outcome().black_discs, 63);
}
