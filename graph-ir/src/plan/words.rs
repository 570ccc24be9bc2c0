//! Word instructions: a region of scalars as one instruction of the plan. The region is lowered like a graph, its
//! registers are allocated like slots, and each step becomes one of a [`WordProgram`].

mod compile;
mod table;

use std::sync::Arc;

use graph_kernels::{Array, DType, KernelError, Register, Registers, WordFailure, WordProgram};
use smallvec::SmallVec;

pub(super) use self::compile::compile;
pub(super) use self::table::{Word, WordOp};
use super::scope::{Scope, ScopeKind, texts};
use super::{Slot, Source, Target};
use crate::error::{Error, Location};
use crate::graph::{Message, Shape, TensorType};
use crate::ops::OpDef;

/// A word program with the places that its values come from and go to.
#[derive(Clone, Debug)]
pub struct Words<P = Slot> {
    program: Arc<WordProgram>,
    /// The scalars read, and their registers.
    inputs: Vec<(Source<P>, Register)>,
    /// The arrays read value by value.
    arrays: Vec<Source<P>>,
    /// The scalars written, with their registers and dtypes.
    outputs: Vec<(P, Register, DType)>,
    /// A truth value, and where to go on if it is false.
    exit: Option<(Register, Target)>,
    /// Where each step came from.
    origins: Arc<[Origin]>,
    /// The loops and branches of the steps, inner ones first.
    scopes: Arc<[Scope]>,
}

/// What to say of a step that fails.
#[derive(Debug)]
struct Origin {
    location: Location,
    what: What,
}

#[derive(Debug)]
enum What {
    /// An op with the types of its operands.
    Op(&'static OpDef, SmallVec<[Operand; 3]>),
    /// An assertion with its message, and where the values stand that it shows.
    Assertion(Box<Message>, Vec<Shown>),
    /// Something that can't fail.
    Flow,
}

#[derive(Debug)]
enum Operand {
    Word(DType),
    /// An array, by its position in [`Words::arrays`].
    Array(usize),
}

impl Operand {
    fn word(&self) -> Word {
        match self {
            Operand::Word(dtype) => Word::Single(*dtype),
            Operand::Array(_) => Word::Row,
        }
    }
}

/// Where a value of a message stands when an assertion fails.
#[derive(Debug)]
enum Shown {
    Word(Register, DType),
    /// An array, by its position in [`Words::arrays`].
    Array(usize),
}

impl<P: Copy> Words<P> {
    /// Every source read.
    pub(super) fn sources(&self) -> impl Iterator<Item = Source<P>> {
        let words = self.inputs.iter().map(|(source, _)| *source);
        words.chain(self.arrays.iter().copied())
    }

    /// Every place written.
    pub(super) fn written(&self) -> impl Iterator<Item = P> {
        self.outputs.iter().map(|(place, ..)| *place)
    }

    /// The instruction with another kind of places.
    pub(super) fn map<Q>(self, place: impl Fn(P) -> Q) -> Words<Q> {
        let inputs = self.inputs.into_iter();
        let outputs = self.outputs.into_iter();
        let arrays = self.arrays.into_iter();
        Words {
            program: self.program,
            inputs: inputs
                .map(|(s, register)| (s.map(&place), register))
                .collect(),
            arrays: arrays.map(|s| s.map(&place)).collect(),
            outputs: outputs
                .map(|(p, register, dtype)| (place(p), register, dtype))
                .collect(),
            exit: self.exit,
            origins: self.origins,
            scopes: self.scopes,
        }
    }

    /// Makes the program go on elsewhere if its only output is false, instead of writing it. Its target is set later. Says
    /// whether it can.
    pub(super) fn leave_unless(&mut self, condition: Source<P>) -> bool
    where
        P: PartialEq,
    {
        match self.outputs[..] {
            [(place, register, DType::Bool)] if condition == Source::Computed(place) => {
                self.outputs.clear();
                self.exit = Some((register, 0));
                true
            }
            _ => false,
        }
    }

    /// Where to go on if the truth value that decides is false.
    pub(super) fn targets(&self) -> &[Target] {
        self.exit
            .as_ref()
            .map_or(&[], |(_, target)| std::slice::from_ref(target))
    }

    /// The target, to be changed.
    pub(super) fn targets_mut(&mut self) -> &mut [Target] {
        self.exit
            .as_mut()
            .map_or(&mut [], |(_, target)| std::slice::from_mut(target))
    }
}

impl Words {
    /// Where to go on after a run, if that isn't the next instruction.
    pub(crate) fn next(&self, registers: &Registers) -> Option<Target> {
        let (register, target) = self.exit?;
        (registers[usize::from(register)] & 1 == 0).then_some(target)
    }

    /// Runs the program on registers, which it finds in any state; `get` gives the array at a source.
    /// The number of its instructions is 0 if they aren't to be counted.
    pub(crate) fn run<'a, const COUNT: bool>(
        &self,
        registers: &mut Registers,
        get: impl Fn(Source) -> &'a Array,
    ) -> Result<u64, Error> {
        self.load(registers, &get)?;
        let mut arrays: SmallVec<[&Array; 4]> = SmallVec::new();
        for source in &self.arrays {
            arrays.push(get(*source));
        }
        let result = if COUNT {
            self.program.run_counting(registers, &arrays)
        } else {
            self.program.run(registers, &arrays).map(|()| 0)
        };
        result.map_err(|failure| {
            let step = failure.step;
            let error = self.error(failure, registers, &arrays);
            match self.load(registers, &get) {
                Ok(()) => error.within(self.around(step, registers, &arrays)),
                Err(_) => error,
            }
        })
    }

    /// Puts the scalars read into their registers.
    fn load<'a>(
        &self,
        registers: &mut Registers,
        get: &impl Fn(Source) -> &'a Array,
    ) -> Result<(), Error> {
        for (source, register) in &self.inputs {
            let array = get(*source);
            registers[usize::from(*register)] = array.to_word().ok_or_else(|| {
                let ty = TensorType::of_array(array);
                let location = self.origins.first().map(|origin| origin.location.clone());
                Error::run(
                    format!("a {ty} where a scalar belongs"),
                    location.unwrap_or_else(Location::unknown),
                )
            })?;
        }
        Ok(())
    }

    /// What a step that failed is in. Programs don't count iterations, which would cost as much as what they do in one; so
    /// this one, which has no effects, runs once more to the same end.
    #[cold]
    fn around(&self, step: usize, registers: &mut Registers, arrays: &[&Array]) -> Vec<String> {
        let mut iterations = vec![0; self.scopes.len()];
        let mut before = usize::MAX;
        let mut tell = |now: usize| {
            // Only loops jump back, from wherever a branch of the body ends: the innermost one around both places does.
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
        // It fails as before, which is known.
        let _ = self.program.run_telling(registers, arrays, &mut tell);
        let around = self.scopes.iter().zip(iterations);
        texts(around.filter(|(scope, _)| scope.range.contains(&step)))
    }

    /// Each slot written, with its value and dtype.
    pub(crate) fn results(
        &self,
        registers: &Registers,
    ) -> impl Iterator<Item = (Slot, DType, u64)> {
        let value = |register: Register| registers[usize::from(register)];
        self.outputs
            .iter()
            .map(move |(slot, register, dtype)| (*slot, *dtype, value(*register)))
    }

    /// The value of a slot written, and its dtype.
    pub(crate) fn result(&self, slot: Slot, registers: &Registers) -> Option<(DType, u64)> {
        self.results(registers)
            .find_map(|(written, dtype, word)| (written == slot).then_some((dtype, word)))
    }

    #[cold]
    fn error(&self, failure: WordFailure, registers: &Registers, arrays: &[&Array]) -> Error {
        let Origin { location, what } = &self.origins[failure.step];
        let message = match what {
            What::Op(op, operands) => {
                let types = operands.iter().map(|operand| match operand {
                    Operand::Word(dtype) => TensorType::new(*dtype, Shape::scalar()),
                    Operand::Array(n) => TensorType::of_array(arrays[*n]),
                });
                let unknown = || KernelError::Value("failed".to_owned());
                op.failure(&failure.error.unwrap_or_else(unknown), types)
            }
            What::Assertion(message, shown) => {
                let value = |shown: &Shown| match shown {
                    Shown::Array(n) => Array::clone(arrays[*n]),
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
