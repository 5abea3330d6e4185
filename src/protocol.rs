//! The protocol loop: lines come in on stdin, events from running jobs, answers go to stdout.
//!
//! The [`listener`] thread only reads; the loop below is the only thing that acts and the only
//! one that writes. A [`session`] keeps the order of commands, whatever the dialect; a dialect,
//! [`ugi`], [`gtp`] or [`nboard`], knows the words. The first line shows which one is spoken, see
//! [`Kind`].

pub mod gtp;
mod kind;
mod listener;
pub mod nboard;
mod options;
mod output;
mod perft;
mod session;
#[cfg(test)]
mod testing;
pub mod ugi;

pub use kind::Kind;
pub use output::Output;
pub use perft::PerftReport;
pub use session::{Core, Dialect, Event, Session, Turn};

use crate::engine::Engine;
use gtp::Gtp;
use nboard::Nboard;
use std::io;
use std::sync::mpsc::{self, Receiver};
use ugi::Ugi;

/// Serves commands from stdin until `quit` or the end of input, in the given dialect or in the
/// one that the first line shows.
///
/// # Errors
/// stdout cannot be written; [`io::ErrorKind::BrokenPipe`] if nobody reads it any more.
pub fn run(engine: Engine, kind: Option<Kind>) -> io::Result<()> {
    let (sender, events) = mpsc::channel();
    listener::start(sender.clone())?;
    let core = Core::new(engine, Output::stdout(), sender);
    let (kind, first) = match kind {
        Some(kind) => (kind, None),
        None => first_line(&events),
    };
    log::debug!("speaking {kind:?}");
    match kind {
        Kind::Ugi => serve(Session::new(core, Ugi), first, &events),
        Kind::Gtp => serve(Session::new(core, Gtp::default()), first, &events),
        Kind::Nboard => serve(Session::new(core, Nboard::default()), first, &events),
    }
}

/// Waits for the first line that is not blank. The dialect that it shows must still read it.
fn first_line(events: &Receiver<Event>) -> (Kind, Option<Event>) {
    for event in events {
        let kind = match &event {
            Event::Line(line) if line.trim().is_empty() => continue,
            Event::Line(line) => Kind::of(line),
            _ => Kind::Ugi,
        };
        return (kind, Some(event));
    }
    (Kind::Ugi, None)
}

/// Hands `first` and then all other events to the session until that is finished.
fn serve<D: Dialect>(
    mut session: Session<D>,
    mut first: Option<Event>,
    events: &Receiver<Event>,
) -> io::Result<()> {
    while !session.is_finished() {
        // The session holds a sender, so the channel cannot be closed.
        let Some(event) = first.take().or_else(|| events.recv().ok()) else { break };
        session.handle(event)?;
    }
    Ok(())
}
