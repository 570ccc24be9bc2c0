//! What the machine code of a bound loop is made of. The loops themselves are in [`BoundLoop`](crate::BoundLoop), which writes down steps that have
//! found what they need.

use std::fmt::Debug;
use std::sync::Arc;

use smallvec::SmallVec;

use super::codegen::{ChainSource, WordSource};
use super::{Register, Registers};
use crate::bound_arrays::BoundArray;
use crate::{DType, Dims};

/// What a bound loop is made of: [steps](crate::BoundStep) that have found what they need.
#[derive(Clone, Debug)]
pub struct LoopSource {
    /// The steps.
    pub steps: Vec<LoopStep>,
    /// The dtypes of the arrays that stay the same, with the numbers of their values.
    pub fixed: Vec<(DType, usize)>,
    /// The same of the arrays that change.
    pub changing: Vec<(DType, usize)>,
    /// A boolean scalar: the loop ends behind the last step if it is false.
    pub condition: Option<BoundArray>,
}

/// A step of a [`LoopSource`]. Changing arrays that are written are given by their positions.
#[derive(Clone, Debug)]
pub enum LoopStep {
    /// A chain.
    Chain(LoopChain),
    /// A word program without arrays.
    Words {
        /// The program.
        program: Arc<WordSource>,
        /// The arrays of which it reads an element, the first one if nothing is said, and the registers that they are loaded into.
        inputs: Vec<(BoundArray, Option<usize>, Register)>,
        /// What it writes.
        outputs: Vec<WrittenWords>,
        /// The register of a boolean: the loop ends behind the program if it is false.
        leaves_unless: Option<Register>,
    },
    /// Writes `len` values from a row to the one at a position of a list, where there are `rows` of them.
    Write {
        /// The list.
        list: usize,
        /// The position, an integer scalar.
        at: BoundArray,
        /// The row.
        row: BoundArray,
        /// The number of rows of the list.
        rows: usize,
        /// The number of values of a row.
        len: usize,
    },
    /// Calls a function.
    Function {
        /// The function.
        function: Arc<dyn LoopFunction>,
        /// Its operands, with the numbers of their values. None is in the array that is written.
        operands: Vec<(LoopInput, usize)>,
        /// The array that it writes.
        to: usize,
    },
    /// Copies a row to an array of its dtype and size.
    Row {
        /// The row.
        from: LoopInput,
        /// The array that is written.
        to: usize,
    },
    /// Ends the loop if a boolean scalar is false.
    Leave(BoundArray),
    /// Exchanges two arrays.
    Swap(usize, usize),
    /// Copies the values of an array to one of the same dtype and size.
    Copy {
        /// The array that is written.
        to: usize,
        /// The array that is read.
        from: BoundArray,
    },
}

/// A step that code calls.
pub trait LoopFunction: Debug + Send + Sync {
    /// Writes the bytes of a result, given those of the operands. Returns false if there is an error.
    fn run(&self, operands: &[&[u8]], out: &mut [u8]) -> bool;
}

/// A chain of a [`LoopSource`].
#[derive(Clone, Debug)]
pub struct LoopChain {
    /// The chain.
    pub source: ChainSource,
    /// The number of values that it writes.
    pub len: usize,
    /// Where its inputs are; `None` for those that are in the array that is written.
    pub inputs: Vec<Option<LoopInput>>,
    /// The array that it writes.
    pub to: usize,
}

/// Where the values of an input begin.
#[derive(Clone, Debug)]
pub struct LoopInput {
    /// The array.
    pub array: BoundArray,
    /// The first value in it, or in its row.
    pub first: usize,
    /// The row that is read, if it isn't the whole array.
    pub row: Option<LoopRow>,
}

/// A row at positions of the first axes of an array.
#[derive(Clone, Debug)]
pub struct LoopRow {
    /// The arrays of the positions, integer scalars, each with the size of its axis.
    pub positions: SmallVec<[(BoundArray, usize); 2]>,
    /// The number of values of a row.
    pub len: usize,
    /// Whether positions before the first one are counted from the end.
    pub from_the_end: bool,
}

/// The machine code of a bound loop.
pub trait LoopCode: Debug + Send + Sync {
    /// Runs iterations from the first step on, until one ends the loop or a step can't be done, which has changed nothing then. Given are the
    /// bytes of the arrays. Where arrays were exchanged, their slices are exchanged afterwards. The registers may hold anything.
    ///
    /// `None` if slices don't have the sizes that the code was made for, or the level of this thread isn't that of the code. Nothing is changed then.
    fn run(
        &self,
        fixed: &[&[u8]],
        changing: &mut [&mut [u8]],
        registers: &mut Registers,
    ) -> Option<BoundEnd>;
}

/// A scalar or small tensor that a word program writes.
#[derive(Clone, Debug)]
pub struct WrittenWords {
    /// The array.
    pub to: usize,
    /// Its dtype.
    pub dtype: DType,
    /// Its shape.
    pub shape: Dims,
    /// The registers of its values, row-major.
    pub registers: SmallVec<[Register; 4]>,
}

/// How a bound loop ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BoundEnd {
    /// How often another iteration was begun behind the last step.
    pub iterations: u64,
    /// The step that couldn't be done, if there was one. The steps before it are done. Without one, the loop has come to its end.
    pub stopped: Option<usize>,
}
