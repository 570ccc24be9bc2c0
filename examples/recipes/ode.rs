//! **An adaptive ODE solver with gradients**: foxes eat rabbits, and the solver (Bogacki and Shampine) chooses its steps by the error
//! that it estimates. The tape goes back through all steps that were kept, however many.

use graph_runtime::prelude::*;

/// How fast rabbits and foxes multiply and die, for `[rabbits, foxes]`; `rates` are Lotka's and Volterra's α, β, γ and δ.
#[graph_fn]
fn change(y: &Tensor<f64>, rates: &Tensor<f64>) -> Tensor<f64> {
    let (rabbits, foxes) = (y[0], y[1]);
    let meet = rabbits * foxes;
    stack(
        [
            rates[0] * rabbits - rates[1] * meet,
            rates[3] * meet - rates[2] * foxes,
        ],
        0,
    )
}

/// The state at time `end`, and how many steps were kept and tried.
#[graph_fn]
fn solve(
    start: &Tensor<f64>,
    rates: &Tensor<f64>,
    end: f64,
    tolerance: f64,
) -> (Tensor<f64>, Tensor<i32>, Tensor<i32>) {
    let mut y = start.clone();
    let mut t = tensor(0.0);
    let mut h = tensor(0.01);
    let mut k1 = change(&y, rates);
    let (mut kept, mut tried) = (tensor(0), tensor(0));
    while t < end {
        let step = h.minimum(end - t);
        let k2 = change(&(y + step * 0.5 * k1), rates);
        let k3 = change(&(y + step * 0.75 * k2), rates);
        let next = y + step * (2.0 * k1 + 3.0 * k2 + 4.0 * k3) / 9.0;
        let k4 = change(&next, rates);
        let error = step * (-5.0 * k1 + 6.0 * k2 + 8.0 * k3 - 9.0 * k4) / 72.0;
        let error = (error / (tolerance * (1.0 + next.abs()))).abs().max();
        tried += 1;
        if error <= 1.0 {
            t = if step < h { tensor(end) } else { t + step };
            y = next;
            k1 = k4;
            kept += 1;
        }
        let factor = 0.9 * error.maximum(1e-10).pow(-1.0 / 3.0);
        h = stop_gradient(&(step * factor.clip(0.2, 5.0)));
    }
    (y, kept, tried)
}

/// The foxes at time `end`, and how they change with the rates.
#[graph_fn]
fn foxes(rates: &Tensor<f64>, end: f64, tolerance: f64) -> (Tensor<f64>, Tensor<f64>) {
    let tape = GradientTape::new();
    tape.watch(rates);
    let (y, _, _) = solve(&tensor([10.0, 5.0]), rates, end, tolerance);
    let foxes = y[1];
    (foxes, tape.gradient(&foxes, rates).unwrap())
}

fn rates() -> Tensor<f64> {
    tensor([1.5, 1.0, 3.0, 1.0])
}

/// What is timed.
pub fn work() {
    foxes(&rates(), 10.0, 1e-6);
}

/// The program.
pub fn main() {
    let (y, kept, tried) = solve(&tensor([10.0, 5.0]), &rates(), 10.0, 1e-8);
    println!("at time 10: {y}, after {kept} steps of {tried}");
    let (foxes, gradient) = foxes(&rates(), 10.0, 1e-8);
    println!("{foxes} foxes change with α, β, γ, δ by {gradient}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn foxes_and_their_gradient_are_those_of_small_steps() {
        let (foxes, gradient) = foxes(&rates(), 10.0, 1e-9);
        close(&[foxes.item()], &[0.44977746350607367], 1e-6);
        close(
            &gradient.to_vec(),
            &[
                -5.615783417597304,
                1.6916738947834595,
                -3.367006875156416,
                4.631517137146355,
            ],
            1e-5,
        );
    }

    #[test]
    fn steps_are_numpys() {
        let (y, kept, tried) = solve(&tensor([10.0, 5.0]), &rates(), 10.0, 1e-6);
        close(
            &y.to_vec(),
            &[0.28715960131397344, 0.44985400877736814],
            1e-9,
        );
        assert_eq!((kept.item(), tried.item()), (878, 883));
    }
}
