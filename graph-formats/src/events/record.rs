//! The frames of a file of events, which are those of TensorFlow's record files: the length of a payload, a checksum of the length, the
//! payload, a checksum of the payload. Numbers are little-endian.

use std::io::{self, Write};

/// CRC-32C (Castagnoli), bit by bit for each byte, for the table.
const fn crc_table() -> [u32; 256] {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 256 {
        let mut crc = i as u32;
        let mut bit = 0;
        while bit < 8 {
            crc = if crc & 1 == 1 {
                (crc >> 1) ^ 0x82f6_3b78
            } else {
                crc >> 1
            };
            bit += 1;
        }
        table[i] = crc;
        i += 1;
    }
    table
}

const TABLE: [u32; 256] = crc_table();

fn crc32c(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc: u32, byte| {
        TABLE[((crc ^ u32::from(*byte)) & 0xff) as usize] ^ (crc >> 8)
    })
}

/// A checksum that stays useful when the data contains checksums itself.
fn masked(bytes: &[u8]) -> u32 {
    crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

/// Writes a payload in its frame.
///
/// # Errors
/// If the writer fails.
pub fn frame(payload: &[u8], to: &mut impl Write) -> io::Result<()> {
    let length = (payload.len() as u64).to_le_bytes();
    to.write_all(&length)?;
    to.write_all(&masked(&length).to_le_bytes())?;
    to.write_all(payload)?;
    to.write_all(&masked(payload).to_le_bytes())
}

/// Why a file isn't a list of records.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("at byte {at}: {problem}")]
pub struct BadRecord {
    /// Where the record begins.
    pub at: usize,
    problem: &'static str,
}

/// The payloads of a file, after a check of their checksums.
///
/// # Errors
/// If the file ends within a record, or a checksum is wrong.
pub fn records(file: &[u8]) -> Result<Vec<&[u8]>, BadRecord> {
    let mut found = Vec::new();
    let mut rest = file;
    while !rest.is_empty() {
        let at = file.len() - rest.len();
        let (payload, after) = record(rest).map_err(|problem| BadRecord { at, problem })?;
        found.push(payload);
        rest = after;
    }
    Ok(found)
}

/// The payload of the first record, and what follows it.
fn record(bytes: &[u8]) -> Result<(&[u8], &[u8]), &'static str> {
    const CUT: &str = "the file ends within a record";
    let (length, rest) = bytes.split_first_chunk::<8>().ok_or(CUT)?;
    let (check, rest) = rest.split_first_chunk::<4>().ok_or(CUT)?;
    if u32::from_le_bytes(*check) != masked(length) {
        return Err("the checksum of the length is wrong");
    }
    let length = usize::try_from(u64::from_le_bytes(*length)).map_err(|_| CUT)?;
    let (payload, rest) = rest.split_at_checked(length).ok_or(CUT)?;
    let (check, rest) = rest.split_first_chunk::<4>().ok_or(CUT)?;
    if u32::from_le_bytes(*check) != masked(payload) {
        return Err("the checksum of the payload is wrong");
    }
    Ok((payload, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checksums_are_those_of_the_standard() {
        // RFC 3720, B.4.
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
        assert_eq!(crc32c(&[0xff; 32]), 0x62a8_ab43);
        let up: Vec<u8> = (0..32).collect();
        assert_eq!(crc32c(&up), 0x46dd_794e);
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
    }

    #[test]
    fn a_frame_is_what_tensorflow_writes() {
        let mut file = Vec::new();
        frame(b"abc", &mut file).unwrap();
        frame(b"", &mut file).unwrap();
        assert_eq!(file.len(), 16 + 3 + 16);
        assert_eq!(file[..8], 3u64.to_le_bytes());
        assert_eq!(records(&file).unwrap(), [&b"abc"[..], b""]);
    }

    #[test]
    fn damage_is_found_with_its_place() {
        let mut file = Vec::new();
        frame(b"abc", &mut file).unwrap();
        frame(b"de", &mut file).unwrap();
        for end in 1..file.len() {
            let read = records(&file[..end]);
            assert_eq!(read.is_ok(), end == 19, "{end}");
            assert!(read.is_ok() || read.unwrap_err().at == if end < 19 { 0 } else { 19 });
        }
        for at in 0..file.len() {
            let mut damaged = file.clone();
            damaged[at] ^= 0x40;
            assert_eq!(
                records(&damaged).unwrap_err().at,
                if at < 19 { 0 } else { 19 },
                "{at}"
            );
        }
    }
}
