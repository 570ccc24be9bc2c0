//! The identity for vectors of any length: seed2_unknown_dimension.
use graph_runtime::prelude::*;

#[graph_fn(input_signature = [i32[_]])]
fn identity(x: Tensor<i32>) -> Tensor<i32> {
    println!("Tracing with {x:?}");
    x
}

fn main() {
    assert_eq!(identity(tensor([1, 2, 3])).to_vec(), [1, 2, 3]);
    assert_eq!(identity(tensor([1, 2, 3, 4, 5])).to_vec(), [1, 2, 3, 4, 5]);
    assert_eq!(identity::function().trace_count(), 1);
}
