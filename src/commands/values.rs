//! Values of options that several commands have.

use crate::engine::Options;
use crate::search::Selectivity;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

/// Reads a number within this range. An option names its type `T`: clap compares that with the type
/// of its field only when it runs.
pub fn within<T>(range: RangeInclusive<T>) -> impl Fn(&str) -> Result<T, String> + Clone
where
    T: FromStr + PartialOrd + Display + Clone,
{
    move |text| {
        let number = text.parse().ok().filter(|number| range.contains(number));
        number.ok_or_else(|| format!("expected {} to {}", range.start(), range.end()))
    }
}

/// Size of a transposition table in MiB.
pub fn hash(text: &str) -> Result<usize, String> {
    within(Options::HASH_MB)(text)
}

/// Strength of a search.
pub fn level(text: &str) -> Result<u32, String> {
    within(Options::LEVEL)(text)
}

/// Number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    within(Options::THREADS)(text)
}

/// Number of best moves.
pub fn multipv(text: &str) -> Result<usize, String> {
    within(Options::MULTIPV)(text)
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
        for text in ["1s", "4", "21", ""] {
            assert_eq!(within(5..=20_u8)(text).unwrap_err(), "expected 5 to 20", "{text}");
        }
        assert_eq!((within(5..=20)("5"), within(5..=20)("20")), (Ok(5), Ok(20)));
        assert!(hash("0").is_err() && hash("65537").is_err() && hash("65536").is_ok());
        assert!(threads("0").is_err() && threads("257").is_err() && threads("256").is_ok());
        assert!(selectivity("90").is_err() && selectivity("100").is_ok());
    }
}
