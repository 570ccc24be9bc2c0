//! A piecewise linear function, constant outside its knots. From: textbook: table interpolation.
use graph_runtime::prelude::*;

#[graph_fn]
fn interp(x: Tensor<f32>, xs: Tensor<f32>, ys: Tensor<f32>) -> Tensor<f32> {
    let last = xs.len() - 1;
    if x <= xs[0] {
        return ys[0];
    }
    if x >= xs[last] {
        return ys[last];
    }
    let mut i = tensor(0);
    while xs[i + 1] < x {
        i += 1;
    }
    let t = (x - xs[i]) / (xs[i + 1] - xs[i]);
    ys[i] * (1.0 - t) + ys[i + 1] * t
}

fn main() {
    for (x, y) in [(-5.0, 10.0), (0.0, 10.0), (0.5, 15.0), (1.0, 20.0), (2.0, 10.0), (3.0, 0.0), (9.0, 0.0)] {
        let got = interp(tensor(x), tensor([0.0, 1.0, 3.0]), tensor([10.0, 20.0, 0.0]));
        assert_eq!(got.item(), y);
    }
}
