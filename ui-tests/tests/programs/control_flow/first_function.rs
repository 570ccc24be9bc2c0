// The README's first function.
use graph_runtime::prelude::*;

#[graph_fn]
fn sum_even(items: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for c in items {
        if c % 2 > 0 {
            continue;
        }
        sum += c;
    }
    sum
}

#[test]
fn runs() {
    assert_eq!(sum_even(tensor([10, 12, 15, 20])).item(), 42);
}
