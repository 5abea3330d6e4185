//! The forms of the output, and what of it is known before a search: with that a later run finds
//! its place in it.

use super::plan::Task;
use super::row::Row;
use super::settings::Settings;
use super::tally::{Tally, Verdict};
use super::{csv, json, table};
use crate::score::Score;

/// A form of the output.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Columns for people.
    Table,
    /// One object a position.
    Json,
    /// Comma-separated values.
    Csv,
}

/// How rows are written.
#[derive(Clone, Copy)]
pub struct Layout<'l> {
    /// The form.
    pub format: Format,
    /// Best moves for each position.
    pub multipv: usize,
    /// The settings of this run.
    pub settings: &'l Settings,
    /// Loss from which a move is a blunder.
    pub blunder: Score,
}

impl Layout<'_> {
    /// What stands before the first row, without the last line end.
    pub fn heading(&self) -> Option<String> {
        match self.format {
            Format::Table => Some(format!("{}{}\n{}", table::SETTINGS, self.settings, table::HEAD)),
            Format::Json => None,
            Format::Csv => Some(csv::HEAD.to_string()),
        }
    }

    /// A row with all that belongs to it, without the last line end.
    ///
    /// # Errors
    /// It cannot be written as JSON, which no value of a row leads to.
    pub fn text(&self, row: &Row<'_>, tally: &Tally, is_first: bool) -> serde_json::Result<String> {
        let summary = ends_game(&row.task).then_some(tally);
        let settings = is_first.then_some(self.settings);
        Ok(match self.format {
            Format::Table => table::text(row, summary, self.blunder),
            Format::Json => json::text(row, summary, settings, self)?,
            Format::Csv => csv::text(row, settings, self.blunder),
        })
    }

    /// How the row of a position begins, whatever its search finds. The lines before its last
    /// one are whole.
    ///
    /// # Errors
    /// It cannot be written as JSON, which no position leads to.
    pub fn start(&self, task: &Task<'_>) -> serde_json::Result<String> {
        Ok(match self.format {
            Format::Table => table::start(task),
            Format::Json => json::start(task)?,
            Format::Csv => csv::start(task, 1),
        })
    }

    /// Lines after the one on which the start ends, that of the row.
    pub fn further_lines(&self, task: &Task<'_>) -> usize {
        let lines = self.multipv.min(task.moves()).saturating_sub(1);
        match self.format {
            Format::Table => lines + usize::from(ends_game(task)),
            Format::Json => 0,
            Format::Csv => lines,
        }
    }

    /// The settings in the first line of the heading, if they are there.
    pub fn settings_of_heading<'t>(&self, line: &'t str) -> Option<&'t str> {
        line.strip_prefix(table::SETTINGS).filter(|_| self.format == Format::Table)
    }

    /// The settings in the first row, if they are there.
    pub fn settings_of_row(&self, row: &str) -> Option<String> {
        match self.format {
            Format::Table => None,
            Format::Json => json::settings(row),
            Format::Csv => row.rsplit(',').next().map(str::to_string),
        }
    }

    /// What a row says that later ones need; `rest` follows its start, `row` is the whole line.
    pub fn verdict(&self, row: &str, rest: &str) -> Option<Verdict> {
        match self.format {
            Format::Table => table::verdict(rest),
            Format::Json => json::verdict(row),
            // There are no sums in this form.
            Format::Csv => Some(Verdict::default()),
        }
    }
}

/// Is it the last row of a game, with which the sums come?
fn ends_game(task: &Task<'_>) -> bool {
    task.is_last && task.input.is_game()
}
