//! The smallest power of two that is not below n: textbook: next power of two.
use graph_runtime::prelude::*;

#[graph_fn]
fn next_power_of_two(n: Tensor<i32>) -> Tensor<i32> {
    let mut p = tensor(1);
    let result = loop {
        if p >= n {
            break p;
        }
        p *= 2;
    };
    result
}

fn main() {
    for (n, p) in [(0, 1), (1, 1), (2, 2), (5, 8), (64, 64), (65, 128)] {
        assert_eq!(next_power_of_two(tensor(n)).item(), p);
    }
}
