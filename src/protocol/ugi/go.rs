//! The arguments of `go`: grammar, and what they mean for the side on turn.

use crate::game::Colour;
use crate::notation::SyntaxError;
use crate::notation::error::{Expected, Parsed, quoted, refuse};
use crate::notation::words::{Words, after_blanks, number, ranged, word};
use crate::search::{Clock, Limits, Selectivity};
use nom::Parser;
use nom::branch::alt;
use nom::character::complete::{char, multispace0};
use nom::combinator::{cut, map, map_opt, value};
use nom::sequence::preceded;
use std::time::Duration;

/// Times above this count as this (three years): sums of them stay far from any overflow.
const LONGEST: u64 = 100_000_000_000;

/// The greatest depth that can make a difference (plies).
const DEEPEST: u64 = 60;

/// What `go` asks for, before it is known who is on turn.
#[derive(Debug)]
pub struct Go {
    limits: Limits,
    /// The clocks of Black and White, or why there is none.
    clocks: [Result<Option<Clock>, SyntaxError>; 2],
}

impl Go {
    /// The limits of a search for `colour`; `level` holds if nothing else ends the search.
    ///
    /// # Errors
    /// A clock was given, but not the time of `colour`.
    pub fn limits(&self, colour: Colour, level: u32) -> Result<Limits, SyntaxError> {
        let [black, white] = &self.clocks;
        let clock = match colour {
            Colour::Black => black.clone()?,
            Colour::White => white.clone()?,
        };
        let mut limits = Limits { clock, ..self.limits.clone() };
        let Limits { depth, nodes, time, clock, level: own_level, infinite, .. } = &limits;
        let bounded = depth.is_some() || nodes.is_some() || time.is_some() || clock.is_some();
        if !bounded && own_level.is_none() && !infinite {
            limits.level = Some(level);
        }
        Ok(limits)
    }
}

/// Reads what follows the word `go`.
///
/// # Errors
/// The first argument that is unknown, given twice, out of range or without its number.
pub fn read(words: Words<'_>) -> Result<Go, SyntaxError> {
    let given = words.parse(arguments)?;
    let clocks = [Colour::Black, Colour::White].map(|colour| given.clock(words, colour));
    Ok(Go { limits: given.limits, clocks })
}

/// The arguments as they stand in the line.
#[derive(Default)]
struct Given<'a> {
    limits: Limits,
    times: [Option<Duration>; 2],
    increments: [Option<Duration>; 2],
    /// The first argument about a clock.
    first_of_clocks: Option<&'a str>,
}

impl Given<'_> {
    fn clock(&self, words: Words<'_>, colour: Colour) -> Result<Option<Clock>, SyntaxError> {
        let increment = self.increments[colour as usize].unwrap_or_default();
        match (self.times[colour as usize], self.first_of_clocks) {
            (Some(remaining), _) => Ok(Some(Clock { remaining, increment, byo_yomi: None })),
            (None, None) => Ok(None),
            (None, Some(at)) => {
                let name = ["p1time", "p2time"][colour as usize];
                let message = format!("expected {name} too, since it is {colour}'s turn");
                Err(SyntaxError::at(words.line, at, message))
            }
        }
    }
}

#[derive(Clone, Copy)]
enum Argument {
    Time(Colour, Duration),
    Increment(Colour, Duration),
    MoveTime(Duration),
    Depth(u32),
    Nodes(u64),
    Level(u32),
    Selectivity(Selectivity),
    Infinite,
}

fn arguments(mut input: &str) -> Parsed<'_, Given<'_>> {
    let mut given = Given::default();
    loop {
        let (at, _) = multispace0(input)?;
        if at.is_empty() {
            return Ok((at, given));
        }
        let (rest, argument) = argument(at)?;
        if !given.add(at, argument) {
            let (_, name) = word(at)?;
            return refuse(at, format!("{name} is given twice"));
        }
        input = rest;
    }
}

impl<'a> Given<'a> {
    /// Adds an argument that stands at `at`; false if there is one of its kind already.
    fn add(&mut self, at: &'a str, argument: Argument) -> bool {
        if matches!(argument, Argument::Time(..) | Argument::Increment(..)) {
            self.first_of_clocks.get_or_insert(at);
        }
        match argument {
            Argument::Time(colour, time) => put(&mut self.times[colour as usize], time),
            Argument::Increment(colour, time) => put(&mut self.increments[colour as usize], time),
            Argument::MoveTime(time) => put(&mut self.limits.time, time),
            Argument::Depth(depth) => put(&mut self.limits.depth, depth),
            Argument::Nodes(nodes) => put(&mut self.limits.nodes, nodes),
            Argument::Level(level) => put(&mut self.limits.level, level),
            Argument::Selectivity(level) => put(&mut self.limits.selectivity, level),
            Argument::Infinite => !std::mem::replace(&mut self.limits.infinite, true),
        }
    }
}

fn put<T>(slot: &mut Option<T>, value: T) -> bool {
    slot.replace(value).is_none()
}

fn argument(input: &str) -> Parsed<'_, Argument> {
    let (rest, name) = word(input)?;
    match name {
        "p1time" | "btime" => map(time, |t| Argument::Time(Colour::Black, t)).parse(rest),
        "p2time" | "wtime" => map(time, |t| Argument::Time(Colour::White, t)).parse(rest),
        "p1inc" | "binc" => map(time, |t| Argument::Increment(Colour::Black, t)).parse(rest),
        "p2inc" | "winc" => map(time, |t| Argument::Increment(Colour::White, t)).parse(rest),
        "movetime" => map(time, Argument::MoveTime).parse(rest),
        "depth" => map(at_least_one("a depth in plies (1 or more)"), |depth| {
            Argument::Depth(depth.min(DEEPEST) as u32)
        })
        .parse(rest),
        "nodes" => map(at_least_one("a number of nodes (1 or more)"), Argument::Nodes).parse(rest),
        "level" => map(ranged("a level (1 to 60)", 1, 60), |level| Argument::Level(level as u32))
            .parse(rest),
        "selectivity" => map(selectivity, Argument::Selectivity).parse(rest),
        "infinite" => Ok((rest, Argument::Infinite)),
        _ => refuse(input, format!("unknown limit {}", quoted(name))),
    }
}

fn at_least_one<'a>(
    what: &'static str,
) -> impl Parser<&'a str, Output = u64, Error = Expected<'a>> {
    ranged(what, 1, u64::MAX)
}

/// Milliseconds. A manager may count a little below zero when time runs out: that is no time.
fn time(input: &str) -> Parsed<'_, Duration> {
    let overdrawn = value(0, preceded(char('-'), number));
    let time = map(alt((number, overdrawn)), |ms| Duration::from_millis(ms.min(LONGEST)));
    cut(after_blanks("a time in milliseconds", time)).parse(input)
}

fn selectivity(input: &str) -> Parsed<'_, Selectivity> {
    let level = map_opt(number, |n| Selectivity::from_percent(u32::try_from(n).ok()?));
    cut(after_blanks("a selectivity (73, 87, 95, 98, 99 or 100)", level)).parse(input)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits_of(text: &str, colour: Colour) -> Result<Limits, String> {
        let words = Words { line: text, rest: text };
        read(words).and_then(|go| go.limits(colour, 21)).map_err(|error| error.to_string())
    }

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn without_an_end_the_level_option_holds() {
        let level = Limits { level: Some(21), ..Limits::default() };
        assert_eq!(limits_of("", Colour::Black), Ok(level.clone()));
        let selectivity = Selectivity::from_percent(95);
        assert_eq!(
            limits_of(" selectivity 95", Colour::Black),
            Ok(Limits { selectivity, ..level })
        );
        let own = Limits { level: Some(3), ..Limits::default() };
        assert_eq!(limits_of(" level 3", Colour::Black), Ok(own));
        let endless = Limits { infinite: true, ..Limits::default() };
        assert_eq!(limits_of(" infinite", Colour::White), Ok(endless));
    }

    #[test]
    fn arguments_combine_in_any_order() {
        let expected = Limits {
            depth: Some(8),
            nodes: Some(900),
            time: Some(70 * MS),
            clock: Some(Clock { remaining: 60 * MS, increment: 4 * MS, byo_yomi: None }),
            level: Some(9),
            selectivity: Selectivity::from_percent(73),
            infinite: false,
        };
        let words = ["p2time 60", "movetime 70", "p2inc 4", "depth 8", "nodes 900", "level 9"];
        let mut words = [words.as_slice(), &["selectivity 73", "p1time 1"]].concat();
        for _ in 0..words.len() {
            words.rotate_left(1);
            let text = format!(" {}", words.join("  "));
            assert_eq!(limits_of(&text, Colour::White), Ok(expected.clone()), "{text}");
        }
    }

    #[test]
    fn each_side_has_its_own_clock() {
        for text in [" p1time 9 p2time 8 p1inc 7 p2inc 6", " winc 6 binc 7 wtime 8 btime 9"] {
            for (colour, remaining, increment) in [(Colour::Black, 9, 7), (Colour::White, 8, 6)] {
                let (remaining, increment) = (remaining * MS, increment * MS);
                let clock = Clock { remaining, increment, byo_yomi: None };
                assert_eq!(limits_of(text, colour).unwrap().clock, Some(clock), "{text}");
            }
        }
    }

    #[test]
    fn only_the_other_sides_time_is_an_error() {
        let error = "expected p2time too, since it is white's turn at column 10";
        for text in [" depth 4 p1time 5", " depth 4 btime 5", " depth 4 p2inc 5"] {
            assert_eq!(limits_of(text, Colour::White), Err(error.to_string()), "{text}");
        }
        assert!(limits_of(" depth 4 p1time 5", Colour::Black).is_ok());
    }

    #[test]
    fn huge_numbers_are_as_good_as_no_limit() {
        let text = " depth 99999999999999999999999 nodes 99999999999999999999999";
        let limits = limits_of(text, Colour::Black).unwrap();
        assert_eq!((limits.depth, limits.nodes), (Some(60), Some(u64::MAX)));
        let limits = limits_of(" movetime 99999999999999999999", Colour::Black).unwrap();
        assert_eq!(limits.time, Some(Duration::from_millis(LONGEST)));
        let limits = limits_of(" movetime -35", Colour::Black).unwrap();
        assert_eq!(limits.time, Some(Duration::ZERO));
    }

    #[test]
    fn errors_name_the_place_and_what_belongs_there() {
        for (text, error) in [
            (
                " depth",
                "expected a depth in plies (1 or more), found the end of the line at column 7",
            ),
            (" depth 0", "expected a depth in plies (1 or more), found '0' at column 8"),
            (" depth 3x", "expected a depth in plies (1 or more), found '3x' at column 8"),
            (" depth3", "unknown limit 'depth3' at column 2"),
            (" depth 3 ponder", "unknown limit 'ponder' at column 10"),
            (" depth 3 depth 4", "depth is given twice at column 10"),
            (" p1time 3 btime 4", "btime is given twice at column 11"),
            (" infinite infinite", "infinite is given twice at column 11"),
            (" nodes -1", "expected a number of nodes (1 or more), found '-1' at column 8"),
            (" movetime x", "expected a time in milliseconds, found 'x' at column 11"),
            (" level 61", "expected a level (1 to 60), found '61' at column 8"),
            (
                " selectivity 74",
                "expected a selectivity (73, 87, 95, 98, 99 or 100), found '74' at column 14",
            ),
        ] {
            assert_eq!(limits_of(text, Colour::Black).unwrap_err(), error, "{text}");
        }
    }
}
