//! Uploads: bytes of the host are copied to the GPU's memory on a stream of their own, from page-locked memory. So the next batch of a training is on its
//! way while the GPU works on the step before; memory that isn't page-locked would be copied behind that step. Work that is queued behind an upload waits
//! for it by an event.

use std::ptr::null_mut;
use std::sync::{Mutex, PoisonError};

use cust::stream::{Stream, StreamFlags};
use cust::sys;

use super::error::{Call, Failed, check};

/// Fewer bytes are copied by the driver itself when it is asked, among the other work.
const LEAST: usize = 256;
/// The smallest piece of page-locked memory.
const LEAST_PIECE: usize = 64 << 10;
/// The most page-locked memory that is kept. Larger arrays are copied among the other work.
const MOST: usize = 64 << 20;

/// The uploads to a GPU.
pub struct Uploads {
    stream: Stream,
    pieces: Mutex<Vec<Piece>>,
}

/// A piece of page-locked memory.
struct Piece {
    at: *mut u8,
    bytes: usize,
    /// Happens when the last copy from the piece is done.
    copied: sys::CUevent,
}

// SAFETY: the memory belongs to no thread, and the driver's handles may be used from any thread in which their context is current.
unsafe impl Send for Piece {}

impl Uploads {
    /// Uploads to the GPU whose context is current.
    ///
    /// # Errors
    /// If the driver refuses.
    pub fn new() -> Result<Uploads, Failed> {
        Ok(Uploads {
            stream: Stream::new(StreamFlags::DEFAULT, None).call("cuStreamCreate")?,
            pieces: Mutex::default(),
        })
    }

    /// Queues a copy of bytes to new memory, for which the work waits that is queued in `user` from now on. Returns the address; `None` if the bytes are
    /// few or too many, or if there is no page-locked memory for them. The context is current.
    ///
    /// # Errors
    /// If the GPU has too little memory.
    pub fn upload(&self, bytes: &[u8], user: &Stream) -> Result<Option<u64>, Failed> {
        if !(LEAST..=MOST).contains(&bytes.len()) {
            return Ok(None);
        }
        let mut pieces = self.pieces.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(number) = free_piece(&mut pieces, bytes.len())? else {
            return Ok(None);
        };
        let (piece, stream) = (&pieces[number], self.stream.as_inner());
        let mut address = 0;
        // SAFETY: the piece is large enough, and no copy from it is queued any more. The address is an output. Memory of this stream is none that the
        // other stream still uses.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), piece.at, bytes.len());
            let code = sys::cuMemAllocAsync(&mut address, bytes.len(), stream);
            check("cuMemAllocAsync", code)?;
            let code = sys::cuMemcpyHtoDAsync_v2(address, piece.at.cast(), bytes.len(), stream);
            check("cuMemcpyHtoDAsync", code)?;
        }
        // SAFETY: the handles are live.
        unsafe {
            check("cuEventRecord", sys::cuEventRecord(piece.copied, stream))?;
            let code = sys::cuStreamWaitEvent(user.as_inner(), piece.copied, 0);
            check("cuStreamWaitEvent", code)?;
        }
        Ok(Some(address))
    }
}

/// The number of a piece from which no copy is queued any more. If there is none, it is a new one, or, if there are many, the first one that is free again.
fn free_piece(pieces: &mut Vec<Piece>, bytes: usize) -> Result<Option<usize>, Failed> {
    let mut best: Option<usize> = None;
    for (i, piece) in pieces.iter().enumerate() {
        let is_better = best.is_none_or(|best: usize| piece.bytes < pieces[best].bytes);
        if piece.bytes >= bytes && is_better && piece.is_free()? {
            best = Some(i);
        }
    }
    if best.is_some() {
        return Ok(best);
    }
    let size = bytes.next_power_of_two().max(LEAST_PIECE);
    let all = |pieces: &[Piece]| pieces.iter().map(|piece| piece.bytes).sum::<usize>();
    if all(pieces) + size > MOST
        && let Some(large) = pieces.iter().position(|piece| piece.bytes >= bytes)
    {
        pieces[large].wait()?;
        return Ok(Some(large));
    }
    while all(pieces) + size > MOST {
        let first = pieces.remove(0);
        first.wait()?;
    }
    let Ok(piece) = Piece::new(size) else {
        return Ok(None);
    };
    pieces.push(piece);
    Ok(Some(pieces.len() - 1))
}

impl Piece {
    fn new(bytes: usize) -> Result<Piece, Failed> {
        let mut piece = Piece {
            at: null_mut(),
            bytes,
            copied: null_mut(),
        };
        let mut at = null_mut();
        let without_timing = sys::CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as u32;
        // SAFETY: the handle and the address are outputs.
        unsafe {
            let code = sys::cuEventCreate(&mut piece.copied, without_timing);
            check("cuEventCreate", code)?;
            let code = sys::cuMemAllocHost_v2(&mut at, bytes);
            check("cuMemAllocHost", code)?;
        }
        piece.at = at.cast();
        Ok(piece)
    }

    fn is_free(&self) -> Result<bool, Failed> {
        // SAFETY: the handle is live.
        match unsafe { sys::cuEventQuery(self.copied) } {
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            code => check("cuEventQuery", code).map(|()| true),
        }
    }

    fn wait(&self) -> Result<(), Failed> {
        // SAFETY: the handle is live.
        let code = unsafe { sys::cuEventSynchronize(self.copied) };
        check("cuEventSynchronize", code)
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // SAFETY: the handle and the address came from the driver, or are null; whoever drops the piece has waited for the copies from it. A failure leaves
        // the memory to the process's end.
        unsafe {
            if !self.copied.is_null() {
                let _ = sys::cuEventDestroy_v2(self.copied);
            }
            if !self.at.is_null() {
                let _ = sys::cuMemFreeHost(self.at.cast());
            }
        }
    }
}
