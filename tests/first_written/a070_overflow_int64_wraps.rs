//! 64 bit integers wrap: conformance `overflow_int64_wraps`.
use graph_runtime::prelude::*;

#[graph_fn]
fn overflow(a: Tensor<i64>) -> (Tensor<i64>, Tensor<i64>, Tensor<i64>, Tensor<i64>) {
    (a + 1, a - 1, a * a, -a)
}

fn main() {
    let (plus, minus, square, neg) = overflow(tensor([4611686018427387904i64, 3037000500]));
    assert_eq!(plus.to_vec(), vec![4611686018427387905, 3037000501]);
    assert_eq!(minus.to_vec(), vec![4611686018427387903, 3037000499]);
    assert_eq!(square.to_vec(), vec![0, -9223372036709301616]);
    assert_eq!(neg.to_vec(), vec![-4611686018427387904, -3037000500]);
}
