//! Calls that run as plain Rust: those that meet no tensor, and the beginning of those that might.

use std::sync::atomic::Ordering;

use super::{Call, How};
use crate::function::Found;
use crate::function::body::State;
use crate::function::cache::Recursion;
use crate::function::inline::unwound;
use crate::function::record::Record;
use crate::state::Nest;
use crate::trace::{self, Open};

impl Call {
    /// True if no argument holds a tensor or variable, and no earlier body of this function met a tensor.
    pub(super) fn may_be_rust(&self) -> bool {
        let holds_none = |record: &Record| {
            record.signature.leaves.is_empty() && record.signature.variables.is_empty()
        };
        self.record.get().is_none_or(holds_none)
            && !self.function.meets_tensors.load(Ordering::Relaxed)
            && !self.is_only_traced
    }

    /// True if no call of this function has met a tensor so far, and nothing in this one can hold any.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.unsigned
            && !self.has_room
            && !self.is_only_traced
            && self.how == How::Cached
            && self.refused.is_none()
    }

    /// Runs the body as plain Rust; nothing is kept of that. From the first tensor on that it meets, it is traced.
    #[inline]
    pub(super) fn run_as_rust<R: Nest>(
        &mut self,
        run: impl FnOnce() -> std::thread::Result<R>,
    ) -> State<R> {
        let open = trace::begin_rust(&self.function.meets_tensors);
        let result = match run() {
            Ok(result) => result,
            Err(payload) => return State::Failed(unwound(payload)),
        };
        let mut holds_tensors = false;
        result.leaves(&mut |_| holds_tensors = true);
        if holds_tensors {
            // This makes the body a trace.
            trace::is_tracing();
        }
        match open.end_rust() {
            Ok(end) => {
                if !self.has_room {
                    self.needs_no_signature();
                }
                end.map(|()| result).into()
            }
            Err(open) => self.has_met_tensors(result, open),
        }
    }

    /// The state of a call whose body began as plain Rust and became a trace.
    #[cold]
    fn has_met_tensors<R>(&mut self, result: R, open: Open) -> State<R> {
        let reservation = match self.how {
            How::Cached if !self.unsigned => self.function.find(&self.record().signature.key),
            _ => Err(Recursion),
        };
        let reservation = match reservation {
            Ok(Found::Nothing(reservation)) => Some(reservation),
            // The trace can't be kept under the signature, or another thread has kept one before.
            Ok(Found::Trace(_)) | Err(Recursion) => None,
        };
        State::Traced {
            reservation,
            result,
            open,
        }
    }
}
