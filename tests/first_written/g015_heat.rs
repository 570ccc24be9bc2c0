//! Heat in a plate: explicit steps, Jacobi's iteration for the state that stays, and the time until it is near.

use graph_runtime::prelude::*;

#[graph_fn]
fn laplacian(u: &Tensor<f32>) -> Tensor<f32> {
    let inner = &u[(1..-1, 1..-1)];
    &u[(..-2, 1..-1)] + &u[(2.., 1..-1)] + &u[(1..-1, ..-2)] + &u[(1..-1, 2..)] - 4.0 * inner
}

#[graph_fn]
fn step(mut u: Tensor<f32>, rate: f32) -> Tensor<f32> {
    let change = rate * laplacian(&u);
    u[(1..-1, 1..-1)] += change;
    u
}

#[graph_fn]
fn until_steady(mut u: Tensor<f32>, tolerance: f32) -> (Tensor<f32>, Tensor<i32>) {
    let mut count = tensor(0);
    while laplacian(&u).abs().max() > tolerance {
        u = step(u, 0.25);
        count += 1;
        assert!(count < 10_000, "no steady state");
    }
    (u, count)
}

fn main() {
    let n = 12;
    // The left side has 1, the right side 0, top and bottom fall linearly: so does the steady state.
    let line = linspace(1.0, 0.0, n);
    let wanted = line.expand_dims(0).tile([n, 1]);
    let mut start = wanted.to_vec();
    for y in 1..n - 1 {
        for x in 1..n - 1 {
            start[n * y + x] = 0.0;
        }
    }
    let start = Tensor::from_vec([n, n], start);
    let once = step(&start, 0.25);
    assert_eq!(once.get(5).get(1).item(), 0.25);
    let (found, count) = until_steady(start, 1e-6);
    assert!((found - wanted).abs().max() < 1e-3);
    assert!(count.item() > 10);
}
