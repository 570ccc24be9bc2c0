//! Bound loops: the iterations of a loop over arrays whose sizes stay the same. What an iteration needs to find is found once: the arrays,
//! their layouts, and the code of chains (`bind`). Then every iteration runs a short list of steps over blocks of values (`steps`). Steps that
//! exchange arrays exchange their blocks, and the arrays get their new values when the loop has ended.
//!
//! A step that meets an error changes nothing, and the loop stops before it. Whoever began the loop does this step in the usual way, which has
//! the message. So a bound loop has no errors of its own.

mod bind;
mod code;
mod functions;
mod steps;

use std::sync::Arc;

use smallvec::SmallVec;

use crate::block::Block;
use crate::block::BlockMut;
use crate::bound_arrays::{BoundArray, BoundBlocks};
pub use crate::words::loops::{BoundEnd, WrittenWords};
use crate::{Array, DType, Program, ReduceOp, Register, Registers, WordProgram};
use code::Hot;
use steps::{Next, Step};

/// A loop whose iterations all run the same steps, in order.
///
/// ```
/// # use std::sync::Arc;
/// # use graph_kernels::*;
/// # use smallvec::smallvec;
/// // x = x * x, and y = the old x, until a step fails or the condition is false.
/// let square = Step { op: ElementOp::Square.into(), operands: smallvec![Operand::Input(0)] };
/// let program = Arc::new(Program::new(&[DType::F32], &[square])?.known(&[&[2]]));
/// let chain = BoundStep::Chain { program, inputs: vec![Some(BoundArray::Changing(0))], to: 1 };
/// let code = BoundLoop::new(vec![chain, BoundStep::Swap(0, 1)], Some(BoundArray::Fixed(0)));
/// let (mut x, mut y) = (Array::new(&[2], vec![2f32, 3.0]), Array::zeros(DType::F32, &[2]));
/// let end = code.run(&[&Array::scalar(false)], &mut [&mut x, &mut y], &mut [0; REGISTERS]);
/// assert_eq!(end, Some(BoundEnd { iterations: 0, stopped: None }));
/// assert_eq!((x, y), (Array::new(&[2], vec![4f32, 9.0]), Array::new(&[2], vec![2f32, 3.0])));
/// # Ok::<(), KernelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct BoundLoop {
    steps: Vec<BoundStep>,
    condition: Option<BoundArray>,
    /// What it has that may become machine code.
    hot: Arc<Hot>,
}

/// A step of a [`BoundLoop`]. What it writes is given by the position among the changing arrays.
#[derive(Clone, Debug)]
pub enum BoundStep {
    /// A chain.
    Chain {
        /// The chain.
        program: Arc<Program>,
        /// Its operands; `None` is the array that it writes.
        inputs: Vec<Option<BoundArray>>,
        /// The array that it writes.
        to: usize,
    },
    /// A matrix product.
    Product {
        /// The two matrices.
        operands: [BoundArray; 2],
        /// Whether they are transposed first.
        transposed: [bool; 2],
        /// A chain that runs in place on the product, with its operands.
        behind: Option<(Arc<Program>, Vec<Option<BoundArray>>)>,
        /// The array that is written.
        to: usize,
    },
    /// Writes a row of a list that is long enough for it.
    Write {
        /// The list.
        list: usize,
        /// The position, an integer scalar.
        at: BoundArray,
        /// The row.
        row: BoundArray,
    },
    /// Copies a row of an array.
    Row {
        /// The array.
        from: BoundArray,
        /// The positions in its first axes, integer scalars, each counted from the end if it is negative.
        positions: Vec<BoundArray>,
        /// The array that is written.
        to: usize,
    },
    /// Reduces the last axes of an array.
    Reduce {
        /// The reduction.
        op: ReduceOp,
        /// The axes.
        axes: Vec<i64>,
        /// The array that is reduced.
        from: BoundArray,
        /// The array that is written.
        to: usize,
    },
    /// Runs a word program.
    Words(BoundWords),
    /// Ends the loop if a boolean scalar is false.
    Leave(BoundArray),
    /// Exchanges two arrays.
    Swap(usize, usize),
    /// Copies the values of an array.
    Copy {
        /// The array that is written.
        to: usize,
        /// The array that is read.
        from: BoundArray,
    },
}

/// A word program of a bound loop.
#[derive(Clone, Debug)]
pub struct BoundWords {
    /// The program.
    pub program: Arc<WordProgram>,
    /// The scalars that it reads, or elements of arrays, and the registers that they are loaded into.
    pub inputs: Vec<(BoundArray, Option<usize>, Register)>,
    /// The arrays that it reads one value at a time, by their positions among those that stay the same.
    pub arrays: Vec<usize>,
    /// What it writes.
    pub outputs: Vec<WrittenWords>,
    /// The register of a boolean: the loop ends behind the program if it is false.
    pub leaves_unless: Option<Register>,
}

impl BoundLoop {
    /// The loop of some steps, the first of which follows the last one unless `condition` is given, a boolean scalar, and false by then.
    pub fn new(steps: Vec<BoundStep>, condition: Option<BoundArray>) -> BoundLoop {
        BoundLoop {
            steps,
            condition,
            hot: Arc::new(Hot::default()),
        }
    }

    /// The steps.
    pub fn steps(&self) -> &[BoundStep] {
        &self.steps
    }

    /// The boolean scalar that says behind the last step whether the loop goes on.
    pub fn condition(&self) -> Option<BoundArray> {
        self.condition
    }

    /// True if the loop has become machine code.
    pub fn has_code(&self) -> bool {
        self.hot.has_code()
    }

    /// The most steps, changing arrays, and fixed arrays of a loop that allocates nothing.
    pub const MOST: usize = MOST;

    /// Runs iterations, from the first step on, until one ends the loop or a step can't be done. The registers may hold anything. `None` if the
    /// arrays don't have the shapes and dtypes that the steps need; nothing has been done then.
    pub fn run(
        &self,
        fixed: &[&Array],
        changing: &mut [&mut Array],
        registers: &mut Registers,
    ) -> Option<BoundEnd> {
        let mut steps = Steps::new();
        self.bind(fixed, changing, &mut steps)?;
        let values = fixed.iter().map(|array| Block::of(array.buffer()));
        let mut blocks = BoundBlocks {
            fixed: values.collect::<Option<_>>()?,
            changing: SmallVec::new(),
        };
        let types = changing.iter().map(|array| (array.dtype(), array.len()));
        let types: SmallVec<[(DType, usize); MOST]> = types.collect();
        for array in changing.iter_mut() {
            let len = array.len();
            blocks.changing.push(BlockMut::of(array.buffer_mut(), len)?);
        }
        let mut order: Order = (0..blocks.changing.len()).collect();
        let arrays = (fixed, &types[..]);
        let end = self.all(&mut steps, arrays, &mut blocks, &mut order, registers);
        drop(blocks);
        put_in_order(&order, changing);
        Some(end)
    }

    /// Runs iterations to the end: at first step by step, then by machine code.
    fn all(
        &self,
        steps: &mut [Step<'_>],
        arrays: (&[&Array], &[(DType, usize)]),
        blocks: &mut BoundBlocks<'_>,
        order: &mut Order,
        registers: &mut Registers,
    ) -> BoundEnd {
        let budget = self.hot.budget();
        let most = budget.unwrap_or(u64::MAX);
        let mut end = BoundEnd::default();
        if most > 0 && self.iterate(most, &mut end, steps, arrays.0, blocks, order, registers) {
            if budget.is_some() {
                self.hot.count(end.iterations);
            }
            return end;
        }
        if let Some(more) = self.run_code(steps, arrays, blocks, order, registers) {
            end.iterations += more.iterations;
            end.stopped = more.stopped;
            return end;
        }
        self.iterate(
            u64::MAX,
            &mut end,
            steps,
            arrays.0,
            blocks,
            order,
            registers,
        );
        end
    }

    /// Runs iterations step by step, and counts them in `end`. Returns false if there are that many, and another one is to be begun.
    #[expect(clippy::too_many_arguments, reason = "all that a run has")]
    fn iterate(
        &self,
        most: u64,
        end: &mut BoundEnd,
        steps: &mut [Step<'_>],
        fixed: &[&Array],
        blocks: &mut BoundBlocks<'_>,
        order: &mut Order,
        registers: &mut Registers,
    ) -> bool {
        loop {
            for (n, step) in steps.iter_mut().enumerate() {
                match step.run(fixed, blocks, order, registers) {
                    Next::Step => {}
                    Next::End => return true,
                    Next::Stop => {
                        end.stopped = Some(n);
                        return true;
                    }
                }
            }
            if self
                .condition
                .is_some_and(|held| !steps::holds(blocks, held))
            {
                return true;
            }
            end.iterations += 1;
            if end.iterations >= most {
                return false;
            }
        }
    }
}

/// For each changing array, the one whose memory has its values.
type Order = SmallVec<[usize; MOST]>;

/// The steps, each with what it has found.
type Steps<'a> = SmallVec<[Step<'a>; MOST]>;

/// The most steps of a loop, arrays that change, and arrays that stay the same, that take no memory of their own. Bodies with more spend
/// their time in kernels, and not on the way to them.
const MOST: usize = 16;

/// Gives each array the memory that has its values.
fn put_in_order(order: &[usize], arrays: &mut [&mut Array]) {
    if order.iter().enumerate().all(|(n, from)| n == *from) {
        return;
    }
    let taken = arrays.iter_mut().map(|array| std::mem::take(&mut **array));
    let mut taken: SmallVec<[Array; MOST]> = taken.collect();
    for (array, from) in arrays.iter_mut().zip(order) {
        **array = std::mem::take(&mut taken[*from]);
    }
}

#[cfg(test)]
pub(crate) mod tests;
