//! Integer powers modulo m: textbook: binary exponentiation.
use graph_runtime::prelude::*;

#[graph_fn]
fn pow_mod(base: Tensor<i64>, exponent: Tensor<i64>, m: Tensor<i64>) -> Tensor<i64> {
    let mut result = tensor(1i64);
    let mut base = base % m;
    let mut exponent = exponent;
    while exponent > 0 {
        if exponent % 2 == 1 {
            result = result * base % m;
        }
        base = base * base % m;
        exponent /= 2;
    }
    result
}

fn main() {
    assert_eq!(pow_mod(tensor(2i64), tensor(10i64), tensor(1000i64)).item(), 24);
    assert_eq!(pow_mod(tensor(3i64), tensor(0i64), tensor(7i64)).item(), 1);
    assert_eq!(pow_mod(tensor(5i64), tensor(117i64), tensor(19i64)).item(), 1);
}
