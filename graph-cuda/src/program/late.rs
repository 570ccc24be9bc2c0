//! Launches of a recorded run that wait until somebody needs what they write.

use std::sync::Arc;

use super::run::{Computation, Problem, Results, Run};
use crate::driver::Buffer;
use crate::value::Tensor;

impl<'a> Run<'a> {
    /// Queues the launches that wait.
    pub(super) fn queue_waiting(&mut self) -> Result<(), Problem> {
        Ok(self.waiting.queue(self.kernels)?)
    }

    /// Queues a computation of a run that is recorded; a small launch waits until somebody needs the value.
    pub(super) fn queue_late(
        &mut self,
        computation: Computation<'a>,
        operands: &[Tensor],
    ) -> Result<Results, Problem> {
        let memory = |values: &[Tensor]| -> Vec<Arc<Buffer>> {
            let buffers = values.iter().filter_map(|value| value.in_memory());
            buffers.cloned().collect()
        };
        let kernels = self.kernels;
        let (waiting, reads) = (&mut self.waiting, memory(operands));
        let work = || computation.queue(kernels, operands);
        let (values, caught) = kernels.catching(waiting, &reads, work);
        let values = values?;
        if let Some(late) = caught {
            // A small operand may have been uploaded meanwhile.
            waiting.add(kernels, late, memory(operands), memory(&values))?;
        }
        Ok(values)
    }
}
