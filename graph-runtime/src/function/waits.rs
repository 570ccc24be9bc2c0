//! The waits of threads for traces, over all functions. A thread that traces may need a trace that another thread is making. It
//! waits for it, unless that thread itself waits for the first one, directly or through others.

use std::sync::PoisonError;

use crate::sync::{Mutex, ThreadId, current};

/// The waits in progress. A thread waits for at most one other, and there is never a cycle.
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
    /// The number of the awaited trace.
    trace: u64,
}

/// A wait of this thread; it ends when this is dropped.
pub(super) struct Waiting<'a>(&'a Waits);

impl Waits {
    /// A number for a new trace.
    pub fn number(&self) -> u64 {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.traces += 1;
        state.traces
    }

    /// Begins a wait of this thread for a trace that another thread makes; `None` if that would close a cycle of waits.
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

    /// Ends all waits for a trace, also those of threads that haven't woken up yet. Otherwise these would still count as waiting,
    /// and a thread that is about to wait for one of them would see a false cycle.
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
