//! Buffers that a thread drops while the launch that uses them isn't queued yet. Their memory must not be freed before the launch, and only the thread
//! that holds the launch back knows when that is.

use std::cell::RefCell;

use super::buffer::Buffer;

thread_local! {
    /// What the thread has dropped, while it keeps that.
    static DROPPED: RefCell<Option<Vec<Buffer>>> = const { RefCell::new(None) };
}

/// Runs `f` and returns the buffers that it has dropped, up to [`free_dropped`].
pub fn keeping_dropped<T>(f: impl FnOnce() -> T) -> (T, Vec<Buffer>) {
    struct Ended;
    impl Drop for Ended {
        fn drop(&mut self) {
            free_dropped();
        }
    }
    DROPPED.set(Some(Vec::new()));
    let _ended = Ended;
    let result = f();
    (result, DROPPED.take().unwrap_or_default())
}

/// Frees the memory that this thread keeps, and what it drops from now on.
pub fn free_dropped() {
    // The buffers are dropped when the thread keeps none any more.
    drop(DROPPED.take());
}

/// Whether this thread keeps what it drops; then it keeps this buffer.
pub(super) fn keeps(buffer: impl FnOnce() -> Buffer) -> bool {
    // A thread that ends keeps nothing.
    let kept = DROPPED.try_with(|dropped| match &mut *dropped.borrow_mut() {
        Some(dropped) => {
            dropped.push(buffer());
            true
        }
        None => false,
    });
    kept.unwrap_or(false)
}
