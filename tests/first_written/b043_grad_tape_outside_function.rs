//! A tape around the call of a graph function with a loop. From: conformance grad_tape_outside_function.
use graph_runtime::prelude::*;

#[graph_fn]
fn grow(v: &Variable<f32>, x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let mut y = x;
    for _ in 0..n {
        if y > 50.0 {
            y = y + v.read();
        } else {
            y = y * v.read();
        }
    }
    y
}

fn main() {
    let v = Variable::new(tensor(2.0));
    for (n, value, dx, dv) in [(2, 12.0, 4.0, 12.0), (6, 98.0, 32.0, 241.0), (0, 3.0, 1.0, 0.0)] {
        let x = tensor(3.0);
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = grow(&v, x.clone(), tensor(n));
        assert_eq!(y.item(), value);
        let (gx, gv) = tape.gradient(&y, (&x, &v));
        assert_eq!(gx.unwrap().item(), dx);
        assert_eq!(gv.unwrap().item(), dv);
    }
}
