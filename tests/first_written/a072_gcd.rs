//! Greatest common divisor: textbook: Euclid's algorithm.
use graph_runtime::prelude::*;

#[graph_fn]
fn gcd(mut a: Tensor<i64>, mut b: Tensor<i64>) -> Tensor<i64> {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a.abs()
}

fn main() {
    assert_eq!(gcd(tensor(48i64), tensor(18i64)).item(), 6);
    assert_eq!(gcd(tensor(17i64), tensor(5i64)).item(), 1);
    assert_eq!(gcd(tensor(0i64), tensor(9i64)).item(), 9);
    assert_eq!(gcd(tensor(-12i64), tensor(8i64)).item(), 4);
}
