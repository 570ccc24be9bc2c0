//! The CPU: walks a plan's instructions over a frame of slots. A frame keeps its buffers from run to run, so that a
//! warm run, and each iteration of a loop on arrays that don't grow, allocates only the outputs it returns.

use std::iter::once;
use std::sync::Arc;

use graph_kernels::format::tf_print;
use graph_kernels::{Array, Element, KernelError, REGISTERS, Registers};
use smallvec::SmallVec;

use super::{Backend, Host, Outputs};
use crate::error::{Error, Location};
use crate::graph::TensorType;
use crate::ops::{Attrs, OpDef};
use crate::plan::{Fused, Instruction, Plan, Slot, Source, Words};

/// Runs plans in the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu;

impl Backend for Cpu {
    fn run(
        &self,
        plan: &Plan,
        inputs: &[Arc<Array>],
        host: &mut dyn Host,
    ) -> Result<Outputs, Error> {
        check_inputs(plan, inputs)?;
        let mut frame: Box<Frame> = plan.scratch.take().unwrap_or_default();
        frame.cells.resize_with(plan.slots, Cell::default);
        let outputs = Run {
            plan,
            inputs,
            frame: &mut frame,
            host,
        }
        .run();
        // The frame keeps its own buffers, but nobody else's arrays.
        frame.cells.iter_mut().for_each(|cell| cell.shared = None);
        plan.scratch.give(frame);
        outputs
    }
}

fn check_inputs(plan: &Plan, inputs: &[Arc<Array>]) -> Result<(), Error> {
    let fail = |message| Err(Error::run(message, Location::unknown()));
    if plan.inputs.len() != inputs.len() {
        return fail(format!(
            "{} inputs where {} belong",
            inputs.len(),
            plan.inputs.len()
        ));
    }
    match plan
        .inputs
        .iter()
        .zip(inputs)
        .position(|(ty, array)| !accepts(ty, array))
    {
        Some(i) => {
            let actual = TensorType::of_array(&inputs[i]);
            fail(format!(
                "input {i} is a {actual} where a {} belongs",
                plan.inputs[i]
            ))
        }
        None => Ok(()),
    }
}

/// [`TensorType::covers`] without making the array's type.
fn accepts(ty: &TensorType, array: &Array) -> bool {
    let fits = |dims: &[Option<usize>]| {
        dims.len() == array.rank()
            && dims
                .iter()
                .zip(array.shape())
                .all(|(d, n)| d.is_none_or(|d| d == *n))
    };
    ty.dtype == array.dtype() && ty.shape.dims().is_none_or(fits)
}

/// The slots of a run, and the registers of its word programs.
struct Frame {
    cells: Vec<Cell>,
    registers: Registers,
}

impl Default for Frame {
    fn default() -> Frame {
        Frame {
            cells: Vec::new(),
            registers: [0; REGISTERS],
        }
    }
}

/// A slot: an array that is shared with others, or else the slot's own, whose buffer stays for the next value.
#[derive(Default)]
struct Cell {
    shared: Option<Arc<Array>>,
    own: Array,
}

impl Cell {
    fn get(&self) -> &Array {
        self.shared.as_deref().unwrap_or(&self.own)
    }

    /// The value as a shared array; the own buffer goes with it.
    fn share(&mut self) -> Arc<Array> {
        let own = &mut self.own;
        self.shared
            .get_or_insert_with(|| Arc::new(std::mem::take(own)))
            .clone()
    }
}

/// Why an instruction failed.
enum Fault {
    /// At the instruction's location.
    Message(String),
    /// Within the instruction.
    Error(Error),
}

impl From<String> for Fault {
    fn from(message: String) -> Fault {
        Fault::Message(message)
    }
}

struct Run<'a> {
    plan: &'a Plan,
    inputs: &'a [Arc<Array>],
    frame: &'a mut Frame,
    host: &'a mut dyn Host,
}

impl Run<'_> {
    fn run(mut self) -> Result<Outputs, Error> {
        let plan = self.plan;
        let mut next = 0;
        while let Some(instruction) = plan.instructions.get(next) {
            match self.step(instruction) {
                Ok(None) => next += 1,
                Ok(Some(target)) => next = target as usize,
                Err(Fault::Message(message)) => {
                    return Err(Error::run(message, plan.locations[next].clone()));
                }
                Err(Fault::Error(error)) => return Err(error),
            }
        }
        Ok(plan
            .outputs
            .iter()
            .map(|source| self.share(*source))
            .collect())
    }

    /// Does one instruction, and gives where to go on if that isn't the next one.
    fn step(&mut self, instruction: &Instruction) -> Result<Option<u32>, Fault> {
        match instruction {
            Instruction::Kernel {
                op,
                attrs,
                inputs,
                output,
                in_place: false,
            } => self.kernel(op, attrs, inputs, *output)?,
            Instruction::Kernel {
                op,
                attrs,
                inputs,
                output,
                in_place: true,
            } => self.update(op, attrs, inputs, *output)?,
            Instruction::Fused {
                fused,
                inputs,
                output,
                ..
            } => self.fused(fused, inputs, *output)?,
            Instruction::Words(words) => self.words(words)?,
            Instruction::Copy { to, from } => self.copy(*to, *from),
            Instruction::Swap(a, b) => self.frame.cells.swap(a.index(), b.index()),
            Instruction::Jump(target) => return Ok(Some(*target)),
            Instruction::JumpIfFalse { condition, target } => {
                let holds: bool = self.scalar(*condition)?;
                return Ok((!holds).then_some(*target));
            }
            Instruction::JumpTable { index, targets } => {
                let index: i32 = self.scalar(*index)?;
                let chosen = usize::try_from(index).ok().and_then(|i| targets.get(i));
                return Ok(chosen.or(targets.last()).copied());
            }
            Instruction::Print { texts, inputs } => self.print(texts, inputs),
            Instruction::NextSeed { stream, output } => self.next_seed(*stream, *output),
            Instruction::Assert { condition, message } => {
                if !self.scalar::<bool>(*condition)? {
                    return Err(Fault::Message(format!("assertion failed: {message}")));
                }
            }
        }
        Ok(None)
    }

    fn get(&self, source: Source) -> &Array {
        at(source, self.plan, self.inputs, &self.frame.cells)
    }

    fn share(&mut self, source: Source) -> Arc<Array> {
        match source {
            Source::Input(i) => self.inputs[i as usize].clone(),
            Source::Constant(i) => self.plan.constants[i as usize].clone(),
            Source::Slot(slot) => self.frame.cells[slot.index()].share(),
        }
    }

    /// The output is taken out of the frame while the operands are borrowed from it.
    fn kernel(
        &mut self,
        op: &OpDef,
        attrs: &Attrs,
        inputs: &[Source],
        output: Slot,
    ) -> Result<(), String> {
        let mut out = std::mem::take(&mut self.frame.cells[output.index()].own);
        let operands: SmallVec<[&Array; 4]> =
            inputs.iter().map(|source| self.get(*source)).collect();
        let result =
            (op.kernel)(&operands, attrs, &mut out).map_err(|e| describe(&e, op, &operands));
        drop(operands);
        let cell = &mut self.frame.cells[output.index()];
        cell.own = out;
        cell.shared = None;
        result
    }

    /// The slot's value is updated where it stands; one that is shared with others is copied first.
    fn update(
        &mut self,
        op: &OpDef,
        attrs: &Attrs,
        inputs: &[Source],
        slot: Slot,
    ) -> Result<(), String> {
        let Some(kernel) = op.in_place else {
            return Err(format!("`{}` has no kernel that works in place", op.name));
        };
        let cell = &mut self.frame.cells[slot.index()];
        let mut value = std::mem::take(&mut cell.own);
        if let Some(shared) = cell.shared.take() {
            value.assign(&shared);
        }
        let others: SmallVec<[&Array; 4]> =
            inputs[1..].iter().map(|source| self.get(*source)).collect();
        let result = kernel(&mut value, &others, attrs).map_err(|e| {
            let operands: SmallVec<[&Array; 4]> = once(&value).chain(others).collect();
            describe(&e, op, &operands)
        });
        self.frame.cells[slot.index()].own = value;
        result
    }

    /// An operand that is the output is overwritten, unless its array is shared with others.
    fn fused(&mut self, fused: &Fused, inputs: &[Source], output: Slot) -> Result<(), Fault> {
        let cell = &mut self.frame.cells[output.index()];
        let (mut out, shared) = (std::mem::take(&mut cell.own), cell.shared.take());
        let (plan, given, cells) = (self.plan, self.inputs, &self.frame.cells);
        let operands: SmallVec<[Option<&Array>; 8]> = inputs
            .iter()
            .map(|source| match source {
                Source::Slot(slot) if *slot == output => shared.as_deref(),
                other => Some(at(*other, plan, given, cells)),
            })
            .collect();
        let result = fused.run(&operands, &mut out);
        drop(operands);
        self.frame.cells[output.index()].own = out;
        result.map_err(Fault::Error)
    }

    fn words(&mut self, words: &Words) -> Result<(), Fault> {
        let (plan, inputs) = (self.plan, self.inputs);
        let Frame { cells, registers } = &mut *self.frame;
        let get = |source| at(source, plan, inputs, cells);
        words.run(registers, get).map_err(Fault::Error)?;
        for (slot, dtype, word) in words.results(registers) {
            let cell = &mut cells[slot.index()];
            cell.own.set_word(dtype, word);
            cell.shared = None;
        }
        Ok(())
    }

    /// Shares what is shared already; copies values out of a slot's own buffer, which the slot will write again.
    fn copy(&mut self, to: Slot, from: Source) {
        let shared = match from {
            Source::Slot(slot) => self.frame.cells[slot.index()].shared.clone(),
            other => Some(self.share(other)),
        };
        if shared.is_none() {
            let mut own = std::mem::take(&mut self.frame.cells[to.index()].own);
            own.assign(self.get(from));
            self.frame.cells[to.index()].own = own;
        }
        self.frame.cells[to.index()].shared = shared;
    }

    /// The value of a scalar whose rank the graph may not have known.
    fn scalar<T: Element + Copy>(&self, source: Source) -> Result<T, String> {
        let array = self.get(source);
        match array.values::<T>() {
            Some([value]) if array.rank() == 0 => Ok(*value),
            _ => Err(format!(
                "a {} where a {} scalar belongs",
                TensorType::of_array(array),
                T::DTYPE
            )),
        }
    }

    fn next_seed(&mut self, stream: Option<i64>, output: Slot) {
        let seed = self.host.next_seed(stream);
        let cell = &mut self.frame.cells[output.index()];
        cell.own.reset_as(&[2]).copy_from_slice(&seed);
        cell.shared = None;
    }

    fn print(&mut self, texts: &[String], inputs: &[Source]) {
        let mut line = String::new();
        for (i, text) in texts.iter().enumerate() {
            line.push_str(text);
            if let Some(source) = inputs.get(i) {
                line.push_str(&tf_print(self.get(*source)));
            }
        }
        self.host.print(&line);
    }
}

/// The array at a source.
fn at<'a>(
    source: Source,
    plan: &'a Plan,
    inputs: &'a [Arc<Array>],
    cells: &'a [Cell],
) -> &'a Array {
    match source {
        Source::Input(i) => &inputs[i as usize],
        Source::Constant(i) => &plan.constants[i as usize],
        Source::Slot(slot) => cells[slot.index()].get(),
    }
}

/// A kernel's error with its op and operands.
fn describe(error: &KernelError, op: &OpDef, operands: &[&Array]) -> String {
    op.failure(
        error,
        operands.iter().map(|array| TensorType::of_array(array)),
    )
}
