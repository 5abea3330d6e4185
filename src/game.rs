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
    /// A disc after the end of the game.
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

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Ply {
    before: Board,
    colour: Colour,
    mv: Move,
}

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
        self.history.push(Ply { before: self.board, colour: self.colour, mv });
        self.board = next;
        self.colour = self.colour.other();
        Ok(())
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
            Move::Place(square) if self.must_pass() => {
                Game::from_position(self.board.pass(), self.colour.other()).after(square)?;
                self.play(Move::Pass)?;
                self.play(mv)
            }
            Move::Pass if self.is_over() || (!self.must_pass() && self.just_passed()) => Ok(()),
            _ => self.play(mv),
        }
    }

    /// Makes a move of a named colour as clients send them, see [`Game::accept`]. A pass of the
    /// side that has just passed changes nothing.
    ///
    /// # Errors
    /// [`IllegalMove::OutOfTurn`] for a colour that is not on turn while the other side can
    /// move, otherwise as for [`Game::accept`]; the game is then unchanged.
    pub fn accept_from(&mut self, colour: Colour, mv: Move) -> Result<(), IllegalMove> {
        if colour == self.colour || self.is_over() {
            return match mv {
                Move::Place(_) => self.play(mv),
                Move::Pass => self.accept(mv),
            };
        }
        match mv {
            Move::Pass if self.just_passed() => Ok(()),
            Move::Place(_) if self.must_pass() => self.accept(mv),
            _ => Err(IllegalMove::OutOfTurn(colour)),
        }
    }

    /// Takes the last move or pass back and returns it; `None` at the start position.
    pub fn undo(&mut self) -> Option<Move> {
        let ply = self.history.pop()?;
        self.board = ply.before;
        self.colour = ply.colour;
        Some(ply.mv)
    }

    fn just_passed(&self) -> bool {
        self.history.last().is_some_and(|ply| ply.mv == Move::Pass)
    }
}
