//! Rows as JSON objects, one a line.

use super::format::Layout;
use super::plan::Task;
use super::row::{Row, colour_name};
use super::settings::{Settings, settings_text};
use super::tally::{Tally, Verdict};
use crate::game::Move;
use crate::notation::position::position_text;
use crate::score::Score;
use crate::search::{Info, Selectivity};
use serde::Serialize;
use serde_json::Value;

/// What is known before the search. The keys of all objects are part of the program's interface:
/// protocol.md has their schema.
#[derive(Serialize)]
struct Start<'r> {
    file: Option<&'r str>,
    line: Option<usize>,
    number: usize,
    ply: usize,
    move_number: Option<usize>,
    side: &'static str,
    empties: u32,
    position: String,
    played: Option<String>,
}

#[derive(Serialize)]
struct Object<'r> {
    #[serde(flatten)]
    start: Start<'r>,
    played_score_cd: Option<i32>,
    best: Option<String>,
    score_cd: i32,
    loss_cd: Option<i32>,
    blunder: Option<bool>,
    solved: bool,
    depth: u32,
    selectivity: u8,
    black_cd: i32,
    nodes: u64,
    pv: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<Line>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'r Tally>,
    #[serde(skip_serializing_if = "Option::is_none")]
    settings: Option<&'r Settings>,
}

/// One of several best moves.
#[derive(Serialize)]
struct Line {
    r#move: Option<String>,
    score_cd: i32,
    solved: bool,
    depth: u32,
    selectivity: u8,
    pv: Vec<String>,
}

impl From<&Info> for Line {
    fn from(line: &Info) -> Line {
        Line {
            r#move: line.pv.first().map(Move::to_string),
            score_cd: line.score.centidiscs(),
            solved: line.solved,
            depth: line.depth,
            selectivity: line.selectivity.percent(),
            pv: pv(line),
        }
    }
}

fn pv(line: &Info) -> Vec<String> {
    line.pv.iter().map(Move::to_string).collect()
}

fn known<'r>(task: &Task<'r>) -> Start<'r> {
    Start {
        file: task.input.file.as_deref(),
        line: task.input.line,
        number: task.input.number,
        ply: task.ply,
        move_number: task.move_number,
        side: colour_name(task.side()),
        empties: task.position.board().empties().len(),
        position: position_text(&task.position),
        played: task.played.map(|played| played.to_string()),
    }
}

/// How the object of a position begins.
///
/// # Errors
/// It cannot be written as JSON, which no position leads to.
pub fn start(task: &Task<'_>) -> serde_json::Result<String> {
    let object = serde_json::to_string(&known(task))?;
    Ok(object.strip_suffix('}').unwrap_or(&object).to_string() + ",")
}

/// A row as an object.
///
/// # Errors
/// It cannot be written as JSON, which no value of a row leads to.
pub fn text(
    row: &Row<'_>,
    summary: Option<&Tally>,
    settings: Option<&Settings>,
    layout: &Layout<'_>,
) -> serde_json::Result<String> {
    let (findings, line, loss) = (&row.findings, row.line(), row.loss());
    let several = layout.multipv > 1;
    serde_json::to_string(&Object {
        start: known(&row.task),
        played_score_cd: findings.played.map(|played| played.score.centidiscs()),
        best: row.best().map(|best| best.to_string()),
        score_cd: findings.best.score.centidiscs(),
        loss_cd: loss.map(Score::centidiscs),
        blunder: loss.map(|loss| loss >= layout.blunder),
        solved: row.solved(),
        depth: line.map_or(0, |line| line.depth),
        selectivity: line.map_or(Selectivity::EXACT, |line| line.selectivity).percent(),
        black_cd: row.black().centidiscs(),
        nodes: findings.nodes,
        pv: line.map_or(Vec::new(), pv),
        lines: several.then(|| findings.lines.iter().map(Line::from).collect()),
        summary,
        settings,
    })
}

/// What an object says that the sums need.
pub fn verdict(row: &str) -> Option<Verdict> {
    let object: Value = serde_json::from_str(row).ok()?;
    let loss = object.get("loss_cd")?.as_i64().and_then(|loss| i32::try_from(loss).ok());
    let loss = loss.map(Score::from_centidiscs);
    Some(Verdict { loss, solved: object.get("solved")?.as_bool()? })
}

/// The settings in an object, as they are printed.
pub fn settings(row: &str) -> Option<String> {
    let object: Value = serde_json::from_str(row).ok()?;
    object.get("settings")?.as_object().map(settings_text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::commands::analyze::examine::tests::ENDGAME;
    use crate::commands::analyze::format::Format;
    use crate::commands::analyze::plan::tests::plan;
    use crate::commands::analyze::row::tests::rows;
    use crate::commands::analyze::settings::tests::settings as some_settings;

    #[test]
    fn what_an_object_says_is_read_back_and_its_start_is_known() {
        let (plan, settings) = (plan(&[ENDGAME]), &some_settings(3));
        let blunder = Score::from_discs(6);
        let layout = Layout { format: Format::Json, multipv: 2, settings, blunder };
        for row in rows(&plan, ENDGAME, Some(3), 2) {
            let text = text(&row, None, Some(settings), &layout).unwrap();
            assert!(text.starts_with(&start(&row.task).unwrap()), "{text}");
            let expected = Verdict { loss: row.loss(), solved: row.solved() };
            assert_eq!(verdict(&text), Some(expected), "{text}");
            assert_eq!(super::settings(&text), Some(settings.to_string()));
        }
    }
}
