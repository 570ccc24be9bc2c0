//! The frames of a file of events, which are those of TensorFlow's record files: the length of a payload, a checksum of the length, the
//! payload, a checksum of the payload. Numbers are little-endian.

use std::io::{self, Write};

use crate::checksum::masked;

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
