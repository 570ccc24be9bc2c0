//! Compiles the code of a region to a word program: assigns machine registers to its values, and makes a step of each instruction.

use std::sync::Arc;

use graph_kernels::{
    Array, DType, Dims, ElementOp, REGISTERS, Register as WordRegister, Rows, WordProgram, WordStep,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::{Operand, Origin, Shown, SmallTensor, What, Word, WordOp, Words, WrittenList};
use crate::graph::TensorType;
use crate::ops::{Attrs, OpDef};
use crate::plan::allocate::{Allocation, allocate};
use crate::plan::lower::{Code, CodeStep};
use crate::plan::moves::in_order;
use crate::plan::{Instruction, Register, Slot, Source};

/// An input of a region's code.
pub(in crate::plan) struct Given {
    pub source: Source<Register>,
    pub kind: Kind,
}

/// What an input of a region's code is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::plan) enum Kind {
    /// A scalar, or an element of a small tensor.
    Single(DType, Option<usize>),
    /// An array of which values are read.
    Rows,
    /// A list that is written. Lists have numbers in the order of the inputs.
    List,
}

impl Kind {
    /// What a value of a type is; `None` if no word program can read it.
    pub fn of(ty: &TensorType) -> Option<Kind> {
        Some(match Word::of(ty)? {
            Word::Single(dtype) => Kind::Single(dtype, None),
            Word::Rows => Kind::Rows,
        })
    }
}

/// The word program of some code, or `None` if it doesn't fit into one.
pub(in crate::plan) fn compile(code: &Code, inputs: &[Given]) -> Option<Compiled> {
    let allocation = allocate(code);
    let jumped_to = code.steps.iter().filter_map(|step| match step {
        CodeStep::Do(instruction) => Some(instruction.targets()),
        CodeStep::Moves(_) => None,
    });
    let mut compiler = Compiler {
        code,
        jumped_to: jumped_to.flatten().map(|t| *t as usize).collect(),
        inputs: Inputs::new(&allocation, inputs)?,
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
    let outputs = code.outputs.iter();
    let outputs: Vec<WordRegister> = outputs
        .map(|s| compiler.register(*s))
        .collect::<Option<_>>()?;
    let Compiler {
        mut steps,
        origins,
        inputs,
        ..
    } = compiler;
    for target in steps.iter_mut().flat_map(WordStep::targets_mut) {
        *target = starts[*target];
    }
    let constants: Vec<(WordRegister, u64)> =
        inputs.constants.iter().map(|(w, r)| (*r, *w)).collect();
    let results = code.outputs.iter().filter_map(|output| match output {
        Source::Computed(register) => {
            let dtype = code.contents[register.index()].dtype;
            Some((word(allocation.slot(*register)), dtype))
        }
        Source::Input(_) | Source::Constant(_) => None,
    });
    let results: Vec<(WordRegister, DType)> = results.collect();
    let words = Words {
        program: Arc::new(WordProgram::with_results(&steps, &constants, &results)?),
        inputs: inputs.scalars.values().copied().collect(),
        arrays: inputs.arrays,
        outputs: Vec::new(),
        tensors: Vec::new(),
        lists: Vec::new(),
        exit: None,
        origins: origins.into(),
        scopes: code.scopes.iter().map(|s| s.mapped(&starts)).collect(),
    };
    Some(Compiled {
        words,
        allocation,
        outputs,
    })
}

/// A word program whose outputs aren't connected to registers of the plan yet.
pub(in crate::plan) struct Compiled {
    words: Words<Register>,
    allocation: Allocation,
    /// The machine registers of the code's outputs.
    outputs: Vec<WordRegister>,
}

impl Compiled {
    /// The instruction, whose outputs are the values of these registers of the plan, one after the other. Of a small tensor each element is an
    /// output of the code. `lists` are the registers of the lists, with their dtypes and the shapes of their rows.
    pub fn with_tensors(
        mut self,
        values: &[(Register, TensorType)],
        lists: impl Iterator<Item = (Register, DType, Dims)>,
    ) -> Option<Words<Register>> {
        let list = |(place, dtype, row)| WrittenList { place, dtype, row };
        self.words.lists = lists.map(list).collect();
        let mut outputs = self.outputs.into_iter();
        for (place, ty) in values {
            let shape: SmallVec<[usize; 4]> = ty.shape.to_known()?;
            let registers: SmallVec<[WordRegister; 4]> =
                outputs.by_ref().take(shape.iter().product()).collect();
            match (shape.is_empty(), &registers[..]) {
                (true, [register]) => self.words.outputs.push((*place, *register, ty.dtype)),
                _ => self.words.tensors.push(SmallTensor {
                    place: *place,
                    dtype: ty.dtype,
                    shape,
                    registers,
                }),
            }
        }
        Some(self.words)
    }

    /// The instruction with its outputs: for each, the register of the plan, the register in the region's code, and the dtype.
    pub fn with_outputs(mut self, outputs: &[(Register, Register, DType)]) -> Words<Register> {
        let word = |inner: Register| word(self.allocation.slot(inner));
        let outputs = outputs
            .iter()
            .map(|(outer, inner, dtype)| (*outer, word(*inner), *dtype));
        self.words.outputs = outputs.collect();
        self.words
    }
}

/// The machine register for a slot of the region's code.
fn word(slot: Slot) -> WordRegister {
    slot.0 as WordRegister
}

/// Where the inputs and constants of the code are.
struct Inputs<'a> {
    given: &'a [Given],
    /// For each scalar input of the code, its source in the plan, its element there, and its machine register.
    scalars: FxHashMap<u32, (Source<Register>, Option<usize>, WordRegister)>,
    /// For each array input of the code, its position among the arrays.
    array_numbers: FxHashMap<u32, usize>,
    arrays: Vec<Source<Register>>,
    /// For each constant, its machine register.
    constants: FxHashMap<u64, WordRegister>,
    /// The first register that isn't in use.
    next: usize,
}

impl<'a> Inputs<'a> {
    fn new(allocation: &Allocation, given: &'a [Given]) -> Option<Inputs<'a>> {
        (allocation.dtypes.len() <= REGISTERS).then(|| Inputs {
            given,
            scalars: FxHashMap::default(),
            array_numbers: FxHashMap::default(),
            arrays: Vec::new(),
            constants: FxHashMap::default(),
            next: allocation.dtypes.len(),
        })
    }

    fn take(next: &mut usize) -> Option<WordRegister> {
        let register = WordRegister::try_from(*next).ok()?;
        *next += 1;
        Some(register)
    }

    fn input(&mut self, input: u32) -> Option<WordRegister> {
        if let Some((.., register)) = self.scalars.get(&input) {
            return Some(*register);
        }
        let register = Self::take(&mut self.next)?;
        let Given { source, kind } = self.given[input as usize];
        let Kind::Single(_, element) = kind else {
            return None;
        };
        self.scalars.insert(input, (source, element, register));
        Some(register)
    }

    fn constant(&mut self, array: &Array) -> Option<WordRegister> {
        let word = array.to_word()?;
        if let Some(register) = self.constants.get(&word) {
            return Some(*register);
        }
        let register = Self::take(&mut self.next)?;
        self.constants.insert(word, register);
        Some(register)
    }

    /// The number of a list.
    fn list(&self, input: u32) -> usize {
        let before = self.given[..input as usize].iter();
        before.filter(|given| given.kind == Kind::List).count()
    }

    fn array(&mut self, input: u32) -> usize {
        let arrays = &mut self.arrays;
        *self.array_numbers.entry(input).or_insert_with(|| {
            arrays.push(self.given[input as usize].source);
            arrays.len() - 1
        })
    }
}

struct Compiler<'a> {
    code: &'a Code,
    /// The positions that are jump targets.
    jumped_to: FxHashSet<usize>,
    allocation: &'a Allocation,
    inputs: Inputs<'a>,
    steps: Vec<WordStep>,
    origins: Vec<Origin>,
    /// A comparison that is merged into the next step, which is a jump on its result.
    comparison: Option<(ElementOp, DType, [WordRegister; 2])>,
}

impl Compiler<'_> {
    fn register(&mut self, source: Source<Register>) -> Option<WordRegister> {
        self.allocated(self.allocation.source(source))
    }

    fn allocated(&mut self, source: Source) -> Option<WordRegister> {
        match source {
            Source::Computed(slot) => Some(word(slot)),
            Source::Input(input) => self.inputs.input(input),
            Source::Constant(constant) => self
                .inputs
                .constant(&self.code.constants[constant as usize]),
        }
    }

    /// The kind of operand that an op or a message reads at a source. Everything that a program computes is a scalar.
    fn operand(&mut self, source: Source<Register>) -> Option<Operand> {
        Some(match source {
            Source::Computed(register) => Operand::Word(self.code.contents[register.index()].dtype),
            Source::Constant(constant) => {
                Operand::Word(self.code.constants[constant as usize].dtype())
            }
            Source::Input(input) => match self.inputs.given[input as usize].kind {
                Kind::Single(dtype, _) => Operand::Word(dtype),
                Kind::Rows => Operand::Array(self.inputs.array(input)),
                Kind::List => Operand::List(self.inputs.list(input)),
            },
        })
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
            CodeStep::Moves(moves) => {
                for instruction in in_order(moves, self.allocation, position) {
                    let step = self.moved(&instruction)?;
                    self.emit(position, What::Flow, step);
                }
                return Some(());
            }
            CodeStep::Do(Instruction::Kernel {
                op,
                attrs,
                inputs,
                output,
                ..
            }) => {
                return self.kernel(position, op, attrs, inputs, *output);
            }
            CodeStep::Do(Instruction::Assert {
                condition,
                message,
                inputs,
            }) => {
                let step = WordStep::Assert(self.register(*condition)?);
                let shown: Option<Vec<Shown>> = inputs.iter().map(|s| self.shown(*s)).collect();
                self.emit(position, What::Assertion(message.clone(), shown?), step);
                return Some(());
            }
            CodeStep::Do(
                Instruction::Jump(target)
                | Instruction::Repeat {
                    head: target,
                    condition: None,
                    ..
                },
            ) => WordStep::Jump(*target as usize),
            CodeStep::Do(Instruction::JumpIfFalse { condition, target }) => {
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
            CodeStep::Do(Instruction::JumpTable { index, targets }) => WordStep::Switch {
                index: self.register(*index)?,
                targets: targets.iter().map(|t| *t as usize).collect(),
            },
            CodeStep::Do(_) => return None,
        };
        self.emit(position, What::Flow, step);
        Some(())
    }

    /// Where an assertion finds a value that its message shows.
    fn shown(&mut self, source: Source<Register>) -> Option<Shown> {
        Some(match self.operand(source)? {
            Operand::Word(dtype) => Shown::Word(self.register(source)?, dtype),
            Operand::Array(number) => Shown::Array(number),
            Operand::List(_) | Operand::Row(_) => return None,
        })
    }

    /// A copy or a swap.
    fn moved(&mut self, instruction: &Instruction) -> Option<WordStep> {
        Some(match instruction {
            Instruction::Copy { to, from } => WordStep::Move {
                to: word(*to),
                from: self.allocated(*from)?,
            },
            Instruction::Swap(a, b) => WordStep::Swap(word(*a), word(*b)),
            _ => return None,
        })
    }

    fn kernel(
        &mut self,
        position: usize,
        op: &'static OpDef,
        attrs: &Attrs,
        inputs: &[Source<Register>],
        output: Register,
    ) -> Option<()> {
        let to = self.register(Source::Computed(output))?;
        let operands = inputs.iter().map(|source| self.operand(*source));
        let mut operands: SmallVec<[Operand; 3]> = operands.collect::<Option<_>>()?;
        let words: SmallVec<[Word; 3]> = operands.iter().map(Operand::word).collect();
        let step = match (WordOp::of(op, attrs, &words)?, &operands[..]) {
            (WordOp::Same, _) => {
                let from = self.register(inputs[0])?;
                self.emit(position, What::Flow, WordStep::Move { to, from });
                return Some(());
            }
            (WordOp::Read(element), &[Operand::Array(number), Operand::Word(dtype)]) => {
                WordStep::Read {
                    from: Rows::Array(u8::try_from(number).ok()?),
                    element,
                    index: self.register(inputs[1])?,
                    dtype,
                    to,
                }
            }
            (WordOp::ReadList(element), &[ref list, Operand::Word(dtype)]) => WordStep::Read {
                from: match *list {
                    Operand::List(number) => Rows::List(u8::try_from(number).ok()?),
                    Operand::Array(number) => Rows::Fixed(u8::try_from(number).ok()?),
                    _ => return None,
                },
                element,
                index: self.register(inputs[1])?,
                dtype,
                to,
            },
            (WordOp::Write, &[Operand::List(number), Operand::Word(dtype), ..]) => {
                let index = self.register(inputs[1])?;
                let row = inputs[2..].iter().map(|source| self.register(*source));
                let step = WordStep::Write {
                    list: u8::try_from(number).ok()?,
                    index,
                    dtype,
                    from: row.collect::<Option<_>>()?,
                    grows: attrs.bool("grows").ok()?,
                };
                // An error names the row as a whole.
                operands.truncate(2);
                operands.push(Operand::Row(number));
                step
            }
            (WordOp::MulAdd, &[Operand::Word(dtype), _, _]) => WordStep::MulAdd {
                dtype,
                operands: [
                    self.register(inputs[0])?,
                    self.register(inputs[1])?,
                    self.register(inputs[2])?,
                ],
                to,
            },
            (WordOp::Apply(op), &[.., Operand::Word(dtype)]) => {
                let registers = inputs.iter().map(|source| self.register(*source));
                let operands: SmallVec<[WordRegister; 3]> = registers.collect::<Option<_>>()?;
                if self.only_jumps(position, output) && op.is_test(dtype) {
                    self.comparison = Some((op, dtype, [operands[0], operands[1]]));
                    return Some(());
                }
                WordStep::Apply {
                    op,
                    dtype,
                    operands,
                    to,
                }
            }
            _ => return None,
        };
        self.emit(position, What::Op(op, operands), step);
        Some(())
    }

    /// True if the value of the step at this position is only used by the next step, which is a jump on it.
    fn only_jumps(&self, position: usize, output: Register) -> bool {
        let next = position + 1;
        let jumps = matches!(self.code.steps.get(next),
            Some(CodeStep::Do(Instruction::JumpIfFalse { condition, .. })) if *condition == Source::Computed(output));
        jumps
            && !self.jumped_to.contains(&next)
            && self.allocation.dies_at(Source::Computed(output), next)
    }
}
