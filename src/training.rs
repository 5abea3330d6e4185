//! Fits the weights of the evaluation to games.
//!
//! [`games`] reads game files, [`samples`] turns games into positions with labels, [`fit`] finds
//! the weights and [`measure`] says how far off they are.

pub mod fit;
pub mod games;
pub mod measure;
pub mod samples;
