//! Differentiates a loop that runs until its result is good enough: Newton's method for `x eˣ = a` decides after each step, by the values,
//! whether to continue, and the tape goes back through as many steps as were made.
//!
//! ```text
//! cargo run --release --example newton
//! ```

use graph_runtime::prelude::*;

/// Newton's method stops after a step smaller than this.
const TOLERANCE: f64 = 1e-12;

/// The `x` with `x eˣ = a`, for `a > 0` (Lambert's W function), and the number of steps.
#[graph_fn]
fn lambert_w(a: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    let mut x = a.log1p();
    let mut steps = tensor(0);
    let mut change = tensor(f64::INFINITY);
    while change.abs() > TOLERANCE {
        let power = x.exp();
        change = (x * power - a) / (power * (x + 1.0));
        x -= change;
        steps += 1;
    }
    (x, steps)
}

/// The same `x`, the number of steps, and the derivative `dx/da`.
#[graph_fn]
fn with_slope(a: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>, Tensor<f64>) {
    let tape = GradientTape::new();
    tape.watch(&a);
    let (x, steps) = lambert_w(a.clone());
    let slope = tape.gradient(&x, &a).expect("x depends on a");
    (x, steps, slope)
}

/// The derivative by the rule for inverse functions: the derivative of `x eˣ` is `eˣ (1 + x)`.
fn exact_slope(x: f64) -> f64 {
    1.0 / (x.exp() * (1.0 + x))
}

fn main() {
    println!("       a               x  steps           dx/da           exact");
    for a in [0.001, 0.1, 1.0, 10.0, 1e6] {
        let (x, steps, slope) = with_slope(tensor(a));
        let (x, slope) = (x.item(), slope.item());
        println!(
            "{a:8} {x:15.12} {steps:>6} {slope:15.12} {:15.12}",
            exact_slope(x)
        );
    }
    println!(
        "one graph for all: {} trace",
        with_slope::function().trace_count()
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_slope_is_that_of_the_inverse_function() {
        for a in [0.001, 0.3, 1.0, 2.5, 1e6] {
            let (x, steps, slope) = with_slope(tensor(a));
            let (x, slope) = (x.item(), slope.item());
            assert!((x * x.exp() / a - 1.0).abs() < 1e-12, "{a}: {x}");
            assert!((slope / exact_slope(x) - 1.0).abs() < 1e-9, "{a}: {slope}");
            assert!((1..20).contains(&steps.item()), "{a}: {steps} steps");
        }
    }

    #[test]
    fn the_number_of_steps_is_decided_by_the_numbers() {
        let steps = |a| with_slope(tensor(a)).1.item();
        assert_ne!(steps(0.001), steps(1e6));
        assert_eq!(with_slope::function().trace_count(), 1);
    }
}
