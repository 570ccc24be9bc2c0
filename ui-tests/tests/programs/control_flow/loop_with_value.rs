// A `loop` that ends with a value under a tensor condition.
use graph_runtime::prelude::*;

#[graph_fn]
fn power_above(limit: Tensor<i32>) -> Tensor<i32> {
    let mut power = tensor(1);
    loop {
        power *= 2;
        if power > limit {
            break power;
        }
    }
}

#[test]
fn runs() {
    assert_eq!(power_above(tensor(100)).item(), 128);
}
