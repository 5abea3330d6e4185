//! Moves as GTP clients make them and take them back.

use crate::game::{Colour, Game, IllegalMove, Move};

/// Remembers which passes have changed nothing, so that a client undoes as often as it has
/// played.
#[derive(Clone, Debug, Default)]
pub struct Takebacks {
    /// For each such pass, the number of plies that had been made before it.
    idle: Vec<usize>,
}

impl Takebacks {
    /// Forgets everything: there is a new game.
    pub fn clear(&mut self) {
        self.idle.clear();
    }

    /// Makes a move in any of the usual styles, see [`Game::accept_from`].
    ///
    /// # Errors
    /// The reason why the move is illegal; the game is then unchanged.
    pub fn play(&mut self, game: &mut Game, colour: Colour, mv: Move) -> Result<(), IllegalMove> {
        let plies = game.plies().len();
        game.accept_from(colour, mv)?;
        if game.plies().len() == plies {
            self.idle.push(plies);
        }
        Ok(())
    }

    /// Takes the last move back; false if there is none.
    pub fn undo(&mut self, game: &mut Game) -> bool {
        let plies = game.plies().len();
        self.idle.pop_if(|before| *before == plies).is_some() || game.undo().is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position::parse_position;
    use Colour::{Black, White};

    #[test]
    fn every_accepted_move_is_undone_on_its_own() {
        // White must pass, Black has c1 and c4, and White must pass after either.
        let start = parse_position("XO6/8/8/XO6/8/8/8/8 O").unwrap();
        let place = |name| Move::Place(crate::board::Square::parse(name).unwrap());
        let moves = [
            (White, Move::Pass),
            (White, Move::Pass),
            (Black, place("c1")),
            (Black, place("c4")),
            (White, Move::Pass),
            (Black, Move::Pass),
        ];
        let (mut game, mut takebacks) = (start.clone(), Takebacks::default());
        let mut before = Vec::new();
        for (colour, mv) in moves {
            before.push(game.clone());
            takebacks.play(&mut game, colour, mv).unwrap();
        }
        assert!(game.is_over());
        while let Some(earlier) = before.pop() {
            assert!(takebacks.undo(&mut game));
            assert_eq!(game, earlier);
        }
        assert!(!takebacks.undo(&mut game));
        assert_eq!(game, start);
    }
}
