//! Maximum and count for vectors of any length, also none: conformance `for_rows_unknown_length`.
use graph_runtime::prelude::*;

#[graph_fn]
fn max_and_count(v: Tensor<f32, shape![_]>) -> (Tensor<f32>, Tensor<i32>) {
    let mut m = tensor(f32::NEG_INFINITY);
    let mut n = tensor(0);
    for e in v {
        if e > m {
            m = e;
        }
        n += 1;
    }
    (m, n)
}

fn main() {
    let (m, n) = max_and_count(tensor([1.0, 2.0, 3.0]));
    assert_eq!((m.item(), n.item()), (3.0, 3));
    let (m, n) = max_and_count(tensor([0.0f32; 0]));
    assert_eq!((m.item(), n.item()), (f32::NEG_INFINITY, 0));
    let (m, n) = max_and_count(tensor([-1.0, 5.0]));
    assert_eq!((m.item(), n.item()), (5.0, 2));
    assert_eq!(max_and_count::function().trace_count(), 1);
}
