//! The search as a caller sees it: limits, reproducibility, stops.

use crate::support::searching::{engine, search, solve};
use outflank::board::symmetry::Symmetry;
use outflank::engine::{Engine, Options};
use outflank::game::{Game, Move};
use outflank::notation::moves::play_transcript;
use outflank::notation::position::parse_position;
use outflank::score::Score;
use outflank::search::{Bound, Clock, Info, Limits, Selectivity};
use std::time::{Duration, Instant};

/// 44 empties, after a book opening.
fn midgame() -> Game {
    play_transcript(&Game::new(), "f5d6c3d3c4f4f6f3e6e7d7c5b6d8c6c7").unwrap()
}

/// 20 empties: FFO #40.
fn late() -> Game {
    parse_position("O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X").unwrap()
}

/// FFO #55: minutes of work.
fn long_solve() -> Game {
    parse_position("--------X-X------XXXXOOOOOXOXX--OOOXXXX-OOXXXX--O-OOOX-----OO--- O").unwrap()
}

fn depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

fn full_width(depth: u32) -> Limits {
    Limits { depth: Some(depth), selectivity: Some(Selectivity::EXACT), ..Limits::default() }
}

fn without_times(infos: Vec<Info>) -> Vec<Info> {
    infos.into_iter().map(|info| Info { time: Duration::ZERO, ..info }).collect()
}

#[test]
fn one_thread_is_exactly_reproducible() {
    let run = |game: &Game, limits: &Limits| {
        let (report, infos) = search(&mut engine(1, 4), game, limits.clone());
        let exact: Vec<Info> = infos.into_iter().filter(|i| i.bound == Bound::Exact).collect();
        (report.best, report.nodes, without_times(exact))
    };
    let nodes = Limits { nodes: Some(300_000), ..Limits::default() };
    for (game, limits) in [(midgame(), depth(9)), (late(), depth(11)), (midgame(), nodes)] {
        let first = run(&game, &limits);
        assert_eq!(run(&game, &limits), first);
    }
}

#[test]
fn a_cleared_engine_searches_like_a_new_one() {
    let mut engine = engine(1, 4);
    let (fresh, _) = search(&mut engine, &midgame(), depth(9));
    search(&mut engine, &late(), depth(9));
    engine.clear();
    let (again, _) = search(&mut engine, &midgame(), depth(9));
    assert_eq!((again.best, again.nodes), (fresh.best, fresh.nodes));
}

#[test]
fn one_and_more_threads_cold_and_warm_table_agree_on_exact_scores() {
    let expected = Score::from_discs(38);
    for threads in [1, 2, 4] {
        let mut engine = engine(threads, 16);
        for _ in 0..2 {
            let report = solve(&mut engine, &late());
            assert_eq!(report.lines[0].score, expected, "{threads} threads");
            assert!(report.lines[0].solved);
        }
    }
}

#[test]
fn full_width_values_are_the_same_for_all_symmetric_positions() {
    // Without selective cuts a fixed depth has one value, whatever the order of moves: only
    // bounds of deeper searches in the table could change it, hence a fresh one each time.
    let values: Vec<Score> = Symmetry::all()
        .map(|symmetry| {
            let game =
                Game::from_position(symmetry.apply_board(midgame().board()), midgame().colour());
            search(&mut engine(1, 4), &game, full_width(4)).0.lines[0].score
        })
        .collect();
    assert!(values.windows(2).all(|pair| pair[0] == pair[1]), "{values:?}");
}

#[test]
fn every_iteration_tells_its_selectivity_and_only_an_exact_one_is_solved() {
    let (report, infos) = search(&mut engine(1, 16), &late(), Limits::default());
    let is_end = |info: &&Info| info.depth == 20 && info.bound == Bound::Exact;
    let end: Vec<(u8, bool)> =
        infos.iter().filter(is_end).map(|i| (i.selectivity.percent(), i.solved)).collect();
    assert_eq!(end, [(73, false), (100, true)]);
    assert!(infos.iter().all(|i| i.solved == (i.depth == 20 && i.selectivity.percent() == 100)));
    assert_eq!(report.lines[0].score, Score::from_discs(38));

    for percent in [73, 95] {
        let selectivity = Selectivity::from_percent(percent);
        let limits = Limits { selectivity, ..Limits::default() };
        let line = search(&mut engine(1, 16), &late(), limits).0.lines.remove(0);
        assert_eq!((line.depth, line.selectivity, line.solved), (20, selectivity.unwrap(), false));
    }
}

#[test]
fn selective_searches_before_it_do_not_change_an_exact_one() {
    let mut engine = engine(1, 16);
    for percent in [73, 87, 95, 98, 99, 100] {
        let selectivity = Selectivity::from_percent(percent);
        search(&mut engine, &late(), Limits { selectivity, ..Limits::default() });
        let line = solve(&mut engine, &late()).lines.remove(0);
        assert_eq!((line.score, line.solved), (Score::from_discs(38), true), "after {percent} %");
    }
    // The same for a fixed depth.
    let exact = search(&mut crate::support::searching::engine(1, 16), &midgame(), full_width(8)).0;
    search(&mut engine, &midgame(), depth(8));
    let after = search(&mut engine, &midgame(), full_width(8)).0;
    assert_eq!(after.lines[0].score, exact.lines[0].score);
}

#[test]
fn selective_cuts_save_most_of_the_nodes() {
    let nodes = |limits| search(&mut engine(1, 16), &midgame(), limits).0.nodes;
    assert!(5 * nodes(depth(10)) < nodes(full_width(10)));
}

#[test]
fn several_lines_are_ranked_and_the_first_is_the_best_move() {
    let mut many = {
        let options = Options { threads: 1, hash_mb: 16, multipv: 4, ..Options::default() };
        Engine::new(options).unwrap()
    };
    let report = search(&mut many, &late(), Limits::default()).0;
    assert_eq!(report.lines.len(), 4);
    // FFO #40: A2:+38, then the scores of the suite.
    assert_eq!(report.lines[0].score, Score::from_discs(38));
    assert_eq!(report.best, report.lines[0].pv.first().copied());
    assert!(report.lines.windows(2).all(|pair| pair[0].score >= pair[1].score));
    let mut first: Vec<String> = report.lines.iter().map(|l| l.pv[0].to_string()).collect();
    first.sort();
    first.dedup();
    assert_eq!(first.len(), 4, "four different moves");
    for line in &report.lines {
        let mut after = late();
        after.play(line.pv[0]).unwrap();
        let value = -solve(&mut engine(1, 16), &after).lines[0].score;
        assert_eq!(line.score, value, "{}", line.pv[0]);
    }
}

#[test]
fn more_lines_than_moves_gives_each_move_once() {
    let mut many = {
        let options = Options { threads: 2, hash_mb: 4, multipv: 60, ..Options::default() };
        Engine::new(options).unwrap()
    };
    let report = search(&mut many, &Game::new(), depth(5)).0;
    assert_eq!(report.lines.len(), 4);
}

#[test]
fn limits_hold_together_and_the_first_one_ends_the_search() {
    let limits = Limits {
        depth: Some(60),
        nodes: Some(50_000),
        time: Some(Duration::from_secs(20)),
        ..Limits::default()
    };
    let (report, _) = search(&mut engine(1, 4), &midgame(), limits);
    assert!(report.nodes >= 50_000 && report.nodes < 100_000, "{}", report.nodes);
    assert!(report.lines[0].depth < 60);
}

#[test]
fn a_limit_of_nodes_is_passed_by_a_few_thousand_at_most() {
    for game in [Game::new(), midgame(), late(), long_solve()] {
        for limit in [1, 1_000, 10_000, 30_000, 100_000, 300_000] {
            let limits = Limits { nodes: Some(limit), ..Limits::default() };
            let (report, _) = search(&mut engine(1, 4), &game, limits);
            let beyond = report.nodes.saturating_sub(limit);
            assert!(beyond < 10_000, "{limit}: {}", report.nodes);
        }
    }
}

#[test]
fn a_move_comes_from_the_smallest_limits() {
    let limits = [
        Limits { nodes: Some(1), ..Limits::default() },
        Limits { time: Some(Duration::ZERO), ..Limits::default() },
        Limits { clock: Some(Clock::default()), ..Limits::default() },
    ];
    for limits in limits {
        for game in [Game::new(), midgame(), late(), long_solve()] {
            let started = Instant::now();
            let (report, _) = search(&mut engine(2, 4), &game, limits.clone());
            let Some(Move::Place(square)) = report.best else { panic!("{report:?}") };
            assert!(game.board().moves().has(square));
            assert!(started.elapsed() < Duration::from_millis(500));
        }
    }
}

#[test]
fn a_finished_game_has_no_move() {
    let game = parse_position("XXXXXXXX/8/8/8/8/8/8/8 O").unwrap();
    let (report, infos) = search(&mut engine(1, 4), &game, Limits::default());
    assert_eq!((report.best, report.lines.len(), infos.len()), (None, 0, 0));
}

#[test]
fn odd_positions_are_searched_without_harm() {
    for text in [
        "8/8/8/8/8/8/8/8 X",
        "XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX/XXXXXXXX O",
        "O-X-O-X-/8/X-O-X-O-/8/O-X-O-X-/8/X-O-X-O-/8 X",
        "-OOOOOO-/OXXXXXXO/OX----XO/OX-XX-XO/OX-XX-XO/OX----XO/OXXXXXXO/-OOOOOO- X",
        "8/1O1O1O1O/8/1O1O1O1O/8/1O1OXO1O/8/1O1O1O1O X",
    ] {
        let game = parse_position(text).unwrap();
        let (report, _) = search(&mut engine(2, 4), &game, depth(6));
        match report.best {
            None => assert!(game.is_over()),
            Some(mv) => game.clone().play(mv).unwrap(),
        }
    }
}
