//! Three branches that change a vector and its sum: conformance `if_read_before_write_in_else`.
use graph_runtime::prelude::*;

#[graph_fn]
fn shift_by_sum(mut v: Tensor<i32>, k: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut s = v.sum();
    if k > 0 {
        v = v + s;
    } else if k < 0 {
        s = s - v[0];
        v = v - s;
    } else {
        s = -s;
    }
    (v, s)
}

fn main() {
    let cases = [
        (1, vec![7, 8, 9], 6),
        (0, vec![1, 2, 3], -6),
        (-1, vec![-4, -3, -2], 5),
    ];
    for (k, rows, sum) in cases {
        let (v, s) = shift_by_sum(tensor([1, 2, 3]), tensor(k));
        assert_eq!(v.to_vec(), rows);
        assert_eq!(s.item(), sum);
    }
}
