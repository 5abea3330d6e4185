//! The value of a position without a search: a small network on patterns of squares.
//!
//! [`Features`] names the configuration of discs on every pattern and follows the moves of a
//! search; [`Weights`] turns it into a [`Score`](crate::score::Score) with the [`network`].
//! Weighing configurations is the method of M. Buro, "Experiments with Multi-ProbCut and a new
//! high-quality evaluation function for Othello" (1997), with one number for each; here each has
//! a row of numbers, and layers on top of their sum learn what patterns mean together, as in
//! Y. Nasu, "Efficiently updatable neural-network-based evaluation functions for computer shogi"
//! (2018).

pub mod features;
pub mod format;
pub mod network;
pub mod patterns;
pub mod weights;

pub use features::Features;
pub use weights::Weights;
