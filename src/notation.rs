//! Text forms of moves, boards and games, each with the grammar that reads it (nom).
//!
//! [`forms`] reads any of them and writes the one that is asked for. [`wthor`] is the one that is
//! no text.

pub mod diagram;
pub mod error;
pub mod forms;
pub mod ggf;
pub mod hex;
pub mod moves;
pub mod obf;
pub mod position;
pub mod sgf;
#[cfg(test)]
pub(crate) mod testing;
pub mod words;
pub mod wthor;

pub use error::SyntaxError;
