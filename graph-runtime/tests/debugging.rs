//! The debugging switches: eager runs, checked numerics, logged values, profiles.

use std::cell::{Cell, RefCell};
use std::panic::catch_unwind;
use std::sync::Once;
use std::thread;
use std::time::{Duration, Instant};

use graph_runtime::prelude::*;
use graph_runtime::{Error, debug};

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
    // No other test in this file needs the switch to be off in threads that haven't set it.
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

#[graph_fn]
fn normalized(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let scaled = &x * 2.0 - 1.0;
    Ok(scaled.log() + 1.0)
}

const LOG_LINE: u32 = line!() - 3;

fn checked(x: &Tensor<f32>) -> Error {
    let _scope = debug::CHECK_NUMERICS.scope(true);
    normalized(x.clone()).unwrap_err()
}

#[test]
fn check_numerics_names_the_op_inside_a_fused_chain() {
    let x = tensor([1.0f32, 0.5, 0.0]);
    // mul, sub, log and add are one instruction, and an infinite result of it is no error without the check.
    assert!(!normalized(x.clone()).unwrap().to_vec()[1].is_finite());
    let error = checked(&x);
    assert_eq!(
        error.message(),
        "!!! Detected Infinity or NaN in output 0 of graph op \"log\" (# of outputs: 1) !!!\n  \
         dtype: float32\n  shape: (3,)\n  # of -Inf elements: 1\n  # of +NaN elements: 1\n\n  \
         Input tensor: float32[3], min -1, max 1, mean 0\n  Graph name: \"normalized\"\n\n : \
         Tensor had -Inf and NaN values"
    );
    assert_eq!(error.location().line, LOG_LINE);
    assert!(normalized(x).is_ok());
    assert_eq!(normalized::function().trace_count(), 1);
}

#[test]
fn check_numerics_is_for_eager_ops_too() {
    let _scopes = (debug::CHECK_NUMERICS.scope(true), debug::EAGER.scope(true));
    let error = normalized(tensor([0.5f32])).unwrap_err();
    let first = "!!! Detected Infinity or NaN in output 0 of eagerly-executing op \"log\" (# of outputs: 1) !!!";
    assert_eq!(error.message().lines().next(), Some(first));
    assert_eq!(error.location().line, LOG_LINE);
    assert_eq!(
        normalized(tensor([1.0f32])).unwrap().to_vec(),
        [1.0],
        "a finite result passes"
    );
}

#[graph_fn]
fn length(x: Tensor<f32>) -> Tensor<f32> {
    x.square().sum().sqrt()
}

#[test]
fn calls_that_a_tape_sees_and_their_gradients_are_checked() {
    let _scope = debug::CHECK_NUMERICS.scope(true);
    let x = tensor([1.0f32, 0.5, 0.0]);
    let tape = GradientTape::new();
    tape.watch(&x);
    let error = normalized(x.clone()).unwrap_err();
    let text = error.message();
    assert!(text.contains("graph op \"log\""), "{text}");
    assert!(text.contains("Graph name: \"normalized\""), "{text}");
    assert_eq!(error.location().line, LOG_LINE);

    let y = length(&x * 0.0);
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| tape.gradient(&y, &x)));
    let text = *failed.unwrap_err().downcast::<String>().unwrap();
    assert!(
        text.contains("Graph name: \"gradient of length\""),
        "{text}"
    );
}

#[graph_fn]
fn unneeded(x: Tensor<f32>) -> Tensor<f32> {
    let _nobody_asks = x.log();
    x + 1.0
}

#[test]
fn an_op_that_nobody_needs_is_not_checked() {
    let _scope = debug::CHECK_NUMERICS.scope(true);
    assert_eq!(unneeded(tensor([0.0f32])).to_vec(), [1.0]);
}

#[graph_fn]
fn halved_down(x: Tensor<f32>, n: Tensor<i32>) -> Result<Tensor<f32>, Error> {
    let mut y = x.clone();
    for i in 0..n {
        if i > 0 {
            y = (1.0 / y).check_numerics("reciprocal");
        }
        y = y - 1.0;
    }
    (&y / 0.0).check_numerics("nobody needs it");
    Ok(y)
}

const RECIPROCAL_LINE: u32 = line!() - 8;

#[test]
fn a_value_is_checked_where_it_is_used() {
    assert_eq!(halved_down(tensor(3.0), tensor(2)).unwrap().item(), -0.5);
    // The operation with an infinite result isn't executed.
    assert_eq!(halved_down(tensor(1.0), tensor(1)).unwrap().item(), 0.0);
    let error = halved_down(tensor([1.0, 3.0]), tensor(2)).unwrap_err();
    let text = "reciprocal : Tensor had Inf values";
    assert!(error.message().starts_with(text), "{error}");
    assert_eq!(error.location().line, RECIPROCAL_LINE);
    let _scope = debug::EAGER.scope(true);
    let eager = halved_down(tensor([1.0, 3.0]), tensor(2)).unwrap_err();
    assert!(eager.message().starts_with(text), "{eager}");
}

#[graph_fn]
fn slope_of_root(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = x.check_numerics("radicand").sqrt();
    Ok(tape.gradient(&y, &x).unwrap())
}

#[test]
fn gradients_of_checked_values_are_checked() {
    assert_eq!(slope_of_root(tensor(4.0)).unwrap().item(), 0.25);
    // TensorFlow's `_CheckNumericsGrad`.
    let text = "Not a number (NaN) or infinity (Inf) values detected in gradient. radicand : Tensor had Inf values";
    let error = slope_of_root(tensor(0.0)).unwrap_err();
    assert!(error.message().starts_with(text), "{error}");
}

#[graph_fn]
fn add_logs(sum: &Variable<f32>, x: Tensor<f32>) {
    sum.assign_add(x.log());
    sum.assign_add(1.0);
}

#[test]
fn eager_updates_of_variables_are_looked_at() {
    let sum = Variable::new(tensor([f32::MAX, 1.0]));
    let scope = debug::CHECK_NUMERICS.scope(true);
    sum.assign_add(tensor([0.0, 1.0]));
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        sum.assign_add(tensor([f32::MAX, 1.0]));
    }));
    let text = failed
        .unwrap_err()
        .downcast_ref::<String>()
        .unwrap()
        .clone();
    let first = "!!! Detected Infinity or NaN in output 0 of eagerly-executing op \"add\" (# of outputs: 1) !!!";
    assert!(text.starts_with(first), "{text}");
    // The variable keeps its value.
    drop(scope);
    assert_eq!(sum.read().to_vec(), [f32::MAX, 2.0]);
    sum.assign_sub(tensor([f32::MAX, 2.0]));
    assert_eq!(sum.read().to_vec(), [0.0, 0.0]);
}

#[test]
fn updates_of_variables_are_looked_at() {
    let sum = Variable::new(tensor([f32::MAX]));
    let _scope = debug::CHECK_NUMERICS.scope(true);
    let lines = logged(|| {
        let _scope = debug::LOG_VALUES.scope(true);
        add_logs(&sum, tensor([1.0f32]));
    });
    assert!(
        lines.last().unwrap().starts_with("add_logs: add at "),
        "{lines:?}"
    );
    let failed = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| add_twice(&sum)));
    let message = *failed.unwrap_err().downcast::<String>().unwrap();
    assert!(
        message.contains("output 0 of graph op \"add\""),
        "{message}"
    );
}

#[graph_fn]
fn add_twice(sum: &Variable<f32>) {
    sum.assign_add(tensor([f32::MAX]));
}

#[graph_fn]
fn halvings(x: Tensor<f32>) -> Tensor<i32> {
    let mut x = x;
    let mut steps = tensor(0);
    while x > 1.0 {
        x = x / 2.0;
        steps += 1;
    }
    steps
}

thread_local! {
    static LOGGED: RefCell<Vec<String>> = const { RefCell::new(Vec::new()) };
}

struct Collector;

impl log::Log for Collector {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }
    fn log(&self, record: &log::Record<'_>) {
        LOGGED.with_borrow_mut(|lines| lines.push(record.args().to_string()));
    }
    fn flush(&self) {}
}

/// The lines that are logged on this thread while `f` runs.
fn logged(f: impl FnOnce()) -> Vec<String> {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        log::set_logger(&Collector).expect("no other logger");
        log::set_max_level(log::LevelFilter::Info);
    });
    LOGGED.take();
    f();
    LOGGED.take()
}

#[test]
fn values_are_logged_op_by_op() {
    let x = tensor([1.0f32, 2.0, 6.0]);
    let lines = logged(|| {
        let _scope = debug::LOG_VALUES.scope(true);
        let _ = normalized(x);
    });
    let ends: Vec<&str> = lines
        .iter()
        .map(|line| {
            line.split_once(&format!(":{}:", LOG_LINE - 1))
                .or(line.split_once(&format!(":{LOG_LINE}:")))
        })
        .map(|parts| parts.expect("a line names the user's line").1)
        .collect();
    let starts: Vec<&str> = lines
        .iter()
        .map(|line| line.split(" at ").next().unwrap())
        .collect();
    assert_eq!(
        starts,
        [
            "normalized: mul",
            "normalized: sub",
            "normalized: log",
            "normalized: add"
        ]
    );
    assert!(
        ends[0].ends_with(": float32[3], min 2, max 12, mean 6"),
        "{}",
        ends[0]
    );
    assert!(
        ends[1].ends_with(": float32[3], min 1, max 11, mean 5"),
        "{}",
        ends[1]
    );
    let _scope = debug::LOG_VALUES.scope(false);
    assert_eq!(logged(|| drop(halvings(tensor(4.0f32)))), [""; 0]);
}

#[test]
fn values_of_every_iteration_are_logged() {
    let lines = logged(|| {
        let _scope = debug::LOG_VALUES.scope(true);
        assert_eq!(halvings(tensor(8.0f32)).item(), 3);
    });
    let halves: Vec<&str> = lines
        .iter()
        .filter(|line| line.starts_with("halvings: div"))
        .filter_map(|line| line.split("mean ").nth(1))
        .collect();
    assert_eq!(halves, ["4", "2", "1"]);
}

#[graph_fn]
fn doubled_n_times(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let mut x = x;
    for _ in 0..n {
        x = x.cumsum(0);
    }
    x
}

#[test]
fn a_profile_counts_calls_and_bytes_of_instructions() {
    let x = tensor([1.0f32; 100]);
    let (_, profile) = debug::profile(|| {
        doubled_n_times(x.clone(), tensor(3));
        doubled_n_times(x.clone(), tensor(4));
        halvings(tensor(2.0f32))
    });
    let names: Vec<(&str, u64)> = profile
        .functions()
        .iter()
        .map(|f| (f.name.as_str(), f.runs))
        .collect();
    assert_eq!(names, [("doubled_n_times", 2), ("halvings", 1)]);
    let rows = &profile.functions()[0].rows;
    let sums = rows
        .iter()
        .find(|row| row.name == "cumsum")
        .expect("the loop sums");
    // Seven iterations read and write a hundred floats. They would also read the axis if it were an operand.
    assert_eq!((sums.calls, sums.bytes), (7, 7 * 2 * 100 * 4));
    assert!(profile.time() >= sums.time && sums.time.as_nanos() > 0);
    let table = profile.to_string();
    assert!(
        table.starts_with(
            "doubled_n_times, runs: 2\n    calls         time      %        bytes  instruction\n"
        ),
        "{table}"
    );
    let line = table.lines().find(|line| line.contains("cumsum")).unwrap();
    assert!(
        line.trim_start().starts_with('7') && line.contains(" 5600  s"),
        "{line}"
    );

    let (_, after) = debug::profile(|| ());
    assert!(after.functions().is_empty(), "a profile begins afresh");
}

#[test]
fn a_chrome_trace_has_an_event_for_each_execution() {
    let (_, profile) = debug::profile(|| doubled_n_times(tensor([1.0f32; 100]), tensor(5)));
    let mut bytes = Vec::new();
    profile.write_chrome_trace(&mut bytes).unwrap();
    let trace: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let sums: Vec<_> = events
        .iter()
        .filter(|event| event["name"] == "cumsum")
        .collect();
    assert_eq!(sums.len(), 5);
    for pair in events.windows(2) {
        let end = pair[0]["ts"].as_f64().unwrap() + pair[0]["dur"].as_f64().unwrap();
        assert!(
            end <= pair[1]["ts"].as_f64().unwrap() + 1e-3,
            "instructions run one after the other"
        );
    }
    assert_eq!(sums[0]["ph"], "X");
    assert_eq!(sums[0]["cat"], "doubled_n_times");
    assert_eq!(sums[0]["args"]["bytes"], 800);
    assert!(
        sums[0]["args"]["line"]
            .as_str()
            .unwrap()
            .starts_with(file!())
    );
}

/// The sum of the logarithms of elements, which a function computes. The function doesn't run on batches.
#[graph_fn]
fn sum_of_logs(elements: &Dataset<Tensor<f32>>) -> Tensor<f32> {
    let mut sum = tensor(0.0);
    for log in elements {
        sum += log;
    }
    sum
}

fn logs(x: Tensor<f32>) -> Dataset<Tensor<f32>> {
    Dataset::from_slices(x).map(|row| row.cumsum(0).log().sum())
}

#[test]
fn functions_over_elements_are_looked_at() {
    let elements = logs(tensor([[1.0f32, 1.0], [0.0, 1.0]]));
    let lines = logged(|| {
        let _scope = debug::LOG_VALUES.scope(true);
        drop(sum_of_logs(&elements));
    });
    let of_elements = lines
        .iter()
        .filter(|line| line.starts_with("function of elements ("));
    let sums: Vec<&String> = of_elements
        .filter(|line| line.contains("): cumsum at "))
        .collect();
    assert_eq!(sums.len(), 2, "{lines:?}");
    assert!(
        sums[1].ends_with(": float32[2], min 0, max 1, mean 0.5"),
        "{}",
        sums[1]
    );

    let (_, profile) = debug::profile(|| sum_of_logs(&elements));
    let runs: Vec<u64> = profile.functions().iter().map(|f| f.runs).collect();
    assert_eq!(runs, [2, 1]);

    let _scope = debug::CHECK_NUMERICS.scope(true);
    for _ in elements.iter().take(1) {}
    let panic = catch_unwind(|| elements.iter().count()).unwrap_err();
    let text = panic.downcast_ref::<String>().expect("a message");
    assert!(text.contains("in output 0 of graph op \"log\""), "{text}");
}

#[test]
fn what_an_instruction_runs_of_other_graphs_is_not_its_time() {
    let elements = logs(tensor(vec![0.5f32; 200_000]).reshape(&[2, 100_000]));
    let begin = Instant::now();
    let (_, profile) = debug::profile(|| sum_of_logs(&elements));
    let elapsed = begin.elapsed();
    let [of_elements, outer] = profile.functions() else {
        panic!("two functions: {profile}");
    };
    // If the time for elements was counted twice, the sum would be more than the elapsed time, even on a busy machine.
    let time = |f: &debug::FunctionProfile| f.rows.iter().map(|row| row.time).sum::<Duration>();
    assert!(time(outer) + time(of_elements) <= elapsed, "{profile}");
}

#[test]
fn a_sort_under_a_tape_of_eager_code_sorts_once() {
    let x = tensor([3.0f32, 1.0, 2.0]);
    let lines = logged(|| {
        let _scope = debug::LOG_VALUES.scope(true);
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = x.sort_axis(0, false) * tensor([1.0, 10.0, 100.0]);
        let dx = tape.gradient(&y, &x).unwrap();
        assert_eq!(dx.to_vec(), [100.0, 1.0, 10.0]);
    });
    let sorts = lines.iter().filter(|line| line.contains("sort at "));
    assert_eq!(sorts.count(), 1, "{lines:?}");
}
