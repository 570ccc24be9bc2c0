//! argmax and argmin along axes. From: conformance argmax_axis.
use graph_runtime::prelude::*;

#[graph_fn]
fn extremes(m: Tensor<i32>) -> (Tensor<i64>, Tensor<i64>, Tensor<i64>, Tensor<i32>) {
    (m.argmax(0), m.argmax(1), m.argmin(-1), m.argmax(0).cast::<i32>())
}

fn main() {
    let (columns, rows, least, narrow) = extremes(tensor([[1, 5, 5], [7, 7, 0]]));
    assert_eq!(columns.to_vec(), [1, 1, 0]);
    assert_eq!(rows.to_vec(), [1, 0]);
    assert_eq!(least.to_vec(), [0, 2]);
    assert_eq!(narrow.to_vec(), [1, 1, 0]);

    let (columns, rows, least, narrow) = extremes(tensor([[0, 0, 0], [0, 0, 0]]));
    assert_eq!(columns.to_vec(), [0, 0, 0]);
    assert_eq!(rows.to_vec(), [0, 0]);
    assert_eq!(least.to_vec(), [0, 0]);
    assert_eq!(narrow.to_vec(), [0, 0, 0]);
}
