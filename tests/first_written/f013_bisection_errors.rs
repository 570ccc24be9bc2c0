//! Bisection that returns an error where there is no root, and a service that goes on after it.

use graph_runtime::prelude::*;

#[graph_fn]
fn f(x: Tensor<f64>) -> Tensor<f64> {
    x.exp() - 3.0 * x
}

#[graph_fn]
fn bisect(low: Tensor<f64>, high: Tensor<f64>, tolerance: f64) -> graph_runtime::Result<(Tensor<f64>, Tensor<i32>)> {
    assert!(f(low) * f(high) < 0.0, "no change of sign between {low} and {high}");
    let (mut low, mut high) = (low, high);
    let mut steps = tensor(0);
    while high - low > tolerance {
        let middle = 0.5 * (low + high);
        if f(low) * f(middle) <= 0.0 {
            high = middle;
        } else {
            low = middle;
        }
        steps += 1;
        assert!(steps < 200, "too many steps");
    }
    Ok((0.5 * (low + high), steps))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let (root, steps) = bisect(tensor(0.0), tensor(1.0), 1e-10)?;
    assert!((root.item() - 0.6190612867359451).abs() < 1e-9);
    assert_eq!(steps.item(), 34);
    let error = bisect(tensor(0.7), tensor(1.0), 1e-10).unwrap_err();
    println!("{error}");
    assert!(error.to_string().contains("no change of sign between 0.7 and 1"));
    let (other, _) = bisect(tensor(1.0), tensor(2.0), 1e-10)?;
    assert!((other.item() - 1.5121345516578424).abs() < 1e-9);
    Ok(())
}
