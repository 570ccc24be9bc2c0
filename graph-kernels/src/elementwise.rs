//! Functions applied element by element to arrays of any shapes: as single values, as one block, or as a [program](crate::Program) of one
//! instruction.

use smallvec::SmallVec;

use crate::array::same_shape;
use crate::block::{Block, BlockMut, BlockRef};
use crate::dispatch::undefined;
use crate::element::Entry;
use crate::program::single;
use crate::{Array, DType, ElementOp, KernelError, Operand, Program, Step, strings};

/// Applies a function element by element. The operands broadcast against each other, and the result has the shape that
/// they broadcast to. Strings can be added (which joins them), compared for equality and selected.
///
/// # Errors
/// If the function isn't defined for the operands' dtypes or takes another number of operands, if their shapes don't broadcast, or if it
/// isn't defined for one of the values (an integer divided by zero).
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
    let inputs: SmallVec<[_; 3]> = operands.iter().map(|x| Some(*x)).collect();
    if let Some(program) = single::large(op, entry.output, operands) {
        return program.run(&inputs, out);
    }
    let step = Step {
        op: op.into(),
        operands: (0..operands.len()).map(Operand::Input).collect(),
    };
    Program::once(&dtypes, step)?.run(&inputs, out)
}

/// Arrays of up to this many values are one block.
const SHORT: usize = 4096;

/// Applies a function to operands of one shape, in one block.
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

/// Applies a function to operands of one value each, without blocks.
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
    if let Some(mut block) = BlockMut::of(out.buffer_mut(), 1) {
        block.put_word(0, result);
    }
    Ok(())
}
