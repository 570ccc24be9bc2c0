//! Block programs: a chain of elementwise functions that runs as one pass over its inputs. A block of each value at a time is calculated
//! into registers, which stay in the nearest cache; only the last value is written to memory.
//!
//! A [`Program`] is built once (`build`) and runs on arrays of any shapes: its inputs broadcast against each other (`layout`, `source`),
//! and its blocks run one after another (`run`, `blocks`), on several threads where that is worth it. Some steps are merged into others (`merge`).
//! Results have the same bits as the functions applied one by one. A program may read one row of an input that holds many (`rows`), and
//! (`rolls`: rolled), and
//! behind a matrix product it may let the product add some inputs (`sums`). It may end in a reduction of its last value (`reduced`),
//! which then isn't written at all. Or its steps reduce rows, and their results are broadcast back over the rows (`spread`): then a block
//! is a number of whole rows, and what stands behind the last reduction may be machine code (`tail`). Or it has several results, which
//! take the place of arrays that it reads (`updates`).

mod blocks;
mod bound;
mod build;
mod change;
mod compiled;
mod failure;
mod far;
mod layout;
mod mapped;
mod merge;
mod pairs;
mod reduced;
mod rolls;
mod rows;
mod run;
pub(crate) mod single;
mod source;
mod spread;
mod sums;
mod tail;
mod updates;
mod workspace;

#[cfg(test)]
mod tests;

use std::sync::Arc;

use smallvec::SmallVec;

use compiled::Compiled;
use mapped::MappedSums;
use pairs::PairFunction;

use crate::block::BlockMut;
use crate::element::BlockFunction;
use crate::reduce::Reducer;
use crate::step::{Operand, Step, StepOp};
use crate::{Array, Axes, AxisSlice, DType, KernelError, ReduceOp};
pub(crate) use bound::BoundChain;
use layout::Known;
use rolls::RollOf;
use rows::RowOf;
pub(crate) use sums::Sums;
use tail::Tail;

/// The most values in a block: enough that the overhead of calling a function is small compared to its loop, and few enough that the
/// registers of a chain of a dozen functions, which share about seven, fit into a cache of 32 KB.
const BLOCK: usize = 1024;

/// The number of different values that a row of the result, along its last axis, takes from an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Width {
    /// One value for all rows: the input has a single value.
    Uniform,
    /// One value per row: the input's last axis has size 1.
    Column,
    /// Possibly one value per element.
    Row,
}

impl Width {
    /// The width in a register: one value for all places is repeated for each.
    fn in_registers(self) -> Width {
        match self {
            Width::Column => Width::Column,
            Width::Uniform | Width::Row => Width::Row,
        }
    }

    /// True if an input with this shape has the width.
    fn fits(self, shape: &[usize]) -> bool {
        match self {
            Width::Uniform => shape.iter().all(|size| *size == 1),
            Width::Column => shape.last().is_none_or(|last| *last == 1),
            Width::Row => true,
        }
    }
}

/// The part of an input that a program reads.
#[derive(Clone, Copy, Debug)]
pub struct InputPart<'a> {
    /// The shape of the input.
    pub shape: &'a [usize],
    /// The slices that select it; without slices, the whole input.
    pub slices: &'a [AxisSlice],
}

/// Where a value is while a block is run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ValueLocation {
    Input(usize),
    /// One of the program's registers.
    Register(usize),
    /// An output array: the only one, or that of a result.
    Output(usize),
}

/// The application of one function to blocks.
#[derive(Clone, Debug)]
struct Instruction {
    work: Work,
    operands: SmallVec<[ValueLocation; 3]>,
    output: ValueLocation,
}

/// The work of an instruction.
#[derive(Clone, Copy, Debug)]
enum Work {
    /// An elementwise function that writes values of a width.
    Element(BlockFunction, Width),
    /// Reduces each row to one value, in the dtype that its operand had before it was converted.
    Reduce(&'static Reducer),
    /// Two functions per element; for the second and third operand, whether they have one value per row, or one for all rows.
    Pair(PairFunction, [bool; 2]),
    /// Changes the values of its output, by one or two other operands; for the second one, whether it has one value.
    Change(PairFunction, bool),
    /// Reduces a function's values, one per element, to one value per row; whether the second operand has one value per row.
    ReduceOf(MappedSums, &'static Reducer, bool),
    /// Writes rows from one value per row.
    Spread,
}

impl Work {
    /// True if it can read operand `operand` only as one value per element.
    fn takes_rows(self, operand: usize) -> bool {
        match self {
            Work::Element(_, width) => width == Width::Row,
            Work::Pair(..) | Work::Change(..) | Work::ReduceOf(..) => operand == 0,
            Work::Reduce(..) => true,
            Work::Spread => false,
        }
    }

    /// The width of the result.
    fn writes(self) -> Width {
        match self {
            Work::Element(_, width) => width,
            Work::Reduce(..) | Work::ReduceOf(..) => Width::Column,
            Work::Pair(..) | Work::Change(..) | Work::Spread => Width::Row,
        }
    }
}

/// A chain of elementwise functions that runs as one pass.
///
/// ```
/// # use graph_kernels::{Array, DType, ElementOp, Operand, Program, Step};
/// # use smallvec::smallvec;
/// // relu(x * y)
/// let steps = [
///     Step { op: ElementOp::Mul.into(), operands: smallvec![Operand::Input(0), Operand::Input(1)] },
///     Step { op: ElementOp::Relu.into(), operands: smallvec![Operand::Step(0)] },
/// ];
/// let program = Program::new(&[DType::F32, DType::F32], &steps)?;
/// let (x, y) = (Array::new(&[2, 1], vec![1f32, -1.0]), Array::new(&[2], vec![2f32, 3.0]));
/// let mut out = Array::default();
/// program.run(&[Some(&x), Some(&y)], &mut out)?;
/// assert_eq!(out, Array::new(&[2, 2], vec![2f32, 3.0, 0.0, 0.0]));
/// # Ok::<(), graph_kernels::KernelError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Program {
    /// The dtypes and widths of the inputs.
    inputs: SmallVec<[(DType, Width); 4]>,
    /// The register of each input, for blocks that can't be read from its array directly: the last registers, in order.
    input_registers: SmallVec<[usize; 4]>,
    /// For each input, whether the instruction that writes the result over it reads it. If the result is written over that input, its
    /// block is copied to a register first.
    read_last: SmallVec<[bool; 4]>,
    /// The dtypes of the registers, and whether they have one value per element or per row.
    registers: SmallVec<[(DType, Width); 8]>,
    instructions: SmallVec<[Instruction; 2]>,
    /// The dtype of the result.
    output: DType,
    /// How many results there are.
    results: usize,
    /// True if steps depend on where rows begin and end.
    by_rows: bool,
    /// The reduction of the last step's values, if the program ends in one.
    reduction: Option<Reduction>,
    /// The layout for the shapes that were given ahead.
    known: Option<Known>,
    /// True if it reads parts of inputs, so that it accepts no other shapes.
    reads_parts: bool,
    /// The inputs of which it reads one row.
    rows: SmallVec<[RowOf; 1]>,
    /// The inputs that it reads rolled.
    rolls: SmallVec<[RollOf; 1]>,
    /// The inputs that the matrix product before the program adds.
    sums: SmallVec<[usize; 2]>,
    /// Roughly the nanoseconds that one thread takes for 16 values.
    cost: usize,
    /// What its runs share about machine code, if it may become that.
    compiled: Option<Arc<Compiled>>,
    /// What a program of rows does behind its last reduction, if that may become machine code.
    tail: Option<Arc<Tail>>,
}

/// A function that calculates some values, from a position on, in the memory that holds those of the inputs that are `None`.
pub(crate) type PartFunction<'a> = dyn Fn(usize, &mut BlockMut) + Sync + 'a;

/// A reduction of the last step's values over trailing axes.
#[derive(Clone, Debug)]
struct Reduction {
    op: ReduceOp,
    axes: SmallVec<[i64; 4]>,
    keep_dims: bool,
}

impl Program {
    /// The program of some steps over inputs of the given dtypes. The result is the last step's value.
    ///
    /// # Errors
    /// If there are no steps, or a step isn't valid: its number of operands or their dtypes are wrong, or an input or earlier step
    /// doesn't exist.
    pub fn new(inputs: &[DType], steps: &[Step]) -> Result<Program, KernelError> {
        let inputs: SmallVec<[_; 4]> = inputs.iter().map(|dtype| (*dtype, Width::Row)).collect();
        Program::of_rows(&inputs, steps)
    }

    /// The program of some steps that may reduce rows. A step has one value per row if all its operands do, and else one value per
    /// element; the last step must have one value per element. Inputs that are reduced must have the last axis of the result.
    ///
    /// # Errors
    /// As [`new`](Self::new); if a reduction isn't defined for its operand's dtype; or if the last step has only one value per row.
    ///
    /// ```
    /// # use graph_kernels::{Array, DType, ElementOp, Operand, Program, ReduceOp, Step, StepOp, Width};
    /// # use smallvec::smallvec;
    /// // x - mean(x)
    /// let steps = [
    ///     Step { op: StepOp::Reduce(ReduceOp::Mean), operands: smallvec![Operand::Input(0)] },
    ///     Step { op: ElementOp::Sub.into(), operands: smallvec![Operand::Input(0), Operand::Step(0)] },
    /// ];
    /// let program = Program::of_rows(&[(DType::F32, Width::Row)], &steps)?;
    /// let x = Array::new(&[2, 2], vec![1f32, 3.0, 10.0, 20.0]);
    /// let mut out = Array::default();
    /// program.run(&[Some(&x)], &mut out)?;
    /// assert_eq!(out, Array::new(&[2, 2], vec![-1f32, 1.0, -5.0, 5.0]));
    /// # Ok::<(), graph_kernels::KernelError>(())
    /// ```
    pub fn of_rows(inputs: &[(DType, Width)], steps: &[Step]) -> Result<Program, KernelError> {
        if steps.is_empty() {
            return Err(KernelError::Value(
                "a program must have at least one step".to_owned(),
            ));
        }
        build::program(inputs.into(), steps, &[steps.len() - 1])
    }

    /// Whether each value of the result is calculated from the values of the inputs at its place, and from nothing else.
    pub(crate) fn is_elementwise(&self) -> bool {
        !self.by_rows
            && !self.reads_parts
            && self.reduction.is_none()
            && self.rows.is_empty()
            && self.rolls.is_empty()
            && self.sums.is_empty()
    }

    /// A program of one function of inputs of these dtypes that runs once.
    ///
    /// # Errors
    /// If the function isn't defined for the dtypes.
    pub(crate) fn once(dtypes: &[DType], step: Step) -> Result<Program, KernelError> {
        let inputs = dtypes.iter().map(|dtype| (*dtype, Width::Row)).collect();
        build::once(inputs, &[step], &[0])
    }

    /// This program with a reduction of its values. If the axes are the last ones, the values themselves are never written to memory.
    ///
    /// # Errors
    /// If the reduction isn't defined for the values' dtype, or the program reduces rows already or has several results.
    ///
    /// ```
    /// # use graph_kernels::{Array, Axes, DType, ElementOp, Operand, Program, ReduceOp, Step};
    /// # use smallvec::smallvec;
    /// let square = Step { op: ElementOp::Square.into(), operands: smallvec![Operand::Input(0)] };
    /// let axes = Axes { axes: &[-1], keep_dims: false };
    /// let program = Program::new(&[DType::F32], &[square])?.reduced(ReduceOp::Sum, axes)?;
    /// let x = Array::new(&[2, 2], vec![1f32, 2.0, 3.0, 4.0]);
    /// let mut out = Array::default();
    /// program.run(&[Some(&x)], &mut out)?;
    /// assert_eq!(out, Array::new(&[2], vec![5f32, 25.0]));
    /// # Ok::<(), graph_kernels::KernelError>(())
    /// ```
    pub fn reduced(mut self, op: ReduceOp, axes: Axes) -> Result<Program, KernelError> {
        op.reducer(self.output)?;
        if self.by_rows || self.results > 1 {
            let text = "a program of rows, or of several results, can't end in a reduction";
            return Err(KernelError::Value(text.to_owned()));
        }
        self.reduction = Some(Reduction {
            op,
            axes: axes.axes.into(),
            keep_dims: axes.keep_dims,
        });
        Ok(self)
    }

    /// This program, prepared for inputs of the given shapes: runs on them have less overhead. Other shapes still work.
    ///
    /// ```
    /// # use graph_kernels::{Array, DType, ElementOp, Operand, Program, Step};
    /// # use smallvec::smallvec;
    /// let square = Step { op: ElementOp::Square.into(), operands: smallvec![Operand::Input(0)] };
    /// let program = Program::new(&[DType::F32], &[square])?.known(&[&[2]]);
    /// let mut out = Array::default();
    /// for x in [Array::new(&[2], vec![2f32, 3.0]), Array::new(&[1], vec![4f32])] {
    ///     program.run(&[Some(&x)], &mut out)?;
    ///     assert_eq!(out.shape(), x.shape());
    /// }
    /// assert_eq!(out, Array::new(&[1], vec![16f32]));
    /// # Ok::<(), graph_kernels::KernelError>(())
    /// ```
    pub fn known(mut self, inputs: &[&[usize]]) -> Program {
        self.known = Known::new(&self, inputs);
        self
    }

    /// This program, prepared for parts of inputs of the given shapes, which it reads in place. On inputs of other shapes it fails.
    ///
    /// `None` if a part can't be read in place (its last axis must be read forward, without gaps), if the parts don't broadcast, or if
    /// the program works by rows.
    ///
    /// ```
    /// # use graph_kernels::{Array, AxisSlice, DType, ElementOp, InputPart, Operand, Program, Step};
    /// # use smallvec::smallvec;
    /// // x[:, :2] + x[:, 2:]
    /// let add = Step { op: ElementOp::Add.into(), operands: smallvec![Operand::Input(0), Operand::Input(1)] };
    /// let columns = |begin, end| [AxisSlice { axis: 1, begin, end, step: 1 }];
    /// let (left, right) = (columns(None, Some(2)), columns(Some(2), None));
    /// let part = |slices| InputPart { shape: &[2, 4], slices };
    /// let program = Program::new(&[DType::F32; 2], &[add])?.known_parts(&[part(&left), part(&right)]);
    /// let program = program.expect("columns lie side by side");
    /// let x = Array::new(&[2, 4], vec![1f32, 2.0, 10.0, 20.0, 3.0, 4.0, 30.0, 40.0]);
    /// let mut out = Array::default();
    /// program.run(&[Some(&x); 2], &mut out)?;
    /// assert_eq!(out, Array::new(&[2, 2], vec![11f32, 22.0, 33.0, 44.0]));
    /// # Ok::<(), graph_kernels::KernelError>(())
    /// ```
    pub fn known_parts(mut self, inputs: &[InputPart]) -> Option<Program> {
        self.known = Some(Known::of_parts(&self, inputs)?);
        self.reads_parts = true;
        Some(self)
    }

    /// The dtype of the result.
    pub fn output(&self) -> DType {
        self.output
    }

    /// Runs the program in place, on parts of an array: `work` gets the array and the sums that it has to add to it. If there are further
    /// steps, it also gets a function that it has to call for each part, with the position of the part's first value, when the part holds
    /// the values of the inputs that are `None`.
    ///
    /// `None` if the result would have another shape or dtype.
    ///
    /// # Errors
    /// Those of `work`, or as [`run`](Self::run).
    pub(crate) fn in_parts(
        &self,
        inputs: &[Option<&Array>],
        out: &mut Array,
        work: impl FnOnce(&mut Array, Sums, Option<&PartFunction>) -> Result<(), KernelError>,
    ) -> Option<Result<(), KernelError>> {
        run::in_parts(self, inputs, out, work)
    }

    /// Runs the program. All inputs broadcast against each other; the result has the shape that they broadcast to, or that of the
    /// reduction. An input that is `None` is the contents of `out`, so a chain can work in place.
    ///
    /// # Errors
    /// If an axis of the reduction doesn't exist; if the number of inputs, their dtypes or their widths don't fit the program; if the
    /// shapes don't broadcast; or if a function isn't defined for a value (an integer divided by zero). After an error the values of
    /// `out` are unspecified.
    pub fn run(&self, inputs: &[Option<&Array>], out: &mut Array) -> Result<(), KernelError> {
        self.check_one_result()?;
        run::program(self, inputs, out)
    }
}
