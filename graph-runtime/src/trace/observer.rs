//! The observer of eager ops. Gradient tapes, which lie one level up, implement it.

use std::cell::Cell;
use std::sync::Arc;

use graph_ir::device::Place;

use super::any::AnyTensor;
use crate::error::Location;
use crate::ops::{Attrs, OpDef};

/// Sees each op that runs eagerly.
pub(crate) trait Observer {
    /// An op has run.
    fn op(
        &self,
        op: &'static OpDef,
        attrs: &Attrs,
        operands: &[&AnyTensor],
        output: &AnyTensor,
        location: &Location,
    );
    /// A variable was read.
    fn read(&self, place: &Arc<Place>, output: &mut AnyTensor, location: &Location);
}

thread_local! {
    /// The observer of this thread, if there is one. Every eager op reads it.
    static OBSERVER: Cell<Option<&'static dyn Observer>> = const { Cell::new(None) };
}

/// Whether an observer sees the eager ops of this thread.
pub(crate) fn is_recording() -> bool {
    OBSERVER.get().is_some()
}

/// The observer of this thread's eager ops.
pub(super) fn observer() -> Option<&'static dyn Observer> {
    OBSERVER.get()
}

/// Sets or removes the observer of this thread's eager ops.
pub(crate) fn set_observer(observer: Option<&'static dyn Observer>) {
    OBSERVER.set(observer);
}
