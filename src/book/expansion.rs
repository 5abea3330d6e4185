//! Which positions come next: those that the cheapest lines lead to.
//!
//! A line costs what its moves lose against the best ones of their positions, as the book values
//! them now, and a little for each ply, so that good play is followed deep and weak play briefly.
//! The method is that of T. R. Lincke, "Strategies for the automatic construction of opening
//! books", Computers and Games 2000 (drop-out expansion); other than there the value of every move
//! is known once a position is analysed, so that one position is added at a time, not one move.

use super::graph::{Graph, order, ply, successor};
use crate::board::Board;
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashSet};

/// What lines cost and where they end. Costs are in centidiscs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    /// Cost of each ply.
    pub ply_cost: i64,
    /// Greatest cost of the line to a position.
    pub max_cost: Option<i64>,
    /// Greatest number of plies of a position, see [`ply`].
    pub max_ply: Option<u32>,
}

/// A position to analyse.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Candidate {
    /// The position, canonical.
    pub board: Board,
    /// Cost of the cheapest line to it (centidiscs).
    pub cost: i64,
}

/// The `count` cheapest positions that the graph does not hold yet, or as many as there are; the
/// same for the same graph.
pub fn next(graph: &Graph, roots: &[Board], bounds: &Bounds, count: usize) -> Vec<Candidate> {
    let fits = |cost: i64| bounds.max_cost.is_none_or(|most| cost <= most);
    let shallow = |board: Board| bounds.max_ply.is_none_or(|most| ply(board) <= most);
    let mut found = Vec::new();
    let mut seen = HashSet::new();
    let mut take = |board: Board, cost: i64| {
        if found.len() < count && shallow(board) && seen.insert(board) {
            found.push(Candidate { board, cost });
        }
        found.len() < count
    };
    if fits(0) {
        let mut new: Vec<Board> =
            roots.iter().copied().filter(|root| graph.node(*root).is_none()).collect();
        new.sort_by_key(|root| order(*root));
        new.into_iter().for_each(|root| {
            take(root, 0);
        });
    }
    let mut open = open_moves(graph, &costs(graph, roots, bounds), bounds);
    while let Some(Reverse((cost, number, index))) = open.pop()
        && fits(cost)
    {
        let Some(node) = graph.nodes().get(number) else { continue };
        let Some(edge) = node.edges().get(index) else { continue };
        if let Some(board) = successor(node.board(), edge.square)
            && !take(board, cost)
        {
            break;
        }
    }
    found
}

/// Cost of a move, the number of its node, its number there.
type Open = Reverse<(i64, usize, usize)>;

/// The moves that lead out of the graph, the cheapest first.
fn open_moves(graph: &Graph, costs: &[Option<i64>], bounds: &Bounds) -> BinaryHeap<Open> {
    let nodes = graph.nodes().iter().zip(costs).enumerate();
    let open = nodes.flat_map(|(number, (node, cost))| {
        // Solved values cannot get better.
        let cost = cost.filter(|_| !node.solved());
        let best = node.value();
        let edges = node.edges().iter().enumerate().filter(|(_, edge)| edge.child.is_none());
        edges.filter_map(move |(index, edge)| {
            let loss = i64::from((best - edge.value).centidiscs());
            Some(Reverse((cost? + loss + bounds.ply_cost, number, index)))
        })
    });
    open.collect::<Vec<Open>>().into()
}

/// Cost of the cheapest line from a root to each position; `None` where there is none.
fn costs(graph: &Graph, roots: &[Board], bounds: &Bounds) -> Vec<Option<i64>> {
    let mut costs: Vec<Option<i64>> = vec![None; graph.nodes().len()];
    for number in roots.iter().filter_map(|root| graph.number(*root)) {
        if let Some(cost) = costs.get_mut(number as usize) {
            *cost = Some(0);
        }
    }
    for (number, node) in graph.nodes().iter().enumerate() {
        let Some(cost) = costs.get(number).copied().flatten() else { continue };
        let best = node.value();
        for edge in node.edges() {
            let Some(child) = edge.child.and_then(|child| costs.get_mut(child as usize)) else {
                continue;
            };
            let line = cost + i64::from((best - edge.value).centidiscs()) + bounds.ply_cost;
            *child = Some(child.map_or(line, |known| known.min(line)));
        }
    }
    costs
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::analysis::testing::small_book;
    use crate::book::{Analysis, Contents};
    use crate::score::Score;

    const BOUNDS: Bounds = Bounds { ply_cost: 25, max_cost: None, max_ply: None };

    /// Cost of every position within two plies of `board` outside of the graph, by hand.
    fn by_hand(graph: &Graph, board: Board, cost: i64, found: &mut Vec<(i64, Board)>) {
        let Some(node) = graph.node(board) else { return found.push((cost, board)) };
        for edge in node.edges() {
            let loss = i64::from((node.value() - edge.value).centidiscs());
            let Some(next) = successor(board, edge.square) else { continue };
            by_hand(graph, next, cost + loss + 25, found);
        }
    }

    #[test]
    fn the_cheapest_lines_come_first() {
        let contents = small_book(40);
        let graph = Graph::new(&contents.positions);
        let mut expected = Vec::new();
        by_hand(&graph, contents.roots[0], 0, &mut expected);
        let chosen = next(&graph, &contents.roots, &BOUNDS, usize::MAX);
        for candidate in &chosen {
            let lines = expected.iter().filter(|(_, board)| *board == candidate.board);
            assert_eq!(lines.map(|(cost, _)| *cost).min(), Some(candidate.cost));
        }
        let different: HashSet<Board> = expected.iter().map(|(_, board)| *board).collect();
        assert_eq!(chosen.len(), different.len());
        assert!(chosen.is_sorted_by_key(|candidate| candidate.cost));
        assert_eq!(next(&graph, &contents.roots, &BOUNDS, 7), chosen[..7]);
    }

    #[test]
    fn bounds_end_the_lines() {
        let contents = small_book(40);
        let graph = Graph::new(&contents.positions);
        let all = next(&graph, &contents.roots, &BOUNDS, usize::MAX);
        let most = all[all.len() / 2].cost;
        let cheap =
            next(&graph, &contents.roots, &Bounds { max_cost: Some(most), ..BOUNDS }, usize::MAX);
        assert_eq!(cheap, all.iter().copied().filter(|c| c.cost <= most).collect::<Vec<_>>());
        let shallow =
            next(&graph, &contents.roots, &Bounds { max_ply: Some(3), ..BOUNDS }, usize::MAX);
        assert!(shallow.iter().all(|candidate| ply(candidate.board) <= 3));
        assert!(shallow.len() < all.len());
    }

    #[test]
    fn roots_come_before_everything_and_solved_positions_end_lines() {
        let start = Board::START.canonical();
        let Contents { roots, .. } = small_book(1);
        assert_eq!(
            next(&Graph::default(), &roots, &BOUNDS, 5),
            [Candidate { board: start, cost: 0 }]
        );
        let open = Analysis::even(start);
        let solved = Analysis { solved: true, ..open.clone() };
        // All four first moves are one position.
        assert_eq!(next(&Graph::new(&[open]), &roots, &BOUNDS, 5).len(), 1);
        assert_eq!(next(&Graph::new(&[solved]), &roots, &BOUNDS, 5), []);
    }

    #[test]
    fn a_move_that_turns_out_bad_is_left() {
        let start = Board::START.canonical();
        let second = successor(start, start.moves().first().unwrap()).unwrap();
        let mut replies = Analysis::even(second);
        replies.values = [0, -300, 10].map(Score::from_centidiscs).to_vec();
        let graph = Graph::new(&[Analysis::even(start), replies]);
        let costs: Vec<i64> =
            next(&graph, &[start], &BOUNDS, 9).iter().map(|found| found.cost).collect();
        assert_eq!(costs, [50, 60, 360]);
    }
}
