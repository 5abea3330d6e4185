//! Random games for the tests of text forms.

use crate::board::{Bitboard, Board};
use crate::game::{Colour, Game, Move};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// A game from the start position, of any length, passes included.
pub fn game_from_start() -> impl Strategy<Value = Game> {
    vec(any::<Index>(), 0..70).prop_map(|choices| played(Game::new(), &choices))
}

/// A game from any position, often an odd one with many passes.
pub fn any_game() -> impl Strategy<Value = Game> {
    let odd = (any::<[u64; 3]>(), any::<bool>(), vec(any::<Index>(), 0..10)).prop_map(
        |([a, b, c], black, choices)| {
            let board = Board { player: Bitboard(a & b), opponent: Bitboard(!a & b & c) };
            let colour = if black { Colour::Black } else { Colour::White };
            played(Game::from_position(board, colour), &choices)
        },
    );
    prop_oneof![game_from_start(), odd]
}

fn played(mut game: Game, choices: &[Index]) -> Game {
    for choice in choices {
        let moves: Vec<_> = game.board().moves().into_iter().collect();
        let mv = if moves.is_empty() { Move::Pass } else { Move::Place(*choice.get(&moves)) };
        if game.play(mv).is_err() {
            break;
        }
    }
    game
}
