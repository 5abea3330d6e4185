//! The transposition table: what earlier searches found out about a position.
//!
//! An entry keeps the whole board, so a hit is never a different position. Threads share the
//! table without locks: each of the two board words is stored XORed with the data word, so that
//! an entry torn by two writers does not match either board.

use super::{Selectivity, Window};
use crate::board::{Board, Square};
use crate::pages::{Pages, Zeroed};
use crate::score::Score;
use rayon::prelude::*;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// The value is at least this.
    pub lower: Score,
    /// The value is at most this.
    pub upper: Score,
    /// Depth of the search in plies; the number of empties if it went to the end.
    pub depth: u32,
    /// Confidence of the search's selective cuts.
    pub selectivity: Selectivity,
    /// The best move found, then the best one before it.
    pub moves: [Option<Square>; 2],
}

impl Entry {
    /// Is the entry's search at least as good as one of this depth and selectivity?
    #[inline(always)]
    pub fn covers(&self, depth: u32, selectivity: Selectivity) -> bool {
        self.depth >= depth && self.selectivity >= selectivity
    }

    /// The bound that already answers a search with this window.
    #[inline(always)]
    pub fn cutoff(&self, window: Window) -> Option<Score> {
        if window.fails_high(self.lower) {
            Some(self.lower)
        } else if window.fails_low(self.upper) {
            Some(self.upper)
        } else if self.lower == self.upper {
            Some(self.lower)
        } else {
            None
        }
    }

    fn pack(&self, generation: u8) -> u64 {
        let square = |square: Option<Square>| square.map_or(NO_SQUARE, |s| s.index() as u64);
        u64::from(self.lower.centidiscs() as i16 as u16)
            | u64::from(self.upper.centidiscs() as i16 as u16) << 16
            | u64::from(self.depth as u8) << 32
            | (self.selectivity.index() as u64) << 40
            | u64::from(generation) << 43
            | square(self.moves[0]) << 48
            | square(self.moves[1]) << 56
    }

    fn unpack(data: u64) -> Entry {
        let score = |bits: u64| Score::from_centidiscs(i32::from(bits as u16 as i16));
        let selectivity = (data >> 40 & 7) as usize;
        Entry {
            lower: score(data),
            upper: score(data >> 16),
            depth: (data >> 32) as u32 & 0xff,
            selectivity: Selectivity::LEVELS[selectivity.min(Selectivity::LEVELS.len() - 1)],
            moves: [Square::new((data >> 48) as u8), Square::new((data >> 56) as u8)],
        }
    }
}

const NO_SQUARE: u64 = 0xff;
/// Generations count modulo this.
const GENERATIONS: u8 = 32;
/// Slots that share a cache line.
const SLOTS: usize = 2;

#[derive(Default, Debug)]
struct Slot {
    player: AtomicU64,
    opponent: AtomicU64,
    /// A packed entry; 0 where nothing was stored yet.
    data: AtomicU64,
}

impl Slot {
    #[inline(always)]
    fn get(&self, board: Board) -> Option<u64> {
        let data = self.data.load(Relaxed);
        let same = self.player.load(Relaxed) ^ data == board.player.0
            && self.opponent.load(Relaxed) ^ data == board.opponent.0;
        (same && data != 0).then_some(data)
    }

    #[inline(always)]
    fn set(&self, board: Board, data: u64) {
        self.player.store(board.player.0 ^ data, Relaxed);
        self.opponent.store(board.opponent.0 ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }
}

#[derive(Default, Debug)]
#[repr(align(64))]
struct Bucket {
    slots: [Slot; SLOTS],
}

// SAFETY: it consists of integers.
unsafe impl Zeroed for Bucket {}

/// A table that all threads of a search share.
#[derive(Debug)]
pub struct Table {
    buckets: Pages<Bucket>,
    generation: AtomicU8,
}

impl Table {
    /// A table of about `megabytes` MiB.
    ///
    /// # Errors
    /// One line if the memory cannot be had.
    pub fn new(megabytes: usize) -> Result<Table, String> {
        let count = (megabytes.max(1) << 20) / size_of::<Bucket>();
        let buckets = Pages::new(count)
            .map_err(|error| format!("no memory for a table of {megabytes} MiB: {error}"))?;
        Ok(Table { buckets, generation: AtomicU8::new(0) })
    }

    /// Forgets everything.
    pub fn clear(&self) {
        self.buckets.par_iter().for_each(|bucket| {
            for slot in &bucket.slots {
                slot.set(Board { player: Default::default(), opponent: Default::default() }, 0);
            }
        });
        self.generation.store(0, Relaxed);
    }

    /// Starts a new search: entries of earlier ones are replaced first.
    pub fn age(&self) {
        let next = (self.generation.load(Relaxed) + 1) % GENERATIONS;
        self.generation.store(next, Relaxed);
    }

    #[inline(always)]
    fn bucket(&self, board: Board) -> &Bucket {
        let index = (u128::from(board.hash()) * self.buckets.len() as u128) >> 64;
        &self.buckets[index as usize]
    }

    /// What is stored about a position.
    #[inline(always)]
    pub fn probe(&self, board: Board) -> Option<Entry> {
        self.bucket(board).slots.iter().find_map(|slot| slot.get(board)).map(Entry::unpack)
    }

    /// Stores the outcome of a search of `board` with `window`.
    pub fn store(
        &self,
        board: Board,
        window: Window,
        depth: u32,
        selectivity: Selectivity,
        value: Score,
        best: Option<Square>,
    ) {
        let mut entry = Entry {
            lower: if window.fails_low(value) { Score::MIN } else { value },
            upper: if window.fails_high(value) { Score::MAX } else { value },
            depth,
            selectivity,
            moves: [best, None],
        };
        let generation = self.generation.load(Relaxed);
        let slots = &self.bucket(board).slots;
        let mut victim = &slots[0];
        let mut lowest = u32::MAX;
        for slot in slots {
            if let Some(data) = slot.get(board) {
                entry.merge(&Entry::unpack(data));
                victim = slot;
                break;
            }
            let worth = worth(slot.data.load(Relaxed), generation);
            if worth < lowest {
                (victim, lowest) = (slot, worth);
            }
        }
        victim.set(board, entry.pack(generation));
    }

    /// Part of a sample of the table that this search has filled, in thousandths.
    pub fn hashfull(&self) -> u32 {
        let sample = &self.buckets[..self.buckets.len().min(500)];
        let generation = self.generation.load(Relaxed);
        let slots = sample.iter().flat_map(|bucket| &bucket.slots);
        let used = slots
            .map(|slot| slot.data.load(Relaxed))
            .filter(|&data| data != 0 && generation_of(data) == generation)
            .count();
        (used * 1000 / (sample.len() * SLOTS).max(1)) as u32
    }
}

impl Entry {
    /// Keeps what an older entry of the same position knew and the new one does not.
    fn merge(&mut self, old: &Entry) {
        if old.depth == self.depth && old.selectivity == self.selectivity {
            // Bounds of two runs of a parallel search may contradict each other: the new one
            // then stands alone.
            let (lower, upper) = (self.lower.max(old.lower), self.upper.min(old.upper));
            if lower <= upper {
                (self.lower, self.upper) = (lower, upper);
            }
        }
        if self.moves[0].is_none() {
            self.moves = old.moves;
        } else if old.moves[0] != self.moves[0] {
            self.moves[1] = old.moves[0];
        } else {
            self.moves[1] = old.moves[1];
        }
    }
}

fn generation_of(data: u64) -> u8 {
    (data >> 43 & 0x1f) as u8
}

/// How much a slot's content is worth keeping: deeper is better, an older search is worse.
#[inline(always)]
fn worth(data: u64, generation: u8) -> u32 {
    if data == 0 {
        return 0;
    }
    let depth = (data >> 32) as u32 & 0xff;
    let current = if generation_of(data) == generation { 256 } else { 0 };
    1 + depth + current
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::testing::random_boards;
    use crate::random::Random;

    fn entry() -> Entry {
        Entry {
            lower: Score::from_centidiscs(-6_400),
            upper: Score::from_centidiscs(123),
            depth: 17,
            selectivity: Selectivity::EXACT,
            moves: [Square::new(63), None],
        }
    }

    #[test]
    fn an_entry_packs_into_a_word_and_back() {
        assert_eq!(Entry::unpack(entry().pack(31)), entry());
        assert_eq!(generation_of(entry().pack(31)), 31);
    }

    #[test]
    fn a_stored_bound_is_found_and_the_other_one_stays_open() {
        let table = Table::new(1).unwrap();
        let window = Window::null(Score::ZERO);
        table.store(Board::START, window, 8, Selectivity::EXACT, Score::from_discs(2), None);
        let entry = table.probe(Board::START).unwrap();
        assert_eq!((entry.lower, entry.upper), (Score::from_discs(2), Score::MAX));
        assert_eq!(entry.cutoff(window), Some(Score::from_discs(2)));
        assert_eq!(entry.cutoff(Window::null(Score::from_discs(3))), None);
        assert!(table.probe(Board::START.pass()).is_none());
        table.clear();
        assert!(table.probe(Board::START).is_none());
    }

    #[test]
    fn two_bounds_of_equal_searches_meet() {
        let table = Table::new(1).unwrap();
        let value = Score::from_discs(4);
        for alpha in [Score::from_centidiscs(399), value] {
            table.store(Board::START, Window::null(alpha), 20, Selectivity::EXACT, value, None);
        }
        let entry = table.probe(Board::START).unwrap();
        assert_eq!((entry.lower, entry.upper), (value, value));
    }

    #[test]
    fn a_small_table_under_many_writers_never_gives_another_boards_entry() {
        let table = Table::new(1).unwrap();
        let boards = random_boards(200_000);
        let mark = |board: Board| Score::from_centidiscs((board.hash() % 6_000) as i32);
        boards.par_iter().enumerate().for_each(|(i, &board)| {
            let value = mark(board);
            let window = Window::FULL;
            table.store(board, window, 1, Selectivity::EXACT, value, None);
            let mut random = Random(i as u64);
            let other = boards[random.below(boards.len() as u64) as usize];
            if let Some(entry) = table.probe(other) {
                assert_eq!(entry.lower, mark(other));
            }
        });
    }
}
