//! The cache of traces under every order in which two or three threads can run (`loom`): one trace a key, nobody waits forever.
//!
//! `RUSTFLAGS="--cfg loom" cargo test -p graph-runtime --test cache_in_all_orders`
#![cfg(loom)]

use std::sync::atomic::{AtomicUsize, Ordering};

use loom::sync::Arc;
use loom::thread;

#[allow(dead_code, reason = "the test needs a part of it")]
#[path = "../src/function/cache.rs"]
mod cache;

/// What the cache takes from `std` in the library.
mod sync {
    pub use loom::sync::{Condvar, Mutex, RwLock};
    pub use loom::thread::ThreadId;

    pub fn current() -> ThreadId {
        loom::thread::current().id()
    }
}

use cache::{Cache, Found};

type Traces = Cache<u32, u32>;

/// A call that traces if it must; a trace for `general` serves all keys, another one its own.
fn call(cache: &Traces, key: u32, general: u32, traced: &AtomicUsize) -> u32 {
    if let Some(found) = cache.find(&key) {
        return *found;
    }
    let choose = |entries: &[std::sync::Arc<cache::Entry<u32, u32>>]| {
        let serves = entries.iter().find(|e| e.key == general || e.key == key);
        serves.cloned().ok_or(Box::new(general))
    };
    match cache.find_or_reserve(&key, true, choose) {
        Ok(Found::Trace(found)) => *found,
        Ok(Found::Nothing(reservation)) => {
            traced.fetch_add(1, Ordering::Relaxed);
            let trace = reservation.key * 10;
            *reservation.keep(trace, 2).0
        }
        Err(_) => panic!("no key is traced within itself"),
    }
}

#[test]
fn two_threads_make_one_trace_of_a_key() {
    loom::model(|| {
        let shared = Arc::new((Traces::default(), AtomicUsize::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || call(&other.0, 1, 1, &other.1));
        assert_eq!(call(&shared.0, 1, 1, &shared.1), 10);
        assert_eq!(thread.join().unwrap(), 10);
        assert_eq!(shared.1.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn two_keys_that_one_trace_serves_make_one() {
    loom::model(|| {
        let shared = Arc::new((Traces::default(), AtomicUsize::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || call(&other.0, 1, 7, &other.1));
        assert_eq!(call(&shared.0, 2, 7, &shared.1), 70);
        assert_eq!(thread.join().unwrap(), 70);
        assert_eq!(shared.1.load(Ordering::Relaxed), 1);
        assert_eq!(
            (shared.0.find(&1).as_deref(), shared.0.find(&2).as_deref()),
            (Some(&70), Some(&70))
        );
    });
}

#[test]
fn a_trace_that_fails_leaves_the_key_to_others() {
    loom::model(|| {
        let shared = Arc::new((Traces::default(), AtomicUsize::new(0)));
        let other = shared.clone();
        let thread = thread::spawn(move || {
            // Reserved, and given up.
            drop(other.0.find_or_reserve(&1, true, |_| Err(Box::new(1))));
        });
        assert_eq!(call(&shared.0, 1, 1, &shared.1), 10);
        thread.join().unwrap();
        assert_eq!(shared.1.load(Ordering::Relaxed), 1);
    });
}
