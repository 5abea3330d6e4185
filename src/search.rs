//! The search: what a caller asks for and what it hears back.

pub mod limits;
pub mod report;
pub mod selectivity;

pub use limits::{Clock, Limits};
pub use report::{Bound, Info, Report};
pub use selectivity::Selectivity;
