//! Values of options that several commands have.

use crate::engine::Options;
use crate::search::Selectivity;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// A number within this range.
fn within<T>(text: &str, range: RangeInclusive<T>) -> Result<T, String>
where
    T: FromStr + PartialOrd + Display,
{
    let number = text.parse().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("expected {} to {}", range.start(), range.end()))
}

/// Size of a transposition table in MiB.
pub fn hash(text: &str) -> Result<usize, String> {
    within(text, Options::HASH_MB)
}

/// Strength of a search.
pub fn level(text: &str) -> Result<u32, String> {
    within(text, Options::LEVEL)
}

/// Number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    within(text, Options::THREADS)
}

/// Number of best moves.
pub fn multipv(text: &str) -> Result<usize, String> {
    within(text, Options::MULTIPV)
}

/// Confidence of selective cuts in per cent.
pub fn selectivity(text: &str) -> Result<Selectivity, String> {
    let level = text.parse().ok().and_then(Selectivity::from_percent);
    level.ok_or_else(|| "expected 73, 87, 95, 98, 99 or 100".to_string())
}

/// A time in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    const RANGE: RangeInclusive<f64> = 0.001..=1e8;
    let number = text.parse().ok().filter(|seconds| RANGE.contains(seconds));
    number.map(Duration::from_secs_f64).ok_or_else(|| "expected 0.001 or more seconds".to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_out_of_range_are_refused() {
        assert_eq!(seconds("0.25"), Ok(Duration::from_millis(250)));
        for text in ["0", "-1", "nan", "inf", "1e300", "x", ""] {
            assert!(seconds(text).is_err(), "{text}");
        }
        for text in ["0", "61", "x", "-1"] {
            assert_eq!(level(text).unwrap_err(), "expected 1 to 60", "{text}");
            assert!(multipv(text).is_err(), "{text}");
        }
        assert!(hash("0").is_err() && hash("65537").is_err() && hash("65536").is_ok());
        assert!(threads("0").is_err() && threads("257").is_err() && threads("256").is_ok());
        assert!(selectivity("90").is_err() && selectivity("100").is_ok());
    }
}
