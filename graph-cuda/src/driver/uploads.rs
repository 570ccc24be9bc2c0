//! Uploads: bytes of the host are copied to the GPU's memory on a stream of their own, from page-locked memory. So the next batch of a training is on its
//! way while the GPU works on the step before; memory that isn't page-locked would be copied behind that step. Work that uses the bytes waits for them by
//! an event.

use std::ptr::null_mut;
use std::sync::{Arc, Mutex, PoisonError};

use cust::stream::{Stream, StreamFlags};
use cust::sys;

use super::error::{Call, Failed, check};
use super::gpu::Gpu;

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
    copied: Arc<Copied>,
}

// SAFETY: the memory belongs to no thread.
unsafe impl Send for Piece {}

/// An event: copies are done.
struct Copied(sys::CUevent);

// SAFETY: the driver's handles may be used from any thread in which their context is current.
unsafe impl Send for Copied {}
// SAFETY: as above.
unsafe impl Sync for Copied {}

/// Bytes that are on their way. When this is dropped, the work that is queued from then on waits for them.
pub struct Arrival {
    gpu: &'static Gpu,
    copied: Arc<Copied>,
}

impl Drop for Arrival {
    fn drop(&mut self) {
        let joined = self.gpu.enter().and_then(|open| {
            // SAFETY: both handles are live. If other bytes have taken the same way meanwhile, those are waited for, too.
            let code = unsafe { sys::cuStreamWaitEvent(open.main_stream(), self.copied.0, 0) };
            check("cuStreamWaitEvent", code)
        });
        if joined.is_err() {
            // Whatever is the matter with the GPU, nothing reads the bytes before they are there.
            let _ = self.copied.wait();
        }
    }
}

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

    /// Queues a copy of bytes to new memory. Returns its address; `None` if the bytes are few or too many, or if there is no page-locked memory for
    /// them. The GPU's context is current.
    ///
    /// # Errors
    /// If the GPU has too little memory.
    pub fn upload(
        &self,
        gpu: &'static Gpu,
        bytes: &[u8],
    ) -> Result<Option<(u64, Arrival)>, Failed> {
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
            check("cuEventRecord", sys::cuEventRecord(piece.copied.0, stream))?;
        }
        let copied = piece.copied.clone();
        Ok(Some((address, Arrival { gpu, copied })))
    }
}

/// The number of a piece from which no copy is queued any more. If there is none, it is a new one, or, if there are many, the first one that is free again.
fn free_piece(pieces: &mut Vec<Piece>, bytes: usize) -> Result<Option<usize>, Failed> {
    let mut best: Option<usize> = None;
    for (i, piece) in pieces.iter().enumerate() {
        let is_better = best.is_none_or(|best: usize| piece.bytes < pieces[best].bytes);
        if piece.bytes >= bytes && is_better && piece.copied.is_done()? {
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
        pieces[large].copied.wait()?;
        return Ok(Some(large));
    }
    while all(pieces) + size > MOST {
        let first = pieces.remove(0);
        first.copied.wait()?;
    }
    let Ok(piece) = Piece::new(size) else {
        return Ok(None);
    };
    pieces.push(piece);
    Ok(Some(pieces.len() - 1))
}

impl Piece {
    fn new(bytes: usize) -> Result<Piece, Failed> {
        let mut copied = Copied(null_mut());
        let mut at = null_mut();
        let without_timing = sys::CUevent_flags_enum::CU_EVENT_DISABLE_TIMING as u32;
        // SAFETY: the handle and the address are outputs.
        unsafe {
            let code = sys::cuEventCreate(&mut copied.0, without_timing);
            check("cuEventCreate", code)?;
            let code = sys::cuMemAllocHost_v2(&mut at, bytes);
            check("cuMemAllocHost", code)?;
        }
        Ok(Piece {
            at: at.cast(),
            bytes,
            copied: Arc::new(copied),
        })
    }
}

impl Drop for Piece {
    fn drop(&mut self) {
        // SAFETY: the address came from the driver, and is freed once; whoever drops the piece has waited for the copies from it. A failure leaves the
        // memory to the process's end.
        let _ = unsafe { sys::cuMemFreeHost(self.at.cast()) };
    }
}

impl Copied {
    /// Whether it has happened, or never had to.
    fn is_done(&self) -> Result<bool, Failed> {
        // SAFETY: the handle is live.
        match unsafe { sys::cuEventQuery(self.0) } {
            sys::CUresult::CUDA_ERROR_NOT_READY => Ok(false),
            code => check("cuEventQuery", code).map(|()| true),
        }
    }

    fn wait(&self) -> Result<(), Failed> {
        // SAFETY: the handle is live.
        let code = unsafe { sys::cuEventSynchronize(self.0) };
        check("cuEventSynchronize", code)
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        if !self.0.is_null() {
            // SAFETY: the handle came from the driver, and is destroyed once. What waits for the event still does.
            let _ = unsafe { sys::cuEventDestroy_v2(self.0) };
        }
    }
}
