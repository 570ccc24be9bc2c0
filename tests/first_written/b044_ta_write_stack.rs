//! Squares, written into a TensorArray one by one. From: conformance ta_write_stack.
use graph_runtime::prelude::*;

#[graph_fn]
fn squares(n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut ta = TensorArray::new(n);
    for i in 0..n {
        ta = ta.write(i, i * i);
    }
    (ta.stack(), ta.size())
}

fn main() {
    let (all, size) = squares(tensor(4));
    assert_eq!(all.to_vec(), [0, 1, 4, 9]);
    assert_eq!(size.item(), 4);

    let (all, size) = squares(tensor(1));
    assert_eq!(all.to_vec(), [0]);
    assert_eq!(size.item(), 1);

    let (_, size) = squares(tensor(0));
    assert_eq!(size.item(), 0);
}
