//! A geometric sum by two nested loops, and its gradient. From: conformance grad_nested_loops.
use graph_runtime::prelude::*;

#[graph_fn]
fn geometric(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let mut s = tensor(0.0);
    for i in 0..n {
        let mut p = tensor(1.0);
        for _ in 0..i + 1 {
            p = p * x;
        }
        s = s + p;
    }
    s
}

fn main() {
    for (x, n, value, slope) in [(2.0, 2, 6.0, 5.0), (2.0, 0, 0.0, 0.0), (-1.0, 3, -1.0, 2.0)] {
        let x = tensor(x);
        let tape = GradientTape::new();
        tape.watch(&x);
        let s = geometric(x.clone(), tensor(n));
        assert_eq!(s.item(), value);
        assert_eq!(tape.gradient(&s, &x).unwrap().item(), slope);
    }
}
