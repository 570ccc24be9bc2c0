//! Floor division, floor modulo and true division of i64: conformance `int64_floor_division`.
use graph_runtime::prelude::*;

#[graph_fn]
fn divisions(a: Tensor<i64>, b: Tensor<i64>) -> (Tensor<i64>, Tensor<i64>, Tensor<f64>) {
    (a.floor_div(b), a.floor_mod(b), a.true_div(b))
}

fn main() {
    let (q, r, t) = divisions(tensor([-9i64, 9, 9007199254740993]), tensor([4i64, -4, 2]));
    assert_eq!(q.to_vec(), vec![-3, -3, 4503599627370496]);
    assert_eq!(r.to_vec(), vec![3, -3, 1]);
    assert_eq!(t.to_vec(), vec![-2.25, -2.25, 4503599627370496.0]);
    let (q, r, t) = divisions(tensor([-1i64, 1, 0]), tensor([10i64, -10, 3]));
    assert_eq!(q.to_vec(), vec![-1, -1, 0]);
    assert_eq!(r.to_vec(), vec![9, -9, 0]);
    assert_eq!(t.to_vec(), vec![-0.1, -0.1, 0.0]);
}
