//! What a line can ask for.

use super::go::Go;
use crate::board::perft::Convention;
use crate::game::Game;
use crate::protocol::options::Setting;

/// A command with its arguments, complete in itself.
#[derive(Debug)]
pub enum Command {
    /// `ugi`: who are you?
    Ugi,
    /// `isready`: are you still there?
    IsReady,
    /// `uginewgame`: forget the last game.
    NewGame,
    /// `setoption`.
    SetOption(Setting),
    /// `position`, already played out.
    Position(Game),
    /// `go`.
    Go(Box<Go>),
    /// `stop`.
    Stop,
    /// `query`.
    Query(Query),
    /// `d`: show the board.
    Display,
    /// `eval`: the value without a search.
    Eval,
    /// `perft`.
    Perft {
        /// Depth in plies.
        depth: u32,
        /// How passes and finished games count.
        convention: Convention,
    },
    /// `help`.
    Help,
    /// `quit`.
    Quit,
}

/// What `query` asks about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Query {
    /// Is the first player, Black, on turn?
    P1Turn,
    /// Is the game over?
    GameOver,
    /// Who has won?
    Result,
}
