//! Every test from outside the library in one program, so that it is linked once. Those that
//! measure time have a program of their own, `timing`.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod endgame;
mod perft;
mod protocol_documents;
mod protocol_shell;
mod protocol_ugi;
mod rules;
mod search;
mod self_play;
mod support;
mod training_games;
