//! What a search found in one position, and the contents of a book made of it.

use crate::board::Board;
use crate::eval::Weights;
use crate::game::Move;
use crate::score::Score;
use crate::search::tt::Table;
use crate::search::{Environment, Limits, search};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// How the positions of a book were analysed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Level of the searches, 1 … 60.
    pub level: u8,
    /// Checksum of the weights of the evaluation.
    pub weights: u32,
}

/// The value of every move in one position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Analysis {
    /// The position: canonical, and the side to move can move.
    pub board: Board,
    /// Are the values the results of the game under best play?
    pub solved: bool,
    /// Values for the side to move, of its legal moves from a1 to h8.
    pub values: Vec<Score>,
}

/// All of a book.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contents {
    /// How its positions were analysed.
    pub settings: Settings,
    /// The positions from which it grows, canonical.
    pub roots: Vec<Board>,
    /// Its positions.
    pub positions: Vec<Analysis>,
    /// Positions of the batch that was under way. They count in play, but a builder chooses the
    /// batch as if they were not there, so that an interruption changes nothing in the end.
    pub pending: Vec<Analysis>,
}

impl Contents {
    /// An empty book.
    pub fn new(settings: Settings) -> Contents {
        Contents { settings, roots: Vec::new(), positions: Vec::new(), pending: Vec::new() }
    }
}

/// The position that a book holds for `board`: canonical, after a forced pass; `None` if the game
/// is over.
pub fn key(board: Board) -> Option<Board> {
    if board.is_over() {
        return None;
    }
    Some(if board.must_pass() { board.pass() } else { board }.canonical())
}

/// What an analysis works with.
#[derive(Clone, Copy)]
pub struct Analyst<'a> {
    /// Level of the searches.
    pub level: u8,
    /// The evaluation.
    pub weights: &'a Weights,
    /// A table for this analyst alone.
    pub table: &'a Table,
    /// Ends the search when it becomes true.
    pub stop: &'a AtomicBool,
}

impl Analyst<'_> {
    /// Searches every move of `board` with one thread and an empty table, so that the outcome
    /// depends on nothing else. `None` if it was stopped, or if there is no move.
    pub fn analyse(&self, board: Board) -> Option<Analysis> {
        self.table.clear();
        let moves = board.moves();
        let environment = Environment {
            table: self.table,
            weights: self.weights,
            stop: self.stop,
            threads: 1,
            multipv: moves.len() as usize,
            move_overhead: Duration::ZERO,
        };
        let limits = Limits { level: Some(u32::from(self.level)), ..Limits::default() };
        let report = search(board, &limits, environment, &mut |_| ());
        if self.stop.load(Relaxed) {
            return None;
        }
        let line_of = |square| {
            let starts = Some(Move::Place(square));
            report.lines.iter().find(|line| line.pv.first().copied() == starts)
        };
        let values = moves.into_iter().map(|square| line_of(square).map(|line| line.score));
        let values = values.collect::<Option<Vec<Score>>>().filter(|values| !values.is_empty())?;
        Some(Analysis { board, solved: report.lines.iter().all(|line| line.solved), values })
    }
}

#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::book::Graph;
    use crate::book::expansion::{Bounds, next};
    use crate::random::Random;

    impl Analysis {
        /// An analysis that calls every move even.
        pub fn even(board: Board) -> Analysis {
            let values = vec![Score::ZERO; board.moves().len() as usize];
            Analysis { board, solved: false, values }
        }

        /// An analysis with values that look like any others, the same for the same board.
        pub fn random(board: Board) -> Analysis {
            let mut random = Random(board.hash());
            let mut value = |_| Score::from_centidiscs(random.below(1_000) as i32 - 500);
            let values = (0..board.moves().len()).map(&mut value).collect();
            Analysis { board, solved: false, values }
        }
    }

    /// A book of so many positions with random values that has grown as books do.
    pub fn small_book(positions: usize) -> Contents {
        let mut contents = Contents::new(Settings { level: 3, weights: 7 });
        contents.roots = vec![Board::START.canonical()];
        while contents.positions.len() < positions {
            let graph = Graph::new(&contents.positions);
            let bounds = Bounds { ply_cost: 25, max_cost: None, max_ply: None };
            let next = next(&graph, &contents.roots, &bounds, 1);
            contents.positions.extend(next.iter().map(|found| Analysis::random(found.board)));
        }
        contents
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position::parse_position;

    fn analyst_of<T>(level: u8, stop: bool, task: impl FnOnce(Analyst<'_>) -> T) -> T {
        let table = &Table::new(1).unwrap();
        let stop = &AtomicBool::new(stop);
        task(Analyst { level, weights: Weights::embedded(), table, stop })
    }

    #[test]
    fn every_move_gets_the_value_of_its_own_search() {
        let position = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
        let board = parse_position(position).unwrap().board();
        let (analysis, alone) = analyst_of(12, false, |analyst| {
            let alone: Vec<Score> = board
                .moves()
                .into_iter()
                .map(|square| {
                    let after = board.try_play(square).unwrap();
                    if after.is_over() {
                        return Score::from_discs(-after.final_score());
                    }
                    let passes = after.must_pass();
                    let next = if passes { after.pass() } else { after };
                    let best = analyst.analyse(next).unwrap().values.into_iter().max().unwrap();
                    if passes { best } else { -best }
                })
                .collect();
            (analyst.analyse(board).unwrap(), alone)
        });
        assert!(analysis.solved);
        assert_eq!(analysis.values, alone);
        assert_eq!(analysis.values.iter().max(), Some(&Score::from_discs(6)));
    }

    #[test]
    fn an_analysis_depends_on_nothing_that_came_before() {
        analyst_of(4, false, |analyst| {
            let first = analyst.analyse(Board::START).unwrap();
            assert!(!first.solved && first.values.len() == 4);
            analyst.analyse(parse_position("f5").map_or(Board::START, |game| game.board()));
            assert_eq!(analyst.analyse(Board::START), Some(first));
        });
    }

    #[test]
    fn what_is_stopped_or_has_no_move_is_not_analysed() {
        analyst_of(4, true, |analyst| assert_eq!(analyst.analyse(Board::START), None));
        let over = parse_position("OO6/8/8/8/8/8/8/8 X").unwrap().board();
        analyst_of(4, false, |analyst| assert_eq!(analyst.analyse(over), None));
    }
}
