//! Exact scores: the solver against the public test suites.

use crate::support::searching::{engine, solve};
use crate::support::suites::suite;
use outflank::board::Square;
use outflank::board::symmetry::Symmetry;
use outflank::engine::Engine;
use outflank::game::{Game, Move};
use outflank::notation::obf::{self, Record};
use outflank::notation::position::{parse_position, position_text};
use outflank::score::Score;

/// Checks the score, the best move where the suite has scores of moves, and that the line really
/// leads to the score.
fn check(engine: &mut Engine, record: &Record) {
    let exact = record.best_score().unwrap();
    let report = solve(engine, &record.game);
    let line = &report.lines[0];
    let name = format!("{} ({exact:+})", position_text(&record.game));
    assert!(line.solved, "{name}: not solved");
    assert_eq!(line.score, Score::from_discs(exact), "{name}");
    let best = report.best.unwrap();
    assert_eq!(line.pv.first(), Some(&best), "{name}");
    if let Some(score) = record.score_of(best) {
        assert_eq!(score, exact, "{name}: {best}");
    }
    let mut game = record.game.clone();
    for &mv in &line.pv {
        game.play(mv).unwrap_or_else(|error| panic!("{name}: {mv} in the line: {error}"));
    }
    assert!(game.is_over(), "{name}: the line ends early");
    let sign = if game.colour() == record.game.colour() { 1 } else { -1 };
    assert_eq!(sign * game.board().final_score(), exact, "{name}: the line's result");
}

fn check_all(records: &[Record], threads: usize, hash_mb: usize) {
    let mut engine = engine(threads, hash_mb);
    for record in records {
        check(&mut engine, record);
    }
}

/// Threads and MiB of table: no such setting may change a score.
const SETTINGS: [(usize, usize); 3] = [(1, 16), (2, 16), (2, 1)];

/// How many empties a position may have for all positions of the suites to be solved, if
/// `OUTFLANK_EMPTIES` says so.
fn greatest_empties() -> Option<u32> {
    let text = std::env::var("OUTFLANK_EMPTIES").ok()?;
    Some(text.parse().expect("OUTFLANK_EMPTIES is a number of empty squares"))
}

/// Solves a suite at each of the settings: every position with few enough empties, or by default
/// the first of each `steps` of those with up to `most` empties.
fn check_suite(name: &str, most: u32, steps: [usize; SETTINGS.len()]) {
    let Some(records) = suite(name) else { return };
    let greatest = greatest_empties();
    let records: Vec<Record> = records
        .into_iter()
        .filter(|record| record.game.board().empties().len() <= greatest.unwrap_or(most))
        .collect();
    for ((threads, hash_mb), step) in SETTINGS.into_iter().zip(steps) {
        let step = if greatest.is_some() { 1 } else { step };
        let sample: Vec<Record> = records.iter().step_by(step).cloned().collect();
        assert!(!sample.is_empty() || greatest.is_some(), "{name}");
        check_all(&sample, threads, hash_mb);
    }
}

#[test]
fn ffo_is_solved_exactly() {
    check_suite("ffo.obf", 18, [1, 2, 2]);
}

#[test]
fn positions_of_ten_empties_are_solved_exactly() {
    check_suite("exact-10.obf", 10, [1, 10, 10]);
}

#[test]
fn positions_of_13_to_18_empties_are_solved_exactly() {
    check_suite("exact-13-18.obf", 18, [60, 40, 25]);
}

#[test]
fn hard_positions_of_20_empties_are_solved_exactly() {
    check_suite("hard-20.obf", 20, [276, 276, 276]);
}

#[test]
fn all_eight_symmetric_positions_have_the_same_score() {
    let Some(records) = suite("exact-13-18.obf") else { return };
    let mut engine = engine(1, 4);
    for record in records.iter().step_by(if greatest_empties().is_some() { 10 } else { 150 }) {
        for symmetry in Symmetry::all() {
            let board = symmetry.apply_board(record.game.board());
            let game = Game::from_position(board, record.game.colour());
            let report = solve(&mut engine, &game);
            let exact = Score::from_discs(record.best_score().unwrap());
            assert_eq!(report.lines[0].score, exact, "{}", position_text(&record.game));
        }
    }
}

/// Typed in, so that the solver is tested without the suites as well.
#[test]
fn a_few_known_positions_are_solved_exactly() {
    let lines = [
        "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;",
        "---XXXOO--OOOOOO-XOOOOOOXXOOOOOOXXOXOOOO--XOOOOO-XOOOOOO-OOOOOOO X; ??:-64;",
        "XXXXX---XXXXX---XXXXXO--XXXXXO--XXXXXOO-XXXXXOXXXOOOOXXXO-O-XXXX X; H5:+56;",
    ];
    for line in lines {
        let record = obf::parse_line(line).unwrap().unwrap();
        check(&mut engine(1, 1), &record);
    }
}

#[test]
fn a_forced_pass_is_the_answer_and_its_score_is_the_other_sides() {
    let game = parse_position("8/8/8/8/8/8/8/XO6 O").unwrap();
    let report = solve(&mut engine(1, 1), &game);
    assert_eq!(report.best, Some(Move::Pass));
    assert_eq!(report.lines[0].score, Score::from_discs(-64));
    assert!(report.lines[0].solved);
    let c8 = Move::Place(Square::parse("c8").unwrap());
    assert_eq!(report.lines[0].pv, [Move::Pass, c8]);
}
