//! **Conjugate gradients**: the temperature of a plate whose edge is kept at 0, heated in two places: Poisson's equation on a grid. The
//! matrix is never made, only its product with a vector.

use graph_runtime::prelude::*;

/// Four times each value, less its four neighbours; 0 is outside.
#[graph_fn]
fn laplace(x: &Tensor<f64>) -> Tensor<f64> {
    let wide = x.pad(&[(1, 1), (1, 1)]);
    4.0 * x
        - &wide[(..-2, 1..-1)]
        - &wide[(2.., 1..-1)]
        - &wide[(1..-1, ..-2)]
        - &wide[(1..-1, 2..)]
}

/// The `x` with `laplace(x) = b`, and how many steps it took.
#[graph_fn]
fn solve(b: Tensor<f64>, tolerance: f64) -> (Tensor<f64>, Tensor<i32>) {
    let mut x = b.zeros_like();
    let mut residual = b.clone();
    let mut direction = b;
    let mut square = residual.square().sum();
    let goal = square * tolerance * tolerance;
    let mut steps = tensor(0);
    while square > goal {
        let image = laplace(&direction);
        let rate = square / (direction * image).sum();
        x += rate * direction;
        residual -= rate * image;
        let before = square;
        square = residual.square().sum();
        direction = residual + square / before * direction;
        steps += 1;
    }
    (x, steps)
}

/// A plate of `n` times `n` places, warmed in one and cooled in another.
#[graph_fn]
fn plate(n: usize) -> Tensor<f64> {
    let mut b = Tensor::zeros([n, n]);
    b[(n / 4, n / 4)] = 1.0;
    b[(n / 2, 3 * n / 4)] = -0.5;
    b
}

/// What is timed.
pub fn work() {
    solve(plate(64), 1e-8);
}

/// The program.
pub fn main() {
    let (x, steps) = solve(plate(32), 1e-10);
    println!(
        "{steps} steps; the warmest place has {}, the coldest {}",
        x.max(),
        x.min()
    );
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::close;

    #[test]
    fn the_plate_has_the_temperatures_of_a_dense_solver() {
        let (x, steps) = solve(plate(32), 1e-10);
        close(
            &[x.max().item(), x.min().item(), x.sum().item()],
            &[0.6417928408065375, -0.30245540789978975, 23.58504900925309],
            1e-8,
        );
        assert_eq!(steps.item(), 115);
    }
}
