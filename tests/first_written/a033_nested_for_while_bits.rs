//! Counts the set bits of all numbers: conformance `nested_for_while`.
use graph_runtime::prelude::*;

#[graph_fn]
fn count_bits(v: Tensor<i32>) -> Tensor<i32> {
    let mut bits = tensor(0);
    for mut e in v {
        while e > 0 {
            bits += e % 2;
            e /= 2;
        }
    }
    bits
}

fn main() {
    assert_eq!(count_bits(tensor([3, 0, 5])).item(), 4);
    assert_eq!(count_bits(tensor([8, 1, 2])).item(), 3);
    assert_eq!(count_bits(tensor([0, 0, 0])).item(), 0);
}
