//! What the grammars of several dialects have in common: words, numbers, what follows a command.

use crate::notation::SyntaxError;
use crate::notation::error::{Expected, Parsed, expect, parse_tail};
use nom::Parser;
use nom::bytes::complete::{tag, take_till1};
use nom::character::complete::{digit1, multispace0};
use nom::combinator::{cut, map, not, peek, verify};
use nom::sequence::{preceded, terminated};

/// The part of a line after the command's word.
#[derive(Clone, Copy)]
pub struct Words<'a> {
    /// The whole line, for the columns of errors.
    pub line: &'a str,
    /// What has not been read.
    pub rest: &'a str,
}

impl<'a> Words<'a> {
    /// Reads all of the rest.
    ///
    /// # Errors
    /// The place of the first thing that does not fit.
    pub fn parse<T>(
        self,
        parser: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
    ) -> Result<T, SyntaxError> {
        parse_tail(self.line, self.rest, parser)
    }

    /// `command` if nothing follows its word.
    ///
    /// # Errors
    /// The place of the first thing that follows.
    pub fn none<T>(self, command: T) -> Result<T, SyntaxError> {
        self.parse(multispace0).map(|_| command)
    }
}

/// Anything up to the next blank.
pub fn word(input: &str) -> Parsed<'_, &str> {
    take_till1(char::is_whitespace).parse(input)
}

/// A whole word, given.
pub fn keyword<'a>(
    name: &'static str,
) -> impl Parser<&'a str, Output = &'a str, Error = Expected<'a>> {
    preceded(multispace0, terminated(tag(name), word_end))
}

/// The end of a word.
pub fn word_end(input: &str) -> Parsed<'_, ()> {
    not(peek(verify(word, |word: &str| !word.is_empty()))).parse(input)
}

/// A word of digits; what is too large counts as the largest number.
pub fn number(input: &str) -> Parsed<'_, u64> {
    let digits = terminated(digit1, word_end);
    // Digits alone can only be too large.
    map(digits, |digits: &str| digits.parse().unwrap_or(u64::MAX)).parse(input)
}

/// What `parser` reads after blanks; an error points behind them.
pub fn after_blanks<'a, T>(
    what: &'static str,
    parser: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Expected<'a>> {
    preceded(multispace0, expect(what, parser))
}

/// A number from `min` to `max` after blanks.
pub fn ranged<'a>(
    what: &'static str,
    min: u64,
    max: u64,
) -> impl Parser<&'a str, Output = u64, Error = Expected<'a>> {
    cut(after_blanks(what, verify(number, move |n| (min..=max).contains(n))))
}
