//! An alternating sum over the rows: conformance `for_rows_alternating`.
use graph_runtime::prelude::*;

#[graph_fn]
fn alternating(v: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut sign = tensor(1);
    let mut s = tensor(0);
    for e in v {
        s += sign * e;
        sign = -sign;
    }
    (s, sign)
}

fn main() {
    for (v, sum) in [([1, 2, 3, 4], -2), ([5, 5, 5, 5], 0), ([-1, 0, 7, 7], -1)] {
        let (s, sign) = alternating(tensor(v));
        assert_eq!(s.item(), sum);
        assert_eq!(sign.item(), 1);
    }
}
