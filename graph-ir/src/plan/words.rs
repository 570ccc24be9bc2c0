//! Word instructions: a region of scalars as one instruction of the plan. The region is lowered like a graph, its registers are
//! allocated like those of a graph, and each of its instructions becomes a step of a [`WordProgram`].

mod bound;
mod compile;
mod device;
mod lists;
mod table;

use std::sync::Arc;

use graph_kernels::{
    Array, DType, KernelError, List, Memory, Register, Registers, WordFailure, WordProgram,
};
use smallvec::SmallVec;

pub(super) use self::compile::{Given, Kind, compile};
pub use self::device::WordOutput;
pub use self::lists::WrittenList;
pub(super) use self::table::{ELEMENT, Word, WordOp};
use super::scope::{Scope, ScopeKind, texts};
use super::{Slot, Source, Target};
use crate::error::{Error, Location};
use crate::graph::{Message, Shape, TensorType};
use crate::ops::OpDef;

/// A word program with the sources of its inputs and the slots of its outputs; before allocation, `P` is a register of the plan.
#[derive(Clone, Debug)]
pub struct Words<P = Slot> {
    program: Arc<WordProgram>,
    /// The scalars and elements of small tensors that are read, and the machine registers they are loaded into.
    inputs: Vec<(Source<P>, Option<usize>, Register)>,
    /// The arrays that are read one value at a time.
    arrays: Vec<Source<P>>,
    /// The scalars that are written: their slots, machine registers and dtypes.
    outputs: Vec<(P, Register, DType)>,
    /// The small tensors that are written.
    tensors: Vec<SmallTensor<P>>,
    /// The lists, which are read and written.
    lists: Vec<WrittenList<P>>,
    /// The register of a boolean, and the jump target if it is false.
    exit: Option<(Register, Target)>,
    /// The origin of each step, for errors.
    origins: Arc<[Origin]>,
    /// The loops and branches that the steps came from, inner ones first.
    scopes: Arc<[Scope]>,
}

/// A small tensor that a word program has in registers.
#[derive(Clone, Debug)]
pub struct SmallTensor<P> {
    place: P,
    dtype: DType,
    shape: SmallVec<[usize; 4]>,
    /// Its elements, row-major.
    registers: SmallVec<[Register; 4]>,
}

/// What an error says about a step that fails.
#[derive(Debug)]
struct Origin {
    location: Location,
    what: What,
}

#[derive(Debug)]
enum What {
    /// An op with the types of its operands.
    Op(&'static OpDef, SmallVec<[Operand; 3]>),
    /// An assertion with its message, and where to find the values that the message shows.
    Assertion(Box<Message>, Vec<Shown>),
    /// A step that can't fail.
    Flow,
}

#[derive(Debug)]
enum Operand {
    Word(DType),
    /// An array, by its position in [`Words::arrays`].
    Array(usize),
    /// A list, by its position in [`Words::lists`].
    List(usize),
    /// A row that is written to a list.
    Row(usize),
}

impl Operand {
    fn word(&self) -> Word {
        match self {
            Operand::Word(dtype) => Word::Single(*dtype),
            Operand::Array(_) | Operand::List(_) | Operand::Row(_) => Word::Rows,
        }
    }
}

/// Where to find a value of an assertion's message when the assertion fails.
#[derive(Debug)]
enum Shown {
    Word(Register, DType),
    /// An array, by its position in [`Words::arrays`].
    Array(usize),
}

impl<P: Copy> Words<P> {
    /// Every source read.
    pub(super) fn sources(&self) -> impl Iterator<Item = Source<P>> {
        let words = self.inputs.iter().map(|(source, ..)| *source);
        let lists = self.lists.iter().map(|list| Source::Computed(list.place));
        words.chain(self.arrays.iter().copied()).chain(lists)
    }

    /// Every slot written.
    pub(super) fn written(&self) -> impl Iterator<Item = P> {
        let tensors = self.tensors.iter().map(|tensor| tensor.place);
        let lists = self.lists.iter().map(|list| list.place);
        let outputs = self.outputs.iter().map(|(place, ..)| *place);
        outputs.chain(tensors).chain(lists)
    }

    /// Replaces registers by slots.
    pub(super) fn map<Q>(self, place: impl Fn(P) -> Q) -> Words<Q> {
        let inputs = self.inputs.into_iter();
        let outputs = self.outputs.into_iter();
        let arrays = self.arrays.into_iter();
        let tensors = self.tensors.into_iter();
        let lists = self.lists.into_iter();
        Words {
            program: self.program,
            inputs: inputs
                .map(|(s, element, register)| (s.map(&place), element, register))
                .collect(),
            arrays: arrays.map(|s| s.map(&place)).collect(),
            outputs: outputs
                .map(|(p, register, dtype)| (place(p), register, dtype))
                .collect(),
            tensors: tensors.map(|tensor| tensor.map(&place)).collect(),
            lists: lists.map(|list| list.map(&place)).collect(),
            exit: self.exit,
            origins: self.origins,
            scopes: self.scopes,
        }
    }

    /// Makes the instruction jump if its only output is false; the output isn't written any more. The target is set later. Returns
    /// false, and changes nothing, if `condition` isn't the only output.
    pub(super) fn leave_unless(&mut self, condition: Source<P>) -> bool
    where
        P: PartialEq,
    {
        match self.outputs[..] {
            [(place, register, DType::Bool)]
                if self.tensors.is_empty()
                    && self.lists.is_empty()
                    && condition == Source::Computed(place) =>
            {
                self.outputs.clear();
                self.exit = Some((register, 0));
                true
            }
            _ => false,
        }
    }

    /// The jump target, if there is one.
    pub(super) fn targets(&self) -> &[Target] {
        self.exit
            .as_ref()
            .map_or(&[], |(_, target)| std::slice::from_ref(target))
    }

    /// The jump target, mutable.
    pub(super) fn targets_mut(&mut self) -> &mut [Target] {
        self.exit
            .as_mut()
            .map_or(&mut [], |(_, target)| std::slice::from_mut(target))
    }
}

impl<P> SmallTensor<P> {
    fn map<Q>(self, place: impl Fn(P) -> Q) -> SmallTensor<Q> {
        SmallTensor {
            place: place(self.place),
            dtype: self.dtype,
            shape: self.shape,
            registers: self.registers,
        }
    }
}

impl SmallTensor<Slot> {
    /// The slot that is written.
    pub(crate) fn slot(&self) -> Slot {
        self.place
    }

    /// Writes the elements to an array.
    pub(crate) fn write(&self, registers: &Registers, to: &mut Array) -> Result<(), KernelError> {
        let words = self.registers.iter().map(|r| registers[usize::from(*r)]);
        to.set_words(self.dtype, &self.shape, words)
    }
}

impl<P> Words<P> {
    /// True if the program has become machine code.
    pub(super) fn has_code(&self) -> bool {
        self.program.has_code()
    }
}

impl Words {
    /// The jump target after a run, or `None` to continue at the next instruction.
    pub(crate) fn next(&self, registers: &Registers) -> Option<Target> {
        let (register, target) = self.exit?;
        (registers[usize::from(register)] & 1 == 0).then_some(target)
    }

    /// Runs the program. The registers may hold anything before; `get` returns the array at a source, and `lists` are the lists, taken
    /// out of their slots. Returns the number of executed steps, which is 0 unless they are counted.
    pub(crate) fn run<'a, const COUNT: bool>(
        &self,
        registers: &mut Registers,
        get: impl Fn(Source) -> &'a Array,
        lists: &mut [List],
    ) -> Result<u64, Error> {
        self.load(registers, &get)?;
        let mut arrays: SmallVec<[&Array; 4]> = SmallVec::new();
        for source in &self.arrays {
            arrays.push(get(*source));
        }
        let mut memory = Memory {
            arrays: &arrays,
            lists,
        };
        let result = if COUNT {
            self.program.run_counting(registers, &mut memory)
        } else {
            self.program.run_in(registers, &mut memory).map(|()| 0)
        };
        result.map_err(|failure| {
            let step = failure.step;
            let error = self.error(failure, registers, &memory);
            match self.load(registers, &get) {
                Ok(()) => error.within(self.around(step, registers, &mut memory)),
                Err(_) => error,
            }
        })
    }

    /// Loads the scalars that are read into their registers.
    fn load<'a>(
        &self,
        registers: &mut Registers,
        get: &impl Fn(Source) -> &'a Array,
    ) -> Result<(), Error> {
        for (source, element, register) in &self.inputs {
            let array = get(*source);
            let word = match element {
                // Only an undefined value is empty where a value of a known size belongs, and no step that runs uses its elements.
                _ if array.is_empty() => Some(0),
                None => array.to_word(),
                Some(element) => array.word_at(*element),
            };
            registers[usize::from(*register)] = word.ok_or_else(|| {
                let ty = TensorType::of_array(array);
                let location = self.origins.first().map(|origin| origin.location.clone());
                Error::run(
                    format!("a {ty} where another value belongs"),
                    location.unwrap_or_else(Location::unknown),
                )
            })?;
        }
        Ok(())
    }

    /// The scopes of a step that failed. Programs don't count iterations, because in a small loop the count would cost as much as the loop.
    /// A program has no effects but rows of lists, which it writes again, so it runs a second time to count them, and fails at the same step.
    #[cold]
    fn around(
        &self,
        step: usize,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
    ) -> Vec<String> {
        let mut iterations = vec![0; self.scopes.len()];
        let mut before = usize::MAX;
        let mut tell = |now: usize| {
            // Only loops jump backwards, perhaps from the end of a branch in the body: the jump belongs to the innermost loop around both positions.
            let mut turns = now <= before;
            for (scope, iteration) in self.scopes.iter().zip(&mut iterations) {
                if !scope.range.contains(&now) {
                    continue;
                }
                if !scope.range.contains(&before) {
                    *iteration = 1;
                } else if turns && matches!(scope.kind, ScopeKind::Loop(_)) {
                    *iteration += 1;
                    turns = false;
                }
            }
            before = now;
        };
        // The error is the same as before, so it is ignored.
        let _ = self.program.run_telling(registers, memory, &mut tell);
        let around = self.scopes.iter().zip(iterations);
        texts(around.filter(|(scope, _)| scope.range.contains(&step)))
    }

    /// Each written slot, with the dtype and the value.
    pub(crate) fn results(
        &self,
        registers: &Registers,
    ) -> impl Iterator<Item = (Slot, DType, u64)> {
        let value = |register: Register| registers[usize::from(register)];
        self.outputs
            .iter()
            .map(move |(slot, register, dtype)| (*slot, *dtype, value(*register)))
    }

    /// The small tensors that are written.
    pub(crate) fn tensors(&self) -> &[SmallTensor<Slot>] {
        &self.tensors
    }

    /// The lists that are written.
    pub(crate) fn lists(&self) -> &[WrittenList<Slot>] {
        &self.lists
    }

    /// The value of a written slot.
    pub(crate) fn result(&self, slot: Slot, registers: &Registers) -> Option<Array> {
        let mut scalars = self.results(registers);
        if let Some((_, dtype, word)) = scalars.find(|(written, ..)| *written == slot) {
            return Some(Array::of_word(dtype, word));
        }
        let tensor = self.tensors.iter().find(|tensor| tensor.place == slot)?;
        let mut array = Array::default();
        tensor.write(registers, &mut array).ok()?;
        Some(array)
    }

    #[cold]
    fn error(&self, failure: WordFailure, registers: &Registers, memory: &Memory<'_>) -> Error {
        let Origin { location, what } = &self.origins[failure.step];
        let message = match what {
            What::Op(op, operands) => {
                let types = operands.iter().map(|operand| match operand {
                    Operand::Word(dtype) => TensorType::new(*dtype, Shape::scalar()),
                    Operand::Array(n) => TensorType::of_array(memory.arrays[*n]),
                    Operand::List(n) => lists::of_list(&memory.lists[*n]),
                    Operand::Row(n) => lists::of_row(&memory.lists[*n]),
                });
                let unknown = || KernelError::Value("failed".to_owned());
                op.failure(&failure.error.unwrap_or_else(unknown), types)
            }
            What::Assertion(message, shown) => {
                let value = |shown: &Shown| match shown {
                    Shown::Array(n) => Array::clone(memory.arrays[*n]),
                    Shown::Word(register, dtype) => {
                        let mut array = Array::default();
                        array.set_word(*dtype, registers[usize::from(*register)]);
                        array
                    }
                };
                let values: Vec<Array> = shown.iter().map(value).collect();
                message.fill(&values)
            }
            What::Flow => "a jump failed".to_owned(),
        };
        Error::run(message, location.clone())
    }

    /// How many steps the program has.
    pub(super) fn len(&self) -> usize {
        self.origins.len()
    }
}
