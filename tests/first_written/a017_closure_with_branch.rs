//! A closure with a tensor branch inside the function: conformance `nested_plain_function_closure`.
use graph_runtime::prelude::*;

#[graph_fn]
fn leaky(x: Tensor<f32>, scale: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    let act = |v: Tensor<f32>, slope: f32| {
        if v > 0.0 {
            return v;
        }
        v * slope
    };
    (act(x, 0.5) * scale, act(x, 0.25), act(scale, 0.5))
}

fn main() {
    let cases = [
        (2.0, 3.0, (6.0, 2.0, 3.0)),
        (-2.0, 3.0, (-3.0, -0.5, 3.0)),
        (2.0, -3.0, (-6.0, 2.0, -1.5)),
    ];
    for (x, scale, expected) in cases {
        let (a, b, c) = leaky(tensor(x), tensor(scale));
        assert_eq!((a.item(), b.item(), c.item()), expected);
    }
}
