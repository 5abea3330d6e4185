//! The file of a book.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `OUTFBOOK` |
//! | 4 | version of this format, 1 |
//! | 1 | level of the analyses |
//! | 4 | CRC-32 of the weights of the evaluation |
//! | 4 | r, number of roots |
//! | 4 | p, number of positions |
//! | rest | a zlib stream: r boards, p positions |
//! | 4 | CRC-32 of the file up to here |
//!
//! A board is the discs of the side to move and those of the other side, 8 bytes each, a1 in the
//! lowest bit. A position is a board, a byte of flags (1: solved, 2: of the unfinished batch) and
//! the values of its legal moves from a1 to h8, 2 bytes each, signed, centidiscs. Boards are
//! canonical and can move; roots and positions are in the order of
//! [`order`](super::graph::order), each only once. Numbers are little-endian. Moves themselves
//! are not stored, so that none can be illegal.
//!
//! Files are written as a whole under another name and then renamed, so a writer that is killed
//! leaves the file as it was before.

use super::analysis::{Analysis, Contents, Settings};
use super::graph::order;
use crate::board::{Bitboard, Board};
use crate::score::Score;
use crate::search::Level;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::{BufReader, Read, Write};

const MAGIC: &[u8; 8] = b"OUTFBOOK";
const VERSION: u32 = 1;
const CRC_BYTES: usize = 4;

const SOLVED: u8 = 1;
const PENDING: u8 = 2;

/// The contents of the file of a book; the same for the same book.
///
/// # Errors
/// A message if they cannot be compressed, or if there are too many positions.
pub fn encode(contents: &Contents) -> Result<Vec<u8>, String> {
    let Contents { settings, roots, positions, pending } = contents;
    let count = |number| u32::try_from(number).map_err(|_| "too many positions".to_string());
    let mut roots = roots.clone();
    roots.sort_by_key(|board| order(*board));
    roots.dedup();
    let flagged = positions.iter().map(|position| (position, 0));
    let mut all: Vec<_> = flagged.chain(pending.iter().map(|p| (p, PENDING))).collect();
    all.sort_by_key(|(position, _)| order(position.board));
    all.dedup_by_key(|(position, _)| position.board);

    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.push(settings.level);
    bytes.extend(settings.weights.to_le_bytes());
    bytes.extend(count(roots.len())?.to_le_bytes());
    bytes.extend(count(all.len())?.to_le_bytes());
    let mut body = Vec::new();
    roots.iter().for_each(|board| put_board(&mut body, *board));
    all.iter().for_each(|(position, flags)| put_position(&mut body, position, *flags));
    let mut encoder = ZlibEncoder::new(&mut bytes, Compression::default());
    encoder
        .write_all(&body)
        .and_then(|()| encoder.finish().map(drop))
        .map_err(|error| format!("cannot compress: {error}"))?;
    bytes.extend(checksum(&bytes).to_le_bytes());
    Ok(bytes)
}

/// The book in the contents of a file.
///
/// # Errors
/// One line saying what is wrong; everything is checked.
pub fn decode(bytes: &[u8]) -> Result<Contents, String> {
    let Some(mut rest) = bytes.strip_prefix(MAGIC) else {
        return Err("expected a book, found something else".to_string());
    };
    const SHORT: &str = "damaged book: it is cut short";
    let version = take(&mut rest).map(u32::from_le_bytes).ok_or(SHORT)?;
    if version != VERSION {
        return Err(format!("expected version {VERSION} of the format of books, found {version}"));
    }
    let ends = bytes.split_last_chunk::<CRC_BYTES>();
    let fits = ends.is_some_and(|(body, crc)| checksum(body) == u32::from_le_bytes(*crc));
    if !fits {
        return Err("damaged book: its checksum does not fit".to_string());
    }
    header_and_body(rest).ok_or_else(|| "damaged book: its contents do not fit".to_string())
}

/// What follows the version.
fn header_and_body(mut rest: &[u8]) -> Option<Contents> {
    let rest = &mut rest;
    let [level] = take(rest)?;
    let weights = u32::from_le_bytes(take(rest)?);
    let roots = u32::from_le_bytes(take(rest)?) as usize;
    let positions = u32::from_le_bytes(take(rest)?) as usize;
    let stream = rest.len().checked_sub(CRC_BYTES).and_then(|length| rest.get(..length))?;
    if !Level::RANGE.contains(&u32::from(level)) {
        return None;
    }
    // Read while it is unpacked, so that a stream of nothing in particular takes no memory.
    let mut decoder = ZlibDecoder::new(stream);
    let body = &mut BufReader::new(&mut decoder);
    let mut contents = Contents::new(Settings { level, weights });
    let mut last = None;
    for _ in 0..roots {
        contents.roots.push(get_board(body, &mut last)?);
    }
    last = None;
    for _ in 0..positions {
        let (position, flags) = get_position(body, &mut last)?;
        let list =
            if flags & PENDING == 0 { &mut contents.positions } else { &mut contents.pending };
        list.push(position);
    }
    let at_end = body.read(&mut [0]).is_ok_and(|bytes| bytes == 0);
    (at_end && decoder.total_in() == stream.len() as u64).then_some(contents)
}

fn put_board(bytes: &mut Vec<u8>, board: Board) {
    bytes.extend(board.player.0.to_le_bytes());
    bytes.extend(board.opponent.0.to_le_bytes());
}

fn put_position(bytes: &mut Vec<u8>, position: &Analysis, flags: u8) {
    put_board(bytes, position.board);
    bytes.push(flags | if position.solved { SOLVED } else { 0 });
    let values = position.values.iter().map(|value| value.clamped().centidiscs() as i16);
    values.for_each(|value| bytes.extend(value.to_le_bytes()));
}

/// A board that may stand after `last`.
fn get_board(bytes: &mut impl Read, last: &mut Option<Board>) -> Option<Board> {
    let player = Bitboard(u64::from_le_bytes(take(bytes)?));
    let opponent = Bitboard(u64::from_le_bytes(take(bytes)?));
    let board = Board::new(player, opponent)?;
    let sound = !board.moves().is_empty() && board.canonical() == board;
    let in_order = last.is_none_or(|last| order(last) < order(board));
    *last = Some(board);
    (sound && in_order).then_some(board)
}

fn get_position(bytes: &mut impl Read, last: &mut Option<Board>) -> Option<(Analysis, u8)> {
    let board = get_board(bytes, last)?;
    let [flags] = take(bytes)?;
    let value = |_| {
        let centidiscs = i32::from(i16::from_le_bytes(take(bytes)?));
        let value = Score::from_centidiscs(centidiscs);
        (value == value.clamped()).then_some(value)
    };
    let values = (0..board.moves().len()).map(value).collect::<Option<Vec<Score>>>()?;
    let known = flags & !(SOLVED | PENDING) == 0;
    known.then_some((Analysis { board, solved: flags & SOLVED != 0, values }, flags))
}

fn checksum(bytes: &[u8]) -> u32 {
    let mut crc = Crc::new();
    crc.update(bytes);
    crc.sum()
}

/// The next bytes.
fn take<const N: usize>(bytes: &mut impl Read) -> Option<[u8; N]> {
    let mut next = [0; N];
    bytes.read_exact(&mut next).ok()?;
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::book::Book;
    use crate::book::analysis::testing::small_book;
    use proptest::collection::vec;
    use proptest::prelude::*;

    fn a_book() -> Contents {
        let mut contents = small_book(30);
        contents.positions.sort_by_key(|position| order(position.board));
        contents.pending = contents.positions.split_off(20);
        contents.positions[4].solved = true;
        contents
    }

    /// A file with this body, its checksum right.
    fn file(roots: u32, positions: u32, body: &[u8]) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.extend([3, 0, 0, 0, 0]);
        bytes.extend(roots.to_le_bytes());
        bytes.extend(positions.to_le_bytes());
        let mut encoder = ZlibEncoder::new(&mut bytes, Compression::default());
        encoder.write_all(body).unwrap();
        encoder.finish().unwrap();
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    #[test]
    fn a_book_comes_back_as_it_went_whatever_its_order_was() {
        let book = a_book();
        let bytes = encode(&book).unwrap();
        assert_eq!(decode(&bytes), Ok(book.clone()));
        let mut other = book;
        other.positions.reverse();
        other.pending.reverse();
        other.roots.push(other.roots[0]);
        assert_eq!(encode(&other).unwrap(), bytes);
        let empty = Contents::new(Settings { level: 60, weights: 1 });
        assert_eq!(decode(&encode(&empty).unwrap()), Ok(empty));
    }

    #[test]
    fn what_is_no_book_says_so() {
        for (bytes, error) in [
            (&b""[..], "expected a book, found something else"),
            (b"OUTFGAME", "expected a book, found something else"),
            (b"OUTFBOOK", "damaged book: it is cut short"),
            (b"OUTFBOOK\x02\0\0\0", "expected version 1 of the format of books, found 2"),
            (b"OUTFBOOK\x01\0\0\0", "damaged book: its checksum does not fit"),
        ] {
            assert_eq!(decode(bytes).unwrap_err(), error);
        }
    }

    #[test]
    fn every_changed_missing_or_added_byte_is_noticed() {
        let good = encode(&a_book()).unwrap();
        for place in 0..good.len() {
            for change in [1, 0x80, 0xff] {
                let mut bad = good.clone();
                bad[place] ^= change;
                assert!(decode(&bad).is_err(), "byte {place}");
            }
            assert!(decode(&good[..place]).is_err(), "{place} bytes");
        }
        let longer = [&good[..], b"\0"].concat();
        assert!(decode(&longer).is_err());
    }

    #[test]
    fn impossible_contents_are_refused_even_if_the_checksum_fits() {
        let start = Board::START.canonical();
        let position = |board: Board, flags: u8, value: i16| {
            let mut bytes = Vec::new();
            put_board(&mut bytes, board);
            bytes.push(flags);
            (0..board.moves().len()).for_each(|_| bytes.extend(value.to_le_bytes()));
            bytes
        };
        let good = position(start, 0, 6_400);
        assert!(decode(&file(0, 1, &good)).is_ok());
        let both = Board { player: start.player, opponent: start.player };
        let over = Board { player: Bitboard(0), opponent: start.opponent };
        let after = start.try_play(start.moves().first().unwrap()).unwrap();
        let turned = crate::board::symmetry::Symmetry::all()
            .map(|symmetry| symmetry.apply_board(after))
            .find(|board| *board != after.canonical())
            .unwrap();
        for (count, body) in [
            (1, position(both, 0, 0)),
            (1, position(over, 0, 0)),
            (1, position(turned, 0, 0)),
            (1, position(start, 4, 0)),
            (1, position(start, 0, 6_401)),
            (1, position(start, 0, i16::MIN)),
            (2, [&good[..], &good].concat()),
            (2, good.clone()),
            (0, good.clone()),
            (u32::MAX, good.clone()),
        ] {
            let error = decode(&file(0, count, &body)).unwrap_err();
            assert_eq!(error, "damaged book: its contents do not fit");
        }
        assert!(decode(&file(u32::MAX, 1, &good)).is_err());
        let zeros = vec![0; 1 << 20];
        assert!(decode(&file(u32::MAX, u32::MAX, &zeros)).is_err());
    }

    proptest! {
        #[test]
        fn random_bodies_are_an_error_or_a_book_of_legal_moves(
            boards in vec((any::<u64>(), any::<u64>(), any::<u8>()), 0..4),
            noise in vec(any::<u8>(), 0..60),
            count in 0..4u32,
        ) {
            let mut body = Vec::new();
            for (player, opponent, flags) in boards {
                let board = Board { player: Bitboard(player), opponent: Bitboard(opponent & !player) };
                put_board(&mut body, board.canonical());
                body.push(flags & 3);
                (0..board.moves().len()).for_each(|_| body.extend([flags, 0]));
            }
            body.extend(noise);
            if let Ok(contents) = decode(&file(0, count, &body)) {
                let book = Book::new(&contents);
                for position in contents.positions.iter().chain(&contents.pending) {
                    let entry = book.look_up(position.board).unwrap();
                    prop_assert_eq!(entry.moves.len() as u32, position.board.moves().len());
                }
            }
        }

        #[test]
        fn random_bytes_are_an_error(bytes in vec(any::<u8>(), 0..200)) {
            prop_assert!(decode(&bytes).is_err());
            let book = [&MAGIC[..], &VERSION.to_le_bytes(), &bytes].concat();
            prop_assert!(decode(&book).is_err());
        }
    }
}
