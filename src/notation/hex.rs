//! Positions as two hexadecimal bitboards. Engines number the bits in different ways, so the
//! order is part of the text: `hex a1=0 0x0000000810000000 0x0000001008000000 b`.

use super::error::{Parsed, quoted, refuse};
use super::position::side;
use super::words::{after_blanks, keyword, word, word_end};
use crate::board::{Bitboard, Board};
use crate::game::{Colour, Game};
use nom::Parser;
use nom::bytes::complete::{tag, tag_no_case};
use nom::character::complete::{hex_digit1, multispace0};
use nom::combinator::{cut, map_opt, opt, verify};
use nom::sequence::{preceded, terminated};

/// The numbering of the bits, row by row, named by the bit of a1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BitOrder {
    /// a1 is bit 0, b1 bit 1, a2 bit 8.
    A1Is0,
    /// a1 is bit 7, b1 bit 6, a2 bit 15.
    A1Is7,
    /// a1 is bit 56, b1 bit 57, a2 bit 48.
    A1Is56,
    /// a1 is bit 63, b1 bit 62, a2 bit 55.
    A1Is63,
}

impl BitOrder {
    /// All of them.
    pub const ALL: [BitOrder; 4] =
        [BitOrder::A1Is0, BitOrder::A1Is7, BitOrder::A1Is56, BitOrder::A1Is63];

    /// `a1=0`, `a1=7`, `a1=56` or `a1=63`.
    pub fn name(self) -> &'static str {
        match self {
            BitOrder::A1Is0 => "a1=0",
            BitOrder::A1Is7 => "a1=7",
            BitOrder::A1Is56 => "a1=56",
            BitOrder::A1Is63 => "a1=63",
        }
    }

    /// The set of squares of a number in this order, and the other way round.
    fn turned(self, bits: u64) -> u64 {
        match self {
            BitOrder::A1Is0 => bits,
            BitOrder::A1Is7 => bits.reverse_bits().swap_bytes(),
            BitOrder::A1Is56 => bits.swap_bytes(),
            BitOrder::A1Is63 => bits.reverse_bits(),
        }
    }
}

/// Does this look like a pair of bitboards, with its order or without?
pub fn begins(input: &str) -> bool {
    let mut words = input.split_whitespace();
    match words.next() {
        Some("hex") => true,
        Some(first) if first.get(..2).is_some_and(|start| start.eq_ignore_ascii_case("0x")) => true,
        Some(first) => [Some(first), words.next()].into_iter().all(|word| {
            word.is_some_and(|w| w.len() == 16 && w.bytes().all(|b| b.is_ascii_hexdigit()))
        }),
        None => false,
    }
}

/// `hex`, the order of the bits, black discs, white discs, and the side to move; without it
/// Black is to move.
///
/// A pair without its order is an error that says so.
pub fn position(input: &str) -> Parsed<'_, (Board, Colour)> {
    let (at, _) = multispace0(input)?;
    let (rest, Some(_)) = opt(keyword("hex")).parse(at)? else {
        return refuse(
            at,
            "ambiguous bit order of bitboards: begin with 'hex a1=0' or 'hex a1=63'",
        );
    };
    let (rest, order) = order(rest)?;
    let (at, _) = multispace0(rest)?;
    let (rest, black) = discs(at, order)?;
    let (rest, white) = discs(rest, order)?;
    if let Some(square) = (black & white).first() {
        return refuse(at, format!("both sides have a disc on {square}"));
    }
    let (rest, colour) = opt(preceded(multispace0, side)).parse(rest)?;
    let colour = colour.unwrap_or(Colour::Black);
    let (player, opponent) = match colour {
        Colour::Black => (black, white),
        Colour::White => (white, black),
    };
    Ok((rest, (Board { player, opponent }, colour)))
}

fn order(input: &str) -> Parsed<'_, BitOrder> {
    let (at, _) = multispace0(input)?;
    let named = preceded(tag("a1="), word);
    if let (_, None) = opt(named).parse(at)? {
        return refuse(at, "ambiguous bit order of bitboards: expected 'a1=0' or 'a1=63' here");
    }
    let (rest, name) = word(at)?;
    match BitOrder::ALL.into_iter().find(|order| order.name() == name) {
        Some(order) => Ok((rest, order)),
        None => {
            let name = quoted(name);
            refuse(at, format!("unknown bit order {name} (a1=0, a1=7, a1=56 or a1=63)"))
        }
    }
}

fn discs(input: &str, order: BitOrder) -> Parsed<'_, Bitboard> {
    let digits = verify(hex_digit1, |digits: &str| digits.len() <= 16);
    let digits = preceded(opt(tag_no_case("0x")), digits);
    let bits = map_opt(digits, |digits: &str| u64::from_str_radix(digits, 16).ok());
    let bits = terminated(bits, word_end);
    cut(after_blanks("a bitboard (1 to 16 hexadecimal digits)", bits))
        .map(|bits| Bitboard(order.turned(bits)))
        .parse(input)
}

/// The position in this order of bits.
pub fn hex_text(game: &Game, order: BitOrder) -> String {
    let [black, white] =
        [Colour::Black, Colour::White].map(|colour| order.turned(game.discs(colour).0));
    let side = ['b', 'w'][game.colour() as usize];
    format!("hex {} 0x{black:016x} 0x{white:016x} {side}", order.name())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::error::parse_all;
    use crate::notation::testing::any_game;
    use proptest::prelude::*;

    fn game(text: &str) -> Result<Game, String> {
        parse_all(text, position)
            .map(|(board, colour)| Game::from_position(board, colour))
            .map_err(|error| error.to_string())
    }

    #[test]
    fn the_start_in_every_order() {
        for text in [
            "hex a1=0 0x0000000810000000 0x0000001008000000 b",
            "hex a1=63 0000000810000000 0000001008000000 X",
            "hex a1=7 0x1008000000 0X810000000",
            "hex a1=56 1008000000 810000000 black",
        ] {
            assert_eq!(game(text), Ok(Game::new()), "{text}");
        }
        let text = "hex a1=0 0x0000000810000000 0x0000001008000000 b";
        assert_eq!(hex_text(&Game::new(), BitOrder::A1Is0), text);
    }

    #[test]
    fn a_corner_is_where_the_order_puts_it() {
        for order in BitOrder::ALL {
            let bit: u32 = order.name().trim_start_matches("a1=").parse().unwrap();
            assert_eq!(order.turned(1 << bit), 1, "{order:?}");
            let b1 = if bit.is_multiple_of(8) { bit + 1 } else { bit - 1 };
            assert_eq!(order.turned(1 << b1), 2, "{order:?}");
        }
    }

    #[test]
    fn errors_say_what_is_ambiguous_or_wrong() {
        for (text, error) in [
            (
                "0x0000000810000000 0x0000001008000000 b",
                "ambiguous bit order of bitboards: begin with 'hex a1=0' or 'hex a1=63' at column 1",
            ),
            (
                "hex 0x0000000810000000 0x0000001008000000",
                "ambiguous bit order of bitboards: expected 'a1=0' or 'a1=63' here at column 5",
            ),
            ("hex a1=8 0 0", "unknown bit order 'a1=8' (a1=0, a1=7, a1=56 or a1=63) at column 5"),
            ("hex a1=0 3 6", "both sides have a disc on b1 at column 10"),
            (
                "hex a1=0 0x00000000810000000 0",
                "expected a bitboard (1 to 16 hexadecimal digits), found '0x00000000810000000' at column 10",
            ),
            (
                "hex a1=0 3",
                "expected a bitboard (1 to 16 hexadecimal digits), found the end of the line at column 11",
            ),
        ] {
            assert_eq!(game(text).unwrap_err(), error, "{text}");
        }
    }

    proptest! {
        #[test]
        fn a_printed_position_is_read_back(game in any_game()) {
            let expected = Game::from_position(game.board(), game.colour());
            for order in BitOrder::ALL {
                let text = hex_text(&game, order);
                prop_assert!(begins(&text));
                prop_assert_eq!(self::game(&text), Ok(expected.clone()));
            }
        }
    }
}
