//! Text forms of moves, boards and games, each with the grammar that reads it (nom).

pub mod diagram;
pub mod error;
pub mod moves;
pub mod obf;
pub mod position;
pub mod sgf;

pub use error::SyntaxError;
