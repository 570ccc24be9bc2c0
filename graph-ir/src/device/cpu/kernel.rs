//! One call of an op's kernel, wherever it comes from: an instruction of a plan, an update of a variable, or an op outside of any plan.

use std::iter::once;

use graph_kernels::{Array, Behind, KernelError, Packed};
use smallvec::SmallVec;

use crate::ops::{Attrs, OpDef};
use crate::types::TensorType;

/// Computes an op. `packed` is the second operand of a product, if that is a constant. With `flush`, denormals of the result become zeros.
///
/// # Errors
/// If the kernel fails: its message, with the op and its operands' types.
#[inline]
pub(super) fn compute(
    op: &OpDef,
    attrs: &Attrs,
    operands: &[&Array],
    packed: Option<&Packed>,
    flush: bool,
    output: &mut Array,
) -> Result<(), String> {
    let done = match (op.product, packed, operands) {
        (Some(product), Some(_), [a, b]) => {
            let behind = Behind {
                program: None,
                packed,
            };
            product([a, b], attrs, behind, output)
        }
        _ => (op.kernel)(operands, attrs, output),
    };
    done.map_err(|e| describe(&e, op, operands))?;
    if flush {
        output.flush_denormals();
    }
    Ok(())
}

/// Replaces the value of an op's first operand by the op's result, in the same memory. With `flush`, denormals of the result become zeros.
///
/// # Errors
/// If the op has no kernel that works in place, or if the kernel fails.
#[inline]
pub(super) fn compute_in_place(
    op: &OpDef,
    attrs: &Attrs,
    value: &mut Array,
    others: &[&Array],
    flush: bool,
) -> Result<(), String> {
    let Some(kernel) = op.in_place else {
        return Err(format!("`{}` has no kernel that works in place", op.name));
    };
    kernel(value, others, attrs).map_err(|error| {
        let operands = once(&*value).chain(others.iter().copied());
        describe(&error, op, &operands.collect::<SmallVec<[&Array; 4]>>())
    })?;
    if flush {
        value.flush_denormals();
    }
    Ok(())
}

fn describe(error: &KernelError, op: &OpDef, operands: &[&Array]) -> String {
    let types = operands.iter().map(|array| TensorType::of_array(array));
    op.failure(error, types)
}
