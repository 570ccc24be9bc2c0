//! Updates of variables outside of a run.

use std::iter::once;

use smallvec::SmallVec;

use super::{Place, Storage, update};
use crate::ops::{Attrs, OpDef};

/// Replaces a variable's value by the result of an op on it and other operands, on the device that holds the value. The value is changed in
/// place if the op can do that and nobody else holds the value.
///
/// # Errors
/// If the kernel fails, or if the variable can't hold the result. Then the variable keeps its old value.
pub fn update_variable(
    place: &Place,
    op: &'static OpDef,
    attrs: &Attrs,
    others: &[&Storage],
) -> Result<(), String> {
    place.write(|held| {
        if update(op, attrs, held, others)? {
            return Ok(());
        }
        let new = {
            let operands = once(&*held).chain(others.iter().copied());
            let operands: SmallVec<[&Storage; 4]> = operands.collect();
            held.device().apply(op, attrs, &operands)?
        };
        place.check(new.dtype(), new.shape())?;
        *held = new;
        Ok(())
    })
}
