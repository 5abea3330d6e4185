//! What a line can ask for.

use crate::game::{Game, Move};
use crate::protocol::options::Setting;

/// A command with its arguments, complete in itself.
#[derive(Debug)]
pub enum Command {
    /// `nboard`: who are you?
    Nboard,
    /// `set depth`, as a level.
    SetDepth(u32),
    /// `set contempt`, which changes nothing.
    SetContempt,
    /// `set game`, already played out.
    SetGame(Box<Game>),
    /// `move`.
    Move(Move),
    /// `hint`: the values of so many moves.
    Hint(usize),
    /// `go`.
    Go,
    /// `ping` with its number.
    Ping(u64),
    /// An option of the engine, as in UGI.
    SetOption(Setting),
    /// `learn`.
    Learn,
    /// `analyze`.
    Analyze,
    /// `quit`.
    Quit,
}
