//! Functions applied element by element: one [table](table) of them, and what runs them over arrays.
//!
//! A row of the table becomes a loop over [blocks](block) and a function of single values; both give the same bits.

mod block;
mod convert;
mod function;
mod half;
mod integer;
mod program;
mod table;
mod words;

#[cfg(test)]
mod tests;

use smallvec::SmallVec;

use crate::array::same_shape;
use crate::dispatch::undefined;
use crate::{Array, DType, KernelError, strings};

use function::{BlockFunction, Entry, WordFunction};

pub(crate) use block::{Block, BlockMut, BlockRef, Lane, with_lanes};
pub(crate) use convert::truncate;
pub use function::ElementError;
pub(crate) use half::{Half, narrow_all, widen_all};
pub(crate) use program::Sums;
pub use program::{InputPart, Operand, Program, Step, StepOp, Width};
pub use table::ElementOp;
pub use words::{REGISTERS, Register, Registers, WordFailure, WordProgram, WordStep};

impl ElementOp {
    /// The function for operands of the given dtypes.
    fn entry(self, operands: &[DType]) -> Result<&'static Entry, KernelError> {
        // The last operand's dtype is the function's: of `Select`, that of the values.
        let Some(dtype) = operands.last() else {
            return Err(self.takes(self.arity(), 0));
        };
        let entry = self.of_dtype(*dtype);
        let entry = entry.ok_or_else(|| undefined(self.name(), *dtype))?;
        if operands.len() != entry.operands.len() {
            return Err(self.takes(entry.operands.len(), operands.len()));
        }
        match operands
            .iter()
            .zip(entry.operands)
            .find(|(is, takes)| is != takes)
        {
            None => Ok(entry),
            Some((is, takes)) => Err(KernelError::DType(format!(
                "`{}` takes an operand of {takes}, not {is}",
                self.name()
            ))),
        }
    }

    fn takes(self, takes: usize, given: usize) -> KernelError {
        let op = self.name();
        KernelError::Value(format!("`{op}` takes {takes} operands, not {given}"))
    }

    /// The conversion to a dtype; `None` for strings.
    pub fn conversion(dtype: DType) -> Option<ElementOp> {
        match dtype {
            DType::F32 => Some(ElementOp::ToF32),
            DType::F64 => Some(ElementOp::ToF64),
            DType::F16 => Some(ElementOp::ToF16),
            DType::BF16 => Some(ElementOp::ToBF16),
            DType::I32 => Some(ElementOp::ToI32),
            DType::I64 => Some(ElementOp::ToI64),
            DType::U8 => Some(ElementOp::ToU8),
            DType::I8 => Some(ElementOp::ToI8),
            DType::I16 => Some(ElementOp::ToI16),
            DType::U16 => Some(ElementOp::ToU16),
            DType::U32 => Some(ElementOp::ToU32),
            DType::U64 => Some(ElementOp::ToU64),
            DType::Bool => Some(ElementOp::ToBool),
            DType::Str => None,
        }
    }

    /// Writes the values of an array as those of a dtype that isn't `string`.
    pub(crate) fn convert_block(
        x: &Array,
        dtype: DType,
        mut out: BlockMut,
    ) -> Result<(), KernelError> {
        match (ElementOp::conversion(dtype), Block::of(x.buffer())) {
            (Some(op), Some(values)) => {
                let values = BlockRef::whole(&values);
                Ok((op.entry(&[x.dtype()])?.block)(&[values; 3], &mut out)?)
            }
            _ => Err(undefined("cast", x.dtype())),
        }
    }

    /// The dtype of the result for operands of the given dtypes.
    ///
    /// # Errors
    /// If the function isn't defined for them.
    ///
    /// ```
    /// # use graph_kernels::{DType, ElementOp};
    /// assert_eq!(ElementOp::Less.output(&[DType::F32; 2]), Ok(DType::Bool));
    /// assert!(ElementOp::Sqrt.output(&[DType::I32]).is_err());
    /// ```
    pub fn output(self, operands: &[DType]) -> Result<DType, KernelError> {
        self.entry(operands).map(|entry| entry.output)
    }

    /// One value. Operands and result are in the low bits of words: the bits of floats and integers, 0 or 1 for `bool`.
    /// Operands that the function doesn't take are ignored. `None` if the function isn't defined for the dtype.
    ///
    /// # Errors
    /// If the function isn't defined for the operands.
    ///
    /// ```
    /// # use graph_kernels::{DType, ElementOp};
    /// assert_eq!(ElementOp::Add.scalar(DType::I64, [2, 3, 0]), Some(Ok(5)));
    /// ```
    pub fn scalar(self, dtype: DType, operands: [u64; 3]) -> Option<Result<u64, ElementError>> {
        self.word_function(dtype).map(|function| function(operands))
    }

    /// True if the function is defined for every value of a dtype.
    ///
    /// ```
    /// # use graph_kernels::{DType, ElementOp};
    /// assert!(ElementOp::Exp.is_total(DType::F32));
    /// assert!(ElementOp::Div.is_total(DType::F32) && !ElementOp::Div.is_total(DType::I32));
    /// ```
    pub fn is_total(self, dtype: DType) -> bool {
        let entry = self.of_dtype(dtype);
        entry.is_some_and(|entry| entry.is_total)
    }

    /// What [`scalar`](Self::scalar) calculates, looked up once.
    fn word_function(self, dtype: DType) -> Option<WordFunction> {
        self.of_dtype(dtype).map(|entry| entry.word)
    }
}

/// Applies a function element by element. The operands broadcast against each other, and the result has the shape that
/// they broadcast to. Strings can be added (which joins them), compared for equality and selected.
///
/// # Errors
/// If the function isn't defined for the operands' dtypes or takes another number of them, if their shapes don't broadcast,
/// or if it isn't defined for one of the values (an integer divided by zero).
///
/// ```
/// # use graph_kernels::{Array, ElementOp, elementwise};
/// let mut out = Array::default();
/// elementwise(ElementOp::Add, &[&Array::new(&[2], vec![1, 2]), &Array::scalar(3)], &mut out)?;
/// assert_eq!(out, Array::new(&[2], vec![4, 5]));
/// # Ok::<(), graph_kernels::KernelError>(())
/// ```
pub fn elementwise(op: ElementOp, operands: &[&Array], out: &mut Array) -> Result<(), KernelError> {
    let dtypes: SmallVec<[DType; 3]> = operands.iter().map(|x| x.dtype()).collect();
    if dtypes.last() == Some(&DType::Str) {
        return strings::elementwise(op, operands, out);
    }
    let entry = op.entry(&dtypes)?;
    if operands.iter().all(|x| x.len() == 1) {
        return one(op, operands, entry.output, out);
    }
    let shape = operands[0].shape();
    if operands[0].len() <= SHORT && operands.iter().all(|x| same_shape(x.shape(), shape)) {
        return short(entry, operands, out);
    }
    let step = Step {
        op: op.into(),
        operands: (0..operands.len()).map(Operand::Input).collect(),
    };
    let inputs: SmallVec<[_; 3]> = operands.iter().map(|x| Some(*x)).collect();
    Program::new(&dtypes, &[step])?.run(&inputs, out)
}

/// Arrays of up to as many values are one block.
const SHORT: usize = 4096;

/// A function of operands of one shape, in one block.
fn short(entry: &Entry, operands: &[&Array], out: &mut Array) -> Result<(), KernelError> {
    let mut blocks = [Block::Bool(&[]); 3];
    for (block, operand) in blocks.iter_mut().zip(operands) {
        *block = Block::of(operand.buffer()).unwrap_or(*block);
    }
    out.reset(entry.output, operands[0].shape())?;
    let len = out.len();
    match BlockMut::of(out.buffer_mut(), len) {
        Some(mut out) => {
            let blocks = blocks.each_ref().map(BlockRef::whole);
            Ok((entry.block)(&blocks, &mut out)?)
        }
        None => Ok(()),
    }
}

/// A function of operands of one value each, without the way through blocks.
fn one(
    op: ElementOp,
    operands: &[&Array],
    output: DType,
    out: &mut Array,
) -> Result<(), KernelError> {
    let mut words = [0; 3];
    for (word, operand) in words.iter_mut().zip(operands) {
        *word = Block::of(operand.buffer()).map_or(0, |values| values.word(0));
    }
    let dtype = operands[operands.len() - 1].dtype();
    let result = op
        .scalar(dtype, words)
        .ok_or_else(|| undefined(op.name(), dtype))??;
    let rank = |x: &&&Array| x.rank();
    let shape = operands
        .iter()
        .max_by_key(rank)
        .map_or(&[][..], |x| x.shape());
    out.reset(output, shape)?;
    if let Some(block) = BlockMut::of(out.buffer_mut(), 1) {
        block.put_word(0, result);
    }
    Ok(())
}
