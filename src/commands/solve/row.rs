//! One position's outcome, as a row of the table and as a JSON object.

use super::suite::Task;
use crate::game::Move;
use crate::notation::position::position_text;
use crate::score::Score;
use crate::search::{Report, Selectivity};
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// The head of the table.
pub const HEADER: &str = "   #  empties    depth   score    file   check    loss  move         \
                          nodes     time s         nps  PV";

/// What a search found, beside what the file says.
pub struct Row<'t> {
    task: &'t Task,
    /// Depth in plies.
    depth: u32,
    selectivity: Selectivity,
    /// For the side to move.
    score: Score,
    /// Is the score the result of the game under best play?
    pub solved: bool,
    /// Best play; empty if the game is over.
    pv: Vec<Move>,
    /// Moves made on boards.
    pub nodes: u64,
    /// Time of the search.
    pub time: Duration,
}

impl<'t> Row<'t> {
    /// The outcome of a search of the task's position.
    pub fn new(task: &'t Task, report: &Report) -> Row<'t> {
        let (nodes, time) = (report.nodes, report.time);
        match report.lines.first() {
            Some(line) => Row {
                task,
                depth: line.depth,
                selectivity: line.selectivity,
                score: line.score,
                solved: line.solved,
                pv: line.pv.clone(),
                nodes,
                time,
            },
            // The game is over.
            None => Row {
                task,
                depth: 0,
                selectivity: Selectivity::EXACT,
                score: Score::from_discs(task.record.game.board().final_score()),
                solved: true,
                pv: Vec::new(),
                nodes,
                time,
            },
        }
    }

    fn best(&self) -> Option<Move> {
        self.pv.first().copied()
    }

    fn file_score(&self) -> Option<Score> {
        self.task.record.best_score().map(Score::from_discs)
    }

    /// Score minus that of the file, if it has one.
    pub fn error(&self) -> Option<Score> {
        self.file_score().map(|expected| self.score - expected)
    }

    /// Does a solved position agree with its file? The scores must be equal, and so must that of
    /// the move if the file has it. `None` if there is nothing to compare.
    pub fn correct(&self) -> Option<bool> {
        let error = self.error().filter(|_| self.solved)?;
        let of_move = self.best().and_then(|best| self.task.record.score_of(best));
        let good_move = of_move.is_none_or(|score| Score::from_discs(score) == self.score);
        Some(error == Score::ZERO && good_move)
    }

    /// What the move costs if the file has a score for every move; 0 for a best one. Where it has
    /// a few the best are among them, and the mean would be too good.
    pub fn loss(&self) -> Option<Score> {
        let record = &self.task.record;
        let score = self.best().and_then(|best| record.score_of(best));
        let (best, score) = (record.best_score()?, score.filter(|_| record.is_complete())?);
        Some(Score::from_discs(best) - Score::from_discs(score))
    }

    /// The row as a JSON object.
    ///
    /// # Errors
    /// It cannot be written as JSON, which no value of a row leads to.
    pub fn json(&self) -> serde_json::Result<String> {
        serde_json::to_string(&JsonRow {
            file: self.task.file.display().to_string(),
            line: self.task.line,
            number: self.task.number,
            position: position_text(&self.task.record.game),
            empties: self.task.record.game.board().empties().len(),
            depth: self.depth,
            selectivity: self.selectivity.percent(),
            solved: self.solved,
            score_cd: self.score.centidiscs(),
            r#move: self.best().map(|best| best.to_string()),
            pv: self.pv.iter().map(Move::to_string).collect(),
            nodes: self.nodes,
            time_ms: milliseconds(self.time),
            nps: nodes_a_second(self.nodes, self.time),
            file_score_cd: self.file_score().map(Score::centidiscs),
            correct: self.correct(),
            loss_cd: self.loss().map(Score::centidiscs),
        })
    }
}

/// The keys are part of the program's interface: protocol.md describes them.
#[derive(Serialize)]
struct JsonRow {
    file: String,
    line: usize,
    number: usize,
    position: String,
    empties: u32,
    depth: u32,
    selectivity: u8,
    solved: bool,
    score_cd: i32,
    r#move: Option<String>,
    pv: Vec<String>,
    nodes: u64,
    time_ms: f64,
    nps: u64,
    file_score_cd: Option<i32>,
    correct: Option<bool>,
    loss_cd: Option<i32>,
}

impl fmt::Display for Row<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let depth = match self.selectivity {
            Selectivity::EXACT => self.depth.to_string(),
            selective => format!("{}@{selective}%", self.depth),
        };
        let or_dash = |score: Option<Score>| score.map_or("-".to_string(), |s| s.to_string());
        let check = match self.correct() {
            Some(true) => "ok".to_string(),
            Some(false) => "WRONG".to_string(),
            None => or_dash(self.error()),
        };
        let loss = self.loss().map_or("-".to_string(), |loss| format!("{:.0}", loss.discs()));
        let pv: Vec<String> = self.pv.iter().map(Move::to_string).collect();
        write!(
            f,
            "{:>4}  {:>7}  {depth:>7}  {:>6}  {:>6}  {check:>6}  {loss:>6}  {:<4}  {:>12}  {:>9.3}  \
             {:>10}  {}",
            self.task.number,
            self.task.record.game.board().empties().len(),
            self.score.to_string(),
            or_dash(self.file_score()),
            self.best().map_or("none".to_string(), |best| best.to_string()),
            self.nodes,
            self.time.as_secs_f64(),
            nodes_a_second(self.nodes, self.time),
            pv.join(" "),
        )
    }
}

/// Milliseconds with three decimals.
pub fn milliseconds(time: Duration) -> f64 {
    time.as_micros() as f64 / 1_000.0
}

/// Nodes a second; times below a microsecond count as one.
pub fn nodes_a_second(nodes: u64, time: Duration) -> u64 {
    (nodes as f64 / time.as_secs_f64().max(1e-6)).round() as u64
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::notation::obf;
    use crate::search::{Bound, Info};

    /// FFO #1 with the scores of all of its moves but for what `from` becomes.
    pub fn task(from: &str, to: &str) -> Task {
        let line = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; \
                    G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24; % FFO #1"
            .replace(from, to);
        let record = obf::parse_line(&line).unwrap().unwrap();
        Task { file: "a \"b\".obf".into(), line: 3, number: 2, record }
    }

    /// An answer with this move and score.
    pub fn report(best: &str, centidiscs: i32, solved: bool) -> Report {
        let best = Move::Place(crate::board::Square::parse(best).unwrap());
        let line = Info {
            depth: 14,
            selectivity: if solved { Selectivity::EXACT } else { Selectivity::MIDGAME },
            multipv: 1,
            score: Score::from_centidiscs(centidiscs),
            bound: Bound::Exact,
            solved,
            nodes: 5,
            time: Duration::ZERO,
            hashfull: 0,
            pv: vec![best, Move::Pass],
        };
        let time = Duration::from_millis(500);
        Report { best: Some(best), lines: vec![line], nodes: 1_000, time }
    }

    #[test]
    fn a_solved_position_must_have_the_score_of_the_file_and_of_its_move() {
        let correct =
            |task: &Task, best, score| Row::new(task, &report(best, score, true)).correct();
        let whole = task("", "");
        assert_eq!(correct(&whole, "g8", 1_800), Some(true));
        assert_eq!(correct(&whole, "g8", 1_700), Some(false));
        assert_eq!(correct(&whole, "h1", 1_800), Some(false));
        assert_eq!(correct(&whole, "h1", 1_200), Some(false));
        let unknown_move = task("G8", "??");
        assert_eq!(correct(&unknown_move, "g8", 1_800), Some(true));
        let bare = task("G8:+18; H1:+12; H7:+6; A2:+6; A3:+4; B1:-4; A4:-22; G2:-24;", "");
        assert_eq!(correct(&bare, "g8", 1_800), None);
        assert_eq!(Row::new(&whole, &report("g8", 1_700, false)).correct(), None);
    }

    #[test]
    fn the_loss_is_known_where_every_move_has_a_score() {
        let loss = |task: &Task, best| Row::new(task, &report(best, 0, false)).loss();
        assert_eq!(loss(&task("", ""), "a2"), Some(Score::from_discs(12)));
        assert_eq!(loss(&task("", ""), "g8"), Some(Score::ZERO));
        assert_eq!(loss(&task("G2:-24;", ""), "g8"), None);
    }

    #[test]
    fn a_row_in_the_table_stands_under_its_head() {
        let task = task("", "");
        let row = Row::new(&task, &report("h1", 1_150, false)).to_string();
        for (name, value) in [
            ("#", "2"),
            ("empties", "14"),
            ("depth", "14@73%"),
            ("score", "+11.50"),
            ("file", "+18.00"),
            ("check", "-6.50"),
            ("loss", "6"),
            ("nodes", "1000"),
            ("time s", "0.500"),
            ("nps", "2000"),
        ] {
            let end = HEADER.find(&format!(" {name} ")).unwrap() + 1 + name.len();
            assert!(row[..end].ends_with(&format!(" {value}")), "{name}: {row}");
        }
        assert!(row[HEADER.find("move").unwrap()..].starts_with("h1 "), "{row}");
        assert!(row[HEADER.find("PV").unwrap()..].starts_with("h1 pass"), "{row}");
    }

    #[test]
    fn a_finished_game_has_its_result_and_no_move() {
        let mut task = task("", "");
        task.record = obf::parse_line("8/8/8/8/8/8/8/X7 O; ??:-64;").unwrap().unwrap();
        let report = Report { best: None, lines: Vec::new(), nodes: 0, time: Duration::ZERO };
        let row = Row::new(&task, &report);
        assert_eq!((row.score, row.correct(), row.loss()), (Score::MIN, Some(true), None));
        assert!(row.to_string().contains(" none "));
    }
}
