//! The instructions of a plan, and the places that they read and write.

use std::sync::Arc;

use super::fused::Fused;
use super::words::Words;
use crate::graph::{Message, Print, TensorType};
use crate::ops::{Attrs, OpDef};
use crate::recipes::Recipe;

/// The place of one value in lowered code, before allocation; an index of [`Code::contents`](super::lower::Code::contents).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Register(pub u32);

impl Register {
    /// The index among the registers of its code.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A place for an array in the frame of a run; an index below [`Plan::slots`](super::Plan::slots).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Slot(pub u32);

impl Slot {
    /// The index in the frame.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// Where an instruction reads an array. What is computed is in a slot, and in a register before allocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Source<P = Slot> {
    /// An argument of the run, by position.
    Input(u32),
    /// One of [`Plan::constants`](super::Plan::constants), by index.
    Constant(u32),
    /// A place that an instruction before has written.
    Computed(P),
}

impl<P> Source<P> {
    /// The source with another kind of place.
    pub(super) fn map<Q>(self, place: impl FnOnce(P) -> Q) -> Source<Q> {
        match self {
            Source::Input(input) => Source::Input(input),
            Source::Constant(constant) => Source::Constant(constant),
            Source::Computed(written) => Source::Computed(place(written)),
        }
    }

    /// The place, if an instruction has written it.
    pub(super) fn place(self) -> Option<P> {
        match self {
            Source::Computed(written) => Some(written),
            _ => None,
        }
    }
}

/// An index in [`Plan::instructions`](super::Plan::instructions); the number of instructions is the end of the run.
pub type Target = u32;

/// One step of a run. In a plan its places are slots; in lowered code they are registers.
#[derive(Clone, Debug)]
pub enum Instruction<P = Slot> {
    /// Runs a kernel. The output is no operand, unless the kernel updates its first operand in place.
    Kernel {
        /// The op.
        op: &'static OpDef,
        /// Its attributes.
        attrs: Box<Attrs>,
        /// The operands.
        inputs: Vec<Source<P>>,
        /// The slot written.
        output: P,
        /// True if the first operand is the slot written, whose old value nothing needs: [`OpDef::in_place`] runs.
        in_place: bool,
    },
    /// Runs a chain of elementwise ops. The output may be an operand, which is overwritten.
    Fused {
        /// The chain.
        fused: Arc<Fused>,
        /// The operands.
        inputs: Vec<Source<P>>,
        /// Which operands may be overwritten if nothing needs them afterwards.
        overwritable: Vec<bool>,
        /// The slot written.
        output: P,
    },
    /// Runs a word program: what scalars alone compute and decide, without arrays between. One that writes nothing may go
    /// on elsewhere.
    Words(Box<Words<P>>),
    /// Makes a slot equal to a source, which stays.
    Copy {
        /// The slot written.
        to: P,
        /// The array that is copied or shared.
        from: Source<P>,
    },
    /// Exchanges two slots: how values move whose old place is free afterwards.
    Swap(P, P),
    /// Goes on elsewhere.
    Jump(Target),
    /// Goes back to the head of a loop, and counts its iterations: for messages.
    Repeat {
        /// The head.
        head: Target,
        /// A boolean scalar without which the loop ends here, if that isn't decided at its head.
        condition: Option<Source<P>>,
        /// Which loop of the plan it is.
        number: u32,
        /// The first loop inside it; those from there to its own number begin afresh.
        inner: u32,
    },
    /// Goes on elsewhere if a boolean scalar is false.
    JumpIfFalse {
        /// The boolean scalar.
        condition: Source<P>,
        /// Where to go on.
        target: Target,
    },
    /// Goes on at the target of an `int32` scalar's number; at the last if it is out of range.
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
    /// Asks the host for the next seed of a random stream.
    NextSeed {
        /// The seed that names the stream; the global one if there is none.
        stream: Option<i64>,
        /// The slot written: `int64[2]`.
        output: P,
    },
    /// Begins an iteration over a dataset, in place of an earlier one of the same number.
    Begin {
        /// What the dataset does.
        recipe: Recipe,
        /// Its operands.
        inputs: Vec<Source<P>>,
        /// Which iteration of the plan it is.
        number: u32,
        /// The slot that gets the number: an `int64` scalar.
        output: P,
    },
    /// Whether an iteration has an element.
    HasElement {
        /// The number of the iteration.
        iteration: Source<P>,
        /// The slot written: a boolean scalar.
        output: P,
    },
    /// Takes an iteration's next element.
    TakeElement {
        /// The number of the iteration.
        iteration: Source<P>,
        /// The slots of its leaves, and what is known of them.
        outputs: Vec<(P, TensorType)>,
    },
    /// Takes what a variable holds; it is shared, not copied.
    Read {
        /// The position in [`Plan::variables`](super::Plan::variables).
        variable: u32,
        /// The slot that shares the array.
        output: P,
    },
    /// Gives a variable a new value.
    Assign {
        /// The position in [`Plan::variables`](super::Plan::variables).
        variable: u32,
        /// The value.
        value: Source<P>,
        /// True if nothing needs the value afterwards: the slot's buffer becomes the variable's, and the other way round.
        dies: bool,
        /// Slots with values of the variable that nothing needs any more.
        released: Vec<P>,
    },
    /// Replaces what a variable holds by what an op or a chain makes of it: in place, if nobody else holds it.
    Update {
        /// The position in [`Plan::variables`](super::Plan::variables).
        variable: u32,
        /// The op or chain.
        change: Box<Change>,
        /// The operands; `None` is what the variable holds.
        inputs: Vec<Option<Source<P>>>,
        /// Slots with values of the variable that nothing needs any more.
        released: Vec<P>,
    },
    /// Fails the run if a boolean scalar is false.
    Assert {
        /// The boolean scalar.
        condition: Source<P>,
        /// What the error says.
        message: Box<Message>,
        /// The arrays that it shows.
        inputs: Vec<Source<P>>,
    },
}

/// What an [`Instruction::Update`] does.
#[derive(Clone, Debug)]
pub enum Change {
    /// An op, whose first operand is what the variable holds.
    Kernel(&'static OpDef, Attrs),
    /// A chain of elementwise ops.
    Fused(Arc<Fused>),
}

impl<P: Copy> Instruction<P> {
    /// Calls `f` with every source read and with every place written.
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
            Instruction::JumpIfFalse { condition, .. } => reads(*condition),
            Instruction::Assert {
                condition, inputs, ..
            } => {
                reads(*condition);
                inputs.iter().copied().for_each(reads);
            }
            Instruction::JumpTable { index, .. } => reads(*index),
            Instruction::Print { inputs, .. } => inputs.iter().copied().for_each(reads),
        }
    }

    /// Calls `f` with every place read and every place written.
    pub fn visit_places(&self, f: impl FnMut(Source<P>)) {
        let f = std::cell::RefCell::new(f);
        self.visit(
            |read| f.borrow_mut()(read),
            |slot| f.borrow_mut()(Source::Computed(slot)),
        );
    }

    /// True if all operands are read before anything is written, so that an output may take an operand's place.
    pub(super) fn reads_first(&self) -> bool {
        matches!(self, Instruction::Words(_))
    }

    /// The jump targets.
    pub(super) fn targets(&self) -> &[Target] {
        match self {
            Instruction::Jump(target)
            | Instruction::Repeat { head: target, .. }
            | Instruction::JumpIfFalse { target, .. } => std::slice::from_ref(target),
            Instruction::JumpTable { targets, .. } => targets,
            Instruction::Words(words) => words.targets(),
            _ => &[],
        }
    }

    /// The jump targets, to be changed.
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

    /// The instruction with another kind of places.
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
