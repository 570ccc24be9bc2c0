//! Greatest common divisor by Euclid, and the least common multiple. From: textbook: Euclid's algorithm.
use graph_runtime::prelude::*;

#[graph_fn]
fn gcd(mut a: Tensor<i64>, mut b: Tensor<i64>) -> Tensor<i64> {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

#[graph_fn]
fn lcm(a: Tensor<i64>, b: Tensor<i64>) -> Tensor<i64> {
    if a == 0 || b == 0 {
        return 0;
    }
    a / gcd(a, b) * b
}

fn main() {
    assert_eq!(gcd(tensor(48), tensor(18)).item(), 6);
    assert_eq!(gcd(tensor(17), tensor(5)).item(), 1);
    assert_eq!(gcd(tensor(0), tensor(9)).item(), 9);
    assert_eq!(lcm(tensor(4), tensor(6)).item(), 12);
    assert_eq!(lcm(tensor(0), tensor(6)).item(), 0);
}
