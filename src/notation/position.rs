//! Positions as 64 letters or in slash form, with the side to move.

use super::error::{Parsed, SyntaxError, expect, parse_all, refuse};
use crate::board::{Bitboard, Board, Square};
use crate::game::{Colour, Game};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::{tag_no_case, take_while1};
use nom::character::complete::{multispace0, one_of, satisfy};
use nom::combinator::{map, map_opt, not, opt, peek, value};
use nom::sequence::{preceded, terminated};

/// A position: 64 squares from a1, b1, … to h8, then the side to move.
///
/// Black is any of `X x * B b`, White `O o W w`, an empty square `-` or `.`, a digit 1 … 8 that
/// many empty squares; `/` may end a row. The side is one of these letters or the colour's name
/// and may be missing, which means Black.
pub fn position(input: &str) -> Parsed<'_, (Board, Colour)> {
    let (rest, (black, white)) = squares(input)?;
    let (rest, colour) = opt(preceded(multispace0, side)).parse(rest)?;
    let colour = colour.unwrap_or(Colour::Black);
    let (player, opponent) = match colour {
        Colour::Black => (black, white),
        Colour::White => (white, black),
    };
    Ok((rest, (Board { player, opponent }, colour)))
}

/// Reads a whole line with [`position`].
///
/// # Errors
/// The place of the first thing that does not fit.
pub fn parse_position(text: &str) -> Result<Game, SyntaxError> {
    parse_all(text.trim_start(), position)
        .map(|(board, colour)| Game::from_position(board, colour))
        .map_err(|error| SyntaxError {
            column: error.column + text.chars().take_while(|c| c.is_whitespace()).count(),
            ..error
        })
}

fn black_letter(input: &str) -> Parsed<'_, Colour> {
    value(Colour::Black, one_of("Xx*Bb")).parse(input)
}

fn white_letter(input: &str) -> Parsed<'_, Colour> {
    value(Colour::White, one_of("OoWw")).parse(input)
}

/// The side to move, as a word of its own.
pub fn side(input: &str) -> Parsed<'_, Colour> {
    let word = alt((
        value(Colour::Black, tag_no_case("black")),
        value(Colour::White, tag_no_case("white")),
        black_letter,
        white_letter,
    ));
    let end = not(peek(satisfy(|c| c.is_alphanumeric() || c == '*')));
    expect("the side to move (X or O)", terminated(word, end)).parse(input)
}

#[derive(Clone, Copy)]
enum Cell {
    Disc(Colour),
    Empty(usize),
    RowEnd,
}

fn cell(input: &str) -> Parsed<'_, Cell> {
    let digit = map_opt(one_of("12345678"), |c| c.to_digit(10));
    expect(
        "a square of the board (X, O, -, or a count 1 to 8)",
        alt((
            map(alt((black_letter, white_letter)), Cell::Disc),
            value(Cell::Empty(1), one_of("-.")),
            map(digit, |count| Cell::Empty(count as usize)),
            value(Cell::RowEnd, one_of("/")),
        )),
    )
    .parse(input)
}

fn squares(input: &str) -> Parsed<'_, (Bitboard, Bitboard)> {
    let (mut black, mut white) = (Bitboard::EMPTY, Bitboard::EMPTY);
    let mut filled = 0;
    let mut rest = input;
    while filled < Square::COUNT {
        let (after, cell) = match cell(rest) {
            Ok(read) => read,
            Err(_) if rest.starts_with(char::is_whitespace) || rest.is_empty() => {
                return refuse(rest, format!("expected 64 squares, found {filled}"));
            }
            Err(error) => return Err(error),
        };
        match cell {
            Cell::Disc(colour) => {
                let square = Square::wrapping(filled as u32);
                match colour {
                    Colour::Black => black = black.with(square),
                    Colour::White => white = white.with(square),
                }
                filled += 1;
            }
            Cell::Empty(count) if filled + count <= Square::COUNT => filled += count,
            Cell::Empty(_) => return refuse(rest, "more than 64 squares"),
            Cell::RowEnd if filled % 8 == 0 && filled > 0 => {}
            Cell::RowEnd => return refuse(rest, "'/' inside a row of eight squares"),
        }
        rest = after;
    }
    let (_, surplus) =
        opt(peek(take_while1(|c: char| !c.is_whitespace() && !";]".contains(c)))).parse(rest)?;
    if surplus.is_some() {
        return refuse(rest, "more than 64 squares");
    }
    Ok((rest, (black, white)))
}

/// The position as 64 letters (`X` Black, `O` White, `-` empty), a blank and the side to move:
/// the form of OBF files.
pub fn position_text(game: &Game) -> String {
    lettered(game, ['X', 'O', '-'])
}

/// The position as 64 letters, those for Black, White and an empty square, then a blank and the
/// letter of the side to move.
pub fn lettered(game: &Game, letters: [char; 3]) -> String {
    let mut text: String = Square::all().map(|square| letter(game, square, letters)).collect();
    text.push(' ');
    text.push(letters[game.colour() as usize]);
    text
}

/// The position in slash form: `B`, `W` and numbers of empty squares, a `/` between rows, then a
/// blank and `b` or `w` for the side to move.
pub fn slash_text(game: &Game) -> String {
    let mut text = String::new();
    let mut empties = 0;
    for square in Square::all() {
        if square.file() == 0 && square.rank() > 0 {
            text.push('/');
        }
        let letter = letter(game, square, ['B', 'W', '-']);
        empties += u32::from(letter == '-');
        if letter != '-' || square.file() == 7 {
            text.extend(char::from_digit(empties, 10).filter(|_| empties > 0));
            empties = 0;
        }
        text.extend(Some(letter).filter(|letter| *letter != '-'));
    }
    text.push_str([" b", " w"][game.colour() as usize]);
    text
}

/// The first of `letters` for a black disc, the second for a white one, the third for none.
pub fn letter(game: &Game, square: Square, letters: [char; 3]) -> char {
    let [black, white, empty] = letters;
    if game.discs(Colour::Black).has(square) {
        black
    } else if game.discs(Colour::White).has(square) {
        white
    } else {
        empty
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "---------------------------OX------XO--------------------------- X";

    #[test]
    fn the_start_in_every_form() {
        for text in [
            START,
            "8/8/8/3wb3/3bw3/8/8/8 b",
            "8/8/8/3OX3/3XO3/8/8/8",
            "...........................WB......BW...........................",
            "---------------------------O*------*O--------------------------- *",
            "  8883ox33XO3888   black  ",
        ] {
            assert_eq!(parse_position(text).as_ref(), Ok(&Game::new()), "{text}");
        }
        assert_eq!(position_text(&Game::new()), START);
        assert_eq!(slash_text(&Game::new()), "8/8/8/3WB3/3BW3/8/8/8 b");
    }

    #[test]
    fn x_is_black_whoever_moves() {
        let game = parse_position("8/8/8/3OX3/3XO3/8/8/8 O").unwrap();
        assert_eq!(game.colour(), Colour::White);
        assert_eq!(game.discs(Colour::Black), Game::new().discs(Colour::Black));
    }

    #[test]
    fn errors_name_place_and_reason() {
        for (text, column, message) in [
            ("", 1, "expected 64 squares, found 0"),
            ("8/8 b", 4, "expected 64 squares, found 16"),
            ("8/8/8/3wb/3bw3/8/8/8 b", 10, "'/' inside a row of eight squares"),
            ("8/8/8/3wb4/3bw3/8/8/8 b", 11, "'/' inside a row of eight squares"),
            ("8/8/8/8/8/8/8/8/8", 16, "more than 64 squares"),
            ("8/8/8/8/8/8/8/7XX", 17, "more than 64 squares"),
            (
                "8/8/8/8/8/8/8/7?",
                16,
                "expected a square of the board (X, O, -, or a count 1 to 8), found '?'",
            ),
            ("8/8/8/8/8/8/8/8 Q", 17, "expected the end of the line, found 'Q'"),
        ] {
            let error = parse_position(text).unwrap_err();
            assert_eq!((error.column, error.message.as_str()), (column, message), "{text}");
        }
    }
}
