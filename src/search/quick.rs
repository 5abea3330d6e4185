//! Searches of very few plies that end in the evaluation: no table, no selective cuts, no look at
//! the clock. They order the moves of larger nodes and are the last plies of a midgame search.

use super::ordering::{MoveList, pick};
use super::position::Position;
use super::window::Window;
use super::worker::Worker;
use crate::score::Score;

impl Worker<'_> {
    /// Value of a position after `depth` more plies, fail-soft.
    pub(super) fn quick(&mut self, position: &Position, depth: u32, window: Window) -> Score {
        if depth == 0 {
            return self.evaluate(position);
        }
        let moves = position.board.moves();
        if moves.is_empty() {
            return if position.board.pass().moves().is_empty() {
                Score::from_discs(position.board.final_score())
            } else {
                -self.quick(&position.pass(), depth, -window)
            };
        }
        if depth == 1 {
            self.best_leaf(position, window)
        } else {
            self.quick_node(position, depth, window)
        }
    }

    fn best_leaf(&mut self, position: &Position, window: Window) -> Score {
        let mut best = -Score::INFINITY;
        for square in position.board.moves() {
            self.nodes += 1;
            let next = position.play(square, position.board.flips(square));
            best = best.max(-self.evaluate(&next));
            if window.fails_high(best) {
                break;
            }
        }
        best
    }

    fn quick_node(&mut self, position: &Position, depth: u32, mut window: Window) -> Score {
        let mut moves = MoveList::new();
        self.make_all(position, position.board.moves(), &mut moves);
        for mv in &mut moves {
            mv.score = -self.evaluate(&mv.after(position)).centidiscs();
        }
        let mut best = -Score::INFINITY;
        for i in 0..moves.len() {
            let Some(mv) = pick(&mut moves, i) else { break };
            best = best.max(-self.quick(&mv.after(position), depth - 1, -window));
            if window.fails_high(best) {
                break;
            }
            window.raise(best);
        }
        best
    }
}
