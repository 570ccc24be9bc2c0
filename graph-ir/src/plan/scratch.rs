//! The frames that a device keeps between runs of a plan, with their buffers. The frames are owned by the plan, perhaps together with plans
//! of the same graph for other sizes, and are freed with it. The type of the frames is known to the device only.

use std::any::Any;
use std::fmt;

use crate::sync::Mutex;

/// How many frames are kept at most: as many as there are likely to be simultaneous runs of one plan.
const MAX_KEPT: usize = 16;

/// Frames of any device. A run takes a frame and gives it back afterwards. This never blocks: if another thread holds the lock
/// at that moment, the caller makes a new frame.
#[derive(Default)]
pub struct Scratch(Mutex<Vec<Box<dyn Any + Send>>>);

impl Scratch {
    /// A frame of this type, if one is available.
    pub fn take<F: Any + Send>(&self) -> Option<Box<F>> {
        let mut frames = self.0.try_lock().ok()?;
        let last = frames.iter().rposition(|f| f.is::<F>())?;
        frames.swap_remove(last).downcast().ok()
    }

    /// Drops all frames.
    pub fn clear(&self) {
        if let Ok(mut frames) = self.0.try_lock() {
            frames.clear();
        }
    }

    /// Returns a frame after a run.
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
