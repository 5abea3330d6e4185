//! A board drawn for people.

use super::position::letter;
use crate::board::Square;
use crate::game::{Colour, Game};
use std::fmt::Write;

/// The board in ten lines with coordinates, row 1 on top: `X` Black, `O` White, `*` a legal move
/// of the side on turn, `.` any other empty square.
pub fn diagram(game: &Game) -> Vec<String> {
    let moves = game.board().moves();
    let letters = "  a b c d e f g h";
    let mut lines = vec![letters.to_string()];
    for rank in 0..8 {
        let mut line = format!("{}", rank + 1);
        for square in (0..8).filter_map(|file| Square::at(file, rank)) {
            let empty = if moves.has(square) { '*' } else { '.' };
            // Writing to a String cannot fail.
            let _ = write!(line, " {}", letter(game, square, ['X', 'O', empty]));
        }
        let _ = write!(line, " {}", rank + 1);
        lines.push(line);
    }
    lines.push(letters.to_string());
    lines
}

/// Whose turn it is, the legal moves and the disc counts, in one line each.
pub fn caption(game: &Game) -> Vec<String> {
    let outcome = game.outcome();
    let discs = format!("discs: black {}, white {}", outcome.black_discs, outcome.white_discs);
    if game.is_over() {
        let result = match outcome.winner() {
            Some(Colour::Black) => format!("black wins by {}", outcome.black_score),
            Some(Colour::White) => format!("white wins by {}", -outcome.black_score),
            None => "draw".to_string(),
        };
        return vec![format!("game over: {result}"), discs];
    }
    let moves: Vec<String> = game.board().moves().into_iter().map(|m| m.to_string()).collect();
    let moves = if moves.is_empty() { "pass".to_string() } else { moves.join(" ") };
    vec![format!("side to move: {}", game.colour()), format!("legal moves: {moves}"), discs]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position::parse_position;

    #[test]
    fn the_start_is_drawn_with_its_moves() {
        let lines = diagram(&Game::new());
        assert_eq!(lines[0], "  a b c d e f g h");
        assert_eq!(lines[3], "3 . . . * . . . . 3");
        assert_eq!(lines[4], "4 . . * O X . . . 4");
        assert_eq!(caption(&Game::new())[1], "legal moves: d3 c4 f5 e6");
    }

    #[test]
    fn a_finished_game_says_who_won_with_the_empties() {
        let game = parse_position("XXXXXXXX/8/8/8/8/8/8/8 O").unwrap();
        assert_eq!(caption(&game), ["game over: black wins by 64", "discs: black 8, white 0"]);
    }
}
