//! A Rust flag before a tensor condition: conformance `if_undefined_in_dead_python_branch`.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<i32>, flag: bool) -> Tensor<i32> {
    let y = if flag { x + 1 } else { x };
    let z;
    if x > 0 {
        z = y * 2;
    } else {
        z = y * 3;
    }
    z
}

fn main() {
    assert_eq!(f(tensor(1), true).item(), 4);
    assert_eq!(f(tensor(-1), true).item(), 0);
    assert_eq!(f(tensor(5), true).item(), 12);
}
