//! Where threads meet: what the files take from the standard library that `tests/in_all_orders` runs under `loom`, which there takes the
//! same from `loom`.

pub(crate) use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
pub(crate) use std::sync::{Condvar, Mutex, RwLock};
pub(crate) use std::thread::{Builder, ThreadId};

pub(crate) fn current() -> ThreadId {
    std::thread::current().id()
}
