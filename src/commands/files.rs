//! Files that commands read and write.

use crate::notation::error::path_text;
use std::fs::{File, TryLockError};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The contents of a file; `-` is standard input.
///
/// # Errors
/// One line with the path.
pub fn read(path: &Path) -> Result<Vec<u8>, String> {
    let bytes = if path == Path::new("-") {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        std::fs::read(path)
    };
    bytes.map_err(|error| format!("cannot read {}: {error}", path_text(path)))
}

/// The bytes as text.
///
/// # Errors
/// Line and column of the first byte that is no text.
pub fn text(bytes: &[u8]) -> Result<&str, String> {
    std::str::from_utf8(bytes).map_err(|error| {
        let (good, bad) = bytes.split_at_checked(error.valid_up_to()).unwrap_or((bytes, &[]));
        let before = String::from_utf8_lossy(good);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let byte = bad.first().copied().unwrap_or_default();
        format!(
            "line {line}: expected text in UTF-8, found the byte 0x{byte:02x} at column {column}"
        )
    })
}

/// Replaces a file as a whole: whatever happens, also a loss of power, its path has the old
/// contents or the new ones. They are written to a file beside it first, whose name no other
/// writer has; only a process that is killed leaves that behind.
///
/// # Errors
/// One line with the path.
pub fn save(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let temporary = temporary(path);
    let saved = write(&temporary, bytes).and_then(|()| std::fs::rename(&temporary, path));
    if saved.is_err() {
        // It may not even be there.
        let _ = std::fs::remove_file(&temporary);
    }
    saved.map_err(|error| format!("cannot write {}: {error}", path_text(path)))
}

/// Refuses an output that is one of the inputs, under whatever name: it would be lost.
///
/// # Errors
/// One line with the path of the input.
pub fn refuse_input<'p>(
    output: &Path,
    inputs: impl IntoIterator<Item = &'p PathBuf>,
) -> Result<(), String> {
    let Some(taken) = place(output) else { return Ok(()) };
    let same = |input: &&PathBuf| {
        let stdin = input.as_path() == Path::new("-");
        place(if stdin { Path::new("/dev/stdin") } else { input }).as_ref() == Some(&taken)
    };
    match inputs.into_iter().find(same) {
        None => Ok(()),
        Some(input) => {
            Err(format!("cannot write {}: it is the input {}", path_text(output), path_text(input)))
        }
    }
}

/// Takes a file that rows are added to for this process alone, until it ends or is killed.
///
/// # Errors
/// One line with the path: another process has taken it.
pub fn claim(file: &File, path: &Path) -> Result<(), String> {
    match file.try_lock() {
        Ok(()) => Ok(()),
        Err(TryLockError::WouldBlock) => {
            Err(format!("{}: another program is writing it", path_text(path)))
        }
        // Some file systems have no locks, and work must go on there too.
        Err(TryLockError::Error(error)) => {
            log::warn!("{}: no lock: {error}", path_text(path));
            Ok(())
        }
    }
}

/// Where a file is, by whatever path or link one gets there; `None` if there is none. Terminals
/// and pipes can be read and written at once.
#[cfg(unix)]
fn place(path: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    let file = std::fs::metadata(path).ok().filter(std::fs::Metadata::is_file)?;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn place(path: &Path) -> Option<PathBuf> {
    path.canonicalize().ok().filter(|path| path.is_file())
}

/// Writes a file and waits until it is on the disk: a rename may get there before the contents.
fn write(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// `path.1234-5.tmp`, for the process and the number of the write in it.
fn temporary(path: &Path) -> PathBuf {
    static WRITES: AtomicU32 = AtomicU32::new(0);
    let mut name = path.as_os_str().to_owned();
    name.push(format!(".{}-{}.tmp", std::process::id(), WRITES.fetch_add(1, Relaxed)));
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::thread;

    #[test]
    fn bytes_that_are_no_text_are_named_with_their_place() {
        assert_eq!(text("f5d6\né".as_bytes()), Ok("f5d6\né"));
        let error = "line 2: expected text in UTF-8, found the byte 0xff at column 3";
        assert_eq!(text(b"f5d6\n\xc3\xa9f\xff5\n").unwrap_err(), error);
        assert!(text(b"\xc3").unwrap_err().starts_with("line 1: "));
    }

    #[cfg(unix)]
    #[test]
    fn an_output_that_is_an_input_is_refused_through_links_too() {
        let folder = std::env::temp_dir().join(format!("outflank-links-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let [input, other, soft, hard] =
            ["input", "other", "soft", "hard"].map(|name| folder.join(name));
        std::fs::write(&input, "f5").unwrap();
        std::fs::write(&other, "f5").unwrap();
        std::os::unix::fs::symlink("input", &soft).unwrap();
        std::fs::hard_link(&input, &hard).unwrap();
        let inputs = [other.clone(), input.clone()];
        for output in [&input, &soft, &hard] {
            let error = refuse_input(output, &inputs).unwrap_err();
            let (output, input) = (output.display(), input.display());
            assert_eq!(error, format!("cannot write {output}: it is the input {input}"));
            assert_eq!(refuse_input(&folder.join("new"), &inputs), Ok(()));
        }
        assert_eq!(refuse_input(&input, [&other]), Ok(()));
        // A folder or a device is no file that would be lost.
        let null = PathBuf::from("/dev/null");
        assert_eq!(refuse_input(&null, [&null]), Ok(()));
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn several_writers_at_once_leave_a_whole_file_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("outflank-save-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file");
        let all: Vec<Vec<u8>> = (1..=4).map(|byte| vec![byte; 100_000]).collect();
        thread::scope(|scope| {
            for bytes in &all {
                scope.spawn(|| (0..10).for_each(|_| save(&path, bytes).unwrap()));
            }
        });
        assert!(all.contains(&read(&path).unwrap()));
        let names = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name());
        assert_eq!(names.collect::<Vec<_>>(), ["file"]);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_cannot_be_written_leaves_nothing_behind() {
        let folder = std::env::temp_dir().join(format!("outflank-no-save-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("taken/inside")).unwrap();
        let error = save(&folder.join("taken"), b"x").unwrap_err();
        assert!(error.starts_with(&format!("cannot write {}: ", folder.join("taken").display())));
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 1);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
