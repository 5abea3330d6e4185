//! The one place that writes stdout.

use std::fmt::Display;
use std::io::{self, Write};

/// Lines of output, each flushed at once.
pub struct Output {
    sink: Box<dyn Write>,
}

impl Output {
    /// Output to stdout.
    pub fn stdout() -> Output {
        Output::to(io::stdout())
    }

    /// Output to anything else.
    pub fn to(sink: impl Write + 'static) -> Output {
        Output { sink: Box::new(sink) }
    }

    /// Writes one line.
    ///
    /// # Errors
    /// The line cannot be written, for instance because nobody reads any more.
    pub fn line(&mut self, line: impl Display) -> io::Result<()> {
        writeln!(self.sink, "{line}")?;
        self.sink.flush()
    }
}
