//! What a search found in one position, and the contents of a book made of it.

use crate::board::{Board, Square};
use crate::eval::Weights;
use crate::game::Move;
use crate::score::Score;
use crate::search::tt::Table;
use crate::search::{Environment, Info, Level, Limits, Selectivity, search};
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

/// Level of the search that tells bad moves, and how much they lose in it (discs). To know the
/// value of a bad move as well as that of a good one takes most of the time and helps nobody.
const GLANCE_LEVEL: u8 = 6;
const BAD: Score = Score::from_discs(6);

impl Analyst<'_> {
    /// Searches the moves of `board` with one thread and a table empty at first, so that the
    /// outcome depends on nothing else. Moves that are bad at a glance keep the value that they
    /// have there, but never a better one than the moves that were searched at the full level.
    /// `None` if it was stopped, or if there is no move.
    pub fn analyse(&self, board: Board) -> Option<Analysis> {
        self.table.clear();
        let all = board.moves().len() as usize;
        let exact = Level::new(u32::from(self.level)).to_end(board.empties().len())
            == Some(Selectivity::EXACT);
        if exact || self.level <= GLANCE_LEVEL {
            let lines = self.lines(board, self.level, all)?;
            let value = |square| lines.iter().find(|line| begins(line, square)).map(|l| l.score);
            let values = board.moves().into_iter().map(value).collect::<Option<Vec<Score>>>()?;
            return Some(Analysis { board, solved: lines.iter().all(|line| line.solved), values });
        }
        let glance = self.lines(board, GLANCE_LEVEL, all)?;
        let least = glance.first()?.score - BAD;
        let good = glance.iter().filter(|line| line.score >= least).count();
        let lines = self.lines(board, self.level, good)?;
        let worst = lines.last()?.score;
        let value = |square| {
            let searched = lines.iter().find(|line| begins(line, square)).map(|line| line.score);
            let glanced = || glance.iter().find(|line| begins(line, square));
            searched.or_else(|| glanced().map(|line| line.score.min(worst)))
        };
        let values = board.moves().into_iter().map(value).collect::<Option<Vec<Score>>>()?;
        Some(Analysis { board, solved: false, values })
    }

    /// The best `count` lines, best first, at least one; `None` if the search was stopped.
    fn lines(&self, board: Board, level: u8, count: usize) -> Option<Vec<Info>> {
        let environment = Environment {
            table: self.table,
            weights: self.weights,
            stop: self.stop,
            threads: 1,
            multipv: count,
            move_overhead: Duration::ZERO,
        };
        let limits = Limits { level: Some(u32::from(level)), ..Limits::default() };
        let lines = search(board, &limits, environment, &mut |_| ()).lines;
        let whole = !self.stop.load(Relaxed) && !lines.is_empty();
        whole.then_some(lines)
    }
}

fn begins(line: &Info, square: Square) -> bool {
    line.pv.first() == Some(&Move::Place(square))
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
    use crate::notation::forms::parse_game;
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
    fn bad_moves_are_glanced_at_and_good_ones_searched_at_the_full_level() {
        let board = parse_game("f5d6c3d3c4f4f6f3").unwrap().board();
        let (analysis, lines) = analyst_of(8, false, |analyst| {
            let analysis = analyst.analyse(board).unwrap();
            analyst.table.clear();
            (analysis, analyst.lines(board, 8, 1).unwrap())
        });
        let best = analysis.values.iter().max().unwrap();
        // Other searches left other entries in the table, so a small difference is no fault.
        let difference = (*best - lines[0].score).centidiscs();
        assert!(difference.abs() <= 150, "{difference}");
        assert_eq!(analysis.values.len() as u32, board.moves().len());
        assert!(analysis.values.iter().any(|value| *value < *best - BAD));
        assert!(!analysis.solved);
    }

    #[test]
    fn an_analysis_depends_on_nothing_that_came_before() {
        analyst_of(7, false, |analyst| {
            let first = analyst.analyse(Board::START).unwrap();
            assert!(!first.solved && first.values.len() == 4);
            analyst.analyse(parse_game("f5").unwrap().board());
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
