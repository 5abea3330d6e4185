//! Public test suites, which lie beside the checkout and are not part of it.

use outflank::notation::obf::{self, Record};
use std::io::Write;
use std::path::Path;

/// The positions of a suite, or `None`, said aloud, where the suite is not at hand.
pub fn suite(name: &str) -> Option<Vec<Record>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/data").join(name);
    let Ok(text) = std::fs::read_to_string(&path) else {
        // Not eprintln!, which the test runner hides when a test passes.
        let _ = writeln!(std::io::stderr(), "SKIPPED: ../shared/data/{name} is not here");
        return None;
    };
    Some(text.lines().filter_map(|line| obf::parse_line(line).unwrap()).collect())
}
