//! Marks in the GPU's queue of work, for which the host can wait without waiting for the work behind them.

use cust::event::{Event, EventFlags, EventStatus};

use super::error::{Call, Failed};
use super::gpu::Gpu;

/// A mark that is set again and again.
pub struct Mark {
    gpu: &'static Gpu,
    event: Event,
}

// SAFETY: the driver's handles may be used from any thread in which their context is current, and each method makes it current.
unsafe impl Send for Mark {}
// SAFETY: as above.
unsafe impl Sync for Mark {}

impl Mark {
    /// A mark that isn't set yet.
    ///
    /// # Errors
    /// If the driver refuses.
    pub fn new(gpu: &'static Gpu) -> Result<Mark, Failed> {
        gpu.enter()?;
        let event = Event::new(EventFlags::DISABLE_TIMING).call("cuEventCreate")?;
        Ok(Mark { gpu, event })
    }

    /// Sets the mark behind all work that was queued.
    ///
    /// # Errors
    /// If the driver refuses.
    pub fn set(&self) -> Result<(), Failed> {
        let recorded = self.event.record(self.gpu.enter()?.queue());
        recorded.call("cuEventRecord")
    }

    /// Waits for the work before the mark.
    ///
    /// # Errors
    /// If some of it failed.
    pub fn wait(&self) -> Result<(), Failed> {
        self.gpu.enter()?;
        match self.event.query().call("cuEventQuery")? {
            EventStatus::Ready => Ok(()),
            EventStatus::NotReady => self.event.synchronize().call("cuEventSynchronize"),
        }
    }
}
