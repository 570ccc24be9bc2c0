//! Which thread waits for which other one to end a trace, over all functions: a thread that traces may need a trace that another
//! one is making, and wait for it, unless that one waits for the first, directly or by way of others.

use std::sync::PoisonError;

use crate::sync::{Mutex, ThreadId, current};

/// The waits under way. A thread waits for one other at most, and never in a circle.
#[derive(Default)]
pub(super) struct Waits(Mutex<State>);

#[derive(Default)]
struct State {
    waits: Vec<Wait>,
    /// How many traces have begun.
    traces: u64,
}

struct Wait {
    waits: ThreadId,
    on: ThreadId,
    /// The number of the trace that is waited for.
    trace: u64,
}

/// A wait of this thread, over when dropped.
pub(super) struct Waiting<'a>(&'a Waits);

impl Waits {
    /// A number for a trace that begins.
    pub fn number(&self) -> u64 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.traces += 1;
        state.traces
    }

    /// Begins a wait of this thread for a trace that another one makes; `None` if that one can't go on before this one does.
    pub fn begin(&self, on: ThreadId, trace: u64) -> Option<Waiting<'_>> {
        let me = current();
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut last = on;
        while last != me {
            match state.waits.iter().find(|wait| wait.waits == last) {
                Some(wait) => last = wait.on,
                None => {
                    state.waits.push(Wait {
                        waits: me,
                        on,
                        trace,
                    });
                    return Some(Waiting(self));
                }
            }
        }
        None
    }

    /// Ends all waits for a trace, also those of threads that haven't woken up yet: they would seem to wait for a thread that may be
    /// about to wait for them.
    pub fn end(&self, trace: u64) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.waits.retain(|wait| wait.trace != trace);
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        let me = current();
        let mut state = self.0.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.waits.retain(|wait| wait.waits != me);
    }
}
