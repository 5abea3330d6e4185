//! The options, the same in every dialect: names, ranges and where each one lives in the engine's
//! settings.

use crate::book::Book;
use crate::engine::{Engine, Options};
use crate::eval::Weights;
use crate::notation::error::{Parsed, expect, quoted, refuse};
use crate::notation::words::{after_blanks, keyword, number, word};
use nom::Parser;
use nom::character::complete::multispace0;
use nom::combinator::{map, not, recognize, rest, verify};
use nom::multi::many1_count;
use nom::sequence::preceded;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// An option with a whole number.
pub struct Spin {
    /// Name, as declared.
    pub name: &'static str,
    /// Least value.
    pub min: u64,
    /// Greatest value.
    pub max: u64,
    get: fn(&Options) -> u64,
    set: fn(&mut Options, u64),
}

impl Spin {
    /// Changes the option in `options`. The value must be in range.
    pub fn set(&self, options: &mut Options, value: u64) {
        (self.set)(options, value);
    }
}

impl fmt::Debug for Spin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// The options with a number.
pub const SPINS: [Spin; 6] = [
    Spin {
        name: "Threads",
        min: *Options::THREADS.start() as u64,
        max: *Options::THREADS.end() as u64,
        get: |options| options.threads as u64,
        set: |options, value| options.threads = value as usize,
    },
    Spin {
        name: "Hash",
        min: *Options::HASH_MB.start() as u64,
        max: *Options::HASH_MB.end() as u64,
        get: |options| options.hash_mb as u64,
        set: |options, value| options.hash_mb = value as usize,
    },
    Spin {
        name: "MultiPV",
        min: *Options::MULTIPV.start() as u64,
        max: *Options::MULTIPV.end() as u64,
        get: |options| options.multipv as u64,
        set: |options, value| options.multipv = value as usize,
    },
    Spin {
        name: "Level",
        min: *Options::LEVEL.start() as u64,
        max: *Options::LEVEL.end() as u64,
        get: |options| u64::from(options.level),
        set: |options, value| options.level = value as u32,
    },
    Spin {
        name: "Move Overhead",
        min: *Options::MOVE_OVERHEAD_MS.start(),
        max: *Options::MOVE_OVERHEAD_MS.end(),
        get: |options| options.move_overhead_ms,
        set: |options, value| options.move_overhead_ms = value,
    },
    Spin {
        name: "Book Randomness",
        min: *Options::BOOK_RANDOMNESS.start() as u64,
        max: *Options::BOOK_RANDOMNESS.end() as u64,
        get: |options| u64::from(options.book_randomness),
        set: |options, value| options.book_randomness = value as u32,
    },
];

/// The button that empties the transposition table.
pub const CLEAR_HASH: &str = "Clear Hash";

/// The option with the path of a file of weights.
pub const WEIGHTS: &str = "Weights";

/// The option with the path of a book.
pub const BOOK: &str = "Book";

/// How the text of an option without a value is declared, and may be given.
pub const EMPTY: &str = "<empty>";

/// What `setoption` asks for.
#[derive(Debug)]
pub enum Setting {
    /// An option with its new value, which is in range.
    Spin(&'static Spin, u64),
    /// The button [`CLEAR_HASH`].
    ClearHash,
    /// The file of [`WEIGHTS`], `None` for those that are part of the program.
    Weights(Option<PathBuf>),
    /// The file of [`BOOK`], `None` for no book.
    Book(Option<PathBuf>),
}

/// The `option` lines of the answer to `ugi`.
pub fn declarations() -> impl Iterator<Item = String> {
    let defaults = Options::default();
    let spins = SPINS.iter().map(move |spin| {
        let Spin { name, min, max, get, .. } = spin;
        format!("option name {name} type spin default {} min {min} max {max}", get(&defaults))
    });
    let paths =
        [WEIGHTS, BOOK].map(|name| format!("option name {name} type string default {EMPTY}"));
    spins.chain([format!("option name {CLEAR_HASH} type button")]).chain(paths)
}

impl Setting {
    /// Puts the setting into force; not to be called while a search runs.
    ///
    /// # Errors
    /// One line saying what could not be set up; nothing has then changed.
    pub fn apply(&self, engine: &mut Engine) -> Result<(), String> {
        match self {
            Setting::Spin(spin, value) => {
                let mut options = engine.options().clone();
                spin.set(&mut options, *value);
                engine.set_options(options)
            }
            Setting::ClearHash => {
                engine.clear();
                Ok(())
            }
            Setting::Weights(path) => {
                engine.set_weights(Weights::load(path.as_deref())?);
                Ok(())
            }
            Setting::Book(path) => {
                engine.set_book(path.as_deref().map(Book::load).transpose()?.map(Arc::new));
                Ok(())
            }
        }
    }
}

/// Reads what follows the word `setoption`: `name NAME value VALUE`, or `name NAME` for a button.
pub fn setting(input: &str) -> Parsed<'_, Setting> {
    let (at, _) =
        preceded(after_blanks("'name' and the name of an option", keyword("name")), multispace0)
            .parse(input)?;
    let name_word = preceded(multispace0, preceded(not(keyword("value")), word));
    let name = recognize(many1_count(name_word));
    let (rest, name) = expect("the name of an option", name).parse(at)?;
    if name.eq_ignore_ascii_case(CLEAR_HASH) {
        return Ok((rest, Setting::ClearHash));
    }
    let value = |rest| preceded(after_blanks("'value'", keyword("value")), multispace0).parse(rest);
    if name.eq_ignore_ascii_case(WEIGHTS) {
        let (rest, _) = value(rest)?;
        return map(path, Setting::Weights).parse(rest);
    }
    if name.eq_ignore_ascii_case(BOOK) {
        let (rest, _) = value(rest)?;
        return map(path, Setting::Book).parse(rest);
    }
    let Some(spin) = SPINS.iter().find(|spin| spin.name.eq_ignore_ascii_case(name)) else {
        return refuse(at, format!("unknown option {}", quoted(name)));
    };
    let (rest, _) = value(rest)?;
    spin_value(rest, spin)
}

/// The rest of the line: a path may contain blanks.
fn path(input: &str) -> Parsed<'_, Option<PathBuf>> {
    map(rest, |text: &str| match text.trim_end() {
        "" | EMPTY => None,
        path => Some(PathBuf::from(path)),
    })
    .parse(input)
}

fn spin_value<'a>(at: &'a str, spin: &'static Spin) -> Parsed<'a, Setting> {
    match verify(number, |n| (spin.min..=spin.max).contains(n)).parse(at) {
        Ok((rest, value)) => Ok((rest, Setting::Spin(spin, value))),
        Err(_) => {
            let found = quoted(at.trim_end());
            refuse(at, format!("{} must be {} to {}, found {found}", spin.name, spin.min, spin.max))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_option_sets_what_it_reads_and_nothing_else() {
        for (index, spin) in SPINS.iter().enumerate() {
            let mut options = Options::default();
            spin.set(&mut options, 7);
            for (other, read) in SPINS.iter().enumerate() {
                let expected = if other == index { 7 } else { (read.get)(&Options::default()) };
                assert_eq!((read.get)(&options), expected, "{} after {}", read.name, spin.name);
            }
        }
    }

    #[test]
    fn defaults_are_in_range() {
        for spin in &SPINS {
            let default = (spin.get)(&Options::default());
            assert!((spin.min..=spin.max).contains(&default), "{}", spin.name);
        }
    }
}
