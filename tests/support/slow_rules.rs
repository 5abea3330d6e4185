//! Othello by the letter of its rules on an array of squares: slow, obvious, and without a line
//! of the crate, so that it can judge the crate.

use std::fmt;
use std::str::FromStr;

/// The colour of a disc and of the side that owns it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disc {
    Black,
    White,
}

impl Disc {
    pub fn turned(self) -> Disc {
        if self == Disc::Black { Disc::White } else { Disc::Black }
    }
}

/// A square: column 0 is a, row 0 is row 1 at the top.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Spot {
    pub row: i32,
    pub column: i32,
}

impl Spot {
    pub fn all() -> impl Iterator<Item = Spot> {
        (0..8).flat_map(|row| (0..8).map(move |column| Spot { row, column }))
    }

    fn is_on_board(self) -> bool {
        (0..8).contains(&self.row) && (0..8).contains(&self.column)
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", char::from(b'a' + self.column as u8), self.row + 1)
    }
}

impl FromStr for Spot {
    type Err = String;

    fn from_str(text: &str) -> Result<Spot, String> {
        Spot::all()
            .find(|spot| spot.to_string() == text)
            .ok_or_else(|| format!("'{text}' is no square"))
    }
}

/// A position with its colours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Position {
    /// Rows from row 1 on, each from column a on.
    pub squares: [[Option<Disc>; 8]; 8],
    pub turn: Disc,
}

impl Position {
    pub fn empty(turn: Disc) -> Position {
        Position { squares: [[None; 8]; 8], turn }
    }

    pub fn start() -> Position {
        let mut position = Position::empty(Disc::Black);
        for (square, disc) in
            [("d4", Disc::White), ("e4", Disc::Black), ("d5", Disc::Black), ("e5", Disc::White)]
        {
            position.put(square.parse().unwrap(), disc);
        }
        position
    }

    pub fn at(&self, spot: Spot) -> Option<Disc> {
        self.squares[spot.row as usize][spot.column as usize]
    }

    pub fn put(&mut self, spot: Spot, disc: Disc) {
        self.squares[spot.row as usize][spot.column as usize] = Some(disc);
    }

    /// The discs that a disc of `side` on `spot` outflanks, line by line from the new disc
    /// outwards.
    pub fn outflanked(&self, spot: Spot, side: Disc) -> Vec<Spot> {
        let mut found = Vec::new();
        if self.at(spot).is_some() {
            return found;
        }
        for down in [-1, 0, 1] {
            for right in [-1, 0, 1] {
                if (down, right) == (0, 0) {
                    continue;
                }
                let mut line = Vec::new();
                for distance in 1..8 {
                    let next = Spot {
                        row: spot.row + distance * down,
                        column: spot.column + distance * right,
                    };
                    if !next.is_on_board() {
                        break;
                    }
                    match self.at(next) {
                        None => break,
                        Some(disc) if disc == side => {
                            found.append(&mut line);
                            break;
                        }
                        Some(_) => line.push(next),
                    }
                }
            }
        }
        found
    }

    pub fn moves_of(&self, side: Disc) -> Vec<Spot> {
        Spot::all().filter(|&spot| !self.outflanked(spot, side).is_empty()).collect()
    }

    /// The legal moves of the side on turn.
    pub fn moves(&self) -> Vec<Spot> {
        self.moves_of(self.turn)
    }

    pub fn must_pass(&self) -> bool {
        self.moves_of(self.turn).is_empty() && !self.moves_of(self.turn.turned()).is_empty()
    }

    pub fn is_over(&self) -> bool {
        self.moves_of(Disc::Black).is_empty() && self.moves_of(Disc::White).is_empty()
    }

    /// Plays a move and returns the discs that it flipped; none if the move is illegal, and the
    /// position is then unchanged.
    pub fn play(&mut self, spot: Spot) -> Vec<Spot> {
        let flipped = self.outflanked(spot, self.turn);
        if !flipped.is_empty() {
            self.put(spot, self.turn);
            for &disc in &flipped {
                self.put(disc, self.turn);
            }
            self.turn = self.turn.turned();
        }
        flipped
    }

    pub fn pass(&mut self) {
        self.turn = self.turn.turned();
    }

    pub fn count(&self, side: Disc) -> i32 {
        Spot::all().filter(|&spot| self.at(spot) == Some(side)).count() as i32
    }

    /// Black's final score: its lead in discs, and the winner gets the empty squares.
    pub fn black_score(&self) -> i32 {
        let (black, white) = (self.count(Disc::Black), self.count(Disc::White));
        let empty = 64 - black - white;
        if black > white {
            black - white + empty
        } else if black < white {
            black - white - empty
        } else {
            0
        }
    }
}

/// Eight rows, `X` Black, `O` White, `.` empty, and the side to move.
impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f)?;
        for row in &self.squares {
            let letters: Vec<&str> = row
                .iter()
                .map(|square| match square {
                    Some(Disc::Black) => "X",
                    Some(Disc::White) => "O",
                    None => ".",
                })
                .collect();
            writeln!(f, "{}", letters.join(" "))?;
        }
        writeln!(f, "{:?} to move", self.turn)
    }
}
