//! A move at random among the good ones.

use crate::game::Move;
use crate::random::Random;
use crate::score::Score;

/// One of `moves`, best first: the first one without randomness, otherwise any that loses at most
/// `randomness` centidiscs against it. A move comes as often as its loss stays below
/// `randomness` + 1: the better it is, the more often.
pub fn choose(
    moves: &[(Move, Score)],
    randomness: u32,
    random: &mut Random,
) -> Option<(Move, Score)> {
    let best = moves.first()?;
    if randomness == 0 {
        return Some(*best);
    }
    let weight = |value: Score| {
        u64::try_from(i64::from(randomness) + 1 - i64::from((best.1 - value).centidiscs()))
            .unwrap_or(0)
    };
    let total = moves.iter().map(|(_, value)| weight(*value)).sum();
    let mut at = random.below(total);
    let chosen = moves.iter().find(|(_, value)| {
        let weight = weight(*value);
        let found = at < weight;
        at = at.saturating_sub(weight);
        found
    });
    Some(*chosen.unwrap_or(best))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Square;

    fn moves(values: &[i32]) -> Vec<(Move, Score)> {
        let squares = Square::all().map(Move::Place);
        squares.zip(values.iter().map(|cd| Score::from_centidiscs(*cd))).collect()
    }

    fn counts(values: &[i32], randomness: u32) -> Vec<usize> {
        let (moves, mut random) = (moves(values), Random(3));
        let mut counts = vec![0; values.len()];
        for _ in 0..11_000 {
            let chosen = choose(&moves, randomness, &mut random).unwrap();
            counts[moves.iter().position(|mv| *mv == chosen).unwrap()] += 1;
        }
        counts
    }

    #[test]
    fn without_randomness_the_first_of_the_best_is_chosen() {
        assert_eq!(counts(&[30, 30, 29], 0), [11_000, 0, 0]);
        assert_eq!(choose(&[], 5, &mut Random(1)), None);
    }

    #[test]
    fn better_moves_come_more_often_and_bad_ones_never() {
        // Weights 10, 1, 0 of 11.
        let counts = counts(&[30, 21, 20], 9);
        assert!((9_800..10_200).contains(&counts[0]), "{counts:?}");
        assert!((800..1_200).contains(&counts[1]), "{counts:?}");
        assert_eq!(counts[2], 0);
    }

    #[test]
    fn equal_moves_come_equally_often() {
        let counts = counts(&[0, 0, 0, -200], 100);
        assert!(counts[..3].iter().all(|count| (3_400..3_900).contains(count)), "{counts:?}");
        assert_eq!(counts[3], 0);
    }
}
