//! The thread that reads stdin. It parses nothing and waits for nobody.

use super::Event;
use std::io::{self, BufRead, Read};
use std::sync::mpsc::Sender;
use std::thread;

/// Longest line that is read, in bytes (16 MiB). What a longer one has beyond is dropped.
pub const LONGEST_LINE: usize = 16 << 20;

/// Starts the thread. It ends at the end of input or when nobody receives any more.
pub fn start(events: Sender<Event>) -> io::Result<()> {
    let listen = move || listen(io::stdin().lock(), |event| events.send(event).is_ok());
    thread::Builder::new().name("listener".into()).spawn(listen)?;
    Ok(())
}

/// Sends each line of `input` and then the end, until `send` says that nobody listens.
fn listen(mut input: impl BufRead, mut send: impl FnMut(Event) -> bool) {
    loop {
        match next_line(&mut input) {
            Ok(Some(event)) => {
                if !send(event) {
                    return;
                }
            }
            Ok(None) => break,
            Err(error) => {
                log::error!("stdin cannot be read: {error}");
                break;
            }
        }
    }
    send(Event::EndOfInput);
}

/// The next line without its end, `None` at the end of input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Event>> {
    let mut line = Vec::new();
    input.by_ref().take(LONGEST_LINE as u64 + 2).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    let ended = line.pop_if(|byte| *byte == b'\n').is_some();
    line.pop_if(|byte| *byte == b'\r');
    if line.len() <= LONGEST_LINE {
        let text = String::from_utf8_lossy(&line);
        // Some shells begin what they pipe with a byte order mark.
        return Ok(Some(Event::Line(text.trim_start_matches('\u{feff}').to_string())));
    }
    if !ended {
        skip_line(input)?;
    }
    Ok(Some(Event::OverlongLine))
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|byte| *byte == b'\n');
        let used = end.map_or(buffer.len(), |end| end + 1);
        let done = end.is_some() || used == 0;
        input.consume(used);
        if done {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn heard(input: &[u8]) -> Vec<String> {
        let mut heard = Vec::new();
        listen(input, |event| {
            heard.push(match event {
                Event::Line(line) => line,
                Event::OverlongLine => "(overlong)".into(),
                Event::EndOfInput => "(end)".into(),
                other => panic!("{other:?}"),
            });
            true
        });
        heard
    }

    #[test]
    fn lines_may_end_in_either_style_or_not_at_all() {
        assert_eq!(heard(b"one\ntwo\r\n\nthree"), ["one", "two", "", "three", "(end)"]);
        assert_eq!(heard(b""), ["(end)"]);
    }

    #[test]
    fn what_is_no_text_is_replaced() {
        assert_eq!(heard(b"a\xff\0b\n"), ["a\u{fffd}\0b", "(end)"]);
        assert_eq!(heard(b"\xef\xbb\xbfugi\n"), ["ugi", "(end)"]);
    }

    #[test]
    fn the_rest_of_an_overlong_line_is_dropped() {
        let mut input = vec![b'x'; LONGEST_LINE];
        input.extend(b"\nnext\n");
        assert_eq!(heard(&input)[1..], ["next", "(end)"]);
        for surplus in [1, 2, 100_000] {
            let mut input = vec![b'x'; LONGEST_LINE + surplus];
            input.extend(b"\nnext\n");
            assert_eq!(heard(&input), ["(overlong)", "next", "(end)"], "{surplus}");
        }
        assert_eq!(heard(&vec![b'x'; LONGEST_LINE + 9]), ["(overlong)", "(end)"]);
    }
}
