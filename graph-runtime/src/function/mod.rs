//! Graph functions: `#[graph_fn]` makes one of a Rust function. A call's arguments give a signature. For a known signature the call
//! runs its [`ConcreteFunction`]; for a new one it traces the body.
//!
//! What makes a new trace is in [the guide](crate::guide::tracing). A graph function `f` is asked by `f::function()`, a method `f` of a type `T`
//! by `T::f_function()`; both give a [`GraphFunction`].

mod argument;
pub(crate) mod bind;
pub(crate) mod body;
mod cache;
pub(crate) mod call;
mod call_concrete;
mod callable;
mod concrete;
mod describe;
pub(crate) mod finished;
mod inline;
mod input;
mod into_argument;
mod loaded;
mod record;
mod retracing;
mod spec;
mod stack;
mod subtype;
mod taken;
mod waits;

use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use cache::{Cache, Entry, Recursion};
pub use concrete::ConcreteFunction;
pub use input::{InputOrSpec, IntoSpec};
pub use into_argument::IntoArgument;
pub use loaded::{Function, LoadedFunction, Parameter, ToLoaded};
use retracing::Retracing;
pub use spec::{LentOrSpec, TensorSpec, ValueOrSpec};

use waits::Waits;

use crate::error::Location;
use crate::signature::Key;
pub use graph_ir::types::TypeSpec;

pub use crate::signature::{
    AnyArgument, Argument, Holds, Literal, Sequence, Signature, StructNames,
};

/// A function under `#[graph_fn]`, with its traces.
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
    reduce_retracing: bool,
    cache: LazyLock<Cache<Key, ConcreteFunction>>,
    /// How many traces are kept; 0 for the default.
    limit: AtomicUsize,
    retracing: Retracing,
    /// True if a body without tensors among its arguments met one.
    meets_tensors: AtomicBool,
    /// True if a body met no tensor, and no argument's type could contain one. Calls then make no signature any more.
    is_rust: AtomicBool,
    /// True if a later call, of a generic function, had an argument whose type can contain tensors. From then on calls make signatures again.
    has_room: AtomicBool,
    /// The lines on which traces made variables.
    creations: Mutex<Vec<Location>>,
}

/// The waits of threads for traces of any function.
static WAITS: LazyLock<Waits> = LazyLock::new(Waits::default);

/// The default number of traces that a function keeps.
static TRACE_LIMIT: AtomicUsize = AtomicUsize::new(1024);

/// Sets how many traces each graph function keeps, unless it has a limit of its own ([`GraphFunction::limit_traces`]). The default
/// is 1024; at least one is kept.
pub fn limit_traces(limit: usize) {
    TRACE_LIMIT.store(limit.max(1), Ordering::Relaxed);
}

impl GraphFunction {
    /// A function without traces. Generated code calls this.
    #[doc(hidden)]
    pub const fn new(
        name: &'static str,
        parameters: &'static [&'static str],
        code: &'static str,
    ) -> GraphFunction {
        GraphFunction {
            name,
            parameters,
            code,
            reduce_retracing: false,
            cache: LazyLock::new(Cache::default),
            limit: AtomicUsize::new(0),
            retracing: Retracing::new(),
            meets_tensors: AtomicBool::new(false),
            is_rust: AtomicBool::new(false),
            has_room: AtomicBool::new(false),
            creations: Mutex::new(Vec::new()),
        }
    }

    /// The function with `#[graph_fn(reduce_retracing)]`. Generated code calls this.
    #[doc(hidden)]
    pub const fn reduce_retracing(mut self) -> GraphFunction {
        self.reduce_retracing = true;
        self
    }

    /// The name of the function.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The code generated for the function, as text.
    pub fn to_code(&self) -> &'static str {
        self.code
    }

    /// How often the body was traced. The body is traced once per signature, so this is the number of concrete functions, including
    /// those that were [dropped](Self::limit_traces) to make room.
    #[doc(alias("experimental_get_tracing_count"))]
    pub fn trace_count(&self) -> usize {
        self.retracing.traces()
    }

    /// Sets how many traces the function keeps. When there is one more, the trace unused for longest is dropped, so that the memory
    /// of a long-running program is bounded; the first time, a warning says so. 0 selects the default of all functions ([`limit_traces`]).
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn times(x: Tensor<i32>, factor: i32) -> Tensor<i32> {
    ///     x * factor
    /// }
    /// times::function().limit_traces(2);
    /// for factor in 0..10 {
    ///     times(tensor(1), factor);
    /// }
    /// assert_eq!(times::function().concrete_functions().len(), 2);
    /// assert_eq!(times::function().trace_count(), 10);
    /// ```
    pub fn limit_traces(&self, limit: usize) {
        self.limit.store(limit, Ordering::Relaxed);
    }

    /// The concrete functions, oldest first.
    pub fn concrete_functions(&self) -> Vec<Arc<ConcreteFunction>> {
        self.cache.in_order()
    }

    /// All signatures in TensorFlow's layout (`pretty_printed_concrete_signatures`), separated by blank lines.
    pub fn pretty_signatures(&self) -> String {
        let concrete_functions = self.concrete_functions();
        let blocks = concrete_functions.iter().map(|concrete| {
            let mut block = String::new();
            let _ = concrete.write_signature(&mut block);
            block
        });
        blocks.collect::<Vec<_>>().join("\n\n")
    }

    /// The concrete function of the latest trace.
    pub fn latest(&self) -> Option<Arc<ConcreteFunction>> {
        self.concrete_functions().pop()
    }

    pub(crate) fn parameters(&self) -> &'static [&'static str] {
        self.parameters
    }

    /// True if calls need no signature, judging by the calls so far.
    fn has_no_signatures(&self) -> bool {
        self.is_rust.load(Ordering::Relaxed)
            && !self.meets_tensors.load(Ordering::Relaxed)
            && !self.has_room.load(Ordering::Relaxed)
    }

    /// Records the lines on which a trace created variables; returns a line on which an earlier trace did so, too.
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

    /// The trace that serves a signature: the one made for it, else the most specific one that covers it. If there is none, the
    /// right to make one: for the signature, or for a generalization of it and those traced before.
    fn find(&'static self, key: &Key) -> Result<Found, Recursion> {
        if let Some(trace) = self.cache.find(key) {
            self.retracing.served();
            return Ok(Found::Trace(trace));
        }
        let found = self
            .cache
            .find_or_reserve((key, subtype::family(key)), &WAITS, |traces| {
                self.choose(key, traces)
            })?;
        if let Found::Trace(_) = found {
            self.retracing.served();
        }
        Ok(found)
    }

    /// The most specific trace of its family that covers a signature (the oldest of several), or the key to trace.
    fn choose(
        &self,
        key: &Key,
        traces: &[Arc<Entry<Key, ConcreteFunction>>],
    ) -> Result<Arc<Entry<Key, ConcreteFunction>>, Box<Key>> {
        let covering = traces.iter().filter(|t| subtype::covers(&t.key, key));
        let best = covering.reduce(|best, t| match subtype::covers(&best.key, &t.key) {
            true => t,
            false => best,
        });
        if let Some(best) = best {
            return Ok(best.clone());
        }
        let mut wanted = key.clone();
        if self.reduce_retracing {
            for trace in traces {
                wanted = subtype::common(&wanted, &trace.key).unwrap_or(wanted);
            }
        }
        Err(Box::new(wanted))
    }

    /// Keeps a new trace, unless another thread has kept one before.
    fn keep(&self, reservation: Reservation, concrete: ConcreteFunction) -> Arc<ConcreteFunction> {
        let limit = match self.limit.load(Ordering::Relaxed) {
            0 => TRACE_LIMIT.load(Ordering::Relaxed),
            limit => limit,
        };
        // The trace is counted before other threads can find it, so that every thread that it serves sees it counted.
        self.retracing.count();
        let (concrete, is_full) = reservation.keep(concrete, limit);
        if is_full {
            self.retracing.warn_of_limit(self.name, limit);
        }
        self.warn_of_traces();
        concrete
    }

    /// Records an argument without a trace type.
    fn met_opaque(&self, type_name: &'static str) {
        self.retracing.met_opaque(type_name);
    }

    /// Counts a trace that isn't kept.
    fn traced(&self) {
        self.retracing.count();
        self.warn_of_traces();
    }

    /// Warns if the function is traced too often; a new trace was just made.
    fn warn_of_traces(&self) {
        if self.retracing.are_too_many() {
            self.retracing
                .warn_of_traces(self.name, &self.concrete_functions());
        }
    }
}

/// The result of looking up the trace of a signature.
type Found = cache::Found<'static, Key, ConcreteFunction>;

/// The right to make a trace of a graph function.
type Reservation = Box<cache::Reservation<'static, Key, ConcreteFunction>>;

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
