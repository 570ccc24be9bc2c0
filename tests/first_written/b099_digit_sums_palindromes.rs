//! Digit sum, digital root, and whether a number is a palindrome. From: textbook: digits.
use graph_runtime::prelude::*;

#[graph_fn]
fn digit_sum(mut n: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    while n > 0 {
        sum += n % 10;
        n /= 10;
    }
    sum
}

#[graph_fn]
fn digital_root(mut n: Tensor<i32>) -> Tensor<i32> {
    while n >= 10 {
        n = digit_sum(n);
    }
    n
}

#[graph_fn]
fn is_palindrome(n: Tensor<i32>) -> Tensor<bool> {
    let (mut rest, mut reversed) = (n, tensor(0));
    while rest > 0 {
        reversed = reversed * 10 + rest % 10;
        rest /= 10;
    }
    reversed == n
}

fn main() {
    assert_eq!(digit_sum(tensor(9875)).item(), 29);
    assert_eq!(digital_root(tensor(9875)).item(), 2);
    assert!(is_palindrome(tensor(12321)).item());
    assert!(!is_palindrome(tensor(123)).item());
}
