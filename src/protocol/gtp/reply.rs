//! What is answered, as text.

use crate::board::Square;
use crate::game::{Colour, Game, Move};
use crate::notation::position::letter;
use crate::search::Info;
use std::fmt::{self, Display, Write};

/// An answer as the protocol frames it. The line end that the output adds is the blank line that
/// ends the answer.
pub struct Reply<'a> {
    /// The number of the request, blank if it has none.
    pub id: &'a str,
    /// What is answered, or what is wrong. Has no blank lines.
    pub text: Result<&'a str, &'a str>,
}

impl Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mark, text) = match self.text {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        // Some text begins with a line end, to stand below the mark.
        let gap = if text.is_empty() || text.starts_with('\n') { "" } else { " " };
        writeln!(f, "{mark}{}{gap}{text}", self.id)
    }
}

/// A move in the upper case of GTP; a pass is `pass`.
pub fn vertex(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_uppercase(),
        Move::Pass => "pass".into(),
    }
}

/// The result as `B+12`, `W+4` or `0`, empty squares given to the winner.
pub fn score(game: &Game) -> String {
    match game.outcome().black_score {
        0 => "0".into(),
        score @ 1.. => format!("B+{score}"),
        score => format!("W+{}", -score),
    }
}

/// The board in eight rows of `X` (Black), `O` (White) and `.`, the row that GoGui draws at the
/// top, row 8, first.
pub fn rows(game: &Game) -> String {
    let row = |rank| -> String {
        (0..8)
            .filter_map(|file| Square::at(file, rank))
            .map(|at| letter(game, at, ['X', 'O', '.']))
            .collect()
    };
    (0..8).rev().map(row).collect::<Vec<String>>().join("\n")
}

/// The legal moves in one line; `pass` if there is nothing else, blank after the end.
pub fn legal_moves(game: &Game) -> String {
    if game.must_pass() {
        return vertex(Move::Pass);
    }
    let moves = game.board().moves().into_iter().map(|square| vertex(Move::Place(square)));
    moves.collect::<Vec<String>>().join(" ")
}

/// GoGui graphics: each move of `lines` labelled with its value in discs.
pub fn move_values(colour: Colour, lines: &[Info]) -> String {
    let mut text = String::from("LABEL");
    for info in lines {
        if let Some(&mv @ Move::Place(_)) = info.pv.first() {
            // Writing to a String cannot fail.
            let _ = write!(text, " {} {:+.1}", vertex(mv), info.score.discs());
        }
    }
    let depth = lines.first().map_or(0, |info| info.depth);
    let _ = write!(text, "\nTEXT discs for {colour}, depth {depth}");
    text
}

/// GoGui graphics: the best line of play, its value and depth.
pub fn best_line(colour: Colour, line: &Info) -> String {
    let mut text = String::from("VAR");
    let mut side = colour;
    for &mv in &line.pv {
        let letter = if side == Colour::Black { 'b' } else { 'w' };
        let _ = write!(text, " {letter} {}", vertex(mv));
        side = side.other();
    }
    let Info { score, depth, selectivity, .. } = line;
    let _ = write!(text, "\nTEXT {score} discs for {colour}, depth {depth}, {selectivity} %");
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position::parse_position;

    #[test]
    fn answers_end_with_a_blank_line() {
        for (id, text, line) in [
            ("", Ok(""), "=\n"),
            ("", Ok("F5"), "= F5\n"),
            ("12", Ok(""), "=12\n"),
            ("12", Ok("a\nb"), "=12 a\nb\n"),
            ("0", Err("no"), "?0 no\n"),
            ("", Err("no"), "? no\n"),
        ] {
            assert_eq!(Reply { id, text }.to_string(), line);
        }
    }

    #[test]
    fn scores_give_the_empty_squares_to_the_winner() {
        for (board, text) in [
            ("XX6/8/8/8/8/8/8/8 O", "B+64"),
            ("OOX5/8/8/8/8/8/8/8 X", "W+62"),
            ("X6O/8/8/8/8/8/8/8 O", "0"),
        ] {
            assert_eq!(score(&parse_position(board).unwrap()), text, "{board}");
        }
    }

    #[test]
    fn the_last_row_comes_first() {
        let game = parse_position("X7/8/8/8/8/8/8/O7 X").unwrap();
        let rows = rows(&game);
        assert!(rows.starts_with("O.......\n........\n") && rows.ends_with("\nX......."), "{rows}");
    }

    #[test]
    fn legal_moves_are_in_upper_case_pass_is_not_and_the_end_is_blank() {
        assert_eq!(legal_moves(&Game::new()), "D3 C4 F5 E6");
        assert_eq!(legal_moves(&parse_position("OX6/8/8/8/8/8/8/8 X").unwrap()), "pass");
        assert_eq!(legal_moves(&parse_position("OO6/8/8/8/8/8/8/8 X").unwrap()), "");
    }
}
