//! OBF: one position a line with the scores of its moves, the form of endgame test suites.

use super::error::{Parsed, SyntaxError, expect, parse_all};
use super::moves::a_move;
use super::position::{position, position_text};
use crate::game::{Game, Move};
use nom::Parser;
use nom::branch::alt;
use nom::bytes::complete::tag;
use nom::character::complete::{char, i32, multispace0};
use nom::combinator::{cut, map, opt, rest, value};
use nom::multi::many0;
use nom::sequence::{preceded, separated_pair, terminated};
use std::fmt;

/// One line of an OBF file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// The position.
    pub game: Game,
    /// Scores in discs from the view of the side to move, best first; `None` where the file has
    /// a score (`??`) but does not say which move reaches it.
    pub scores: Vec<(Option<Move>, i32)>,
    /// The text after `%`, blank if there is none.
    pub comment: String,
}

impl Record {
    /// The best score, if the line has one (discs).
    pub fn best_score(&self) -> Option<i32> {
        self.scores.iter().map(|(_, score)| *score).max()
    }

    /// Has every legal move of the side to move a score?
    pub fn is_complete(&self) -> bool {
        let board = self.game.board();
        let mut moves = board.moves().into_iter().map(Move::Place);
        let pass = board.must_pass() && self.score_of(Move::Pass).is_none();
        !board.is_over() && !pass && moves.all(|mv| self.score_of(mv).is_some())
    }

    /// The score of one move, if the line has it (discs).
    pub fn score_of(&self, mv: Move) -> Option<i32> {
        self.scores.iter().find(|(scored, _)| *scored == Some(mv)).map(|(_, score)| *score)
    }
}

/// Reads a file: the records with the numbers of their lines, from 1.
///
/// # Errors
/// For each line that does not fit: its number, the place and what was expected there.
pub fn parse_file(text: &str) -> impl Iterator<Item = Result<(usize, Record), String>> {
    (1..).zip(text.lines()).filter_map(|(number, line)| match parse_line(line) {
        Ok(record) => record.map(|record| Ok((number, record))),
        Err(error) => Some(Err(format!("line {number}: {error}"))),
    })
}

/// Reads one line; `None` for a blank line or one that is only a comment.
///
/// # Errors
/// The place of the first thing that does not fit.
pub fn parse_line(line: &str) -> Result<Option<Record>, SyntaxError> {
    let text = line.trim();
    if text.is_empty() || text.starts_with('%') || text.starts_with('#') {
        return Ok(None);
    }
    parse_all(line.trim_end(), preceded(multispace0, record)).map(Some)
}

fn record(input: &str) -> Parsed<'_, Record> {
    let (input, mut record) = scored_position(input)?;
    let comment = preceded((multispace0, char('%')), rest);
    let (input, comment) = opt(comment).parse(input)?;
    record.comment = comment.unwrap_or_default().trim().to_string();
    Ok((input, record))
}

/// A position with the scores of its moves, both perhaps followed by a semicolon: a line without
/// its comment.
pub fn scored_position(input: &str) -> Parsed<'_, Record> {
    let (input, (board, colour)) = position(input)?;
    let (input, _) = opt(preceded(multispace0, char(';'))).parse(input)?;
    let (input, scores) = many0(preceded(multispace0, scored_move)).parse(input)?;
    let scores = scores.into_iter().flatten().collect();
    let game = Game::from_position(board, colour);
    Ok((input, Record { game, scores, comment: String::new() }))
}

/// `A2:+38;`, `??:+4;`; the filler `--:-127;` gives `None`.
fn scored_move(input: &str) -> Parsed<'_, Option<(Option<Move>, i32)>> {
    let mv = alt((value(None, tag("??")), map(a_move, Some)));
    let score = expect("a score (-64 to 64)", i32);
    let scored = separated_pair(mv, char(':'), cut(score));
    map(terminated(scored, preceded(multispace0, char(';'))), |(mv, score)| {
        (score.abs() <= 64).then_some((mv, score))
    })
    .parse(input)
}

/// The line that reads as this record: passes as `PA`, squares in upper case.
impl fmt::Display for Record {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{};", position_text(&self.game))?;
        for (mv, score) in &self.scores {
            match mv {
                None => write!(f, " ??:{score:+};")?,
                Some(Move::Pass) => write!(f, " PA:{score:+};")?,
                Some(Move::Place(square)) => {
                    write!(f, " {}:{score:+};", square.to_string().to_uppercase())?;
                }
            }
        }
        if self.comment.is_empty() { Ok(()) } else { write!(f, " % {}", self.comment) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::notation::testing::any_game;
    use proptest::collection::vec;
    use proptest::prelude::*;

    #[test]
    fn a_line_of_a_suite() {
        let line = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12; --:-127; % FFO #1";
        let record = parse_line(line).unwrap().unwrap();
        let g8 = Move::Place(Square::parse("g8").unwrap());
        assert_eq!(record.best_score(), Some(18));
        assert_eq!(record.score_of(g8), Some(18));
        assert_eq!(record.scores.len(), 2);
        assert_eq!(record.comment, "FFO #1");
    }

    #[test]
    fn unknown_moves_and_bare_positions() {
        let board = "---XXXOO--OOOOOO-XOOOOOOXXOOOOOOXXOXOOOO--XOOOOO-XOOOOOO-OOOOOOO X";
        let record = parse_line(&format!("{board}; ??:-64;")).unwrap().unwrap();
        assert_eq!(record.scores, [(None, -64)]);
        assert_eq!(parse_line(board).unwrap().unwrap().best_score(), None);
        assert_eq!(parse_line("  % nothing").unwrap(), None);
        assert_eq!(parse_line("").unwrap(), None);
    }

    #[test]
    fn a_record_is_complete_when_every_move_has_a_score() {
        let start = "---------------------------OX------XO--------------------------- X;";
        let complete = |text: &str| parse_line(text).unwrap().unwrap().is_complete();
        assert!(complete(&format!("{start} d3:+0; c4:+0; f5:+0; e6:+0;")));
        assert!(!complete(&format!("{start} d3:+0; c4:+0; f5:+0; ??:+0;")));
        assert!(complete("8/8/8/8/8/8/8/XO6 O; pass:-64;"));
        assert!(!complete("8/8/8/8/8/8/8/XO6 O; ??:-64;"));
        assert!(!complete("8/8/8/8/8/8/8/X7 O; a1:+3;"));
    }

    #[test]
    fn a_file_is_read_with_the_numbers_of_its_lines() {
        let board = "---XXXOO--OOOOOO-XOOOOOOXXOOOOOOXXOXOOOO--XOOOOO-XOOOOOO-OOOOOOO X";
        let text = format!("% suite\n{board}; ??:-64;\n\n{board}\n{board}; ??:x;\n");
        let mut lines = parse_file(&text).map(|line| line.map(|(number, _)| number));
        assert_eq!(lines.next(), Some(Ok(2)));
        assert_eq!(lines.next(), Some(Ok(4)));
        let error = lines.next().unwrap().unwrap_err();
        assert!(error.starts_with("line 5: ") && error.ends_with(" at column 72"), "{error}");
        assert_eq!(lines.next(), None);
    }

    #[test]
    fn errors_name_the_column() {
        assert_eq!(parse_line("--- X; A1:+3;").unwrap_err().column, 4);
        let board = "---XXXOO--OOOOOO-XOOOOOOXXOOOOOOXXOXOOOO--XOOOOO-XOOOOOO-OOOOOOO X";
        assert_eq!(parse_line(&format!("{board}; A1=3;")).unwrap_err().column, 69);
    }

    #[test]
    fn a_line_prints_as_it_was_read() {
        for line in [
            "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:-2; % FFO #1",
            "---XXXOO--OOOOOO-XOOOOOOXXOOOOOOXXOXOOOO--XOOOOO-XOOOOOO-OOOOOOO O; ??:+0; PA:-64;",
            "---XXXOO--OOOOOO-XOOOOOOXXOOOOOOXXOXOOOO--XOOOOO-XOOOOOO-OOOOOOO X;",
        ] {
            assert_eq!(parse_line(line).unwrap().unwrap().to_string(), line);
        }
    }

    fn a_move() -> impl Strategy<Value = Option<Move>> {
        let square = (0..64u8).prop_filter_map("no square", Square::new);
        prop_oneof![
            square.prop_map(|square| Some(Move::Place(square))),
            Just(Some(Move::Pass)),
            Just(None)
        ]
    }

    proptest! {
        #[test]
        fn a_printed_record_is_read_back(
            game in any_game(),
            scores in vec((a_move(), -64..=64i32), 0..10),
            comment in "[ -~]{0,20}",
        ) {
            let (board, colour) = (game.board(), game.colour());
            let game = Game::from_position(board, colour);
            let record = Record { game, scores, comment: comment.trim().to_string() };
            prop_assert_eq!(parse_line(&record.to_string()), Ok(Some(record)));
        }
    }
}
