//! Going on with a file that an earlier run has left, perhaps killed in the middle of a row.

use super::format::Layout;
use super::plan::{Plan, Task};
use super::tally::{Tally, Verdict};
use crate::commands::files;
use crate::notation::error::path_text;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader};
use std::path::Path;

/// Opens the file, or makes a new one, to which rows are to be added; cuts an unfinished row off.
/// Returns the number of positions whose rows are there and the sums of the game they end in.
///
/// # Errors
/// One line with the path: the file cannot be used, is being written by another run, was made
/// with other settings or from another input, or is none of this command. It is then as it was
/// before.
pub fn open(path: &Path, plan: &Plan, layout: &Layout<'_>) -> Result<(File, usize, Tally), String> {
    let name = path_text(path);
    let cannot = |what, error| format!("cannot {what} {name}: {error}");
    let file = OpenOptions::new().read(true).append(true).create(true).open(path);
    let file = file.map_err(|error| cannot("open", error))?;
    files::claim(&file, path)?;
    let length = file.metadata().map_err(|error| cannot("read", error))?.len();
    let mut earlier = Earlier { reader: BufReader::new(&file), length: 0, lines: 0 };
    let (done, kept, tally) = earlier.read(plan, layout).map_err(|fault| match fault {
        Fault::Read(error) => cannot("read", error),
        Fault::Content(error) => format!("cannot go on with {name}: {error}"),
    })?;
    if kept < length {
        log::warn!("{name}: {} bytes of an unfinished row cut off", length - kept);
        file.set_len(kept).map_err(|error| cannot("shorten", error))?;
    }
    Ok((file, done, tally))
}

enum Fault {
    Read(std::io::Error),
    Content(String),
}

impl From<std::io::Error> for Fault {
    fn from(error: std::io::Error) -> Fault {
        Fault::Read(error)
    }
}

impl From<String> for Fault {
    fn from(error: String) -> Fault {
        Fault::Content(error)
    }
}

/// What an earlier run has written.
struct Earlier<R> {
    reader: R,
    /// Bytes read so far.
    length: u64,
    /// Lines read so far.
    lines: usize,
}

impl<R: BufRead> Earlier<R> {
    /// Number of whole rows, bytes up to their end, and the sums of the game they end in.
    fn read(&mut self, plan: &Plan, layout: &Layout<'_>) -> Result<(usize, u64, Tally), Fault> {
        let (mut done, mut kept, mut tally) = (0, 0, Tally::default());
        while let Some(task) = plan.task(done) {
            let Some(verdict) = self.row(&task, done == 0, layout)? else {
                return Ok((done, kept, tally));
            };
            tally.add(&task, verdict, layout.blunder);
            done += 1;
            kept = self.length;
        }
        if self.line()?.0.is_empty() { Ok((done, kept, tally)) } else { Err(self.misplaced()) }
    }

    /// Reads the row of a position with all that belongs to it; `None` if it is not whole.
    fn row(
        &mut self,
        task: &Task<'_>,
        is_first: bool,
        layout: &Layout<'_>,
    ) -> Result<Option<Verdict>, Fault> {
        let start = layout.start(task).map_err(|error| error.to_string())?;
        let (before, start) = start.rsplit_once('\n').unwrap_or(("", &start));
        let heading = if is_first { layout.heading() } else { None };
        for known in heading.iter().flat_map(|heading| heading.lines()).chain(before.lines()) {
            if !self.known_line(known, layout)? {
                return Ok(None);
            }
        }
        let (line, is_whole) = self.line()?;
        if !is_whole {
            let fits = start.as_bytes().starts_with(&line) || line.starts_with(start.as_bytes());
            return if fits { Ok(None) } else { Err(self.misplaced()) };
        }
        let line = String::from_utf8_lossy(&line);
        if let Some(theirs) = layout.settings_of_row(&line).filter(|_| is_first) {
            layout.settings.expect(&theirs)?;
        }
        let rest = line.strip_prefix(start);
        let verdict = rest.and_then(|rest| layout.verdict(&line, rest));
        let verdict = verdict.ok_or_else(|| self.misplaced())?;
        for _ in 0..layout.further_lines(task) {
            if !self.line()?.1 {
                return Ok(None);
            }
        }
        Ok(Some(verdict))
    }

    /// Reads a line that must be this one; false if it is not whole.
    fn known_line(&mut self, known: &str, layout: &Layout<'_>) -> Result<bool, Fault> {
        let (line, is_whole) = self.line()?;
        if !is_whole && known.as_bytes().starts_with(&line) {
            return Ok(false);
        }
        if is_whole && line == known.as_bytes() {
            return Ok(true);
        }
        let line = String::from_utf8_lossy(&line);
        if let Some(theirs) = layout.settings_of_heading(&line).filter(|_| is_whole) {
            layout.settings.expect(theirs)?;
        }
        Err(self.misplaced())
    }

    /// The next line without its end, and whether it has one.
    fn line(&mut self) -> std::io::Result<(Vec<u8>, bool)> {
        let mut line = Vec::new();
        self.length += self.reader.read_until(b'\n', &mut line)? as u64;
        self.lines += 1;
        let is_whole = line.pop_if(|byte| *byte == b'\n').is_some();
        Ok((line, is_whole))
    }

    fn misplaced(&self) -> Fault {
        let line = self.lines;
        Fault::Content(format!("line {line} is not what an earlier run of this command wrote"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::analyze::examine::tests::ENDGAME;
    use crate::commands::analyze::format::Format;
    use crate::commands::analyze::plan::tests::plan;
    use crate::commands::analyze::row::tests::rows;
    use crate::commands::analyze::settings::Settings;
    use crate::commands::analyze::settings::tests::settings;
    use crate::score::Score;

    const FORMATS: [Format; 3] = [Format::Table, Format::Json, Format::Csv];

    fn layout(format: Format, settings: &Settings) -> Layout<'_> {
        Layout { format, multipv: 2, settings, blunder: Score::from_discs(6) }
    }

    /// What a whole run writes, and for each row the bytes up to its end and the sums after it.
    fn whole_run(plan: &Plan, layout: &Layout<'_>) -> (String, Vec<(u64, Tally)>) {
        let mut text = layout.heading().map_or(String::new(), |heading| heading + "\n");
        let (mut tally, mut ends) = (Tally::default(), vec![(0, Tally::default())]);
        for (number, row) in rows(plan, ENDGAME, Some(2), 2).iter().enumerate() {
            let loss = row.loss().filter(|_| layout.format != Format::Csv);
            let solved = row.solved() && layout.format != Format::Csv;
            tally.add(&row.task, Verdict { loss, solved }, layout.blunder);
            text.push_str(&layout.text(row, &tally, number == 0).unwrap());
            text.push('\n');
            ends.push((text.len() as u64, tally));
        }
        (text, ends)
    }

    fn read(text: &[u8], plan: &Plan, layout: &Layout<'_>) -> Result<(usize, u64, Tally), String> {
        let mut earlier = Earlier { reader: text, length: 0, lines: 0 };
        earlier.read(plan, layout).map_err(|fault| match fault {
            Fault::Read(error) => error.to_string(),
            Fault::Content(error) => error,
        })
    }

    #[test]
    fn a_file_cut_anywhere_goes_on_after_its_last_whole_row() {
        let (plan, settings) = (plan(&[ENDGAME]), settings(3));
        for format in FORMATS {
            let layout = layout(format, &settings);
            let (text, ends) = whole_run(&plan, &layout);
            assert_eq!(ends.len(), plan.len() + 1);
            for cut in 0..=text.len() {
                let done = ends.iter().rposition(|(end, _)| *end <= cut as u64).unwrap();
                let (kept, tally) = ends[done];
                let found = read(&text.as_bytes()[..cut], &plan, &layout);
                assert_eq!(found, Ok((done, kept, tally)), "{format:?} cut at {cut}");
            }
        }
    }

    #[test]
    fn other_inputs_settings_and_files_are_refused() {
        let (plan, ours, other) = (plan(&[ENDGAME]), settings(3), settings(4));
        for format in FORMATS {
            let (text, _) = whole_run(&plan, &layout(format, &ours));
            let refused = |text: &str, settings| {
                read(text.as_bytes(), &plan, &layout(format, settings)).unwrap_err()
            };
            let error = refused(&text, &other);
            assert_eq!(error, "made with other settings: level 3 there, 4 here", "{format:?}");
            let misplaced = "is not what an earlier run of this command wrote";
            let again = format!("{text}{text}");
            let changed = text.replace("white", "black");
            for text in ["f5d6\n", "f5d6", "\n", &again, &changed] {
                assert!(refused(text, &ours).ends_with(misplaced), "{format:?}: {text}");
            }
        }
    }
}
