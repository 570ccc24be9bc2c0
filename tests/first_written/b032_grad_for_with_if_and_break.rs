//! The gradient through a loop over rows with branches and a break. From: conformance grad_for_with_if_and_break.
use graph_runtime::prelude::*;

#[graph_fn]
fn fold_and_gradient(v: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&v);
    let mut s = tensor(1.0);
    for e in &v {
        if e > 5.0 {
            break;
        }
        if e < 0.0 {
            s = s - e;
        } else {
            s = s * e;
        }
    }
    let gradient = tape.gradient(&s, &v).unwrap();
    (s, gradient)
}

fn main() {
    let (s, g) = fold_and_gradient(tensor([1.0, -2.0, 3.0, 4.0]));
    assert_eq!(s.item(), 36.0);
    assert_eq!(g.to_vec(), [12.0, -12.0, 12.0, 9.0]);

    let (s, g) = fold_and_gradient(tensor([-1.0; 4]));
    assert_eq!(s.item(), 5.0);
    assert_eq!(g.to_vec(), [-1.0; 4]);

    let (s, g) = fold_and_gradient(tensor([9.0, 1.0, 1.0, 1.0]));
    assert_eq!(s.item(), 1.0);
    assert_eq!(g.to_vec(), [0.0; 4]);
}
