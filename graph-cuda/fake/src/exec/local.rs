//! Local memory of one thread: arrays of its own, in the calls of its functions.

use super::fault::Fault;
use super::memory::aligned;

#[derive(Debug, Default)]
pub(crate) struct Local {
    bytes: Vec<u8>,
    /// Which bytes were written.
    written: Vec<bool>,
}

impl Local {
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Makes it longer or shorter. New bytes count as never written.
    pub(crate) fn resize(&mut self, bytes: usize) {
        self.bytes.resize(bytes, 0xFF);
        self.written.resize(bytes, false);
    }

    pub(crate) fn read(&self, at: u64, bytes: usize) -> Result<&[u8], Fault> {
        let range = self.range(at, bytes)?;
        if self.written[range.clone()].contains(&false) {
            return Err(Fault::failed(format!(
                "local memory at {at:#x} is read before it is written"
            )));
        }
        Ok(&self.bytes[range])
    }

    pub(crate) fn write(&mut self, at: u64, bytes: usize) -> Result<&mut [u8], Fault> {
        let range = self.range(at, bytes)?;
        self.written[range.clone()].fill(true);
        Ok(&mut self.bytes[range])
    }

    fn range(&self, at: u64, bytes: usize) -> Result<std::ops::Range<usize>, Fault> {
        aligned(at, bytes)?;
        let end = at
            .checked_add(bytes as u64)
            .filter(|&e| e <= self.bytes.len() as u64);
        match end {
            Some(end) => Ok(at as usize..end as usize),
            None => Err(Fault::illegal(
                at,
                bytes,
                &format!("the thread has {} bytes of local memory", self.bytes.len()),
            )),
        }
    }
}
