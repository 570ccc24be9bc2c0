//! Clamps into 0..1 by two if expressions with literal branches: conformance `ternary_chained`.
use graph_runtime::prelude::*;

#[graph_fn]
fn unit(x: Tensor<f32>) -> Tensor<f32> {
    let y = if x < 0.0 { 0.0 } else { x };
    if y > 1.0 { 1.0 } else { y }
}

fn main() {
    for (x, y) in [(5.0, 1.0), (0.5, 0.5), (-5.0, 0.0), (1.0, 1.0), (0.0, 0.0)] {
        assert_eq!(unit(tensor(x)).item(), y);
    }
}
