//! Sums over all positions.

use super::row::{Row, milliseconds, nodes_a_second};
use crate::training::measure::Accuracy;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// A score this far from the file's counts as close (discs).
const CLOSE: f64 = 3.0;

/// What all rows say together.
#[derive(Default)]
pub struct Totals {
    positions: u64,
    nodes: u64,
    time: Duration,
    solved: u64,
    correct: u64,
    wrong: u64,
    /// Scores against those of the files.
    scores: Accuracy,
    close: u64,
    /// Positions with a score for every move.
    rated: u64,
    best_moves: u64,
    /// In discs.
    loss: f64,
}

impl Totals {
    /// Adds a row.
    pub fn add(&mut self, row: &Row<'_>) {
        self.positions += 1;
        self.nodes += row.nodes;
        self.time += row.time;
        self.solved += u64::from(row.solved);
        match row.correct() {
            Some(true) => self.correct += 1,
            Some(false) => self.wrong += 1,
            None => {}
        }
        if let Some(error) = row.error() {
            self.scores.add(error.discs(), 0.0);
            self.close += u64::from(error.discs().abs() <= CLOSE);
        }
        if let Some(loss) = row.loss() {
            self.rated += 1;
            self.best_moves += u64::from(loss.discs() == 0.0);
            self.loss += loss.discs();
        }
    }

    /// Number of solved positions that differ from their file.
    pub fn wrong(&self) -> u64 {
        self.wrong
    }

    /// `part` of `whole` for each of these; `None` if there are none.
    fn mean(part: f64, whole: u64) -> Option<f64> {
        (whole > 0).then(|| part / whole as f64)
    }

    fn mean_error(&self) -> Option<f64> {
        (self.scores.count() > 0).then(|| self.scores.mean_error())
    }

    fn close_share(&self) -> Option<f64> {
        Totals::mean(self.close as f64, self.scores.count() as u64)
    }

    fn best_move_rate(&self) -> Option<f64> {
        Totals::mean(self.best_moves as f64, self.rated)
    }

    fn mean_loss(&self) -> Option<f64> {
        Totals::mean(self.loss, self.rated)
    }

    /// The totals as a JSON object.
    ///
    /// # Errors
    /// They cannot be written as JSON, which no value leads to.
    pub fn json(&self) -> serde_json::Result<String> {
        let in_centidiscs = |discs: Option<f64>| discs.map(|discs| discs * 100.0);
        let totals = JsonTotals {
            positions: self.positions,
            nodes: self.nodes,
            time_ms: milliseconds(self.time),
            nps: nodes_a_second(self.nodes, self.time),
            solved: self.solved,
            correct: self.correct,
            wrong: self.wrong,
            scored: self.scores.count() as u64,
            mean_error_cd: in_centidiscs(self.mean_error()),
            within_3_discs: self.close_share(),
            rated: self.rated,
            best_move_rate: self.best_move_rate(),
            mean_loss_cd: in_centidiscs(self.mean_loss()),
        };
        serde_json::to_string(&Line { totals })
    }
}

#[derive(Serialize)]
struct Line {
    totals: JsonTotals,
}

/// The keys are part of the program's interface: protocol.md describes them.
#[derive(Serialize)]
struct JsonTotals {
    positions: u64,
    nodes: u64,
    time_ms: f64,
    nps: u64,
    solved: u64,
    correct: u64,
    wrong: u64,
    scored: u64,
    mean_error_cd: Option<f64>,
    within_3_discs: Option<f64>,
    rated: u64,
    best_move_rate: Option<f64>,
    mean_loss_cd: Option<f64>,
}

/// One to four lines: sums, the check of solved positions, scores and moves of the others.
impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Totals { positions, nodes, solved, correct, wrong, rated, .. } = self;
        let (time, nps) = (self.time.as_secs_f64(), nodes_a_second(*nodes, self.time));
        write!(f, "total: positions {positions}, nodes {nodes}, time {time:.3} s, nps {nps}")?;
        if *solved > 0 {
            write!(f, "\nsolved: {solved}, {correct} as in the file, {wrong} wrong")?;
        }
        if solved == positions {
            return Ok(());
        }
        if let (Some(error), Some(close)) = (self.mean_error(), self.close_share()) {
            let (count, close) = (self.scores.count(), 100.0 * close);
            write!(
                f,
                "\nscores: {count} with one in the file, mean error {error:.2} discs, {close:.1} % \
                 within {CLOSE} discs"
            )?;
        }
        if let (Some(best), Some(loss)) = (self.best_move_rate(), self.mean_loss()) {
            let best = 100.0 * best;
            write!(
                f,
                "\nmoves: {rated} positions with a score for every move, best move {best:.1} %, \
                 mean loss {loss:.2} discs"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::solve::row::tests::{report, task};

    #[test]
    fn totals_of_a_few_rows() {
        let (whole, unknown_move) = (task("", ""), task("G8", "??"));
        let mut totals = Totals::default();
        for (task, best, centidiscs, solved) in [
            (&whole, "g8", 1_800, true),
            (&whole, "g8", 1_900, true),
            (&whole, "h1", 1_450, false),
            (&unknown_move, "h1", 2_100, false),
        ] {
            totals.add(&Row::new(task, &report(best, centidiscs, solved)));
        }
        assert_eq!(totals.wrong(), 1);
        assert_eq!(
            totals.to_string(),
            "total: positions 4, nodes 4000, time 2.000 s, nps 2000\n\
             solved: 2, 1 as in the file, 1 wrong\n\
             scores: 4 with one in the file, mean error 1.88 discs, 75.0 % within 3 discs\n\
             moves: 3 positions with a score for every move, best move 66.7 %, mean loss 2.00 discs"
        );
    }

    #[test]
    fn without_a_row_there_are_no_means() {
        let totals = Totals::default();
        assert!(totals.to_string().starts_with("total: positions 0, nodes 0"));
        let json: serde_json::Value = serde_json::from_str(&totals.json().unwrap()).unwrap();
        assert!(json["totals"]["best_move_rate"].is_null());
        assert!(json["totals"]["mean_error_cd"].is_null());
    }
}
