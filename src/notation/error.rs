//! The one error of every grammar: what was expected, where, and what stood there.

use nom::error::{ErrorKind, FromExternalError};
use nom::{IResult, Parser};
use std::borrow::Cow;
use std::fmt;
use std::path::Path;

/// What a grammar expected at the start of `rest`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Expected<'a> {
    /// The input from the place of the error on.
    pub rest: &'a str,
    /// Names what would have been right there, or says what is wrong.
    pub what: Cow<'static, str>,
    /// Is `what` a whole message rather than the name of something expected?
    pub complete: bool,
}

/// The result of a parser of this crate.
pub type Parsed<'a, T> = IResult<&'a str, T, Expected<'a>>;

impl<'a> nom::error::ParseError<&'a str> for Expected<'a> {
    fn from_error_kind(rest: &'a str, _: ErrorKind) -> Self {
        Expected { rest, what: Cow::Borrowed("something else"), complete: false }
    }

    fn append(_: &'a str, _: ErrorKind, other: Self) -> Self {
        other
    }
}

impl<'a, E: fmt::Display> FromExternalError<&'a str, E> for Expected<'a> {
    fn from_external_error(rest: &'a str, _: ErrorKind, error: E) -> Self {
        Expected { rest, what: Cow::Owned(error.to_string()), complete: true }
    }
}

/// Runs `parser` and, where it fails softly, says what was expected at its start.
pub fn expect<'a, T>(
    what: &'static str,
    mut parser: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
) -> impl Parser<&'a str, Output = T, Error = Expected<'a>> {
    move |input: &'a str| {
        parser.parse(input).map_err(|error| match error {
            nom::Err::Error(_) => {
                nom::Err::Error(Expected { rest: input, what: what.into(), complete: false })
            }
            other => other,
        })
    }
}

/// A final error with a whole message about the input at `rest`.
pub fn refuse<'a, T>(rest: &'a str, message: impl Into<Cow<'static, str>>) -> Parsed<'a, T> {
    Err(nom::Err::Failure(Expected { rest, what: message.into(), complete: true }))
}

/// An error in one line of text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    /// Where, counted in characters from 1.
    pub column: usize,
    /// What was expected and what stood there, or what is wrong.
    pub message: String,
}

impl fmt::Display for SyntaxError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at column {}", self.message, self.column)
    }
}

impl std::error::Error for SyntaxError {}

impl SyntaxError {
    /// An error with a whole message about the part of `line` that starts at `rest`, a suffix
    /// of it.
    pub fn at(line: &str, rest: &str, message: impl Into<String>) -> SyntaxError {
        let offset = line.len().saturating_sub(rest.len());
        let before = line.get(..offset).unwrap_or(line);
        SyntaxError { column: before.chars().count() + 1, message: message.into() }
    }

    /// The error that `error`, in a suffix of `line`, amounts to.
    pub fn expected(line: &str, error: &Expected<'_>) -> SyntaxError {
        let message = if error.complete {
            error.what.to_string()
        } else {
            format!("expected {}, found {}", error.what, excerpt(error.rest))
        };
        SyntaxError::at(line, error.rest, message)
    }
}

/// Runs a parser over a whole line; what it leaves must be blank.
///
/// # Errors
/// The place of the first thing that does not fit.
pub fn parse_all<'a, T>(
    line: &'a str,
    parser: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
) -> Result<T, SyntaxError> {
    parse_tail(line, line, parser)
}

/// As [`parse_all`] for the part of `line` that starts at `tail`, a suffix of it.
///
/// # Errors
/// The place in `line` of the first thing that does not fit.
pub fn parse_tail<'a, T>(
    line: &'a str,
    tail: &'a str,
    mut parser: impl Parser<&'a str, Output = T, Error = Expected<'a>>,
) -> Result<T, SyntaxError> {
    match parser.parse(tail) {
        Ok((rest, value)) if rest.trim_start().is_empty() => Ok(value),
        Ok((rest, _)) => {
            let rest = rest.trim_start();
            let message = format!("expected the end of the line, found {}", excerpt(rest));
            Err(SyntaxError::at(line, rest, message))
        }
        Err(nom::Err::Error(error) | nom::Err::Failure(error)) => {
            Err(SyntaxError::expected(line, &error))
        }
        Err(nom::Err::Incomplete(_)) => Err(SyntaxError::at(line, "", "the line is incomplete")),
    }
}

/// The first word of `rest` in quotes, or `the end of the line`.
pub fn excerpt(rest: &str) -> String {
    rest.split_whitespace().next().map_or_else(|| "the end of the line".into(), quoted)
}

/// A path, safe to print in one line: it may be what a client has sent.
pub fn path_text(path: &Path) -> String {
    /// More than any file system takes.
    const LONGEST: usize = 4_096;
    let text = path.to_string_lossy();
    let mut shown = String::new();
    for letter in text.chars().take(LONGEST) {
        match letter.is_control() {
            true => shown.extend(letter.escape_default()),
            false => shown.push(letter),
        }
    }
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    shown
}

/// `text` in quotes, shortened, safe to print in one line.
pub fn quoted(text: &str) -> String {
    const LONGEST: usize = 20;
    let mut shown: String = text.chars().take(LONGEST).flat_map(char::escape_default).collect();
    if text.chars().nth(LONGEST).is_some() {
        shown.push('…');
    }
    format!("'{shown}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_shown_as_it_is_but_for_what_would_spoil_the_line() {
        let shown = |path: &str| path_text(Path::new(path));
        assert_eq!(shown("a folder/é \"x\".bin"), "a folder/é \"x\".bin");
        assert_eq!(shown("a\0b\rc\x1b[2J"), r"a\u{0}b\rc\u{1b}[2J");
        assert_eq!(shown(&"x".repeat(4_096)), "x".repeat(4_096));
        assert_eq!(shown(&"x".repeat(5_000)), "x".repeat(4_096) + "…");
    }
}
