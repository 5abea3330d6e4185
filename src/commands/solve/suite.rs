//! The positions that are asked for.

use crate::commands::convert::not_obf;
use crate::commands::files::read;
use crate::notation::obf::{self, Record};
use std::path::{Path, PathBuf};

/// Positions of a file by their numbers, both ends included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Range {
    /// Number of the first one, from 1.
    pub first: usize,
    /// Number of the last one.
    pub last: usize,
}

impl Range {
    /// All positions.
    pub const ALL: Range = Range { first: 1, last: usize::MAX };
}

/// One position to search.
#[derive(Debug)]
pub struct Task {
    /// The file it is from.
    pub file: PathBuf,
    /// Its line in the file, from 1.
    pub line: usize,
    /// Its number among the positions of the file, from 1.
    pub number: usize,
    /// The position and its scores.
    pub record: Record,
}

/// The positions of the files in order.
///
/// # Errors
/// One line with the file, the line and the column of the first thing that does not fit; no
/// position is left.
pub fn tasks(files: &[PathBuf], range: Range) -> Result<Vec<Task>, String> {
    let mut tasks = Vec::new();
    for file in files {
        // A comment may be in any encoding; a bad byte elsewhere is an error with its place.
        let bytes = read(file)?;
        let positions = positions(file, &String::from_utf8_lossy(&bytes))
            .map_err(|error| not_obf(file, &bytes, error))?;
        tasks.extend(
            positions.into_iter().filter(|task| (range.first..=range.last).contains(&task.number)),
        );
    }
    if tasks.is_empty() {
        let names: Vec<String> = files.iter().map(|file| name(file)).collect();
        return Err(format!("no positions to search in {}", names.join(", ")));
    }
    Ok(tasks)
}

/// The file's name in messages.
fn name(file: &Path) -> String {
    if file == Path::new("-") { "standard input".to_string() } else { file.display().to_string() }
}

fn positions(file: &Path, text: &str) -> Result<Vec<Task>, String> {
    let lines = (1..).zip(obf::parse_file(text));
    let task = |(number, line): (usize, Result<(usize, Record), String>)| {
        let (line, record) = line.map_err(|error| format!("{}: {error}", name(file)))?;
        Ok(Task { file: file.to_path_buf(), line, number, record })
    };
    lines.map(task).collect()
}
