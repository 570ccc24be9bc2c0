//! Graph functions used by many threads, calling each other, and after errors: one trace per signature, no
//! deadlock, no poisoned lock.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Barrier, Mutex};
use std::time::Duration;

use graph_runtime::prelude::*;
use graph_runtime::{Error, collect_prints};

/// Runs `f` on many threads at once and returns their results.
fn together<R: Send>(threads: usize, f: impl Fn(usize) -> R + Sync) -> Vec<R> {
    let barrier = Barrier::new(threads);
    std::thread::scope(|scope| {
        let run = |i| {
            let (barrier, f) = (&barrier, &f);
            scope.spawn(move || {
                barrier.wait();
                f(i)
            })
        };
        let handles: Vec<_> = (0..threads).map(run).collect();
        handles
            .into_iter()
            .map(|handle| handle.join().expect("no thread panics"))
            .collect()
    })
}

/// The text of the panic of `f`.
fn panic_text<R>(f: impl FnOnce() -> R) -> String {
    let payload = catch_unwind(AssertUnwindSafe(f)).err().expect("a panic");
    match payload.downcast_ref::<String>() {
        Some(text) => text.clone(),
        None => payload
            .downcast_ref::<&str>()
            .map(|s| s.to_string())
            .expect("a text"),
    }
}

// ---- one trace per signature ----

static BODIES: AtomicUsize = AtomicUsize::new(0);

#[graph_fn]
fn slowly_traced(x: Tensor<i32>, k: usize) -> Tensor<i32> {
    // Runs only while tracing: it gives the other threads time to request the same trace.
    BODIES.fetch_add(1, Ordering::SeqCst);
    std::thread::sleep(Duration::from_millis(30));
    let mut y = x;
    while y < 100 {
        y = y * 2 + 1;
    }
    for _ in 0..k {
        y -= 1;
    }
    y
}

#[test]
fn many_threads_make_one_trace_per_signature() {
    let results = together(16, |i| slowly_traced(tensor(i as i32), i % 4).item());
    for (i, result) in results.into_iter().enumerate() {
        let mut y = i as i32;
        while y < 100 {
            y = y * 2 + 1;
        }
        assert_eq!(result, y - (i % 4) as i32);
    }
    assert_eq!(slowly_traced::function().trace_count(), 4);
    assert_eq!(
        BODIES.load(Ordering::SeqCst),
        4,
        "a signature that is being traced is waited for"
    );
}

#[graph_fn]
fn counted(x: Tensor<i32>, k: usize) -> Tensor<i32> {
    x + k as i32
}

#[test]
fn whoever_was_served_by_a_trace_sees_it_counted() {
    let counts = together(4, |_| {
        (0..500).all(|k| {
            counted(tensor(1), k);
            counted::function().trace_count() > k
        })
    });
    assert_eq!(counts, [true; 4]);
}

#[graph_fn]
fn of_any_length(x: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for v in x {
        if v % 2 == 0 {
            continue;
        }
        sum += v;
    }
    sum
}

#[test]
fn threads_trace_different_signatures_side_by_side() {
    let lengths = together(12, |i| {
        let values: Vec<i32> = (0..i as i32 % 3 + 1).collect();
        (0..50)
            .map(|_| of_any_length(tensor(values.clone())).item())
            .max()
    });
    // The sums are 0, 0 + 1 and 0 + 1 + 2; the odd ones are counted.
    let expected = [Some(0), Some(1), Some(1)];
    assert!(
        lengths
            .iter()
            .enumerate()
            .all(|(i, sum)| *sum == expected[i % 3]),
        "{lengths:?}"
    );
    assert_eq!(of_any_length::function().trace_count(), 3);
}

#[graph_fn]
fn noisy(x: Tensor<i32>) -> Tensor<i32> {
    graph_print!("x is {}", x);
    x + 1
}

#[test]
fn what_a_graph_prints_goes_to_the_thread_that_runs_it() {
    let lines = together(8, |i| collect_prints(|| noisy(tensor(i as i32)).item()));
    for (i, (result, lines)) in lines.into_iter().enumerate() {
        assert_eq!((result, lines), (i as i32 + 1, vec![format!("x is {i}")]));
    }
}

// ---- functions that call functions ----

#[graph_fn]
fn inner(x: Tensor<i32>) -> Tensor<i32> {
    if x > 10 { x - 10 } else { x + 1 }
}

#[graph_fn]
fn outer(x: Tensor<i32>) -> Tensor<i32> {
    inner(x.clone()) * inner(x + 7)
}

#[test]
fn nested_functions_have_traces_of_their_own() {
    let plain = |x: i32| if x > 10 { x - 10 } else { x + 1 };
    let results = together(8, |i| outer(tensor(i as i32)).item());
    for (i, result) in results.into_iter().enumerate() {
        assert_eq!(result, plain(i as i32) * plain(i as i32 + 7));
    }
    assert_eq!(outer::function().trace_count(), 1);
    assert_eq!(inner::function().trace_count(), 1);
    assert_eq!(inner(tensor(3)).item(), 4);
    assert_eq!(
        inner::function().trace_count(),
        1,
        "the trace that `outer` made serves a call from outside"
    );
}

#[graph_fn]
fn left(x: Tensor<i32>, depth: usize) -> Tensor<i32> {
    if depth == 0 {
        return x;
    }
    right(x + 1, depth - 1)
}

#[graph_fn]
fn right(x: Tensor<i32>, depth: usize) -> Tensor<i32> {
    if depth == 0 {
        return x;
    }
    left(x * 2, depth - 1)
}

#[test]
fn functions_that_need_each_other_on_two_threads_do_not_wait_for_each_other() {
    let results = together(8, |i| {
        if i % 2 == 0 {
            left(tensor(1), 6).item()
        } else {
            right(tensor(1), 6).item()
        }
    });
    // `left` adds 1 and then doubles, three times; `right` doubles and then adds 1.
    let (mut from_left, mut from_right) = (1, 1);
    for _ in 0..3 {
        from_left = (from_left + 1) * 2;
        from_right = from_right * 2 + 1;
    }
    for (i, result) in results.into_iter().enumerate() {
        assert_eq!(result, if i % 2 == 0 { from_left } else { from_right });
    }
}

// ---- recursion ----

#[graph_fn]
fn power(x: Tensor<i32>, n: u32) -> Tensor<i32> {
    if n == 0 {
        return tensor(1);
    }
    if n % 2 == 0 {
        let half = power(x, n / 2);
        return half * half;
    }
    x * power(x, n - 1)
}

#[test]
fn recursion_ends_by_a_rust_value() {
    assert_eq!(power(tensor(3), 13).item(), 3i32.pow(13));
    // The exponents 13, 12, 6, 3, 2, 1, 0.
    assert_eq!(power::function().trace_count(), 7);
}

#[graph_fn]
fn endless(x: Tensor<i32>) -> Tensor<i32> {
    if x > 0 { endless(x - 1) } else { x }
}

#[graph_fn]
fn endless_result(x: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    endless_result(x - 1)
}

#[test]
fn recursion_over_tensors_is_an_error_and_no_hang() {
    let text = panic_text(|| endless(tensor(3)));
    assert!(text.contains("calls itself with the signature"), "{text}");
    let error = endless_result(tensor(3)).expect_err("it can't be traced");
    assert!(
        error.message().contains("calls itself with the signature"),
        "{error}"
    );
    assert!(error.location().file.ends_with("threads.rs"), "{error}");
    // The same again: the error leaves no state behind.
    assert_eq!(panic_text(|| endless(tensor(3))), text);
    assert_eq!(endless::function().trace_count(), 0);
}

// ---- errors ----

#[graph_fn]
fn divide(x: Tensor<i32>, y: Tensor<i32>) -> Tensor<i32> {
    x / y
}

#[graph_fn]
fn divide_or_err(x: Tensor<i32>, y: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    Ok(x / y)
}

/// The text of an error without its location, and the line.
fn text_and_line(text: &str) -> (String, u32) {
    let (message, place) = text
        .rsplit_once("\n  at ")
        .unwrap_or_else(|| panic!("no place in {text:?}"));
    let parts: Vec<&str> = place.split(':').collect();
    assert!(parts[0].ends_with("threads.rs"), "{place}");
    (message.to_owned(), parts[1].parse().expect("a line"))
}

#[test]
fn an_error_of_a_run_leaves_the_function_usable() {
    let results = together(8, |i| {
        divide_or_err(tensor(12), tensor(i as i32 % 4)).map(|v| v.item())
    });
    for (i, result) in results.iter().enumerate() {
        match i % 4 {
            0 => assert!(result.is_err()),
            divisor => assert_eq!(result.as_ref().ok(), Some(&(12 / divisor as i32))),
        }
    }
    assert_eq!(divide_or_err::function().trace_count(), 1);
}

#[test]
fn a_panic_and_an_err_say_the_same() {
    let error = divide_or_err(tensor(1), tensor(0)).expect_err("division by zero");
    let panic = panic_text(|| divide(tensor(1), tensor(0)));
    let ((err_text, err_line), (panic_text, panic_line)) =
        (text_and_line(&error.to_string()), text_and_line(&panic));
    assert_eq!(err_text, panic_text);
    assert_eq!(err_text, error.message());
    assert_eq!(err_line, error.location().line);
    // Each error names the line of its own `x / y`; these are five lines apart in this file.
    assert_eq!(err_line - panic_line, 5);
    assert_eq!(divide(tensor(7), tensor(2)).item(), 3);
}

#[graph_fn]
fn matmul(a: Tensor<f32>, b: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    Ok(a.matmul(b))
}

#[test]
fn an_error_of_a_trace_leaves_the_function_usable() {
    let square = || tensor([[1.0f32, 2.0], [3.0, 4.0]]);
    let row = || tensor([[1.0f32, 1.0, 1.0]]);
    for _ in 0..2 {
        let error = matmul(square(), row()).expect_err("[2,2] x [1,3]");
        assert!(error.to_string().contains("threads.rs"), "{error}");
    }
    assert_eq!(
        matmul(square(), square()).expect("it fits").to_vec(),
        [7.0, 10.0, 15.0, 22.0]
    );
    assert_eq!(matmul::function().trace_count(), 1);
}

#[graph_fn]
fn panics_while_traced(x: Tensor<i32>, fail: bool) -> Tensor<i32> {
    if fail {
        panic!("the user's own panic");
    }
    x + 1
}

static FAIL_ONCE: AtomicUsize = AtomicUsize::new(1);

#[graph_fn]
fn panics_once(x: Tensor<i32>) -> Tensor<i32> {
    let mut y = x;
    while y < 10 {
        if FAIL_ONCE.swap(0, Ordering::SeqCst) == 1 {
            panic!("once");
        }
        y += 3;
    }
    y
}

#[test]
fn a_panic_of_the_user_passes_through_and_leaves_nothing_behind() {
    for _ in 0..2 {
        assert_eq!(
            panic_text(|| panics_while_traced(tensor(1), true)),
            "the user's own panic"
        );
    }
    assert_eq!(panics_while_traced(tensor(1), false).item(), 2);
    // The same signature can be traced after a panic in the body of a loop.
    assert_eq!(panic_text(|| panics_once(tensor(1))), "once");
    assert_eq!(panics_once(tensor(1)).item(), 10);
}

#[test]
fn a_panic_of_one_thread_does_not_block_the_others() {
    let results = together(6, |i| {
        if i % 2 == 0 {
            return panic_text(|| panics_while_traced(tensor([1, 2]), true));
        }
        panics_while_traced(tensor([1, 2]), false)
            .to_vec()
            .len()
            .to_string()
    });
    assert!(
        results
            .iter()
            .enumerate()
            .all(|(i, text)| text == ["the user's own panic", "2"][i % 2]),
        "{results:?}"
    );
}

// ---- tensors in the wrong place ----

static SMUGGLED: Mutex<Option<Tensor<i32>>> = Mutex::new(None);

#[graph_fn]
fn smuggles(x: Tensor<i32>) -> Tensor<i32> {
    *SMUGGLED.lock().expect("no panic holds it") = Some(x.clone() + 1);
    x
}

#[graph_fn]
fn uses(x: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    let outside = SMUGGLED
        .lock()
        .expect("no panic holds it")
        .clone()
        .expect("smuggled before");
    Ok(x + outside)
}

#[test]
fn a_tensor_that_outlives_its_trace_is_out_of_scope() {
    assert_eq!(smuggles(tensor(1)).item(), 1);
    let error = uses(tensor(2)).expect_err("the tensor is of another trace");
    assert!(error.to_string().contains("out of scope"), "{error}");
    assert!(error.location().file.ends_with("threads.rs"), "{error}");
    let escaped = SMUGGLED
        .lock()
        .expect("no panic holds it")
        .clone()
        .expect("smuggled before");
    let text = panic_text(|| escaped.item());
    assert!(text.contains("out of scope"), "{text}");
}

#[graph_fn]
fn asks_for_a_value(x: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    let n = x.item();
    Ok(x + n)
}

#[graph_fn]
fn asks_in_a_loop(x: Tensor<i32>) -> Tensor<i32> {
    let mut y = x;
    while y < 10 {
        y += y.item();
    }
    y
}

#[test]
fn a_tensor_has_no_value_while_it_is_traced() {
    let error = asks_for_a_value(tensor(1)).expect_err("there is no value yet");
    assert!(error.to_string().contains("no value"), "{error}");
    assert!(error.location().file.ends_with("threads.rs"), "{error}");
    let text = panic_text(|| asks_in_a_loop(tensor(1)));
    assert!(text.contains("no value"), "{text}");
    assert!(text.contains("threads.rs"), "{text}");
}
