//! Tables of keys and values in the format of LevelDB, which the index of a checkpoint is: blocks of sorted entries, an index of blocks, and a
//! footer. Blocks aren't compressed.

use std::collections::BTreeMap;

use super::varint;
use crate::checksum::Checksum;
use crate::tensorflow::error::{Error, Result};

/// The last bytes of a table.
const MAGIC: u64 = 0xdb47_7524_8b80_fb57;
/// The length of the footer: two handles, filled up to 40 bytes, and the magic number.
const FOOTER: usize = 48;
/// After each block: the kind of compression and a checksum.
const TRAILER: usize = 5;
/// One of this many entries has its key in full.
const RESTART_INTERVAL: usize = 16;
/// A block ends after an entry that makes it longer than this.
const BLOCK_SIZE: usize = 4096;

/// A sorted list of entries.
pub(super) type Entries = BTreeMap<Vec<u8>, Vec<u8>>;

/// The block that is being written.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    restarts: Vec<u32>,
    count: usize,
    last: Vec<u8>,
}

impl Block {
    fn add(&mut self, key: &[u8], value: &[u8], interval: usize) {
        let shared = match self.count % interval {
            0 => {
                self.restarts.push(self.bytes.len() as u32);
                0
            }
            _ => key
                .iter()
                .zip(&self.last)
                .take_while(|(a, b)| a == b)
                .count(),
        };
        for n in [shared, key.len() - shared, value.len()] {
            varint::write(&mut self.bytes, n as u64);
        }
        self.bytes.extend_from_slice(&key[shared..]);
        self.bytes.extend_from_slice(value);
        self.last = key.to_vec();
        self.count += 1;
    }

    /// Appends the block to the table, and returns its handle.
    fn finish(mut self, table: &mut Vec<u8>) -> Handle {
        if self.restarts.is_empty() {
            self.restarts.push(0);
        }
        for restart in &self.restarts {
            self.bytes.extend_from_slice(&restart.to_le_bytes());
        }
        let count = self.restarts.len() as u32;
        self.bytes.extend_from_slice(&count.to_le_bytes());
        let handle = Handle {
            offset: table.len() as u64,
            size: self.bytes.len() as u64,
        };
        self.bytes.push(0);
        let checksum = Checksum::new().with(&self.bytes).masked();
        table.append(&mut self.bytes);
        table.extend_from_slice(&checksum.to_le_bytes());
        handle
    }
}

/// Where a block is.
struct Handle {
    offset: u64,
    size: u64,
}

impl Handle {
    fn write(&self, to: &mut Vec<u8>) {
        varint::write(to, self.offset);
        varint::write(to, self.size);
    }

    fn read(bytes: &mut &[u8]) -> Option<Handle> {
        Some(Handle {
            offset: varint::read(bytes)?,
            size: varint::read(bytes)?,
        })
    }
}

/// The bytes of a table.
pub(super) fn write(entries: &Entries) -> Vec<u8> {
    let (mut table, mut index, mut block) = (Vec::new(), Block::default(), Block::default());
    let mut end = |block: Block, table: &mut Vec<u8>| {
        let (last, mut handle) = (block.last.clone(), Vec::new());
        block.finish(table).write(&mut handle);
        index.add(&last, &handle, 1);
    };
    for (key, value) in entries {
        block.add(key, value, RESTART_INTERVAL);
        if block.bytes.len() > BLOCK_SIZE {
            end(std::mem::take(&mut block), &mut table);
        }
    }
    if block.count > 0 {
        end(block, &mut table);
    }
    let meta = Block::default().finish(&mut table);
    let index = index.finish(&mut table);
    let mut footer = Vec::new();
    meta.write(&mut footer);
    index.write(&mut footer);
    footer.resize(FOOTER - size_of::<u64>(), 0);
    footer.extend_from_slice(&MAGIC.to_le_bytes());
    table.append(&mut footer);
    table
}

/// The entries of a table.
pub(super) fn read(table: &[u8]) -> Result<Entries> {
    let cut = || Error::invalid("the table is shorter than its footer");
    let footer = table
        .len()
        .checked_sub(FOOTER)
        .and_then(|at| table.get(at..))
        .ok_or_else(cut)?;
    let (mut handles, magic) = footer.split_last_chunk::<8>().ok_or_else(cut)?;
    if u64::from_le_bytes(*magic) != MAGIC {
        return Err(Error::invalid(
            "the file isn't a table: it ends with a wrong magic number",
        ));
    }
    let no_handle = || Error::invalid("the footer of the table has no handles");
    let meta = Handle::read(&mut handles).ok_or_else(no_handle)?;
    let index = Handle::read(&mut handles).ok_or_else(no_handle)?;
    // A checkpoint has nothing there, but a changed byte shows.
    block(table, &meta)?;
    let mut entries = Entries::new();
    // Each block may be named once, so that the entries take no more memory than the file.
    let mut total = 0u64;
    for (_, handle) in entries_of(block(table, &index)?, index.offset)? {
        let handle = Handle::read(&mut handle.as_slice())
            .ok_or_else(|| Error::invalid("the index of the table has no handle"))?;
        total = total.saturating_add(handle.size);
        if total > table.len() as u64 {
            return Err(Error::invalid("the blocks of the table overlap"));
        }
        entries.extend(entries_of(block(table, &handle)?, handle.offset)?);
    }
    Ok(entries)
}

/// The content of a block, after a check.
fn block<'t>(table: &'t [u8], handle: &Handle) -> Result<&'t [u8]> {
    let offset = handle.offset;
    let outside = || Error::invalid(format!("the block at byte {offset} ends after the file"));
    let start = usize::try_from(offset).ok();
    let size = usize::try_from(handle.size).ok();
    let rest = start
        .and_then(|start| table.get(start..))
        .ok_or_else(outside)?;
    let (content, trailer) = size
        .and_then(|size| rest.split_at_checked(size))
        .ok_or_else(outside)?;
    let trailer = trailer.first_chunk::<TRAILER>().ok_or_else(outside)?;
    let [kind, checksum @ ..] = *trailer;
    if Checksum::new().with(content).with(&[kind]).masked() != u32::from_le_bytes(checksum) {
        return Err(Error::invalid(format!(
            "the checksum of the block at byte {offset} is wrong"
        )));
    }
    match kind {
        0 => Ok(content),
        kind => Err(Error::unsupported(format!(
            "the block at byte {offset} is compressed (kind {kind})"
        ))),
    }
}

/// The entries of a block.
fn entries_of(block: &[u8], offset: u64) -> Result<Vec<(Vec<u8>, Vec<u8>)>> {
    let wrong = || {
        Error::invalid(format!(
            "the entries of the block at byte {offset} are wrong"
        ))
    };
    let (content, count) = block.split_last_chunk::<4>().ok_or_else(wrong)?;
    let restarts = (u32::from_le_bytes(*count) as usize).checked_mul(4);
    let end = restarts
        .and_then(|restarts| content.len().checked_sub(restarts))
        .ok_or_else(wrong)?;
    let mut rest = &content[..end];
    let (mut key, mut entries) = (Vec::new(), Vec::new());
    // Keys share their beginnings, so that a small block could stand for much larger keys.
    let mut room = MAX_KEYS.saturating_mul(block.len());
    while !rest.is_empty() {
        let mut length = || varint::read(&mut rest).and_then(|n| usize::try_from(n).ok());
        let (shared, own, size) = (length(), length(), length());
        let (Some(shared), Some(own), Some(size)) = (shared, own, size) else {
            return Err(wrong());
        };
        let (own, after) = rest.split_at_checked(own).ok_or_else(wrong)?;
        let (value, after) = after.split_at_checked(size).ok_or_else(wrong)?;
        if shared > key.len() {
            return Err(wrong());
        }
        key.truncate(shared);
        key.extend_from_slice(own);
        room = room.checked_sub(key.len()).ok_or_else(wrong)?;
        entries.push((key.clone(), value.to_vec()));
        rest = after;
    }
    Ok(entries)
}

/// How many times longer the keys of a block may be than the block.
const MAX_KEYS: usize = 64;
