//! One game of the engine against itself.
//!
//! A random prefix makes games differ and shows the evaluation positions that good play never
//! reaches. Then both sides play searches of a fixed depth; the last moves are solved, so the
//! result is the exact value of the first solved position.

use super::game_file::{Settings, StoredGame};
use crate::board::{Board, Square};
use crate::eval::Weights;
use crate::game::{Colour, Move};
use crate::random::Random;
use crate::search::tt::Table;
use crate::search::{Environment, Info, Limits, Selectivity, search};
use arrayvec::ArrayVec;
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::time::Duration;

/// Prefixes of three games in four are this long (plies): most positions of a real game come
/// after it. Only the fourth makes use of the whole range of the settings.
const COMMON_PLIES: RangeInclusive<u8> = 8..=30;

/// Depth of the search that tells hopeless positions (plies).
const GLANCE_DEPTH: u32 = 2;

/// Plays games, one at a time.
pub struct Player<'p> {
    /// How to play.
    pub settings: &'p Settings,
    /// The evaluation.
    pub weights: &'p Weights,
    /// A table for this player alone.
    pub table: &'p Table,
    /// Ends the game when it becomes true.
    pub stop: &'p AtomicBool,
}

impl Player<'_> {
    /// Plays game number `index`. It depends on nothing but the number, the settings and the
    /// weights. `None` if it was stopped.
    pub fn game(&self, index: u32) -> Option<StoredGame> {
        self.table.clear();
        let mut random = Random::stream(self.settings.seed, u64::from(index));
        while !self.stop.load(Relaxed) {
            let prefix = Line::random(self.prefix_plies(&mut random), &mut random);
            if let Some(line) = prefix
                && self.is_worth_playing(line.board, &mut random)
            {
                return self.play_on(line, index);
            }
        }
        None
    }

    fn prefix_plies(&self, random: &mut Random) -> u8 {
        let [least, most] = self.settings.random_plies;
        let common = least.max(*COMMON_PLIES.start())..=most.min(*COMMON_PLIES.end());
        let whole = random.below(4) == 0 || common.is_empty();
        let (first, last) = if whole { (least, most) } else { common.into_inner() };
        first + random.below(u64::from(last.saturating_sub(first)) + 1) as u8
    }

    /// Leaves out most positions that are decided: there is little to learn from them.
    fn is_worth_playing(&self, board: Board, random: &mut Random) -> bool {
        let value = self.search(board, GLANCE_DEPTH).map_or(0, |info| info.score.centidiscs());
        match value.abs() {
            0..=2_500 => true,
            2_501..=4_000 => random.below(3) != 0,
            _ => random.below(20) == 0,
        }
    }

    fn play_on(&self, mut line: Line, index: u32) -> Option<StoredGame> {
        let random_plies = line.moves.len();
        let mut scores = ArrayVec::new();
        while !line.board.is_over() {
            let empties = line.board.empties().len();
            let solve = empties <= u32::from(self.settings.exact_empties);
            let depth = if solve { empties } else { u32::from(self.settings.depth) };
            let info = self.search(line.board, depth)?;
            if self.stop.load(Relaxed) {
                return None;
            }
            // A solved line is perfect to its end; anywhere else only its first move is.
            let mut best = info.pv.iter().filter_map(|mv| match mv {
                Move::Place(square) => Some(*square),
                Move::Pass => None,
            });
            line.play(best.next()?)?;
            if info.solved {
                best.try_for_each(|square| line.play(square))?;
            } else {
                scores.try_push(info.score.rounded_discs() as i8).ok()?;
            }
        }
        let result = line.result();
        Some(StoredGame { index, random_plies, moves: line.moves, scores, result })
    }

    /// The best line of a position in which the side to move can move.
    fn search(&self, board: Board, depth: u32) -> Option<Info> {
        let selectivity = Some(Selectivity::EXACT);
        let limits = Limits { depth: Some(depth), selectivity, ..Limits::default() };
        let environment = Environment {
            table: self.table,
            weights: self.weights,
            stop: self.stop,
            threads: 1,
            multipv: 1,
            move_overhead: Duration::ZERO,
        };
        search(board, &limits, environment, &mut |_| ()).lines.into_iter().next()
    }
}

/// A game under way. Forced passes are made at once, so the side to move can move unless the
/// game is over.
struct Line {
    board: Board,
    colour: Colour,
    moves: ArrayVec<Square, 60>,
}

impl Line {
    /// A game of so many random moves; `None` if it is over then or before.
    fn random(plies: u8, random: &mut Random) -> Option<Line> {
        let moves = ArrayVec::new();
        let mut line = Line { board: Board::START, colour: Colour::Black, moves };
        for _ in 0..plies {
            line.play(random.pick(line.board.moves())?)?;
        }
        (!line.board.is_over()).then_some(line)
    }

    /// Makes a legal move; `None` for any other.
    fn play(&mut self, square: Square) -> Option<()> {
        let next = self.board.try_play(square)?;
        self.moves.try_push(square).ok()?;
        (self.board, self.colour) = (next, self.colour.other());
        if self.board.must_pass() {
            (self.board, self.colour) = (self.board.pass(), self.colour.other());
        }
        Some(())
    }

    /// Black minus White as the board stands (discs).
    fn result(&self) -> i8 {
        let score = self.board.final_score() as i8;
        if self.colour == Colour::Black { score } else { -score }
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::game::Game;
    use crate::training::games::{GameRecord, PositionScore, Source};

    /// Settings that are fast.
    pub(crate) fn settings() -> Settings {
        Settings {
            depth: 2,
            exact_empties: 8,
            random_plies: [6, 50],
            hash_mb: 1,
            seed: 11,
            weights: 0,
        }
    }

    fn with_player<T>(settings: &Settings, task: impl FnOnce(&Player<'_>) -> T) -> T {
        let table = &Table::new(settings.hash_mb as usize).unwrap();
        let stop = &AtomicBool::new(false);
        task(&Player { settings, weights: Weights::embedded(), table, stop })
    }

    fn play(settings: &Settings, numbers: impl IntoIterator<Item = u32>) -> Vec<StoredGame> {
        let numbers = numbers.into_iter();
        with_player(settings, |player| numbers.map(|i| player.game(i).unwrap()).collect())
    }

    /// The exact value of a position, from a search that knows nothing else (discs).
    fn solve(board: Board) -> i32 {
        let info = with_player(&settings(), |player| player.search(board, board.empties().len()));
        info.unwrap().score.rounded_discs()
    }

    #[test]
    fn every_game_is_legal_and_ends_with_its_result() {
        let mut passes = 0;
        for game in play(&settings(), 0..150) {
            let mut referee = Game::new();
            for square in &game.moves {
                assert!(!referee.is_over());
                passes += usize::from(referee.must_pass());
                referee.accept(Move::Place(*square)).unwrap();
            }
            assert!(referee.is_over());
            assert_eq!(referee.outcome().black_score, i32::from(game.result));
            assert!((6..=50).contains(&game.random_plies) && game.positions() > 0);
        }
        assert!(passes > 10);
    }

    #[test]
    fn the_exact_scores_are_those_of_another_search() {
        let mut exact = 0;
        for game in play(&settings(), 0..40) {
            let record = GameRecord::from(&game);
            let Source::SelfPlay { random_plies, scores } = &record.source else { panic!() };
            let mut referee = Game::new();
            for (ply, square) in record.moves.iter().enumerate() {
                if referee.must_pass() {
                    referee.play(Move::Pass).unwrap();
                }
                let board = referee.board();
                if let Some(position) = ply.checked_sub(*random_plies) {
                    let solved = board.empties().len() <= 8;
                    assert_eq!(scores[position].exact, solved);
                    if solved {
                        assert_eq!(scores[position].discs, solve(board));
                        exact += 1;
                    }
                }
                referee.play(Move::Place(*square)).unwrap();
            }
            assert_eq!(scores.len(), game.positions());
        }
        assert!(exact > 200);
    }

    #[test]
    fn other_scores_are_those_of_a_search_of_the_set_depth() {
        let settings = Settings { depth: 1, exact_empties: 0, ..settings() };
        for game in play(&settings, 0..10) {
            let record = GameRecord::from(&game);
            let Source::SelfPlay { random_plies, scores } = &record.source else { panic!() };
            let mut referee = Game::new();
            for (ply, square) in record.moves.iter().enumerate() {
                if let Some(position) = ply.checked_sub(*random_plies) {
                    if referee.must_pass() {
                        referee.play(Move::Pass).unwrap();
                    }
                    let info = with_player(&settings, |player| player.search(referee.board(), 1));
                    let info = info.unwrap();
                    let discs = info.score.rounded_discs();
                    assert_eq!(scores[position], PositionScore { discs, exact: info.solved });
                    assert_eq!(info.pv[0], Move::Place(*square));
                }
                referee.accept(Move::Place(*square)).unwrap();
            }
        }
    }

    #[test]
    fn a_game_depends_on_its_number_and_the_seed_alone() {
        let settings = settings();
        let forward = play(&settings, 0..10);
        let mut backward = play(&settings, (0..10).rev());
        backward.reverse();
        assert_eq!(forward, backward);
        assert!((0..10).all(|i| (0..i).all(|j| forward[i].moves != forward[j].moves)));
        let other = play(&Settings { seed: 12, ..settings }, 0..10);
        assert!(forward.iter().zip(&other).all(|(a, b)| a.moves != b.moves));
    }

    #[test]
    fn a_game_knows_nothing_of_the_games_before_it() {
        // All games are alike, so the table would be full of answers.
        let settings = Settings { depth: 5, random_plies: [0, 1], ..settings() };
        let games = play(&settings, [0, 1, 2, 0]);
        assert_eq!(games[0], games[3]);
    }

    #[test]
    fn prefixes_are_spread_as_announced() {
        let count = |random_plies| {
            let settings = Settings { random_plies, ..settings() };
            let mut random = Random(5);
            let mut counts = [0; 60];
            with_player(&settings, |player| {
                for _ in 0..46_000 {
                    counts[usize::from(player.prefix_plies(&mut random))] += 1;
                }
            });
            counts
        };
        // 3/4 of all in 23 lengths, 1/4 in 45.
        let counts = count([6, 50]);
        for (plies, count) in counts.into_iter().enumerate() {
            let expected = match plies {
                8..=30 => 1_755,
                6..=50 => 255,
                _ => 0,
            };
            let tolerance = expected / 4;
            assert!((expected - tolerance..=expected + tolerance).contains(&count), "{plies}");
        }
        let counts = count([40, 43]);
        assert_eq!(counts[40..=43].iter().sum::<i32>(), 46_000);
        assert_eq!(count([59, 59])[59], 46_000);
    }

    #[test]
    fn late_prefixes_leave_games_that_are_solved_from_the_start() {
        for game in play(&Settings { random_plies: [55, 59], ..settings() }, 0..20) {
            assert!(game.random_plies >= 55 && game.scores.is_empty());
        }
    }

    #[test]
    fn a_stopped_game_is_none() {
        with_player(&settings(), |player| {
            player.stop.store(true, Relaxed);
            assert_eq!(player.game(0), None);
        });
    }
}
