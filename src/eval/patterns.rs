//! The patterns: which squares each looks at, and where its weights are.
//!
//! The discs on a pattern's squares are the digits of a number in balanced ternary: +1 an own
//! disc, −1 an opposing one, 0 an empty square, times 3 to the power of the square's place. The
//! number of a pattern of ten squares is within ±29,524 and fits an `i16`, and changing sides
//! is a change of sign.
//!
//! Each shape is given once and placed on the board by the eight symmetries. All placements of a
//! shape share one table of weights; where a symmetry maps a placement to itself, the two
//! configurations that are mirror images share weights as well ("folded" tables).

use crate::board::symmetry::Symmetry;
use crate::board::{Bitboard, Square};
use once_cell::sync::Lazy;

/// Most squares in a pattern.
pub const LONGEST: usize = 10;

/// A shape, by the squares of one placement in the order of their digits, run together.
struct Shape(&'static str);

const SHAPES: [Shape; 15] = [
    // An edge with its two X squares.
    Shape("a1b1c1d1e1f1g1h1b2g2"),
    // An edge without its C squares, and the inner squares beside it.
    Shape("a1c1d1e1f1h1c2d2e2f2"),
    // A corner: 2 × 5, 3 × 3, a triangle, both arms with the X square, a kite.
    Shape("a1b1c1d1e1a2b2c2d2e2"),
    Shape("a1b1c1a2b2c2a3b3c3"),
    Shape("a1b1c1d1a2b2c2a3b3a4"),
    Shape("a5a4a3a2a1b1c1d1e1b2"),
    Shape("a1b1a2b2c2b3d2b4e2b5"),
    // Rows 2, 3, 4.
    Shape("a2b2c2d2e2f2g2h2"),
    Shape("a3b3c3d3e3f3g3h3"),
    Shape("a4b4c4d4e4f4g4h4"),
    // Diagonals of 8, 7, 6, 5, 4 squares.
    Shape("a1b2c3d4e5f6g7h8"),
    Shape("b1c2d3e4f5g6h7"),
    Shape("c1d2e3f4g5h6"),
    Shape("d1e2f3g4h5"),
    Shape("e1f2g3h4"),
];

/// Number of lanes of a feature vector: four 256-bit registers of `i16`.
pub const LANES: usize = 64;

/// Number of lanes in use, one for each placement of a shape. The others are always 0.
pub const PLACEMENTS: usize = 62;

/// The shape and the squares of each lane.
const PLACED: [Placement; PLACEMENTS] = place_shapes();

/// For each square what an own disc on it adds to each lane.
pub static CONTRIBUTIONS: [Lanes; Square::COUNT] = contributions();

/// One number a lane.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(C, align(64))]
pub struct Lanes(pub [i16; LANES]);

/// Entries before the first and after the last weight of a table, so that any `i16` in any lane
/// is an index inside the table.
const MARGIN: usize = 1 << 15;

/// Number of entries of the table of all shapes, both margins included.
pub const TABLE_LEN: usize = shape_start(SHAPES.len()) + MARGIN;

/// For each lane the place in the table that belongs to configuration 0 (all squares empty).
pub const CENTRES: [usize; PLACEMENTS] = {
    let mut centres = [0; PLACEMENTS];
    let mut lane = 0;
    while lane < PLACEMENTS {
        let shape = PLACED[lane].shape;
        centres[lane] = shape_start(shape) + SHAPES[shape].configurations() / 2;
        lane += 1;
    }
    centres
};

#[derive(Clone, Copy)]
struct Placement {
    shape: usize,
    symmetry: Symmetry,
}

impl Shape {
    const fn len(&self) -> usize {
        self.0.len() / 2
    }

    const fn configurations(&self) -> usize {
        3usize.pow(self.len() as u32)
    }

    /// The square of digit `i` in the placement by `symmetry`.
    const fn square(&self, i: usize, symmetry: Symmetry) -> Square {
        let text = self.0.as_bytes();
        match Square::at(text[2 * i] - b'a', text[2 * i + 1] - b'1') {
            Some(square) => symmetry.apply_square(square),
            None => unreachable!(),
        }
    }

    const fn squares(&self, symmetry: Symmetry) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        let mut i = 0;
        while i < self.len() {
            squares = squares.with(self.square(i, symmetry));
            i += 1;
        }
        squares
    }

    /// Is the placement by symmetry number `number` the first with its set of squares?
    const fn is_new(&self, number: usize) -> bool {
        let mut earlier = 0;
        while earlier < number {
            let same = self.squares(Symmetry::ALL[earlier]).0;
            if same == self.squares(Symmetry::ALL[number]).0 {
                return false;
            }
            earlier += 1;
        }
        true
    }

    /// For each symmetry that maps the shape to itself where each of its digits goes.
    fn mirrors(&self) -> Vec<Vec<usize>> {
        let squares = |symmetry| (0..self.len()).map(move |i| self.square(i, symmetry));
        let own: Vec<Square> = squares(Symmetry::ALL[0]).collect();
        Symmetry::all()
            .filter_map(|symmetry| {
                squares(symmetry).map(|image| own.iter().position(|s| *s == image)).collect()
            })
            .collect()
    }
}

const fn place_shapes() -> [Placement; PLACEMENTS] {
    let mut placed = [Placement { shape: 0, symmetry: Symmetry::ALL[0] }; PLACEMENTS];
    let (mut shape, mut lane) = (0, 0);
    while shape < SHAPES.len() {
        let mut number = 0;
        while number < Symmetry::ALL.len() {
            if SHAPES[shape].is_new(number) {
                placed[lane] = Placement { shape, symmetry: Symmetry::ALL[number] };
                lane += 1;
            }
            number += 1;
        }
        shape += 1;
    }
    assert!(lane == PLACEMENTS);
    placed
}

const fn contributions() -> [Lanes; Square::COUNT] {
    let mut all = [Lanes([0; LANES]); Square::COUNT];
    let mut lane = 0;
    while lane < PLACEMENTS {
        let Placement { shape, symmetry } = PLACED[lane];
        let mut i = 0;
        while i < SHAPES[shape].len() {
            all[SHAPES[shape].square(i, symmetry).index()].0[lane] = 3i16.pow(i as u32);
            i += 1;
        }
        lane += 1;
    }
    all
}

const fn shape_start(shape: usize) -> usize {
    let mut start = MARGIN;
    let mut earlier = 0;
    while earlier < shape {
        start += SHAPES[earlier].configurations();
        earlier += 1;
    }
    start
}

/// Which configurations share a weight.
#[derive(Debug)]
pub struct Folding {
    /// For each table entry from the first margin's end on, up to the second margin, the number
    /// of its weight among the folded ones.
    slots: Vec<u32>,
    /// Number of folded weights.
    len: usize,
}

/// The folding of the patterns.
pub static FOLDING: Lazy<Folding> = Lazy::new(|| {
    let mut folding = Folding { slots: Vec::with_capacity(TABLE_LEN - 2 * MARGIN), len: 0 };
    for shape in &SHAPES {
        folding.add(shape);
    }
    folding
});

impl Folding {
    /// Number of folded weights.
    #[allow(clippy::len_without_is_empty)]
    pub fn len(&self) -> usize {
        self.len
    }

    /// The table entries with the number of the folded weight of each.
    pub fn entries(&self) -> impl Iterator<Item = (usize, usize)> {
        self.slots.iter().enumerate().map(|(i, slot)| (MARGIN + i, *slot as usize))
    }

    fn add(&mut self, shape: &Shape) {
        let mirrors = shape.mirrors();
        let start = self.slots.len();
        for index in 0..shape.configurations() {
            let first = mirrors.iter().map(|mirror| mirrored(index, mirror)).min();
            match first {
                Some(first) if first < index => self.slots.push(self.slots[start + first]),
                _ => {
                    self.slots.push(self.len as u32);
                    self.len += 1;
                }
            }
        }
    }
}

/// Moves each ternary digit of `index` to the place that `mirror` gives for it. It makes no
/// difference whether the digits are 0, 1, 2 or −1, 0, 1.
fn mirrored(index: usize, mirror: &[usize]) -> usize {
    let mut rest = index;
    let mut image = 0;
    for place in mirror {
        image += rest % 3 * 3usize.pow(*place as u32);
        rest /= 3;
    }
    image
}

/// A hash (FNV-1a) of all shapes in order: two sets of weights with different fingerprints do
/// not belong to the same patterns.
pub const FINGERPRINT: u64 = {
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    let mut shape = 0;
    while shape < SHAPES.len() {
        let text = SHAPES[shape].0.as_bytes();
        let mut i = 0;
        while i <= text.len() {
            let byte = if i < text.len() { text[i] } else { b'\n' };
            hash = (hash ^ byte as u64).wrapping_mul(0x0100_0000_01b3);
            i += 1;
        }
        shape += 1;
    }
    hash
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shape_fits_and_names_no_square_twice() {
        for shape in &SHAPES {
            assert!(shape.len() <= LONGEST, "{}", shape.0);
            assert_eq!(shape.squares(Symmetry::ALL[0]).len() as usize, shape.len(), "{}", shape.0);
        }
    }

    #[test]
    fn no_two_placements_look_at_the_same_squares() {
        let mut sets: Vec<u64> =
            PLACED.iter().map(|p| SHAPES[p.shape].squares(p.symmetry).0).collect();
        sets.sort_unstable();
        sets.dedup();
        assert_eq!(sets.len(), PLACEMENTS);
    }

    #[test]
    fn a_full_pattern_reaches_the_ends_of_its_table_and_no_further() {
        for (lane, placement) in PLACED.iter().enumerate() {
            let full: i32 = CONTRIBUTIONS.iter().map(|lanes| i32::from(lanes.0[lane])).sum();
            assert_eq!(full as usize, SHAPES[placement.shape].configurations() / 2);
            let start = shape_start(placement.shape);
            assert_eq!(CENTRES[lane] - full as usize, start);
            assert_eq!(CENTRES[lane] + full as usize + 1, shape_start(placement.shape + 1));
        }
    }

    #[test]
    fn any_number_in_any_lane_is_an_index_inside_the_table() {
        for centre in CENTRES {
            assert!(centre >= MARGIN && centre + MARGIN <= TABLE_LEN);
        }
    }

    #[test]
    fn an_edge_is_folded_with_its_mirror_image() {
        let mirrors = SHAPES[0].mirrors();
        assert_eq!(
            mirrors,
            [vec![0, 1, 2, 3, 4, 5, 6, 7, 8, 9], vec![7, 6, 5, 4, 3, 2, 1, 0, 9, 8]]
        );
        assert_eq!(mirrored(1, &mirrors[1]), 3usize.pow(7));
        assert_eq!(SHAPES[2].mirrors().len(), 1);
    }

    #[test]
    fn folded_weights_are_as_many_as_mirror_classes() {
        // For a shape with one mirror that leaves f of n squares in place: (3^n + 3^(f+(n−f)/2)) / 2.
        let class = |n: u32, f: u32| (3usize.pow(n) + 3usize.pow(f + (n - f) / 2)) / 2;
        let expected = class(10, 0) * 2 // edge+2X, edge block
            + 3usize.pow(10) // 2 × 5
            + class(9, 3)
            + class(10, 2) * 3 // triangle, arms, kite
            + class(8, 0) * 4 // rows and the long diagonal
            + class(7, 1)
            + class(6, 0)
            + class(5, 1)
            + class(4, 0);
        assert_eq!(FOLDING.len(), expected);
        assert_eq!(FOLDING.entries().count(), TABLE_LEN - 2 * MARGIN);
    }
}
