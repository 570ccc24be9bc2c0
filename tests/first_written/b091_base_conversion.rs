//! The digits of a number in a base, as a decimal number: 10 in base 2 is 1010. From: textbook: base conversion.
use graph_runtime::prelude::*;

#[graph_fn]
fn to_base(n: Tensor<i64>, base: Tensor<i64>) -> Tensor<i64> {
    let mut rest = n;
    let mut place = tensor(1);
    let mut out = tensor(0);
    while rest > 0 {
        out += rest % base * place;
        place *= 10;
        rest /= base;
    }
    out
}

#[graph_fn]
fn from_digits(digits: Tensor<i64>, base: i64) -> Tensor<i64> {
    let mut n = tensor(0);
    for d in digits {
        assert!(d < base, "a digit is too great");
        n = n * base + d;
    }
    n
}

fn main() {
    assert_eq!(to_base(tensor(10), tensor(2)).item(), 1010);
    assert_eq!(to_base(tensor(255), tensor(8)).item(), 377);
    assert_eq!(to_base(tensor(0), tensor(3)).item(), 0);
    assert_eq!(from_digits(tensor([1, 0, 1, 0]), 2).item(), 10);
    assert_eq!(from_digits(tensor([3, 7, 7]), 8).item(), 255);
}
