//! Rows as comma-separated values (RFC 4180, with plain line ends): the keys of the JSON objects
//! as columns, without the sums.

use super::plan::Task;
use super::row::{Row, colour_name, pv_text};
use super::settings::Settings;
use crate::notation::position::position_text;
use crate::score::Score;
use crate::search::Selectivity;
use std::fmt::Display;

/// The names of the columns.
pub const HEAD: &str = "file,line,number,ply,move_number,side,empties,position,played,rank,\
                        played_score_cd,best,score_cd,loss_cd,blunder,solved,depth,selectivity,\
                        black_cd,nodes,pv,settings";

/// How a row begins. A position has as many rows as best moves are asked for; the first of
/// them has rank 1.
pub fn start(task: &Task<'_>, rank: usize) -> String {
    let input = task.input;
    format!(
        "{},{},{},{},{},{},{},{},{},{rank},",
        input.file.as_deref().map_or(String::new(), quoted),
        or_nothing(input.line),
        input.number,
        task.ply,
        or_nothing(task.move_number),
        colour_name(task.side()),
        task.position.board().empties().len(),
        position_text(&task.position),
        or_nothing(task.played),
    )
}

/// The rows of a position. What is known about the move that was played stands in the first.
pub fn text(row: &Row<'_>, settings: Option<&Settings>, blunder: Score) -> String {
    let (findings, line, loss) = (&row.findings, row.line(), row.loss());
    let mut text = format!(
        "{}{},{},{},{},{},{},{},{},{},{},{},{}",
        start(&row.task, 1),
        or_nothing(findings.played.map(|played| played.score.centidiscs())),
        or_nothing(row.best()),
        findings.best.score.centidiscs(),
        or_nothing(loss.map(Score::centidiscs)),
        or_nothing(loss.map(|loss| loss >= blunder)),
        row.solved(),
        line.map_or(0, |line| line.depth),
        line.map_or(Selectivity::EXACT, |line| line.selectivity),
        row.black().centidiscs(),
        findings.nodes,
        line.map_or(String::new(), pv_text),
        or_nothing(settings),
    );
    for (rank, line) in (2..).zip(findings.lines.iter().skip(1)) {
        text.push_str(&format!(
            "\n{},{},{},,,{},{},{},,,{},",
            start(&row.task, rank),
            or_nothing(line.pv.first()),
            line.score.centidiscs(),
            line.solved,
            line.depth,
            line.selectivity,
            pv_text(line),
        ));
    }
    text
}

fn or_nothing(value: Option<impl Display>) -> String {
    value.map_or(String::new(), |value| value.to_string())
}

fn quoted(text: &str) -> String {
    if text.contains(['"', ',', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::analyze::examine::tests::ENDGAME;
    use crate::commands::analyze::plan::tests::plan;
    use crate::commands::analyze::row::tests::rows;

    #[test]
    fn every_row_has_all_columns() {
        let plan = plan(&[ENDGAME]);
        for row in rows(&plan, ENDGAME, Some(3), 3) {
            let text = text(&row, None, Score::from_discs(6));
            assert_eq!(text.lines().count(), row.findings.lines.len());
            for (rank, line) in (1..).zip(text.lines()) {
                assert_eq!(line.split(',').count(), HEAD.split(',').count(), "{line}");
                assert!(line.starts_with(&start(&row.task, rank)), "{line}");
            }
        }
    }

    #[test]
    fn names_of_files_are_quoted_where_they_must_be() {
        assert_eq!(quoted("a b.txt"), "a b.txt");
        assert_eq!(quoted("a,\"b\".txt"), "\"a,\"\"b\"\".txt\"");
    }
}
