//! A return under a Rust flag, then one under a tensor: conformance `return_mixed_python_tensor`.
use graph_runtime::prelude::*;

#[graph_fn]
fn mixed(x: Tensor<i32>, fast: bool) -> Tensor<i32> {
    if fast {
        return x;
    }
    if x > 0 {
        return x * 2;
    }
    x * 3
}

fn main() {
    for (x, fast, y) in [(5, true, 5), (5, false, 10), (-5, true, -5), (-5, false, -15)] {
        assert_eq!(mixed(tensor(x), fast).item(), y);
    }
}
