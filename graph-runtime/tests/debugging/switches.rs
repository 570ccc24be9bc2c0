//! The switches: for a scope, for a thread, for all threads.

use std::cell::Cell;
use std::thread;

use graph_runtime::debug;
use graph_runtime::prelude::*;

thread_local! {
    static BODIES: Cell<u32> = const { Cell::new(0) };
}

#[graph_fn]
fn double(x: Tensor<i32>) -> Tensor<i32> {
    BODIES.set(BODIES.get() + 1);
    x + x
}

/// Whether the second call with a signature runs the body again.
fn runs_eagerly() -> bool {
    double(tensor(1));
    let before = BODIES.get();
    assert_eq!(double(tensor(1)).item(), 2);
    BODIES.get() > before
}

#[test]
fn a_scope_ends_when_dropped_and_by_a_panic() {
    assert!(!runs_eagerly());
    {
        let _outer = debug::EAGER.scope(true);
        assert!(runs_eagerly());
        {
            let _inner = debug::EAGER.scope(false);
            assert!(!runs_eagerly());
        }
        assert!(runs_eagerly());
    }
    assert!(!runs_eagerly());
    let panicked = std::panic::catch_unwind(|| {
        let _scope = debug::EAGER.scope(true);
        std::panic::resume_unwind(Box::new("a panic"));
    });
    assert!(panicked.is_err() && !runs_eagerly());
}

#[test]
fn a_thread_may_choose_for_itself() {
    debug::EAGER.set_in_thread(Some(true));
    assert!(runs_eagerly());
    assert!(!thread::spawn(runs_eagerly).join().unwrap());
    debug::EAGER.set_in_thread(None);
    assert!(!runs_eagerly());
}

#[test]
fn switches_for_all_threads_leave_alone_those_that_have_chosen() {
    // No other test of this program needs the switch to be off in threads that haven't set it.
    let scope = debug::LOG_VALUES.scope_everywhere(true);
    let (elsewhere, chosen) = thread::spawn(|| {
        let elsewhere = debug::LOG_VALUES.is_on();
        let _scope = debug::LOG_VALUES.scope(false);
        (elsewhere, debug::LOG_VALUES.is_on())
    })
    .join()
    .unwrap();
    assert!(elsewhere && !chosen);
    drop(scope);
    assert!(!debug::LOG_VALUES.is_on());
}
