//! Random numbers that are the same in every run and on every machine.

use crate::board::{Bitboard, Square};

/// A small generator (SplitMix64: G. L. Steele, D. Lea and C. H. Flood, "Fast splittable
/// pseudorandom number generators", 2014). Any state is a good one to start from. Not for secrets.
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The generator number `stream` of those that belong to `seed`. Their numbers have nothing
    /// to do with each other.
    pub fn stream(seed: u64, stream: u64) -> Random {
        // States that differ by a plain number would give the same sequence, only shifted.
        Random(Random(seed).next() ^ Random(stream).next().rotate_left(32))
    }

    /// The next number, uniform over all of them.
    #[expect(clippy::should_implement_trait, reason = "a generator never ends")]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `n`, or 0 if `n` is 0. The bias is below n / 2⁶⁴.
    pub fn below(&mut self, n: u64) -> u64 {
        self.next().checked_rem(n).unwrap_or(0)
    }

    /// One of these squares, or `None` if there is none.
    pub fn pick(&mut self, squares: Bitboard) -> Option<Square> {
        if squares.is_empty() {
            return None;
        }
        squares.into_iter().nth(self.below(u64::from(squares.len())) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_numbers_are_those_of_the_published_generator() {
        // The first numbers of the authors' own program from state 1234567.
        let mut random = Random(1_234_567);
        let expected = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!([random.next(), random.next()], expected);
    }

    #[test]
    fn streams_of_a_seed_are_not_shifted_copies_of_each_other() {
        let mut seen = std::collections::HashSet::new();
        for stream in 0..1_000 {
            let mut random = Random::stream(7, stream);
            assert!((0..100).all(|_| seen.insert(random.next())), "stream {stream}");
        }
    }

    #[test]
    fn every_number_below_the_bound_comes_up_about_equally_often() {
        let mut counts = [0; 7];
        let mut random = Random(1);
        for _ in 0..7_000 {
            counts[random.below(7) as usize] += 1;
        }
        assert!(counts.iter().all(|count| (850..1_150).contains(count)), "{counts:?}");
        assert_eq!(random.below(0), 0);
    }
}
