//! How many traces a function keeps.

use graph_runtime::prelude::*;

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
