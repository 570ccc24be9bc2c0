//! The cache of traces: one trace for each key, and no thread waits forever.

use std::sync::atomic::{AtomicUsize, Ordering};

use loom::sync::Arc;
use loom::thread;

use crate::cache::{self, Cache, Found};
use crate::waits::Waits;

/// All keys may have a trace in common.
const FAMILY: u64 = 0;

/// The traces of two functions, the waits for them, and the number of traces that were made.
#[derive(Default)]
struct Functions {
    caches: [Cache<u32, u32>; 2],
    waits: Waits,
    traced: AtomicUsize,
}

/// A call of a function, which traces if it must. A trace for `general` serves all keys, another trace only its own key. `body` runs
/// while it traces.
fn call(
    functions: &Functions,
    function: usize,
    key: u32,
    general: u32,
    body: &dyn Fn(u32) -> u32,
) -> u32 {
    let cache = &functions.caches[function];
    if let Some(found) = cache.find(&key) {
        return *found;
    }
    let choose = |entries: &[std::sync::Arc<cache::Entry<u32, u32>>]| {
        let serves = entries.iter().find(|e| e.key == general || e.key == key);
        serves.cloned().ok_or(Box::new(general))
    };
    match cache.find_or_reserve((&key, FAMILY), &functions.waits, choose) {
        Ok(Found::Trace(found)) => *found,
        Ok(Found::Nothing(reservation)) => {
            functions.traced.fetch_add(1, Ordering::Relaxed);
            let trace = body(reservation.key);
            *reservation.keep(trace, 2).0
        }
        Err(_) => 0,
    }
}

/// A body that calls nothing.
fn ten_times(key: u32) -> u32 {
    key * 10
}

/// Runs two threads in all orders; `check` gets the final state.
fn in_all_orders(
    one: fn(&Functions) -> u32,
    two: fn(&Functions) -> u32,
    check: fn(&Functions, [u32; 2]),
) {
    loom::model(move || {
        let functions = Arc::new(Functions::default());
        let other = functions.clone();
        let thread = thread::spawn(move || two(&other));
        let result = one(&functions);
        check(&functions, [result, thread.join().unwrap()]);
    });
}

#[test]
fn two_threads_make_one_trace_of_a_key() {
    let one = |f: &Functions| call(f, 0, 1, 1, &ten_times);
    in_all_orders(one, one, |f, results| {
        assert_eq!(results, [10, 10]);
        assert_eq!(f.traced.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn two_keys_that_one_trace_serves_make_one() {
    let one = |f: &Functions| call(f, 0, 1, 7, &ten_times);
    let two = |f: &Functions| call(f, 0, 2, 7, &ten_times);
    in_all_orders(one, two, |f, results| {
        assert_eq!(results, [70, 70]);
        assert_eq!(f.traced.load(Ordering::Relaxed), 1);
        assert_eq!(
            [1, 2].map(|key| f.caches[0].find(&key).as_deref().copied()),
            [Some(70), Some(70)]
        );
    });
}

#[test]
fn a_trace_that_fails_leaves_the_key_to_others() {
    let fails = |f: &Functions| {
        // Reserves the key, and gives the reservation up.
        drop(f.caches[0].find_or_reserve((&1, FAMILY), &f.waits, |_| Err(Box::new(1))));
        0
    };
    let one = |f: &Functions| call(f, 0, 1, 1, &ten_times);
    in_all_orders(one, fails, |f, results| {
        assert_eq!(results, [10, 0]);
        assert_eq!(f.traced.load(Ordering::Relaxed), 1);
    });
}

#[test]
fn a_trace_that_another_one_needs_is_made_once() {
    let inner = |f: &Functions| call(f, 1, 5, 5, &ten_times);
    let outer = |f: &Functions| call(f, 0, 1, 1, &|_| call(f, 1, 5, 5, &ten_times) + 1);
    in_all_orders(outer, inner, |f, results| {
        assert_eq!(results, [51, 50]);
        assert_eq!(f.traced.load(Ordering::Relaxed), 2);
    });
}

#[test]
fn traces_that_need_each_other_are_no_deadlock() {
    // Each function calls the other with the same key: an endless recursion, which one thread or both detect.
    fn ping(f: &Functions) -> u32 {
        call(f, 0, 1, 1, &|_| pong(f) + 1)
    }
    fn pong(f: &Functions) -> u32 {
        call(f, 1, 1, 1, &|_| ping(f) + 1)
    }
    in_all_orders(ping, pong, |f, results| {
        assert!(results.iter().all(|r| (1..=3).contains(r)), "{results:?}");
        assert!(f.caches.iter().all(|cache| cache.find(&1).is_some()));
    });
}
