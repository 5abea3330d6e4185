//! The native dialect: UGI, the Universal Game Interface, with a few more commands for people.

mod command;
mod go;
mod grammar;
mod reply;
#[cfg(test)]
mod tests;

use super::{Core, Dialect, PerftReport, Turn, options};
use crate::game::{Colour, Game};
use crate::notation::SyntaxError;
use crate::search::{Info, Report};
use command::{Command, Query};
use go::Go;
use reply::{Reply, Response};
use std::io;

/// The dialect. It remembers nothing: all state is the session's.
#[derive(Clone, Copy, Debug)]
pub struct Ugi;

/// Is this the first line of a client that speaks UGI, or a relative of it?
pub fn is_spoken_in(line: &str) -> bool {
    let word = line.split_whitespace().next();
    word.is_some_and(|word| word == "uci" || grammar::is_command(word))
}

impl Dialect for Ugi {
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
            Ok(Command::IsReady | Command::Stop) => Turn::Now,
            Ok(Command::Quit) => Turn::Last,
            Ok(Command::Query(_)) => Turn::NowIfPositionHolds,
            _ => Turn::InOrder,
        }
    }

    fn changes_position(&self, command: &Self::Command) -> bool {
        matches!(command, Ok(Command::Position(_) | Command::NewGame))
    }

    fn execute(&mut self, core: &mut Core, command: Self::Command) -> io::Result<()> {
        let command = match command {
            Ok(command) => command,
            Err(error) => return core.reply(Reply::Error(error.to_string())),
        };
        match command {
            Command::Ugi => introduce(core)?,
            Command::IsReady => core.reply(Reply::ReadyOk)?,
            Command::NewGame => new_game(core),
            Command::SetOption(setting) => or_error(setting.apply(&mut core.engine), core)?,
            Command::Position(game) => core.game = game,
            Command::Go(go) => or_error(start(core, &go), core)?,
            Command::Stop => core.stop(),
            Command::Query(query) => core.reply(Reply::Response(answer(&core.game, query)))?,
            Command::Display => reply::board(&core.game).iter().try_for_each(|l| core.reply(l))?,
            Command::Eval => core.reply(Reply::Eval(core.engine.evaluate(&core.game)))?,
            Command::Perft { depth, convention } => {
                or_error(core.start_perft(depth, convention), core)?;
            }
            Command::Help => grammar::help().try_for_each(|line| core.reply(line))?,
            // The session has ended everything already.
            Command::Quit => {}
        }
        Ok(())
    }

    fn info(&mut self, core: &mut Core, info: &Info) -> io::Result<()> {
        core.reply(Reply::Info(info))
    }

    fn done(&mut self, core: &mut Core, report: &Report) -> io::Result<()> {
        core.reply(Reply::BestMove(report.best))
    }

    fn counted(&mut self, core: &mut Core, report: Option<&PerftReport>) -> io::Result<()> {
        match report {
            Some(report) => core.reply(Reply::Perft(report)),
            None => core.reply(Reply::Error("perft was stopped".into())),
        }
    }
}

/// For a command that answers only if it fails.
fn or_error(result: Result<(), String>, core: &mut Core) -> io::Result<()> {
    result.or_else(|error| core.reply(Reply::Error(error)))
}

fn introduce(core: &mut Core) -> io::Result<()> {
    core.reply(Reply::Id("name", concat!("outflank ", env!("CARGO_PKG_VERSION"))))?;
    core.reply(Reply::Id("author", "the outflank developers"))?;
    options::declarations().try_for_each(|declaration| core.reply(declaration))?;
    core.reply(Reply::UgiOk)
}

fn new_game(core: &mut Core) {
    core.engine.prepare();
    core.engine.clear();
    core.game = Game::new();
}

fn start(core: &mut Core, go: &Go) -> Result<(), String> {
    let level = core.engine.options().level;
    let limits = go.limits(core.game.colour(), level).map_err(|error| error.to_string())?;
    core.find_move(&core.game.clone(), limits)
}

fn answer(game: &Game, query: Query) -> Response {
    match query {
        Query::P1Turn => Response::Is(game.colour() == Colour::Black),
        Query::GameOver => Response::Is(game.is_over()),
        Query::Result => Response::Result(game.is_over().then(|| game.outcome().winner())),
    }
}
