//! The instructions of a plan, and the slots, registers and sources that they read and write.

use std::sync::Arc;

use super::fused::Fused;
use super::updates::Updates;
use super::words::Words;
use crate::graph::{Message, Print, Summary, TensorType};
use crate::ops::{Attrs, OpDef};
use crate::recipes::Recipe;

/// The number of a value in lowered code, before allocation; an index of [`Code::contents`](super::lower::Code::contents).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Register(pub u32);

impl Register {
    /// The index among the registers of its code.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The number of an array in the frame of a run; an index of [`Plan::slots`](super::Plan::slots).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

impl Slot {
    /// The index in the frame.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where an instruction reads an array. A computed array is in a slot, or in a register before allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source<P = Slot> {
    /// An argument of the run, by position.
    Input(u32),
    /// One of [`Plan::constants`](super::Plan::constants), by index.
    Constant(u32),
    /// A slot or register that an earlier instruction has written.
    Computed(P),
}

impl<P> Source<P> {
    /// Replaces the register by a slot.
    pub(super) fn map<Q>(self, place: impl FnOnce(P) -> Q) -> Source<Q> {
        match self {
            Source::Input(input) => Source::Input(input),
            Source::Constant(constant) => Source::Constant(constant),
            Source::Computed(written) => Source::Computed(place(written)),
        }
    }

    /// The register or slot, if an earlier instruction has written it.
    pub(super) fn place(self) -> Option<P> {
        match self {
            Source::Computed(written) => Some(written),
            _ => None,
        }
    }
}

/// An index in [`Plan::instructions`](super::Plan::instructions); the number of instructions is the end of the run.
pub type Target = u32;

/// One step of a run. `P` is a slot in a plan, and a register in lowered code.
#[derive(Clone, Debug)]
pub enum Instruction<P = Slot> {
    /// Runs a kernel. The output is not one of the operands, unless the kernel updates its first operand in place.
    Kernel {
        /// The op.
        op: &'static OpDef,
        /// Its attributes.
        attrs: Box<Attrs>,
        /// The operands.
        inputs: Vec<Source<P>>,
        /// The slot written.
        output: P,
        /// True if the output is the slot of the first operand, whose old value is dead: [`OpDef::in_place`] runs.
        in_place: bool,
    },
    /// Runs a chain of elementwise ops. The output may be the slot of an operand, which is then overwritten.
    Fused {
        /// The chain.
        fused: Arc<Fused>,
        /// The operands.
        inputs: Vec<Source<P>>,
        /// For each operand whether it may be overwritten if it is dead afterwards.
        overwritable: Vec<bool>,
        /// The slot written.
        output: P,
    },
    /// Runs a word program: computes scalars, and control flow that depends on scalars only, without arrays in between. A program
    /// without outputs may jump.
    Words(Box<Words<P>>),
    /// Copies or shares the array of a source; the source keeps its value.
    Copy {
        /// The slot written.
        to: P,
        /// The array that is copied or shared.
        from: Source<P>,
    },
    /// Exchanges two slots: moves a value whose old slot is free afterwards.
    Swap(P, P),
    /// Jumps unconditionally.
    Jump(Target),
    /// Jumps back to the head of a loop, and counts the iterations for error messages.
    Repeat {
        /// The head.
        head: Target,
        /// A boolean scalar; the loop ends here if it is false. `None` if the condition is tested at the head.
        condition: Option<Source<P>>,
        /// The number of the loop in the plan.
        number: u32,
        /// The number of the first loop inside it. The counters of the loops from that number up to this loop's own are reset.
        inner: u32,
    },
    /// Jumps if a boolean scalar is false.
    JumpIfFalse {
        /// The boolean scalar.
        condition: Source<P>,
        /// The target if it is false.
        target: Target,
    },
    /// Jumps to the target whose index is an `int32` scalar; to the last target if the index is out of range.
    JumpTable {
        /// The `int32` scalar.
        index: Source<P>,
        /// At least one target.
        targets: Vec<Target>,
    },
    /// Prints a message.
    Print {
        /// What is printed, and where.
        print: Box<Print>,
        /// The arrays printed.
        inputs: Vec<Source<P>>,
    },
    /// Hands a value to the host's writer of summaries.
    Summary {
        /// What is recorded, and its name.
        summary: Box<Summary>,
        /// The value.
        value: Source<P>,
        /// The step, an `int64` scalar.
        step: Source<P>,
    },
    /// Asks the host for the next seed of a random stream.
    NextSeed {
        /// The op's own seed, which names the stream; `None` is the global stream.
        stream: Option<i64>,
        /// The slot written: `int64[2]`.
        output: P,
    },
    /// Begins an iteration over a dataset. It replaces an earlier iteration with the same number.
    Begin {
        /// What the dataset does.
        recipe: Recipe,
        /// Its operands.
        inputs: Vec<Source<P>>,
        /// The number of the iteration in the plan.
        number: u32,
        /// The slot written: the number, as an `int64` scalar.
        output: P,
    },
    /// Tells whether an iteration has another element.
    HasElement {
        /// The number of the iteration.
        iteration: Source<P>,
        /// The slot written: a boolean scalar.
        output: P,
    },
    /// Takes the next element of an iteration.
    TakeElement {
        /// The number of the iteration.
        iteration: Source<P>,
        /// The slots written, one for each leaf of the element, with the leaf's type.
        outputs: Vec<(P, TensorType)>,
    },
    /// Reads a variable; the array is shared, not copied.
    Read {
        /// The position in [`Plan::variables`](super::Plan::variables).
        variable: u32,
        /// The slot written, which shares the array.
        output: P,
    },
    /// Gives a variable a new value.
    Assign {
        /// The position in [`Plan::variables`](super::Plan::variables).
        variable: u32,
        /// The value.
        value: Source<P>,
        /// True if the value is dead afterwards: then the slot and the variable exchange their buffers.
        dies: bool,
        /// Slots that may share the variable's array and whose values are dead.
        released: Vec<P>,
    },
    /// Replaces a variable's value by the result of an op or a chain: in place, if nobody else holds the value.
    Update {
        /// The position in [`Plan::variables`](super::Plan::variables).
        variable: u32,
        /// The op or chain.
        change: Box<Change>,
        /// The operands; `None` is the variable's value.
        inputs: Vec<Option<Source<P>>>,
        /// Slots that may share the variable's array and whose values are dead.
        released: Vec<P>,
    },
    /// Replaces the values of several variables by the results of one chain.
    Updates(Box<Updates<P>>),
    /// Fails the run if a boolean scalar is false.
    Assert {
        /// The boolean scalar.
        condition: Source<P>,
        /// What the error says.
        message: Box<Message>,
        /// The arrays that the message shows.
        inputs: Vec<Source<P>>,
    },
}

/// The computation of an [`Instruction::Update`].
#[derive(Clone, Debug)]
pub enum Change {
    /// An op, whose first operand is the variable's value.
    Kernel(&'static OpDef, Attrs),
    /// A chain of elementwise ops.
    Fused(Arc<Fused>),
}

impl<P: Copy> Instruction<P> {
    /// Calls `f` with every source read and every slot written.
    pub(super) fn visit(&self, mut reads: impl FnMut(Source<P>), mut writes: impl FnMut(P)) {
        match self {
            Instruction::Kernel { inputs, output, .. }
            | Instruction::Fused { inputs, output, .. } => {
                inputs.iter().copied().for_each(reads);
                writes(*output);
            }
            Instruction::Words(words) => {
                words.sources().for_each(reads);
                words.written().for_each(writes);
            }
            Instruction::Copy { to, from } => {
                reads(*from);
                writes(*to);
            }
            Instruction::Swap(a, b) => {
                for slot in [*a, *b] {
                    reads(Source::Computed(slot));
                    writes(slot);
                }
            }
            Instruction::Jump(_) => {}
            Instruction::Repeat { condition, .. } => condition.iter().copied().for_each(reads),
            Instruction::NextSeed { output, .. } | Instruction::Read { output, .. } => {
                writes(*output);
            }
            Instruction::Begin { inputs, output, .. } => {
                inputs.iter().copied().for_each(reads);
                writes(*output);
            }
            Instruction::HasElement { iteration, output } => {
                reads(*iteration);
                writes(*output);
            }
            Instruction::TakeElement { iteration, outputs } => {
                reads(*iteration);
                outputs.iter().for_each(|(slot, _)| writes(*slot));
            }
            Instruction::Assign { value, .. } => reads(*value),
            Instruction::Update { inputs, .. } => {
                inputs.iter().flatten().copied().for_each(reads);
            }
            Instruction::Updates(updates) => updates.inputs.iter().copied().for_each(reads),
            Instruction::JumpIfFalse { condition, .. } => reads(*condition),
            Instruction::Assert {
                condition, inputs, ..
            } => {
                reads(*condition);
                inputs.iter().copied().for_each(reads);
            }
            Instruction::JumpTable { index, .. } => reads(*index),
            Instruction::Summary { value, step, .. } => [*value, *step].into_iter().for_each(reads),
            Instruction::Print { inputs, .. } => inputs.iter().copied().for_each(reads),
        }
    }

    /// Calls `f` with every slot read and every slot written.
    pub fn visit_places(&self, f: impl FnMut(Source<P>)) {
        let f = std::cell::RefCell::new(f);
        self.visit(
            |read| f.borrow_mut()(read),
            |slot| f.borrow_mut()(Source::Computed(slot)),
        );
    }

    /// Calls `f` with every slot written.
    pub fn visit_written(&self, f: impl FnMut(P)) {
        self.visit(|_| {}, f);
    }

    /// Calls `f` with each source that the instruction reads.
    pub fn visit_read(&self, f: impl FnMut(Source<P>)) {
        self.visit(f, |_| {});
    }

    /// True for a word program or a chain that has become machine code.
    pub fn has_code(&self) -> bool {
        match self {
            Instruction::Words(words) => words.has_code(),
            Instruction::Fused { fused, .. } => fused.has_code(),
            Instruction::Update { change, .. } => {
                matches!(&**change, Change::Fused(fused) if fused.has_code())
            }
            Instruction::Updates(updates) => updates.chain.has_code(),
            _ => false,
        }
    }

    /// True if all operands are read before anything is written, so that an output may share an operand's slot.
    pub(super) fn reads_first(&self) -> bool {
        matches!(self, Instruction::Words(_))
    }

    /// The jump targets.
    pub fn targets(&self) -> &[Target] {
        match self {
            Instruction::Jump(target)
            | Instruction::Repeat { head: target, .. }
            | Instruction::JumpIfFalse { target, .. } => std::slice::from_ref(target),
            Instruction::JumpTable { targets, .. } => targets,
            Instruction::Words(words) => words.targets(),
            _ => &[],
        }
    }

    /// The jump targets, mutable.
    pub(super) fn targets_mut(&mut self) -> &mut [Target] {
        match self {
            Instruction::Jump(target)
            | Instruction::Repeat { head: target, .. }
            | Instruction::JumpIfFalse { target, .. } => std::slice::from_mut(target),
            Instruction::JumpTable { targets, .. } => targets,
            Instruction::Words(words) => words.targets_mut(),
            _ => &mut [],
        }
    }

    /// Replaces registers by slots.
    pub(super) fn map<Q>(self, place: impl Fn(P) -> Q) -> Instruction<Q> {
        let source = |source: Source<P>| source.map(&place);
        let sources = |sources: Vec<Source<P>>| sources.into_iter().map(source).collect();
        match self {
            Instruction::Kernel {
                op,
                attrs,
                inputs,
                output,
                in_place,
            } => Instruction::Kernel {
                op,
                attrs,
                inputs: sources(inputs),
                output: place(output),
                in_place,
            },
            Instruction::Fused {
                fused,
                inputs,
                overwritable,
                output,
            } => Instruction::Fused {
                fused,
                inputs: sources(inputs),
                overwritable,
                output: place(output),
            },
            Instruction::Words(words) => Instruction::Words(Box::new(words.map(place))),
            Instruction::Copy { to, from } => Instruction::Copy {
                to: place(to),
                from: source(from),
            },
            Instruction::Swap(a, b) => Instruction::Swap(place(a), place(b)),
            Instruction::Jump(target) => Instruction::Jump(target),
            Instruction::Repeat {
                head,
                condition,
                number,
                inner,
            } => Instruction::Repeat {
                head,
                condition: condition.map(source),
                number,
                inner,
            },
            Instruction::JumpIfFalse { condition, target } => Instruction::JumpIfFalse {
                condition: source(condition),
                target,
            },
            Instruction::JumpTable { index, targets } => Instruction::JumpTable {
                index: source(index),
                targets,
            },
            Instruction::Print { print, inputs } => Instruction::Print {
                print,
                inputs: sources(inputs),
            },
            Instruction::Summary {
                summary,
                value,
                step,
            } => Instruction::Summary {
                summary,
                value: source(value),
                step: source(step),
            },
            Instruction::NextSeed { stream, output } => Instruction::NextSeed {
                stream,
                output: place(output),
            },
            Instruction::Begin {
                recipe,
                inputs,
                number,
                output,
            } => Instruction::Begin {
                recipe,
                inputs: sources(inputs),
                number,
                output: place(output),
            },
            Instruction::HasElement { iteration, output } => Instruction::HasElement {
                iteration: source(iteration),
                output: place(output),
            },
            Instruction::TakeElement { iteration, outputs } => Instruction::TakeElement {
                iteration: source(iteration),
                outputs: outputs.into_iter().map(|(p, ty)| (place(p), ty)).collect(),
            },
            Instruction::Read { variable, output } => Instruction::Read {
                variable,
                output: place(output),
            },
            Instruction::Assign {
                variable,
                value,
                dies,
                released,
            } => Instruction::Assign {
                variable,
                value: source(value),
                dies,
                released: released.into_iter().map(place).collect(),
            },
            Instruction::Update {
                variable,
                change,
                inputs,
                released,
            } => Instruction::Update {
                variable,
                change,
                inputs: inputs.into_iter().map(|input| input.map(source)).collect(),
                released: released.into_iter().map(place).collect(),
            },
            Instruction::Updates(updates) => Instruction::Updates(Box::new(updates.map(place))),
            Instruction::Assert {
                condition,
                message,
                inputs,
            } => Instruction::Assert {
                condition: source(condition),
                message,
                inputs: sources(inputs),
            },
        }
    }
}
