//! Recursion over a Rust number, unrolled while tracing: err_recursion_on_python_int.
use graph_runtime::prelude::*;

#[graph_fn]
fn times_power_of_two(x: Tensor<i32>, n: usize) -> Tensor<i32> {
    fn rec(v: Tensor<i32>, k: usize) -> Tensor<i32> {
        if k == 0 { v } else { rec(v * 2, k - 1) }
    }
    rec(x, n)
}

fn main() {
    assert_eq!(times_power_of_two(tensor(2), 0).item(), 2);
    assert_eq!(times_power_of_two(tensor(2), 3).item(), 16);
    assert_eq!(times_power_of_two(tensor(2), 5).item(), 64);
}
