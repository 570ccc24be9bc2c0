//! How much work a step over graphs is, for tests: the nodes that it looks at, each as often as it does. Other builds count nothing.

#[cfg(test)]
thread_local! {
    static STEPS: std::cell::Cell<u64> = const { std::cell::Cell::new(0) };
}

/// Counts nodes that are looked at.
#[inline]
pub(crate) fn count(nodes: usize) {
    #[cfg(test)]
    STEPS.with(|steps| steps.set(steps.get() + nodes as u64));
    let _ = nodes;
}

/// The steps that something takes on this thread.
#[cfg(test)]
pub(crate) fn of<R>(run: impl FnOnce() -> R) -> (u64, R) {
    let before = STEPS.get();
    let result = run();
    (STEPS.get() - before, result)
}
