//! Perft against reference counts in all three conventions.

use outflank::board::perft::{Convention, perft};
use outflank::notation::position::parse_position;

/// A position and, for depth 1, 2, …, its counts as `pass-ply`, `pass-free`, `full-depth`.
type Reference = (&'static str, &'static [[u64; 3]]);

const START: Reference = (
    "---------------------------OX------XO--------------------------- X",
    &[
        [4, 4, 4],
        [12, 12, 12],
        [56, 56, 56],
        [244, 244, 244],
        [1_396, 1_396, 1_396],
        [8_200, 8_200, 8_200],
        [55_092, 55_092, 55_092],
        [390_216, 390_216, 390_216],
        [3_005_288, 3_005_320, 3_005_288],
        [24_571_284, 24_571_420, 24_571_056],
    ],
);

const MANY_PASSES: Reference = (
    "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X",
    &[
        [8, 8, 8],
        [57, 57, 57],
        [416, 416, 416],
        [2_785, 2_785, 2_785],
        [17_784, 17_792, 17_784],
        [102_573, 102_682, 102_573],
        [547_711, 548_387, 547_711],
    ],
);

const PASSES_EARLY: Reference = (
    "O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X",
    &[
        [10, 10, 10],
        [30, 30, 30],
        [305, 305, 305],
        [1_325, 1_357, 1_325],
        [12_843, 12_927, 12_843],
        [63_589, 64_973, 63_589],
        [561_645, 566_642, 561_645],
    ],
);

const MIDDLE: Reference = (
    "---OOOO----OOO----XOXOXX--XOOXXX--XOOXXX--XOOOXX--OXXX-X--XXXX-- X",
    &[
        [7, 7, 7],
        [64, 64, 64],
        [491, 491, 491],
        [4_219, 4_219, 4_219],
        [35_446, 35_446, 35_446],
        [298_681, 298_744, 298_681],
        [2_551_630, 2_551_923, 2_551_630],
    ],
);

const OPEN: Reference = (
    "------------O------OOX-----XOX----XXOO----XO-O------------------ X",
    &[
        [11, 11, 11],
        [134, 134, 134],
        [1_433, 1_433, 1_433],
        [16_466, 16_466, 16_466],
        [188_748, 188_748, 188_748],
        [2_209_794, 2_209_794, 2_209_794],
        [26_803_455, 26_803_455, 26_803_454],
    ],
);

const LAST_SIX: Reference = (
    "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X",
    &[
        [4, 4, 4],
        [5, 5, 4],
        [11, 11, 10],
        [18, 21, 17],
        [31, 32, 30],
        [32, 32, 31],
        [32, 32, 13],
        [32, 32, 2],
        [32, 32, 0],
        [32, 32, 0],
        [32, 32, 0],
    ],
);

fn check((position, counts): Reference) {
    let board = parse_position(position).unwrap().board();
    for (depth, expected) in (1..).zip(counts) {
        let counted = Convention::ALL.map(|convention| perft(board, depth, convention));
        assert_eq!(counted, *expected, "depth {depth} of {position}");
    }
}

#[test]
fn counts_from_the_start_agree_with_the_published_tables() {
    check(START);
}

#[test]
fn counts_of_endgames_with_passes_agree() {
    check(MANY_PASSES);
    check(PASSES_EARLY);
}

#[test]
fn counts_of_middle_games_agree() {
    check(MIDDLE);
    check(OPEN);
}

#[test]
fn counts_past_the_end_of_every_game_agree() {
    check(LAST_SIX);
}

#[test]
fn depth_nought_is_one_line() {
    let board = parse_position(START.0).unwrap().board();
    assert_eq!(Convention::ALL.map(|convention| perft(board, 0, convention)), [1, 1, 1]);
}
