//! A session: one engine, one game, one running job, and commands that wait for it.

use super::{Output, PerftReport};
use crate::board::perft::Convention;
use crate::engine::{self, Engine};
use crate::game::Game;
use crate::search::{Info, Limits, Report};
use std::collections::VecDeque;
use std::fmt::Display;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

/// What a session reacts to.
#[derive(Debug)]
pub enum Event {
    /// A line of input.
    Line(String),
    /// A line too long to be read.
    OverlongLine,
    /// There will be no more lines.
    EndOfInput,
    /// Something of the running search.
    Search(engine::Event),
    /// The answer of the running perft, `None` if it was stopped.
    Perft(Option<PerftReport>),
}

/// When a command is carried out while a job runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// At once.
    Now,
    /// At once unless a command that waits will change the position, then in its turn.
    NowIfPositionHolds,
    /// In its turn: after the job and all commands before it.
    InOrder,
    /// In its turn, and until then all jobs are told to end at once.
    Interrupting,
    /// As the last one: the job is stopped and answers, what waits is abandoned.
    Last,
}

/// The words of one protocol.
pub trait Dialect {
    /// A line that has been read, errors included.
    type Command;

    /// Reads a line; `None` if there is nothing to do.
    fn read(&self, line: &str) -> Option<Self::Command>;

    /// What a line too long to be read amounts to.
    fn overlong(&self) -> Self::Command;

    /// When a command is carried out.
    fn turn(&self, command: &Self::Command) -> Turn;

    /// Will the command give the session another position?
    fn changes_position(&self, command: &Self::Command) -> bool;

    /// Carries out a command.
    ///
    /// # Errors
    /// The output cannot be written.
    fn execute(&mut self, core: &mut Core, command: Self::Command) -> io::Result<()>;

    /// Says of a command that it will not be carried out, since the session ends before it.
    ///
    /// # Errors
    /// The output cannot be written.
    fn abandon(&mut self, core: &mut Core, command: Self::Command) -> io::Result<()> {
        let _ = (core, command);
        Ok(())
    }

    /// Reports a line of the running search.
    ///
    /// # Errors
    /// The output cannot be written.
    fn info(&mut self, core: &mut Core, info: &Info) -> io::Result<()>;

    /// Reports the answer of the search that has just ended.
    ///
    /// # Errors
    /// The output cannot be written.
    fn done(&mut self, core: &mut Core, report: &Report) -> io::Result<()>;

    /// Reports the answer of the perft that has just ended, `None` if it was stopped.
    ///
    /// # Errors
    /// The output cannot be written.
    fn counted(&mut self, core: &mut Core, report: Option<&PerftReport>) -> io::Result<()>;
}

enum Job {
    Search {
        search: engine::Search,
        endless: bool,
    },
    Perft {
        stop: Arc<AtomicBool>,
    },
    /// An answer that is on its way already.
    Book,
}

impl Job {
    fn stop(&self) {
        match self {
            Job::Search { search, .. } => search.stop(),
            Job::Perft { stop } => stop.store(true, Ordering::Relaxed),
            Job::Book => {}
        }
    }
}

/// What commands of every dialect work on.
pub struct Core {
    /// The engine; its settings change only while no job runs.
    pub engine: Engine,
    /// The game on the board.
    pub game: Game,
    output: Output,
    events: Sender<Event>,
    job: Option<Job>,
    stopped: bool,
    input_open: bool,
    quitting: bool,
}

impl Core {
    /// A core with the start position. Jobs report to `events`.
    pub fn new(engine: Engine, output: Output, events: Sender<Event>) -> Core {
        let game = Game::new();
        let (job, stopped, input_open, quitting) = (None, false, true, false);
        Core { engine, game, output, events, job, stopped, input_open, quitting }
    }

    /// Writes one line.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn reply(&mut self, line: impl Display) -> io::Result<()> {
        self.output.line(line)
    }

    /// Starts a search of the game's position. No job may be running.
    ///
    /// # Errors
    /// One line if no thread can be started.
    pub fn start_search(&mut self, limits: Limits) -> Result<(), String> {
        self.start_search_of(&self.game.clone(), limits)
    }

    /// The same for the position of another game, such as one in which a pass is implied.
    ///
    /// # Errors
    /// One line if no thread can be started.
    pub fn start_search_of(&mut self, game: &Game, limits: Limits) -> Result<(), String> {
        let endless = limits.infinite;
        let events = self.events.clone();
        let search = self.engine.go(game, limits, move |event| {
            // If nobody receives, the session is over and nobody wants to know.
            let _ = events.send(Event::Search(event));
        })?;
        self.job = Some(Job::Search { search, endless });
        self.stopped = false;
        if !self.input_open {
            self.stop_endless();
        }
        Ok(())
    }

    /// Looks for a move in the position of `game`, in the book first: what that knows is answered
    /// at once, as a search would be. No job may be running.
    ///
    /// # Errors
    /// One line if no thread can be started.
    pub fn find_move(&mut self, game: &Game, limits: Limits) -> Result<(), String> {
        let Some(report) = self.engine.book_answer(game, &limits) else {
            return self.start_search_of(game, limits);
        };
        let infos = report.lines.iter().cloned().map(engine::Event::Info).collect::<Vec<_>>();
        for event in infos.into_iter().chain([engine::Event::Done(report)]) {
            // As for a search: if nobody receives, nobody wants to know.
            let _ = self.events.send(Event::Search(event));
        }
        self.job = Some(Job::Book);
        self.stopped = false;
        Ok(())
    }

    /// Starts to count lines of play from the game's position. No job may be running.
    ///
    /// # Errors
    /// One line if no thread can be started.
    pub fn start_perft(&mut self, depth: u32, convention: Convention) -> Result<(), String> {
        let stop = Arc::new(AtomicBool::new(false));
        let (flag, events, board) = (stop.clone(), self.events.clone(), self.game.board());
        let count = move || {
            let report = PerftReport::count(board, depth, convention, &flag);
            let _ = events.send(Event::Perft(report));
        };
        let thread = thread::Builder::new().name("perft".into()).spawn(count);
        thread.map_err(|error| format!("no thread for the count: {error}"))?;
        self.job = Some(Job::Perft { stop });
        self.stopped = false;
        Ok(())
    }

    /// Tells the running job, if any, to end and answer.
    pub fn stop(&mut self) {
        if let Some(job) = &self.job {
            job.stop();
            self.stopped = true;
        }
    }

    /// Was the job that ran last told to end before its time?
    pub fn was_stopped(&self) -> bool {
        self.stopped
    }

    /// Ends the session once the running job, if any, has been stopped and has answered.
    fn quit(&mut self) {
        self.quitting = true;
        self.stop();
    }

    /// Without input nobody could stop a search that waits for `stop`.
    fn stop_endless(&self) {
        if let Some(job @ Job::Search { endless: true, .. }) = &self.job {
            job.stop();
        }
    }
}

/// Keeps the order of commands: some are carried out at once, the others wait for the running
/// job and for each other.
pub struct Session<D: Dialect> {
    core: Core,
    dialect: D,
    queue: VecDeque<D::Command>,
    last: Option<D::Command>,
}

impl<D: Dialect> Session<D> {
    /// A session that speaks `dialect`.
    pub fn new(core: Core, dialect: D) -> Session<D> {
        Session { core, dialect, queue: VecDeque::new(), last: None }
    }

    /// Has everything been answered that will ever be asked?
    pub fn is_finished(&self) -> bool {
        let no_more = self.core.quitting || !self.core.input_open;
        let idle = self.core.job.is_none() && self.queue.is_empty() && self.last.is_none();
        no_more && idle
    }

    /// Reacts to one event.
    ///
    /// # Errors
    /// The output cannot be written.
    pub fn handle(&mut self, event: Event) -> io::Result<()> {
        match event {
            Event::Line(line) => {
                log::debug!("received {line:?}");
                if let Some(command) = self.dialect.read(&line) {
                    self.receive(command)?;
                }
            }
            Event::OverlongLine => self.receive(self.dialect.overlong())?,
            Event::EndOfInput => {
                self.core.input_open = false;
                self.core.stop_endless();
            }
            Event::Search(engine::Event::Info(info)) => self.dialect.info(&mut self.core, &info)?,
            Event::Search(engine::Event::Done(report)) => {
                self.core.job = None;
                self.dialect.done(&mut self.core, &report)?;
            }
            Event::Perft(report) => {
                self.core.job = None;
                self.dialect.counted(&mut self.core, report.as_ref())?;
            }
        }
        self.execute_waiting()
    }

    fn receive(&mut self, command: D::Command) -> io::Result<()> {
        let now = match self.dialect.turn(&command) {
            _ if self.core.quitting => return Ok(()),
            Turn::Now => true,
            Turn::NowIfPositionHolds => {
                !self.queue.iter().any(|waiting| self.dialect.changes_position(waiting))
            }
            Turn::InOrder => false,
            Turn::Interrupting => {
                self.core.stop();
                false
            }
            Turn::Last => {
                self.core.quit();
                self.last = Some(command);
                return Ok(());
            }
        };
        if now {
            return self.dialect.execute(&mut self.core, command);
        }
        self.queue.push_back(command);
        Ok(())
    }

    fn execute_waiting(&mut self) -> io::Result<()> {
        while self.core.job.is_none() {
            match self.queue.pop_front() {
                Some(command) if self.core.quitting => {
                    self.dialect.abandon(&mut self.core, command)?;
                }
                Some(command) => self.execute_in_turn(command)?,
                None => {
                    let Some(command) = self.last.take() else { break };
                    self.dialect.execute(&mut self.core, command)?;
                }
            }
        }
        Ok(())
    }

    /// Carries out a command whose turn has come. Its job has no time if a command that interrupts
    /// jobs waits already.
    fn execute_in_turn(&mut self, command: D::Command) -> io::Result<()> {
        self.dialect.execute(&mut self.core, command)?;
        let interrupts = |command| self.dialect.turn(command) == Turn::Interrupting;
        if self.core.job.is_some() && self.queue.iter().any(interrupts) {
            self.core.stop();
        }
        Ok(())
    }
}

/// A job must not outlive its session: the engine may wait for its threads.
impl<D: Dialect> Drop for Session<D> {
    fn drop(&mut self) {
        self.core.stop();
    }
}
