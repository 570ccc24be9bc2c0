//! The door to machine code: words or a chain in, a callable out. This crate knows no instructions of any machine. Another crate implements
//! [`Codegen`], and a program registers it once.

use std::fmt::Debug;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use smallvec::SmallVec;

pub use super::loops::{
    LoopChain, LoopCode, LoopFunction, LoopInput, LoopRow, LoopSource, LoopStep,
};
use super::{Memory, Register, Registers, Rows, WordStep};
use crate::DType;
pub use crate::formula::{Comparison, LaneOp, LaneProgram, LaneStep, LaneType, Rounding};

/// What a word program is made of.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct WordSource {
    /// The steps.
    pub steps: Vec<WordStep>,
    /// The registers of constants, with their values. No step writes them.
    pub constants: Vec<(Register, u64)>,
    /// The registers that are read after a run, with the dtypes of their values. The others may hold anything then.
    pub results: Vec<(Register, DType)>,
}

/// The types of the arrays and lists of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MemoryTypes {
    /// The dtypes of the arrays.
    pub arrays: SmallVec<[DType; 8]>,
    /// The dtypes of the lists, and the number of values in each of their rows.
    pub lists: SmallVec<[(DType, usize); 4]>,
}

impl MemoryTypes {
    /// The types of some memory.
    pub fn of(memory: &Memory<'_>) -> MemoryTypes {
        let arrays = memory.arrays.iter().map(|array| array.dtype());
        let lists = memory.lists.iter();
        MemoryTypes {
            arrays: arrays.collect(),
            lists: lists
                .map(|list| (list.dtype(), list.row().iter().product()))
                .collect(),
        }
    }

    /// The dtype of what steps read from an array or list.
    pub fn dtype(&self, rows: Rows) -> Option<DType> {
        match rows {
            Rows::Array(array) | Rows::Fixed(array) => self.arrays.get(usize::from(array)).copied(),
            Rows::List(list) => self.lists.get(usize::from(list)).map(|(dtype, _)| *dtype),
        }
    }
}

/// Makes machine code of word programs, and of chains.
///
/// Whoever implements it may refuse any program. What it accepts must compute the bits that [`ElementOp::scalar`](crate::ElementOp::scalar)
/// gives, or the program of a chain, and fail where that fails. (Of a NaN, only that it is one counts.)
pub trait Codegen: Debug + Send + Sync {
    /// The code of a program for arrays and lists of these types. It is entered at its beginning, and at the step `entry`, which is the
    /// target of a jump back. `None` if there is no code for the program.
    fn words(
        &self,
        source: &WordSource,
        memory: &MemoryTypes,
        entry: usize,
    ) -> Option<Box<dyn WordCode>>;

    /// The code of a chain of elementwise functions. `None` if there is no code for it.
    fn chain(&self, _source: &ChainSource) -> Option<Box<dyn ChainCode>> {
        None
    }

    /// The code of a bound loop. `None` if there is no code for it.
    fn bound_loop(&self, _source: &LoopSource) -> Option<Box<dyn LoopCode>> {
        None
    }
}

/// What a chain of elementwise functions is made of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainSource {
    /// The functions, for one lane.
    pub program: LaneProgram,
    /// How the code finds the values of each input.
    pub inputs: SmallVec<[ChainInput; 8]>,
    /// The dtypes of the inputs.
    pub dtypes: SmallVec<[DType; 8]>,
    /// The dtypes of the results.
    pub results: SmallVec<[DType; 4]>,
}

/// Where code finds the values of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChainInput {
    /// There is a value for each element.
    Each,
    /// All elements have the same value.
    Same,
    /// The program contains this number in place of the input, so the code is for no other number.
    Number(i32),
    /// They are in the memory of this result, which is written over them.
    Result(usize),
}

/// The machine code of a chain.
pub trait ChainCode: Debug + Send + Sync {
    /// Calculates `len` values of each result, of which the bytes are given, and whose old contents may be inputs. The others have the
    /// bytes of `len` values, or of one if all elements have the same value; of inputs that are results or numbers nothing is read.
    /// `streams` asks for stores past the caches.
    ///
    /// Returns false, and changes nothing, if slices are too short or the level of this thread isn't that of the code.
    fn run(&self, len: usize, inputs: &[&[u8]], results: &mut [&mut [u8]], streams: bool) -> bool;

    /// As [`run`](Self::run), for a chain with a loop that runs as often as the call says: this many times, at least once.
    fn run_times(
        &self,
        _times: u64,
        _len: usize,
        _inputs: &[&[u8]],
        _results: &mut [&mut [u8]],
    ) -> bool {
        false
    }
}

/// The machine code of a word program.
pub trait WordCode: Debug + Send + Sync {
    /// Runs the code from the step `at`, on registers that hold what the interpreter would have there, to the end of the program. Returns
    /// true if it came to the end; the results are in their registers then. Otherwise returns false and leaves the registers as they
    /// were: if a step failed, if the code can't be entered at this step, or if the memory isn't of the types that the code was made for.
    /// Rows of lists may have been written by then: the interpreter, which begins at the same step, writes them again.
    fn run(&self, registers: &mut Registers, memory: &mut Memory<'_>, at: usize) -> bool;
}

static CODEGEN: OnceLock<&'static dyn Codegen> = OnceLock::new();

/// How many jumps back a program makes, in all its runs, before it is compiled, unless a program sets another number. That many cost the interpreter about as much time as
/// compiling.
pub const JUMPS: u64 = 10_000;

static AFTER: AtomicU64 = AtomicU64::new(JUMPS);

/// Registers what makes machine code, for the rest of the process. Returns false, and changes nothing, if that has been decided before.
pub fn set_codegen(codegen: &'static dyn Codegen) -> bool {
    CODEGEN.set(codegen).is_ok()
}

/// Makes word programs become machine code after this number of jumps back, and chains after the time that as many jumps take. With `None` they don't, and code that exists isn't used.
/// It holds for all threads; results are the same.
pub fn compile_words_after(jumps: Option<u64>) {
    AFTER.store(jumps.unwrap_or(u64::MAX), Ordering::Relaxed);
}

/// What makes machine code, and after how many jumps back; `None` if there is none, or if it is switched off.
pub(crate) fn codegen() -> Option<(&'static dyn Codegen, u64)> {
    let after = AFTER.load(Ordering::Relaxed);
    let codegen = CODEGEN.get().filter(|_| after != u64::MAX);
    codegen.map(|codegen| (*codegen, after))
}
