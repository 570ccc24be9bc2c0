//! What runs without allocations: the iterations of a loop (`loops`), calls of a function whose signature was seen
//! before (`calls`), and calls that update variables (`variables`). Values that aren't used take no memory (`undefined`), and calls keep none
//! (`kept`). Allocations are counted, not timed.

mod calls;
mod kept;
mod loops;
mod undefined;
mod variables;

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Counts the allocations of each thread, their bytes, and the bytes that it hasn't freed.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static BYTES: Cell<usize> = const { Cell::new(0) };
    static LIVE: Cell<isize> = const { Cell::new(0) };
}

// SAFETY: all calls are passed on to the system allocator unchanged; counting doesn't allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        let _ = BYTES.try_with(|bytes| bytes.set(bytes.get() + layout.size()));
        let _ = LIVE.try_with(|live| live.set(live.get() + layout.size() as isize));
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = LIVE.try_with(|live| live.set(live.get() - layout.size() as isize));
        // SAFETY: the caller keeps the contract of `dealloc`.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Held by each test: what a graph keeps between calls is shared by the threads that call it, so one test would see
/// what another one took or dropped.
fn alone() -> MutexGuard<'static, ()> {
    static ONE_TEST: Mutex<()> = Mutex::new(());
    ONE_TEST.lock().unwrap_or_else(PoisonError::into_inner)
}
