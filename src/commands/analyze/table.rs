//! Rows as columns for people.

use super::plan::Task;
use super::row::{Row, colour_name, pv_text};
use super::tally::{Side, Tally, Verdict};
use crate::game::Move;
use crate::score::Score;
use crate::search::{Info, Selectivity};

/// What stands before the settings in the first line.
pub const SETTINGS: &str = "# settings: ";

/// The head of the columns.
pub const HEAD: &str = "   #  ply  side   move   value  best   score    loss  mark  empties    depth  \
                        exact       nodes  PV";

/// The mark of a blunder.
const BLUNDER: &str = "??";

/// How a row begins: the file if there are several, then number, ply, side and move.
pub fn start(task: &Task<'_>) -> String {
    let file = task.input.file.as_deref().filter(|_| task.opens_file);
    let file = file.map_or(String::new(), |file| format!("# {file}\n"));
    let (number, ply, side) = (task.input.number, task.ply, colour_name(task.side()));
    format!("{file}{number:>4}  {ply:>3}  {side}  {:<4}  ", name(task.played))
}

/// A row, further best moves below it, and after the last row of a game the sums.
pub fn text(row: &Row<'_>, summary: Option<&Tally>, blunder: Score) -> String {
    let (findings, loss) = (&row.findings, row.loss());
    let mark = if loss.is_some_and(|loss| loss >= blunder) { BLUNDER } else { "-" };
    let mut text = format!(
        "{}{:>6}  {:<4}  {:>6}  {:>6}  {mark:<4}  {:>7}  {:>7}  {:<5}  {:>10}  {}",
        start(&row.task),
        findings.played.map_or("-".to_string(), |played| played.score.to_string()),
        name(row.best()),
        findings.best.score.to_string(),
        loss.map_or("-".to_string(), |loss| format!("{:.2}", loss.discs())),
        row.task.position.board().empties().len(),
        row.line().map_or("0".to_string(), depth),
        if row.solved() { "yes" } else { "-" },
        findings.nodes,
        row.line().map_or(String::new(), pv_text),
    );
    for line in findings.lines.iter().skip(1) {
        let best = name(line.pv.first().copied());
        text.push_str(&format!(
            "\n{:>32}{best:<4}  {:>6}{:>23}{:>9}  {:<5}  {:>10}  {}",
            "",
            line.score.to_string(),
            "",
            depth(line),
            if line.solved { "yes" } else { "-" },
            "",
            pv_text(line),
        ));
    }
    if let Some(tally) = summary {
        text.push('\n');
        text.push_str(&sums(tally, row.task.input.number));
    }
    text.lines().map(str::trim_end).collect::<Vec<_>>().join("\n")
}

/// The sums of a game in a line.
fn sums(tally: &Tally, number: usize) -> String {
    let side = |name, Side { moves, loss_cd, blunders }: Side| {
        let loss = f64::from(loss_cd) / 100.0;
        format!("{name} {moves} moves, loss {loss:.2}, blunders {blunders}")
    };
    let exact = match (tally.exact_from, tally.exact_empties) {
        (Some(ply), Some(empties)) => format!("exact from ply {ply} ({empties} empties)"),
        _ => "not exact".to_string(),
    };
    let result = tally.result.map_or("unfinished".to_string(), |discs| format!("result {discs:+}"));
    let (black, white) = (side("black", tally.black), side("white", tally.white));
    format!("# {number}: {black}; {white}; {exact}; {result}")
}

/// What the columns after the start say.
pub fn verdict(rest: &str) -> Option<Verdict> {
    let columns: Vec<&str> = rest.split_whitespace().collect();
    let [_, _, _, loss, _, _, _, exact, ..] = columns.as_slice() else { return None };
    let loss = match *loss {
        "-" => None,
        loss => Some(Score::from_centidiscs((loss.parse::<f64>().ok()? * 100.0).round() as i32)),
    };
    Some(Verdict { loss, solved: *exact == "yes" })
}

fn name(mv: Option<Move>) -> String {
    mv.map_or("-".to_string(), |mv| mv.to_string())
}

fn depth(line: &Info) -> String {
    match line.selectivity {
        Selectivity::EXACT => line.depth.to_string(),
        selective => format!("{}@{selective}%", line.depth),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::analyze::examine::tests::ENDGAME;
    use crate::commands::analyze::plan::tests::plan;
    use crate::commands::analyze::row::tests::rows;

    #[test]
    fn values_stand_under_their_heads() {
        let plan = plan(&[ENDGAME]);
        let rows = rows(&plan, ENDGAME, None, 2);
        let text = text(&rows[1], None, Score::from_discs(6));
        let row = text.lines().next().unwrap();
        for (head, value) in [
            ("#", "1"),
            ("ply", "2"),
            ("value", &rows[1].findings.played.unwrap().score.to_string()),
            ("score", &rows[1].findings.best.score.to_string()),
            ("empties", "13"),
            ("depth", "13"),
            ("nodes", &rows[1].findings.nodes.to_string()),
        ] {
            let end = HEAD.find(&format!(" {head} ")).unwrap() + 1 + head.len();
            assert!(row[..end].ends_with(&format!(" {value}")), "{head}: {row}");
        }
        for (head, value) in [("side", "white"), ("move", "h7"), ("exact", "yes")] {
            let at = HEAD.find(&format!(" {head} ")).unwrap() + 1;
            assert!(row[at..].starts_with(&format!("{value} ")), "{head}: {row}");
        }
        let (second, line) = (text.lines().nth(1).unwrap(), &rows[1].findings.lines[1]);
        for (head, value) in [("best", name(line.pv.first().copied())), ("exact", "yes".into())] {
            let at = HEAD.find(&format!(" {head} ")).unwrap() + 1;
            assert!(second[at..].starts_with(&value), "{head}: {second}");
        }
        for (head, value) in [("score", line.score.to_string()), ("depth", "13".to_string())] {
            let end = HEAD.find(&format!(" {head} ")).unwrap() + 1 + head.len();
            assert!(second[..end].ends_with(&format!(" {value}")), "{head}: {second}");
        }
        assert_eq!(second.find(&pv_text(line)), HEAD.find("PV"));
    }

    #[test]
    fn what_a_row_says_is_read_back() {
        let plan = plan(&[ENDGAME]);
        for depth in [None, Some(3)] {
            for row in rows(&plan, ENDGAME, depth, 1) {
                let text = text(&row, None, Score::from_discs(6));
                let rest = text.strip_prefix(&start(&row.task)).unwrap();
                let expected = Verdict { loss: row.loss(), solved: row.solved() };
                assert_eq!(verdict(rest), Some(expected), "{text}");
            }
        }
    }
}
