//! What others see of a run: prints, summaries and assertions. A run that is recorded has no effect before its launch has succeeded. So prints and
//! summaries wait until then, and an assertion is a kernel that reports a fault.

use std::sync::Arc;

use graph_ir::device::Host;
use graph_ir::error::Error;
use graph_ir::graph::Message;
use graph_ir::plan::{Instruction, Plan, Source};
use graph_kernels::Array;

use super::run::{Problem, Run};
use crate::value::Tensor;

/// An instruction that tells the host something, and the values that it tells.
pub struct Told {
    /// The position of the instruction.
    pub at: usize,
    /// Its operands.
    pub values: Vec<Tensor>,
}

impl Told {
    /// Tells the host; waits for the values.
    ///
    /// # Errors
    /// If the host fails to write them.
    pub fn tell(&self, plan: &Plan, host: &mut dyn Host) -> Result<(), Error> {
        let arrays: Result<Vec<Arc<Array>>, Error> =
            self.values.iter().map(|x| x.fetch()).collect();
        let arrays = arrays?;
        let problem = match (&plan.instructions[self.at], &arrays[..]) {
            (Instruction::Print { print, .. }, arrays) => {
                let text = print.message.fill(arrays.iter().map(|array| &**array)) + &print.end;
                let printed = host.print(&text, &print.to);
                printed.map_err(|error| format!("can't print to {}: {error}", print.to))
            }
            (Instruction::Summary { summary, .. }, [value, step]) => {
                let written = match step.values::<i64>() {
                    Some([step]) => host.write_summary(summary, value, *step),
                    _ => {
                        return Err(
                            self.error(plan, "a step of a summary isn't a number".to_owned())
                        );
                    }
                };
                written.map_err(|error| summary.failed(&error))
            }
            _ => Err("an instruction tells the host nothing".to_owned()),
        };
        problem.map_err(|message| self.error(plan, message))
    }

    fn error(&self, plan: &Plan, message: String) -> Error {
        Error::run(message, plan.locations[self.at].clone())
    }
}

impl Run<'_> {
    /// Tells the host the values of the present instruction, now or after the launch.
    pub(super) fn tell(&mut self, operands: &[Source]) -> Result<(), Problem> {
        self.settle()?;
        let (plan, at) = (self.plan(), self.at());
        let is_summary = matches!(plan.instructions[at], Instruction::Summary { .. });
        if is_summary && !self.host.writes_summaries() {
            return Ok(());
        }
        let values = self.values(operands)?;
        let told = Told { at, values };
        match &mut self.kept {
            Some(_) if self.undecided > 0 => {
                let message = "a print or a summary in a loop or branch that only the GPU decides";
                Err(message.to_owned().into())
            }
            Some(kept) => {
                kept.told.push(told);
                Ok(())
            }
            None => told.tell(plan, self.host).map_err(Problem::Error),
        }
    }

    /// Fails if a condition is false, now or after the launch.
    pub(super) fn assert(
        &mut self,
        condition: Source,
        message: &Message,
        inputs: &[Source],
    ) -> Result<(), Problem> {
        let holds = self.value(condition)?;
        if self.kept.is_some() && holds.known().is_none() {
            return Ok(self.kernels.assert(holds.buffer()?)?);
        }
        self.settle()?;
        if self.scalar::<bool>(condition)? {
            return Ok(());
        }
        let values = self.values(inputs)?;
        let arrays: Result<Vec<Arc<Array>>, Error> = values.iter().map(|x| x.fetch()).collect();
        let arrays = arrays.map_err(Problem::Error)?;
        Err(message.fill(arrays.iter().map(|array| &**array)).into())
    }
}
