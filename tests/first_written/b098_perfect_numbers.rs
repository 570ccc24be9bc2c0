//! The perfect numbers up to a limit: their count and their sum. From: textbook: perfect numbers.
use graph_runtime::prelude::*;

#[graph_fn]
fn divisor_sum(n: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for d in 1..n / 2 + 1 {
        if n % d == 0 {
            sum += d;
        }
    }
    sum
}

#[graph_fn]
fn perfect_numbers(limit: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut count = tensor(0);
    let mut total = tensor(0);
    for n in 1..=limit {
        if divisor_sum(n) == n {
            count += 1;
            total += n;
        }
    }
    (count, total)
}

fn main() {
    assert_eq!(divisor_sum(tensor(12)).item(), 16);
    let (count, total) = perfect_numbers(tensor(500));
    assert_eq!(count.item(), 3); // 6, 28 and 496
    assert_eq!(total.item(), 530);
    assert_eq!(perfect_numbers(tensor(5)).0.item(), 0);
}
