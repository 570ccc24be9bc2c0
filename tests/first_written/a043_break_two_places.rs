//! A loop with two exits that say why: conformance `break_two_places`.
use graph_runtime::prelude::*;

#[graph_fn]
fn sum_and_reason(v: Tensor<i32>) -> (Tensor<i32>, Tensor<String>) {
    let mut s = tensor(0);
    let mut why = tensor("end");
    for e in v {
        if e > 3 {
            why = tensor("big");
            break;
        }
        s += e;
        if s >= 3 {
            why = tensor("sum");
            break;
        }
    }
    (s, why)
}

fn main() {
    let cases = [
        ([1, 2, 3, 4], 3, "sum"),
        ([5, 1, 1, 1], 0, "big"),
        ([0, 0, 0, 9], 0, "big"),
        ([0, 0, 0, 0], 0, "end"),
    ];
    for (v, sum, reason) in cases {
        let (s, why) = sum_and_reason(tensor(v));
        assert_eq!(s.item(), sum);
        assert_eq!(why.item(), reason);
    }
}
