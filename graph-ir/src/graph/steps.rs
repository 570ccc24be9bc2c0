//! How much work a step over graphs is, for tests: the nodes that it looks at, each as often as it does. Builds without debug assertions count nothing.

#[cfg(debug_assertions)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts nodes that are looked at.
#[inline]
pub fn count(nodes: usize) {
    #[cfg(debug_assertions)]
    STEPS.with(|steps| steps.set(steps.get() + nodes));
    let _ = nodes;
}

/// The steps that something takes on this thread, and what it gives.
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
