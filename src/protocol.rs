//! The protocol loop: lines come in on stdin, events from running jobs, answers go to stdout.
//!
//! The [`listener`] thread only reads; the loop below is the only thing that acts and the only
//! one that writes. A [`session`] keeps the order of commands, whatever the dialect; a dialect,
//! such as [`ugi`] or [`nboard`], knows the words.

mod listener;
pub mod nboard;
mod output;
mod perft;
mod session;
#[cfg(test)]
mod testing;
pub mod ugi;

pub use output::Output;
pub use perft::PerftReport;
pub use session::{Core, Dialect, Event, Session, Turn};

use crate::engine::Engine;
use std::io;
use std::sync::mpsc;
use ugi::Ugi;

/// Serves commands from stdin until `quit` or the end of input.
///
/// # Errors
/// stdout cannot be written; [`io::ErrorKind::BrokenPipe`] if nobody reads it any more.
pub fn run(engine: Engine) -> io::Result<()> {
    serve(engine, Ugi)
}

/// As [`run`] in any dialect.
///
/// # Errors
/// As for [`run`].
pub fn serve(engine: Engine, dialect: impl Dialect) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    listener::start(sender.clone())?;
    let mut session = Session::new(Core::new(engine, Output::stdout(), sender), dialect);
    while !session.is_finished() {
        // The session holds a sender, so the channel cannot be closed.
        let Ok(event) = events.recv() else { break };
        session.handle(event)?;
    }
    Ok(())
}
