//! The engine as a client sees it: a process that is told lines and asked for lines. An engine
//! that stays silent fails the test with what was said so far; it never hangs it.

use std::env;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// How long an answer may take before the test fails. It is no measure of speed: a busy machine
/// must not fail a test.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long a failing test waits for the engine's last words.
const GRACE: Duration = Duration::from_millis(200);

/// How many lines of the dialogue a failure shows.
const SHOWN: usize = 30;

/// A running engine; it is killed when the value is dropped.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    errors: Arc<Mutex<String>>,
    dialogue: Vec<String>,
    patience: Duration,
    label: String,
}

impl Engine {
    /// Starts the engine under test, or the command in the environment variable
    /// `OUTFLANK_COMMAND` (words with blanks between) if there is one.
    pub fn start() -> Engine {
        Engine::start_with(&[])
    }

    /// Starts the engine with these arguments.
    pub fn start_with(arguments: &[&str]) -> Engine {
        let command = env::var("OUTFLANK_COMMAND")
            .unwrap_or_else(|_| env!("CARGO_BIN_EXE_outflank").to_string());
        let mut words = command.split_whitespace();
        let program = words.next().expect("OUTFLANK_COMMAND is blank");
        let mut command = Command::new(program);
        command.args(words).args(arguments);
        Engine::spawn(command)
    }

    fn spawn(mut command: Command) -> Engine {
        command.env_remove("RUST_LOG");
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child =
            command.spawn().unwrap_or_else(|error| panic!("{command:?} does not start: {error}"));
        let stdout = child.stdout.take().expect("stdout is piped");
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut stderr = child.stderr.take().expect("stderr is piped");
        let errors = Arc::new(Mutex::new(String::new()));
        let collected = Arc::clone(&errors);
        thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(length @ 1..) = stderr.read(&mut chunk) {
                let text = String::from_utf8_lossy(&chunk[..length]);
                collected.lock().unwrap().push_str(&text);
            }
        });
        let stdin = child.stdin.take();
        Engine {
            child,
            stdin,
            lines,
            errors,
            dialogue: Vec::new(),
            patience: PATIENCE,
            label: "the engine".to_string(),
        }
    }

    /// Starts the engine under test and sends it these lines.
    pub fn after(lines: &[&str]) -> Engine {
        let mut engine = Engine::start();
        lines.iter().for_each(|line| engine.send(line));
        engine
    }

    /// Sets how long an answer may take before the test fails.
    pub fn set_patience(&mut self, patience: Duration) {
        self.patience = patience;
    }

    /// Names the engine or what it is doing in the messages of later failures.
    pub fn set_label(&mut self, label: &str) {
        self.label = label.to_string();
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.send_raw(format!("{line}\n").as_bytes());
    }

    /// Sends bytes as they are, for line ends and text that no client should send.
    pub fn send_raw(&mut self, bytes: &[u8]) {
        let shown = String::from_utf8_lossy(bytes);
        self.dialogue.extend(shown.lines().map(|line| format!("> {line}")));
        let Some(stdin) = self.stdin.as_mut() else { self.fail("its input is already closed") };
        if let Err(error) = stdin.write_all(bytes).and_then(|()| stdin.flush()) {
            self.fail(&format!("it takes no more input: {error}"));
        }
    }

    /// The next line, without its line end.
    pub fn line(&mut self) -> String {
        match self.lines.recv_timeout(self.patience) {
            Ok(line) => {
                self.dialogue.push(format!("< {line}"));
                line
            }
            Err(RecvTimeoutError::Timeout) => {
                self.fail(&format!("no line within {:?}", self.patience))
            }
            Err(RecvTimeoutError::Disconnected) => self.fail("it has closed its output"),
        }
    }

    /// The next line if one comes within `wait`.
    pub fn line_within(&mut self, wait: Duration) -> Option<String> {
        let line = self.lines.recv_timeout(wait).ok()?;
        self.dialogue.push(format!("< {line}"));
        Some(line)
    }

    /// All lines up to the first whose first word is `word`, that one included.
    pub fn lines_until(&mut self, word: &str) -> Vec<String> {
        let deadline = Instant::now() + self.patience;
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            let last = line.split_whitespace().next() == Some(word);
            lines.push(line);
            if last {
                return lines;
            }
            if Instant::now() > deadline {
                self.fail(&format!("no line '{word} …' within {:?}", self.patience));
            }
        }
    }

    /// The first line whose first word is `word`; those before it are dropped.
    pub fn find(&mut self, word: &str) -> String {
        let lines = self.lines_until(word);
        lines.into_iter().next_back().unwrap_or_else(|| self.fail("it has said nothing"))
    }

    /// Sends a line and returns the one line that answers it.
    pub fn ask(&mut self, line: &str) -> String {
        self.send(line);
        self.line()
    }

    /// Ends the input.
    pub fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Does what Ctrl-C does.
    #[cfg(unix)]
    pub fn interrupt(&mut self) {
        let kill = format!("kill -INT {}", self.child.id());
        let status = Command::new("sh").args(["-c", &kill]).status();
        if !status.is_ok_and(|status| status.success()) {
            self.fail("it cannot be interrupted");
        }
    }

    /// Ends the input and returns every line that still comes.
    pub fn end_input(&mut self) -> Vec<String> {
        self.close_input();
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(self.patience) {
                Ok(line) => {
                    self.dialogue.push(format!("< {line}"));
                    lines.push(line);
                }
                Err(RecvTimeoutError::Disconnected) => return lines,
                Err(RecvTimeoutError::Timeout) => {
                    self.fail("it does not close its output at the end of its input")
                }
            }
        }
    }

    /// Waits until the process has ended of its own accord.
    pub fn exit_status(&mut self) -> ExitStatus {
        let deadline = Instant::now() + self.patience;
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return status,
                Ok(None) if Instant::now() < deadline => {
                    thread::sleep(Duration::from_millis(5));
                }
                Ok(None) => self.fail(&format!("it is still running after {:?}", self.patience)),
                Err(error) => self.fail(&format!("its end cannot be awaited: {error}")),
            }
        }
    }

    /// What the engine has written to stderr so far.
    pub fn errors(&self) -> String {
        self.errors.lock().unwrap().clone()
    }

    /// Fails the test with a reason and the end of the dialogue.
    pub fn fail(&mut self, reason: &str) -> ! {
        // Lines that came unread, and a moment for the end and the last words of a crash.
        for _ in 0..SHOWN {
            match self.lines.recv_timeout(GRACE) {
                Ok(line) => self.dialogue.push(format!("< {line}")),
                Err(RecvTimeoutError::Timeout) => break,
                Err(RecvTimeoutError::Disconnected) => {
                    thread::sleep(GRACE);
                    break;
                }
            }
        }
        let state = match self.child.try_wait() {
            Ok(Some(status)) => format!("ended ({status})"),
            _ => "running".to_string(),
        };
        let skipped = self.dialogue.len().saturating_sub(SHOWN);
        panic!(
            "{}: {reason}\nprocess: {state}\ndialogue ({skipped} lines before):\n{}\nstderr:\n{}",
            self.label,
            self.dialogue[skipped..].join("\n"),
            self.errors()
        );
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // Both fail only if the process has ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
