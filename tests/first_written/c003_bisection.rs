//! A root of x^3 - x - 1 by bisection: alg_bisection.
use graph_runtime::prelude::*;

fn polynomial(x: Tensor<f64>) -> Tensor<f64> {
    x.powi(3) - x - 1.0
}

#[graph_fn]
fn bisection(mut lo: Tensor<f64>, mut hi: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    let mut k = tensor(0);
    if polynomial(lo) * polynomial(hi) > 0.0 {
        return (tensor(f64::NAN), k);
    }
    while hi - lo > 1e-9 {
        let mid = (lo + hi) / 2.0;
        if polynomial(lo) * polynomial(mid) <= 0.0 {
            hi = mid;
        } else {
            lo = mid;
        }
        k += 1;
        if k >= 100 {
            break;
        }
    }
    ((lo + hi) / 2.0, k)
}

fn main() {
    let (root, steps) = bisection(tensor(0.0), tensor(2.0));
    assert!((root.item() - 1.324717957060784).abs() < 1e-6);
    assert_eq!(steps.item(), 31);
    let (root, steps) = bisection(tensor(0.0), tensor(0.5));
    assert!(root.item().is_nan());
    assert_eq!(steps.item(), 0);
    let (root, steps) = bisection(tensor(1.0), tensor(4.0));
    assert!((root.item() - 1.3247179571771994).abs() < 1e-6);
    assert_eq!(steps.item(), 32);
}
