//! **Denoising a signal**: the curve with few jumps that is nearest to what was measured (total variation, by projected steps on the
//! dual problem).

use super::inputs;
use graph_runtime::prelude::*;

/// The signal `x` that makes `½ |x - noisy|² + weight · Σ |x[i+1] - x[i]|` small.
#[graph_fn]
fn denoise(noisy: &Tensor<f64>, weight: f64, steps: Tensor<i32>) -> Tensor<f64> {
    let mut dual = (&noisy[1..] - &noisy[..-1]).zeros_like();
    let mut x = noisy.clone();
    for _ in 0..steps {
        x = noisy + dual.pad(&[(0, 1)]) - dual.pad(&[(1, 0)]);
        dual = (dual + 0.25 * (&x[1..] - &x[..-1])).clip(-weight, weight);
    }
    noisy + dual.pad(&[(0, 1)]) - dual.pad(&[(1, 0)])
}

/// What `denoise` makes small.
#[graph_fn]
fn cost(x: &Tensor<f64>, noisy: &Tensor<f64>, weight: f64) -> Tensor<f64> {
    (x - noisy).square().sum() / 2.0 + weight * (&x[1..] - &x[..-1]).abs().sum()
}

/// Stairs, and the stairs with noise.
fn stairs(count: usize) -> (Tensor<f64>, Tensor<f64>) {
    let clean: Vec<f64> = (0..count)
        .map(|i| [0.0, 2.0, 1.0, 3.0][4 * i / count])
        .collect();
    let clean = tensor(clean);
    let noisy = &clean + tensor(inputs::normal(count, 31)) * 0.3;
    (clean, noisy)
}

/// What is timed.
pub fn work() {
    denoise(&stairs(10_000).1, 1.0, tensor(500));
}

/// The program.
pub fn main() {
    let (clean, noisy) = stairs(400);
    let x = denoise(&noisy, 1.0, tensor(2000));
    let error = |x: &Tensor<f64>| (x - &clean).square().mean().sqrt().item();
    println!(
        "error {:.3} before and {:.3} after",
        error(&noisy),
        error(&x)
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn the_curve_is_numpys_and_better_than_the_clean_one() {
        let (clean, noisy) = stairs(400);
        let x = denoise(&noisy, 1.0, tensor(2000));
        let cost = |x: &Tensor<f64>| cost(x, &noisy, 1.0).item();
        close(
            &[cost(&x), x.get(50).item(), x.get(250).item()],
            &[22.068252099496938, -0.04441739578087678, 0.975800837665651],
            1e-9,
        );
        assert!(cost(&x) < cost(&clean));
    }
}
