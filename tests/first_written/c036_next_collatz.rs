//! The Collatz step for a vector of any length, one trace by its signature: seed2_next_collatz_signature.
use graph_runtime::prelude::*;

#[graph_fn]
fn next_collatz(x: Tensor<i32, shape![_]>) -> Tensor<i32, shape![_]> {
    select(x % 2 == 0, x / 2, 3 * x + 1)
}

fn main() {
    assert_eq!(next_collatz(tensor([1, 2])).to_vec(), [4, 1]);
    assert_eq!(next_collatz(tensor([3, 6, 7])).to_vec(), [10, 3, 22]);
    assert_eq!(next_collatz::function().trace_count(), 1);
}
