//! The squares that lie in each direction from a square.

/// Steps of the four directions towards higher squares: right, down, down-left, down-right.
/// The other four directions are the same steps backwards.
pub(super) const STEPS: [u32; 4] = [1, 8, 7, 9];

/// For a square: rays towards higher squares in the order of [`STEPS`], then towards lower ones.
/// The square itself is not part of its rays.
#[repr(align(32))]
pub(super) struct Rays {
    pub up: [u64; 4],
    pub down: [u64; 4],
}

pub(super) static RAYS: [Rays; 64] = {
    let mut all = [const { Rays { up: [0; 4], down: [0; 4] } }; 64];
    let directions = [(1, 0), (0, 1), (-1, 1), (1, 1)];
    let mut square = 0;
    while square < 64 {
        let mut d = 0;
        while d < 4 {
            let (dx, dy) = directions[d];
            all[square].up[d] = ray(square as i32, dx, dy);
            all[square].down[d] = ray(square as i32, -dx, -dy);
            d += 1;
        }
        square += 1;
    }
    all
};

const fn ray(square: i32, dx: i32, dy: i32) -> u64 {
    let (mut x, mut y) = (square % 8 + dx, square / 8 + dy);
    let mut squares = 0;
    while x >= 0 && x < 8 && y >= 0 && y < 8 {
        squares |= 1u64 << (y * 8 + x);
        x += dx;
        y += dy;
    }
    squares
}
