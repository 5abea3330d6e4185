//! Discs that can never be flipped again: a lower bound that is cheap and never too high.

use super::{Bitboard, Board};
use once_cell::sync::Lazy;

/// Squares of the first row that are stable for one side, by `own byte × 256 + other byte`,
/// whatever both sides put on the row's empty squares.
static EDGE: Lazy<Box<[u8; 65536]>> = Lazy::new(edge_table);

/// Works out what is otherwise worked out when it is first needed.
pub fn prepare() {
    Lazy::force(&EDGE);
}

const FILE_A: u64 = 0x0101_0101_0101_0101;

/// The four line directions with, for one, two and four steps, the squares from which that many
/// steps up (first) or down (second) lead off the board.
struct Line {
    step: u32,
    off_up: [u64; 3],
    off_down: [u64; 3],
}

const LINES: [Line; 4] = [line(1, 1, 0), line(8, 0, 1), line(7, -1, 1), line(9, 1, 1)];

const fn line(step: u32, dx: i32, dy: i32) -> Line {
    let mut line = Line { step, off_up: [0; 3], off_down: [0; 3] };
    let mut i = 0;
    while i < 3 {
        line.off_up[i] = leads_off(dx << i, dy << i);
        line.off_down[i] = leads_off(-(dx << i), -(dy << i));
        i += 1;
    }
    line
}

const fn leads_off(dx: i32, dy: i32) -> u64 {
    let mut squares = 0;
    let mut square = 0;
    while square < 64 {
        let (x, y) = (square % 8 + dx, square / 8 + dy);
        if x < 0 || x > 7 || y < 0 || y > 7 {
            squares |= 1 << square;
        }
        square += 1;
    }
    squares
}

impl Line {
    /// Squares whose whole line in this direction is occupied.
    fn full(&self, occupied: u64) -> u64 {
        let (mut up, mut down) = (occupied, occupied);
        for i in 0..3 {
            up &= (up >> (self.step << i)) | self.off_up[i];
            down &= (down << (self.step << i)) | self.off_down[i];
        }
        up & down
    }

    /// Squares with a neighbour in `stable`, or the board's edge, on this line.
    fn beside(&self, stable: u64) -> u64 {
        (stable >> self.step) | (stable << self.step) | self.off_up[0] | self.off_down[0]
    }
}

impl Board {
    /// Discs of the opponent that no sequence of moves can flip. Not all of them are found, but
    /// each one found is stable.
    pub fn stable_opponent_discs(self) -> Bitboard {
        let (own, other) = (self.opponent.0, self.player.0);
        let full = LINES.each_ref().map(|line| line.full(own | other));
        let mut stable =
            stable_on_edges(own, other) | (own & full[0] & full[1] & full[2] & full[3]);
        if stable == 0 {
            return Bitboard::EMPTY;
        }
        // A disc is stable if in each direction its line is full or it leans on a stable disc.
        // Horizontal and diagonal wraps are harmless: edge squares have all their neighbours
        // off the board counted in `beside` anyway and come from the edge table.
        let inner = own & 0x007e_7e7e_7e7e_7e00;
        loop {
            let mut grown = inner;
            for (line, full) in LINES.iter().zip(full) {
                grown &= line.beside(stable) | full;
            }
            let next = stable | grown;
            if next == stable {
                return Bitboard(stable);
            }
            stable = next;
        }
    }
}

fn stable_on_edges(own: u64, other: u64) -> u64 {
    let look_up = |own: u64, other: u64| u64::from(EDGE[(own << 8 | other) as usize & 0xffff]);
    let top = look_up(own & 0xff, other & 0xff);
    let bottom = look_up(own >> 56, other >> 56) << 56;
    let left = spread(look_up(gather(own), gather(other)));
    let right = spread(look_up(gather(own >> 7), gather(other >> 7))) << 7;
    top | bottom | left | right
}

/// The squares of file a as a byte, row 1 lowest.
fn gather(bits: u64) -> u64 {
    (bits & FILE_A).wrapping_mul(0x0102_0408_1020_4080) >> 56
}

/// The reverse of [`gather`].
fn spread(byte: u64) -> u64 {
    // Three multiplications by powers of two, summed: bit i goes to bit 8·i.
    let low = (byte & 0x0f).wrapping_mul(0x0020_4081) & 0x0101_0101;
    let high = ((byte >> 4) & 0x0f).wrapping_mul(0x0020_4081) & 0x0101_0101;
    low | high << 32
}

fn edge_table() -> Box<[u8; 65536]> {
    let mut table = Box::new([0u8; 65536]);
    // Fewest empty squares first: a row's entry is what stays stable after any one disc more.
    for empties in 0..=8u32 {
        for own in 0..=255u8 {
            for other in (0..=255u8).filter(|other| own & other == 0) {
                if (own | other).count_zeros() == empties {
                    table[usize::from(own) << 8 | usize::from(other)] =
                        stable_on_row(own, other, &table);
                }
            }
        }
    }
    table
}

fn stable_on_row(own: u8, other: u8, table: &[u8; 65536]) -> u8 {
    let mut stable = own;
    for square in 0..8 {
        let disc = 1u8 << square;
        if (own | other) & disc != 0 {
            continue;
        }
        let flips = row_flips(square, own, other);
        let (a, b) = (own | disc | flips, other & !flips);
        stable &= table[usize::from(a) << 8 | usize::from(b)];
        let flips = row_flips(square, other, own);
        let (a, b) = (own & !flips, other | disc | flips);
        stable &= table[usize::from(a) << 8 | usize::from(b)];
    }
    stable
}

/// Discs of `opponent` on a single row flipped by `player` moving to `square`.
fn row_flips(square: u32, player: u8, opponent: u8) -> u8 {
    let mut flipped = 0;
    let mut run = 0;
    for i in square + 1..8 {
        let disc = 1 << i;
        if opponent & disc == 0 {
            flipped |= if player & disc != 0 { run } else { 0 };
            break;
        }
        run |= disc;
    }
    run = 0;
    for i in (0..square).rev() {
        let disc = 1 << i;
        if opponent & disc == 0 {
            flipped |= if player & disc != 0 { run } else { 0 };
            break;
        }
        run |= disc;
    }
    flipped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::symmetry::Symmetry;
    use crate::board::testing::random_boards;
    use crate::random::Random;

    #[test]
    fn bytes_spread_over_a_file_and_gather_back() {
        for byte in 0..256 {
            assert_eq!(gather(spread(byte)), byte);
        }
    }

    #[test]
    fn a_full_board_is_all_stable_and_the_start_has_none() {
        let full = Board { player: Bitboard(0x0f0f), opponent: !Bitboard(0x0f0f) };
        assert_eq!(full.stable_opponent_discs(), full.opponent);
        assert!(Board::START.stable_opponent_discs().is_empty());
    }

    #[test]
    fn a_corner_and_what_leans_on_it() {
        // a1 b1 c1 along the edge; b2 leans on nothing diagonally.
        let board = Board { player: Bitboard(0x0000_0000_0000_4000), opponent: Bitboard(0x0207) };
        assert_eq!(board.stable_opponent_discs(), Bitboard(0x0007));
    }

    #[test]
    fn stable_discs_turn_with_the_board() {
        for board in random_boards(2_000) {
            let stable = board.stable_opponent_discs();
            for symmetry in Symmetry::all() {
                assert_eq!(
                    symmetry.apply_board(board).stable_opponent_discs(),
                    symmetry.apply(stable),
                    "{board:?}"
                );
            }
        }
    }

    #[test]
    fn stable_discs_survive_random_play_to_the_end() {
        let mut random = Random(7);
        for start in random_boards(3_000) {
            let stable = start.stable_opponent_discs();
            let (mut board, mut swapped) = (start, false);
            loop {
                if let Some(square) = random.pick(board.moves()) {
                    board = board.play(square, board.flips(square));
                } else if board.must_pass() {
                    board = board.pass();
                } else {
                    break;
                }
                swapped = !swapped;
                let kept = if swapped { board.player } else { board.opponent };
                assert_eq!(kept & stable, stable, "{start:?}");
            }
        }
    }
}
