// Literals where tensors are expected, and Rust numbers where they aren't.
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>, scale: f32) -> (Tensor<f32>, Tensor<bool>) {
    let mut y = x * scale;
    if y > 10.0 {
        y = 10.0;
    } else if y < -10.0 {
        return (0.5, true);
    }
    (y, false)
}

#[test]
fn runs() {
    let (y, low) = f(tensor(3.0), 5.0);
    assert_eq!((y.item(), low.item()), (10.0, false));
    let (y, low) = f(tensor(-3.0), 5.0);
    assert_eq!((y.item(), low.item()), (0.5, true));
}
