//! Branches with temporaries of their own: conformance `if_branch_local_temp`.
use graph_runtime::prelude::*;

#[graph_fn]
fn if_branch_local_temp(x: Tensor<f32>) -> Tensor<f32> {
    if x >= 0.0 {
        let t = x + 1.0;
        let u = t * t;
        u - x
    } else {
        let t = -x;
        t / 4.0
    }
}

fn main() {
    for (x, expected) in [(3.0f32, 13.0), (-3.0, 0.75), (0.0, 1.0)] {
        assert_eq!(if_branch_local_temp(tensor(x)).item(), expected);
    }
}
