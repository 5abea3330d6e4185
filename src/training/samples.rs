//! Positions with labels, made from games.

use super::game_file::StoredGame;
use super::games::{GameRecord, PositionScore, Source, THEORETICAL_EMPTIES, parse_line};
use crate::board::Board;
use crate::game::Colour;
use crate::notation::wthor::Archive;
use rayon::prelude::*;
use std::cmp::Ordering;

/// A position and what the side to move makes of it.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// The position; the canonical one of its eight images.
    pub board: Board,
    /// Result for the side to move (discs).
    pub label: f32,
    /// How much the sample counts.
    pub weight: f32,
}

/// How games become samples.
#[derive(Clone, Debug)]
pub struct Labels {
    /// WTHOR positions with 24 or more empties: share of the theoretical result in the label, the
    /// rest is the real result (0 … 1).
    pub theory: f32,
    /// Self-play positions without an exact score: share of the search score in the label, the
    /// rest is the result of the game (0 … 1).
    pub search: f32,
    /// Weight of a position of each kind of game: WTHOR, logbook, self-play. Games of a kind
    /// with weight 0 are not used at all.
    pub weights: [f32; Kind::COUNT],
    /// One game in so many is held out for measuring; 0 holds none out.
    pub hold_out: u64,
    /// Weight that a position approaches, above 0, however often it occurs: n occurrences of weight 1
    /// count as n·s / (n + s). The mean of many results is still only one position.
    pub saturation: f32,
}

impl Labels {
    /// The best known result of every position, all counted alike.
    pub fn results() -> Labels {
        Labels {
            theory: 1.0,
            search: 0.0,
            weights: [1.0; Kind::COUNT],
            hold_out: 0,
            saturation: f32::MAX,
        }
    }
}

/// A kind of game file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Tournament games.
    Wthor,
    /// A book.
    Logbook,
    /// An engine against itself.
    SelfPlay,
}

impl Kind {
    /// Number of kinds.
    pub const COUNT: usize = 3;
    /// All kinds in the order of their numbers.
    pub const ALL: [Kind; Kind::COUNT] = [Kind::Wthor, Kind::Logbook, Kind::SelfPlay];

    /// A short name.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Wthor => "WTHOR",
            Kind::Logbook => "logbook",
            Kind::SelfPlay => "self-play",
        }
    }
}

/// Samples to fit and samples to measure with.
#[derive(Debug, Default)]
pub struct Collection {
    /// Samples to fit; after [`Collection::merge`] distinct and in ascending order of empties.
    pub training: Vec<Sample>,
    /// Samples of games held out, for each [`Kind`]; after [`Collection::merge`] distinct and
    /// none of them among the training samples.
    pub held_out: [Vec<Sample>; Kind::COUNT],
    /// Games read.
    pub games: usize,
    /// Games left out because a move is illegal or the result does not fit the final position.
    pub refused: usize,
}

impl Collection {
    /// Adds the games of a file.
    ///
    /// # Errors
    /// The number of the first line that is no game, counted from 1, and what is wrong with it.
    pub fn add_games(&mut self, text: &str, labels: &Labels) -> Result<(), String> {
        let lines: Vec<&str> = text.lines().collect();
        let read: Vec<Batch> = lines
            .par_chunks(1_000)
            .enumerate()
            .map(|(chunk, lines)| Batch::read(chunk * 1_000, lines, labels))
            .collect::<Result<_, _>>()?;
        read.into_iter().for_each(|batch| self.append(batch));
        Ok(())
    }

    /// Adds games of a file of self-play games.
    pub fn add_self_play(&mut self, games: &[StoredGame], labels: &Labels) {
        self.add_records(games, labels, |game| game.into());
    }

    /// Adds the games of a WTHOR archive.
    pub fn add_archive(&mut self, archive: &Archive, labels: &Labels) {
        self.add_records(&archive.games, labels, |game| GameRecord::archived(game, archive.depth));
    }

    fn add_records<G: Sync>(
        &mut self,
        games: &[G],
        labels: &Labels,
        record: impl Fn(&G) -> GameRecord + Sync,
    ) {
        let read: Vec<Batch> = games
            .par_chunks(1_000)
            .map(|games| {
                let mut batch = Batch::default();
                games.iter().for_each(|game| batch.add(&record(game), labels));
                batch
            })
            .collect();
        read.into_iter().for_each(|batch| self.append(batch));
    }

    fn append(&mut self, batch: Batch) {
        self.games += batch.games;
        self.refused += batch.refused;
        self.training.extend(batch.training);
        for (all, new) in self.held_out.iter_mut().zip(batch.held_out) {
            all.extend(new);
        }
    }

    /// Makes one sample of all samples of a position, and drops held-out samples of positions
    /// that are also among the training samples.
    pub fn merge(&mut self, labels: &Labels) {
        merge(&mut self.training);
        let training = &self.training;
        for samples in &mut self.held_out {
            merge(samples);
            samples.retain(|sample| training.binary_search_by(|s| by_position(s, sample)).is_err());
        }
        self.training.par_iter_mut().for_each(|sample| {
            sample.weight *= labels.saturation / (labels.saturation + sample.weight);
        });
    }
}

/// What a stretch of a file holds.
type Batch = Collection;

impl Batch {
    fn read(first: usize, lines: &[&str], labels: &Labels) -> Result<Batch, String> {
        let mut batch = Batch::default();
        for (number, line) in lines.iter().enumerate() {
            let game = parse_line(line)
                .map_err(|error| format!("line {}: {error}", first + number + 1))?;
            if let Some(game) = game {
                batch.add(&game, labels);
            }
        }
        Ok(batch)
    }

    fn add(&mut self, game: &GameRecord, labels: &Labels) {
        self.games += 1;
        let Some(samples) = replay(game, labels) else {
            self.refused += 1;
            return;
        };
        if labels.weights[game.source.kind() as usize] <= 0.0 {
            return;
        }
        if labels.hold_out != 0 && hash(game).is_multiple_of(labels.hold_out) {
            self.held_out[game.source.kind() as usize].extend(samples);
        } else {
            self.training.extend(samples);
        }
    }
}

impl Source {
    fn kind(&self) -> Kind {
        match self {
            Source::Wthor { .. } => Kind::Wthor,
            Source::Logbook => Kind::Logbook,
            Source::SelfPlay { .. } => Kind::SelfPlay,
        }
    }
}

/// The samples of a game, or `None` if a move is illegal, or if the game is over and its result
/// is not the one of the file. A position in which the side to move must pass is a sample too.
pub(super) fn replay(game: &GameRecord, labels: &Labels) -> Option<Vec<Sample>> {
    let weight = labels.weights[game.source.kind() as usize];
    let mut samples = Vec::with_capacity(game.moves.len());
    let (mut board, mut colour) = (Board::START, Colour::Black);
    for (ply, square) in game.moves.iter().enumerate() {
        let pass = board.moves().is_empty();
        let mover = if pass { colour.other() } else { colour };
        let label = label(game, labels, ply, mover, board.empties().len());
        let mut add = |board: Board, label: f32| {
            samples.push(Sample { board: board.canonical(), label, weight });
        };
        if let Some(label) = label {
            if pass {
                add(board, -label);
                board = board.pass();
            }
            add(board, label);
        } else if pass {
            board = board.pass();
        }
        board = board.try_play(*square)?;
        colour = mover.other();
    }
    let end = if colour == Colour::Black { board } else { board.pass() };
    (!end.is_over() || end.final_score() == game.result).then_some(samples)
}

/// What the position before move number `ply` is worth to `mover`, who makes it (discs), if it
/// is known.
fn label(
    game: &GameRecord,
    labels: &Labels,
    ply: usize,
    mover: Colour,
    empties: u32,
) -> Option<f32> {
    let sign = if mover == Colour::Black { 1.0 } else { -1.0 };
    let result = sign * game.result as f32;
    let blend = |other: f32, share: f32| result + share * (other - result);
    match &game.source {
        Source::Wthor { theoretical } if empties >= THEORETICAL_EMPTIES => {
            Some(blend(sign * *theoretical as f32, labels.theory))
        }
        Source::Wthor { .. } | Source::Logbook => Some(result),
        Source::SelfPlay { random_plies, scores } => {
            match scores.get(ply.checked_sub(*random_plies)?)? {
                PositionScore { discs, exact: true } => Some(*discs as f32),
                PositionScore { discs, exact: false } => Some(blend(*discs as f32, labels.search)),
            }
        }
    }
}

/// A hash (FNV-1a) of the moves.
fn hash(game: &GameRecord) -> u64 {
    game.moves.iter().fold(0xcbf2_9ce4_8422_2325, |hash: u64, square| {
        (hash ^ square.index() as u64).wrapping_mul(0x0100_0000_01b3)
    }) >> 20
}

/// The order of the samples: by empties, then by discs.
fn by_position(a: &Sample, b: &Sample) -> Ordering {
    let key = |s: &Sample| (s.board.empties().len(), s.board.player.0, s.board.opponent.0);
    key(a).cmp(&key(b))
}

/// Sorts the samples and makes one of all of the same position: the mean label and the sum of
/// the weights. The order of equal positions is fixed too, for sums that do not depend on it.
fn merge(samples: &mut Vec<Sample>) {
    samples.par_sort_unstable_by(|a, b| {
        by_position(a, b).then(a.label.total_cmp(&b.label)).then(a.weight.total_cmp(&b.weight))
    });
    samples.dedup_by(|next, kept| {
        let same = next.board == kept.board;
        if same {
            let weight = kept.weight + next.weight;
            kept.label += (next.label - kept.label) * next.weight / weight;
            kept.weight = weight;
        }
        same
    });
    samples.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    fn labels() -> Labels {
        Labels::results()
    }

    fn collect(text: &str, labels: &Labels) -> Collection {
        let mut collection = Collection::default();
        collection.add_games(text, labels).unwrap();
        collection.merge(labels);
        collection
    }

    /// A game of 9 plies that ends with all discs black.
    const WIPE_OUT: &str = "e6f4e3f6g5d6e7f5c5";

    #[test]
    fn results_are_seen_by_the_side_to_move() {
        let collection = collect(&format!("{WIPE_OUT} 64"), &labels());
        assert_eq!((collection.games, collection.refused), (1, 0));
        let labels: Vec<f32> = collection.training.iter().map(|sample| sample.label).collect();
        // In ascending order of empties: Black's last move comes first.
        assert_eq!(labels, [64.0, -64.0, 64.0, -64.0, 64.0, -64.0, 64.0, -64.0, 64.0]);
        assert!(collection.training.iter().all(|sample| sample.board == sample.board.canonical()));
    }

    #[test]
    fn images_of_a_position_are_one_sample_with_the_mean_label() {
        let collection = collect("f5 10\nd3 20\nc4 60", &labels());
        assert_eq!(collection.training.len(), 1);
        let sample = collection.training[0];
        assert!((sample.label - 30.0).abs() < 1e-4 && sample.weight == 3.0);
    }

    #[test]
    fn frequent_positions_saturate() {
        let labels = Labels { saturation: 3.0, ..labels() };
        assert_eq!(collect("f5 10\nd3 20\nc4 60", &labels).training[0].weight, 1.5);
    }

    #[test]
    fn games_of_a_kind_without_weight_are_not_used() {
        let labels = Labels { weights: [0.0, 2.0, 1.0], ..labels() };
        let collection = collect("f5 10\nd3f6 40 40", &labels);
        assert_eq!((collection.games, collection.training.len()), (2, 1));
        assert_eq!((collection.training[0].label, collection.training[0].weight), (10.0, 2.0));
    }

    #[test]
    fn games_with_an_illegal_move_or_a_wrong_result_are_left_out() {
        let text = format!("f5f6e6 0\nf5a1 0\n{WIPE_OUT} 62\n");
        let collection = collect(&text, &labels());
        assert_eq!((collection.games, collection.refused), (3, 2));
    }

    #[test]
    fn the_label_of_a_wthor_game_is_a_blend_of_both_results() {
        let text = "f5 42 52";
        for (theory, label) in [(0.0, 20.0), (1.0, 40.0), (0.5, 30.0)] {
            let collection = collect(text, &Labels { theory, ..labels() });
            assert_eq!(collection.training[0].label, label);
        }
    }

    #[test]
    fn random_plies_have_no_label_and_exact_scores_stand_alone() {
        let labels = Labels { search: 0.25, ..labels() };
        let collection = collect("1 f5f6e6 10 6,-2x", &labels);
        let found: Vec<f32> = collection.training.iter().map(|sample| sample.label).collect();
        // White to move at 59 empties: 3/4 of −10 and 1/4 of 6; Black at 58: the exact score.
        assert_eq!(found, [-2.0, -6.0]);
    }

    #[test]
    fn stored_games_give_the_samples_of_their_text() {
        let squares = [37, 45, 44].map(|index| Square::new(index).unwrap());
        let game = StoredGame {
            index: 0,
            random_plies: 1,
            moves: squares.into_iter().collect(),
            scores: [6].into_iter().collect(),
            result: -2,
        };
        let labels = Labels { search: 0.25, ..labels() };
        let mut collection = Collection::default();
        collection.add_self_play(&[game], &labels);
        collection.merge(&labels);
        let expected = collect("1 f5f6e6 -2 6,-2x", &labels);
        assert_eq!((collection.games, collection.training.len()), (1, 2));
        for (sample, expected) in collection.training.iter().zip(&expected.training) {
            assert_eq!((sample.board, sample.label), (expected.board, expected.label));
        }
    }

    #[test]
    fn held_out_games_share_no_position_with_the_others() {
        let games = ["f5f6e6", "f5d6c5", "d3c3c4", "d3c5d6", "f5f4e3", "c4e3f6", "c4c3d3"];
        let text: String = games.iter().map(|game| format!("{game} 2\n")).collect();
        let collection = collect(&text, &Labels { hold_out: 2, ..labels() });
        let held_out = &collection.held_out[Kind::Logbook as usize];
        assert!(!held_out.is_empty() && !collection.training.is_empty());
        for sample in held_out {
            assert!(collection.training.iter().all(|other| other.board != sample.board));
        }
    }

    #[test]
    fn a_bad_line_is_named() {
        let error = Collection::default().add_games("f5 0\nf9 0\n", &labels()).unwrap_err();
        assert!(error.starts_with("line 2: ") && error.ends_with("at column 1"), "{error}");
    }
}
