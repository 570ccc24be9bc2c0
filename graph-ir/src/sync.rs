//! Synchronization primitives. They come from the standard library here; `tests/tests/in_all_orders` compiles the same files with `loom`'s
//! primitives instead.

pub(crate) use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
pub use std::sync::{Condvar, Mutex, RwLock};
pub use std::thread::{Builder, ThreadId};

/// The id of the calling thread.
pub fn current() -> ThreadId {
    std::thread::current().id()
}
