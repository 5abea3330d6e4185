//! When a side must pass, may not pass, and how clients write, leave out or repeat passes.

use super::{
    Black, EMPTIES_LEFT, FORTY_DISCS, LONG_RUN, RUN_OF_WHITE, WIPE_OUT, White, place, played,
};
use crate::support::game;
use outflank::board::Square;
use outflank::game::{Colour, Game, IllegalMove, Move};

/// White, to move, has no move; Black has only c3, after which White has a2 and c2.
fn white_must_pass() -> Game {
    game(
        White,
        "
        . . . . . . . .
        . . . . . . . .
        X O . . . . . .
        . . O . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .",
    )
}

/// White, to move, has no move; Black has c1 and c4, and White has no move after either.
fn white_must_pass_twice() -> Game {
    game(
        White,
        "
        X O . . . . . .
        . . . . . . . .
        . . . . . . . .
        X O . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .",
    )
}

/// Checks that `attempt` is refused with `error` and leaves the game as it was.
#[track_caller]
fn refused(
    game: &Game,
    attempt: impl FnOnce(&mut Game) -> Result<(), IllegalMove>,
    error: IllegalMove,
) {
    let mut tried = game.clone();
    assert_eq!(attempt(&mut tried), Err(error));
    assert_eq!(&tried, game, "a refused move changed the game");
}

fn square(name: &str) -> Square {
    Square::parse(name).unwrap()
}

/// The plies as one line, `b:` and `w:` before each.
fn record(game: &Game) -> String {
    let plies = game.plies().map(|(colour, mv)| match colour {
        Black => format!("b:{mv}"),
        White => format!("w:{mv}"),
    });
    plies.collect::<Vec<_>>().join(" ")
}

/// The most moves that one side makes before the other one places a disc again.
fn longest_run(game: &Game, side: Colour) -> usize {
    let (mut run, mut longest) = (0, 0);
    for (colour, mv) in game.plies() {
        match mv {
            Move::Place(_) if colour == side => run += 1,
            Move::Place(_) => run = 0,
            Move::Pass => {}
        }
        longest = longest.max(run);
    }
    longest
}

#[test]
fn a_side_without_a_move_must_pass() {
    let mut game = white_must_pass();
    assert!(game.must_pass() && !game.is_over());
    assert_eq!(game.colour(), White, "the side on turn is the one that must pass");
    for square in Square::all().filter(|&square| game.board().empties().has(square)) {
        refused(
            &game,
            |game| game.play(Move::Place(square)),
            IllegalMove::FlipsNothing(square, White),
        );
    }
    let (black, white) = (game.discs(Black), game.discs(White));
    game.play(Move::Pass).unwrap();
    assert_eq!((game.discs(Black), game.discs(White)), (black, white), "a pass moves no disc");
    assert_eq!(game.colour(), Black);
    assert!(!game.must_pass());
}

#[test]
fn a_side_with_a_move_may_not_pass() {
    refused(&Game::new(), |game| game.play(Move::Pass), IllegalMove::PassWithMoves(Black));
    let mut game = white_must_pass();
    game.play(Move::Pass).unwrap();
    refused(&game, |game| game.play(Move::Pass), IllegalMove::PassWithMoves(Black));
    game.play(place("c3")).unwrap();
    refused(&game, |game| game.play(Move::Pass), IllegalMove::PassWithMoves(White));
}

#[test]
fn a_pass_does_not_end_the_game_and_the_passing_side_may_move_again() {
    let mut game = white_must_pass();
    game.play(Move::Pass).unwrap();
    assert!(!game.is_over());
    game.play(place("c3")).unwrap();
    game.play(place("c2")).unwrap();
    assert_eq!(record(&game), "w:pass b:c3 w:c2");
}

#[test]
fn one_side_may_move_many_times_in_a_row() {
    let game = played(LONG_RUN);
    assert_eq!(longest_run(&game, Black), 19);
    assert_eq!(game.plies().filter(|&ply| ply == (White, Move::Pass)).count(), 18);
    assert_eq!(longest_run(&played(RUN_OF_WHITE), White), 15);
}

#[test]
fn passes_may_be_written_or_left_out() {
    for transcript in [LONG_RUN, RUN_OF_WHITE, FORTY_DISCS, EMPTIES_LEFT] {
        let without = played(transcript);
        let mut strict = Game::new();
        let mut named = Game::new();
        let mut named_without = Game::new();
        for (colour, mv) in without.plies() {
            strict.play(mv).unwrap();
            named.accept_from(colour, mv).unwrap();
            if mv != Move::Pass {
                named_without.accept_from(colour, mv).unwrap();
            }
        }
        assert_eq!(strict, without);
        assert_eq!(named, without);
        assert_eq!(named_without, without);
    }
}

#[test]
fn a_forced_pass_may_be_explicit() {
    let mut expected = white_must_pass();
    expected.play(Move::Pass).unwrap();
    let mut game = white_must_pass();
    game.accept(Move::Pass).unwrap();
    assert_eq!(game, expected);
    let mut game = white_must_pass();
    game.accept_from(White, Move::Pass).unwrap();
    assert_eq!(game, expected);
}

#[test]
fn a_forced_pass_may_be_implicit() {
    let mut game = white_must_pass();
    game.accept(place("c3")).unwrap();
    assert_eq!(record(&game), "w:pass b:c3");
    let mut game = white_must_pass();
    game.accept_from(Black, place("c3")).unwrap();
    assert_eq!(record(&game), "w:pass b:c3");
    let mut game = white_must_pass_twice();
    game.accept_from(Black, place("c1")).unwrap();
    game.accept_from(Black, place("c4")).unwrap();
    assert_eq!(record(&game), "w:pass b:c1 w:pass b:c4");
    assert!(game.is_over());
}

#[test]
fn a_client_may_ask_for_the_move_of_the_side_after_an_implicit_pass() {
    let mut game = white_must_pass();
    game.give_turn_to(White).unwrap();
    assert_eq!(game, white_must_pass(), "it is White's turn already");
    game.give_turn_to(Black).unwrap();
    assert_eq!((record(&game).as_str(), game.colour()), ("w:pass", Black));
    refused(&game, |game| game.give_turn_to(White), IllegalMove::OutOfTurn(White));
    let end = played(WIPE_OUT);
    refused(&end, |game| game.give_turn_to(end.colour().other()), IllegalMove::GameOver);
    refused(&end, |game| game.give_turn_to(end.colour()), IllegalMove::GameOver);
}

#[test]
fn a_second_pass_after_an_explicit_or_implicit_one_changes_nothing() {
    let mut explicit = white_must_pass();
    explicit.play(Move::Pass).unwrap();
    let mut implicit = white_must_pass();
    implicit.give_turn_to(Black).unwrap();
    for passed in [explicit, implicit] {
        let mut game = passed.clone();
        game.accept_from(White, Move::Pass).unwrap();
        game.accept_from(White, Move::Pass).unwrap();
        game.accept(Move::Pass).unwrap();
        assert_eq!(game, passed);
        game.accept_from(Black, place("c3")).unwrap();
        assert_eq!(record(&game), "w:pass b:c3");
    }
}

#[test]
fn a_pass_of_either_side_after_the_end_changes_nothing() {
    let end = played(WIPE_OUT);
    let mut game = end.clone();
    for colour in [Black, White, White, Black] {
        game.accept(Move::Pass).unwrap();
        game.accept_from(colour, Move::Pass).unwrap();
    }
    assert_eq!(game, end);
}

#[test]
fn a_disc_after_the_end_is_refused() {
    let end = played(WIPE_OUT);
    for name in ["a1", "e4"] {
        let mv = place(name);
        refused(&end, |game| game.accept(mv), IllegalMove::GameOver);
        refused(&end, |game| game.accept_from(Black, mv), IllegalMove::GameOver);
        refused(&end, |game| game.accept_from(White, mv), IllegalMove::GameOver);
    }
}

#[test]
fn a_pass_of_a_side_with_a_move_is_refused_however_it_is_sent() {
    let start = Game::new();
    refused(&start, |game| game.accept(Move::Pass), IllegalMove::PassWithMoves(Black));
    refused(&start, |game| game.accept_from(Black, Move::Pass), IllegalMove::PassWithMoves(Black));
    refused(&start, |game| game.accept_from(White, Move::Pass), IllegalMove::OutOfTurn(White));

    let must_pass = white_must_pass();
    refused(&must_pass, |game| game.accept_from(Black, Move::Pass), IllegalMove::OutOfTurn(Black));

    let mut passed = must_pass;
    passed.play(Move::Pass).unwrap();
    refused(&passed, |game| game.accept_from(Black, Move::Pass), IllegalMove::PassWithMoves(Black));

    let mut moved = passed;
    moved.play(place("c3")).unwrap();
    refused(&moved, |game| game.accept(Move::Pass), IllegalMove::PassWithMoves(White));
    refused(&moved, |game| game.accept_from(White, Move::Pass), IllegalMove::PassWithMoves(White));
    refused(&moved, |game| game.accept_from(Black, Move::Pass), IllegalMove::OutOfTurn(Black));
}

#[test]
fn a_colour_out_of_turn_is_refused_while_the_other_side_has_a_move() {
    let start = Game::new();
    for name in ["d3", "e3", "a1", "d4"] {
        let mv = place(name);
        refused(&start, |game| game.accept_from(White, mv), IllegalMove::OutOfTurn(White));
    }
    let mut game = start;
    game.accept_from(Black, place("f5")).unwrap();
    refused(&game, |game| game.accept_from(Black, place("d3")), IllegalMove::OutOfTurn(Black));
}

#[test]
fn an_illegal_disc_is_refused_and_no_pass_is_left_behind() {
    let game = white_must_pass();
    let (a1, a3) = (square("a1"), square("a3"));
    let nothing = IllegalMove::FlipsNothing(a1, Black);
    refused(&game, |game| game.accept(Move::Place(a1)), nothing);
    refused(&game, |game| game.accept_from(Black, Move::Place(a1)), nothing);
    refused(&game, |game| game.accept(Move::Place(a3)), IllegalMove::Occupied(a3));
    // c3 is Black's move, not White's.
    let c3 = square("c3");
    let nothing = IllegalMove::FlipsNothing(c3, White);
    refused(&game, |game| game.accept_from(White, Move::Place(c3)), nothing);
}

#[test]
fn every_ply_can_be_undone_back_to_the_start_also_through_passes() {
    for transcript in [LONG_RUN, RUN_OF_WHITE, FORTY_DISCS, EMPTIES_LEFT, WIPE_OUT] {
        let mut game = Game::new();
        let mut before = Vec::new();
        for (_, mv) in played(transcript).plies() {
            before.push((game.clone(), mv));
            game.play(mv).unwrap();
        }
        while let Some((earlier, mv)) = before.pop() {
            assert_eq!(game.undo(), Some(mv));
            assert_eq!(game, earlier);
        }
        assert_eq!(game, Game::new());
        assert_eq!(game.undo(), None);
        assert_eq!(game, Game::new());
    }
}

#[test]
fn a_move_can_be_taken_back_before_the_reply_and_another_played_instead() {
    let mut game = played("f5d6");
    game.play(place("c3")).unwrap();
    assert_eq!(game.undo(), Some(place("c3")));
    assert_eq!((game.colour(), &game), (Black, &played("f5d6")));
    game.play(place("c4")).unwrap();
    assert_eq!(game, played("f5d6c4"));
}

#[test]
fn a_client_that_leaves_passes_out_undoes_as_often_as_it_played() {
    for transcript in [LONG_RUN, RUN_OF_WHITE, FORTY_DISCS] {
        let moves: Vec<(Colour, Move)> =
            played(transcript).plies().filter(|(_, mv)| *mv != Move::Pass).collect();
        let mut game = Game::new();
        let mut before = Vec::new();
        for &(colour, mv) in &moves {
            before.push(game.clone());
            game.accept_from(colour, mv).unwrap();
        }
        while let Some(earlier) = before.pop() {
            game.undo().unwrap();
            assert_eq!(game, earlier);
        }
        assert_eq!(game.undo(), None);
    }
}

#[test]
fn a_pass_that_only_an_asked_for_move_implied_goes_with_the_move_before() {
    let mut game = game(
        Black,
        "
        . . . . . . . .
        . . . . . . . .
        X O . . . . . .
        O . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .
        . . . . . . . .",
    );
    let start = game.clone();
    game.play(place("a5")).unwrap();
    assert!(game.must_pass());
    game.give_turn_to(Black).unwrap();
    assert_eq!(game.undo(), Some(place("a5")));
    assert_eq!(game, start);
    assert_eq!(game.undo(), None);
}

#[test]
fn undo_never_goes_behind_a_position_that_was_set_up() {
    let mut game = white_must_pass();
    game.give_turn_to(Black).unwrap();
    assert_eq!(game.undo(), None);
    assert_eq!(game, white_must_pass());
}

#[test]
fn start_is_the_position_from_which_the_plies_lead_to_the_board() {
    let mut game = white_must_pass_twice();
    for name in ["c1", "c4"] {
        game.accept(place(name)).unwrap();
    }
    let (board, colour) = game.start();
    let mut replayed = Game::from_position(board, colour);
    assert_eq!(replayed, white_must_pass_twice());
    for (_, mv) in game.plies() {
        replayed.play(mv).unwrap();
    }
    assert_eq!(replayed, game);
}
