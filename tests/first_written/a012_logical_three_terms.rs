//! Precedence of and, or, not over tensors: conformance `logical_three_terms`.
use graph_runtime::prelude::*;

#[graph_fn]
fn three(a: Tensor<bool>, b: Tensor<bool>, c: Tensor<bool>) -> Tensor<i32> {
    if a && b || !c {
        1
    } else if a || b && c {
        2
    } else {
        3
    }
}

fn main() {
    let expected = [
        (true, true, true, 1),
        (true, true, false, 1),
        (true, false, true, 2),
        (true, false, false, 1),
        (false, true, true, 2),
        (false, true, false, 1),
        (false, false, true, 3),
        (false, false, false, 1),
    ];
    for (a, b, c, r) in expected {
        assert_eq!(three(tensor(a), tensor(b), tensor(c)).item(), r);
    }
}
