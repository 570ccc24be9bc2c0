//! How many traces a function keeps.

use graph_runtime::prelude::*;

#[graph_fn]
fn times(x: Tensor<i32>, factor: i32) -> Tensor<i32> {
    x * factor
}

#[test]
fn the_trace_unused_for_longest_makes_room() {
    #[graph_fn]
    fn plus(x: Tensor<i32>, n: i32) -> Tensor<i32> {
        x + n
    }
    let traces = || plus::function().trace_count();
    plus::function().limit_traces(3);
    for n in [1, 2, 3] {
        plus(tensor(0), n);
    }
    plus(tensor(0), 4); // drops 1
    plus(tensor(0), 2); // now 3 is the least recently used
    plus(tensor(0), 5); // drops 3
    assert_eq!(traces(), 5);
    for n in [2, 4, 5] {
        assert_eq!(plus(tensor(10), n).item(), 10 + n);
    }
    assert_eq!(traces(), 5, "these three were kept");
    assert_eq!(plus(tensor(10), 1).item(), 11);
    assert_eq!(traces(), 6, "this one was dropped");
}

/// The bytes of memory in use, if the system reports them.
fn resident() -> Option<usize> {
    let status = std::fs::read_to_string("/proc/self/statm").ok()?;
    let pages: usize = status.split(' ').nth(1)?.parse().ok()?;
    Some(pages * 4096)
}

#[test]
fn a_hundred_thousand_signatures_need_the_memory_of_a_few() {
    times::function().limit_traces(16);
    let call = |n: i32| assert_eq!(times(tensor(2), n).item(), n.wrapping_mul(2));
    (0..2_000).for_each(call);
    let before = resident();
    (2_000..100_000).for_each(call);
    assert_eq!(times::function().concrete_functions().len(), 16);
    assert_eq!(times::function().trace_count(), 100_000);
    if let (Some(before), Some(after)) = (before, resident()) {
        // A trace takes more than a kilobyte. Without the limit, all of them would take a hundred megabytes.
        assert!(after < before + (8 << 20), "{before} bytes became {after}");
    }
}

#[test]
fn what_one_trace_serves_is_remembered_within_limits_too() {
    #[graph_fn(reduce_retracing)]
    fn length(x: Tensor<i32>) -> Tensor<i32> {
        x.len_tensor()
    }
    for n in 0..3_000usize {
        assert_eq!(length(zeros(&[n])).item(), n as i32);
    }
    assert_eq!(length::function().trace_count(), 2);
}
