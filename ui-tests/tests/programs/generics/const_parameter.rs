// A constant parameter counts the steps while tracing.
use graph_runtime::prelude::*;

#[graph_fn]
fn halve<const TIMES: usize>(mut x: Tensor<f32>) -> Tensor<f32> {
    for _ in 0..TIMES {
        if x > 1.0 {
            x = x / 2.0;
        }
    }
    x
}

#[test]
fn runs() {
    assert_eq!(halve::<2>(tensor(16.0f32)).item(), 4.0);
    assert_eq!(halve::<5>(tensor(16.0f32)).item(), 1.0);
}
