//! GGF, the records of games of the server GGS, which NBoard and its engines exchange too:
//! `(;GM[Othello]PB[one]PW[two]BO[8 <64 squares> *]B[F5/1.20/3.4]W[F6//2];)`.
//!
//! In the board `*` is black, `O` white, `-` empty, the last letter the side to move. A move is
//! square[/eval[/time]], a pass `PA`.

use super::error::{Parsed, SyntaxError, expect, parse_all, refuse};
use super::moves::{lone_move, or_refuse};
use super::position::{lettered, position};
use crate::game::{Colour, Game, Move};
use crate::score::Score;
use nom::Parser;
use nom::bytes::complete::{tag, take_till, take_while1};
use nom::character::complete::{char, digit1, multispace0, multispace1};
use nom::combinator::{cut, opt};
use nom::multi::many1;
use nom::sequence::{delimited, pair, preceded, terminated};
use std::fmt;
use std::time::Duration;

/// A game with what its record tells about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ggf {
    /// Names and values of the other properties (`PB`, `PW`, `RE` …) in their order.
    pub tags: Vec<(String, String)>,
    /// The game, all moves played.
    pub game: Game,
    /// The moves and passes as they are written.
    pub moves: Vec<AnnotatedMove>,
}

/// A move with what its player thought of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnnotatedMove {
    /// Who moved.
    pub colour: Colour,
    /// Square or pass.
    pub mv: Move,
    /// Value for the mover, in centidiscs.
    pub eval: Option<Score>,
    /// Time that the move took, in ms.
    pub time: Option<Duration>,
}

/// Does this look like a record, or a number of records and the first one?
pub fn begins(input: &str) -> bool {
    opening(input).is_ok()
}

fn opening(input: &str) -> Parsed<'_, &str> {
    let count = pair(digit1, multispace1);
    preceded((multispace0, opt(count)), tag("(;")).parse(input)
}

/// Reads a line with one record.
///
/// # Errors
/// The place of the first thing that does not fit.
pub fn parse(line: &str) -> Result<Ggf, SyntaxError> {
    parse_all(line, ggf)
}

/// One or more records.
pub fn ggfs(input: &str) -> Parsed<'_, Vec<Ggf>> {
    many1(ggf).parse(input)
}

/// One record. Before it may stand a number, that of the records in a line of a GGS archive.
pub fn ggf(input: &str) -> Parsed<'_, Ggf> {
    let (mut rest, _) =
        preceded(multispace0, expect("a game record '(;'", opening)).parse(input)?;
    let mut record = Ggf { tags: Vec::new(), game: Game::new(), moves: Vec::new() };
    loop {
        let (at, _) = multispace0(rest)?;
        if let (rest, Some(_)) = opt(tag(";)")).parse(at)? {
            return Ok((rest, record));
        }
        let (value, name) = cut(property_name).parse(at)?;
        (rest, _) = terminated(
            |value| record.read(at, name, value),
            cut(expect("']'", preceded(multispace0, char(']')))),
        )
        .parse(value)?;
    }
}

fn property_name(input: &str) -> Parsed<'_, &str> {
    let name = take_while1(|c: char| c.is_ascii_alphanumeric());
    expect("a property such as B[F5], or ';)'", terminated(name, char('['))).parse(input)
}

fn text(input: &str) -> Parsed<'_, &str> {
    take_till(|c| c == ']').parse(input)
}

impl Ggf {
    /// Reads the value of the property at `at` up to its bracket and adds the property.
    fn read<'a>(&mut self, at: &'a str, name: &str, value: &'a str) -> Parsed<'a, ()> {
        match name {
            "GM" => {
                let (rest, kind) = text(value)?;
                let known = ["othello", "reversi"].iter().any(|k| kind.eq_ignore_ascii_case(k));
                if known { Ok((rest, ())) } else { refuse(value, "the game is not Othello") }
            }
            "BO" if self.moves.is_empty() => {
                let (rest, game) = board(value)?;
                self.game = game;
                Ok((rest, ()))
            }
            "BO" => refuse(at, "a board after the first move"),
            "B" => self.play(Colour::Black, value),
            "W" => self.play(Colour::White, value),
            _ => {
                let (rest, value) = text(value)?;
                self.tags.push((name.to_string(), value.to_string()));
                Ok((rest, ()))
            }
        }
    }

    fn play<'a>(&mut self, colour: Colour, value: &'a str) -> Parsed<'a, ()> {
        let (at, _) = multispace0(value)?;
        let (rest, (mv, eval, time)) = annotated_move(at)?;
        or_refuse(at, self.game.accept_from(colour, mv))?;
        self.moves.push(AnnotatedMove { colour, mv, eval, time });
        Ok((rest, ()))
    }
}

/// square[/eval[/time]]: eval in discs for the mover, time in seconds; what is no number in their
/// place says nothing.
pub fn annotated_move(input: &str) -> Parsed<'_, (Move, Option<Score>, Option<Duration>)> {
    let (rest, mv) = cut(lone_move).parse(input)?;
    let (rest, eval) = opt(preceded(char('/'), field)).parse(rest)?;
    let (rest, time) = opt(preceded(char('/'), field)).parse(rest)?;
    let eval = eval.and_then(number).map(score);
    let time = time.and_then(number).and_then(duration);
    Ok((rest, (mv, eval, time)))
}

fn field(input: &str) -> Parsed<'_, &str> {
    take_till(|c| "/]".contains(c)).parse(input)
}

/// The size, then the board.
fn board(input: &str) -> Parsed<'_, Game> {
    let size = delimited(multispace0, tag("8"), multispace1);
    let (rest, _) = cut(expect("a board of size 8", size)).parse(input)?;
    let (rest, (board, colour)) = cut(position).parse(rest)?;
    Ok((rest, Game::from_position(board, colour)))
}

/// Programs write many things into these fields; what is no number says nothing.
fn number(text: &str) -> Option<f64> {
    text.trim().parse().ok().filter(|number: &f64| number.is_finite())
}

fn score(discs: f64) -> Score {
    let centidiscs = (discs * 100.0).round().clamp(-1e6, 1e6) as i32;
    Score::from_centidiscs(centidiscs).clamped()
}

fn duration(seconds: f64) -> Option<Duration> {
    const LONGEST: f64 = 1e9;
    (0.0..=LONGEST)
        .contains(&seconds)
        .then(|| Duration::from_millis((seconds * 1e3).round() as u64))
}

/// A record with the game alone.
impl From<&Game> for Ggf {
    fn from(game: &Game) -> Ggf {
        let result = if game.is_over() {
            format!("{:+.3}", f64::from(game.outcome().black_score))
        } else {
            "?".to_string()
        };
        let tags =
            [("PC", "outflank"), ("PB", "black"), ("PW", "white"), ("RE", &result), ("TY", "8")];
        let moves = game.plies();
        Ggf {
            tags: tags.map(|(name, value)| (name.to_string(), value.to_string())).to_vec(),
            game: game.clone(),
            moves: moves
                .map(|(colour, mv)| AnnotatedMove { colour, mv, eval: None, time: None })
                .collect(),
        }
    }
}

/// The record in one line.
impl fmt::Display for Ggf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(;GM[Othello]")?;
        for (name, value) in &self.tags {
            write!(f, "{name}[{value}]")?;
        }
        let (board, colour) = self.game.start();
        let start = Game::from_position(board, colour);
        write!(f, "BO[8 {}]", lettered(&start, ['*', 'O', '-']))?;
        for mv in &self.moves {
            write!(f, "{}[{}]", ["B", "W"][mv.colour as usize], Written(mv))?;
        }
        f.write_str(";)")
    }
}

/// A move as records and NBoard write it: `F5/1.20/3.400`, a pass `PA`.
pub struct Written<'a>(pub &'a AnnotatedMove);

impl fmt::Display for Written<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnnotatedMove { mv, eval, time, .. } = self.0;
        f.write_str(&upper_case(*mv))?;
        match eval {
            Some(eval) => write!(f, "/{:.2}", eval.discs())?,
            None if time.is_some() => f.write_str("/")?,
            None => {}
        }
        time.map_or(Ok(()), |time| write!(f, "/{:.3}", time.as_secs_f64()))
    }
}

/// `F5`, or `PA` for a pass.
pub fn upper_case(mv: Move) -> String {
    match mv {
        Move::Place(square) => square.to_string().to_uppercase(),
        Move::Pass => "PA".to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::moves::transcript;
    use crate::notation::position::parse_position;
    use crate::notation::testing::any_game;
    use proptest::prelude::*;

    const RECORD: &str = "(;GM[Othello]PC[GGS/os]DT[1999]PB[one]PW[two]RE[?]TI[15:00]TY[8]\
        BO[8 ---------------------------O*------*O--------------------------- *]\
        B[F5/1.20/3.4]W[F6//2]B[e6/-3];)";

    #[test]
    fn a_record_with_values_and_times() {
        let record = parse(RECORD).unwrap();
        assert_eq!(transcript(&record.game), "f5f6e6");
        assert!(record.tags.contains(&("PB".to_string(), "one".to_string())));
        let values: Vec<_> = record.moves.iter().map(|m| m.eval.map(Score::centidiscs)).collect();
        assert_eq!(values, [Some(120), None, Some(-300)]);
        let times: Vec<_> = record.moves.iter().map(|m| m.time.map(|t| t.as_millis())).collect();
        assert_eq!(times, [Some(3_400), Some(2_000), None]);
        let written: Vec<_> = record.moves.iter().map(|m| Written(m).to_string()).collect();
        assert_eq!(written, ["F5/1.20/3.400", "F6//2.000", "E6/-3.00"]);
    }

    #[test]
    fn a_game_may_end_with_a_pass() {
        let text = format!("(;GM[Othello]BO[8 O*{:-<62} *]B[PA];)", "");
        let record = parse(&text).unwrap();
        assert_eq!(record.game.colour(), Colour::White);
        assert_eq!(record.game.plies().len(), 1);
        for pass in ["pass", "Pas", "pa", "P", "--"] {
            let again = parse(&text.replace("[PA]", &format!("[{pass}//0.1]"))).unwrap();
            assert_eq!(again.game, record.game, "{pass}");
        }
    }

    #[test]
    fn a_pass_that_is_left_out_is_implied() {
        let text = format!("(;GM[Othello]BO[8 O*{:-<62} *]W[C1];)", "");
        let expected = parse_position(&format!("OX{:-<62} X", "")).unwrap();
        let record = parse(&text).unwrap();
        assert_eq!(record.game.start(), expected.start());
        assert!(record.game.is_over());
    }

    #[test]
    fn several_records_may_stand_together() {
        for text in
            [RECORD.repeat(2), format!("2 {RECORD} {RECORD}"), format!("\n{RECORD}\r\n{RECORD}")]
        {
            assert!(begins(&text));
            assert_eq!(parse_all(&text, ggfs).unwrap().len(), 2, "{text}");
        }
        assert!(!begins("2 f5"));
    }

    #[test]
    fn errors_name_the_place_and_the_reason() {
        let first = RECORD.split("BO").next().unwrap();
        let board = &RECORD[first.len()..RECORD.find("B[F5").unwrap()];
        for (text, error) in [
            ("f5", "expected a game record '(;', found 'f5' at column 1".to_string()),
            ("(;GM[Go];)", "the game is not Othello at column 6".to_string()),
            (
                "(;GM[Othello]B[F9];)",
                "expected a move (a1 to h8, or pass), found 'F9];)' at column 16".to_string(),
            ),
            ("(;B[F5]W[A1];)", "illegal move: a1 flips nothing for white at column 10".to_string()),
            ("(;B[F5]B[D6];)", "illegal move: it is not black's turn at column 10".to_string()),
            (
                "(;B[F5]W[PA];)",
                "illegal move: white has a move and may not pass at column 10".to_string(),
            ),
            (
                "(;B[F5]",
                "expected a property such as B[F5], or ';)', found the end of the line at column 8"
                    .to_string(),
            ),
            ("(;B[F5", "expected ']', found the end of the line at column 7".to_string()),
            ("(;BO[10 *];)", "expected a board of size 8, found '10' at column 6".to_string()),
            ("(;BO[8 8/8 *];)", "expected 64 squares, found 16 at column 11".to_string()),
            (
                &format!("{first}B[F5]{board};)"),
                format!("a board after the first move at column {}", first.len() + 6),
            ),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), error, "{text}");
        }
    }

    #[test]
    fn what_is_no_number_says_nothing() {
        let record = parse("(;B[F5/book/soon]W[d6/nan/-1]B[C3/inf/1e99]W[D3/1e9];)").unwrap();
        assert!(record.moves.iter().all(|mv| mv.time.is_none()));
        assert!(record.moves[..3].iter().all(|mv| mv.eval.is_none()));
        assert_eq!(record.moves[3].eval, Some(Score::MAX));
    }

    #[test]
    fn a_finished_game_carries_its_result() {
        let game = parse_position("XXXXXXXX/8/8/8/8/8/8/8 O").unwrap();
        assert!(Ggf::from(&game).to_string().contains("RE[+64.000]"));
        assert!(Ggf::from(&Game::new()).to_string().contains("RE[?]"));
    }

    proptest! {
        #[test]
        fn a_printed_record_is_read_back(
            game in any_game(),
            notes in proptest::collection::vec(
                (proptest::option::of(-6400..=6400i32), proptest::option::of(0..10_000_000u64)),
                70,
            ),
        ) {
            let mut record = Ggf::from(&game);
            for (mv, (eval, time)) in record.moves.iter_mut().zip(notes) {
                mv.eval = eval.map(Score::from_centidiscs);
                mv.time = time.map(Duration::from_millis);
            }
            prop_assert_eq!(parse(&record.to_string()), Ok(record));
        }
    }
}
