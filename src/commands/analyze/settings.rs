//! What determines the output beside the program: kept in it, so that a later run can tell
//! whether it would go on with the same.

use super::Arguments;
use super::plan::Plan;
use crate::eval::Weights;
use crate::training::game_file::weights_checksum;
use serde::Serialize;
use serde_json::{Map, Value};

/// The settings of a run; those that are not given are left out.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    version: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    depth: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_ms: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    selectivity: Option<u8>,
    multipv: usize,
    blunder_cd: i32,
    hash_mb: usize,
    weights: String,
    input: String,
}

impl Settings {
    /// The settings that these arguments ask for.
    pub fn new(arguments: &Arguments, plan: &Plan, weights: &Weights) -> Settings {
        let limits = arguments.limits();
        Settings {
            version: env!("CARGO_PKG_VERSION"),
            level: limits.level,
            depth: limits.depth,
            time_ms: limits.time.map(|time| time.as_millis() as u64),
            selectivity: limits.selectivity.map(|selectivity| selectivity.percent()),
            multipv: arguments.multipv,
            blunder_cd: arguments.blunder.centidiscs(),
            hash_mb: arguments.hash,
            weights: format!("{:08x}", weights_checksum(weights)),
            input: format!("{:08x}", plan.checksum()),
        }
    }

    fn map(&self) -> Map<String, Value> {
        match serde_json::to_value(self) {
            Ok(Value::Object(map)) => map,
            _ => Map::new(),
        }
    }

    /// Checks those of an earlier run.
    ///
    /// # Errors
    /// What differs, in a few words.
    pub fn expect(&self, theirs: &str) -> Result<(), String> {
        let theirs = pairs(theirs);
        let ours = self.to_string();
        let ours = pairs(&ours);
        let value = |of: &[(&str, &str)], name| {
            let pair = of.iter().find(|pair| pair.0 == name);
            pair.map_or("none".to_string(), |pair| pair.1.to_string())
        };
        if value(&theirs, "input") != value(&ours, "input") {
            return Err("made from another input".into());
        }
        let mut names: Vec<&str> = ours.iter().chain(&theirs).map(|pair| pair.0).collect();
        names.sort();
        names.dedup();
        let differs = names.iter().find(|name| value(&ours, name) != value(&theirs, name));
        differs.map_or(Ok(()), |name| {
            let (there, here) = (value(&theirs, name), value(&ours, name));
            Err(format!("made with other settings: {name} {there} there, {here} here"))
        })
    }
}

/// Names and values of settings as they are printed.
fn pairs(text: &str) -> Vec<(&str, &str)> {
    text.split(' ').filter_map(|pair| pair.split_once('=')).collect()
}

/// `blunder_cd=600 hash_mb=16 …`
impl std::fmt::Display for Settings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&settings_text(&self.map()))
    }
}

/// The settings of a JSON object as they are printed.
pub fn settings_text(map: &Map<String, Value>) -> String {
    let pair = |(name, value): (&String, &Value)| match value {
        Value::String(text) => format!("{name}={text}"),
        other => format!("{name}={other}"),
    };
    map.iter().map(pair).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// Settings with this level.
    pub fn settings(level: u32) -> Settings {
        Settings {
            version: "1",
            level: Some(level),
            depth: None,
            time_ms: None,
            selectivity: None,
            multipv: 1,
            blunder_cd: 600,
            hash_mb: 16,
            weights: "12".into(),
            input: "ab".into(),
        }
    }

    #[test]
    fn other_settings_are_named() {
        let ours = settings(3);
        let text = ours.to_string();
        assert_eq!(ours.expect(&text), Ok(()));
        let error = |there: &str, here| ours.expect(&text.replace(there, here)).unwrap_err();
        let reason = "made with other settings: level 4 there, 3 here";
        assert_eq!(error("level=3", "level=4"), reason);
        let reason = "made with other settings: depth 4 there, none here";
        assert_eq!(error("level=3", "level=3 depth=4"), reason);
        assert_eq!(error("input=ab", "input=ac"), "made from another input");
        assert_eq!(ours.expect("").unwrap_err(), "made from another input");
    }
}
