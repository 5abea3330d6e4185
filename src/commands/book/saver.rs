//! Writes a book now and then.

use crate::book::Contents;
use crate::book::format::encode;
use crate::commands::files;
use crate::notation::error::path_text;
use std::fs::File;
use std::io::{self, ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::{Duration, Instant};

/// Time between two writes to the file: what a killed process loses at most, beside the searches
/// under way. A book that takes long to write is written more seldom.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// At most this part of the time goes into writing.
const SAVE_PART: u32 = 50;

/// Writes a book to its file, as long as nobody else does.
pub struct Saver<'p> {
    path: &'p Path,
    /// What the file was when it was read or written last.
    known: Option<Stamp>,
    last: Instant,
    pause: Duration,
}

/// Length of a file and the checksum at its end: enough to tell two books apart.
type Stamp = (u64, Vec<u8>);

const CHECKSUM_BYTES: usize = 4;

impl<'p> Saver<'p> {
    /// To be made before the file is read, so that no change goes unnoticed.
    ///
    /// # Errors
    /// One line if there is something that cannot be read.
    pub fn new(path: &'p Path) -> Result<Saver<'p>, String> {
        Ok(Saver { path, known: stamp(path)?, last: Instant::now(), pause: SAVE_EVERY })
    }

    /// Is it time to write again?
    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.pause
    }

    /// Writes the book. Two builders that write at the same moment both leave a whole book, and
    /// one of them learns of the other at its next write.
    ///
    /// # Errors
    /// One line: it cannot be written, or another program has written the file, which is left as
    /// it is.
    pub fn save(&mut self, contents: &Contents) -> Result<(), String> {
        let started = Instant::now();
        let name = path_text(self.path);
        let bytes = encode(contents).map_err(|error| format!("{name}: {error}"))?;
        if stamp(self.path)? != self.known {
            return Err(format!("{name}: another program has written it since this one read it"));
        }
        files::save(self.path, &bytes)?;
        let tail = bytes.len().saturating_sub(CHECKSUM_BYTES);
        self.known = Some((bytes.len() as u64, bytes.get(tail..).unwrap_or_default().to_vec()));
        self.last = Instant::now();
        self.pause = SAVE_EVERY.max(started.elapsed() * SAVE_PART);
        Ok(())
    }
}

/// The stamp of a file; `None` if there is none.
fn stamp(path: &Path) -> Result<Option<Stamp>, String> {
    let read = || -> io::Result<Stamp> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(CHECKSUM_BYTES as u64)))?;
        let mut tail = Vec::new();
        file.take(CHECKSUM_BYTES as u64).read_to_end(&mut tail)?;
        Ok((length, tail))
    };
    match read() {
        Ok(stamp) => Ok(Some(stamp)),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(format!("cannot read {}: {error}", path_text(path))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::{Settings, read_file};

    #[test]
    fn of_two_builders_the_one_that_comes_second_is_refused() {
        let name = format!("outflank-saver-{}.book", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = std::fs::remove_file(&path);
        let book = |level| Contents::new(Settings { level, weights: 7 });
        let (mut first, mut second) = (Saver::new(&path).unwrap(), Saver::new(&path).unwrap());
        first.save(&book(1)).unwrap();
        let error = second.save(&book(2)).unwrap_err();
        assert!(error.ends_with(": another program has written it since this one read it"));
        assert_eq!(read_file(&path), Ok(book(1)));
        first.save(&book(3)).unwrap();
        let mut third = Saver::new(&path).unwrap();
        third.save(&book(4)).unwrap();
        assert!(first.save(&book(5)).is_err());
        std::fs::remove_file(&path).unwrap();
        assert!(third.save(&book(6)).is_err() && !path.exists());
    }
}
