//! A Rust bool chooses which code is traced: conformance `if_python_bool_prunes`.
use graph_runtime::prelude::*;

#[graph_fn]
fn dropout_like(x: Tensor<f32>, training: bool) -> Tensor<f32> {
    println!("branch {training}");
    if training {
        if x > 0.0 {
            x * 0.5
        } else {
            x
        }
    } else {
        x + 10.0
    }
}

fn main() {
    assert_eq!(dropout_like(tensor(4.0), true).item(), 2.0);
    assert_eq!(dropout_like(tensor(4.0), false).item(), 14.0);
    assert_eq!(dropout_like(tensor(-4.0), true).item(), -4.0);
    assert_eq!(dropout_like(tensor(-4.0), false).item(), 6.0);
    assert_eq!(dropout_like::function().trace_count(), 2);
}
