//! Square root by Newton's iteration with a tolerance: textbook: Newton's method.
use graph_runtime::prelude::*;

#[graph_fn]
fn newton_sqrt(x: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    let mut guess = x;
    let mut rounds = tensor(0);
    while (guess * guess - x).abs() > 1e-10 {
        guess = (guess + x / guess) / 2.0;
        rounds += 1;
        assert!(rounds < 100, "no convergence");
    }
    (guess, rounds)
}

fn main() {
    let (root, rounds) = newton_sqrt(tensor(2.0f64));
    assert!((root.item() - 2f64.sqrt()).abs() < 1e-9);
    assert!(rounds.item() < 10);
    let (root, rounds) = newton_sqrt(tensor(1.0f64));
    assert_eq!((root.item(), rounds.item()), (1.0, 0));
}
