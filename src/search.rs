//! The search: iterative deepening over a principal variation search, exact at the end.
//!
//! - [`limits`], [`levels`]: what a caller asks for; [`report`]: what it hears back.
//! - `root`: the moves of the root; `principal` and `null_window`: the two kinds of nodes above
//!   the leaves; `quick`: the last plies of the midgame; `endgame` and `last_empties`: the exact
//!   end. `split` shares a node among threads, `split_list` tells idle ones of it.
//! - [`tt`]: the table, `local_table`: a small one for the end; `ordering`, `parity`: which move
//!   first; `params`: every constant, and what was tried in vain.

mod deepening;
mod endgame;
mod last_empties;
pub mod levels;
pub mod limits;
mod local_table;
mod null_window;
mod ordering;
mod params;
mod parity;
mod position;
mod principal;
pub mod probcut;
mod quick;
pub mod report;
mod root;
pub mod selectivity;
mod split;
mod split_list;
mod stable_bound;
mod time;
pub mod tt;
mod window;
mod worker;

pub use deepening::{Environment, search};
pub use levels::Level;
pub use limits::{ByoYomi, Clock, Limits};
pub use report::{Bound, Info, Report};
pub use selectivity::Selectivity;
pub use window::Window;

/// Works out the tables that are otherwise worked out when they are first needed.
pub fn prepare() {
    crate::board::stability::prepare();
    probcut::prepare();
}
