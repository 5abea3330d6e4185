//! The searches of one position: for its best moves, then for the move that was played.

use super::plan::Task;
use crate::board::Board;
use crate::commands::stop::Stop;
use crate::eval::{Features, Weights};
use crate::game::Move;
use crate::score::Score;
use crate::search::tt::Table;
use crate::search::{Environment, Info, Limits, Report, search};
use std::time::Duration;

/// A value for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Value {
    /// For the side to move.
    pub score: Score,
    /// Is it the result of the game under best play?
    pub solved: bool,
}

/// What the searches of a position have found.
#[derive(Clone, Debug)]
pub struct Findings {
    /// The best moves, best first; none if the game is over.
    pub lines: Vec<Info>,
    /// Value of the position, that of its best move.
    pub best: Value,
    /// Value of the move that was played.
    pub played: Option<Value>,
    /// Moves made on boards.
    pub nodes: u64,
}

/// Searches positions, one at a time.
pub struct Examiner<'e> {
    /// The evaluation.
    pub weights: &'e Weights,
    /// A table for this examiner alone.
    pub table: &'e Table,
    /// Search threads, in a pool of that size.
    pub threads: usize,
    /// Number of best moves to rank.
    pub multipv: usize,
    /// When the search of a position ends.
    pub limits: &'e Limits,
    /// Ends all searches.
    pub stop: &'e Stop,
}

impl Examiner<'_> {
    /// Searches a position, then the one after the move that was played, a ply less and as
    /// selectively, so that the two values are of the same depth. A move that is among the best
    /// ones, or leads to an image of the position after one of them, has the value of that.
    /// `None` if the searches were stopped.
    pub fn examine(&self, task: &Task<'_>) -> Option<Findings> {
        self.table.clear();
        let board = task.position.board();
        let report = self.search(board, self.limits, self.multipv)?;
        let Some(best) = report.lines.first() else {
            let best = Value { score: Score::from_discs(board.final_score()), solved: true };
            return Some(Findings { lines: Vec::new(), best, played: None, nodes: 0 });
        };
        let mut nodes = report.nodes;
        let listed = |played| {
            let outcome = image_after(board, played);
            report
                .lines
                .iter()
                .find(|line| line.pv.first().is_some_and(|mv| image_after(board, *mv) == outcome))
        };
        let played = match task.played {
            None => None,
            Some(played) => Some(match listed(played) {
                Some(line) => value_of(line),
                None => self.value_after(board, played, best, &mut nodes)?,
            }),
        };
        Some(Findings { best: value_of(best), played, nodes, lines: report.lines })
    }

    /// The value of a move that a search of the position after it finds.
    fn value_after(
        &self,
        board: Board,
        played: Move,
        best: &Info,
        nodes: &mut u64,
    ) -> Option<Value> {
        let after = match played {
            Move::Place(square) => board.try_play(square)?,
            Move::Pass => board.pass(),
        };
        if after.is_over() {
            return Some(Value { score: -Score::from_discs(after.final_score()), solved: true });
        }
        if best.depth <= 1 {
            *nodes += 1;
            let value = self.weights.evaluate(&Features::of(after), after.empties().len());
            return Some(Value { score: -value.clamped(), solved: false });
        }
        let limits = Limits {
            depth: Some(best.depth - 1),
            selectivity: Some(best.selectivity),
            time: self.limits.time,
            ..Limits::default()
        };
        let report = self.search(after, &limits, 1)?;
        *nodes += report.nodes;
        let line = report.lines.first()?;
        Some(Value { score: -line.score, solved: line.solved })
    }

    fn search(&self, board: Board, limits: &Limits, multipv: usize) -> Option<Report> {
        let environment = Environment {
            table: self.table,
            weights: self.weights,
            stop: self.stop.next_search()?,
            threads: self.threads,
            multipv,
            move_overhead: Duration::ZERO,
        };
        let report = search(board, limits, environment, &mut |_| ());
        (!self.stop.ended()).then_some(report)
    }
}

/// The position after a legal move, the same for all its symmetric images.
fn image_after(board: Board, mv: Move) -> Option<Board> {
    match mv {
        Move::Place(square) => board.try_play(square).map(Board::canonical),
        Move::Pass => Some(board.pass().canonical()),
    }
}

fn value_of(line: &Info) -> Value {
    Value { score: line.score, solved: line.solved }
}

#[cfg(test)]
pub mod tests {
    use super::*;
    use crate::commands::analyze::plan::tests::plan;

    /// What a search of one thread with these limits finds in each position of a text.
    pub fn findings(text: &str, limits: &Limits, multipv: usize) -> Vec<Findings> {
        let plan = plan(&[text]);
        let (weights, table, stop) = (Weights::embedded(), Table::new(1).unwrap(), Stop::default());
        let examiner =
            Examiner { weights, table: &table, threads: 1, multipv, limits, stop: &stop };
        let tasks = (0..plan.len()).filter_map(|index| plan.task(index));
        tasks.map(|task| examiner.examine(&task).unwrap()).collect()
    }

    /// FFO #1 with a line in which White must pass.
    pub const ENDGAME: &str = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X \
                               moves g8 h7 b1 a2 a3";

    #[test]
    fn exact_values_of_moves_are_the_values_of_the_positions_after_them() {
        let found = findings(ENDGAME, &Limits::default(), 1);
        assert_eq!(found[0].best.score, Score::from_discs(18));
        for pair in found.windows(2) {
            let value = Value { score: -pair[1].best.score, solved: true };
            assert_eq!(pair[0].played, Some(value));
            assert!(pair[0].played.unwrap().score <= pair[0].best.score);
        }
        assert_eq!(found.last().unwrap().played, None);
    }

    #[test]
    fn a_move_among_the_best_ones_has_the_value_of_its_line() {
        let limits = Limits { depth: Some(4), ..Limits::default() };
        for found in findings("f5f6e6f4f3", &limits, 60) {
            let Some(played) = found.played else { continue };
            assert!(found.lines.iter().any(|line| line.score == played.score));
        }
    }

    #[test]
    fn a_search_of_one_ply_values_the_other_moves_by_the_evaluation() {
        let limits = Limits { depth: Some(1), ..Limits::default() };
        for text in ["f5f4", "f5d6", "f5f6"] {
            let all = findings(text, &limits, 60)[1].lines.clone();
            let found = &findings(text, &limits, 1)[1];
            let played = plan(&[text]).task(1).unwrap().played;
            let line = all.iter().find(|line| line.pv.first() == played.as_ref()).unwrap();
            assert_eq!(found.played.unwrap().score, line.score, "{text}");
        }
    }

    #[test]
    fn symmetric_moves_have_the_same_value() {
        let limits = Limits { depth: Some(6), ..Limits::default() };
        for first in ["f5", "e6", "d3", "c4"] {
            let found = &findings(first, &limits, 1)[0];
            assert_eq!(found.played, Some(found.best), "{first}");
        }
    }

    #[test]
    fn nothing_is_found_after_the_end() {
        let (plan, limits) = (plan(&["f5"]), Limits::default());
        let (table, stop) = (Table::new(1).unwrap(), Stop::default());
        stop.end();
        let weights = Weights::embedded();
        let examiner = Examiner {
            weights,
            table: &table,
            threads: 1,
            multipv: 1,
            limits: &limits,
            stop: &stop,
        };
        assert!(examiner.examine(&plan.task(0).unwrap()).is_none());
    }
}
