//! Word instructions: a region of scalars as one instruction of the plan. The region is lowered like a graph, its
//! registers are allocated like slots, and each step becomes one of a [`WordProgram`].

use std::sync::Arc;

use graph_kernels::{
    Array, DType, ElementOp, KernelError, REGISTERS, Register, Registers, WordFailure, WordProgram,
    WordStep,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::allocate::{Allocation, allocate};
use super::lower::{Code, Step};
use super::moves::in_order;
use super::scope::{Scope, texts};
use super::{Instruction, Slot, Source, Target};
use crate::error::{Error, Location};
use crate::graph::{Message, Shape, TensorType};
use crate::ops::{self, OpDef};

/// A word program with the places that its values come from and go to.
#[derive(Clone, Debug)]
pub struct Words {
    program: Arc<WordProgram>,
    /// The scalars read, and their registers.
    inputs: Vec<(Source, Register)>,
    /// The arrays read value by value.
    arrays: Vec<Source>,
    /// The scalars written, with their registers and dtypes.
    outputs: Vec<(Slot, Register, DType)>,
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

/// Where a value of a message stands when an assertion fails.
#[derive(Debug)]
enum Shown {
    Word(Register, DType),
    /// An array, by its position in [`Words::arrays`].
    Array(usize),
}

impl Words {
    /// Every source read.
    pub(super) fn sources(&self) -> impl Iterator<Item = Source> {
        let words = self.inputs.iter().map(|(source, _)| *source);
        words.chain(self.arrays.iter().copied())
    }

    /// Every slot written.
    pub(super) fn slots(&self) -> impl Iterator<Item = Slot> {
        self.outputs.iter().map(|(slot, ..)| *slot)
    }

    /// Replaces every source read and every slot written.
    pub(super) fn map(&mut self, source: impl Fn(Source) -> Source, slot: impl Fn(Slot) -> Slot) {
        let words = self.inputs.iter_mut().map(|(source, _)| source);
        for read in words.chain(&mut self.arrays) {
            *read = source(*read);
        }
        for (written, ..) in &mut self.outputs {
            *written = slot(*written);
        }
    }

    /// Makes the program go on elsewhere if its only output is false, instead of writing it. Its target is set later. Says
    /// whether it can.
    pub(super) fn leave_unless(&mut self, condition: Source) -> bool {
        match self.outputs[..] {
            [(slot, register, DType::Bool)] if condition == Source::Slot(slot) => {
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
            for (scope, iteration) in self.scopes.iter().zip(&mut iterations) {
                if !scope.range.contains(&now) {
                    continue;
                }
                if !scope.range.contains(&before) {
                    *iteration = 1;
                } else if before + 1 == scope.range.end {
                    *iteration += 1;
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

    /// The listing: what is written, from what, and how many instructions there are.
    pub(super) fn len(&self) -> usize {
        self.origins.len()
    }
}

/// The word program of some code, or `None` if it doesn't fit into one.
pub(super) fn compile(code: &Code, inputs: &[(Source, TensorType)]) -> Option<Compiled> {
    let allocation = allocate(code);
    let jumped_to = code.steps.iter().filter_map(|step| match step {
        Step::Do(instruction) => Some(instruction.targets()),
        Step::Moves(_) => None,
    });
    let mut compiler = Compiler {
        code,
        jumped_to: jumped_to.flatten().map(|t| *t as usize).collect(),
        places: Places::new(&allocation, inputs)?,
        allocation: &allocation,
        steps: Vec::new(),
        origins: Vec::new(),
        comparison: None,
    };
    let mut starts = Vec::with_capacity(code.steps.len() + 1);
    for position in 0..code.steps.len() {
        starts.push(compiler.steps.len());
        compiler.step(position)?;
    }
    starts.push(compiler.steps.len());
    let Compiler {
        mut steps,
        origins,
        places,
        ..
    } = compiler;
    for target in steps.iter_mut().flat_map(WordStep::targets_mut) {
        *target = starts[*target];
    }
    let constants: Vec<(Register, u64)> = places.constants.iter().map(|(w, r)| (*r, *w)).collect();
    let words = Words {
        program: Arc::new(WordProgram::new(&steps, &constants)?),
        inputs: places.inputs.values().copied().collect(),
        arrays: places.arrays,
        outputs: Vec::new(),
        exit: None,
        origins: origins.into(),
        scopes: code.scopes.iter().map(|s| s.mapped(&starts)).collect(),
    };
    Some(Compiled { words, allocation })
}

/// A word program whose outputs have no slots yet.
pub(super) struct Compiled {
    words: Words,
    allocation: Allocation,
}

impl Compiled {
    /// The instruction, with outputs: a slot of the plan, the register of the region's code, and the dtype.
    pub fn with_outputs(mut self, outputs: &[(Slot, Slot, DType)]) -> Words {
        let register = |slot: Slot| self.allocation.slot(slot).0 as Register;
        let outputs = outputs
            .iter()
            .map(|(slot, inner, dtype)| (*slot, register(*inner), *dtype));
        self.words.outputs = outputs.collect();
        self.words
    }
}

/// Where the values of the code are.
struct Places<'a> {
    given: &'a [(Source, TensorType)],
    /// Input of the code → its source in the plan and its register.
    inputs: FxHashMap<u32, (Source, Register)>,
    /// Input of the code → its position among the arrays.
    array_numbers: FxHashMap<u32, usize>,
    arrays: Vec<Source>,
    /// Word → register.
    constants: FxHashMap<u64, Register>,
    /// The first register that isn't in use.
    next: usize,
}

impl<'a> Places<'a> {
    fn new(allocation: &Allocation, given: &'a [(Source, TensorType)]) -> Option<Places<'a>> {
        (allocation.dtypes.len() <= REGISTERS).then(|| Places {
            given,
            inputs: FxHashMap::default(),
            array_numbers: FxHashMap::default(),
            arrays: Vec::new(),
            constants: FxHashMap::default(),
            next: allocation.dtypes.len(),
        })
    }

    fn take(next: &mut usize) -> Option<Register> {
        let register = Register::try_from(*next).ok()?;
        *next += 1;
        Some(register)
    }

    fn input(&mut self, input: u32) -> Option<Register> {
        if let Some((_, register)) = self.inputs.get(&input) {
            return Some(*register);
        }
        let register = Self::take(&mut self.next)?;
        self.inputs
            .insert(input, (self.given[input as usize].0, register));
        Some(register)
    }

    fn constant(&mut self, array: &Array) -> Option<Register> {
        let word = array.to_word()?;
        if let Some(register) = self.constants.get(&word) {
            return Some(*register);
        }
        let register = Self::take(&mut self.next)?;
        self.constants.insert(word, register);
        Some(register)
    }

    fn array(&mut self, input: u32) -> usize {
        let arrays = &mut self.arrays;
        *self.array_numbers.entry(input).or_insert_with(|| {
            arrays.push(self.given[input as usize].0);
            arrays.len() - 1
        })
    }
}

struct Compiler<'a> {
    code: &'a Code,
    /// The positions that are jumped to.
    jumped_to: FxHashSet<usize>,
    allocation: &'a Allocation,
    places: Places<'a>,
    steps: Vec<WordStep>,
    origins: Vec<Origin>,
    /// A comparison that the next step, which jumps by it, carries out.
    comparison: Option<(ElementOp, DType, [Register; 2])>,
}

impl Compiler<'_> {
    fn register(&mut self, source: Source) -> Option<Register> {
        match source {
            Source::Slot(slot) => Some(self.allocation.slot(slot).0 as Register),
            Source::Input(input) => self.places.input(input),
            Source::Constant(constant) => self
                .places
                .constant(&self.code.constants[constant as usize]),
        }
    }

    fn dtype(&self, source: Source) -> DType {
        match source {
            Source::Slot(slot) => self.code.registers[slot.index()].dtype,
            Source::Input(input) => self.places.given[input as usize].1.dtype,
            Source::Constant(constant) => self.code.constants[constant as usize].dtype(),
        }
    }

    fn emit(&mut self, position: usize, what: What, step: WordStep) {
        self.origins.push(Origin {
            location: self.code.locations[position].clone(),
            what,
        });
        self.steps.push(step);
    }

    fn step(&mut self, position: usize) -> Option<()> {
        let step = match &self.code.steps[position] {
            Step::Moves(moves) => {
                for instruction in in_order(moves, self.allocation, position) {
                    let step = self.moved(&instruction)?;
                    self.emit(position, What::Flow, step);
                }
                return Some(());
            }
            Step::Do(Instruction::Kernel {
                op,
                attrs,
                inputs,
                output,
                ..
            }) => {
                let element = (op.element)(attrs);
                return self.kernel(position, op, element, inputs, *output);
            }
            Step::Do(Instruction::Assert {
                condition,
                message,
                inputs,
            }) => {
                let step = WordStep::Assert(self.register(*condition)?);
                let shown: Option<Vec<Shown>> = inputs.iter().map(|s| self.shown(*s)).collect();
                self.emit(position, What::Assertion(message.clone(), shown?), step);
                return Some(());
            }
            Step::Do(Instruction::Jump(target) | Instruction::Repeat { head: target, .. }) => {
                WordStep::Jump(*target as usize)
            }
            Step::Do(Instruction::JumpIfFalse { condition, target }) => {
                let target = *target as usize;
                match self.comparison.take() {
                    Some((op, dtype, operands)) => WordStep::UnlessHolds {
                        op,
                        dtype,
                        operands,
                        target,
                    },
                    None => WordStep::Unless {
                        condition: self.register(*condition)?,
                        target,
                    },
                }
            }
            Step::Do(Instruction::JumpTable { index, targets }) => WordStep::Switch {
                index: self.register(*index)?,
                targets: targets.iter().map(|t| *t as usize).collect(),
            },
            Step::Do(_) => return None,
        };
        self.emit(position, What::Flow, step);
        Some(())
    }

    /// Where an assertion finds a value that it shows.
    fn shown(&mut self, source: Source) -> Option<Shown> {
        match source {
            Source::Input(input) if self.places.given[input as usize].1.shape.rank() != Some(0) => {
                Some(Shown::Array(self.places.array(input)))
            }
            source => Some(Shown::Word(self.register(source)?, self.dtype(source))),
        }
    }

    /// A copy or a swap.
    fn moved(&mut self, instruction: &Instruction) -> Option<WordStep> {
        // These are final already: their slots are registers.
        Some(match instruction {
            Instruction::Copy { to, from } => {
                let from = match from {
                    Source::Slot(slot) => slot.0 as Register,
                    other => self.register(*other)?,
                };
                WordStep::Move {
                    to: to.0 as Register,
                    from,
                }
            }
            Instruction::Swap(a, b) => WordStep::Swap(a.0 as Register, b.0 as Register),
            _ => return None,
        })
    }

    fn kernel(
        &mut self,
        position: usize,
        op: &'static OpDef,
        element: Option<ElementOp>,
        inputs: &[Source],
        output: Slot,
    ) -> Option<()> {
        let to = self.register(Source::Slot(output))?;
        if *op == ops::INDEX {
            let [Source::Input(array), index] = inputs else {
                return None;
            };
            let (number, dtype) = (self.places.array(*array), self.dtype(*index));
            let step = WordStep::Read {
                array: u8::try_from(number).ok()?,
                index: self.register(*index)?,
                dtype,
                to,
            };
            let operands = [Operand::Array(number), Operand::Word(dtype)];
            self.emit(position, What::Op(op, operands.into_iter().collect()), step);
            return Some(());
        }
        let operands: Option<SmallVec<[Register; 3]>> =
            inputs.iter().map(|source| self.register(*source)).collect();
        let operands = operands?;
        let Some(element) = element else {
            // A scalar whose shape is checked is a scalar.
            self.emit(
                position,
                What::Flow,
                WordStep::Move {
                    to,
                    from: operands[0],
                },
            );
            return Some(());
        };
        let dtypes: SmallVec<[DType; 3]> = inputs.iter().map(|s| self.dtype(*s)).collect();
        let dtype = *dtypes.last()?;
        if self.only_jumps(position, output) && element.is_test(dtype) {
            self.comparison = Some((element, dtype, [operands[0], operands[1]]));
            return Some(());
        }
        let words = dtypes.iter().map(|dtype| Operand::Word(*dtype)).collect();
        let step = WordStep::Apply {
            op: element,
            dtype,
            operands,
            to,
        };
        self.emit(position, What::Op(op, words), step);
        Some(())
    }

    /// True if all that is done with the value of the step at this position is to jump by it in the next one.
    fn only_jumps(&self, position: usize, output: Slot) -> bool {
        let next = position + 1;
        let jumps = matches!(self.code.steps.get(next),
            Some(Step::Do(Instruction::JumpIfFalse { condition, .. })) if *condition == Source::Slot(output));
        jumps
            && !self.jumped_to.contains(&next)
            && self.allocation.dies_at(Source::Slot(output), next)
    }
}
