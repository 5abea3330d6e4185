//! The value of a position without a search: a sum of weights, one for the configuration of
//! discs on each of a fixed set of square patterns.
//!
//! [`Features`] names the configuration of every pattern and follows the moves of a search;
//! [`Weights`] turns it into a [`Score`](crate::score::Score). The method is that of M. Buro,
//! "Experiments with Multi-ProbCut and a new high-quality evaluation function for Othello"
//! (1997); weights change with the number of empty squares, see [`stages`].

pub mod features;
pub mod format;
pub mod patterns;
pub mod stages;
pub mod weights;

pub use features::Features;
pub use weights::Weights;
