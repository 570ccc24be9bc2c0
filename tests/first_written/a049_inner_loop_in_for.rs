//! Halves each number until it is odd, in an endless loop with a break: conformance `inner_while_true_in_for`.
use graph_runtime::prelude::*;

#[graph_fn]
fn odd_parts(v: Tensor<i32>) -> Tensor<i32> {
    let mut digits = tensor(0);
    for e in v {
        let mut e = e;
        loop {
            if e % 2 == 1 {
                break;
            }
            e = e / 2;
        }
        digits = digits * 100 + e;
    }
    digits
}

fn main() {
    assert_eq!(odd_parts(tensor([12, 7, 1])).item(), 30701);
    assert_eq!(odd_parts(tensor([1, 1, 1])).item(), 10101);
    assert_eq!(odd_parts(tensor([16, 3, 2])).item(), 10301);
}
