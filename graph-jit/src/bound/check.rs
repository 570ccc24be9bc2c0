//! Whether a loop's steps stay within its arrays. The code doesn't compare anything but positions of rows, so all else is compared once, here.

use graph_kernels::codegen::{ChainInput, LoopChain, LoopInput, LoopSource, LoopStep};
use graph_kernels::{BoundArray, DType};

use super::array;

/// True if no step reads or writes beside an array, whatever the values are.
pub fn fits(source: &LoopSource) -> bool {
    let mut steps = source.steps.iter();
    let holds = |condition: BoundArray| {
        array(source, condition).is_some_and(|(dtype, len)| dtype == DType::Bool && len > 0)
    };
    source.condition.is_none_or(holds) && steps.all(|step| step_fits(source, step).is_some())
}

fn changing(source: &LoopSource, n: usize) -> Option<(DType, usize)> {
    array(source, BoundArray::Changing(n))
}

fn step_fits(source: &LoopSource, step: &LoopStep) -> Option<()> {
    let fits = match step {
        LoopStep::Chain(chain) => chain_fits(source, chain)?,
        LoopStep::Words {
            inputs, outputs, ..
        } => {
            let reads = |(from, element, _): &(BoundArray, Option<usize>, _)| {
                array(source, *from)
                    .is_some_and(|(dtype, len)| dtype != DType::Str && element.unwrap_or(0) < len)
            };
            inputs.iter().all(reads)
                && outputs.iter().all(|output| {
                    changing(source, output.to).is_some_and(|(dtype, len)| {
                        dtype == output.dtype
                            && dtype != DType::Str
                            && output.registers.len() <= len
                    })
                })
        }
        LoopStep::Write {
            list,
            at,
            row,
            rows,
            len,
        } => {
            let ((list, all), (values, some)) = (changing(source, *list)?, array(source, *row)?);
            list == values
                && list != DType::Str
                && rows.checked_mul(*len)? <= all
                && *len <= some
                && is_position(source, *at)
        }
        LoopStep::Row { from, to } => {
            let (dtype, room) = changing(source, *to)?;
            let len = from.row.as_ref()?.len;
            len <= room && dtype != DType::Str && input_fits(source, from, dtype, len)?
        }
        LoopStep::Function { operands, to, .. } => {
            let written = BoundArray::Changing(*to);
            changing(source, *to)?.0 != DType::Str
                && operands.iter().all(|(input, len)| {
                    array(source, input.array).is_some_and(|(dtype, _)| {
                        dtype != DType::Str
                            && input.array != written
                            && input_fits(source, input, dtype, *len) == Some(true)
                    })
                })
        }
        LoopStep::Leave(condition) => {
            let (dtype, len) = array(source, *condition)?;
            dtype == DType::Bool && len > 0
        }
        LoopStep::Swap(a, b) => changing(source, *a)? == changing(source, *b)?,
        LoopStep::Copy { to, from } => {
            let to = changing(source, *to)?;
            to == array(source, *from)? && to.0 != DType::Str
        }
    };
    fits.then_some(())
}

fn is_position(source: &LoopSource, at: BoundArray) -> bool {
    array(source, at)
        .is_some_and(|(dtype, len)| matches!(dtype, DType::I32 | DType::I64) && len > 0)
}

fn chain_fits(source: &LoopSource, chain: &LoopChain) -> Option<bool> {
    let of = &chain.source;
    let (result, room) = changing(source, chain.to)?;
    if of.results[..] != [result] || chain.len > room || chain.inputs.len() != of.inputs.len() {
        return None;
    }
    let inputs = chain.inputs.iter().zip(&of.inputs).zip(&of.dtypes);
    let mut fits = inputs.map(|((input, form), dtype)| match (input, form) {
        (None, ChainInput::Result(0)) => Some(*dtype == result),
        (Some(input), ChainInput::Each) => input_fits(source, input, *dtype, chain.len),
        (Some(input), ChainInput::Same) => input_fits(source, input, *dtype, 1),
        _ => None,
    });
    Some(fits.all(|fits| fits == Some(true)))
}

/// Whether `len` values of an input lie in its array.
fn input_fits(source: &LoopSource, input: &LoopInput, dtype: DType, len: usize) -> Option<bool> {
    let (own, all) = array(source, input.array)?;
    let mut room = all;
    if let Some(row) = &input.row {
        let mut positions = row.positions.iter();
        let rows = positions
            .clone()
            .try_fold(1usize, |n, (_, size)| n.checked_mul(*size))?;
        if !positions.all(|(at, _)| is_position(source, *at)) || rows.checked_mul(row.len)? > all {
            return None;
        }
        room = row.len;
    }
    Some(own == dtype && input.first.checked_add(len)? <= room)
}
