//! One run of a plan: the loop over its instructions, and the execution of each kind of instruction.

use std::sync::Arc;

use graph_kernels::{Array, Element, KernelError, List};
use smallvec::SmallVec;

use super::frame::{Cell, Frame, Values, host_array};
use super::kernel::{compute, compute_in_place};
use super::watch::{Done, Watch};
use crate::denormals::denormals_are_flushed;
use crate::device::{Host, Outputs, Storage};
use crate::error::{Error, Location};
use crate::graph::{Message, Print, Summary, TensorType};
use crate::ops::{Attrs, OpDef};
use crate::plan::{Fused, Instruction, Plan, Slot, Source, Words, around};

/// Why an instruction failed.
pub(super) enum Fault {
    /// The message of an error at the instruction's location.
    Message(String),
    /// An error with a location of its own, from inside the instruction.
    Error(Error),
}

impl Fault {
    /// The error, where the instruction is at this location.
    pub fn at(self, location: &Location) -> Error {
        match self {
            Fault::Message(message) => Error::run(message, location.clone()),
            Fault::Error(error) => error,
        }
    }
}

impl From<KernelError> for Fault {
    fn from(error: KernelError) -> Fault {
        Fault::Message(error.to_string())
    }
}

impl From<String> for Fault {
    fn from(message: String) -> Fault {
        Fault::Message(message)
    }
}

/// The state of a run.
pub(super) struct Run<'a, W: Watch> {
    pub(super) plan: &'a Plan,
    pub(super) inputs: &'a [&'a Storage],
    pub(super) frame: &'a mut Frame,
    pub(super) host: &'a mut dyn Host,
    watch: &'a mut W,
    pub(super) flush_denormals: bool,
    /// How many instructions of word programs have been counted.
    count: u64,
}

impl<'a, W: Watch> Run<'a, W> {
    pub fn new(
        plan: &'a Plan,
        inputs: &'a [&'a Storage],
        frame: &'a mut Frame,
        host: &'a mut dyn Host,
        watch: &'a mut W,
    ) -> Self {
        Run {
            plan,
            inputs,
            frame,
            host,
            watch,
            flush_denormals: denormals_are_flushed(),
            count: 0,
        }
    }

    /// Runs the plan and returns its outputs.
    pub fn run(mut self, outputs: &mut Outputs) -> Result<(), Error> {
        let plan = self.plan;
        let mut next = 0;
        while let Some(instruction) = plan.instructions.get(next) {
            self.watch.before(next);
            let counted = self.count;
            let done = self.step(instruction).and_then(|jump| {
                self.watched(next, counted)?;
                Ok(jump)
            });
            match done {
                Ok(None) => next += 1,
                Ok(Some(target)) => next = target as usize,
                Err(fault) => {
                    let around = around(&plan.scopes, next, &self.frame.turns);
                    return Err(fault.at(&plan.locations[next]).within(around));
                }
            }
        }
        outputs.extend(plan.outputs.iter().map(|source| self.share(*source).into()));
        Ok(())
    }

    /// Shows the watcher an instruction that has been executed.
    fn watched(&mut self, at: usize, counted: u64) -> Result<(), Fault> {
        let done = Done {
            at,
            instruction: &self.plan.instructions[at],
            location: &self.plan.locations[at],
            instructions: 1 + self.count - counted,
            values: Values::new(self.inputs, self.plan, &self.frame.cells),
            host: &*self.host,
        };
        self.watch.after(&done).map_err(Fault::Error)
    }

    /// Executes one instruction; returns the jump target, or `None` to continue at the next instruction.
    fn step(&mut self, instruction: &Instruction) -> Result<Option<u32>, Fault> {
        match instruction {
            Instruction::Kernel {
                op,
                attrs,
                inputs,
                output,
                in_place,
            } => {
                if *in_place {
                    self.update(op, attrs, inputs, *output)?;
                } else {
                    self.kernel(op, attrs, inputs, *output)?;
                }
            }
            Instruction::Fused {
                fused,
                inputs,
                output,
                ..
            } => self.fused(fused, inputs, *output)?,
            Instruction::Words(words) => return self.words(words),
            Instruction::Copy { to, from } => self.copy(*to, *from)?,
            Instruction::Swap(a, b) => self.frame.cells.swap(a.index(), b.index()),
            Instruction::Jump(target) => return Ok(Some(*target)),
            Instruction::Repeat {
                head,
                condition,
                number,
                inner,
            } => {
                if let Some(condition) = condition
                    && !self.scalar::<bool>(*condition)?
                {
                    return Ok(None);
                }
                let (number, inner) = (*number as usize, *inner as usize);
                self.frame.turns[number] += 1;
                self.frame.turns[inner..number].fill(0);
                return Ok(Some(self.again(*head, number)));
            }
            Instruction::JumpIfFalse { condition, target } => {
                let holds: bool = self.scalar(*condition)?;
                return Ok((!holds).then_some(*target));
            }
            Instruction::JumpTable { index, targets } => {
                let index: i32 = self.scalar(*index)?;
                let chosen = usize::try_from(index).ok().and_then(|i| targets.get(i));
                return Ok(chosen.or(targets.last()).copied());
            }
            Instruction::Print { print, inputs } => self.print(print, inputs)?,
            Instruction::Summary {
                summary,
                value,
                step,
            } => self.summary(summary, *value, *step)?,
            Instruction::NextSeed { stream, output } => {
                let seed = self.host.next_seed(*stream);
                let own = self.frame.cells[output.index()].own();
                own.reset_as(&[2])?.copy_from_slice(&seed);
            }
            Instruction::Begin {
                recipe,
                inputs,
                number,
                output,
            } => self.begin(recipe, inputs, *number, *output)?,
            Instruction::HasElement { iteration, output } => {
                self.has_element(*iteration, *output)?;
            }
            Instruction::TakeElement { iteration, outputs } => {
                self.take_element(*iteration, outputs)?;
            }
            Instruction::Read { variable, output } => self.read(*variable, *output)?,
            Instruction::Assign {
                variable,
                value,
                dies,
                released,
            } => self.assign(*variable, *value, *dies, released)?,
            Instruction::Update {
                variable,
                change,
                inputs,
                released,
            } => self.update_variable(*variable, change, inputs, released)?,
            Instruction::Updates(updates) => self.update_together(updates)?,
            Instruction::Assert {
                condition,
                message,
                inputs,
            } => {
                if !self.scalar::<bool>(*condition)? {
                    return Err(Fault::Message(self.fill(message, inputs)));
                }
            }
        }
        Ok(None)
    }

    pub(super) fn values(&self) -> Values<'_> {
        Values::new(self.inputs, self.plan, &self.frame.cells)
    }

    /// The values of all slots but one, and that slot.
    fn beside(&mut self, slot: Slot) -> (Values<'_>, &mut Cell) {
        Values::beside(self.inputs, self.plan, &mut self.frame.cells, slot)
    }

    pub(super) fn share(&mut self, source: Source) -> Arc<Array> {
        match source {
            Source::Input(i) => host_array(self.inputs[i as usize]).clone(),
            Source::Constant(i) => self.plan.constants[i as usize].clone(),
            Source::Computed(slot) => self.frame.cells[slot.index()].share(),
        }
    }

    fn kernel(
        &mut self,
        op: &OpDef,
        attrs: &Attrs,
        inputs: &[Source],
        output: Slot,
    ) -> Result<(), String> {
        let flush = self.flush_denormals;
        let packed = op.product.and_then(|_| self.plan.packed_operand(inputs));
        let (values, cell) = self.beside(output);
        let out = cell.own();
        values.with(inputs, |operands| {
            compute(op, attrs, operands, packed, flush, out)
        })
    }

    /// Updates the slot's value in place; a value that is shared with others is copied first.
    fn update(
        &mut self,
        op: &OpDef,
        attrs: &Attrs,
        inputs: &[Source],
        slot: Slot,
    ) -> Result<(), Fault> {
        let flush = self.flush_denormals;
        let (values, cell) = self.beside(slot);
        if let Some(shared) = cell.shared.take() {
            cell.own.assign(&shared)?;
        }
        let value = &mut cell.own;
        values.with(&inputs[1..], |others| {
            compute_in_place(op, attrs, value, others, flush)
        })?;
        Ok(())
    }

    /// If an operand is in the output's slot, it is overwritten, unless its array is shared with others.
    fn fused(&mut self, fused: &Fused, inputs: &[Source], output: Slot) -> Result<(), Fault> {
        let flush = self.flush_denormals;
        let packed = fused
            .product()
            .and_then(|_| self.plan.packed_operand(inputs));
        let (values, cell) = self.beside(output);
        let shared = cell.shared.take();
        let mut operands: SmallVec<[Option<&Array>; 8]> = SmallVec::new();
        for source in inputs {
            operands.push(match source {
                Source::Computed(slot) if *slot == output => shared.as_deref(),
                other => Some(values.get(*other)),
            });
        }
        fused
            .run(&mut operands, packed, &mut cell.own)
            .map_err(Fault::Error)?;
        if flush {
            cell.own.flush_denormals();
        }
        Ok(())
    }

    fn words(&mut self, words: &Words) -> Result<Option<u32>, Fault> {
        let Frame {
            cells, registers, ..
        } = &mut *self.frame;
        let mut lists = take_lists(words, cells)?;
        let values = Values::new(self.inputs, self.plan, cells);
        let get = |source| values.get(source);
        let count = if W::COUNTS {
            words.run::<true>(registers, get, &mut lists)
        } else {
            words.run::<false>(registers, get, &mut lists)
        };
        self.count += count.map_err(Fault::Error)?;
        for (slot, dtype, word) in words.results(registers) {
            let own = cells[slot.index()].own();
            own.set_word(dtype, word);
            if self.flush_denormals {
                own.flush_denormals();
            }
        }
        for tensor in words.tensors() {
            let own = cells[tensor.slot().index()].own();
            tensor.write(registers, own)?;
            if self.flush_denormals {
                own.flush_denormals();
            }
        }
        for (written, list) in words.lists().iter().zip(lists) {
            let own = &mut cells[written.slot().index()].own;
            *own = list.into_array()?;
            if self.flush_denormals {
                own.flush_denormals();
            }
        }
        Ok(words.next(registers))
    }

    /// Shares an array that is shared already; copies the value of a slot's own buffer, because the slot will overwrite it.
    fn copy(&mut self, to: Slot, from: Source) -> Result<(), Fault> {
        let shared = match from {
            Source::Computed(slot) => self.frame.cells[slot.index()].shared.clone(),
            other => Some(self.share(other)),
        };
        if shared.is_none() && from != Source::Computed(to) {
            let (values, cell) = self.beside(to);
            cell.own.assign(values.get(from))?;
        }
        self.frame.cells[to.index()].shared = shared;
        Ok(())
    }

    /// The value of a scalar; fails if the array isn't one, since the graph may not know its rank.
    pub(super) fn scalar<T: Element + Copy>(&self, source: Source) -> Result<T, String> {
        let array = self.values().get(source);
        match array.values::<T>() {
            Some([value]) if array.rank() == 0 => Ok(*value),
            _ => Err(format!(
                "a {} where a {} scalar belongs",
                TensorType::of_array(array),
                T::DTYPE
            )),
        }
    }

    fn print(&mut self, print: &Print, inputs: &[Source]) -> Result<(), String> {
        let text = self.fill(&print.message, inputs) + &print.end;
        let to = &print.to;
        let printed = self.host.print(&text, to);
        printed.map_err(|error| format!("can't print to {to}: {error}"))
    }

    fn summary(&mut self, summary: &Summary, value: Source, step: Source) -> Result<(), String> {
        if !self.host.writes_summaries() {
            return Ok(());
        }
        let step: i64 = self.scalar(step)?;
        let value = Values::new(self.inputs, self.plan, &self.frame.cells).get(value);
        let written = self.host.write_summary(summary, value, step);
        written.map_err(|error| summary.failed(&error))
    }

    fn fill(&self, message: &Message, inputs: &[Source]) -> String {
        let values = self.values();
        message.fill(inputs.iter().map(|source| values.get(*source)))
    }
}

/// Takes the lists that a word program writes out of their slots. A list that is shared with others is copied first.
fn take_lists(words: &Words, cells: &mut [Cell]) -> Result<Vec<List>, KernelError> {
    let mut lists = Vec::with_capacity(words.lists().len());
    for list in words.lists() {
        let cell = &mut cells[list.slot().index()];
        if let Some(shared) = cell.shared.take() {
            cell.own.assign(&shared)?;
        }
        lists.push(list.of(std::mem::take(&mut cell.own))?);
    }
    Ok(lists)
}
