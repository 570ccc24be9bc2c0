//! What a device keeps between runs of a plan: its frames with their buffers. The plan owns them, alone or with plans of the same
//! graph for other sizes, so they go with it, and doesn't know what they are.

use std::any::Any;
use std::fmt;

use crate::sync::Mutex;

/// How many frames are kept: as many as runs of one plan are likely to overlap.
const MAX_KEPT: usize = 16;

/// Frames of any device, taken for a run and given back after it. Never waits: if another thread is taking one in
/// the same moment, the caller makes a new frame.
#[derive(Default)]
pub struct Scratch(Mutex<Vec<Box<dyn Any + Send>>>);

impl Scratch {
    /// A frame of this type, if one is free.
    pub fn take<F: Any + Send>(&self) -> Option<Box<F>> {
        let mut frames = self.0.try_lock().ok()?;
        let last = frames.iter().rposition(|f| f.is::<F>())?;
        frames.swap_remove(last).downcast().ok()
    }

    /// Lets go of what is kept.
    pub fn clear(&self) {
        if let Ok(mut frames) = self.0.try_lock() {
            frames.clear();
        }
    }

    /// Gives a frame back.
    pub fn give<F: Any + Send>(&self, frame: Box<F>) {
        if let Ok(mut frames) = self.0.try_lock()
            && frames.len() < MAX_KEPT
        {
            frames.push(frame);
        }
    }
}

impl fmt::Debug for Scratch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Scratch")
    }
}
