//! The output: rows in order, with what stands before, between and after them.

use super::format::Layout;
use super::row::Row;
use super::tally::{Tally, Verdict};
use crate::protocol::Output;
use std::io;

/// Where rows go.
pub enum Target<'s> {
    /// Standard output.
    Stdout(&'s mut Output),
    /// A file.
    File(Output),
}

/// Writes rows.
pub struct Sheet<'s> {
    layout: Layout<'s>,
    target: Target<'s>,
    done: usize,
    tally: Tally,
}

impl<'s> Sheet<'s> {
    /// Goes on after so many positions, with the sums of the game they end in.
    pub fn new(layout: Layout<'s>, target: Target<'s>, done: usize, tally: Tally) -> Sheet<'s> {
        Sheet { layout, target, done, tally }
    }

    /// Number of positions whose rows are there.
    pub fn done(&self) -> usize {
        self.done
    }

    /// Writes the row of the next position.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn add(&mut self, row: &Row<'_>) -> io::Result<()> {
        let verdict = Verdict { loss: row.loss(), solved: row.solved() };
        self.tally.add(&row.task, verdict, self.layout.blunder);
        let is_first = self.done == 0;
        let text = self.layout.text(row, &self.tally, is_first)?;
        let output = match &mut self.target {
            Target::Stdout(output) => output,
            Target::File(output) => output,
        };
        if let Some(heading) = self.layout.heading().filter(|_| is_first) {
            output.line(heading)?;
        }
        self.done += 1;
        output.line(text)
    }
}
