//! How much work a step over graphs is, for tests: the nodes that it looks at, each as often as it does. Other builds count nothing.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts nodes that are looked at.
#[inline]
pub(crate) fn count(nodes: usize) {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + nodes));
    let _ = nodes;
}

/// The steps that something takes on this thread, and what it gives.
pub(crate) fn of<R>(run: impl FnOnce() -> R) -> (usize, R) {
    let before = so_far();
    let result = run();
    (so_far() - before, result)
}

#[cfg(test)]
fn so_far() -> usize {
    STEPS.get()
}

#[cfg(not(test))]
fn so_far() -> usize {
    0
}
