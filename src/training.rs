//! Games of the engine against itself, and the fit of the weights of the evaluation to games.
//!
//! [`self_play`] plays a game, [`generator`] many at once, [`game_file`] keeps them. [`games`]
//! reads game files in text form, [`samples`] turns games into positions with labels, [`fit`]
//! finds the weights and [`measure`] says how far off they are.
//!
//! From nothing to weights:
//!
//! ```text
//! outflank selfplay --output games.bin --positions 5000000   stop and go on at any time
//! outflank games games.bin | head                            look at some
//! outflank train games.bin --output weights.bin              files of any form together
//! outflank eval-suite suite.obf --weights weights.bin
//! outflank selfplay --output next.bin --weights weights.bin  the next generation
//! ```
//!
//! The same command goes on where an earlier run was stopped, in whatever way. Two machines need
//! two seeds and two files.

pub mod fit;
pub mod game_file;
pub mod games;
pub mod generator;
pub mod measure;
pub mod samples;
pub mod self_play;
