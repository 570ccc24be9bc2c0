//! Graph functions: what `#[graph_fn]` makes of a Rust function. A call's arguments give a signature; a signature
//! seen before finds its [`ConcreteFunction`], another one traces the body.

mod argument;
pub(crate) mod bind;
pub(crate) mod call;
mod concrete;
mod input;
mod signature;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError, RwLock};
use std::thread::ThreadId;

use rustc_hash::{FxBuildHasher, FxHashMap};

pub use concrete::ConcreteFunction;
pub use input::IntoSpec;
use signature::Key;
pub use signature::{Argument, Literal, Sequence, Signature};

use crate::error::Location;
use crate::trace;

/// A function under `#[graph_fn]`, with the traces made of it so far.
///
/// ```
/// # use graph_runtime::prelude::*;
/// #[graph_fn]
/// fn double(x: Tensor<i32>) -> Tensor<i32> {
///     x + x
/// }
/// assert_eq!(double(tensor(4)).item(), 8);
/// double(tensor(5));
/// double(tensor([1, 2]));
/// assert_eq!(double::function().trace_count(), 2);
/// ```
pub struct GraphFunction {
    name: &'static str,
    parameters: &'static [&'static str],
    code: &'static str,
    traces: RwLock<Traces>,
    /// The signatures being traced now, by which thread; a thread that needs one of them waits.
    tracing: Mutex<Vec<(Key, ThreadId)>>,
    traced: Condvar,
    count: AtomicUsize,
    /// The lines on which traces made variables.
    creations: Mutex<Vec<Location>>,
}

struct Traces {
    by_key: FxHashMap<Key, Arc<ConcreteFunction>>,
    in_order: Vec<Arc<ConcreteFunction>>,
}

static EAGERLY: AtomicBool = AtomicBool::new(false);

/// Makes every graph function run its body as plain Rust on concrete tensors, op by op, instead of tracing it:
/// for debugging with `println!` and breakpoints. Holds for all threads until switched off.
pub fn run_functions_eagerly(eagerly: bool) {
    EAGERLY.store(eagerly, Ordering::Relaxed);
}

/// Whether graph functions run eagerly now.
pub fn functions_run_eagerly() -> bool {
    EAGERLY.load(Ordering::Relaxed)
}

impl GraphFunction {
    /// A function without traces. Generated code calls this.
    #[doc(hidden)]
    pub const fn new(
        name: &'static str,
        parameters: &'static [&'static str],
        code: &'static str,
    ) -> GraphFunction {
        let traces = Traces {
            by_key: FxHashMap::with_hasher(FxBuildHasher),
            in_order: Vec::new(),
        };
        GraphFunction {
            name,
            parameters,
            code,
            traces: RwLock::new(traces),
            tracing: Mutex::new(Vec::new()),
            traced: Condvar::new(),
            count: AtomicUsize::new(0),
            creations: Mutex::new(Vec::new()),
        }
    }

    /// The name of the function.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The code generated for the function, as text.
    pub fn to_code(&self) -> &'static str {
        self.code
    }

    /// How often the body was traced: once per signature, so this is the number of concrete functions.
    pub fn trace_count(&self) -> usize {
        self.count.load(Ordering::Relaxed)
    }

    /// The concrete functions, oldest first.
    pub fn concrete_functions(&self) -> Vec<Arc<ConcreteFunction>> {
        self.traces
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .in_order
            .clone()
    }

    /// All signatures in TensorFlow's layout (`pretty_printed_concrete_signatures`), blocks joined by a blank line.
    pub fn pretty_signatures(&self) -> String {
        let blocks: Vec<String> = self
            .concrete_functions()
            .iter()
            .map(|c| c.to_string())
            .collect();
        blocks.join("\n\n")
    }

    /// The concrete function that serves a call, traced now if need be; the call isn't carried out. `f::concrete(…)` calls this.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn double(x: Tensor<i32>) -> Tensor<i32> {
    ///     graph_print!("not printed");
    ///     x + x
    /// }
    /// let concrete = double::concrete(tensor([1, 2])).unwrap();
    /// assert_eq!(concrete.graph().inputs.len(), 1);
    /// ```
    ///
    /// # Errors
    /// If tracing fails, or if `call` doesn't call this function by a graph (as when functions run eagerly).
    #[track_caller]
    pub fn concrete<R>(
        &'static self,
        call: impl FnOnce() -> R,
    ) -> crate::Result<Arc<ConcreteFunction>> {
        call::concrete(self, call)
    }

    /// The concrete function of the latest trace.
    pub fn latest(&self) -> Option<Arc<ConcreteFunction>> {
        self.concrete_functions().pop()
    }

    pub(crate) fn parameters(&self) -> &'static [&'static str] {
        self.parameters
    }

    /// Takes note of the lines on which a trace made variables; gives one on which an earlier trace did so, too.
    fn creates_again(&self, lines: &[Location]) -> Option<Location> {
        if lines.is_empty() {
            return None;
        }
        let mut known = self
            .creations
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let again = lines.iter().find(|line| known.contains(line)).cloned();
        if again.is_none() {
            known.extend_from_slice(lines);
        }
        again
    }

    fn find(&self, key: &Key) -> Option<Arc<ConcreteFunction>> {
        self.traces
            .read()
            .unwrap_or_else(PoisonError::into_inner)
            .by_key
            .get(key)
            .cloned()
    }

    /// Finds the trace for a key, or reserves the right to make it. Waits while another thread traces the same key, unless this
    /// thread is itself inside a trace (waiting could then be mutual): two traces of one key are harmless, the first kept wins.
    fn find_or_reserve(&'static self, key: &Key) -> Result<Found, Recursion> {
        let me = std::thread::current().id();
        let mut tracing = self.tracing.lock().unwrap_or_else(PoisonError::into_inner);
        loop {
            if let Some(found) = self.find(key) {
                return Ok(Found::Trace(found));
            }
            if tracing.iter().any(|(k, thread)| k == key && *thread == me) {
                return Err(Recursion);
            }
            if trace::active() || !tracing.iter().any(|(k, _)| k == key) {
                tracing.push((key.clone(), me));
                return Ok(Found::Nothing(Reservation {
                    function: self,
                    key: key.clone(),
                }));
            }
            tracing = self
                .traced
                .wait(tracing)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Keeps a new trace, unless another thread was first.
    fn keep(&self, reservation: Reservation, concrete: ConcreteFunction) -> Arc<ConcreteFunction> {
        let mut traces = self.traces.write().unwrap_or_else(PoisonError::into_inner);
        if let Some(first) = traces.by_key.get(&reservation.key) {
            return first.clone();
        }
        let concrete = Arc::new(concrete);
        traces
            .by_key
            .insert(reservation.key.clone(), concrete.clone());
        traces.in_order.push(concrete.clone());
        self.count.fetch_add(1, Ordering::Relaxed);
        concrete
    }
}

/// What a look for a signature finds.
enum Found {
    Trace(Arc<ConcreteFunction>),
    Nothing(Reservation),
}

/// The right to trace a signature, given up when dropped: after the trace is kept, or when tracing fails or panics.
struct Reservation {
    function: &'static GraphFunction,
    key: Key,
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let me = std::thread::current().id();
        let mut tracing = self
            .function
            .tracing
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        tracing.retain(|(k, thread)| !(*k == self.key && *thread == me));
        self.function.traced.notify_all();
    }
}

/// A function needs the trace of a signature to make the trace of that same signature.
struct Recursion;

impl fmt::Debug for GraphFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "GraphFunction {} ({} traces)",
            self.name,
            self.trace_count()
        )
    }
}
