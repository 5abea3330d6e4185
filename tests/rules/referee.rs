//! The board and the game against a slow referee that shares no code with them.

use crate::support::slow_rules::{Disc, Position, Spot};
use crate::support::{Random, bitboard, colour, disc, game_at, position_of, square};
use outflank::game::{Colour, Game, IllegalMove, Move};

const GAMES: u64 = 800;
const ODD_POSITIONS: u64 = 2_000;

/// Everything that the crate says about the position, and the referee too.
fn agree(game: &Game, position: &Position) {
    let board = game.board();
    assert_eq!(position_of(game), *position);
    for (board, side) in [(board, position.turn), (board.pass(), position.turn.turned())] {
        let position = Position { turn: side, ..*position };
        assert_eq!(board.moves(), bitboard(&position.moves()), "{position:?}");
        for spot in Spot::all() {
            let mut after = position;
            let flips = after.play(spot);
            let next = (!flips.is_empty()).then(|| game_at(&after).board());
            assert_eq!(board.try_play(square(spot)), next, "{spot} in {position:?}");
            if position.at(spot).is_none() {
                assert_eq!(board.flips(square(spot)), bitboard(&flips), "{spot} in {position:?}");
            }
        }
    }
    assert_eq!(game.must_pass(), position.must_pass(), "{position:?}");
    assert_eq!(game.is_over(), position.is_over(), "{position:?}");
    agree_on_the_result(game, position);
}

fn agree_on_the_result(game: &Game, position: &Position) {
    let outcome = game.outcome();
    assert_eq!(outcome.black_discs as i32, position.count(Disc::Black), "{position:?}");
    assert_eq!(outcome.white_discs as i32, position.count(Disc::White), "{position:?}");
    assert_eq!(outcome.black_score, position.black_score(), "{position:?}");
    let winner = match position.black_score() {
        0 => None,
        1.. => Some(Colour::Black),
        _ => Some(Colour::White),
    };
    assert_eq!(outcome.winner(), winner, "{position:?}");
}

/// A move that the referee forbids is refused, for the right reason, and changes nothing.
fn refuse_one_illegal_move(game: &mut Game, position: &Position, random: &mut Random) {
    let legal = position.moves();
    let illegal: Vec<Spot> = Spot::all().filter(|spot| !legal.contains(spot)).collect();
    let spot = random.pick(&illegal);
    let reason = if position.is_over() {
        IllegalMove::GameOver
    } else if position.at(spot).is_some() {
        IllegalMove::Occupied(square(spot))
    } else {
        IllegalMove::FlipsNothing(square(spot), colour(position.turn))
    };
    let before = game.clone();
    assert_eq!(game.play(Move::Place(square(spot))), Err(reason), "{position:?}");
    if !position.must_pass() {
        assert!(game.play(Move::Pass).is_err(), "{position:?}");
    }
    assert_eq!(*game, before, "{position:?}");
}

/// Plays random moves to the end and back again; returns the plies and passes.
fn play_out(mut game: Game, mut position: Position, random: &mut Random) -> (usize, usize) {
    let mut past = Vec::new();
    let mut passes = 0;
    loop {
        agree(&game, &position);
        refuse_one_illegal_move(&mut game, &position, random);
        if position.is_over() {
            break;
        }
        let before = position;
        let moves = position.moves();
        let mv = if moves.is_empty() {
            passes += 1;
            position.pass();
            Move::Pass
        } else {
            let spot = random.pick(&moves);
            position.play(spot);
            Move::Place(square(spot))
        };
        past.push((before, mv));
        game.play(mv).unwrap();
        assert_eq!(game.plies().last(), Some((colour(before.turn), mv)));
    }
    let plies = past.len();
    while let Some((before, mv)) = past.pop() {
        assert_eq!(game.undo(), Some(mv));
        assert_eq!(position_of(&game), before);
        assert_eq!(game.colour(), colour(before.turn));
        assert_eq!(game.plies().len(), past.len());
    }
    assert_eq!(game.undo(), None);
    (plies, passes)
}

/// A board on which each square is empty, black or white by chance; how often differs from
/// board to board, from nearly empty to full and from one colour to the other.
fn odd_position(random: &mut Random) -> Position {
    let (full, black) = (random.below(101), random.below(101));
    let turn = random.pick(&[Disc::Black, Disc::White]);
    let mut position = Position::empty(turn);
    for spot in Spot::all() {
        if random.below(100) < full {
            let black = random.below(100) < black;
            position.put(spot, if black { Disc::Black } else { Disc::White });
        }
    }
    position
}

#[test]
fn random_games_agree_with_the_referee_at_every_ply() {
    let (mut plies, mut passes) = (0, 0);
    for seed in 0..GAMES {
        let (p, q) = play_out(Game::new(), Position::start(), &mut Random::new(seed));
        plies += p;
        passes += q;
    }
    println!("{GAMES} games, {plies} plies, {passes} passes");
    assert!(passes > 200, "only {passes} passes: the games test too few of them");
}

#[test]
fn odd_positions_agree_with_the_referee_to_their_end() {
    let mut passes = 0;
    for seed in 0..ODD_POSITIONS {
        let mut random = Random::new(seed);
        let position = odd_position(&mut random);
        passes += play_out(game_at(&position), position, &mut random).1;
    }
    println!("{ODD_POSITIONS} positions, {passes} passes");
    assert!(passes > 400, "only {passes} passes: the positions test too few of them");
}

#[test]
fn squares_have_the_same_names_for_the_crate_and_the_referee() {
    for spot in Spot::all() {
        assert_eq!(square(spot).to_string(), spot.to_string());
    }
}

#[test]
fn the_referee_itself_knows_the_start_and_its_moves() {
    let mut position = Position::start();
    let names = |spots: &[Spot]| spots.iter().map(Spot::to_string).collect::<Vec<_>>().join(" ");
    assert_eq!(names(&position.moves()), "d3 c4 f5 e6");
    assert_eq!(names(&position.play("f5".parse().unwrap())), "e5");
    assert_eq!(names(&position.moves()), "f4 d6 f6");
    assert_eq!((position.count(Disc::Black), position.count(Disc::White)), (4, 1));
    assert_eq!(position.black_score(), 3 + 59);
    assert_eq!(disc(Colour::White), position.turn);
}

#[test]
fn the_referee_counts_the_games_of_up_to_seven_plies() {
    // Games of 1, 2, … plies from the start, as every perft table gives them.
    fn perft(position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let after = |spot| {
            let mut next = *position;
            next.play(spot);
            perft(&next, depth - 1)
        };
        position.moves().into_iter().map(after).sum()
    }
    let counts: Vec<u64> = (1..=7).map(|depth| perft(&Position::start(), depth)).collect();
    assert_eq!(counts, [4, 12, 56, 244, 1_396, 8_200, 55_092]);
}
