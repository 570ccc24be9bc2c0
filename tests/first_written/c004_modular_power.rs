//! b^e mod m by squaring, in 64 bits: alg_modular_power.
use graph_runtime::prelude::*;

#[graph_fn]
fn modular_power(mut b: Tensor<i64>, mut e: Tensor<i64>, m: Tensor<i64>) -> Tensor<i64> {
    let mut r = 1 % m;
    b %= m;
    while e > 0 {
        if e % 2 == 1 {
            r = r * b % m;
        }
        b = b * b % m;
        e /= 2;
    }
    r
}

fn main() {
    assert_eq!(modular_power(tensor(3i64), tensor(200i64), tensor(1_000_007i64)).item(), 959082);
    assert_eq!(modular_power(tensor(2i64), tensor(0i64), tensor(7i64)).item(), 1);
    assert_eq!(modular_power(tensor(10i64), tensor(18i64), tensor(97i64)).item(), 89);
    assert_eq!(modular_power(tensor(5i64), tensor(3i64), tensor(1i64)).item(), 0);
}
