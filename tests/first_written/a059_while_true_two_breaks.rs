//! Powers of three with two ways out: conformance `while_tensor_true_two_breaks`.
use graph_runtime::prelude::*;

#[graph_fn]
fn powers(n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut p = tensor(1);
    let mut steps = tensor(0);
    while tensor(true) {
        if p > n {
            break;
        }
        p *= 3;
        steps += 1;
        if steps >= 4 {
            break;
        }
    }
    (p, steps)
}

fn main() {
    for (n, expected) in [(10, (27, 3)), (0, (1, 0)), (100, (81, 4)), (-1, (1, 0))] {
        let (p, steps) = powers(tensor(n));
        assert_eq!((p.item(), steps.item()), expected);
    }
}
