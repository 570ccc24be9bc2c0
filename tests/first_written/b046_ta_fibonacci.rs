//! Fibonacci numbers from a TensorArray that is read while it is written. From: conformance ta_fibonacci_reads_itself.
use graph_runtime::prelude::*;

#[graph_fn]
fn fibonacci(n: Tensor<i32>) -> Tensor<i32> {
    let mut ta = TensorArray::new(n);
    ta = ta.write(0, 1).write(1, 1);
    for i in 2..n {
        ta = ta.write(i, ta.read(i - 1) + ta.read(i - 2));
    }
    ta.stack()
}

fn main() {
    assert_eq!(fibonacci(tensor(8)).to_vec(), [1, 1, 2, 3, 5, 8, 13, 21]);
    assert_eq!(fibonacci(tensor(2)).to_vec(), [1, 1]);
    assert_eq!(fibonacci(tensor(3)).to_vec(), [1, 1, 2]);
}
