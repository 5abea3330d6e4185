//! **outflank** is an Othello (Reversi) engine that other programs drive over stdin and stdout.
//!
//! What is where, lowest first; a module uses only those above it in this list:
//!
//! - [`board`]: discs as two bitboards, moves, flips, stability, symmetry. No colours.
//! - [`random`]: random numbers that are the same in every run.
//! - [`game`]: a game with colours, history, passes, undo and result.
//! - [`notation`]: text forms of moves, boards and games, and their one error type.
//! - [`score`]: the one scale of values.
//! - [`eval`]: the value of a position without a search, from patterns of discs.
//! - [`search`]: limits, the search itself and its reports.
//! - [`book`]: opening knowledge that searches have found, its file and how it grows.
//! - [`engine`]: options, table, threads and searches in the background.
//! - [`training`]: games of the engine against itself; fits the weights of the evaluation to games.
//! - [`commands`]: what can be asked for on the command line.

pub mod board;
pub mod book;
pub mod commands;
pub mod cpu;
pub mod engine;
pub mod eval;
pub mod game;
pub mod notation;
mod pages;
pub mod protocol;
pub mod random;
pub mod score;
pub mod search;
pub mod training;
