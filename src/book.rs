//! Opening knowledge: positions with the value of each of their moves, found by searches and
//! carried back along the lines of the book.
//!
//! - [`analysis`]: what a search found in one position.
//! - [`graph`]: the positions joined by their moves, with negamaxed values.
//! - [`expansion`]: which position comes next.
//! - [`format`]: the file.
//! - [`choice`]: a move at random among the good ones.
//!
//! Positions are held once for all eight symmetries and for all orders of moves that lead to them.
//! Forced passes are made at once, so in each position the side to move can move.

pub mod analysis;
pub mod choice;
pub mod expansion;
pub mod format;
pub mod graph;

pub use analysis::{Analysis, Contents, Settings};
pub use graph::Graph;

use crate::board::Board;
use crate::board::symmetry::Symmetry;
use crate::game::Move;
use crate::notation::error::path_text;
use crate::score::Score;
use graph::Node;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Longer files are not read to their end: they might have none.
const LONGEST_FILE: u64 = 4 << 30;

/// A book to look positions up in.
#[derive(Debug)]
pub struct Book {
    settings: Settings,
    graph: Graph,
}

/// What the book knows about a position, seen as the one who asks sees the board.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Value for the side to move.
    pub value: Score,
    /// Are the values the results of the game under best play?
    pub solved: bool,
    /// All legal moves with their values for the side to move, best first; a forced pass alone.
    pub moves: Vec<(Move, Score)>,
}

impl Book {
    /// Reads a book from a file, see [`format`].
    ///
    /// # Errors
    /// One line with the path and the reason why it cannot be used.
    pub fn load(path: &Path) -> Result<Book, String> {
        read_file(path).map(|contents| Book::new(&contents))
    }

    /// The book with these contents.
    pub fn new(contents: &Contents) -> Book {
        let graph = Graph::new(contents.positions.iter().chain(&contents.pending));
        Book { settings: contents.settings, graph }
    }

    /// How its positions were analysed.
    pub fn settings(&self) -> Settings {
        self.settings
    }

    /// The positions.
    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// What the book knows about a position; `None` if it does not hold it.
    pub fn look_up(&self, board: Board) -> Option<Entry> {
        if board.must_pass() {
            let next = self.look_up(board.pass())?;
            let (value, solved) = (-next.value, next.solved);
            return Some(Entry { value, solved, moves: vec![(Move::Pass, value)] });
        }
        let (node, symmetry) = self.find(board)?;
        // A move that is not legal here would be left out, whatever the book says.
        let squares = || board.moves().into_iter();
        let mut moves: Vec<(Move, Score)> = node
            .edges()
            .iter()
            .filter_map(|edge| {
                let square = squares().find(|at| symmetry.apply_square(*at) == edge.square)?;
                Some((Move::Place(square), edge.value))
            })
            .collect();
        moves.sort_by_key(|(_, value)| -*value);
        Some(Entry { value: moves.first()?.1, solved: node.solved(), moves })
    }

    /// Best play that begins with `first`, a legal move, as far as the book goes; forced passes
    /// are written.
    pub fn line(&self, mut board: Board, first: Move) -> Vec<Move> {
        let mut line = Vec::new();
        let mut next = Some(first);
        while let Some(mv) = next {
            let after = match mv {
                Move::Place(square) => board.try_play(square),
                Move::Pass => board.must_pass().then(|| board.pass()),
            };
            let Some(after) = after else { break };
            line.push(mv);
            board = after;
            next = self.look_up(board).and_then(|entry| Some(entry.moves.first()?.0));
        }
        line
    }

    /// The position of the book that a board is, and the symmetry that leads to it.
    fn find(&self, board: Board) -> Option<(&Node, Symmetry)> {
        let canonical = board.canonical();
        let node = self.graph.node(canonical)?;
        let symmetry = Symmetry::all().find(|s| s.apply_board(board) == canonical)?;
        Some((node, symmetry))
    }
}

/// The contents of a file.
///
/// # Errors
/// One line with the path and the reason why it cannot be used.
pub fn read_file(path: &Path) -> Result<Contents, String> {
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(LONGEST_FILE).read_to_end(&mut bytes))
        .map_err(|error| format!("cannot read {}: {error}", path_text(path)))?;
    format::decode(&bytes).map_err(|error| format!("{}: {error}", path_text(path)))
}

#[cfg(test)]
mod tests {
    use super::analysis::testing::small_book;
    use super::*;
    use crate::game::Game;
    use crate::notation::moves::play_transcript;
    use crate::notation::position::parse_position;

    fn board(transcript: &str) -> Board {
        play_transcript(&Game::new(), transcript).unwrap().board()
    }

    /// The positions that the moves of an entry lead to, as the book sees them.
    fn outcomes(board: Board, entry: &Entry) -> Vec<(Score, Board)> {
        let after = |mv| match mv {
            Move::Place(square) => board.try_play(square).unwrap().canonical(),
            Move::Pass => board.pass().canonical(),
        };
        let mut outcomes: Vec<_> = entry.moves.iter().map(|(m, v)| (*v, after(*m))).collect();
        outcomes.sort_by_key(|(value, board)| (*value, board.player.0, board.opponent.0));
        outcomes
    }

    #[test]
    fn all_eight_images_of_a_position_have_the_same_moves() {
        let book = Book::new(&small_book(60));
        let mut found = 0;
        for node in book.graph().nodes() {
            let entry = book.look_up(node.board()).unwrap();
            let expected = outcomes(node.board(), &entry);
            for symmetry in Symmetry::all() {
                let image = symmetry.apply_board(node.board());
                let turned = book.look_up(image).unwrap();
                assert_eq!(turned.moves.len() as u32, image.moves().len());
                assert_eq!(outcomes(image, &turned), expected);
                found += 1;
            }
        }
        assert_eq!(found, 60 * 8);
    }

    #[test]
    fn an_asymmetric_position_turned_has_the_moves_turned() {
        let book = Book::new(&small_book(60));
        let asymmetric = |board: Board| {
            Symmetry::all().filter(|symmetry| symmetry.apply_board(board) == board).count() == 1
        };
        let node = book.graph().nodes().iter().find(|node| asymmetric(node.board())).unwrap();
        let entry = book.look_up(node.board()).unwrap();
        for symmetry in Symmetry::all() {
            let turned = book.look_up(symmetry.apply_board(node.board())).unwrap();
            for ((mv, value), (image, other)) in entry.moves.iter().zip(&turned.moves) {
                let (Move::Place(mv), Move::Place(image)) = (mv, image) else { panic!() };
                assert_eq!((symmetry.apply_square(*mv), value), (*image, other));
            }
        }
    }

    #[test]
    fn another_order_of_moves_leads_to_the_same_entry() {
        let (one, other) = (board("f5d6c4d3c3"), board("f5d6c3d3c4"));
        assert_eq!(one, other);
        let contents =
            Contents { positions: vec![Analysis::even(one.canonical())], ..small_book(1) };
        let book = Book::new(&contents);
        assert!(book.look_up(one).is_some());
        assert_eq!(book.look_up(one), book.look_up(other));
        assert_eq!(book.look_up(board("f5d6c4d3")), None);
    }

    #[test]
    fn a_side_that_must_pass_is_told_so_with_the_value_of_what_follows() {
        let game = parse_position("8/8/XO6/2O5/8/8/8/8 O").unwrap();
        assert!(game.must_pass());
        let mut analysis = Analysis::even(game.board().pass().canonical());
        analysis.values.fill(Score::from_centidiscs(250));
        let book = Book::new(&Contents { positions: vec![analysis], ..small_book(1) });
        let value = Score::from_centidiscs(-250);
        let entry = book.look_up(game.board()).unwrap();
        assert_eq!((entry.value, entry.moves), (value, vec![(Move::Pass, value)]));
        let line = book.line(game.board(), Move::Pass);
        assert_eq!(line[0], Move::Pass);
        assert_eq!(line.len(), 2);
    }

    #[test]
    fn lines_are_legal_and_end_where_the_book_ends() {
        let book = Book::new(&small_book(60));
        let entry = book.look_up(Board::START).unwrap();
        for (first, value) in entry.moves {
            let mut game = Game::new();
            let line = book.line(Board::START, first);
            line.iter().for_each(|mv| game.play(*mv).unwrap());
            assert_eq!(book.look_up(game.board()), None);
            assert_eq!(entry.value, value, "all four first moves are the same");
        }
        assert_eq!(book.line(Board::START, Move::Pass), []);
    }

    #[test]
    fn what_is_unfinished_counts_too() {
        let contents = small_book(20);
        let (positions, pending) = contents.positions.split_at(10);
        let split = Contents {
            positions: positions.to_vec(),
            pending: pending.to_vec(),
            ..contents.clone()
        };
        let (whole, split) = (Book::new(&contents), Book::new(&split));
        for node in whole.graph().nodes() {
            assert_eq!(whole.look_up(node.board()), split.look_up(node.board()));
        }
    }
}
