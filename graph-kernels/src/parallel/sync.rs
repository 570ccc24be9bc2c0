//! What [`team`](super::team) needs of the standard library. `tests/tests/in_all_orders` puts `loom`'s in its place.

use std::hint::spin_loop;
use std::thread::yield_now;
use std::time::{Duration, Instant};

pub use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, AtomicUsize, Ordering};
pub use std::sync::{Arc, Condvar, Mutex, MutexGuard};
pub use std::thread::{Builder, JoinHandle};

/// How long a thread that has nothing to do watches for work before it sleeps. In a training step, the next kernel begins within this
/// time.
const AWAKE: Duration = Duration::from_micros(100);

/// The rounds of waiting between two looks at the clock.
const ROUNDS: u32 = 64;

/// Decides how long a thread that waits for another stays awake.
pub struct Patience {
    since: Option<Instant>,
    rounds: u32,
}

impl Patience {
    pub fn new() -> Patience {
        Patience {
            since: None,
            rounds: 0,
        }
    }

    /// Waits for some nanoseconds, now and then so that another thread can have this core. False if the thread has waited for long enough
    /// to sleep.
    pub fn wait(&mut self) -> bool {
        self.rounds = (self.rounds + 1) % ROUNDS;
        if self.rounds != 0 {
            spin_loop();
            return true;
        }
        yield_now();
        self.since.get_or_insert_with(Instant::now).elapsed() < AWAKE
    }
}
