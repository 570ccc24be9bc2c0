//! Where threads meet: what the files take from the standard library that `tests/in_all_orders` runs under `loom`, which there takes the
//! same from `loom`.

pub(crate) use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
pub use std::sync::{Condvar, Mutex, RwLock};
pub use std::thread::{Builder, ThreadId};

/// The thread that asks.
pub fn current() -> ThreadId {
    std::thread::current().id()
}
