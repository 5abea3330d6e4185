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
//! (121,123 lines of a book) and `selfplay-gen0` (12,978 self-play games), and from games of the
//! program itself, which it made in generations, each with the weights of the one before:
//!
//! ```text
//! outflank train wthor.txt logbook.txt selfplay-gen0 --output g0.bin
//! outflank selfplay --output gen1.bin --weights g0.bin --depth 5 --exact-empties 14 --seed 101
//! outflank train wthor.txt logbook.txt selfplay-gen0 gen1.bin --output g1.bin
//! outflank selfplay --output gen2.bin --weights g1.bin --depth 5 --exact-empties 14 --seed 202
//! outflank train wthor.txt logbook.txt selfplay-gen0 gen1.bin gen2.bin --output g2.bin
//! outflank selfplay --output gen3.bin --weights g2.bin --depth 5 --exact-empties 14 --seed 303
//! outflank train wthor.txt logbook.txt selfplay-gen0 gen3.bin --output g3.bin
//! ```
//!
//! The same files give the same bytes, in any order. The program has `g3.bin`, with 612,678 games
//! of generation 3; 29.3 M distinct positions in all. Generations 1 (11.2 M positions) and 2
//! (1.5 M) are no longer among them. The weights behind generation 1 were still those of a linear
//! sum, those behind generation 2 a network fitted to an early part of generation 1.
//!
//! # What the defaults rest on
//!
//! Mean errors (discs) on positions with exact scores, without a search. The first row is a sum
//! of one weight a pattern (with 16 interpolated stages, ridge and smoothing) on the three files;
//! the others are networks. A disc of difference between rows with the same data is a lot.
//!
//! | weights | 20 empties | 13–18 empties | 10 empties |
//! |---|---|---|---|
//! | linear sum | 5.743 | 7.492 | 6.237 |
//! | rows of 8 numbers | 5.296 | 6.953 | 6.134 |
//! | rows of 16 | 5.178 | 6.881 | 5.926 |
//! | rows of 32 | 5.236 | 7.090 | 6.029 |
//! | rows of 16, with 3.8 M positions of generation 1 | 5.297 | 6.640 | 5.709 |
//! | … and the mobility of both sides as inputs | 5.404 | 6.740 | 5.738 |
//! | … and 32 hidden numbers | 5.204 | 6.832 | 5.816 |
//! | … and twice the rate | 5.082 | 6.784 | 5.753 |
//! | … and self-play weight 6 | 5.287 | 6.649 | 5.689 |
//! | … and 40 % search score in self-play labels | 5.339 | 6.581 | 5.733 |
//! | all of generations 1 and 2, 40 % search score, 2 passes | 5.178 | 6.557 | 5.610 |
//! | … 60 % search score, self-play weight 4, 3 passes | 5.082 | 6.500 | 5.451 |
//! | … 70 % search score, self-play weight 4, 4 passes | 5.269 | 6.409 | 5.552 |
//! | generation 3 alone, 60 % search score, 3 passes | 5.045 | 6.266 | 5.411 |
//! | … and rows of their own below 28 empties, or 32 hidden numbers | no better on games held out | | |
//! | … 4 passes from a rate of 0.2 to 0.004, self-play weight 6 | worse on games held out | | |
//! | … 70 % search score, 5 passes | 5.066 | 6.108 | 5.378 |
//! | … 85 % search score, 5 passes | 5.134 | 6.136 | 5.407 |
//! | … 70 % search score, 8 passes to a rate of 0.005 | 5.062 | 6.086 | 5.346 |
//! | … 85 % search score, 8 passes to a rate of 0.005, 5 % more games | 5.043 | 6.195 | 5.347 |
//!
//! In games at 20,000 nodes a move (discs a game, standard error): generation 1 against the archives
//! alone +2.2 ± 0.7; generations 1 and 2 with the defaults of generation 1 against it +0.1 ± 0.6,
//! with 60 % search score and weight 4 +0.37 ± 0.22 (2,000 games). Generation 3 with these defaults
//! against that +0.72 ± 0.30, with 8 passes and 70 % +0.98 ± 0.37, with the present defaults
//! +0.69 ± 0.34 and 54.1 % of 800 games. Against its own first fit: 70 % and 5 passes −0.0 ± 0.4,
//! 85 % and 5 passes +0.6 ± 0.4, 70 % and 8 passes +0.8 ± 0.3.
//!
//! Dropping late WTHOR positions of games with a mistake made it much worse: the games that are
//! left are the even ones.

pub mod fit;
pub mod game_file;
pub mod games;
pub mod generator;
pub mod measure;
pub mod probcut;
pub mod samples;
pub mod self_play;
