//! Counts the work of code that walks over graphs, for tests: the number of node visits. Without debug assertions, nothing is counted.

#[cfg(debug_assertions)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Adds visits of nodes.
#[inline]
pub fn count(nodes: usize) {
    #[cfg(debug_assertions)]
    STEPS.with(|steps| steps.set(steps.get() + nodes));
    let _ = nodes;
}

/// The number of steps that `run` takes on this thread, and its result.
pub fn of<R>(run: impl FnOnce() -> R) -> (usize, R) {
    let before = so_far();
    let result = run();
    (so_far() - before, result)
}

#[cfg(debug_assertions)]
fn so_far() -> usize {
    STEPS.get()
}

#[cfg(not(debug_assertions))]
fn so_far() -> usize {
    0
}
