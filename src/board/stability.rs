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

/// One number for each of the four line directions: the compiler makes vectors of them.
type Directions = [u64; 4];

/// One step on a row, a file and the two kinds of diagonal.
const STEP: Directions = [1, 8, 7, 9];

/// The squares from which one, two and four steps up lead off the board.
const OFF_UP: [Directions; 3] = off_the_board(1);

/// The same for steps down.
const OFF_DOWN: [Directions; 3] = off_the_board(-1);

const fn off_the_board(sign: i32) -> [Directions; 3] {
    let mut squares = [[0; 4]; 3];
    let mut i = 0;
    while i < 3 {
        let steps = sign << i;
        squares[i] = [
            leads_off(steps, 0),
            leads_off(0, steps),
            leads_off(-steps, steps),
            leads_off(steps, steps),
        ];
        i += 1;
    }
    squares
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

/// For each direction the squares whose whole line is occupied.
#[inline(always)]
fn full_lines(occupied: u64) -> Directions {
    let (mut up, mut down) = ([occupied; 4], [occupied; 4]);
    for i in 0..3 {
        for d in 0..4 {
            up[d] &= (up[d] >> (STEP[d] << i)) | OFF_UP[i][d];
            down[d] &= (down[d] << (STEP[d] << i)) | OFF_DOWN[i][d];
        }
    }
    std::array::from_fn(|d| up[d] & down[d])
}

/// Squares that in each direction have a full line, a neighbour in `stable` or the board's edge.
#[inline(always)]
fn held(stable: u64, full: &Directions) -> u64 {
    let mut held = [0; 4];
    for d in 0..4 {
        let neighbours = (stable >> STEP[d]) | (stable << STEP[d]);
        held[d] = neighbours | OFF_UP[0][d] | OFF_DOWN[0][d] | full[d];
    }
    held[0] & held[1] & held[2] & held[3]
}

impl Board {
    /// Discs of the opponent that no sequence of moves can flip. Not all of them are found, but
    /// each one found is stable. The search for more ends once there are `enough`.
    pub fn stable_opponent_discs(self, enough: u32) -> Bitboard {
        let (own, other) = (self.opponent.0, self.player.0);
        let full = full_lines(own | other);
        let mut stable = own & full[0] & full[1] & full[2] & full[3];
        if stable.count_ones() >= enough {
            return Bitboard(stable);
        }
        stable |= stable_on_edges(own, other);
        if stable == 0 {
            return Bitboard::EMPTY;
        }
        // A disc is stable if in each direction its line is full or it leans on a stable disc.
        // Horizontal and diagonal wraps are harmless: edge squares have all their neighbours
        // off the board counted anyway and come from the edge table.
        let inner = own & 0x007e_7e7e_7e7e_7e00;
        while stable.count_ones() < enough {
            let next = stable | (inner & held(stable, &full));
            if next == stable {
                break;
            }
            stable = next;
        }
        Bitboard(stable)
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
        assert_eq!(full.stable_opponent_discs(64), full.opponent);
        assert!(Board::START.stable_opponent_discs(64).is_empty());
    }

    #[test]
    fn a_corner_and_what_leans_on_it() {
        // a1 b1 c1 along the edge; b2 leans on nothing diagonally.
        let board = Board { player: Bitboard(0x0000_0000_0000_4000), opponent: Bitboard(0x0207) };
        assert_eq!(board.stable_opponent_discs(64), Bitboard(0x0007));
    }

    #[test]
    fn a_search_for_enough_finds_that_many_of_them() {
        for board in random_boards(2_000) {
            let all = board.stable_opponent_discs(64);
            for enough in 0..=all.len() + 1 {
                let found = board.stable_opponent_discs(enough);
                assert!((found - all).is_empty(), "{board:?} {enough}");
                assert!(found.len() >= enough.min(all.len()), "{board:?} {enough}");
            }
        }
    }

    #[test]
    fn stable_discs_turn_with_the_board() {
        for board in random_boards(2_000) {
            let stable = board.stable_opponent_discs(64);
            for symmetry in Symmetry::all() {
                assert_eq!(
                    symmetry.apply_board(board).stable_opponent_discs(64),
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
            let stable = start.stable_opponent_discs(64);
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
