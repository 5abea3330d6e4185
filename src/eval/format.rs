//! The file of weights.
//!
//! | bytes | content |
//! |---|---|
//! | 8 | `OUTFLANK` |
//! | 4 | version of this format, 2 |
//! | 8 | fingerprint of the patterns |
//! | 4 | numbers in a row |
//! | 4 | hidden numbers |
//! | 4 | stages |
//! | 4 | folded rows |
//! | rest | a zlib stream of all numbers, see [`Parameters::numbers`] |
//!
//! Numbers are little-endian. In the stream the sign of each is in its lowest bit ("zigzag"):
//! first the low bytes of all numbers, then the high bytes, which are nearly all 0.

use super::network::{HIDDEN, Parameters, STAGES, WIDTH};
use super::patterns::{FINGERPRINT, FOLDING};
use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use std::io::{self, Read, Write};

const MAGIC: &[u8; 8] = b"OUTFLANK";
const VERSION: u32 = 2;

/// The contents of a file with these parameters.
///
/// # Errors
/// A message if they cannot be compressed.
pub fn encode(parameters: &Parameters) -> Result<Vec<u8>, String> {
    let numbers: Vec<u16> = parameters.numbers().into_iter().map(zigzag).collect();
    let low = numbers.iter().map(|n| *n as u8);
    let high = numbers.iter().map(|n| (*n >> 8) as u8);
    let planes: Vec<u8> = low.chain(high).collect();

    let mut bytes = header();
    compress(&planes, &mut bytes).map_err(|error| format!("cannot compress: {error}"))?;
    Ok(bytes)
}

/// The parameters in the contents of a file.
///
/// # Errors
/// One line saying what is wrong; every field is checked.
pub fn decode(bytes: &[u8]) -> Result<Parameters, String> {
    let stream = check_header(bytes)?;
    let count = Parameters::count();
    let mut planes = Vec::with_capacity(2 * count);
    let mut decoder = ZlibDecoder::new(stream);
    // One byte more than there should be shows whether there is more, however much it is.
    decoder
        .by_ref()
        .take(2 * count as u64 + 1)
        .read_to_end(&mut planes)
        .map_err(|error| format!("damaged weights: {error}"))?;
    if planes.len() != 2 * count || decoder.total_in() != stream.len() as u64 {
        return Err("damaged weights: the wrong length".to_string());
    }
    let (low, high) = planes.split_at(count);
    let pairs = low.iter().zip(high);
    let numbers: Vec<i16> =
        pairs.map(|(low, high)| unzigzag(u16::from_le_bytes([*low, *high]))).collect();
    Ok(Parameters::from_numbers(&numbers))
}

fn header() -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend(FINGERPRINT.to_le_bytes());
    for number in [WIDTH, HIDDEN, STAGES, FOLDING.len()] {
        bytes.extend((number as u32).to_le_bytes());
    }
    bytes
}

/// What follows the header.
fn check_header(bytes: &[u8]) -> Result<&[u8], String> {
    let fields = [
        (8, "not a file of weights"),
        (4, "weights in another version of the format"),
        (8, "weights for other patterns"),
        (4, "weights with rows of another length"),
        (4, "weights with another number of hidden numbers"),
        (4, "weights with another number of stages"),
        (4, "weights with another number of rows"),
    ];
    let expected = header();
    let mut start = 0;
    for (length, message) in fields {
        let end = start + length;
        let Some(field) = bytes.get(start..end) else {
            return Err("not a file of weights: too short".to_string());
        };
        if Some(field) != expected.get(start..end) {
            return Err(message.to_string());
        }
        start = end;
    }
    Ok(bytes.get(start..).unwrap_or_default())
}

fn zigzag(value: i16) -> u16 {
    ((value << 1) ^ (value >> 15)) as u16
}

fn unzigzag(value: u16) -> i16 {
    (value >> 1) as i16 ^ -((value & 1) as i16)
}

fn compress(planes: &[u8], bytes: &mut Vec<u8>) -> io::Result<()> {
    let mut encoder = ZlibEncoder::new(bytes, Compression::best());
    encoder.write_all(planes)?;
    encoder.finish().map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    fn some_weights() -> Parameters {
        let mut random = Random(5);
        let numbers: Vec<i16> = (0..Parameters::count())
            .map(|i| if i % 3 == 0 { random.next() as i16 } else { 0 })
            .collect();
        Parameters::from_numbers(&numbers)
    }

    #[test]
    fn weights_come_back_as_they_went() {
        let weights = some_weights();
        assert!(decode(&encode(&weights).unwrap()).unwrap() == weights);
        for value in [0, 1, -1, i16::MAX, i16::MIN] {
            assert_eq!(unzigzag(zigzag(value)), value);
        }
    }

    #[test]
    fn every_field_of_the_header_is_checked() {
        let good = encode(&some_weights()).unwrap();
        for (place, message) in [
            (0, "not a file of weights"),
            (8, "another version"),
            (12, "other patterns"),
            (20, "rows of another length"),
            (24, "number of hidden numbers"),
            (28, "number of stages"),
            (32, "number of rows"),
        ] {
            let mut bad = good.clone();
            bad[place] ^= 1;
            let error = decode(&bad).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }

    #[test]
    fn a_file_that_is_cut_short_or_goes_on_is_refused() {
        let good = encode(&some_weights()).unwrap();
        for length in [0, 7, 8, 35, 36, 44, good.len() / 2, good.len() - 1] {
            assert!(decode(&good[..length]).is_err(), "{length} bytes");
        }
        let mut longer = good.clone();
        longer.push(0);
        assert!(decode(&longer).is_err());
    }

    #[test]
    fn a_changed_byte_anywhere_is_noticed() {
        let good = encode(&some_weights()).unwrap();
        for place in (0..good.len()).step_by(good.len() / 20) {
            let mut bad = good.clone();
            bad[place] ^= 0x10;
            assert!(decode(&bad).is_err(), "byte {place}");
        }
    }
}
