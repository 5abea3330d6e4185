//! Moves and move lists as people and programs write them.

use super::error::{Expected, Parsed, SyntaxError, expect, parse_all};
use crate::board::Square;
use crate::game::{Game, IllegalMove, Move};
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

/// A square or a pass: `pass`, `pas`, `ps`, `pa` in any case, `--`, `@@@@`, `0000`.
pub fn a_move(input: &str) -> Parsed<'_, Move> {
    let pass = alt((
        tag_no_case("pass"),
        tag_no_case("pas"),
        tag_no_case("ps"),
        tag_no_case("pa"),
        tag("--"),
        tag("@@@@"),
        tag("0000"),
    ));
    expect("a move (a1 to h8, or pass)", alt((value(Move::Pass, pass), square.map(Move::Place))))
        .parse(input)
}

/// As [`a_move`] where moves do not run together: there a `p` alone is a pass too.
pub fn lone_move(input: &str) -> Parsed<'_, Move> {
    let pass = value(Move::Pass, tag_no_case("p"));
    expect("a move (a1 to h8, or pass)", alt((a_move, pass))).parse(input)
}

/// Moves run together or with blanks and move numbers (`1.`, `2`) between; each comes with the
/// input from which it was read, for error messages.
pub fn move_list(input: &str) -> Parsed<'_, Vec<(&str, Move)>> {
    let number = pair(digit1, opt(char('.')));
    let gap = many0(alt((value((), multispace1), value((), pair(not(tag("0000")), number)))));
    let located = |input| a_move(input).map(|(rest, mv)| (rest, (input, mv)));
    terminated(many0(preceded(gap, located)), multispace0).parse(input)
}

/// A list of moves, see [`move_list`], played from `game` on. Passes may be written or left out.
pub fn played<'a>(
    game: &Game,
) -> impl Parser<&'a str, Output = Game, Error = Expected<'a>> + use<'a> {
    let start = game.clone();
    move |input| {
        let (rest, moves) = move_list(input)?;
        let mut game = start.clone();
        for (at, mv) in moves {
            or_refuse(at, game.accept(mv))?;
        }
        Ok((rest, game))
    }
}

/// An error at `at` for a move that was refused.
pub fn or_refuse(at: &str, result: Result<(), IllegalMove>) -> Result<(), nom::Err<Expected<'_>>> {
    result.map_err(|error| {
        let what = format!("illegal move: {error}").into();
        nom::Err::Failure(Expected { rest: at, what, complete: true })
    })
}

/// Plays the moves of `text`, a transcript in any of the usual styles, from `game` on. Passes
/// may be written or left out.
///
/// # Errors
/// The first thing that is no move, or the first move that is illegal.
pub fn play_transcript(game: &Game, text: &str) -> Result<Game, SyntaxError> {
    parse_all(text, played(game))
}

/// The game's moves run together in lower case: `f5d6c3…`. Passes are left out; only those at
/// the end, which no later move implies, are written, as `pa`.
pub fn transcript(game: &Game) -> String {
    let mut text = String::new();
    let mut passes = 0;
    for (_, mv) in game.plies() {
        match mv {
            Move::Pass => passes += 1,
            Move::Place(square) => {
                text.push_str(&square.to_string());
                passes = 0;
            }
        }
    }
    text + &"pa".repeat(passes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position::parse_position;

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
        for pass in ["pass", "PASS", "pas", "ps", "PA", "pa", "--", "@@@@", "0000"] {
            assert_eq!(moves_of(&format!("f5 {pass} d6")), ["f5", "pass", "d6"], "{pass}");
            assert_eq!(moves_of(&format!("f5{pass}d6")), ["f5", "pass", "d6"], "{pass}");
        }
    }

    #[test]
    fn a_p_alone_is_a_pass_only_where_moves_stand_alone() {
        for text in ["p", "P", "Pa", "pAS", "PASS", "--"] {
            assert_eq!(parse_all(text, lone_move), Ok(Move::Pass), "{text}");
        }
        assert!(parse_all("f5 p d6", move_list).is_err());
        assert!(parse_all("px", lone_move).is_err());
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

    #[test]
    fn only_passes_at_the_end_are_written() {
        let start = parse_position("8/8/XO6/2O5/8/8/8/8 O").unwrap();
        let passed = play_transcript(&start, "pass").unwrap();
        assert_eq!(transcript(&passed), "pa");
        assert_eq!(transcript(&play_transcript(&passed, "c3").unwrap()), "c3");
    }
}
