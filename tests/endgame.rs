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

#[test]
fn ffo_1_to_19_are_solved_exactly() {
    let Some(records) = suite("ffo.obf") else { return };
    check_all(&records[..19], 1, 16);
}

#[test]
fn ffo_1_to_19_are_solved_exactly_by_two_threads() {
    let Some(records) = suite("ffo.obf") else { return };
    check_all(&records[..19], 2, 16);
}

#[test]
fn a_thousand_positions_of_ten_empties_are_solved_exactly() {
    let Some(records) = suite("exact-10.obf") else { return };
    assert_eq!(records.len(), 1_000);
    check_all(&records, 1, 4);
}

#[test]
fn positions_of_13_to_18_empties_are_solved_exactly_with_a_small_table_and_two_threads() {
    let Some(records) = suite("exact-13-18.obf") else { return };
    let sample: Vec<Record> = records.into_iter().step_by(12).collect();
    check_all(&sample, 2, 1);
}

#[test]
fn all_eight_symmetric_positions_have_the_same_score() {
    let Some(records) = suite("exact-13-18.obf") else { return };
    let mut engine = engine(1, 4);
    for record in records.iter().step_by(150) {
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
