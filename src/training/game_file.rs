//! The file of self-play games: small, and safe to be cut off at any byte.
//!
//! A header:
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `OUTFGAME` |
//! | 4 | version of this format, 1 |
//! | 1 | depth of the searches in plies |
//! | 1 | empty squares from which a position is solved |
//! | 2 | least and greatest number of random plies |
//! | 4 | size of the table of a game in MiB |
//! | 8 | seed |
//! | 4 | CRC-32 of the weights of the evaluation |
//! | 4 | CRC-32 of the header up to here |
//!
//! Then any number of games, in any order:
//!
//! | bytes | content |
//! |---|---|
//! | 4 | number of the game; with the header it tells everything about the game |
//! | 1 | m, moves of the whole game |
//! | 1 | r, random moves at its start |
//! | 1 | x, moves before the first position with an exact score, r ≤ x ≤ m |
//! | 1 | result, Black minus White with the empty squares given to the winner (discs, signed) |
//! | m | moves, 0 (a1), 1 (b1) … 63 (h8); passes are left out |
//! | x − r | scores of the positions before moves r … x − 1, for the side to move (discs, signed) |
//! | 4 | CRC-32 of the game up to here |
//!
//! Numbers are little-endian. From move x on both sides play perfectly, so the score of each
//! position is the result and is not stored. A scored position takes about 2.5 bytes in all.
//!
//! A writer that is killed leaves at most one game incomplete, the last one. Readers ignore it
//! and [`Writer::open`] cuts it off. Anything else that does not fit is an error.

use super::games::{GameRecord, PositionScore, Source};
use crate::board::{Board, Square};
use crate::eval::Weights;
use crate::game::Colour;
use arrayvec::ArrayVec;
use flate2::Crc;
use std::collections::HashSet;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

const MAGIC: &[u8; 8] = b"OUTFGAME";
const VERSION: u32 = 1;
const HEADER_BYTES: usize = 36;
/// Bytes of a game before its moves.
const HEAD_BYTES: usize = 8;
const CRC_BYTES: usize = 4;
/// Most moves of a game: passes are none.
const MOST_MOVES: usize = 60;

/// How the games of a file were made. With its number they determine a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Settings {
    /// Depth of the searches in plies.
    pub depth: u8,
    /// With this many empty squares or fewer a position is solved.
    pub exact_empties: u8,
    /// Least and greatest number of random plies at the start.
    pub random_plies: [u8; 2],
    /// Size of the transposition table of a game in MiB.
    pub hash_mb: u32,
    /// Seed of the random plies.
    pub seed: u64,
    /// Checksum of the weights of the evaluation, see [`weights_checksum`].
    pub weights: u32,
}

/// A number that tells weights apart.
pub fn weights_checksum(weights: &Weights) -> u32 {
    let mut crc = Crc::new();
    for number in weights.parameters().numbers() {
        crc.update(&number.to_le_bytes());
    }
    crc.sum()
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

impl Settings {
    fn encode(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([self.depth, self.exact_empties]);
        bytes.extend(self.random_plies);
        bytes.extend(self.hash_mb.to_le_bytes());
        bytes.extend(self.seed.to_le_bytes());
        bytes.extend(self.weights.to_le_bytes());
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    /// Reads the header at the start of `bytes`.
    fn decode(bytes: &[u8]) -> Result<Settings, String> {
        if !is_game_file(bytes) {
            return Err("expected a file of self-play games, found something else".to_string());
        }
        let header = bytes.get(..HEADER_BYTES).ok_or("the header is incomplete")?;
        let rest = &mut header.get(MAGIC.len()..).unwrap_or_default();
        let decoded = Settings::fields(rest).ok_or("the header is incomplete")?;
        let (version, settings) = decoded;
        if version != VERSION {
            return Err(format!("expected version {VERSION} of the format, found {version}"));
        }
        if settings.encode() != header {
            return Err("the header is damaged: its checksum does not fit".to_string());
        }
        Ok(settings)
    }

    fn fields(rest: &mut &[u8]) -> Option<(u32, Settings)> {
        let version = u32::from_le_bytes(take(rest)?);
        let [depth, exact_empties] = take(rest)?;
        let settings = Settings {
            depth,
            exact_empties,
            random_plies: take(rest)?,
            hash_mb: u32::from_le_bytes(take(rest)?),
            seed: u64::from_le_bytes(take(rest)?),
            weights: u32::from_le_bytes(take(rest)?),
        };
        Some((version, settings))
    }

    /// The settings as options of the command that made the file.
    fn options(&self) -> [String; 6] {
        let [least, most] = self.random_plies;
        [
            format!("--depth {}", self.depth),
            format!("--exact-empties {}", self.exact_empties),
            format!("--random {least}-{most}"),
            format!("--hash {}", self.hash_mb),
            format!("--seed {}", self.seed),
            format!("--weights with checksum {:08x}", self.weights),
        ]
    }

    /// Refuses to add games made with other settings.
    fn expect(&self, wanted: &Settings) -> Result<(), String> {
        let pairs = self.options().into_iter().zip(wanted.options());
        match pairs.into_iter().find(|(found, wanted)| found != wanted) {
            Some((found, wanted)) => {
                Err(format!("its games were made with {found}, these would be with {wanted}"))
            }
            None => Ok(()),
        }
    }
}

impl fmt::Display for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.options().join(" "))
    }
}

/// Takes the first bytes off a slice.
fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
    let (first, rest) = bytes.split_first_chunk()?;
    *bytes = rest;
    Some(*first)
}

/// Do these bytes begin like a file of self-play games?
pub fn is_game_file(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// A game of the engine against itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StoredGame {
    /// Number of the game.
    pub index: u32,
    /// Random moves at its start.
    pub random_plies: usize,
    /// All moves from the standard start, passes left out.
    pub moves: ArrayVec<Square, MOST_MOVES>,
    /// Values of the positions after the random moves up to the first that is solved, for the
    /// side to move (discs). From there on the value is the result.
    pub scores: ArrayVec<i8, MOST_MOVES>,
    /// Black minus White with the empty squares given to the winner (discs).
    pub result: i8,
}

impl StoredGame {
    /// Number of positions with a score.
    pub fn positions(&self) -> usize {
        self.moves.len().saturating_sub(self.random_plies)
    }

    /// Appends the game to `bytes`.
    fn encode(&self, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        let exact_from = self.random_plies + self.scores.len();
        bytes.extend(self.index.to_le_bytes());
        bytes.extend([self.moves.len() as u8, self.random_plies as u8, exact_from as u8]);
        bytes.extend(self.result.to_le_bytes());
        bytes.extend(self.moves.iter().map(|square| square.index() as u8));
        bytes.extend(self.scores.iter().map(|score| *score as u8));
        let crc = checksum(bytes.get(start..).unwrap_or_default());
        bytes.extend(crc.to_le_bytes());
    }

    /// Reads the game at the start of `bytes`; also says how long it is. `None` if the bytes end
    /// before the game does.
    fn decode(bytes: &[u8]) -> Result<Option<(StoredGame, usize)>, Damaged> {
        let Some(&[a, b, c, d, moves, random, exact, result]) = bytes.first_chunk() else {
            return Ok(None);
        };
        let (moves, random, exact) = (usize::from(moves), usize::from(random), usize::from(exact));
        let result = result as i8;
        let fits = random <= exact && exact <= moves && moves <= MOST_MOVES && in_range(result);
        if !fits {
            return Err(Damaged);
        }
        let length = HEAD_BYTES + moves + (exact - random);
        let Some((body, mut crc)) = bytes.get(..length + CRC_BYTES).map(|b| b.split_at(length))
        else {
            return Ok(None);
        };
        if take(&mut crc).map(u32::from_le_bytes) != Some(checksum(body)) {
            return Err(Damaged);
        }
        let (squares, scores) = body.split_at(HEAD_BYTES + moves);
        let squares = squares.iter().skip(HEAD_BYTES).map(|byte| Square::new(*byte));
        let scores = scores.iter().map(|byte| Some(*byte as i8).filter(|score| in_range(*score)));
        let game = StoredGame {
            index: u32::from_le_bytes([a, b, c, d]),
            random_plies: random,
            moves: squares.collect::<Option<_>>().ok_or(Damaged)?,
            scores: scores.collect::<Option<_>>().ok_or(Damaged)?,
            result,
        };
        Ok(Some((game, length + CRC_BYTES)))
    }
}

/// Is this a value that a game can end with (discs)?
fn in_range(discs: i8) -> bool {
    (-64..=64).contains(&discs)
}

/// The bytes are not what was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Damaged;

/// Gives every position its score.
impl From<&StoredGame> for GameRecord {
    fn from(game: &StoredGame) -> GameRecord {
        let (mut board, mut colour) = (Board::START, Colour::Black);
        let mut scores = Vec::with_capacity(game.positions());
        for (ply, square) in game.moves.iter().enumerate() {
            if board.must_pass() {
                (board, colour) = (board.pass(), colour.other());
            }
            if let Some(position) = ply.checked_sub(game.random_plies) {
                let sign = if colour == Colour::Black { 1 } else { -1 };
                scores.push(match game.scores.get(position) {
                    Some(score) => PositionScore { discs: i32::from(*score), exact: false },
                    None => PositionScore { discs: sign * i32::from(game.result), exact: true },
                });
            }
            // Whoever replays the record finds an illegal move; until then any board will do.
            board = board.try_play(*square).unwrap_or(board.pass());
            colour = colour.other();
        }
        GameRecord {
            moves: game.moves.to_vec(),
            result: i32::from(game.result),
            source: Source::SelfPlay { random_plies: game.random_plies, scores },
        }
    }
}

/// The contents of a file.
#[derive(Clone, Debug)]
pub struct Contents {
    /// How the games were made.
    pub settings: Settings,
    /// The complete games in the order of the file.
    pub games: Vec<StoredGame>,
    /// Bytes of the header and of the complete games.
    length: usize,
}

impl Contents {
    /// Reads a file. An incomplete last game is ignored.
    ///
    /// # Errors
    /// One line saying what does not fit and where.
    pub fn read(bytes: &[u8]) -> Result<Contents, String> {
        let settings = Settings::decode(bytes)?;
        let (mut games, mut length) = (Vec::new(), HEADER_BYTES);
        while let Some(rest) = bytes.get(length..) {
            let decoded = StoredGame::decode(rest).map_err(|Damaged| {
                format!("game {} of the file, from byte {length} on, is damaged", games.len() + 1)
            })?;
            let Some((game, size)) = decoded else { break };
            games.push(game);
            length += size;
        }
        Ok(Contents { settings, games, length })
    }
}

/// What a file holds already.
#[derive(Clone, Debug, Default)]
pub struct Stock {
    /// The numbers of the games.
    pub games: HashSet<u32>,
    /// Positions with a score.
    pub positions: u64,
}

/// Adds games to a file.
#[derive(Debug)]
pub struct Writer {
    file: File,
    path: PathBuf,
    pending: Vec<u8>,
}

impl Writer {
    /// Opens a file, or makes a new one, to which games with these settings are to be added.
    /// What a killed writer has left of a last game is cut off. A file is for one writer at a
    /// time: two would play the same games.
    ///
    /// # Errors
    /// One line with the path: it cannot be used, is no file of games, is damaged, or its games
    /// were made with other settings. The file is then as it was before.
    pub fn open(path: &Path, settings: &Settings) -> Result<(Writer, Stock), String> {
        let named = |error: String| format!("{}: {error}", path.display());
        let (file, bytes) =
            open(path).map_err(|error| format!("cannot open {}: {error}", path.display()))?;
        let mut writer = Writer { file, path: path.to_owned(), pending: Vec::new() };
        let header = settings.encode();
        let mut stock = Stock::default();
        if bytes.len() < header.len() && header.starts_with(&bytes) {
            writer.cut(bytes.len(), 0)?;
            writer.pending = header;
            writer.flush()?;
            return Ok((writer, stock));
        }
        let contents = Contents::read(&bytes).map_err(named)?;
        contents.settings.expect(settings).map_err(named)?;
        writer.cut(bytes.len(), contents.length)?;
        for game in contents.games {
            if stock.games.insert(game.index) {
                stock.positions += game.positions() as u64;
            }
        }
        Ok((writer, stock))
    }

    /// Adds a game; it is in the file after [`Writer::flush`].
    pub fn add(&mut self, game: &StoredGame) {
        game.encode(&mut self.pending);
    }

    /// Writes all games added so far.
    ///
    /// # Errors
    /// One line with the path.
    pub fn flush(&mut self) -> Result<(), String> {
        let written = self.file.write_all(&self.pending);
        written.map_err(|error| format!("cannot write {}: {error}", self.path.display()))?;
        self.pending.clear();
        Ok(())
    }

    fn cut(&mut self, from: usize, to: usize) -> Result<(), String> {
        if from == to {
            return Ok(());
        }
        log::warn!("{}: {} bytes of an incomplete game cut off", self.path.display(), from - to);
        let cut = self.file.set_len(to as u64);
        cut.map_err(|error| format!("cannot shorten {}: {error}", self.path.display()))
    }
}

/// Opens or makes a file to append to, and reads what it holds.
fn open(path: &Path) -> std::io::Result<(File, Vec<u8>)> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    Ok((file, bytes))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::Parameters;
    use crate::training::games::parse_line;
    use crate::training::self_play::tests::settings;

    /// A game that ends early, one without a searched score and one without an end.
    fn games() -> [StoredGame; 3] {
        let squares = |text: &str| {
            let names = text.as_bytes().chunks(2).map(|name| std::str::from_utf8(name).unwrap());
            names.map(|name| Square::parse(name).unwrap()).collect()
        };
        let game = |index, random_plies, moves, scores: &[i8], result| StoredGame {
            index,
            random_plies,
            moves: squares(moves),
            scores: scores.iter().copied().collect(),
            result,
        };
        [
            game(0, 4, "e6f4e3f6g5d6e7f5c5", &[-64, 3, 64], 64),
            game(70_000, 0, "f5d6", &[], -4),
            game(u32::MAX, 2, "f5f6e6", &[-7], 0),
        ]
    }

    fn file_of(games: &[StoredGame]) -> Vec<u8> {
        let mut bytes = settings().encode();
        games.iter().for_each(|game| game.encode(&mut bytes));
        bytes
    }

    /// A file with these contents in the folder for temporary files.
    fn on_disk(name: &str, bytes: &[u8]) -> PathBuf {
        let name = format!("outflank-file-{name}-{}.games", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::write(&path, bytes).unwrap();
        path
    }

    #[test]
    fn games_and_settings_are_read_as_they_were_written() {
        let bytes = file_of(&games());
        let contents = Contents::read(&bytes).unwrap();
        assert_eq!(contents.settings, settings());
        assert_eq!(contents.games, games());
        assert_eq!(contents.length, bytes.len());
    }

    #[test]
    fn the_text_of_a_game_is_a_line_of_the_text_form() {
        let [game, ..] = games();
        let record = GameRecord::from(&game);
        let line = "4 e6f4e3f6g5d6e7f5c5 64 -64,3,64,-64x,64x";
        assert_eq!(record.to_string(), line);
        assert_eq!(parse_line(line), Ok(Some(record)));
    }

    #[test]
    fn a_file_cut_anywhere_in_its_last_game_loses_that_game_alone() {
        let [first, second, last] = games();
        let whole = file_of(&[first.clone(), second.clone(), last.clone()]);
        let kept = file_of(&[first.clone(), second.clone()]);
        let path = on_disk("cut", &[]);
        for length in kept.len()..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let contents = Contents::read(&whole[..length]).unwrap();
            assert_eq!(contents.games, [first.clone(), second.clone()]);
            let (mut writer, stock) = Writer::open(&path, &settings()).unwrap();
            assert_eq!(stock.games, HashSet::from([0, 70_000]));
            assert_eq!(stock.positions, 5 + 2);
            assert_eq!(std::fs::read(&path).unwrap(), kept);
            writer.add(&last);
            writer.flush().unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), whole);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_file_cut_in_its_header_starts_anew() {
        let header = file_of(&[]);
        let path = on_disk("header", &[]);
        for length in 0..header.len() {
            std::fs::write(&path, &header[..length]).unwrap();
            let (_, stock) = Writer::open(&path, &settings()).unwrap();
            assert!(stock.games.is_empty());
            assert_eq!(std::fs::read(&path).unwrap(), header);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn no_changed_byte_goes_unnoticed() {
        let bytes = file_of(&games());
        for place in 0..bytes.len() {
            for change in [0x01, 0x40, 0x80, 0xff] {
                let mut changed = bytes.clone();
                changed[place] ^= change;
                // A game that seems longer than the file looks like one that was not finished.
                if let Ok(contents) = Contents::read(&changed) {
                    assert!(contents.games.len() < 3 && games().starts_with(&contents.games));
                    assert!(contents.length <= place, "byte {place}");
                }
            }
        }
    }

    #[test]
    fn a_foreign_or_damaged_file_is_refused_in_one_line_and_left_alone() {
        let mut damaged = file_of(&games());
        damaged[HEADER_BYTES + HEAD_BYTES] ^= 1;
        let mut version = file_of(&games());
        version[MAGIC.len()] = 2;
        let mut header = file_of(&games());
        header[20] ^= 1;
        for (bytes, message) in [
            (b"f5d6c3 34 41\n".to_vec(), "expected a file of self-play games"),
            (damaged, "game 1 of the file, from byte 36 on, is damaged"),
            (version, "expected version 1 of the format, found 2"),
            (header, "the header is damaged"),
        ] {
            let path = on_disk("foreign", &bytes);
            let error = Writer::open(&path, &settings()).unwrap_err();
            assert!(error.contains(message) && !error.contains('\n'), "{error}");
            assert!(error.starts_with(&path.display().to_string()), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
            std::fs::remove_file(path).unwrap();
        }
    }

    #[test]
    fn other_settings_are_refused_by_name() {
        let bytes = file_of(&games());
        let path = on_disk("settings", &bytes);
        let base = settings();
        for (other, message) in [
            (Settings { depth: 3, ..base.clone() }, "--depth 2, these would be with --depth 3"),
            (Settings { exact_empties: 9, ..base.clone() }, "--exact-empties 9"),
            (Settings { random_plies: [6, 51], ..base.clone() }, "--random 6-51"),
            (Settings { hash_mb: 2, ..base.clone() }, "--hash 2"),
            (Settings { seed: 0, ..base.clone() }, "--seed 0"),
            (Settings { weights: 1, ..base.clone() }, "checksum 00000001"),
        ] {
            let error = Writer::open(&path, &other).unwrap_err();
            assert!(error.ends_with(message), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), bytes);
        }
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn every_weight_is_part_of_the_checksum() {
        let numbers = Weights::embedded().parameters().numbers();
        let expected = weights_checksum(Weights::embedded());
        for place in [0, numbers.len() / 2, numbers.len() - 1] {
            let mut changed = numbers.clone();
            changed[place] ^= 1;
            let changed = Weights::new(Parameters::from_numbers(&changed));
            assert_ne!(weights_checksum(&changed), expected);
        }
        let same = Weights::new(Parameters::from_numbers(&numbers));
        assert_eq!(weights_checksum(&same), expected);
    }
}
