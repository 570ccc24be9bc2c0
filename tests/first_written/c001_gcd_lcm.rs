//! Greatest common divisor and least common multiple by Euclid: alg_gcd_lcm.
use graph_runtime::prelude::*;

#[graph_fn]
fn gcd_lcm(a: Tensor<i32>, b: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut x = a;
    let mut y = b;
    while y != 0 {
        (x, y) = (y, x.floor_mod(y));
    }
    let lcm = if x == 0 { tensor(0) } else { (a * b).abs() / x };
    (x, lcm)
}

fn main() {
    let cases = [(48, 36, 12, 144), (7, 13, 1, 91), (0, 5, 5, 0), (5, 0, 5, 0), (-12, 18, 6, 36)];
    for (a, b, gcd, lcm) in cases {
        let (g, l) = gcd_lcm(tensor(a), tensor(b));
        assert_eq!(g.item(), gcd);
        assert_eq!(l.item(), lcm);
    }
}
