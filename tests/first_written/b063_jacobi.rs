//! A diagonally dominant linear system by Jacobi's iteration. From: textbook: Jacobi.
use graph_runtime::prelude::*;

#[graph_fn]
fn jacobi(a: Tensor<f64>, b: Tensor<f64>) -> Tensor<f64> {
    let d = a.diag_part();
    let r = a - d.diag();
    let mut x = b.zeros_like();
    loop {
        let next = (b - r.matvec(x)) / d;
        let change = (next - x).abs().max();
        x = next;
        if change < 1e-12 {
            break;
        }
    }
    x
}

fn main() {
    let a = tensor([[10.0, -1.0, 2.0], [-1.0, 11.0, -1.0], [2.0, -1.0, 10.0]]);
    // with the solution 1, 2, -1
    let x = jacobi(a, tensor([6.0, 22.0, -10.0])).to_vec();
    for (got, expected) in x.iter().zip([1.0, 2.0, -1.0]) {
        assert!((got - expected).abs() < 1e-9);
    }
}
