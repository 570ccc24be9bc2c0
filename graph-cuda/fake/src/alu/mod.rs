//! What instructions compute: functions from the bits of operands to the bits of a result.

pub(crate) mod bits;
pub(crate) mod compare;
pub(crate) mod convert;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod operation;
pub(crate) mod round;
pub(crate) mod small;
