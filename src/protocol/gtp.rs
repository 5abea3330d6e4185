//! GTP, the Go Text Protocol, version 2, for Othello: the language of most graphical interfaces
//! and match programs. Its specification: Gunnar Farnebäck, "Specification of the Go Text
//! Protocol, version 2, draft 2", 2002. The commands for GoGui's board view are GoGui's own.

mod clocks;
mod command;
mod grammar;
mod reply;
mod takebacks;
#[cfg(test)]
mod tests;

use super::{Core, Dialect, PerftReport, Turn};
use crate::game::{Colour, Game, Move};
use crate::notation::diagram::{caption, diagram};
use crate::notation::sgf;
use crate::search::{Info, Limits, Report};
use clocks::Clocks;
use command::{Analysis, Command, Question, Request};
use reply::Reply;
use std::io;
use std::time::Instant;
use takebacks::Takebacks;

/// The dialect, with what a GTP client expects to be remembered.
#[derive(Debug, Default)]
pub struct Gtp {
    clocks: Clocks,
    takebacks: Takebacks,
    /// The level that the client has asked for. It holds together with the clocks.
    level: Option<u32>,
    /// Has anything been searched since the last start of a game?
    searched: bool,
    asked: Option<Asked>,
}

/// What the running search is to answer.
#[derive(Debug)]
struct Asked {
    id: String,
    colour: Colour,
    started: Instant,
    answer: Answer,
}

#[derive(Clone, Copy, Debug)]
enum Answer {
    /// The move, which is also played.
    Play,
    /// The move alone.
    Tell,
    /// The best line.
    BestLine,
    /// The value of every move. Afterwards this number of lines is to be searched again.
    MoveValues { multipv: usize },
}

/// What a command is answered with at once; `None` if a search will answer it.
type Outcome = Result<Option<String>, String>;

/// Nothing to say.
const DONE: Outcome = Ok(Some(String::new()));

/// Is this the first line of a client that speaks GTP? A comment and a numbered line are enough.
pub fn is_spoken_in(line: &str) -> bool {
    let line = line.trim();
    let (id, rest) = grammar::split_id(line);
    let word = rest.split_whitespace().next();
    let numbered = !id.is_empty() && word.is_some();
    line.starts_with('#') || numbered || word.is_some_and(grammar::is_command)
}

impl Dialect for Gtp {
    type Command = Request;

    fn read(&self, line: &str) -> Option<Request> {
        grammar::read(line)
    }

    fn overlong(&self) -> Request {
        let command = Err("the line is too long, its rest is ignored".into());
        Request { id: String::new(), command }
    }

    fn turn(&self, request: &Request) -> Turn {
        match request.command {
            Ok(Command::Quit) => Turn::Last,
            _ => Turn::InOrder,
        }
    }

    fn changes_position(&self, request: &Request) -> bool {
        use Command::{BoardSize, ClearBoard, GenMove, LoadSgf, Play, SetGame, Undo};
        match &request.command {
            Ok(GenMove { play, .. }) => *play,
            Ok(Play(..) | Undo | ClearBoard | BoardSize(_) | SetGame(_) | LoadSgf { .. }) => true,
            _ => false,
        }
    }

    fn execute(&mut self, core: &mut Core, request: Request) -> io::Result<()> {
        let Request { id, command } = request;
        let outcome = command.and_then(|command| self.carry_out(core, &id, command));
        match outcome {
            Ok(Some(text)) => core.reply(Reply { id: &id, text: Ok(&text) }),
            Ok(None) => Ok(()),
            Err(error) => core.reply(Reply { id: &id, text: Err(&error) }),
        }
    }

    fn abandon(&mut self, core: &mut Core, request: Request) -> io::Result<()> {
        core.reply(Reply { id: &request.id, text: Err("not done, since quit came first") })
    }

    fn info(&mut self, _: &mut Core, _: &Info) -> io::Result<()> {
        Ok(())
    }

    fn done(&mut self, core: &mut Core, report: &Report) -> io::Result<()> {
        let Some(asked) = self.asked.take() else {
            log::error!("a search ended that nobody had asked for");
            return Ok(());
        };
        let text = self.answer(core, &asked, report);
        core.reply(Reply { id: &asked.id, text: text.as_deref().map_err(String::as_str) })
    }

    /// GTP has no perft.
    fn counted(&mut self, _: &mut Core, _: Option<&PerftReport>) -> io::Result<()> {
        Ok(())
    }
}

impl Gtp {
    fn carry_out(&mut self, core: &mut Core, id: &str, command: Command) -> Outcome {
        match command {
            Command::Ask(question) => return ask(&core.game, question).map(Some),
            Command::Knows(name) => return Ok(Some(grammar::is_command(&name).to_string())),
            Command::BoardSize(8) | Command::ClearBoard => self.new_game(core),
            Command::BoardSize(_) => return Err("unacceptable size".into()),
            Command::SetGame(name) if is_othello(&name) => self.new_game(core),
            Command::SetGame(_) => return Err(format!("unknown game, expected {GAME}")),
            // The draw is a draw, whatever a client says.
            Command::Komi => {}
            Command::Play(colour, mv) => self.play(core, colour, mv)?,
            Command::GenMove { colour, play } => return self.gen_move(core, id, colour, play),
            Command::Undo if self.takebacks.undo(&mut core.game) => {}
            Command::Undo => return Err("cannot undo".into()),
            Command::TimeSettings(control) => self.clocks.set(control),
            Command::TimeLeft { colour, time, moves } => self.clocks.tell(colour, time, moves),
            Command::SetLevel(level) => self.level = Some(level),
            Command::SetOption(setting) => setting.apply(&mut core.engine)?,
            Command::LoadSgf { path, before } => self.load(core, &path, before)?,
            Command::Analyse(analysis) => return self.analyse(core, id, analysis),
            // The session has ended everything already.
            Command::Quit => {}
        }
        DONE
    }

    fn new_game(&mut self, core: &mut Core) {
        self.set_up(core, Game::new());
        self.clocks.restart();
        core.engine.prepare();
        // Board views begin thousands of games without ever asking for a move.
        if std::mem::take(&mut self.searched) {
            core.engine.clear();
        }
    }

    fn set_up(&mut self, core: &mut Core, game: Game) {
        core.game = game;
        self.takebacks.clear();
    }

    fn play(&mut self, core: &mut Core, colour: Colour, mv: Move) -> Result<(), String> {
        let played = self.takebacks.play(&mut core.game, colour, mv);
        played.map_err(|error| format!("illegal move: {error}"))
    }

    fn gen_move(&mut self, core: &mut Core, id: &str, colour: Colour, play: bool) -> Outcome {
        if core.game.is_over() {
            if play {
                self.play(core, colour, Move::Pass)?;
            }
            return Ok(Some(reply::vertex(Move::Pass)));
        }
        let mut game = core.game.clone();
        game.give_turn_to(colour).map_err(|error| error.to_string())?;
        let clock = self.clocks.clock(colour);
        let level = if clock.is_some() { self.level } else { Some(self.level(core)) };
        let limits = Limits { clock, level, ..Limits::default() };
        let answer = if play { Answer::Play } else { Answer::Tell };
        self.search(core, &game, limits, id, answer)
    }

    fn level(&self, core: &Core) -> u32 {
        self.level.unwrap_or(core.engine.options().level)
    }

    fn search(
        &mut self,
        core: &mut Core,
        game: &Game,
        limits: Limits,
        id: &str,
        answer: Answer,
    ) -> Outcome {
        let started = Instant::now();
        match answer {
            Answer::Play | Answer::Tell => core.find_move(game, limits)?,
            Answer::BestLine | Answer::MoveValues { .. } => core.start_search_of(game, limits)?,
        }
        self.searched = true;
        self.asked = Some(Asked { id: id.to_string(), colour: game.colour(), started, answer });
        Ok(None)
    }

    /// What the running search was asked for; a move is played if it is to be.
    fn answer(
        &mut self,
        core: &mut Core,
        asked: &Asked,
        report: &Report,
    ) -> Result<String, String> {
        let Asked { colour, answer, started, .. } = *asked;
        let best = report.best.ok_or("the game is over")?;
        match answer {
            Answer::Tell => {}
            Answer::Play => {
                self.play(core, colour, best)?;
                self.clocks.spend(colour, started.elapsed());
            }
            Answer::BestLine => {
                return Ok(report
                    .lines
                    .first()
                    .map_or_else(String::new, |line| reply::best_line(colour, line)));
            }
            Answer::MoveValues { multipv } => {
                set_multipv(core, multipv)?;
                return Ok(reply::move_values(colour, &report.lines));
            }
        }
        Ok(reply::vertex(best))
    }

    /// Searches the position for GoGui to show something of it.
    fn analyse(&mut self, core: &mut Core, id: &str, analysis: Analysis) -> Outcome {
        let game = core.game.clone();
        if game.is_over() {
            return Ok(Some("TEXT the game is over".into()));
        }
        let limits = Limits { level: Some(self.level(core)), ..Limits::default() };
        let answer = match analysis {
            Analysis::BestLine => Answer::BestLine,
            Analysis::MoveValues if game.must_pass() => {
                return Ok(Some(format!("TEXT {} must pass", game.colour())));
            }
            Analysis::MoveValues => {
                let multipv = core.engine.options().multipv;
                set_multipv(core, game.board().moves().len() as usize)?;
                Answer::MoveValues { multipv }
            }
        };
        self.search(core, &game, limits, id, answer)
    }

    fn load(&mut self, core: &mut Core, path: &str, before: Option<u64>) -> Result<(), String> {
        let most = before.map_or(usize::MAX, |number| {
            usize::try_from(number.saturating_sub(1)).unwrap_or(usize::MAX)
        });
        let game = sgf::read_file(path.as_ref(), most)
            .map_err(|error| format!("cannot load file: {error}"))?;
        self.set_up(core, game);
        Ok(())
    }
}

const GAME: &str = "Othello";

fn is_othello(name: &str) -> bool {
    name.eq_ignore_ascii_case(GAME) || name.eq_ignore_ascii_case("Reversi")
}

fn set_multipv(core: &mut Core, multipv: usize) -> Result<(), String> {
    let options = core.engine.options().clone();
    core.engine.set_options(crate::engine::Options { multipv, ..options })
}

fn ask(game: &Game, question: Question) -> Result<String, String> {
    Ok(match question {
        Question::ProtocolVersion => "2".into(),
        Question::Name => env!("CARGO_PKG_NAME").into(),
        Question::Version => env!("CARGO_PKG_VERSION").into(),
        Question::ListCommands => grammar::names().collect::<Vec<&str>>().join("\n"),
        Question::ListGames | Question::GameId => GAME.into(),
        Question::ShowBoard => show(game),
        Question::FinalScore if game.is_over() => reply::score(game),
        Question::FinalScore => return Err("cannot score: the game is not over".into()),
        Question::Size => "8".into(),
        Question::Board => reply::rows(game),
        Question::SideToMove => game.colour().to_string(),
        Question::LegalMoves => reply::legal_moves(game),
        Question::FinalResult if game.is_over() => reply::score(game),
        Question::FinalResult => String::new(),
        Question::AnalyzeCommands => ANALYZE_COMMANDS.join("\n"),
    })
}

/// Kind, label and command of what GoGui can show.
const ANALYZE_COMMANDS: [&str; 2] =
    ["gfx/Move Values/outflank-move_values", "gfx/Best Line/outflank-best_line"];

/// The board for people, below the line with the `=`.
fn show(game: &Game) -> String {
    let mut lines = vec![String::new()];
    lines.extend(diagram(game));
    lines.extend(caption(game));
    lines.join("\n")
}
