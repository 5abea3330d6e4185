//! Games of the engine against itself, and the fit of the weights of the evaluation to games.
//!
//! [`self_play`] plays a game, [`generator`] many at once, [`game_file`] keeps them. [`games`]
//! reads game files in text form, [`samples`] turns games into positions with labels, [`fit`]
//! finds the weights and [`measure`] says how far off they are. [`probcut`] fits the selective
//! cuts of the search to the evaluation.
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
//!
//! # The weights in the program
//!
//! They come from three game files, `wthor.txt` (137,548 tournament games), `logbook.txt`
//! (121,123 lines of a book) and `selfplay-gen0` (12,978 self-play games), 7.1 million distinct
//! positions, with the default options of the command:
//!
//! ```text
//! outflank train wthor.txt logbook.txt selfplay-gen0 --output src/eval/weights.bin
//! ```
//!
//! The same files give the same bytes, in any order and on any number of threads.
//!
//! # What the defaults rest on
//!
//! Mean errors (discs) on held-out self-play games and on positions with exact scores. Each row
//! is one change to ridge 5, smoothness 30, saturation 4, 25 steps and all weights 1; the
//! defaults are these with self-play weight 3.
//!
//! | change | self-play | 20 empties | 13–18 empties | 10 empties |
//! |---|---|---|---|---|
//! | none | 8.200 | 5.718 | 7.537 | 6.261 |
//! | ridge 2, smoothness 2, 40 steps | 8.524 | 5.748 | 7.660 | 6.439 |
//! | ridge 2, smoothness 10 | 8.302 | 5.699 | 7.570 | 6.322 |
//! | smoothness 100 | 8.183 | 5.810 | 7.541 | 6.277 |
//! | ridge 30 | 8.268 | 5.792 | 7.579 | 6.318 |
//! | saturation 1 | 8.194 | 5.769 | 7.529 | 6.258 |
//! | saturation 20 | 8.205 | 5.702 | 7.556 | 6.283 |
//! | half theoretical, half real WTHOR results | 8.203 | 5.694 | 7.539 | 6.262 |
//! | 40 % search score in self-play labels | – | 5.709 | 7.546 | 6.261 |
//! | no logbook | 8.268 | 5.911 | 7.576 | 6.369 |
//! | self-play weight 3 | 8.167 | 5.743 | 7.492 | 6.237 |
//!
//! Dropping late WTHOR positions of games with a mistake made it much worse (7.136 at 20
//! empties): the games that are left are the even ones.

pub mod fit;
pub mod game_file;
pub mod games;
pub mod generator;
pub mod measure;
pub mod probcut;
pub mod samples;
pub mod self_play;
