//! Updates of variables outside of a run.

use std::iter::once;

use smallvec::SmallVec;

use super::{Place, Storage, update};
use crate::ops::{Attrs, OpDef};

/// Replaces what a variable holds by what an op makes of it and other operands, on the device where it is: where it stands, if nobody else
/// holds it and the op can.
///
/// # Errors
/// If the kernel fails, or if the variable can't hold the result: it holds what it held then.
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
