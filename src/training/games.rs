//! Files of games, one a line, `#` starts a comment line. Moves are run together from the
//! standard start, passes left out. Three forms are told apart by their fields:
//!
//! | form | fields |
//! |---|---|
//! | WTHOR | moves, Black's discs at the end, Black's discs under best play from 24 empties on |
//! | logbook | moves, Black minus White |
//! | self-play | random plies at the start, moves, Black minus White, scores |
//!
//! All results give the empty squares to the winner. The scores of a self-play game are
//! separated by commas, one for each position from the first after the random plies on, in discs
//! for the side that moves there; a trailing `x` marks an exact one.

use crate::board::Square;
use crate::notation::SyntaxError;
use crate::notation::error::{Expected, Parsed, expect, parse_all};
use crate::notation::moves::square;
use crate::notation::wthor::ArchivedGame;
use nom::Parser;
use nom::character::complete::{char, i32, u32};
use nom::combinator::{map, opt, verify};
use nom::multi::{many1, separated_list1};
use nom::sequence::{pair, preceded};
use std::fmt;

/// Empty squares from which the theoretical result of a WTHOR game is exact.
pub const THEORETICAL_EMPTIES: u32 = 24;

/// A game as it stands in a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The moves from the standard start, without passes.
    pub moves: Vec<Square>,
    /// Result, Black minus White with the empty squares given to the winner (discs).
    pub result: i32,
    /// What else is known, which depends on the form of the file.
    pub source: Source,
}

/// The form a game came in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A tournament game of the WTHOR archive.
    Wthor {
        /// Result under best play from [`THEORETICAL_EMPTIES`] on (Black minus White, discs).
        theoretical: i32,
    },
    /// A line of an opening book.
    Logbook,
    /// A game of an engine against itself.
    SelfPlay {
        /// Number of random plies at the start.
        random_plies: usize,
        /// For each position before a move after these plies, its value for the side to move.
        scores: Vec<PositionScore>,
    },
}

/// The value of a position for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionScore {
    /// Value in discs.
    pub discs: i32,
    /// Is it the result under best play?
    pub exact: bool,
}

impl GameRecord {
    /// A game of a WTHOR archive whose theoretical scores are exact from `depth` empties on; with
    /// a depth of 0 they are not known.
    pub fn archived(game: &ArchivedGame, depth: u8) -> GameRecord {
        let difference = |discs: u8| 2 * i32::from(discs) - 64;
        let best = if depth == 0 { game.score } else { game.theoretical };
        let source = Source::Wthor { theoretical: difference(best) };
        GameRecord { moves: game.moves.clone(), result: difference(game.score), source }
    }
}

/// The line that reads as this game.
impl fmt::Display for GameRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves: String = self.moves.iter().map(Square::to_string).collect();
        let result = self.result;
        match &self.source {
            Source::Wthor { theoretical } => {
                write!(f, "{moves} {} {}", (result + 64) / 2, (theoretical + 64) / 2)
            }
            Source::Logbook => write!(f, "{moves} {result}"),
            Source::SelfPlay { random_plies, scores } => {
                let scores: Vec<String> = scores.iter().map(PositionScore::to_string).collect();
                write!(f, "{random_plies} {moves} {result} {}", scores.join(","))
            }
        }
    }
}

impl fmt::Display for PositionScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.discs, if self.exact { "x" } else { "" })
    }
}

/// Reads one line; `None` for a blank or comment line.
///
/// # Errors
/// The place of the first thing that does not fit.
pub fn parse_line(line: &str) -> Result<Option<GameRecord>, SyntaxError> {
    let line = line.trim_end();
    if line.is_empty() || line.starts_with('#') {
        return Ok(None);
    }
    let starts_with_digit = line.starts_with(|c: char| c.is_ascii_digit());
    let game = if starts_with_digit { self_play } else { archive };
    parse_all(line, game).map(Some)
}

fn archive(input: &str) -> Parsed<'_, GameRecord> {
    let (input, moves) = moves(input)?;
    let (rest, first) = field(difference).parse(input)?;
    if !rest.starts_with(' ') {
        return Ok((rest, GameRecord { moves, result: first, source: Source::Logbook }));
    }
    let (rest, (black, theoretical)) = pair(field(discs), field(discs)).parse(input)?;
    let source = Source::Wthor { theoretical: 2 * theoretical - 64 };
    Ok((rest, GameRecord { moves, result: 2 * black - 64, source }))
}

fn self_play(input: &str) -> Parsed<'_, GameRecord> {
    let plies = verify(u32, |plies| *plies <= 60);
    let (input, random_plies) = expect("a number of random plies (0 to 60)", plies).parse(input)?;
    let (input, moves) = field(moves).parse(input)?;
    let (input, result) = field(difference).parse(input)?;
    let (input, scores) = field(separated_list1(char(','), score)).parse(input)?;
    let source = Source::SelfPlay { random_plies: random_plies as usize, scores };
    Ok((input, GameRecord { moves, result, source }))
}

fn field<'a, T>(
    content: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Expected<'a>> {
    preceded(expect("a blank", char(' ')), content)
}

fn moves(input: &str) -> Parsed<'_, Vec<Square>> {
    many1(square).parse(input)
}

fn discs(input: &str) -> Parsed<'_, i32> {
    expect("a number of discs (0 to 64)", verify(i32, |n| (0..=64).contains(n))).parse(input)
}

fn difference(input: &str) -> Parsed<'_, i32> {
    expect("a result (-64 to 64)", verify(i32, |n| n.abs() <= 64)).parse(input)
}

fn score(input: &str) -> Parsed<'_, PositionScore> {
    let scored =
        pair(expect("a score (-64 to 64)", verify(i32, |n| n.abs() <= 64)), opt(char('x')));
    map(scored, |(discs, x)| PositionScore { discs, exact: x.is_some() }).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(line: &str) -> GameRecord {
        parse_line(line).unwrap().unwrap()
    }

    #[test]
    fn the_number_of_fields_tells_the_form() {
        assert_eq!(record("f5d6c3 34 41").result, 4);
        assert_eq!(record("f5d6c3 34 41").source, Source::Wthor { theoretical: 18 });
        let book = record("f5d6c3 -4");
        assert_eq!((book.result, book.source), (-4, Source::Logbook));
        assert_eq!(book.moves.len(), 3);
        let Source::SelfPlay { random_plies, scores } = record("1 f5d6c3 -12 3,-4x").source else {
            panic!("not a self-play game");
        };
        assert_eq!(random_plies, 1);
        assert_eq!(
            scores,
            [PositionScore { discs: 3, exact: false }, PositionScore { discs: -4, exact: true }]
        );
    }

    #[test]
    fn a_game_prints_as_it_was_read() {
        for line in ["f5d6c3 34 41", "f5d6c3 -4", "1 f5d6c3 -12 3,-4x"] {
            assert_eq!(record(line).to_string(), line);
        }
    }

    #[test]
    fn a_game_of_an_archive_is_that_of_its_line() {
        let line = record("f5d6c3 34 41");
        let moves = line.moves.clone();
        let archived =
            ArchivedGame { tournament: 1, black: 2, white: 3, score: 34, theoretical: 41, moves };
        assert_eq!(GameRecord::archived(&archived, 24), line);
        let unknown = GameRecord::archived(&archived, 0);
        assert_eq!(unknown.source, Source::Wthor { theoretical: unknown.result });
    }

    #[test]
    fn comments_and_blank_lines_are_no_games() {
        assert_eq!(parse_line("# NRAND MOVES"), Ok(None));
        assert_eq!(parse_line("  "), Ok(None));
    }

    #[test]
    fn errors_name_the_column() {
        for (line, column) in [
            ("f5d9 34 41", 3),
            ("f5d6", 5),
            ("f5d6 99", 6),
            ("f5d6 34 41 7", 12),
            ("f5d6 -3 41", 6),
            ("f5d6 34 77", 9),
            ("61 f5 0 0", 1),
            ("0 f5 0", 7),
            ("0 f5 0 3,y", 9),
        ] {
            let error = parse_line(line).unwrap_err();
            assert_eq!(error.column, column, "{line}: {error}");
        }
    }
}
