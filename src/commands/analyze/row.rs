//! What is known about a position once it has been searched.

use super::examine::Findings;
use super::plan::Task;
use crate::game::{Colour, Move};
use crate::score::Score;
use crate::search::Info;

/// A position and what the searches have found.
pub struct Row<'p> {
    /// The position.
    pub task: Task<'p>,
    /// What was found.
    pub findings: Findings,
}

impl Row<'_> {
    /// The best line; `None` if the game is over.
    pub fn line(&self) -> Option<&Info> {
        self.findings.lines.first()
    }

    /// The best move.
    pub fn best(&self) -> Option<Move> {
        self.line().and_then(|line| line.pv.first()).copied()
    }

    /// Are the values the results under best play?
    pub fn solved(&self) -> bool {
        self.findings.best.solved && self.findings.played.is_none_or(|played| played.solved)
    }

    /// What the move that was played costs, never below 0: a search that is not exact may find
    /// a little more for it than for the best move.
    pub fn loss(&self) -> Option<Score> {
        let played = self.findings.played?;
        Some((self.findings.best.score - played.score).max(Score::ZERO))
    }

    /// Black's view of the position after the move that was played, or of the position itself.
    pub fn black(&self) -> Score {
        let score = self.findings.played.unwrap_or(self.findings.best).score;
        if self.task.side() == Colour::Black { score } else { -score }
    }
}

/// Best play, separated by blanks.
pub fn pv_text(line: &Info) -> String {
    line.pv.iter().map(Move::to_string).collect::<Vec<_>>().join(" ")
}

/// Names of the colours.
pub fn colour_name(colour: Colour) -> &'static str {
    match colour {
        Colour::Black => "black",
        Colour::White => "white",
    }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::commands::analyze::examine::tests::findings;
    use crate::commands::analyze::plan::Plan;
    use crate::search::Limits;

    /// The rows of a plan of one text, each position searched to this depth.
    pub fn rows<'p>(
        plan: &'p Plan,
        text: &str,
        depth: Option<u32>,
        multipv: usize,
    ) -> Vec<Row<'p>> {
        let limits = Limits { depth, ..Limits::default() };
        let tasks = (0..plan.len()).filter_map(|index| plan.task(index));
        let found = findings(text, &limits, multipv);
        tasks.zip(found).map(|(task, findings)| Row { task, findings }).collect()
    }
}
