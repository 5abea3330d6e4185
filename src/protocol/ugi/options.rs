//! The options: names, ranges and where each one lives in the engine's settings.

use crate::engine::Options;
use std::fmt;
use std::path::PathBuf;

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
pub const SPINS: [Spin; 4] = [
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
];

/// The button that empties the transposition table.
pub const CLEAR_HASH: &str = "Clear Hash";

/// The option with the path of a file of weights.
pub const WEIGHTS: &str = "Weights";

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
}

/// The `option` lines of the answer to `ugi`.
pub fn declarations() -> impl Iterator<Item = String> {
    let defaults = Options::default();
    let spins = SPINS.iter().map(move |spin| {
        let Spin { name, min, max, get, .. } = spin;
        format!("option name {name} type spin default {} min {min} max {max}", get(&defaults))
    });
    let weights = format!("option name {WEIGHTS} type string default {EMPTY}");
    spins.chain([format!("option name {CLEAR_HASH} type button"), weights])
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
