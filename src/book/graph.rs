//! The positions of a book joined by their moves. Every move adds a disc, so there are no cycles:
//! values go from the most discs to the fewest in one sweep, costs the other way.

use super::analysis::{Analysis, key};
use crate::board::{Board, Square};
use crate::score::Score;
use std::collections::HashMap;

/// A move of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Edge {
    /// The square.
    pub square: Square,
    /// Value for the side to move: that of the position it leads to if the book holds it, else as
    /// the search of this position found it.
    pub value: Score,
    /// Number of the node that the move leads to.
    pub child: Option<u32>,
    /// Must the other side pass, so that it is the same side's turn again?
    keeps_turn: bool,
}

/// A position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    board: Board,
    solved: bool,
    edges: Vec<Edge>,
}

impl Node {
    /// The position, canonical.
    pub fn board(&self) -> Board {
        self.board
    }

    /// Are the values the results of the game under best play?
    pub fn solved(&self) -> bool {
        self.solved
    }

    /// Its legal moves from a1 to h8.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// Value for the side to move: that of the best move.
    pub fn value(&self) -> Score {
        self.edges.iter().map(|edge| edge.value).max().unwrap_or_default()
    }

    /// Number of discs that have been placed since the start of a game.
    pub fn ply(&self) -> u32 {
        ply(self.board)
    }
}

/// Number of discs beyond the four of the start.
pub fn ply(board: Board) -> u32 {
    60u32.saturating_sub(board.empties().len())
}

/// The position that a legal move leads to as a book holds it, `None` at the end of the game.
pub fn successor(board: Board, square: Square) -> Option<Board> {
    key(board.try_play(square)?)
}

/// The positions with values that fit each other.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    /// From the fewest discs to the most.
    nodes: Vec<Node>,
    numbers: HashMap<Board, u32>,
}

impl Graph {
    /// Joins these positions; of two that are the same the first one counts.
    pub fn new<'a>(analyses: impl IntoIterator<Item = &'a Analysis>) -> Graph {
        let mut nodes: Vec<Node> = analyses.into_iter().map(node).collect();
        nodes.sort_by_key(|node| order(node.board));
        nodes.dedup_by_key(|node| node.board);
        let numbers = (0..).zip(&nodes).map(|(number, node)| (node.board, number)).collect();
        let mut graph = Graph { nodes, numbers };
        graph.join();
        graph
    }

    /// Finds where each move leads and carries the values back.
    fn join(&mut self) {
        for index in (0..self.nodes.len()).rev() {
            let (node, later) = match self.nodes.get_mut(index..) {
                Some([node, later @ ..]) => (node, later),
                _ => return,
            };
            let board = node.board;
            for edge in &mut node.edges {
                let child = successor(board, edge.square).and_then(|next| self.numbers.get(&next));
                let Some(&child) = child else { continue };
                // A child has more discs, so it comes later and its value is settled.
                let Some(below) = later.get((child as usize).wrapping_sub(index + 1)) else {
                    continue;
                };
                edge.child = Some(child);
                edge.value = if edge.keeps_turn { below.value() } else { -below.value() };
            }
        }
    }

    /// The positions, from the fewest discs to the most.
    pub fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// The position with this canonical board.
    pub fn node(&self, board: Board) -> Option<&Node> {
        self.numbers.get(&board).and_then(|number| self.nodes.get(*number as usize))
    }

    /// Number of the position with this canonical board.
    pub fn number(&self, board: Board) -> Option<u32> {
        self.numbers.get(&board).copied()
    }
}

/// Positions in files and graphs are in this order.
pub fn order(board: Board) -> (u32, u64, u64) {
    (64 - board.empties().len(), board.player.0, board.opponent.0)
}

fn node(analysis: &Analysis) -> Node {
    let board = analysis.board;
    let moves = board.moves().into_iter().zip(&analysis.values);
    let edge = |(square, value): (Square, &Score)| {
        let keeps_turn = board.try_play(square).is_some_and(Board::must_pass);
        Edge { square, value: *value, child: None, keeps_turn }
    };
    Node { board, solved: analysis.solved, edges: moves.map(edge).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::analysis::testing::small_book;
    use crate::notation::position::parse_position;

    /// Value of a position by plain negamax over the analyses, without a graph.
    fn negamax(board: Board, analyses: &HashMap<Board, &Analysis>) -> Option<Score> {
        let (board, sign) = if board.must_pass() { (board.pass(), -1) } else { (board, 1) };
        let analysis = analyses.get(&board.canonical())?;
        let moves = analysis.board.moves().into_iter().zip(&analysis.values);
        let best = moves.map(|(square, searched)| {
            let after = analysis.board.try_play(square).unwrap();
            negamax(after, analyses).map_or(*searched, |value| -value)
        });
        best.max().map(|value| Score::from_centidiscs(sign * value.centidiscs()))
    }

    #[test]
    fn values_are_those_of_plain_negamax() {
        let contents = small_book(300);
        let graph = Graph::new(&contents.positions);
        let analyses = contents.positions.iter().map(|a| (a.board, a)).collect();
        let mut joined = 0;
        for node in graph.nodes() {
            assert_eq!(negamax(node.board(), &analyses), Some(node.value()));
            joined += node.edges().iter().filter(|edge| edge.child.is_some()).count();
        }
        assert!(joined >= 299, "{joined}: transpositions share positions");
        assert_eq!(graph.nodes().len(), 300);
    }

    #[test]
    fn a_value_keeps_its_sign_where_the_other_side_passes() {
        // White's only other disc outflanks nothing, but can still be outflanked.
        let board = parse_position("XO6/8/8/8/8/8/8/XO6 X").unwrap().board().canonical();
        let square = board
            .moves()
            .into_iter()
            .find(|at| board.try_play(*at).is_some_and(|after| after.must_pass()));
        let square = square.unwrap();
        let next = successor(board, square).unwrap();
        let mut below = Analysis::even(next);
        below.values.fill(Score::from_centidiscs(1_100));
        let graph = Graph::new(&[Analysis::even(board), below]);
        let node = graph.node(board).unwrap();
        let edge = node.edges().iter().find(|edge| edge.square == square).unwrap();
        assert_eq!(edge.value, Score::from_centidiscs(1_100));
        assert_eq!(node.value(), Score::from_centidiscs(1_100));
    }

    #[test]
    fn the_order_in_which_positions_come_does_not_matter() {
        let mut contents = small_book(50);
        let graph = Graph::new(&contents.positions);
        contents.positions.reverse();
        assert_eq!(Graph::new(&contents.positions).nodes(), graph.nodes());
    }
}
