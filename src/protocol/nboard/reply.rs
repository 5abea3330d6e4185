//! What is answered, as text.

use crate::game::Move;
use crate::notation::ggf::{AnnotatedMove, Written, upper_case};
use crate::score::Score;
use crate::search::Info;
use std::fmt::{self, Display};
use std::time::Duration;

/// One line of answer. Values are discs for the side to move, times seconds.
pub enum Reply<'a> {
    /// `set myname`: who we are, in one word.
    MyName(&'static str),
    /// What the engine does now.
    Status(&'static str),
    /// What is wrong; the protocol has no other line for it.
    Error(String),
    /// The answer to `ping`.
    Pong(u64),
    /// The answer to `go`; `None` for a side without a move.
    Best(Option<AnnotatedMove>),
    /// A line of a hint in a position with so many empty squares.
    Search(&'a Info, u32),
    /// Nodes of a search and its time.
    NodeStats(u64, Duration),
    /// The value of the position after so many moves and passes.
    Analysis(usize, Score),
    /// The answer to `learn`.
    Learned,
}

impl Display for Reply<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::MyName(name) => write!(f, "set myname {name}"),
            Reply::Status(text) => write!(f, "status {text}"),
            Reply::Error(text) => write!(f, "status error: {text}"),
            Reply::Pong(number) => write!(f, "pong {number}"),
            Reply::Best(Some(best)) if best.mv != Move::Pass => write!(f, "=== {}", Written(best)),
            Reply::Best(_) => f.write_str("=== PA"),
            Reply::Search(info, empties) => write_search(f, info, *empties),
            Reply::NodeStats(nodes, time) => {
                write!(f, "nodestats {nodes} {:.3}", time.as_secs_f64())
            }
            Reply::Analysis(moves, score) => write!(f, "analysis {moves} {:.2}", score.discs()),
            Reply::Learned => f.write_str("learned"),
        }
    }
}

/// The depth is `100%` if the value is exact and nothing else is; searches to the end that may
/// have missed something name their confidence behind the depth.
fn write_search(f: &mut fmt::Formatter<'_>, info: &Info, empties: u32) -> fmt::Result {
    f.write_str("search ")?;
    info.pv.iter().try_for_each(|mv| f.write_str(&upper_case(*mv)))?;
    write!(f, " {:.2} 0 ", info.score.discs())?;
    if info.solved {
        f.write_str("100%")
    } else if info.depth >= empties {
        write!(f, "{}@{}%", info.depth, info.selectivity)
    } else {
        write!(f, "{}", info.depth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;
    use crate::game::Colour;
    use crate::search::{Bound, Selectivity};

    fn info() -> Info {
        Info {
            depth: 12,
            selectivity: Selectivity::LEVELS[2],
            multipv: 1,
            score: Score::from_centidiscs(-150),
            bound: Bound::Exact,
            solved: false,
            nodes: 3_000,
            time: Duration::from_millis(1_250),
            hashfull: 7,
            pv: vec![Move::Place(Square::parse("f5").unwrap()), Move::Pass],
        }
    }

    #[test]
    fn a_search_line_says_how_sure_it_is() {
        let line = |info: &Info, empties| Reply::Search(info, empties).to_string();
        assert_eq!(line(&info(), 20), "search F5PA -1.50 0 12");
        assert_eq!(line(&info(), 12), "search F5PA -1.50 0 12@95%");
        assert_eq!(line(&Info { solved: true, ..info() }, 12), "search F5PA -1.50 0 100%");
    }

    #[test]
    fn a_move_has_slashes_and_no_blanks() {
        let best = |mv, eval| {
            let eval = Some(Score::from_centidiscs(eval));
            let time = Some(Duration::from_millis(1_250));
            let best = AnnotatedMove { colour: Colour::Black, mv, eval, time };
            Reply::Best(Some(best)).to_string()
        };
        let f5 = Move::Place(Square::parse("f5").unwrap());
        assert_eq!(best(f5, -7), "=== F5/-0.07/1.250");
        assert_eq!(best(f5, 6_400), "=== F5/64.00/1.250");
        assert_eq!(best(Move::Pass, 100), "=== PA");
        assert_eq!(Reply::Best(None).to_string(), "=== PA");
    }

    #[test]
    fn numbers_are_plain_decimals() {
        assert_eq!(
            Reply::NodeStats(123, Duration::from_micros(1)).to_string(),
            "nodestats 123 0.000"
        );
        assert_eq!(Reply::Analysis(0, Score::ZERO).to_string(), "analysis 0 0.00");
        assert_eq!(Reply::Analysis(60, Score::MIN).to_string(), "analysis 60 -64.00");
    }
}
