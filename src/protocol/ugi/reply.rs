//! What is answered, as text.

use crate::game::{Colour, Game, Move};
use crate::notation::diagram::{caption, diagram};
use crate::notation::position::position_text;
use crate::protocol::PerftReport;
use crate::score::Score;
use crate::search::{Bound, Info};
use std::fmt::{self, Display};

/// One line of answer.
pub enum Reply<'a> {
    /// `id`: who we are.
    Id(&'static str, &'static str),
    /// The end of the answer to `ugi`.
    UgiOk,
    /// The answer to `isready`.
    ReadyOk,
    /// A line of a search.
    Info(&'a Info),
    /// The answer to `go`; `None` when the game is over.
    BestMove(Option<Move>),
    /// The answer to `query`.
    Response(Response),
    /// The answer to `eval`.
    Eval(Score),
    /// The answer to `perft`.
    Perft(&'a PerftReport),
    /// What is wrong.
    Error(String),
}

/// What `query` is answered with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Response {
    /// Yes or no.
    Is(bool),
    /// `None` while the game goes on, then the winner or `None` for a draw.
    Result(Option<Option<Colour>>),
}

impl Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(what, value) => write!(f, "id {what} {value}"),
            Reply::UgiOk => f.write_str("ugiok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::Info(info) => write_info(f, info),
            Reply::BestMove(Some(mv)) => write!(f, "bestmove {mv}"),
            Reply::BestMove(None) => f.write_str("bestmove none"),
            Reply::Response(response) => write!(f, "response {response}"),
            Reply::Eval(score) => write!(f, "eval cd {}", score.centidiscs()),
            Reply::Perft(report) => write!(f, "{report}"),
            Reply::Error(what) => write!(f, "error {what}"),
        }
    }
}

impl Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Response::Is(yes) => write!(f, "{yes}"),
            Response::Result(None) => f.write_str("none"),
            Response::Result(Some(None)) => f.write_str("draw"),
            Response::Result(Some(Some(Colour::Black))) => f.write_str("p1win"),
            Response::Result(Some(Some(Colour::White))) => f.write_str("p2win"),
        }
    }
}

fn write_info(f: &mut fmt::Formatter<'_>, info: &Info) -> fmt::Result {
    let Info { depth, selectivity, multipv, score, nodes, hashfull, .. } = info;
    write!(f, "info depth {depth} selectivity {selectivity} multipv {multipv}")?;
    write!(f, " score cd {}", score.centidiscs())?;
    f.write_str(match info.bound {
        Bound::Exact => "",
        Bound::Lower => " lowerbound",
        Bound::Upper => " upperbound",
    })?;
    f.write_str(if info.solved { " solved" } else { "" })?;
    let (nps, time) = (info.nps(), info.time.as_millis());
    write!(f, " nodes {nodes} nps {nps} time {time} hashfull {hashfull}")?;
    if !info.pv.is_empty() {
        f.write_str(" pv")?;
    }
    info.pv.iter().try_for_each(|mv| write!(f, " {mv}"))
}

/// The answer to `d`: the board for people, then the position and the moves so far for programs.
pub fn board(game: &Game) -> Vec<String> {
    let moves: String = game.plies().map(|(_, mv)| format!(" {mv}")).collect();
    let mut lines = diagram(game);
    lines.extend(caption(game));
    lines.push(format!("position: {}", position_text(game)));
    lines.push(format!("moves:{}", if moves.is_empty() { " none" } else { &moves }));
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::moves::play_transcript;
    use crate::search::Selectivity;
    use std::time::Duration;

    fn info() -> Info {
        Info {
            depth: 12,
            selectivity: Selectivity::LEVELS[2],
            multipv: 1,
            score: Score::from_centidiscs(-150),
            bound: Bound::Exact,
            solved: false,
            nodes: 3_000,
            time: Duration::from_millis(2),
            hashfull: 7,
            pv: play_transcript(&Game::new(), "f5d6").unwrap().plies().map(|(_, m)| m).collect(),
        }
    }

    #[test]
    fn an_info_line_names_every_number() {
        assert_eq!(
            Reply::Info(&info()).to_string(),
            "info depth 12 selectivity 95 multipv 1 score cd -150 nodes 3000 nps 1500000 time 2 \
             hashfull 7 pv f5 d6"
        );
        let solved = Info { solved: true, bound: Bound::Lower, pv: vec![Move::Pass], ..info() };
        let line = Reply::Info(&solved).to_string();
        assert!(line.contains(" score cd -150 lowerbound solved nodes "), "{line}");
        assert!(line.ends_with(" pv pass"), "{line}");
        let empty = Info { pv: Vec::new(), ..info() };
        assert!(Reply::Info(&empty).to_string().ends_with(" hashfull 7"));
    }

    #[test]
    fn a_best_move_is_two_words() {
        assert_eq!(Reply::BestMove(info().pv.first().copied()).to_string(), "bestmove f5");
        assert_eq!(Reply::BestMove(Some(Move::Pass)).to_string(), "bestmove pass");
        assert_eq!(Reply::BestMove(None).to_string(), "bestmove none");
    }

    #[test]
    fn results_are_named_by_player() {
        for (result, text) in [
            (None, "none"),
            (Some(None), "draw"),
            (Some(Some(Colour::Black)), "p1win"),
            (Some(Some(Colour::White)), "p2win"),
        ] {
            assert_eq!(Response::Result(result).to_string(), text);
        }
    }

    #[test]
    fn the_board_says_how_it_came_about() {
        let lines = board(&play_transcript(&Game::new(), "f5d6").unwrap());
        assert_eq!(lines.last().map(String::as_str), Some("moves: f5 d6"));
        assert_eq!(board(&Game::new()).last().map(String::as_str), Some("moves: none"));
    }
}
