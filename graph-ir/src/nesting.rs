//! The depth of nesting. Tracing nested code recurses as deeply as the code is nested, through the user's functions, so there
//! is a limit: it gives an error before the stack overflows. Code that walks nested graphs recurses as deeply as they are nested; it runs on
//! a thread with a large enough stack.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::steps;

/// The default limit. In a dev build, a level of a small function takes 2 to 4 KB of stack, and threads have 2 MB.
const DEFAULT_LIMIT: usize = 256;

/// The limit that the program has set, or [`UNSET`].
static LIMIT: AtomicUsize = AtomicUsize::new(UNSET);
const UNSET: usize = usize::MAX;

/// The maximum depth of graph functions, branches and loops while they are traced, and of datasets within datasets. It is the last value given to
/// [`set_recursion_limit`], else the value of the environment variable `GRAPH_RECURSION_LIMIT`, else 256.
pub fn recursion_limit() -> usize {
    static OF_ENVIRONMENT: OnceLock<usize> = OnceLock::new();
    match LIMIT.load(Ordering::Relaxed) {
        UNSET => *OF_ENVIRONMENT.get_or_init(|| {
            let text = std::env::var("GRAPH_RECURSION_LIMIT").unwrap_or_default();
            text.trim().parse().unwrap_or(DEFAULT_LIMIT)
        }),
        limit => limit,
    }
}

/// Sets the maximum depth of graph functions, branches and loops while they are traced, and of datasets within datasets. Deeper nesting is an
/// error with the user's line. The default is safe on a thread with 2 MB of stack. With a higher limit, trace on a thread with a larger stack: in a
/// dev build, at least 4 KB per level, and what the program's own functions need.
///
/// ```
/// use graph_runtime::{prelude::*, recursion_limit, set_recursion_limit};
///
/// #[graph_fn]
/// fn power(x: Tensor<f64>, n: u32) -> graph_runtime::Result<Tensor<f64>> {
///     match n {
///         0 => Ok(x.ones_like()),
///         _ => Ok(&x * power(x.clone(), n - 1)?),
///     }
/// }
/// let error = power(tensor(1.0), 300).unwrap_err().to_string();
/// assert!(error.contains("nest deeper than 256"), "{error}");
///
/// set_recursion_limit(2 * recursion_limit());
/// let roomy = std::thread::Builder::new().stack_size(64 << 20);
/// let one = roomy.spawn(|| power(tensor(1.0), 300).unwrap().item()).unwrap().join();
/// assert_eq!(one.unwrap(), 1.0);
/// ```
pub fn set_recursion_limit(levels: usize) {
    LIMIT.store(levels.min(UNSET - 1), Ordering::Relaxed);
}

/// An error message if `levels` is more than the limit; `what` names the nested things.
pub fn too_deep(what: &str, levels: usize) -> Option<String> {
    let limit = recursion_limit();
    (levels > limit).then(|| {
        format!(
            "{what} nest deeper than {limit}. Where that is no mistake, `graph_runtime::set_recursion_limit` allows more, and so does the \
             environment variable GRAPH_RECURSION_LIMIT; the thread needs a stack that has room for it"
        )
    })
}

/// The depth of graphs that any thread's stack is large enough for.
const SHALLOW: usize = 16;

/// The stack size for one level of a graph; in a dev build, the gradient needs most.
const LEVEL: usize = 64 << 10;

thread_local! {
    /// The depth of graphs that this thread's stack is large enough for.
    static ROOM: Cell<usize> = const { Cell::new(SHALLOW) };
}

/// Runs code that recurses into a graph of this depth. If this thread's stack may be too small, a thread with a larger one runs it.
pub fn with_stack_for<R: Send>(depth: usize, run: impl FnOnce() -> R + Send) -> R {
    if depth <= ROOM.get() {
        return run();
    }
    let mut run = Some(run);
    let done = thread::scope(|scope| {
        let thread = thread::Builder::new()
            .name("deep graph".to_owned())
            .stack_size(depth.saturating_mul(LEVEL).max(SHALLOW * LEVEL));
        let run = &mut run;
        let inside = move || {
            ROOM.set(depth);
            run.take().map(|run| steps::of(run))
        };
        // If no thread can be started, `run` is called on this thread.
        let running = thread.spawn_scoped(scope, inside).ok()?;
        running
            .join()
            .unwrap_or_else(|payload| std::panic::resume_unwind(payload))
    });
    match (done, run) {
        (Some((steps, result)), _) => {
            steps::count(steps);
            result
        }
        (None, Some(run)) => run(),
        (None, None) => unreachable!("what ran gave a result"),
    }
}
