//! One trace for vectors of all lengths: a Collatz step. From: conformance signature_vector_int32.
use graph_runtime::prelude::*;

#[graph_fn]
fn step(x: Tensor<i32, shape![_]>) -> Tensor<i32, shape![_]> {
    select(x % 2 == 0, x / 2, 3 * x + 1)
}

fn main() {
    assert_eq!(step(tensor([1, 2])).to_vec(), [4, 1]);
    assert_eq!(step(tensor([1, 2, 3, 4, 5])).to_vec(), [4, 1, 10, 2, 16]);
    assert_eq!(step(tensor([3])).to_vec(), [10]);
    assert_eq!(step::function().trace_count(), 1);
}
