//! Warnings about functions that are traced too often: one that names the arguments that kept changing, and one when so many traces
//! exist that old ones are dropped.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::ConcreteFunction;
use crate::trace;

/// What a function records about its latest calls.
pub(super) struct Retracing {
    /// The latest calls from outside any graph function, one bit each, the last one in the lowest bit: 1 for a call that traced.
    history: AtomicU8,
    traces: AtomicUsize,
    /// The type of an argument without a trace type, if there was one. Each call with such an argument is traced anew.
    opaque: OnceLock<&'static str>,
    warned_of_traces: AtomicBool,
    warned_of_limit: AtomicBool,
}

/// The number of traces among the latest 8 calls from which a warning is given.
const TOO_MANY: u32 = 5;

impl Retracing {
    pub const fn new() -> Retracing {
        Retracing {
            history: AtomicU8::new(0),
            traces: AtomicUsize::new(0),
            opaque: OnceLock::new(),
            warned_of_traces: AtomicBool::new(false),
            warned_of_limit: AtomicBool::new(false),
        }
    }

    /// How often the function was traced.
    pub fn traces(&self) -> usize {
        self.traces.load(Ordering::Relaxed)
    }

    /// Records a call that an existing trace served. Writes nothing if no recent call traced.
    pub fn served(&self) {
        let history = self.history.load(Ordering::Relaxed);
        if history != 0 && !trace::active() {
            self.history.store(history << 1, Ordering::Relaxed);
        }
    }

    /// Records an argument of a type that has no trace type.
    pub fn met_opaque(&self, type_name: &'static str) {
        self.opaque.get_or_init(|| type_name);
    }

    /// Counts a new trace.
    pub fn count(&self) {
        self.traces.fetch_add(1, Ordering::Relaxed);
    }

    /// Records a call that traced; true if it is time to warn.
    pub fn are_too_many(&self) -> bool {
        if trace::active() {
            return false;
        }
        let history = self.history.load(Ordering::Relaxed) << 1 | 1;
        self.history.store(history, Ordering::Relaxed);
        history.count_ones() >= TOO_MANY && !self.warned_of_traces.swap(true, Ordering::Relaxed)
    }

    /// Warns that the function is traced too often.
    pub fn warn_of_traces(&self, name: &str, traces: &[Arc<ConcreteFunction>]) {
        let calls = self.history.load(Ordering::Relaxed).count_ones();
        let begin = format!(
            "{calls} of the last 8 calls of graph function `{name}` traced it anew, which costs far more than a run"
        );
        if let Some(opaque) = self.opaque.get() {
            log::warn!(
                "{begin}. An argument of type `{opaque}` has no trace type, so that no trace serves a second call: write \
                 `#[derive(TraceType)]` on it, or pass what it is made of. A closure has a trace type if it captures nothing"
            );
            return;
        }
        let changes = changes(traces);
        log::warn!(
            "{begin}. {changes}. A tensor \
             instead of a Rust value needs no trace of its own; for tensors of many shapes leave sizes open in the parameter's type \
             (`Tensor<f32, shape![_]>`) or write `#[graph_fn(reduce_retracing)]`"
        );
    }

    /// Warns, once, that old traces are dropped.
    pub fn warn_of_limit(&self, name: &str, limit: usize) {
        if !self.warned_of_limit.swap(true, Ordering::Relaxed) {
            log::warn!(
                "graph function `{name}` has {limit} traces, as many as it keeps: each new one drops the one unused for longest. \
                 `{name}::function().limit_traces(n)` changes the limit"
            );
        }
    }
}

/// Which arguments differed among the latest traces.
fn changes(traces: &[Arc<ConcreteFunction>]) -> String {
    let latest = &traces[traces.len().saturating_sub(TOO_MANY as usize)..];
    let [.., before, last] = latest else {
        return "Its signature kept changing".to_owned();
    };
    let differs = |i: usize| {
        latest
            .iter()
            .any(|t| t.parameters()[i].1 != last.parameters()[i].1)
    };
    let changed: Vec<String> = (0..last.parameters().len())
        .filter(|i| differs(*i))
        .map(|i| {
            let ((name, ty), (_, earlier)) = (&last.parameters()[i], &before.parameters()[i]);
            format!("`{name}` (`{earlier}`, then `{ty}`)")
        })
        .collect();
    match changed.is_empty() {
        true => "Its type parameters kept changing".to_owned(),
        false => format!("What kept changing: {}", changed.join(", ")),
    }
}
