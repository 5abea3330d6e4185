//! The dialect of NBoard, version 2, which reversi-arena speaks too.
//!
//! The GUI waits for the answers for ever, so every command that wants one gets it, and a `ping`,
//! with which the GUI announces another position, ends what still runs for the old one.

mod command;
mod grammar;
mod reply;
#[cfg(test)]
mod tests;

use super::{Core, Dialect, PerftReport, Turn};
use crate::engine::Options;
use crate::game::Game;
use crate::notation::SyntaxError;
use crate::notation::ggf::AnnotatedMove;
use crate::score::Score;
use crate::search::{Bound, Info, Limits, Report};
use command::Command;
use reply::Reply;
use std::io;

/// The dialect: what its settings are and what the running search is for.
#[derive(Clone, Debug, Default)]
pub struct Nboard {
    /// Level of the searches; that of the engine's options if the GUI has not set a depth.
    level: Option<u32>,
    job: Option<Job>,
}

/// What a search is for.
#[derive(Clone, Debug)]
enum Job {
    /// A move.
    Go,
    /// Values of the best moves.
    Hint,
    /// The values of these positions of a game from its start on, the last one first.
    Analysis(Vec<Game>),
}

/// Is this the first line of a client that speaks the protocol of NBoard?
pub fn is_spoken_in(line: &str) -> bool {
    line.split_whitespace().next() == Some("nboard")
}

impl Dialect for Nboard {
    type Command = Result<Command, SyntaxError>;

    fn read(&self, line: &str) -> Option<Self::Command> {
        grammar::read(line).transpose()
    }

    fn overlong(&self) -> Self::Command {
        Err(SyntaxError {
            column: super::listener::LONGEST_LINE + 1,
            message: "the line is too long, its rest is ignored".into(),
        })
    }

    fn turn(&self, command: &Self::Command) -> Turn {
        match command {
            Ok(Command::Quit) => Turn::Last,
            Ok(Command::Ping(_)) => Turn::Interrupting,
            // A hint only informs; nobody looks at it any more once there is something to do.
            _ if matches!(self.job, Some(Job::Hint)) => Turn::Interrupting,
            _ => Turn::InOrder,
        }
    }

    fn changes_position(&self, command: &Self::Command) -> bool {
        matches!(command, Ok(Command::SetGame(_) | Command::Move(_)))
    }

    fn execute(&mut self, core: &mut Core, command: Self::Command) -> io::Result<()> {
        let command = match command {
            Ok(command) => command,
            Err(error) => return core.reply(Reply::Error(error.to_string())),
        };
        match command {
            Command::Nboard => core.reply(Reply::MyName("outflank"))?,
            Command::SetDepth(depth) => self.level = Some(depth),
            Command::SetContempt => log::info!("every disc counts: contempt changes nothing"),
            // In its turn, so no search runs.
            Command::SetGame(game) => {
                core.engine.prepare();
                core.game = *game;
            }
            Command::Move(mv) => {
                if let Err(error) = core.game.accept(mv) {
                    core.reply(Reply::Error(format!("illegal move: {error}")))?;
                }
            }
            Command::Hint(count) => self.start(core, Job::Hint, count)?,
            Command::Go => self.go(core)?,
            Command::Ping(number) => core.reply(Reply::Pong(number))?,
            Command::SetOption(setting) => {
                if let Err(error) = setting.apply(&mut core.engine) {
                    core.reply(Reply::Error(error))?;
                }
            }
            Command::Learn => {
                log::info!("a book is built by a command of the shell: nothing is learnt");
                core.reply(Reply::Learned)?;
            }
            Command::Analyze => {
                let positions = positions(&core.game);
                self.start(core, Job::Analysis(positions), 1)?;
            }
            // The session has ended everything already.
            Command::Quit => {}
        }
        Ok(())
    }

    fn info(&mut self, core: &mut Core, info: &Info) -> io::Result<()> {
        if !matches!(self.job, Some(Job::Hint)) || info.bound != Bound::Exact {
            return Ok(());
        }
        if info.multipv == 1 {
            core.reply(Reply::NodeStats(info.nodes, info.time))?;
        }
        core.reply(Reply::Search(info, core.game.board().empties().len()))
    }

    fn done(&mut self, core: &mut Core, report: &Report) -> io::Result<()> {
        match self.job.take() {
            Some(Job::Go) => {
                core.reply(Reply::NodeStats(report.nodes, report.time))?;
                core.reply(Reply::Best(best(core, report)))?;
            }
            Some(Job::Hint) => core.reply(Reply::NodeStats(report.nodes, report.time))?,
            Some(Job::Analysis(mut positions)) => {
                if let Some(game) = positions.pop() {
                    let value = value(core, &game, report);
                    core.reply(Reply::Analysis(positions.len(), value))?;
                }
                if !core.was_stopped() && !positions.is_empty() {
                    return self.search(core, Job::Analysis(positions), 1);
                }
            }
            None => log::error!("a search that nobody wants has ended"),
        }
        core.reply(Reply::Status("ready"))
    }

    /// Nothing can be counted in this dialect.
    fn counted(&mut self, _: &mut Core, _: Option<&PerftReport>) -> io::Result<()> {
        Ok(())
    }
}

impl Nboard {
    /// A side without a choice has nothing to think about.
    fn go(&mut self, core: &mut Core) -> io::Result<()> {
        if core.game.board().moves().is_empty() {
            return core.reply(Reply::Best(None));
        }
        self.start(core, Job::Go, 1)
    }

    fn start(&mut self, core: &mut Core, job: Job, multipv: usize) -> io::Result<()> {
        core.reply(Reply::Status(match job {
            Job::Go => "thinking",
            Job::Hint | Job::Analysis(_) => "analysing",
        }))?;
        self.search(core, job, multipv)
    }

    /// Starts a search for `job` in its position.
    fn search(&mut self, core: &mut Core, job: Job, multipv: usize) -> io::Result<()> {
        let multipv = multipv.clamp(*Options::MULTIPV.start(), *Options::MULTIPV.end());
        let options = Options { multipv, ..core.engine.options().clone() };
        let limits =
            Limits { level: Some(self.level.unwrap_or(options.level)), ..Limits::default() };
        let started = core.engine.set_options(options).and_then(|()| match &job {
            Job::Analysis(positions) => {
                let last = positions.last().unwrap_or(&core.game).clone();
                core.start_search_of(&last, limits)
            }
            Job::Go => core.find_move(&core.game.clone(), limits),
            Job::Hint => core.start_search(limits),
        });
        match started {
            Ok(()) => {
                self.job = Some(job);
                Ok(())
            }
            Err(error) => core.reply(Reply::Error(error)),
        }
    }
}

/// The positions of a game, its start first.
fn positions(game: &Game) -> Vec<Game> {
    let (board, colour) = game.start();
    let mut position = Game::from_position(board, colour);
    let mut positions = vec![position.clone()];
    for (_, mv) in game.plies() {
        if let Err(error) = position.play(mv) {
            log::error!("a move of the game is illegal: {error}");
        }
        positions.push(position.clone());
    }
    positions
}

/// The move of a search with its value and time.
fn best(core: &Core, report: &Report) -> Option<AnnotatedMove> {
    let colour = core.game.colour();
    let eval = report.lines.first().map(|line| line.score);
    report.best.map(|mv| AnnotatedMove { colour, mv, eval, time: Some(report.time) })
}

/// The value of a position for the side to move: of its search, or the result of the game.
fn value(core: &Core, game: &Game, report: &Report) -> Score {
    report.lines.first().map_or_else(|| core.engine.evaluate(game), |line| line.score)
}
