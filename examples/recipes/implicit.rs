//! **Gradients of one's own**: the solution of an equation is differentiated by the implicit function theorem instead of through the steps
//! that found it, and a rounding lets gradients through.

use graph_runtime::prelude::*;

/// The `x` with `x = tanh(a x + b)`, by iteration.
#[graph_fn]
fn iterate(a: &Tensor<f64>, b: &Tensor<f64>) -> Tensor<f64> {
    let mut x = b.tanh();
    let mut change = tensor(1.0);
    while change > 1e-14 {
        let next = (a * x + b).tanh();
        change = (next - x).abs().max();
        x = next;
    }
    x
}

/// The same. Its gradient needs no iteration: `x` changes by `(1 - x²) (x da + db) / (1 - a (1 - x²))`.
#[graph_fn]
fn solve(a: &Tensor<f64>, b: &Tensor<f64>) -> Tensor<f64> {
    custom_gradient((a.clone(), b.clone()), |(a, b)| {
        let x = iterate(&a, &b);
        let solution = x.clone();
        (solution, move |dx: Tensor<f64>| {
            let slope = 1.0 - x.square();
            let shared = dx * &slope / (1.0 - a * slope);
            (&shared * x, shared)
        })
    })
}

/// Rounds to quarters, and lets gradients through as if it didn't.
#[graph_fn]
fn quantize(x: Tensor<f64>) -> Tensor<f64> {
    custom_gradient(x, |x| ((x * 4.0).round() / 4.0, |dy: Tensor<f64>| dy))
}

/// The sum of the solutions, and its gradients with respect to all `a` and `b`.
#[graph_fn]
fn slopes(a: &Tensor<f64>, b: &Tensor<f64>) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>) {
    let (sum, (da, db)) = value_and_grad(|(a, b): &(Tensor<f64>, Tensor<f64>)| solve(a, b).sum())(
        &(a.clone(), b.clone()),
    );
    (sum, da, db)
}

/// Some equations.
fn equations(count: usize) -> (Tensor<f64>, Tensor<f64>) {
    (linspace(0.1, 0.9, count), linspace(-1.0, 1.5, count))
}

/// What is timed.
pub fn work() {
    let (a, b) = equations(1000);
    slopes(&a, &b);
}

/// The program.
pub fn main() {
    let (a, b) = equations(4);
    let (_, da, db) = slopes(&a, &b);
    println!(
        "solutions {}\nby a      {da}\nby b      {db}",
        solve(&a, &b)
    );
    let slope = grad(|x: &Tensor<f64>| quantize(x.clone()).square().sum())(&b);
    println!("the square of {} has the slope {slope}", quantize(b));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn slopes_are_those_of_complex_steps_in_numpy() {
        let (a, b) = equations(4);
        let (sum, da, db) = slopes(&a, &b);
        close(&[sum.item()], &[0.7676923678760821], 1e-12);
        close(
            &da.to_vec(),
            &[
                -0.3057287658443289,
                -0.361855126364279,
                0.31874020692261146,
                0.033816782870149,
            ],
            1e-10,
        );
        close(
            &db.to_vec(),
            &[
                0.3855649995741472,
                1.423701218991143,
                0.38327750995825083,
                0.03439541082431025,
            ],
            1e-10,
        );
    }

    #[test]
    fn they_are_those_through_the_iteration() {
        let (a, b) = equations(4);
        let through = grad(|(a, b): &(Tensor<f64>, Tensor<f64>)| iterate(a, b).sum())(&(
            a.clone(),
            b.clone(),
        ));
        let (_, da, db) = slopes(&a, &b);
        close(&da.to_vec(), &through.0.to_vec(), 1e-9);
        close(&db.to_vec(), &through.1.to_vec(), 1e-9);
    }

    #[test]
    fn a_rounding_has_the_slope_of_what_it_rounds_to() {
        let slope = grad(|x: &Tensor<f64>| quantize(x.clone()).square().sum())(&tensor([0.3, 0.9]));
        assert_eq!(slope.to_vec(), [0.5, 2.0]);
    }
}
