//! The warnings about functions that are traced again and again.

use std::cell::RefCell;
use std::sync::Once;

use graph_runtime::prelude::*;

thread_local! {
    static LINES: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

/// A logger that keeps the lines for the thread that logs them.
struct Keep;

impl log::Log for Keep {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        LINES.with_borrow_mut(|lines| lines.push(record.args().to_string()));
    }
    fn flush(&self) {}
}

/// The lines that the calls in `f` log.
fn logged(f: impl FnOnce()) -> Vec<String> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Keep).expect("the only logger");
        log::set_max_level(log::LevelFilter::Warn);
    });
    LINES.take();
    f();
    LINES.take()
}

#[graph_fn]
fn step(x: Tensor<i32>, learning_rate: i32, steps: usize) -> Tensor<i32> {
    x * learning_rate + steps as i32
}

#[test]
fn the_fifth_trace_of_eight_calls_is_warned_about_once() {
    let call = |rate| {
        step(tensor(1), rate, 7);
    };
    assert_eq!(logged(|| (0..4).for_each(call)), [""; 0]);
    let lines = logged(|| (4..50).for_each(call));
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].starts_with("5 of the last 8 calls of graph function `step` traced it anew"),
        "{lines:?}"
    );
    assert!(
        lines[0]
            .contains("What kept changing: `learning_rate` (`Literal[3]`, then `Literal[4]`). "),
        "{lines:?}"
    );
}

#[test]
fn calls_that_need_no_trace_are_no_reason() {
    #[graph_fn]
    fn calm(x: Tensor<i32>, n: i32) -> Tensor<i32> {
        x + n
    }
    // Only every second call traces: four of eight.
    let lines = logged(|| (0..40).for_each(|i| drop(calm(tensor(0), i / 2))));
    assert_eq!(lines, [""; 0]);
}

#[test]
fn traces_for_another_trace_are_its_own() {
    #[graph_fn]
    fn inner(x: Tensor<i32>, n: i32) -> Tensor<i32> {
        x + n
    }
    #[graph_fn]
    fn unrolled(x: Tensor<i32>) -> Tensor<i32> {
        let mut x = x;
        for n in 0..20 {
            x = inner(x, n);
        }
        x
    }
    assert_eq!(logged(|| drop(unrolled(tensor(0)))), [""; 0]);
    assert_eq!(inner::function().trace_count(), 20);
}

#[test]
fn a_limit_that_is_hit_is_told_once() {
    #[graph_fn]
    fn limited(x: Tensor<i32>, n: i32) -> Tensor<i32> {
        x + n
    }
    limited::function().limit_traces(2);
    let lines = logged(|| {
        for n in 0..4 {
            limited(tensor(0), n);
        }
    });
    assert_eq!(
        lines,
        [
            "graph function `limited` has 2 traces, as many as it keeps: each new one drops the one unused for longest. \
          `limited::function().limit_traces(n)` changes the limit"
        ]
    );
}

#[test]
fn an_argument_without_a_trace_type_is_named() {
    struct Config(i32);
    #[graph_fn]
    fn shifted(x: Tensor<i32>, config: &Config) -> Tensor<i32> {
        x + config.0
    }
    let lines = logged(|| (0..20).for_each(|n| drop(shifted(tensor(n), &Config(n)))));
    assert_eq!(lines.len(), 1, "{lines:?}");
    let wanted = "Config` has no trace type, so that no trace serves a second call: write `#[derive(TraceType)]` on it";
    assert!(lines[0].contains(wanted), "{lines:?}");
}
