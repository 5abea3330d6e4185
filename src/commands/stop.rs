//! Ends searches early, at Ctrl-C above all.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

/// Ends searches from another thread.
#[derive(Debug, Default)]
pub struct Stop {
    /// Ends the search that runs, and is set by every search that its limits end.
    search: AtomicBool,
    ended: AtomicBool,
}

impl Stop {
    /// One that Ctrl-C ends. Without a handler Ctrl-C ends the program at once, which loses what
    /// comes after the last row or the last write.
    pub fn on_interrupt() -> Arc<Stop> {
        let stop = Arc::new(Stop::default());
        let handled = Arc::clone(&stop);
        if let Err(error) = ctrlc::set_handler(move || handled.end()) {
            log::warn!("Ctrl-C will end the program at once: {error}");
        }
        stop
    }

    /// Ends the search that runs and those that would follow.
    pub fn end(&self) {
        self.ended.store(true, SeqCst);
        self.search.store(true, SeqCst);
    }

    /// Has it been ended?
    pub fn ended(&self) -> bool {
        self.ended.load(SeqCst)
    }

    /// The flag for one more search, `None` once it is ended.
    pub fn next_search(&self) -> Option<&AtomicBool> {
        self.search.store(false, SeqCst);
        // Looked at after that, so that no end goes unnoticed.
        (!self.ended()).then_some(&self.search)
    }

    /// The flag for many searches whose limits never set it: those of a depth or a level.
    pub fn flag(&self) -> &AtomicBool {
        &self.search
    }

    /// How a command ends after its last output.
    ///
    /// # Errors
    /// [`io::ErrorKind::Interrupted`] if it has been ended.
    pub fn result(&self) -> io::Result<()> {
        if self.ended() { Err(io::ErrorKind::Interrupted.into()) } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_search_may_set_the_flag_and_only_an_end_keeps_it_set() {
        let stop = Stop::default();
        stop.next_search().unwrap().store(true, SeqCst);
        assert!(stop.flag().load(SeqCst) && !stop.ended() && stop.result().is_ok());
        assert!(!stop.next_search().unwrap().load(SeqCst));
        stop.end();
        assert!(stop.flag().load(SeqCst) && stop.next_search().is_none());
        assert_eq!(stop.result().unwrap_err().kind(), io::ErrorKind::Interrupted);
    }
}
