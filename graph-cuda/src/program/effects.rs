//! What others see of a run: prints, summaries, assertions, and seeds that are drawn. A run that is recorded has no effect before its launch has
//! succeeded. So prints and summaries wait until then, and an assertion is a kernel that reports a fault. In loops and branches that only the GPU
//! decides, it writes what they print in a [`journal`](super::journal), and draws their seeds.

use std::ops::Range;
use std::sync::Arc;

use graph_ir::device::Host;
use graph_ir::error::Error;
use graph_ir::graph::Message;
use graph_ir::plan::{Instruction, Plan, Slot, Source};
use graph_kernels::{Array, DType};

use super::journal::Journal;
use super::run::{Problem, Run};
use crate::driver::{Buffer, Fault};
use crate::value::{Tensor, Value};

/// What the host does after a launch.
pub enum Tells {
    /// What an instruction tells.
    Told(Told),
    /// The entries of the journal that belong to these prints. They are those of one loop or branch, in the order in which they were written.
    Entries(Range<usize>),
}

/// An instruction that tells the host something, and the values that it tells.
pub struct Told {
    /// The position of the instruction.
    pub at: usize,
    /// Its operands.
    pub values: Vec<Seen>,
}

/// A value that the host is told.
pub enum Seen {
    /// It is fetched when it is needed.
    Later(Tensor),
    /// It was fetched.
    Now(Arc<Array>),
}

impl Told {
    /// Tells the host; waits for the values.
    ///
    /// # Errors
    /// If the host fails to write them.
    pub fn tell(&self, plan: &Plan, host: &mut dyn Host) -> Result<(), Error> {
        let array = |value: &Seen| match value {
            Seen::Later(value) => value.fetch(),
            Seen::Now(array) => Ok(array.clone()),
        };
        let arrays: Vec<Arc<Array>> = self.values.iter().map(array).collect::<Result<_, _>>()?;
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
    /// The journal, in a run that is recorded.
    pub(super) fn journal(&self) -> Option<&Journal> {
        self.kept.as_ref()?.journal.as_ref()
    }

    /// Tells the host the values of the present instruction, now or after the launch.
    pub(super) fn tell(&mut self, operands: &[Source]) -> Result<(), Problem> {
        self.settle()?;
        let (plan, at) = (self.plan(), self.at());
        let is_summary = matches!(plan.instructions[at], Instruction::Summary { .. });
        if is_summary && !self.host.writes_summaries() {
            return Ok(());
        }
        let (kernels, undecided) = (self.kernels, self.undecided > 0);
        let values = self.values(operands)?;
        let Some(kept) = &mut self.kept else {
            let values = values.into_iter().map(Seen::Later).collect();
            let told = Told { at, values };
            return told.tell(plan, self.host).map_err(Problem::Error);
        };
        let values = match &mut kept.journal {
            Some(journal) if undecided => return journal.enter(kernels, at, &values),
            // A later iteration writes over the values. What a rehearsal learns of them isn't known when the work is recorded.
            _ if undecided => {
                let now = |value: &Tensor| match value.known() {
                    Some(array) => Ok(Seen::Now(array.clone())),
                    None => value.on_gpu_only()?.fetch_now().map(Seen::Now),
                };
                let values = values.iter().map(now).collect::<Result<_, _>>();
                values.map_err(Problem::Error)?
            }
            _ => values.into_iter().map(Seen::Later).collect(),
        };
        kept.told.push(Tells::Told(Told { at, values }));
        Ok(())
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
        if self.undecided > 0 {
            // The error is that of a branch, and whether the branch is chosen is known after the launch.
            match self.rehearses() {
                true => Fault::of_thread(self.kernels.gpu())?.set(),
                false => self.kernels.fail()?,
            }
            return Ok(());
        }
        let values = self.values(inputs)?;
        let arrays: Result<Vec<Arc<Array>>, Error> = values.iter().map(|x| x.fetch()).collect();
        let arrays = arrays.map_err(Problem::Error)?;
        Err(message.fill(arrays.iter().map(|array| &**array)).into())
    }

    /// Draws a seed: the host does, now or before the launch, or the GPU.
    pub(super) fn next_seed(&mut self, stream: Option<i64>, output: Slot) -> Result<(), Problem> {
        self.settle()?;
        let (kernels, undecided) = (self.kernels, self.undecided > 0);
        let Some(kept) = &mut self.kept else {
            let seed = self.host.next_seed(stream);
            return self.set_array(output, Array::new(&[2], seed.to_vec()));
        };
        if undecided && self.host.coming_seed(stream).is_none() {
            return Err("a seed that only the host can draw, in a loop or branch"
                .to_owned()
                .into());
        }
        let bytes = size_of::<[i64; 2]>();
        let room = match &mut kept.journal {
            // The host draws its seeds before the launch, so whatever follows a draw of the GPU is one, too.
            Some(journal) if undecided || journal.draws_from(stream) => {
                let room = Arc::new(Buffer::new(kernels.gpu(), bytes)?);
                journal.draw(kernels, stream, &room)?;
                room
            }
            _ => {
                let room = Arc::new(Buffer::for_host(kernels.gpu(), bytes)?);
                if kept.rehearses {
                    let seed = self.host.next_seed(stream);
                    let array = Array::new(&[2], seed.to_vec());
                    room.write(array.bytes().unwrap_or_default())?;
                } else {
                    let seed = Value::computed(DType::I64, &[2], room.clone());
                    kept.seeds.push((stream, seed));
                }
                room
            }
        };
        self.set(output, Value::computed(DType::I64, &[2], room));
        Ok(())
    }
}
