//! Functions written by a `macro_rules`: what it inserts for `$e:expr` and `$t:ty` has the same meaning as if it was written by hand.

use graph_runtime::prelude::*;

macro_rules! sum_to {
    ($name:ident($n:ident), $range:expr) => {
        #[graph_fn]
        fn $name($n: Tensor<i32>) -> Tensor<i32> {
            let mut s = $n - $n;
            for i in $range {
                s += i;
            }
            s
        }
    };
}
sum_to!(of_tensors(n), tensor(0)..tensor(4));
sum_to!(of_count(n), 0..n);
sum_to!(of_constant(n), 0..4);

macro_rules! scaled {
    ($name:ident, $x:ident: $ty:ty, $value:expr) => {
        #[graph_fn]
        fn $name($x: $ty) -> $ty {
            let mut y: $ty = $x * 0.0;
            if $x > 1.0 {
                y = 2.0 * $value;
            }
            y
        }
    };
}
scaled!(doubled, x: Tensor<f32>, x + 1.0);

#[test]
fn ranges() {
    assert_eq!(of_tensors(tensor(3)).item(), 6);
    assert_eq!(of_count(tensor(3)).item(), 3);
    assert_eq!(of_constant(tensor(3)).item(), 6);
}

#[test]
fn types_and_operands() {
    assert_eq!(doubled(tensor(3.0)).item(), 8.0);
    assert_eq!(doubled(tensor(0.5)).item(), 0.0);
}
