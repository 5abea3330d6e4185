//! WTHOR archives (`.wtb`): the tournament games of the French federation, a binary file for
//! each year.
//!
//! A header:
//!
//! | bytes | content |
//! |---|---|
//! | 4 | date of the file: century, year, month, day |
//! | 4 | number of games |
//! | 2 | 0 |
//! | 2 | year of the games |
//! | 1 | size of the board, 8; 0 means 8 too |
//! | 1 | 0 |
//! | 1 | empty squares from which the theoretical scores are exact; 0 where they are not known |
//! | 1 | 0 |
//!
//! Then each game:
//!
//! | bytes | content |
//! |---|---|
//! | 2, 2, 2 | numbers of the tournament, of Black and of White |
//! | 1 | Black's discs at the end, empty squares given to the winner |
//! | 1 | Black's discs under best play |
//! | 60 | moves, 10 · row + column, a1 is 11; 0 is none; passes are left out |
//!
//! Numbers are little-endian. A game that ended with a pass reads as the position before it.

use crate::board::Square;
use crate::game::{Game, Move};

/// Bytes of a header.
const HEADER_BYTES: usize = 16;
/// Bytes of a game.
const GAME_BYTES: usize = 68;
/// Bytes of a game before its moves.
const HEAD_BYTES: usize = 8;

/// The games of a file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Archive {
    /// Date of the file: century, year, month, day.
    pub date: [u8; 4],
    /// Year of the games.
    pub year: u16,
    /// Empty squares from which the theoretical scores are exact, 0 if they are not known.
    pub depth: u8,
    /// The games.
    pub games: Vec<ArchivedGame>,
}

/// A game of an archive.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArchivedGame {
    /// Number of the tournament.
    pub tournament: u16,
    /// Number of Black's player.
    pub black: u16,
    /// Number of White's player.
    pub white: u16,
    /// Black's discs at the end (0 … 64), empty squares given to the winner.
    pub score: u8,
    /// Black's discs under best play (0 … 64), see [`Archive::depth`].
    pub theoretical: u8,
    /// The moves from the standard start, at most 60, without passes.
    pub moves: Vec<Square>,
}

/// Has the file the size that its header tells? No text has.
pub fn is_archive(bytes: &[u8]) -> bool {
    Header::read(bytes).is_ok()
}

struct Header {
    date: [u8; 4],
    count: usize,
    year: u16,
    size: u8,
    depth: u8,
}

impl Header {
    fn read(bytes: &[u8]) -> Result<Header, String> {
        let Some((head, games)) = bytes.split_first_chunk::<HEADER_BYTES>() else {
            return Err(format!("expected a WTHOR header of {HEADER_BYTES} bytes"));
        };
        let &[a, b, c, d, n0, n1, n2, n3, _, _, y0, y1, size, _, depth, _] = head;
        let count = u32::from_le_bytes([n0, n1, n2, n3]) as usize;
        if count.checked_mul(GAME_BYTES) != Some(games.len()) {
            let bytes = games.len();
            return Err(format!(
                "expected {count} games of {GAME_BYTES} bytes, found {bytes} bytes"
            ));
        }
        let year = u16::from_le_bytes([y0, y1]);
        Ok(Header { date: [a, b, c, d], count, year, size, depth })
    }
}

impl Archive {
    /// Reads a whole file.
    ///
    /// # Errors
    /// What is wrong, with the number of the game counted from 1.
    pub fn read(bytes: &[u8]) -> Result<Archive, String> {
        let Header { date, count, year, size, depth } = Header::read(bytes)?;
        if !matches!(size, 0 | 8) {
            return Err(format!("expected boards of size 8, found {size}"));
        }
        let mut games = Vec::with_capacity(count);
        for record in bytes.get(HEADER_BYTES..).unwrap_or_default().chunks_exact(GAME_BYTES) {
            let game = ArchivedGame::read(record);
            games.push(game.map_err(|error| format!("game {}: {error}", games.len() + 1))?);
        }
        Ok(Archive { date, year, depth, games })
    }

    /// The bytes of the file.
    ///
    /// # Errors
    /// More games than the header can count.
    pub fn write(&self) -> Result<Vec<u8>, String> {
        let count = u32::try_from(self.games.len())
            .map_err(|_| "more games than a WTHOR file can hold".to_string())?;
        let mut bytes = Vec::with_capacity(HEADER_BYTES + self.games.len() * GAME_BYTES);
        bytes.extend(self.date);
        bytes.extend(count.to_le_bytes());
        bytes.extend([0; 2]);
        bytes.extend(self.year.to_le_bytes());
        bytes.extend([8, 0, self.depth, 0]);
        self.games.iter().for_each(|game| game.write(&mut bytes));
        Ok(bytes)
    }
}

impl ArchivedGame {
    fn read(record: &[u8]) -> Result<ArchivedGame, String> {
        let Some((head, moves)) = record.split_first_chunk::<HEAD_BYTES>() else {
            return Err("the record is too short".into());
        };
        let &[t0, t1, b0, b1, w0, w1, score, theoretical] = head;
        if score > 64 || theoretical > 64 {
            return Err(format!("expected scores of 0 to 64, found {score} and {theoretical}"));
        }
        let length = moves.iter().position(|code| *code == 0).unwrap_or(moves.len());
        let (moves, rest) = moves.split_at_checked(length).unwrap_or((moves, &[]));
        if rest.iter().any(|code| *code != 0) {
            return Err("a move after the end of the moves".into());
        }
        let moves = moves.iter().map(|code| square(*code)).collect::<Result<_, _>>()?;
        let [tournament, black, white] = [[t0, t1], [b0, b1], [w0, w1]].map(u16::from_le_bytes);
        Ok(ArchivedGame { tournament, black, white, score, theoretical, moves })
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        for number in [self.tournament, self.black, self.white] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend([self.score, self.theoretical]);
        let codes = self.moves.iter().map(|square| 10 * (square.rank() + 1) + square.file() + 1);
        bytes.extend(codes.chain(std::iter::repeat(0)).take(GAME_BYTES - HEAD_BYTES));
    }

    /// The game with its passes.
    ///
    /// # Errors
    /// The first illegal move, with its number counted from 1.
    pub fn game(&self) -> Result<Game, String> {
        let mut game = Game::new();
        for (number, square) in (1..).zip(&self.moves) {
            game.accept(Move::Place(*square))
                .map_err(|error| format!("move {number}: illegal move: {error}"))?;
        }
        Ok(game)
    }
}

/// The game without names; the theoretical score is the real one.
impl TryFrom<&Game> for ArchivedGame {
    type Error = String;

    fn try_from(game: &Game) -> Result<ArchivedGame, String> {
        let (board, colour) = game.start();
        if Game::from_position(board, colour) != Game::new() {
            return Err("a WTHOR file needs games from the standard start".into());
        }
        let moves = game.plies().filter_map(|(_, mv)| match mv {
            Move::Place(square) => Some(square),
            Move::Pass => None,
        });
        // A sum of discs and empty squares, 0 to 64.
        let score = (game.outcome().black_score + 64) as u8 / 2;
        Ok(ArchivedGame {
            tournament: 0,
            black: 0,
            white: 0,
            score,
            theoretical: score,
            moves: moves.collect(),
        })
    }
}

fn square(code: u8) -> Result<Square, String> {
    let (rank, file) = (code / 10, code % 10);
    rank.checked_sub(1)
        .zip(file.checked_sub(1))
        .and_then(|(rank, file)| Square::at(file, rank))
        .ok_or_else(|| format!("expected a square (11 to 88), found {code}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::moves::{play_transcript, transcript};
    use crate::notation::testing::game_from_start;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn archive(games: &[&str]) -> Archive {
        let game = |text: &&str| {
            ArchivedGame::try_from(&play_transcript(&Game::new(), text).unwrap()).unwrap()
        };
        let games = games.iter().map(game).collect();
        Archive { date: [20, 24, 12, 31], year: 2024, depth: 24, games }
    }

    #[test]
    fn a_file_has_the_layout_of_the_archives() {
        let bytes = archive(&["f5d6", "f5f6e6"]).write().unwrap();
        assert_eq!(bytes.len(), 16 + 2 * 68);
        let header = [20, 24, 12, 31, 2, 0, 0, 0, 0, 0, 0xe8, 7, 8, 0, 24, 0];
        assert_eq!(bytes[..16], header);
        assert_eq!(bytes[16..26], [0, 0, 0, 0, 0, 0, 32, 32, 56, 64]);
        assert!(bytes[26..84].iter().all(|byte| *byte == 0));
        assert_eq!(bytes[92..96], [56, 66, 65, 0]);
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let good = archive(&["f5d6"]).write().unwrap();
        assert!(is_archive(&good));
        let changed = |at: usize, value: u8| {
            let mut bytes = good.clone();
            bytes[at] = value;
            Archive::read(&bytes).unwrap_err()
        };
        assert_eq!(changed(4, 2), "expected 2 games of 68 bytes, found 68 bytes");
        assert_eq!(changed(12, 10), "expected boards of size 8, found 10");
        assert_eq!(changed(22, 65), "game 1: expected scores of 0 to 64, found 65 and 32");
        assert_eq!(changed(24, 19), "game 1: expected a square (11 to 88), found 19");
        assert_eq!(changed(30, 11), "game 1: a move after the end of the moves");
        let error = Archive::read(&good[..15]).unwrap_err();
        assert_eq!(error, "expected a WTHOR header of 16 bytes");
        for text in ["", "f5d6c3", "# a comment of some length\nf5d6c3 34 41\n"] {
            assert!(!is_archive(text.as_bytes()), "{text}");
        }
        let mut illegal = archive(&["f5d6"]);
        illegal.games[0].moves.reverse();
        let error = "move 1: illegal move: d6 flips nothing for black";
        assert_eq!(illegal.games[0].game().unwrap_err(), error);
    }

    #[test]
    fn boards_of_size_0_are_of_size_8() {
        let mut bytes = archive(&["f5d6"]).write().unwrap();
        bytes[12] = 0;
        assert_eq!(Archive::read(&bytes), Ok(archive(&["f5d6"])));
    }

    proptest! {
        #[test]
        fn a_written_archive_is_read_back(
            games in vec((game_from_start(), any::<[u16; 3]>(), 0..=64u8), 0..5),
            date in any::<[u8; 4]>(),
            year in any::<u16>(),
            depth in any::<u8>(),
        ) {
            let mut archive = Archive { date, year, depth, games: Vec::new() };
            for (game, numbers, theoretical) in &games {
                let [tournament, black, white] = *numbers;
                let plain = ArchivedGame::try_from(game).unwrap();
                let read = transcript(&plain.game().unwrap());
                let written = transcript(game);
                prop_assert_eq!(read, written.trim_end_matches("pa"));
                let theoretical = *theoretical;
                archive.games.push(ArchivedGame { tournament, black, white, theoretical, ..plain });
            }
            prop_assert_eq!(Archive::read(&archive.write().unwrap()), Ok(archive));
        }

        #[test]
        fn random_bytes_are_never_more_than_an_error(
            mut bytes in vec(any::<u8>(), 0..300),
            fitting in any::<bool>(),
        ) {
            if fitting && bytes.len() >= 16 {
                let games = (bytes.len() - 16) / 68;
                bytes.truncate(16 + 68 * games);
                bytes[4..8].copy_from_slice(&(games as u32).to_le_bytes());
                bytes[12] = 8;
            }
            if let Ok(archive) = Archive::read(&bytes) {
                archive.games.iter().for_each(|game| drop(game.game()));
            }
        }
    }
}
