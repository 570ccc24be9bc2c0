//! The surroundings of the files under test: `loom`'s locks and threads, the library's own types, and small stand-ins.

pub mod sync {
    pub use loom::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
    pub use loom::sync::{Arc, Condvar, Mutex, MutexGuard, RwLock};
    pub use loom::thread::{Builder, JoinHandle, ThreadId};

    pub use super::channel::{Receiver, SyncSender, sync_channel};

    pub fn current() -> ThreadId {
        loom::thread::current().id()
    }

    /// A helper that finds no work sleeps at once, because a loop of unknown length has too many orders.
    pub struct Patience;

    impl Patience {
        pub fn new() -> Patience {
            Patience
        }

        pub fn wait(&mut self) -> bool {
            loom::thread::yield_now();
            false
        }
    }
}

pub mod error {
    pub use graph_runtime::{Error, Location};
}

pub mod device {
    pub use graph_runtime::device::{Program, Storage};
}

pub mod graph {
    pub use graph_runtime::graph::{Graph, TensorType};
}

pub mod types {
    pub use graph_runtime::graph::{Shape, TensorType};
}

pub mod passes {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use graph_runtime::graph::{Graph, TensorType};

    /// The number of graphs that were optimized for specific sizes.
    pub static OPTIMIZED: AtomicUsize = AtomicUsize::new(0);

    pub fn optimized_for(graph: &Graph, _: &[TensorType]) -> Option<Graph> {
        OPTIMIZED.fetch_add(1, Ordering::Relaxed);
        Some(graph.clone())
    }
}

pub mod print {
    pub use graph_runtime::PrintTo;

    pub fn postpone<R>(f: impl FnOnce() -> R) -> (R, Vec<(String, PrintTo)>) {
        (f(), Vec::new())
    }

    pub fn write(_: &str, _: &PrintTo) -> std::io::Result<()> {
        Ok(())
    }
}

/// A channel with the guarantees of the standard library's `sync_channel`, which `loom` lacks.
mod channel {
    use std::collections::VecDeque;
    use std::sync::mpsc::{RecvError, SendError};

    use loom::sync::{Arc, Condvar, Mutex};

    struct State<T> {
        queue: VecDeque<T>,
        sender: bool,
        receiver: bool,
        /// The number of messages that were taken.
        taken: usize,
        sent: usize,
    }

    struct Channel<T> {
        state: Mutex<State<T>>,
        changed: Condvar,
        bound: usize,
    }

    pub struct SyncSender<T>(Arc<Channel<T>>);
    pub struct Receiver<T>(Arc<Channel<T>>);

    pub fn sync_channel<T>(bound: usize) -> (SyncSender<T>, Receiver<T>) {
        let state = State {
            queue: VecDeque::new(),
            sender: true,
            receiver: true,
            taken: 0,
            sent: 0,
        };
        let channel = Arc::new(Channel {
            state: Mutex::new(state),
            changed: Condvar::new(),
            bound,
        });
        (SyncSender(channel.clone()), Receiver(channel))
    }

    impl<T> SyncSender<T> {
        /// Waits until the channel has room; if its capacity is 0, until the message is taken.
        pub fn send(&self, message: T) -> Result<(), SendError<T>> {
            let channel = &*self.0;
            let mut state = channel.state.lock().unwrap();
            if !state.receiver {
                return Err(SendError(message));
            }
            state.queue.push_back(message);
            state.sent += 1;
            let number = state.sent;
            channel.changed.notify_all();
            while state.receiver && number > state.taken + channel.bound {
                state = channel.changed.wait(state).unwrap();
            }
            match state.receiver {
                true => Ok(()),
                false => state.queue.pop_back().map_or(Ok(()), |m| Err(SendError(m))),
            }
        }
    }

    impl<T> Receiver<T> {
        pub fn recv(&self) -> Result<T, RecvError> {
            let channel = &*self.0;
            let mut state = channel.state.lock().unwrap();
            loop {
                if let Some(message) = state.queue.pop_front() {
                    state.taken += 1;
                    channel.changed.notify_all();
                    return Ok(message);
                }
                if !state.sender {
                    return Err(RecvError);
                }
                state = channel.changed.wait(state).unwrap();
            }
        }
    }

    impl<T> Drop for SyncSender<T> {
        fn drop(&mut self) {
            self.0.state.lock().unwrap().sender = false;
            self.0.changed.notify_all();
        }
    }

    impl<T> Drop for Receiver<T> {
        fn drop(&mut self) {
            self.0.state.lock().unwrap().receiver = false;
            self.0.changed.notify_all();
        }
    }
}
