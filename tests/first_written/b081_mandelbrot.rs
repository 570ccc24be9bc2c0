//! Steps until a point leaves the Mandelbrot set. From: textbook: Mandelbrot.
use graph_runtime::prelude::*;

#[graph_fn]
fn escape(cx: Tensor<f64>, cy: Tensor<f64>, limit: i32) -> Tensor<i32> {
    let (mut x, mut y) = (tensor(0.0), tensor(0.0));
    let mut k = tensor(0);
    while k < limit && x * x + y * y <= 4.0 {
        (x, y) = (x * x - y * y + cx, 2.0 * x * y + cy);
        k += 1;
    }
    k
}

fn main() {
    let points = [(0.0, 0.0, 50), (1.0, 0.0, 3), (-1.0, 0.0, 50), (0.5, 0.5, 5), (2.0, 2.0, 1)];
    for (x, y, steps) in points {
        assert_eq!(escape(tensor(x), tensor(y), 50).item(), steps);
    }
}
