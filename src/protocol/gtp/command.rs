//! What a line can ask for.

use super::clocks::Control;
use crate::game::{Colour, Move};
use crate::protocol::options::Setting;
use std::time::Duration;

/// A line: its number, if it has one, and what it asks for or why that cannot be read.
#[derive(Debug)]
pub struct Request {
    /// The digits before the command, blank if there are none.
    pub id: String,
    /// The command.
    pub command: Result<Command, String>,
}

/// A command with its arguments, complete in itself.
#[derive(Debug)]
pub enum Command {
    /// One of the questions that need no thought.
    Ask(Question),
    /// `known_command`.
    Knows(String),
    /// `boardsize`.
    BoardSize(u64),
    /// `set_game`.
    SetGame(String),
    /// `clear_board`: a new game.
    ClearBoard,
    /// `komi`, which has no meaning in Othello.
    Komi,
    /// `play`.
    Play(Colour, Move),
    /// `genmove` and `reg_genmove`.
    GenMove {
        /// Who is to move.
        colour: Colour,
        /// Is the move also to be played?
        play: bool,
    },
    /// `undo`.
    Undo,
    /// `time_settings`.
    TimeSettings(Control),
    /// `time_left`.
    TimeLeft {
        /// Whose clock it is.
        colour: Colour,
        /// What is left.
        time: Duration,
        /// Moves to be made in that time, 0 for the rest of the game.
        moves: u32,
    },
    /// `set_level`.
    SetLevel(u32),
    /// `setoption`, as in UGI.
    SetOption(Setting),
    /// `loadsgf`.
    LoadSgf {
        /// Name of the file.
        path: String,
        /// Stop before this move, counted from 1.
        before: Option<u64>,
    },
    /// A command of [`Analysis`].
    Analyse(Analysis),
    /// `quit`.
    Quit,
}

/// What is answered at once and changes nothing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Question {
    /// `protocol_version`.
    ProtocolVersion,
    /// `name`.
    Name,
    /// `version`.
    Version,
    /// `list_commands`.
    ListCommands,
    /// `list_games`.
    ListGames,
    /// `showboard`.
    ShowBoard,
    /// `final_score`.
    FinalScore,
    /// `gogui-rules_game_id`.
    GameId,
    /// `gogui-rules_board_size`.
    Size,
    /// `gogui-rules_board`.
    Board,
    /// `gogui-rules_side_to_move`.
    SideToMove,
    /// `gogui-rules_legal_moves`.
    LegalMoves,
    /// `gogui-rules_final_result`.
    FinalResult,
    /// `gogui-analyze_commands`.
    AnalyzeCommands,
}

/// What GoGui can show on its board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Analysis {
    /// The value of each move.
    MoveValues,
    /// The principal variation.
    BestLine,
}
