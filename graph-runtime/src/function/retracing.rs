//! Says when a function is traced again and again: once by a warning that names what kept changing, and once when its traces
//! become so many that old ones make room.

use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use super::ConcreteFunction;
use crate::trace;

/// What a function remembers of its latest calls.
pub(super) struct Retracing {
    /// The latest calls from outside any graph function, the last in the lowest bit: 1 for one that traced.
    history: AtomicU8,
    traces: AtomicUsize,
    /// The type of an argument that has no trace type, if there was one: calls with it are traced each time.
    opaque: OnceLock<&'static str>,
    warned_of_traces: AtomicBool,
    warned_of_limit: AtomicBool,
}

/// So many of the latest 8 calls traced: it won't stop by itself.
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

    /// A call was served by a trace that was there. Where nothing was traced lately, nothing is written.
    pub fn served(&self) {
        let history = self.history.load(Ordering::Relaxed);
        if history != 0 && !trace::active() {
            self.history.store(history << 1, Ordering::Relaxed);
        }
    }

    /// An argument of this type has no trace type.
    pub fn met_opaque(&self, type_name: &'static str) {
        self.opaque.get_or_init(|| type_name);
    }

    /// Counts a trace.
    pub fn count(&self) {
        self.traces.fetch_add(1, Ordering::Relaxed);
    }

    /// A call traced; true if it is time to warn.
    pub fn are_too_many(&self) -> bool {
        if trace::active() {
            return false;
        }
        let history = self.history.load(Ordering::Relaxed) << 1 | 1;
        self.history.store(history, Ordering::Relaxed);
        history.count_ones() >= TOO_MANY && !self.warned_of_traces.swap(true, Ordering::Relaxed)
    }

    /// Warns of many traces.
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

    /// Warns that old traces are dropped, once.
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
