//! SGF, the Smart Game Format, as far as games of Othello need it: their main lines with their
//! set-up. Variations, comments and everything else are skipped.
//!
//! Squares are read as letter and number (`f5`) or as two letters, column and row (`fe`). The
//! format's specification: <https://www.red-bean.com/sgf/>.

use super::error::{self, Expected, Parsed, SyntaxError, expect, quoted, refuse};
use crate::board::{Bitboard, Board, Square};
use crate::game::{Colour, Game, Move};
use nom::branch::alt;
use nom::bytes::complete::{is_not, tag_no_case, take, take_while1};
use nom::character::complete::{anychar, char, multispace0, one_of};
use nom::combinator::{all_consuming, cut, eof, map, map_opt, opt, peek, recognize, value};
use nom::multi::{fold_many0, many1};
use nom::sequence::{delimited, preceded};
use nom::{Parser, combinator};
use std::borrow::Cow;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Longest file that is read, in bytes (16 MiB).
const LONGEST_FILE: u64 = 16 << 20;

/// An error and the line that it is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SgfError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong, and where in the line.
    pub error: SyntaxError,
}

impl fmt::Display for SgfError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of line {}", self.error, self.line)
    }
}

impl std::error::Error for SgfError {}

/// Reads a file; of the moves at most the first `most` are played. Passes may be missing.
///
/// # Errors
/// One line: the file cannot be read, or the first thing in it that does not fit.
pub fn read_file(path: &Path, most: usize) -> Result<Game, String> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(LONGEST_FILE + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() as u64 > LONGEST_FILE {
        return Err("it is longer than 16 MiB".into());
    }
    parse(&String::from_utf8_lossy(&bytes), most).map_err(|error| error.to_string())
}

/// Does this begin with a game that says it is one of Othello? GGF, which begins alike, has a name
/// where SGF has the number 2.
pub fn begins(text: &str) -> bool {
    let node = (multispace0, char('('), multispace0, char(';'));
    let read = preceded(node, many1(property)).parse(text);
    read.is_ok_and(|(_, properties)| {
        let kind = properties.iter().find(|property| property.name == "GM");
        kind.and_then(|kind| kind.values.first()).is_some_and(|value| value.text.trim() == "2")
    })
}

/// Reads all games of a text, each with the number of the line on which it begins, from 1.
///
/// # Errors
/// The place of the first thing that does not fit.
pub fn parse_games(text: &str) -> Result<Vec<(usize, Game)>, SyntaxError> {
    let game = |start| whole_game(start).map(|(rest, game)| (rest, (start.len(), game)));
    let games = many1(preceded((multispace0, peek(char('('))), cut(game)));
    let (mut line, mut uncounted) = (1, text);
    let numbered = |(left, game): (usize, Game)| {
        let length = uncounted.len().saturating_sub(left);
        let (before, rest) = uncounted.split_at_checked(length).unwrap_or((uncounted, ""));
        line += before.matches('\n').count();
        uncounted = rest;
        (line, game)
    };
    Ok(error::parse_all(text, games)?.into_iter().map(numbered).collect())
}

/// Reads the text of a file; of the moves at most the first `most` are played.
///
/// # Errors
/// The place of the first thing that does not fit.
pub fn parse(text: &str, most: usize) -> Result<Game, SgfError> {
    match main_line(text, most) {
        Ok((_, (game, _))) => Ok(game),
        Err(nom::Err::Error(error) | nom::Err::Failure(error)) => Err(located(text, &error)),
        Err(nom::Err::Incomplete(_)) => {
            let what = "the whole of a game".into();
            Err(located(text, &Expected { rest: "", what, complete: false }))
        }
    }
}

/// The error with its line and column.
fn located(text: &str, error: &Expected<'_>) -> SgfError {
    let offset = text.len().saturating_sub(error.rest.len());
    let before = text.get(..offset).unwrap_or(text);
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let line = text.get(start..).unwrap_or_default();
    SgfError { line: before.matches('\n').count() + 1, error: SyntaxError::expected(line, error) }
}

/// A game in the making.
struct Reader {
    game: Game,
    /// The set-up so far, if there is one.
    discs: Option<(Bitboard, Bitboard)>,
    moves: usize,
}

/// Reads a game to its end.
fn whole_game(text: &str) -> Parsed<'_, Game> {
    let (mut rest, (game, mut open)) = main_line(text, usize::MAX)?;
    while open > 0 {
        let (after, mark) = mark(rest)?;
        (rest, open) = match mark {
            '(' => (after, open + 1),
            ')' => (after, open - 1),
            ';' => (after, open),
            _ => (property(rest)?.0, open),
        };
    }
    Ok((rest, game))
}

/// Reads from the first `(` to the first end of a line of play; tells how many brackets are open
/// there, too.
fn main_line(text: &str, most: usize) -> Parsed<'_, (Game, usize)> {
    let mut reader = Reader { game: Game::new(), discs: None, moves: 0 };
    let start = text.find('(').unwrap_or(text.len());
    let (mut rest, _) =
        expect("'(' and a game", char('(')).parse(text.get(start..).unwrap_or(""))?;
    let mut open = 1;
    loop {
        let (after, mark) = mark(rest)?;
        rest = match mark {
            ')' => return Ok((after, (reader.game, open - 1))),
            ';' => after,
            // Of several variations the first is the main line.
            '(' => {
                open += 1;
                after
            }
            _ => {
                let (after, property) = property(rest)?;
                if reader.moves == most && matches!(property.name, "B" | "W") {
                    return Ok((after, (reader.game, open)));
                }
                reader.take(&property)?;
                after
            }
        };
    }
}

/// What tells a property from the rest.
fn mark(input: &str) -> Parsed<'_, char> {
    preceded(multispace0, expect("';', '(', ')' or a property", anychar)).parse(input)
}

struct Property<'a> {
    name: &'a str,
    values: Vec<Value<'a>>,
}

#[derive(Clone, Copy)]
struct Value<'a> {
    text: &'a str,
    /// The input from the value on, for the place of an error.
    at: &'a str,
}

fn property(input: &str) -> Parsed<'_, Property<'_>> {
    let name = take_while1(|c: char| c.is_ascii_uppercase());
    let name = expect("';', '(', ')' or a property", name);
    let (rest, name) = preceded(multispace0, name).parse(input)?;
    let text = recognize(fold_many0(
        alt((value((), is_not("\\]")), value((), preceded(char('\\'), take(1usize))))),
        || (),
        |(), ()| (),
    ));
    let mut text = text;
    let value = move |at| text.parse(at).map(|(rest, text)| (rest, Value { text, at }));
    let value = delimited(preceded(multispace0, char('[')), value, char(']'));
    let (rest, values) = expect("'[', a value and ']'", many1(value)).parse(rest)?;
    Ok((rest, Property { name, values }))
}

/// Nothing to hand on, or what is wrong and where.
type Checked<'a> = Result<(), nom::Err<Expected<'a>>>;

/// A final error about a value.
fn wrong<'a>(value: Value<'a>, message: impl Into<Cow<'static, str>>) -> Checked<'a> {
    refuse(value.at, message).map(|(_, ())| ())
}

impl Reader {
    fn take<'a>(&mut self, property: &Property<'a>) -> Checked<'a> {
        let Property { name, values } = property;
        // There is at least one.
        let Some(&first) = values.first() else { return Ok(()) };
        match *name {
            "GM" if first.text.trim() != "2" => wrong(first, "not a game of Othello (GM[2])"),
            "SZ" if !matches!(first.text.trim(), "8" | "8:8") => {
                wrong(first, "not a board of 8 rows and columns (SZ[8])")
            }
            "B" => self.play(Colour::Black, first),
            "W" => self.play(Colour::White, first),
            "AB" | "AW" | "AE" => values.iter().try_for_each(|&value| self.set_up(name, value)),
            "PL" => self.turn(first),
            _ => Ok(()),
        }
    }

    fn play<'a>(&mut self, colour: Colour, value: Value<'a>) -> Checked<'a> {
        let mv = value.read("a move (a1 to h8, or nothing for a pass)", sgf_move)?;
        if let Err(error) = self.game.accept_from(colour, mv) {
            return wrong(value, format!("illegal move: {error}"));
        }
        self.moves += 1;
        Ok(())
    }

    fn set_up<'a>(&mut self, name: &str, value: Value<'a>) -> Checked<'a> {
        let area = value.read("a square (a1 to h8)", area)?;
        self.before_the_first_move(value)?;
        let (black, white) = self.discs.unwrap_or_default();
        let (black, white) = (black - area, white - area);
        let (black, white) = match name {
            "AB" => (black | area, white),
            "AW" => (black, white | area),
            _ => (black, white),
        };
        self.discs = Some((black, white));
        self.game = position(black, white, self.game.colour());
        Ok(())
    }

    fn turn<'a>(&mut self, value: Value<'a>) -> Checked<'a> {
        let black = combinator::value(Colour::Black, alt((tag_no_case("black"), tag_no_case("b"))));
        let white = combinator::value(Colour::White, alt((tag_no_case("white"), tag_no_case("w"))));
        let colour = value.read("a colour (B or W)", alt((black, white)))?;
        self.before_the_first_move(value)?;
        let [black, white] = [Colour::Black, Colour::White].map(|side| self.game.discs(side));
        self.game = position(black, white, colour);
        Ok(())
    }

    fn before_the_first_move<'a>(&self, value: Value<'a>) -> Checked<'a> {
        if self.moves == 0 { Ok(()) } else { wrong(value, "a set-up after the first move") }
    }
}

fn position(black: Bitboard, white: Bitboard, colour: Colour) -> Game {
    let (player, opponent) = match colour {
        Colour::Black => (black, white),
        Colour::White => (white, black),
    };
    Game::from_position(Board { player, opponent }, colour)
}

impl<'a> Value<'a> {
    /// Reads the whole value with `parser`.
    fn read<T>(
        self,
        what: &'static str,
        parser: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
    ) -> Result<T, nom::Err<Expected<'a>>> {
        let Value { text, at } = self;
        let mut whole = all_consuming(delimited(multispace0, parser, multispace0));
        whole.parse(text).map(|(_, read)| read).map_err(|_| {
            let what = format!("expected {what}, found {}", quoted(text)).into();
            nom::Err::Failure(Expected { rest: at, what, complete: true })
        })
    }
}

fn sgf_move(input: &str) -> Parsed<'_, Move> {
    let pass = alt((tag_no_case("pass"), tag_no_case("tt"), tag_no_case("--")));
    let nothing = value(Move::Pass, eof);
    alt((map(square, Move::Place), value(Move::Pass, pass), nothing)).parse(input)
}

fn square(input: &str) -> Parsed<'_, Square> {
    let letters = map_opt((one_of("abcdefgh"), one_of("abcdefgh")), |(file, rank)| {
        Square::at(file as u8 - b'a', rank as u8 - b'a')
    });
    alt((map_opt(take(2usize), Square::parse), letters)).parse(input)
}

/// A square, or the corners of a rectangle as in `c3:f6`.
fn area(input: &str) -> Parsed<'_, Bitboard> {
    let (rest, from) = square(input)?;
    let (rest, to) = opt(preceded(char(':'), square)).parse(rest)?;
    let to = to.unwrap_or(from);
    let files = from.file().min(to.file())..=from.file().max(to.file());
    let ranks = from.rank().min(to.rank())..=from.rank().max(to.rank());
    let inside = |square: &Square| files.contains(&square.file()) && ranks.contains(&square.rank());
    let area = Square::all().filter(inside).fold(Bitboard::EMPTY, |area, at| area.with(at));
    Ok((rest, area))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::moves::{play_transcript, transcript};
    use crate::notation::position::{parse_position, position_text};
    use proptest::prelude::*;

    fn all(text: &str) -> Game {
        parse(text, usize::MAX).unwrap()
    }

    #[test]
    fn moves_are_read_in_both_spellings() {
        let expected = play_transcript(&Game::new(), "f5d6c3").unwrap();
        for text in [
            "(;GM[2];B[f5];W[d6];B[c3])",
            "(;GM[2]SZ[8];B[fe];W[df];B[cc])",
            "(;B[F5];W[D6];B[C3])",
            "a letter\n(; GM [2] SZ[8:8]\n PB[a\\]b(;] C[x[y]\n;B[f5]BL[3] ;W[ d6 ]\n;B[c3]\n)\n",
            "(;GM[2](;B[f5](;W[d6];B[c3])(;W[f6]))(;B[d3]))(;B[c4])",
        ] {
            assert_eq!(all(text), expected, "{text}");
        }
    }

    /// As Quarry writes it: 59 moves, then neither side can move.
    const QUARRY: &str = "(;GM[2]FF[4]\nCA[UTF-8]\nAP[Quarry:0.2.0]\nSZ[8]\nPB[A]\nPW[B]\nRE[W+39]\n\
        ;B[ef];W[fd];B[cc];W[cd];B[dc];W[df];B[ec];W[cb];B[bc];W[ce]\n\
        ;B[bd];W[fc];B[db];W[da];B[ca];W[be];B[ea];W[ad];B[gd];W[ge]\n\
        ;B[eb];W[fe];B[hf];W[ff];B[gf];W[hc];B[hd];W[gc];B[fb];W[gb]\n\
        ;B[eg];W[dg];B[ha];W[hb];B[fg];W[ga];B[fa];W[cf];B[af];W[ae]\n\
        ;B[ac];W[cg];B[bf];W[he];B[bh];W[fh];B[gh];W[dh];B[gg];W[hh]\n\
        ;B[ch];W[hg];B[eh];W[ah];W[bb];B[ba];W[bg];W[ag];W[ab]\n)\n";

    #[test]
    fn a_game_of_quarry_ends_as_it_says() {
        let outcome = all(QUARRY).outcome();
        assert_eq!((outcome.black_discs, outcome.white_discs), (12, 51));
    }

    #[test]
    fn passes_may_be_written_or_left_out() {
        let start = "(;GM[2]AB[b1]AW[a1]PL[B]";
        for pass in ["", ";B[]", ";B[tt]", ";B[pass]", ";B[PASS]"] {
            let game = all(&format!("{start}{pass};W[c1])"));
            assert_eq!(game.plies().count(), 2, "{pass}");
            assert!(game.is_over());
        }
    }

    #[test]
    fn a_set_up_begins_with_an_empty_board() {
        let game = all("(;GM[2]AB[c3:e4][h8]AE[d3]AW[aa][e4]PL[W])");
        let expected = parse_position("O7/8/2X1X3/2XXO3/8/8/8/7X O").unwrap();
        assert_eq!(position_text(&game), position_text(&expected));
        assert_eq!(all("(;PL[white])").colour(), Colour::White);
    }

    #[test]
    fn reading_stops_before_a_move() {
        for (most, moves) in [(0, ""), (1, "f5"), (2, "f5d6"), (3, "f5d6c3"), (9, "f5d6c3")] {
            let game = parse("(;GM[2];B[f5];W[d6];B[c3])", most).unwrap();
            assert_eq!(transcript(&game), moves);
        }
        assert!(parse("(;B[f5];W[a1])", 1).is_ok());
    }

    #[test]
    fn all_games_of_a_text_are_read_with_their_lines() {
        let text = "(;GM[2];B[f5](;W[d6])(;W[f6]C[(]))\n\n (;GM[2]\n;B[d3])(;GM[2])\n";
        assert!(begins(text));
        let games = parse_games(text).unwrap();
        let found: Vec<_> = games.iter().map(|(line, game)| (*line, transcript(game))).collect();
        let expected = [(1, "f5d6"), (3, "d3"), (4, "")].map(|(line, text)| (line, text.into()));
        assert_eq!(found, expected);
        for (text, column) in [
            ("(;GM[2];B[f5])\nf5d6", 16),
            ("(;GM[2];B[f5](;W[d6])", 22),
            ("(;GM[2];B[f5])(;B[a1])", 19),
            ("(;GM[2](;B[f5])(;", 18),
        ] {
            assert_eq!(parse_games(text).unwrap_err().column, column, "{text}");
        }
    }

    #[test]
    fn a_game_says_that_it_is_one_of_othello() {
        for text in ["(;GM[2])", "\n( ;FF[4]PB[a;b\\]] GM [ 2 ];B[f5]", QUARRY] {
            assert!(begins(text), "{text}");
        }
        for text in ["", "(;", "(;GM[1])", "(;GM[Othello]B[F5];)", "(;B[f5])", "x(;GM[2])", "f5"] {
            assert!(!begins(text), "{text}");
        }
    }

    #[test]
    fn errors_name_line_and_column() {
        for (text, error) in [
            ("", "expected '(' and a game, found the end of the line at column 1 of line 1"),
            (
                "(;B[f5]",
                "expected ';', '(', ')' or a property, found the end of the line at column 8 of line 1",
            ),
            ("(;GM[1])", "not a game of Othello (GM[2]) at column 6 of line 1"),
            (
                "(;GM[2]\n  SZ[10])",
                "not a board of 8 rows and columns (SZ[8]) at column 6 of line 2",
            ),
            ("(;B[f5]\n;W[a1])", "illegal move: a1 flips nothing for white at column 4 of line 2"),
            ("(;B[f5];B[d6])", "illegal move: it is not black's turn at column 11 of line 1"),
            (
                "(;B[k9])",
                "expected a move (a1 to h8, or nothing for a pass), found 'k9' at column 5 of line 1",
            ),
            ("(;B[f5]AB[a1])", "a set-up after the first move at column 11 of line 1"),
            ("(;AB[a1:])", "expected a square (a1 to h8), found 'a1:' at column 6 of line 1"),
            ("(;PL[green])", "expected a colour (B or W), found 'green' at column 6 of line 1"),
            ("(;B;W)", "expected '[', a value and ']', found ';W)' at column 4 of line 1"),
            (
                "(;b[f5])",
                "expected ';', '(', ')' or a property, found 'b[f5])' at column 3 of line 1",
            ),
        ] {
            assert_eq!(parse(text, usize::MAX).unwrap_err().to_string(), error, "{text}");
        }
    }

    #[test]
    fn deep_nesting_is_no_danger() {
        let text = "(;".repeat(500_000);
        assert!(parse(&text, usize::MAX).is_err() && parse_games(&text).is_err());
    }

    proptest! {
        #[test]
        fn random_text_never_panics(text in "[(;)BWAPLGMSZ\\[\\]\\\\a-h1-9:é\n ]{0,60}") {
            let _ = parse(&text, usize::MAX);
            let text = format!("(;GM[2]{text}");
            let _ = parse(&text, usize::MAX);
            let _ = parse_games(&text);
        }
    }
}
