//! Shell commands, one in each file: their arguments and what they do.

pub mod eval_suite;
pub mod train;
