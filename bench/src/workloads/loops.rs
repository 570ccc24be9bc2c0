//! Loops with a tensor condition, over scalars and rows.

use graph_runtime::prelude::*;

/// The sum of the even numbers, with `continue`.
#[graph_fn]
pub fn sum_even(items: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for item in items {
        if item % 2 > 0 {
            continue;
        }
        sum += item;
    }
    sum
}

/// For the numbers below `n`: the count of multiples of 3, the count of the other multiples of 5, and the sum of the rest.
#[graph_fn]
pub fn fizzbuzz(n: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let mut fizz = tensor(0);
    let mut buzz = tensor(0);
    let mut other = tensor(0);
    for i in 0..n {
        if i % 3 == 0 {
            fizz += 1;
        } else if i % 5 == 0 {
            buzz += 1;
        } else {
            other += i;
        }
    }
    (fizz, buzz, other)
}

/// The sum of the rows' means.
#[graph_fn]
pub fn for_rows(x: Tensor<f32>) -> Tensor<f32> {
    let mut total = tensor(0.0);
    for row in x {
        total += row.mean();
    }
    total
}

/// The number of Collatz steps to 1.
#[graph_fn]
pub fn collatz_steps(n: Tensor<i64>) -> Tensor<i64> {
    let mut n = n;
    let mut steps = tensor(0);
    while n != 1 {
        if n % 2 == 0 {
            n = n / 2;
        } else {
            n = 3 * n + 1;
        }
        steps += 1;
    }
    steps
}

/// The square root by Newton's method, and the number of steps it took.
#[graph_fn]
pub fn newton_sqrt(a: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    let mut y = a.clone();
    let mut n = tensor(0);
    for _ in 0..tensor(100) {
        let previous = y.clone();
        y = 0.5 * (y + a / y);
        n += 1;
        if (y - previous).abs() <= 1e-12 * y {
            break;
        }
    }
    (y, n)
}

/// Every state of `h = tanh(h * a + x)` over the rows.
#[graph_fn]
pub fn scan_rows(xs: Tensor<f32>, h: Tensor<f32>, a: Tensor<f32>) -> Tensor<f32> {
    scan(|h, x| (h * &a + x).tanh(), xs, h)
}

/// The cube root of each number by Newton's method, and the number of steps it took.
#[graph_fn]
pub fn cube_roots(x: Tensor<f64>) -> (Tensor<f64>, Tensor<i32>) {
    let root = |x: Tensor<f64>| {
        let (mut y, mut n) = (x.clone(), tensor(0));
        while (&y * &y * &y - &x).abs() > 1e-10 * &x {
            y = (2.0 * &y + &x / (&y * &y)) / 3.0;
            n += 1;
        }
        (y, n)
    };
    map_fn(root, x)
}
