//! Word programs: instructions and jumps over single values, for loops and branches that scalars decide. A value is a word in a register;
//! no array is made, and nothing is allocated.
//!
//! A [`WordProgram`] is assembled once from [`WordStep`]s (`assemble`), and its loops are shortened (`jumps`); one loop runs the
//! instructions (`code`), which have eight bytes each. Programs whose loops run long become machine code (`hot`), if there is a
//! [`Codegen`](codegen::Codegen). Loops whose iterations don't depend on each other run many iterations side by side (`lanes`).
//! `access` tells all of them which registers a step reads and writes.

mod access;
mod assemble;
pub(crate) mod chain;
mod code;
pub mod codegen;
mod divisor;
mod hot;
mod jumps;
mod lanes;
mod list;
mod live;
pub(crate) mod loops;
mod mul_add;
mod order;

use std::ops::Range;
use std::sync::Arc;

use smallvec::SmallVec;

use crate::block::{Block, Lane, with_lanes};
use crate::dispatch::of_dtype;
use crate::element::ElementOp;
use crate::element::function::WordFunction;
use crate::{Array, DType, KernelError};
pub use access::{ValueType, WordAccess};
use code::{Code, Instruction};
use codegen::WordSource;
use divisor::Divisor;
use hot::Hot;
use lanes::Lanes;
pub use list::{List, Memory, Rows};

/// The number of registers: as many as a byte can index, so that no access is out of range.
pub const REGISTERS: usize = 256;

/// The values of a run, each in the low bits of a word as in [`ElementOp::scalar`].
pub type Registers = [u64; REGISTERS];

/// The index of a register.
pub type Register = u8;

/// One step of a word program, the input of the assembler. Jump targets are indices of steps; the number of steps is the end.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum WordStep {
    /// Applies a function. The dtype is that of its operands; for [`ElementOp::Select`] that of the values.
    Apply {
        /// The function.
        op: ElementOp,
        /// The operands' dtype.
        dtype: DType,
        /// As many operands as the function takes.
        operands: SmallVec<[Register; 3]>,
        /// The register written; it may be an operand.
        to: Register,
    },
    /// Calculates `a * b + c` of floats in the way of matrix products: in one rounding or two, as the thread's
    /// [level](crate::simd::level) has it.
    MulAdd {
        /// The dtype: `float32` or `float64`.
        dtype: DType,
        /// The factors and the summand.
        operands: [Register; 3],
        /// The register written; it may be an operand.
        to: Register,
    },
    /// Reads a value by a position along the first axis.
    Read {
        /// The array or list.
        from: Rows,
        /// Which value it is among those at the position, row-major; 0 for a vector, which has one at each position.
        element: u16,
        /// The register that holds the position.
        index: Register,
        /// The dtype of the position: `int32` or `int64`.
        dtype: DType,
        /// The register written.
        to: Register,
    },
    /// Writes a row of a list at a position. No program reads a list and then writes it, so that a run that begins anew, after some steps
    /// have been done, does the same again.
    Write {
        /// The number of the list.
        list: u8,
        /// The register that holds the position.
        index: Register,
        /// The dtype of the position: `int32` or `int64`.
        dtype: DType,
        /// The registers of the row's values, row-major.
        from: SmallVec<[Register; 4]>,
        /// True if the list grows where the position is behind its end.
        grows: bool,
    },
    /// Reads a value as [`Read`](Self::Read) does. A register says which one it is among those at the position.
    ReadAt {
        /// The array or list.
        from: Rows,
        /// The register that holds the number of the value, row-major: an `int32`.
        element: Register,
        /// The register that holds the position.
        index: Register,
        /// The dtype of the position: `int32` or `int64`.
        dtype: DType,
        /// The register written.
        to: Register,
    },
    /// Writes one value of a row of a list; see [`Write`](Self::Write).
    WriteAt {
        /// The number of the list.
        list: u8,
        /// The register that holds the number of the value in the row, row-major: an `int32`.
        element: Register,
        /// The register that holds the position of the row.
        index: Register,
        /// The dtype of the position: `int32` or `int64`.
        dtype: DType,
        /// The register of the value.
        from: Register,
        /// True if the list grows where the position is behind its end.
        grows: bool,
    },
    /// Copies a value.
    Move {
        /// The register written.
        to: Register,
        /// The register read.
        from: Register,
    },
    /// Exchanges two values.
    Swap(Register, Register),
    /// Jumps to a step.
    Jump(usize),
    /// Jumps if a truth value is false.
    Unless {
        /// The register of the truth value.
        condition: Register,
        /// The target.
        target: usize,
    },
    /// Jumps unless a comparison holds.
    UnlessHolds {
        /// A function of two numbers whose result is a truth value.
        op: ElementOp,
        /// The operands' dtype.
        dtype: DType,
        /// The operands.
        operands: [Register; 2],
        /// The target.
        target: usize,
    },
    /// Jumps to the target with an `int32` index; to the last target if the index is out of range.
    Switch {
        /// The register of the index.
        index: Register,
        /// At least one target.
        targets: Vec<usize>,
    },
    /// Fails if a truth value is false.
    Assert(Register),
}

impl WordStep {
    /// The targets of a jump.
    pub fn targets(&self) -> &[usize] {
        match self {
            WordStep::Jump(target)
            | WordStep::Unless { target, .. }
            | WordStep::UnlessHolds { target, .. } => std::slice::from_ref(target),
            WordStep::Switch { targets, .. } => targets,
            _ => &[],
        }
    }

    /// The targets of a jump, mutable.
    pub fn targets_mut(&mut self) -> &mut [usize] {
        match self {
            WordStep::Jump(target)
            | WordStep::Unless { target, .. }
            | WordStep::UnlessHolds { target, .. } => std::slice::from_mut(target),
            WordStep::Switch { targets, .. } => targets,
            _ => &mut [],
        }
    }
}

impl ElementOp {
    /// True for a comparison that [`WordStep::UnlessHolds`] accepts.
    pub fn is_test(self, dtype: DType) -> bool {
        Code::jump(self, dtype).is_some()
    }
}

/// A program that is ready to run.
#[derive(Clone, Debug)]
pub struct WordProgram {
    code: Vec<Instruction>,
    /// The registers of constants, with their values.
    constants: Vec<(Register, u64)>,
    /// The functions without an instruction of their own.
    functions: Vec<WordFunction>,
    /// The constants that are divided by.
    divisors: Vec<Divisor>,
    /// The rows that are written.
    rows: Vec<WrittenRow>,
    /// What is read where a register says which value of a row it is: from what, and 1 if the position is an `int64`.
    places: Vec<(Rows, u8)>,
    switches: Vec<Vec<u16>>,
    source: Option<Arc<WordSource>>,
    /// What a program has that may become machine code.
    hot: Option<Arc<Hot>>,
    /// The loops that run their iterations side by side.
    lanes: Option<Arc<Lanes>>,
}

/// A row that a step writes.
#[derive(Clone, Debug)]
struct WrittenRow {
    list: u8,
    from: SmallVec<[Register; 4]>,
    grows: bool,
}

/// The step at which a run failed, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct WordFailure {
    /// The index of the step.
    pub step: usize,
    /// The error; `None` for an assertion that doesn't hold.
    pub error: Option<KernelError>,
}

impl WordProgram {
    /// The program of some steps. `constants` are registers with constant values, which no step writes.
    ///
    /// `None` if a function isn't defined for its dtype, a target doesn't exist, a list may be written after it was read, or the program
    /// is too long.
    ///
    /// ```
    /// # use graph_kernels::{DType, ElementOp, Registers, REGISTERS, WordProgram, WordStep};
    /// # use smallvec::smallvec;
    /// // The sum of the numbers below r0: r1 counts, r2 is the sum, r3 is 1.
    /// let apply = |op, a, b, to| WordStep::Apply { op, dtype: DType::I64, operands: smallvec![a, b], to };
    /// let less = WordStep::UnlessHolds { op: ElementOp::Less, dtype: DType::I64, operands: [1, 0], target: 4 };
    /// let steps = [less, apply(ElementOp::Add, 2, 1, 2), apply(ElementOp::Add, 1, 3, 1), WordStep::Jump(0)];
    /// let program = WordProgram::new(&steps, &[(3, 1)]).unwrap();
    /// let mut registers: Registers = [0; REGISTERS];
    /// registers[0] = 10;
    /// program.run(&mut registers, &[]).unwrap();
    /// assert_eq!(registers[2], 45);
    /// ```
    pub fn new(steps: &[WordStep], constants: &[(Register, u64)]) -> Option<WordProgram> {
        assemble::program(steps, constants)
    }

    /// Like [`new`](Self::new), for a program that may become machine code: after a run, nobody reads other registers than `results`.
    pub fn with_results(
        steps: &[WordStep],
        constants: &[(Register, u64)],
        results: &[(Register, DType)],
    ) -> Option<WordProgram> {
        let mut program = WordProgram::new(steps, constants)?;
        let source = Arc::new(WordSource {
            steps: steps.to_vec(),
            constants: constants.to_vec(),
            results: results.to_vec(),
        });
        program.lanes = Lanes::of(&source).map(Arc::new);
        program.hot = Hot::new(&source).map(Arc::new);
        program.source = Some(source);
        Some(program)
    }

    /// True if every loop of the program, but for loops inside it, runs its iterations side by side.
    pub fn has_lanes(&self) -> bool {
        self.lanes.is_some()
    }

    /// The steps, for a device that makes a kernel of them; `None` for a program that isn't made [with results](Self::with_results).
    pub fn source(&self) -> Option<&Arc<WordSource>> {
        self.source.as_ref()
    }

    /// True if the program has become machine code.
    pub fn has_code(&self) -> bool {
        self.hot.as_ref().is_some_and(|hot| hot.has_code())
            || self.lanes.as_ref().is_some_and(|lanes| lanes.has_code())
    }

    /// Runs the program on registers that hold its inputs, and on the arrays that it reads.
    ///
    /// # Errors
    /// If a function isn't defined for its operands, a position is out of range, or an assertion doesn't hold.
    pub fn run(&self, registers: &mut Registers, arrays: &[&Array]) -> Result<(), WordFailure> {
        self.run_in(registers, &mut Memory::of(arrays))
    }

    /// Like [`run`](Self::run), for a program that may write lists. If it fails, some rows have been written.
    ///
    /// # Errors
    /// As [`run`](Self::run); or if a list can't grow.
    pub fn run_in(
        &self,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
    ) -> Result<(), WordFailure> {
        self.start(registers);
        let lanes = self.lanes.as_ref();
        if let Some(result) = lanes.and_then(|lanes| lanes.run(self, registers, memory)) {
            return result;
        }
        match &self.hot {
            Some(hot) => hot.run(self, registers, memory),
            None => self.interpret(registers, memory, 0),
        }
    }

    /// Runs the program from a step to its end.
    fn interpret(
        &self,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
        at: usize,
    ) -> Result<(), WordFailure> {
        self.interpret_to(registers, memory, at..self.code.len())
    }

    /// Runs the program from the first of these steps until it leaves them.
    fn interpret_to(
        &self,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
        steps: Range<usize>,
    ) -> Result<(), WordFailure> {
        // No run makes that many jumps.
        code::run(self, registers, memory, steps, &mut { u64::MAX }, |_| {}).map(|_| ())
    }

    /// Runs the program from a step until it has made more jumps back than `jumps`, which is counted down. Returns the step behind the
    /// last of them, or `None` at the end of the program.
    fn resume(
        &self,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
        at: usize,
        jumps: &mut u64,
    ) -> Result<Option<usize>, WordFailure> {
        code::run(self, registers, memory, at..self.code.len(), jumps, |_| {})
    }

    /// Like [`run_in`](Self::run_in), and returns the number of instructions that ran.
    ///
    /// # Errors
    /// As [`run_in`](Self::run_in).
    pub fn run_counting(
        &self,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
    ) -> Result<u64, WordFailure> {
        let mut count = 0;
        self.start(registers);
        let all = 0..self.code.len();
        code::run(self, registers, memory, all, &mut { u64::MAX }, |_| {
            count += 1
        })?;
        Ok(count)
    }

    /// Like [`run_in`](Self::run_in), and calls `tell` with the index of each step before running it.
    ///
    /// # Errors
    /// As [`run_in`](Self::run_in).
    pub fn run_telling(
        &self,
        registers: &mut Registers,
        memory: &mut Memory<'_>,
        tell: &mut dyn FnMut(usize),
    ) -> Result<(), WordFailure> {
        self.start(registers);
        let all = 0..self.code.len();
        code::run(self, registers, memory, all, &mut { u64::MAX }, tell).map(|_| ())
    }

    fn start(&self, registers: &mut Registers) {
        for (register, word) in &self.constants {
            registers[usize::from(*register)] = *word;
        }
    }
}

impl Array {
    /// The value of a scalar as a word; `None` if there are axes, or for a `string`.
    ///
    /// ```
    /// # use graph_kernels::Array;
    /// assert_eq!(Array::scalar(true).to_word(), Some(1));
    /// ```
    #[inline]
    pub fn to_word(&self) -> Option<u64> {
        if self.rank() > 0 {
            return None;
        }
        with_lanes!(self.buffer(), values => values[0].to_word())
    }

    /// The scalar of a dtype and a word. For a `string`, which has no word, it is empty.
    ///
    /// ```
    /// # use graph_kernels::{Array, DType};
    /// assert_eq!(Array::of_word(DType::F32, 1.5f32.to_bits().into()), Array::scalar(1.5f32));
    /// ```
    pub fn of_word(dtype: DType, word: u64) -> Array {
        let scalar = of_dtype!("of_word", dtype, T => Ok(Array::scalar(T::of_word(word))));
        scalar.unwrap_or_else(|_: KernelError| Array::scalar(String::new()))
    }

    /// An element as a word; `None` if there is no such element, or for a `string`. Elements are counted in row-major order.
    ///
    /// ```
    /// # use graph_kernels::Array;
    /// let array = Array::new(&[2], vec![7i32, -1]);
    /// assert_eq!((array.word_at(1), array.word_at(2)), (Some(0xffff_ffff), None));
    /// ```
    #[inline]
    pub fn word_at(&self, element: usize) -> Option<u64> {
        let block = Block::of(self.buffer())?;
        (element < self.len()).then(|| block.word(element))
    }

    /// Makes this the array of a dtype, a shape, and as many words.
    ///
    /// # Errors
    /// If there is no memory for it, or for a `string`, which has no words.
    pub fn set_words(
        &mut self,
        dtype: DType,
        shape: &[usize],
        words: impl Iterator<Item = u64>,
    ) -> Result<(), KernelError> {
        if self.dtype() != dtype || self.shape() != shape {
            self.reset(dtype, shape)?;
        }
        with_lanes!(self.buffer_mut(), values => {
            values.iter_mut().zip(words).for_each(|(value, word)| *value = Lane::of_word(word));
        });
        Ok(())
    }

    /// Makes this the scalar of a dtype and a word. For a `string`, which has no word, it becomes empty.
    #[inline]
    pub fn set_word(&mut self, dtype: DType, word: u64) {
        if self.dtype() != dtype || self.rank() > 0 {
            let reset = self.reset(dtype, &[]);
            reset.expect("a single value needs no memory");
        }
        with_lanes!(self.buffer_mut(), values => values[0] = Lane::of_word(word));
    }
}

#[cfg(test)]
mod hot_tests;
#[cfg(test)]
mod list_tests;
#[cfg(test)]
mod tests;
