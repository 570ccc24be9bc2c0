//! Single ops outside of any plan, for eager code.

use std::sync::Arc;

use graph_kernels::Array;
use smallvec::SmallVec;

use super::kernel::{compute, compute_in_place};
use crate::denormals::denormals_are_flushed;
use crate::device::Storage;
use crate::ops::{Attrs, OpDef};

/// See [`Backend::apply`](crate::device::Backend::apply).
pub(super) fn apply(
    op: &'static OpDef,
    attrs: &Attrs,
    operands: &[&Storage],
) -> Result<Storage, String> {
    with_arrays(operands, |arrays| {
        let mut output = Array::default();
        compute(
            op,
            attrs,
            arrays,
            None,
            denormals_are_flushed(),
            &mut output,
        )?;
        Ok(output.into())
    })
}

/// Applies an op in place to its first operand. Returns false, and changes nothing, if the op has no kernel that works in place or if somebody
/// else holds the value.
///
/// # Errors
/// If the kernel fails.
pub fn update(
    op: &'static OpDef,
    attrs: &Attrs,
    target: &mut Storage,
    others: &[&Storage],
) -> Result<bool, String> {
    let Some(array) = target.as_host_mut().filter(|_| op.in_place.is_some()) else {
        return Ok(false);
    };
    with_arrays(others, |others| {
        compute_in_place(op, attrs, array, others, denormals_are_flushed())?;
        Ok(true)
    })
}

/// Calls `f` with the operands as arrays; operands on other devices are fetched.
fn with_arrays<R>(
    operands: &[&Storage],
    f: impl FnOnce(&[&Array]) -> Result<R, String>,
) -> Result<R, String> {
    let mut arrays: SmallVec<[&Array; 4]> = SmallVec::new();
    for operand in operands {
        match operand {
            Storage::Host(array) => arrays.push(array),
            Storage::Remote(_) => return with_fetched(operands, f),
        }
    }
    f(&arrays)
}

#[cold]
fn with_fetched<R>(
    operands: &[&Storage],
    f: impl FnOnce(&[&Array]) -> Result<R, String>,
) -> Result<R, String> {
    let fetch = |x: &&Storage| x.to_host().map_err(|error| error.message().to_owned());
    let arrays: Vec<Arc<Array>> = operands.iter().map(fetch).collect::<Result<_, _>>()?;
    f(&arrays.iter().map(|array| &**array).collect::<Vec<_>>())
}
