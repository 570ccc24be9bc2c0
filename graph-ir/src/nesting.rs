//! How deep things nest. What traces nested code is nested as deep as that code, in the user's functions, so there is a limit that ends in an
//! error before the stack does. What walks nested graphs goes down as deep as they nest, and has a stack made for it.

use std::cell::Cell;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use crate::graph::steps;

/// The limit that nobody has set: in a dev build a level of a small function takes some 2 to 4 KB of the stack, and threads have 2 MB.
const DEFAULT_LIMIT: usize = 256;

/// The limit that the program has set, above [`UNSET`].
static LIMIT: AtomicUsize = AtomicUsize::new(UNSET);
const UNSET: usize = usize::MAX;

/// How deep graph functions, branches and loops may nest while they are traced, and datasets within datasets: 256, or what the environment
/// variable `GRAPH_RECURSION_LIMIT` says, or what [`set_recursion_limit`] was given last.
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

/// Sets how deep graph functions, branches and loops may nest while they are traced, each within the one before, and datasets within
/// datasets. What nests deeper is an error with the user's line. The default is safe on a thread with 2 MB of stack; a program that raises it
/// traces on a thread that has room: in a dev build for 4 KB a level and more, as the program's own functions take.
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

/// What is wrong where things of some kind nest so deep; `None` if nothing is.
pub fn too_deep(what: &str, levels: usize) -> Option<String> {
    let limit = recursion_limit();
    (levels > limit).then(|| {
        format!(
            "{what} nest deeper than {limit}. Where that is no mistake, `graph_runtime::set_recursion_limit` allows more, and so does the \
             environment variable GRAPH_RECURSION_LIMIT; the thread needs a stack that has room for it"
        )
    })
}

/// How deep a graph is that any thread's stack has room for.
const SHALLOW: usize = 16;

/// The stack for a level of a graph: in a dev build a gradient takes most.
const LEVEL: usize = 64 << 10;

thread_local! {
    /// How deep a graph this thread's stack was made for.
    static ROOM: Cell<usize> = const { Cell::new(SHALLOW) };
}

/// Runs something that goes down into a graph of some depth, on a thread with a stack for that where this one's may not do.
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
        // Where there are no more threads, or none at all, this one's stack must do.
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
