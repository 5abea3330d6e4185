//! Every test from outside the library in one program, so that it is linked once.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod analyze;
mod book;
mod completions;
mod convert;
mod endgame;
mod help;
mod perft;
mod protocol_documents;
mod protocol_gtp;
mod protocol_nboard;
mod protocol_shell;
mod protocol_ugi;
mod recipes;
mod rules;
mod search;
mod self_play;
mod solve;
mod support;
mod timing;
mod training_games;
mod weights;
