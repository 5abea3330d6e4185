//! Moves and move lists as people and programs write them.

use super::error::{Parsed, SyntaxError, expect, parse_all};
use crate::board::Square;
use crate::game::{Game, Move};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag, tag_no_case, take};
use nom::character::complete::{char, digit1, multispace0, multispace1};
use nom::combinator::{map_opt, not, opt, value};
use nom::multi::many0;
use nom::sequence::{pair, preceded, terminated};

/// A square, `a1` … `h8` in any case.
pub fn square(input: &str) -> Parsed<'_, Square> {
    expect("a square (a1 to h8)", map_opt(take(2usize), Square::parse)).parse(input)
}

/// A square or a pass: `pass`, `ps`, `pa` in any case, `--`, `@@@@`, `0000`.
pub fn a_move(input: &str) -> Parsed<'_, Move> {
    let pass = alt((
        tag_no_case("pass"),
        tag_no_case("ps"),
        tag_no_case("pa"),
        tag("--"),
        tag("@@@@"),
        tag("0000"),
    ));
    expect("a move (a1 to h8, or pass)", alt((value(Move::Pass, pass), square.map(Move::Place))))
        .parse(input)
}

/// Moves run together or with blanks and move numbers (`1.`, `2`) between; each comes with the
/// input from which it was read, for error messages.
pub fn move_list(input: &str) -> Parsed<'_, Vec<(&str, Move)>> {
    let number = pair(digit1, opt(char('.')));
    let gap = many0(alt((value((), multispace1), value((), pair(not(tag("0000")), number)))));
    let located = |input| a_move(input).map(|(rest, mv)| (rest, (input, mv)));
    terminated(many0(preceded(gap, located)), multispace0).parse(input)
}

/// Plays the moves of `text`, a transcript in any of the usual styles, from `game` on. Passes
/// may be written or left out.
///
/// # Errors
/// The first thing that is no move, or the first move that is illegal.
pub fn play_transcript(game: &Game, text: &str) -> Result<Game, SyntaxError> {
    let moves = parse_all(text, move_list)?;
    play_moves(game, text, &moves)
}

/// Plays moves that were read from `line` with [`move_list`].
///
/// # Errors
/// The place of the first illegal move in `line`.
pub fn play_moves(game: &Game, line: &str, moves: &[(&str, Move)]) -> Result<Game, SyntaxError> {
    let mut game = game.clone();
    for &(rest, mv) in moves {
        game.accept(mv)
            .map_err(|error| SyntaxError::at(line, rest, format!("illegal move: {error}")))?;
    }
    Ok(game)
}

/// The game's moves run together in lower case, passes left out: `f5d6c3…`.
pub fn transcript(game: &Game) -> String {
    game.plies().filter(|(_, mv)| *mv != Move::Pass).map(|(_, mv)| mv.to_string()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves_of(text: &str) -> Vec<String> {
        parse_all(text, move_list).unwrap().into_iter().map(|(_, mv)| mv.to_string()).collect()
    }

    #[test]
    fn transcripts_in_every_style() {
        let expected = ["f5", "d6", "c3", "d3"];
        for text in [
            "f5d6c3d3",
            "F5D6C3D3",
            "f5 d6 c3 d3",
            "1. F5 d6 2. C3 d3",
            "1 f5 2 d6 3 c3 4 d3",
            " f5  D6c3 d3 ",
        ] {
            assert_eq!(moves_of(text), expected, "{text}");
        }
    }

    #[test]
    fn passes_in_every_style() {
        for pass in ["pass", "PASS", "ps", "PA", "pa", "--", "@@@@", "0000"] {
            assert_eq!(moves_of(&format!("f5 {pass} d6")), ["f5", "pass", "d6"], "{pass}");
            assert_eq!(moves_of(&format!("f5{pass}d6")), ["f5", "pass", "d6"], "{pass}");
        }
    }

    #[test]
    fn errors_name_the_column() {
        let error = play_transcript(&Game::new(), "f5 z6").unwrap_err();
        assert_eq!(error.column, 4);
        let error = play_transcript(&Game::new(), "f5 d6 a1").unwrap_err();
        assert_eq!(
            (error.column, error.message.as_str()),
            (7, "illegal move: a1 flips nothing for black")
        );
    }

    #[test]
    fn a_game_prints_as_it_was_read() {
        let text = "f5d6c3d3c4f4f6f3";
        let game = play_transcript(&Game::new(), text).unwrap();
        assert_eq!(transcript(&game), text);
    }
}
