//! One run of a plan on a GPU.

use std::collections::BTreeSet;
use std::sync::Arc;

use graph_ir::device::{Host, transfers_are_of};
use graph_ir::error::{Error, Location};
use graph_ir::graph::TensorType;
use graph_ir::ops::{Attrs, OpDef};
use graph_ir::plan::{Fused, Instruction, Plan, Slot, Source, Target, Words, around};
use graph_kernels::{Array, Element};
use smallvec::SmallVec;

use super::effects::Tells;
use super::iterations::Running;
use super::journal::Journal;
use super::{Compiled, chain, words};
use crate::apply::{apply, array_on_cpu, take_fault};
use crate::driver::Fault;
use crate::kernels::{Kernels, Waiting};
use crate::value::{Tensor, Value};

/// How many computations may wait for the news that their operands were right. Their operands are kept for that long.
const MOST_UNCHECKED: usize = 256;

/// Why an instruction failed.
pub enum Problem {
    /// A message about the instruction.
    Message(String),
    /// An error with a location of its own.
    Error(Error),
}

impl From<String> for Problem {
    fn from(message: String) -> Problem {
        Problem::Message(message)
    }
}

impl From<crate::driver::Failed> for Problem {
    fn from(failed: crate::driver::Failed) -> Problem {
        Problem::Message(failed.to_string())
    }
}

/// A computation of which it isn't known yet whether its operands were right.
struct Unchecked<'a> {
    computation: Computation<'a>,
    operands: Vec<Tensor>,
    location: &'a Location,
    /// The loops and branches around it.
    around: Vec<String>,
}

/// What an instruction computes.
#[derive(Clone, Copy)]
pub enum Computation<'a> {
    /// An op.
    Op(&'static OpDef, &'a Attrs),
    /// A chain.
    Chain(&'a Fused),
    /// A word program.
    Words(&'a Words),
}

/// The values that an instruction computes.
pub type Results = SmallVec<[Tensor; 1]>;

impl Computation<'_> {
    /// Queues the computation.
    pub fn queue(self, kernels: &Kernels, operands: &[Tensor]) -> Result<Results, Problem> {
        let value = match self {
            Computation::Op(op, attrs) => apply(kernels, op, attrs, operands)?,
            Computation::Chain(fused) => chain::queue(kernels, fused, operands)?,
            Computation::Words(words) => return words::queue(kernels, words, operands),
        };
        Ok(Results::from_elem(value, 1))
    }

    /// Queues a computation of one value.
    pub fn queue_one(self, kernels: &Kernels, operands: &[Tensor]) -> Result<Tensor, Problem> {
        let value = self.queue(kernels, operands)?.pop();
        value.ok_or_else(|| "a computation without a value".to_owned().into())
    }

    /// The error that the CPU finds with the same operands.
    pub fn error(self, operands: &[Tensor], location: &Location) -> Option<Error> {
        match self {
            Computation::Op(op, attrs) => {
                let message = array_on_cpu(op, attrs, operands).err()?;
                Some(Error::run(message, location.clone()))
            }
            Computation::Chain(fused) => chain::on_cpu(fused, operands).err(),
            Computation::Words(words) => words::on_cpu(words, operands).err(),
        }
    }
}

/// What a run that is recorded keeps to itself until it is launched.
#[derive(Default)]
pub struct Kept {
    /// The values of variables, by position: those at the beginning, then those that are assigned.
    pub variables: Vec<Tensor>,
    /// The variables that are assigned.
    pub assigned: BTreeSet<u32>,
    /// The seeds that the host must write before the launch: their streams and places.
    pub seeds: Vec<(Option<i64>, Tensor)>,
    /// What the host is told after the launch.
    pub told: Vec<Tells>,
    /// In a recording: where the GPU writes what loops and branches print that it alone decides, and draws their seeds.
    pub journal: Option<Journal>,
    /// Whether the work runs, and seeds are drawn.
    pub rehearses: bool,
    /// Whether the GPU alone decides how often something is repeated.
    pub repeats: bool,
}

/// The state of a run.
pub struct Run<'a> {
    pub(super) kernels: &'static Kernels,
    program: &'a Compiled,
    plan: &'a Plan,
    inputs: Vec<Tensor>,
    slots: Vec<Option<Tensor>>,
    pub(super) iterations: Vec<Option<Running>>,
    /// How often each loop has jumped back to its head.
    turns: Vec<u64>,
    pub(super) host: &'a mut dyn Host,
    unchecked: Vec<Unchecked<'a>>,
    /// In a run that is recorded: no effect may be seen before it is launched.
    pub(super) kept: Option<Kept>,
    /// In a run that is recorded: the launches that nobody has needed yet.
    pub(super) waiting: Waiting,
    /// How many loops and branches are around the present instruction that only the GPU decides.
    pub(super) undecided: u32,
    at: usize,
}

impl<'a> Run<'a> {
    /// The state at the beginning of a run.
    pub fn new(
        program: &'a Compiled,
        inputs: Vec<Tensor>,
        host: &'a mut dyn Host,
        kept: Option<Kept>,
    ) -> Run<'a> {
        let plan = &program.plan;
        Run {
            kernels: program.kernels,
            program,
            plan,
            inputs,
            slots: vec![None; plan.slots.len()],
            iterations: (0..plan.iterations).map(|_| None).collect(),
            turns: vec![0; plan.loops],
            host,
            unchecked: Vec::new(),
            kept,
            waiting: Waiting::default(),
            undecided: 0,
            at: 0,
        }
    }

    /// Runs the plan and returns its outputs.
    ///
    /// # Errors
    /// If a kernel fails, or an assertion doesn't hold.
    pub fn run(mut self) -> Result<(Vec<Tensor>, Option<Kept>), Error> {
        let plan = self.plan;
        while let Some(instruction) = plan.instructions.get(self.at) {
            transfers_are_of(self.location());
            match self.step(instruction) {
                Ok(None) => self.at += 1,
                Ok(Some(target)) => self.at = target as usize,
                Err(problem) => return Err(self.error(problem)),
            }
        }
        let ended = self.settle().and_then(|()| self.queue_waiting());
        ended.map_err(|problem| self.error(problem))?;
        let outputs = plan.outputs.iter().map(|source| self.value(*source));
        let outputs: Result<Vec<Tensor>, Problem> = outputs.collect();
        let outputs = outputs.map_err(|problem| self.error(problem))?;
        Ok((outputs, self.kept))
    }

    /// The error of a problem of the present instruction, unless one before it was wrong.
    fn error(&mut self, problem: Problem) -> Error {
        let earlier = self.settle().err();
        let around = around(&self.plan.scopes, self.at, &self.turns);
        let unknown = Location::unknown();
        let location = self.plan.locations.get(self.at).unwrap_or(&unknown);
        match earlier.unwrap_or(problem) {
            Problem::Message(message) => Error::run(message, location.clone()).within(around),
            Problem::Error(error) => error,
        }
    }

    /// The user's line of the present instruction.
    pub(super) fn location(&self) -> &'a Location {
        &self.plan.locations[self.at]
    }

    /// Executes one instruction; returns the jump target, or `None` to continue at the next instruction.
    fn step(&mut self, instruction: &'a Instruction) -> Result<Option<u32>, Problem> {
        match instruction {
            Instruction::Kernel {
                op,
                attrs,
                inputs,
                output,
                ..
            } => self.compute(Computation::Op(op, attrs), inputs, *output)?,
            Instruction::Fused {
                fused,
                inputs,
                output,
                ..
            } => self.compute(Computation::Chain(fused), inputs, *output)?,
            Instruction::Words(words) => {
                let operands = self.held_values(&words.operands())?;
                let results = self.queue(Computation::Words(words), operands)?;
                for (output, value) in words.outputs().iter().zip(results) {
                    self.set(output.slot, value);
                }
            }
            Instruction::Copy { to, from } => {
                let value = self.held(*from)?;
                self.set(*to, value);
            }
            Instruction::Swap(a, b) => self.slots.swap(a.index(), b.index()),
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
                self.turns[number] += 1;
                self.turns[inner..number].fill(0);
                return Ok(Some(*head));
            }
            Instruction::JumpIfFalse { condition, target } => {
                if self.kept.is_some() && self.value(*condition)?.known().is_none() {
                    // In a rehearsal, too, the kernel that sets conditions is loaded now.
                    self.kernels.conditional()?;
                    return self.choose(*condition, *target as usize).map(Some);
                }
                let holds: bool = self.scalar(*condition)?;
                return Ok((!holds).then_some(*target));
            }
            Instruction::JumpTable { index, targets } => {
                if self.kept.is_some() && self.value(*index)?.known().is_none() {
                    self.kernels.conditional()?;
                    return self.choose_of(*index, targets).map(Some);
                }
                let index: i32 = self.scalar(*index)?;
                let chosen = usize::try_from(index).ok().and_then(|i| targets.get(i));
                return Ok(chosen.or(targets.last()).copied());
            }
            Instruction::Print { inputs, .. } => self.tell(inputs)?,
            Instruction::Summary { value, step, .. } => self.tell(&[*value, *step])?,
            Instruction::NextSeed { stream, output } => self.next_seed(*stream, *output)?,
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
                released,
                ..
            } => self.assign(*variable, *value, released)?,
            Instruction::Update { .. } | Instruction::Updates(_) => {
                return self.updates().map(Some);
            }
            Instruction::Assert {
                condition,
                message,
                inputs,
            } => {
                self.assert(*condition, message, inputs)?;
            }
        }
        Ok(None)
    }

    /// Executes the instructions of a range, which control flow leaves at its end only.
    pub(super) fn run_range(&mut self, range: std::ops::Range<usize>) -> Result<(), Problem> {
        let (plan, before) = (self.plan, self.at);
        self.at = range.start;
        while self.at != range.end {
            let Some(instruction) = plan.instructions.get(self.at) else {
                return Err("control flow leaves its construct".to_owned().into());
            };
            match self.step(instruction)? {
                None => self.at += 1,
                Some(target) => self.at = target as usize,
            }
        }
        self.at = before;
        // What comes next may write over what the range has read.
        self.queue_waiting()
    }

    /// The plan.
    pub(super) fn plan(&self) -> &'a Plan {
        self.plan
    }

    /// Whether a jump leads to an instruction.
    pub(super) fn is_target(&self, at: usize) -> bool {
        self.program.targets.contains(&(at as Target))
    }

    /// The position of the present instruction.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Whether the run is a rehearsal.
    pub(super) fn rehearses(&self) -> bool {
        self.kept.as_ref().is_some_and(|kept| kept.rehearses)
    }

    /// The value in a slot.
    pub(super) fn slot(&self, slot: Slot) -> Option<Tensor> {
        self.slots[slot.index()].clone()
    }

    /// Writes or empties a slot.
    pub(super) fn put(&mut self, slot: Slot, value: Option<Tensor>) {
        self.slots[slot.index()] = value;
    }

    /// Fails a run that is recorded, because what follows must happen at each launch.
    pub(super) fn refuse_to_record(&self) -> Result<(), Problem> {
        match self.kept {
            Some(_) => Err("an effect can't be recorded".to_owned().into()),
            None => Ok(()),
        }
    }

    /// The value of a source, which whoever works with it may read now.
    pub(super) fn value(&mut self, source: Source) -> Result<Tensor, Problem> {
        let value = self.held(source)?;
        if let Some(buffer) = value.in_memory() {
            self.waiting.queue_for(self.kernels, buffer)?;
        }
        Ok(value)
    }

    /// The value of a source, for which a launch may wait.
    fn held(&self, source: Source) -> Result<Tensor, Problem> {
        let missing = || Problem::Message("a value was read before it was written".to_owned());
        match source {
            Source::Input(i) => Ok(self.inputs[i as usize].clone()),
            Source::Computed(slot) => self.slots[slot.index()].clone().ok_or_else(missing),
            Source::Constant(i) => {
                let i = i as usize;
                if let Some(value) = self.program.constants[i].get() {
                    return Ok(value.clone());
                }
                let array = self.plan.constants[i].clone();
                let value = Value::of_host(self.kernels.gpu(), array)?;
                Ok(self.program.constants[i].get_or_init(|| value).clone())
            }
        }
    }

    /// The values of sources.
    pub(super) fn values(&mut self, sources: &[Source]) -> Result<Vec<Tensor>, Problem> {
        sources.iter().map(|source| self.value(*source)).collect()
    }

    /// The values of sources, for which launches may wait.
    fn held_values(&self, sources: &[Source]) -> Result<Vec<Tensor>, Problem> {
        sources.iter().map(|source| self.held(*source)).collect()
    }

    /// Writes a slot.
    pub(super) fn set(&mut self, slot: Slot, value: Tensor) {
        self.slots[slot.index()] = Some(value);
    }

    /// Writes an array of the host to a slot.
    pub(super) fn set_array(&mut self, slot: Slot, array: Array) -> Result<(), Problem> {
        let value = Value::of_host(self.kernels.gpu(), Arc::new(array))?;
        self.set(slot, value);
        Ok(())
    }

    /// Empties slots whose values are dead.
    pub(super) fn release(&mut self, slots: &[Slot]) {
        for slot in slots {
            self.slots[slot.index()] = None;
        }
    }

    /// Queues a computation.
    fn compute(
        &mut self,
        computation: Computation<'a>,
        inputs: &[Source],
        output: Slot,
    ) -> Result<(), Problem> {
        let operands = self.held_values(inputs)?;
        for value in self.queue(computation, operands)? {
            self.set(output, value);
        }
        Ok(())
    }

    /// Queues a computation on values, and remembers it if a kernel may find its operands wrong.
    pub(super) fn queue(
        &mut self,
        computation: Computation<'a>,
        operands: Vec<Tensor>,
    ) -> Result<Results, Problem> {
        if self.kept.is_some() {
            return self.queue_late(computation, &operands);
        }
        let fault = Fault::of_thread(self.kernels.gpu())?;
        let before = fault.launches();
        let values = computation.queue(self.kernels, &operands)?;
        if fault.launches() != before {
            self.unchecked.push(Unchecked {
                computation,
                operands,
                location: &self.plan.locations[self.at],
                around: around(&self.plan.scopes, self.at, &self.turns),
            });
            if self.unchecked.len() >= MOST_UNCHECKED {
                self.settle()?;
            }
        }
        Ok(values)
    }

    /// Waits until it is known whether the operands of all computations were right, before something happens that others see.
    pub(super) fn settle(&mut self) -> Result<(), Problem> {
        if self.kept.is_some() {
            return Ok(());
        }
        let unchecked = std::mem::take(&mut self.unchecked);
        if unchecked.is_empty() || !take_fault(self.kernels)? {
            return Ok(());
        }
        for wrong in unchecked {
            if let Some(error) = wrong.computation.error(&wrong.operands, wrong.location) {
                return Err(Problem::Error(error.within(wrong.around)));
            }
        }
        Err("a kernel found an operand wrong that the CPU finds right"
            .to_owned()
            .into())
    }

    /// The value of a scalar; waits for it.
    pub(super) fn scalar<T: Element + Copy>(&mut self, source: Source) -> Result<T, Problem> {
        let array = self.value(source)?.fetch().map_err(Problem::Error)?;
        match array.values::<T>() {
            Some([value]) if array.rank() == 0 => Ok(*value),
            _ => {
                let (ty, dtype) = (TensorType::of_array(&array), T::DTYPE);
                Err(format!("a {ty} where a {dtype} scalar belongs").into())
            }
        }
    }
}
