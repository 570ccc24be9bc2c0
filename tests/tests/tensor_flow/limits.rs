//! A `match` on a tensor whose patterns name the limits of its dtype.

use graph_runtime::prelude::*;

#[graph_fn]
fn limits(x: Tensor<i32>) -> Tensor<i32> {
    match x {
        i32::MIN => 1,
        i32::MIN..0 => 2,
        0 => 3,
        i32::MAX => 4,
        _ => x,
    }
}

#[test]
fn limits_of_a_dtype_are_bounds() {
    for (x, expected) in [(i32::MIN, 1), (-1, 2), (0, 3), (i32::MAX, 4), (7, 7)] {
        assert_eq!(limits(tensor(x)).item(), expected, "{x}");
    }
    assert_eq!(limits::function().trace_count(), 1);
}
