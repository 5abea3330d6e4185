//! What the integration tests share. Each test file uses only a part of it.
#![allow(dead_code)]
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

pub mod driver;
pub mod files;
pub mod patterns;
pub mod program;
pub mod schema;
pub mod searching;
pub mod shell;
pub mod slow_rules;
pub mod suites;

use outflank::board::{Bitboard, Board, Square};
use outflank::game::{Colour, Game};
use slow_rules::{Disc, Position, Spot};

/// A small generator (xorshift64*), the same numbers in every run.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        // The state must not be 0; the first numbers of small seeds are alike.
        let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..8 {
            random.next();
        }
        random
    }

    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `n`, which must not be 0.
    pub fn below(&mut self, n: usize) -> usize {
        ((self.next() >> 32) as usize) % n
    }

    /// One of `choices`, which must not be empty.
    pub fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }
}

/// The squares that a picture marks with each of `X`, `O` and `*`.
pub struct Picture {
    pub black: Vec<Spot>,
    pub white: Vec<Spot>,
    pub marked: Vec<Spot>,
}

impl Picture {
    /// Reads eight rows of eight letters: `X` Black, `O` White, `.` empty, `*` empty and marked.
    /// Blanks do not count.
    pub fn new(text: &str) -> Picture {
        Picture::from_letters(&text.split_whitespace().collect::<String>())
    }

    /// Reads two boards side by side.
    pub fn pair(text: &str) -> (Picture, Picture) {
        let (mut left, mut right) = (String::new(), String::new());
        for row in text.lines().map(|row| row.split_whitespace().collect::<String>()) {
            assert!(row.is_empty() || row.len() == 16, "not two rows of eight: {row}");
            left.extend(row.chars().take(8));
            right.extend(row.chars().skip(8));
        }
        (Picture::from_letters(&left), Picture::from_letters(&right))
    }

    fn from_letters(letters: &str) -> Picture {
        assert_eq!(letters.len(), 64, "a board has 64 squares: {letters}");
        assert!(letters.chars().all(|c| "XO.*".contains(c)), "not only X, O, ., *: {letters}");
        let with = |wanted| {
            Spot::all().zip(letters.chars()).filter(|(_, c)| *c == wanted).map(|(s, _)| s).collect()
        };
        Picture { black: with('X'), white: with('O'), marked: with('*') }
    }

    /// The game that starts from the picture.
    pub fn game(&self, turn: Colour) -> Game {
        let (black, white) = (bitboard(&self.black), bitboard(&self.white));
        let board = match turn {
            Colour::Black => Board::new(black, white),
            Colour::White => Board::new(white, black),
        };
        Game::from_position(board.expect("no square holds two discs"), turn)
    }

    /// The same position for the referee.
    pub fn position(&self, turn: Colour) -> Position {
        let mut position = Position::empty(disc(turn));
        self.black.iter().for_each(|&spot| position.put(spot, Disc::Black));
        self.white.iter().for_each(|&spot| position.put(spot, Disc::White));
        position
    }
}

/// A game that starts from a picture, see [`Picture::new`].
pub fn game(turn: Colour, picture: &str) -> Game {
    Picture::new(picture).game(turn)
}

/// The colour in the referee's terms.
pub fn disc(colour: Colour) -> Disc {
    match colour {
        Colour::Black => Disc::Black,
        Colour::White => Disc::White,
    }
}

/// The colour of a referee's disc.
pub fn colour(disc: Disc) -> Colour {
    match disc {
        Disc::Black => Colour::Black,
        Disc::White => Colour::White,
    }
}

/// The crate's square of the same name.
pub fn square(spot: Spot) -> Square {
    Square::at(spot.column as u8, spot.row as u8).expect("the square is on the board")
}

/// The crate's set of these squares.
pub fn bitboard(spots: &[Spot]) -> Bitboard {
    spots.iter().map(|&spot| square(spot)).collect()
}

/// The referee's view of a game.
pub fn position_of(game: &Game) -> Position {
    let mut position = Position::empty(disc(game.colour()));
    for spot in Spot::all() {
        for side in [Colour::Black, Colour::White] {
            if game.discs(side).has(square(spot)) {
                position.put(spot, disc(side));
            }
        }
    }
    position
}

/// The game whose board and side to move are those of the referee's position.
pub fn game_at(position: &Position) -> Game {
    let of = |side| {
        Spot::all()
            .filter(|&spot| position.at(spot) == Some(side))
            .map(square)
            .collect::<Bitboard>()
    };
    let turn = position.turn;
    let board = Board::new(of(turn), of(turn.turned())).expect("no square holds two discs");
    Game::from_position(board, colour(turn))
}
