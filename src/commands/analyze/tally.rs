//! What a whole game amounts to.

use super::plan::Task;
use crate::game::{Colour, Move};
use crate::score::Score;
use serde::Serialize;

/// What a row says about the move that was played.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Verdict {
    /// What it costs; `None` where no move was played.
    pub loss: Option<Score>,
    /// Are the values the results under best play?
    pub solved: bool,
}

/// One side's part of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Side {
    /// Moves, without passes.
    pub moves: u32,
    /// Sum of their losses in centidiscs.
    pub loss_cd: i32,
    /// Number of blunders.
    pub blunders: u32,
}

/// The sums over the rows of a game so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tally {
    /// Black's part.
    pub black: Side,
    /// White's part.
    pub white: Side,
    /// The ply from which all values are exact.
    pub exact_from: Option<usize>,
    /// Empty squares there.
    pub exact_empties: Option<u32>,
    /// Black minus White at the end, empty squares to the winner; `None` for an unfinished game.
    pub result: Option<i32>,
}

impl Tally {
    /// Adds a row; the first one of a game begins anew.
    pub fn add(&mut self, task: &Task<'_>, verdict: Verdict, blunder: Score) {
        if task.ply == 1 {
            *self = Tally::default();
        }
        if !verdict.solved {
            (self.exact_from, self.exact_empties) = (None, None);
        } else if self.exact_from.is_none() {
            self.exact_from = Some(task.ply);
            self.exact_empties = Some(task.position.board().empties().len());
        }
        let game = &task.input.game;
        self.result = (task.is_last && game.is_over()).then(|| game.outcome().black_score);
        let (Some(loss), Some(Move::Place(_))) = (verdict.loss, task.played) else { return };
        let side = match task.side() {
            Colour::Black => &mut self.black,
            Colour::White => &mut self.white,
        };
        side.moves += 1;
        side.loss_cd += loss.centidiscs();
        side.blunders += u32::from(loss >= blunder);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::analyze::plan::tests::plan;

    #[test]
    fn sums_are_those_of_the_rows() {
        let plan = plan(&["f5d6c3d3"]);
        let mut tally = Tally::default();
        let add = |tally: &mut Tally, index, discs: Option<i32>, solved| {
            let loss = discs.map(Score::from_discs);
            let task = plan.task(index).unwrap();
            tally.add(&task, Verdict { loss, solved }, Score::from_discs(6));
        };
        for (index, discs, solved) in [(0, Some(6), true), (1, Some(5), false), (2, Some(7), true)]
        {
            add(&mut tally, index, discs, solved);
        }
        assert_eq!(tally.black, Side { moves: 2, loss_cd: 1_300, blunders: 2 });
        assert_eq!(tally.white, Side { moves: 1, loss_cd: 500, blunders: 0 });
        add(&mut tally, 3, Some(0), true);
        add(&mut tally, 4, None, true);
        assert_eq!((tally.exact_from, tally.exact_empties), (Some(3), Some(58)));
        assert_eq!((tally.white.moves, tally.result), (2, None));
        add(&mut tally, 0, Some(1), false);
        assert_eq!(tally.black, Side { moves: 1, loss_cd: 100, blunders: 0 });
        assert_eq!((tally.white, tally.exact_from), (Side::default(), None));
    }

    #[test]
    fn a_pass_is_no_move_and_a_finished_game_has_a_result() {
        let plan = plan(&["8/8/XO6/2O5/8/8/8/8 O moves c3"]);
        let mut tally = Tally::default();
        for index in 0..plan.len() {
            let verdict = Verdict { loss: Some(Score::ZERO), solved: true };
            tally.add(&plan.task(index).unwrap(), verdict, Score::from_discs(6));
        }
        assert_eq!((tally.white.moves, tally.black.moves), (0, 1));
        assert_eq!(tally.exact_from, Some(1));
        assert_eq!(tally.result.is_some(), plan.task(0).unwrap().input.game.is_over());
    }
}
