//! The witnesses of eager ops: a thread's stack of tapes and accumulators. Under a trace there are none, because the graph is the record.

use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

use super::changes::Changes;
use super::record::Recorder;
use super::sweep::is_differentiable;
use crate::error::Location;
use crate::ops::{Attrs, OpDef};
use crate::trace::{self, AnyTensor};
use crate::variable::Place;

thread_local! {
    /// The witnesses of this thread, the innermost last.
    static WITNESSES: RefCell<Vec<Witness>> = const { RefCell::new(Vec::new()) };
}

/// A tape or an accumulator in eager code.
#[derive(Clone)]
pub(super) enum Witness {
    Tape(Rc<Recorder>),
    Accumulator(Rc<Changes>),
}

/// The observer that passes each op to all witnesses of the thread.
struct All;

impl trace::Observer for All {
    fn op(
        &self,
        op: &'static OpDef,
        attrs: &Attrs,
        operands: &[&AnyTensor],
        output: &AnyTensor,
        location: &Location,
    ) {
        record_op(op, attrs, operands, output, location);
    }
    fn read(&self, place: &Arc<Place>, output: &mut AnyTensor, location: &Location) {
        record_read(place, output, location);
    }
}

/// All witnesses, the innermost last.
pub(super) fn witnesses() -> Vec<Witness> {
    WITNESSES.with_borrow(Vec::clone)
}

fn change<R>(f: impl FnOnce(&mut Vec<Witness>) -> R) -> R {
    WITNESSES.with_borrow_mut(|all| {
        let result = f(all);
        trace::set_observer((!all.is_empty()).then_some(&All));
        result
    })
}

/// Adds a witness.
pub(super) fn begin(witness: Witness) {
    change(|all| all.push(witness));
}

/// Removes the witnesses for which `is_it` holds.
pub(super) fn end(is_it: impl Fn(&Witness) -> bool) {
    change(|all| all.retain(|witness| !is_it(witness)));
}

/// Runs `f` unseen by the witnesses for which `is_it` holds.
pub(super) fn unseen_by<R>(is_it: impl Fn(&Witness) -> bool, f: impl FnOnce() -> R) -> R {
    struct Hidden(Option<(usize, Witness)>);
    impl Drop for Hidden {
        fn drop(&mut self) {
            if let Some((position, witness)) = self.0.take() {
                change(|all| all.insert(position.min(all.len()), witness));
            }
        }
    }
    let _hidden = Hidden(change(|all| {
        let position = all.iter().position(is_it)?;
        Some((position, all.remove(position)))
    }));
    f()
}

/// Runs `f` seen only by the outermost `count` witnesses.
pub(super) fn seen_by_outer<R>(count: usize, f: impl FnOnce() -> R) -> R {
    struct Others(Vec<Witness>);
    impl Drop for Others {
        fn drop(&mut self) {
            change(|all| all.append(&mut self.0));
        }
    }
    let _others = Others(change(|all| all.split_off(count.min(all.len()))));
    f()
}

/// Passes an op that has run to all witnesses. The computations of an accumulator are seen by the outer ones.
pub(super) fn record_op(
    op: &'static OpDef,
    attrs: &Attrs,
    operands: &[&AnyTensor],
    output: &AnyTensor,
    location: &Location,
) {
    if super::rules::rule(op).is_none() || !is_differentiable(output.dtype()) {
        return;
    }
    for (position, witness) in witnesses().iter().enumerate() {
        match witness {
            Witness::Tape(recorder) => recorder.see(op, attrs, operands, output, location),
            Witness::Accumulator(changes) => {
                let follow = || changes.follow(op, attrs, operands, output, location);
                seen_by_outer(position, follow).unwrap_or_else(trace::record);
            }
        }
    }
}

/// Passes the read of a variable to all witnesses.
fn record_read(place: &Arc<Place>, output: &mut AnyTensor, location: &Location) {
    if !is_differentiable(output.dtype()) {
        return;
    }
    // The variable's value may be watched separately.
    output.make_distinct();
    for witness in witnesses() {
        match witness {
            Witness::Tape(recorder) => recorder.see_read(place, output, location),
            Witness::Accumulator(changes) => {
                if let Some(change) = changes.of_variable(place) {
                    changes.set(output, change);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_ended_sees_nothing_more() {
        let (outer, inner) = (Recorder::begin(), Recorder::begin());
        let changes = Changes::begin(Vec::new());
        outer.end();
        let rest = witnesses();
        assert!(
            matches!(&rest[..], [Witness::Tape(tape), Witness::Accumulator(_)] if Rc::ptr_eq(tape, &inner))
        );
        assert!(trace::is_recording());
        inner.end();
        assert!(matches!(witnesses()[..], [Witness::Accumulator(_)]));
        changes.end();
        assert!(!trace::is_recording());
    }
}
