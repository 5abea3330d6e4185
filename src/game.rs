//! A game with colours: whose turn it is, what was played, and how it ended.

use crate::board::{Bitboard, Board, Square};
use std::fmt;

/// Black moves first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Colour {
    /// The side that starts the game.
    Black,
    /// The other side.
    White,
}

impl Colour {
    /// The other colour.
    pub fn other(self) -> Colour {
        match self {
            Colour::Black => Colour::White,
            Colour::White => Colour::Black,
        }
    }
}

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Colour::Black => "black",
            Colour::White => "white",
        })
    }
}

/// What a side does when it is its turn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub enum Move {
    /// A disc on this square.
    Place(Square),
    /// No disc: only when the side has no legal move.
    Pass,
}

impl fmt::Display for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Move::Place(square) => write!(f, "{square}"),
            Move::Pass => f.write_str("pass"),
        }
    }
}

/// Why a move was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMove {
    /// The square already holds a disc.
    Occupied(Square),
    /// The move outflanks nothing.
    FlipsNothing(Square, Colour),
    /// A pass by a side that has a legal move.
    PassWithMoves(Colour),
    /// A move after the end of the game.
    GameOver,
    /// A move by the side that is not on turn while the other side can move.
    OutOfTurn(Colour),
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IllegalMove::Occupied(square) => write!(f, "{square} is occupied"),
            IllegalMove::FlipsNothing(square, colour) => {
                write!(f, "{square} flips nothing for {colour}")
            }
            IllegalMove::PassWithMoves(colour) => write!(f, "{colour} has a move and may not pass"),
            IllegalMove::GameOver => f.write_str("the game is over"),
            IllegalMove::OutOfTurn(colour) => write!(f, "it is not {colour}'s turn"),
        }
    }
}

impl std::error::Error for IllegalMove {}

/// The outcome of a finished game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// Black discs on the board.
    pub black_discs: u32,
    /// White discs on the board.
    pub white_discs: u32,
    /// Black minus White with the empty squares given to the winner (discs, −64 … 64).
    pub black_score: i32,
}

impl Outcome {
    /// The side with more discs, or `None` for a draw.
    pub fn winner(self) -> Option<Colour> {
        match self.black_score.signum() {
            1 => Some(Colour::Black),
            -1 => Some(Colour::White),
            _ => None,
        }
    }
}

/// A position and how it came about. Every position may be a start, however odd.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Game {
    board: Board,
    colour: Colour,
    history: Vec<Ply>,
}

#[derive(Clone, Copy, Debug)]
struct Ply {
    before: Board,
    colour: Colour,
    mv: Move,
    /// A pass that no client sent: the next command showed that it had happened.
    implied: bool,
}

/// A game is the same whether its passes were sent or implied.
impl PartialEq for Ply {
    fn eq(&self, other: &Ply) -> bool {
        (self.before, self.colour, self.mv) == (other.before, other.colour, other.mv)
    }
}

impl Eq for Ply {}

impl Default for Game {
    fn default() -> Game {
        Game::new()
    }
}

impl Game {
    /// The start of a game.
    pub fn new() -> Game {
        Game::from_position(Board::START, Colour::Black)
    }

    /// A game that starts from `board`, whose side to move is `colour`.
    pub fn from_position(board: Board, colour: Colour) -> Game {
        Game { board, colour, history: Vec::new() }
    }

    /// The position as the side to move sees it.
    pub fn board(&self) -> Board {
        self.board
    }

    /// The side on turn, also when it must pass or the game is over.
    pub fn colour(&self) -> Colour {
        self.colour
    }

    /// The discs of one colour.
    pub fn discs(&self, colour: Colour) -> Bitboard {
        if colour == self.colour { self.board.player } else { self.board.opponent }
    }

    /// Moves and passes since the start position, with the side that made each.
    pub fn plies(&self) -> impl ExactSizeIterator<Item = (Colour, Move)> {
        self.history.iter().map(|ply| (ply.colour, ply.mv))
    }

    /// The position from which the history starts.
    pub fn start(&self) -> (Board, Colour) {
        self.history.first().map_or((self.board, self.colour), |ply| (ply.before, ply.colour))
    }

    /// Has neither side a move?
    pub fn is_over(&self) -> bool {
        self.board.is_over()
    }

    /// Must the side on turn pass?
    pub fn must_pass(&self) -> bool {
        self.board.must_pass()
    }

    /// Disc counts and score as the board stands; the result once the game is over.
    pub fn outcome(&self) -> Outcome {
        let score = self.board.final_score();
        Outcome {
            black_discs: self.discs(Colour::Black).len(),
            white_discs: self.discs(Colour::White).len(),
            black_score: if self.colour == Colour::Black { score } else { -score },
        }
    }

    /// Makes a move of the side on turn, by the letter of the rules.
    ///
    /// # Errors
    /// The reason why the move is illegal; the game is then unchanged.
    pub fn play(&mut self, mv: Move) -> Result<(), IllegalMove> {
        let next = match mv {
            Move::Place(square) => self.after(square)?,
            Move::Pass if self.board.must_pass() => self.board.pass(),
            Move::Pass if self.board.is_over() => return Err(IllegalMove::GameOver),
            Move::Pass => return Err(IllegalMove::PassWithMoves(self.colour)),
        };
        self.advance(next, mv, false);
        Ok(())
    }

    fn advance(&mut self, next: Board, mv: Move, implied: bool) {
        self.history.push(Ply { before: self.board, colour: self.colour, mv, implied });
        self.board = next;
        self.colour = self.colour.other();
    }

    fn after(&self, square: Square) -> Result<Board, IllegalMove> {
        if let Some(next) = self.board.try_play(square) {
            Ok(next)
        } else if self.is_over() {
            Err(IllegalMove::GameOver)
        } else if !self.board.empties().has(square) {
            Err(IllegalMove::Occupied(square))
        } else {
            Err(IllegalMove::FlipsNothing(square, self.colour))
        }
    }

    /// Makes a move as clients send them, with passes written, left out or repeated: a disc when
    /// the side on turn must pass belongs to the other side, a pass straight after a pass and a
    /// pass after the end change nothing.
    ///
    /// # Errors
    /// The reason why the move is illegal; the game is then unchanged.
    pub fn accept(&mut self, mv: Move) -> Result<(), IllegalMove> {
        match mv {
            Move::Place(_) if self.must_pass() => self.accept_from(self.colour.other(), mv),
            Move::Pass if self.is_over() || (!self.must_pass() && self.just_passed()) => Ok(()),
            _ => self.play(mv),
        }
    }

    /// Makes a move of a named colour as clients send them, see [`Game::accept`]. A pass of the
    /// side that has just passed and a pass after the end change nothing.
    ///
    /// # Errors
    /// [`IllegalMove::OutOfTurn`] for a colour that is not on turn while the other side can
    /// move, otherwise as for [`Game::play`]; the game is then unchanged.
    pub fn accept_from(&mut self, colour: Colour, mv: Move) -> Result<(), IllegalMove> {
        match mv {
            Move::Pass if self.is_over() => Ok(()),
            Move::Pass if colour != self.colour && self.just_passed() => Ok(()),
            Move::Place(square) if colour != self.colour && self.must_pass() => {
                // Checked first so that a refused move leaves no pass behind.
                Game::from_position(self.board.pass(), colour).after(square)?;
                self.give_turn_to(colour)?;
                self.play(mv)
            }
            _ if colour == self.colour || self.is_over() => self.play(mv),
            _ => Err(IllegalMove::OutOfTurn(colour)),
        }
    }

    /// Makes it the turn of `colour`, as clients that leave passes out expect: passes for the
    /// other side if that must pass.
    ///
    /// # Errors
    /// [`IllegalMove::OutOfTurn`] if the other side can move, [`IllegalMove::GameOver`] after
    /// the end; the game is then unchanged.
    pub fn give_turn_to(&mut self, colour: Colour) -> Result<(), IllegalMove> {
        if self.is_over() {
            return Err(IllegalMove::GameOver);
        }
        if colour != self.colour {
            if !self.must_pass() {
                return Err(IllegalMove::OutOfTurn(colour));
            }
            self.advance(self.board.pass(), Move::Pass, true);
        }
        Ok(())
    }

    /// Takes the last move or pass back and returns it; `None` at the start position. A pass
    /// that was left out by the client goes together with the move that implied it, so that a
    /// client undoes as often as it has played.
    pub fn undo(&mut self) -> Option<Move> {
        self.drop_implied_pass();
        let mv = self.drop_ply()?;
        self.drop_implied_pass();
        Some(mv)
    }

    fn drop_implied_pass(&mut self) {
        if self.history.last().is_some_and(|ply| ply.implied) {
            self.drop_ply();
        }
    }

    fn drop_ply(&mut self) -> Option<Move> {
        let ply = self.history.pop()?;
        self.board = ply.before;
        self.colour = ply.colour;
        Some(ply.mv)
    }

    fn just_passed(&self) -> bool {
        self.history.last().is_some_and(|ply| ply.mv == Move::Pass)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::position::parse_position;

    fn white_must_pass() -> Game {
        parse_position("8/8/XO6/2O5/8/8/8/8 O").unwrap()
    }

    fn square(name: &str) -> Square {
        Square::parse(name).unwrap()
    }

    #[test]
    fn games_are_equal_whether_their_passes_were_sent_or_implied() {
        let (mut sent, mut implied) = (white_must_pass(), white_must_pass());
        sent.play(Move::Pass).unwrap();
        sent.play(Move::Place(square("c3"))).unwrap();
        implied.accept(Move::Place(square("c3"))).unwrap();
        assert_eq!(sent, implied);
        assert_ne!(sent, white_must_pass());
    }

    #[test]
    fn undo_tells_a_pass_that_was_sent_from_an_implied_one() {
        let (mut sent, mut implied) = (white_must_pass(), white_must_pass());
        sent.play(Move::Pass).unwrap();
        let passed = sent.clone();
        sent.play(Move::Place(square("c3"))).unwrap();
        implied.accept(Move::Place(square("c3"))).unwrap();
        sent.undo();
        implied.undo();
        assert_eq!((sent, implied), (passed, white_must_pass()));
    }

    #[test]
    fn the_outcome_does_not_depend_on_the_side_on_turn() {
        for (board, score) in [("XX1O4/8/8/8/8/8/8/8", 62), ("X1OO4/8/8/8/8/8/8/8", -62)] {
            let of = |side| parse_position(&format!("{board} {side}")).unwrap().outcome();
            assert_eq!(of("X"), of("O"));
            assert_eq!(of("X").black_score, score);
        }
    }

    #[test]
    fn a_refusal_says_why() {
        let mut game = Game::new();
        let mut why = |colour, mv| game.accept_from(colour, mv).unwrap_err().to_string();
        let place = |name| Move::Place(square(name));
        assert_eq!(why(Colour::Black, place("d4")), "d4 is occupied");
        assert_eq!(why(Colour::Black, place("a1")), "a1 flips nothing for black");
        assert_eq!(why(Colour::Black, Move::Pass), "black has a move and may not pass");
        assert_eq!(why(Colour::White, place("d3")), "it is not white's turn");
        let mut over = parse_position("8/8/8/8/8/8/8/8 X").unwrap();
        assert_eq!(over.play(Move::Pass).unwrap_err().to_string(), "the game is over");
    }
}
