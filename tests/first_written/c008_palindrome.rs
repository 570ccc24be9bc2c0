//! Is a decimal number a palindrome, and how many digits has it: alg_digits_palindrome.
use graph_runtime::prelude::*;

#[graph_fn]
fn palindrome(n: Tensor<i32>) -> (Tensor<bool>, Tensor<i32>) {
    if n < 0 {
        return (false, 0);
    }
    let mut reversed = tensor(0);
    let mut rest = n;
    let mut digits = tensor(0);
    while rest > 0 {
        reversed = reversed * 10 + rest % 10;
        rest /= 10;
        digits += 1;
    }
    (reversed == n, digits)
}

fn main() {
    for (n, expected, digits) in [(12321, true, 5), (120, false, 3), (0, true, 0), (-7, false, 0), (7, true, 1)] {
        let (is, count) = palindrome(tensor(n));
        assert_eq!(is.item(), expected, "{n}");
        assert_eq!(count.item(), digits);
    }
}
