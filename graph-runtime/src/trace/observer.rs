//! Who sees what runs at once, op by op. That is one level up, where gradients are; here is the door to it.

use std::cell::Cell;
use std::sync::Arc;

use graph_ir::device::Place;

use super::any::AnyTensor;
use crate::error::Location;
use crate::ops::{Attrs, OpDef};

/// Sees what runs at once.
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
    /// The one of this thread, if there is one: what every eager op asks.
    static OBSERVER: Cell<Option<&'static dyn Observer>> = const { Cell::new(None) };
}

/// Whether what runs at once is seen.
pub(crate) fn is_recording() -> bool {
    OBSERVER.get().is_some()
}

/// Who sees what this thread runs at once.
pub(super) fn observer() -> Option<&'static dyn Observer> {
    OBSERVER.get()
}

/// Lets one see, or nobody, what this thread runs from now on.
pub(crate) fn set_observer(observer: Option<&'static dyn Observer>) {
    OBSERVER.set(observer);
}
