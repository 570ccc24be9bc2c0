// The attribute causes no warnings that the plain function doesn't have.
#![deny(warnings)]
use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f32>, n: usize) -> Tensor<f32> {
    let mut best = x.clone();
    for i in 0..n {
        let y = x * (i as f32);
        if y > best {
            best = y;
        }
        if best > 100.0 {
            return best;
        }
    }
    let mut steps = tensor(0);
    while best > 1.0 {
        best /= 2.0;
        steps += 1;
        if steps > 3 {
            break;
        }
    }
    graph_print!("{} after {}", best, steps);
    best
}

#[test]
fn runs() {
    assert_eq!(f(tensor(3.0), 3).item(), 0.75);
}
