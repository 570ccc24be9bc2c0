//! Five functions of thirty lines with the usual forms of control flow, under `#[graph_fn]`.

use graph_runtime::prelude::*;

/// Newton's square root: the root, the number of steps, and whether it was found.
#[graph_fn]
pub fn root(x: Tensor<f32>, limit: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>, Tensor<bool>) {
    let mut guess = x.maximum(1.0);
    let mut error = (guess * guess - x).abs();
    let mut step = tensor(0);
    let mut found = tensor(false);
    if x < 0.0 {
        guess = 0.0;
        error = 0.0;
    }
    while error > 0.001 && step < limit {
        let next = (guess + x / guess) / 2.0;
        let change = (next - guess).abs();
        if change < 0.000001 {
            step += 1;
            break;
        }
        if step < 2 {
            guess = (guess + next) / 2.0;
        } else {
            guess = next;
        }
        error = (guess * guess - x).abs();
        step += 1;
    }
    if error < 0.01 && x >= 0.0 {
        found = true;
    }
    (guess, step, found)
}

/// The mean of the rows that aren't outliers, the number of these rows, and the largest of their sums.
#[graph_fn]
pub fn robust_mean(
    rows: Tensor<f32>,
    limit: Tensor<f32>,
) -> (Tensor<f32>, Tensor<i32>, Tensor<f32>) {
    let mut sum = rows.sum_axis(0) * 0.0;
    let mut count = tensor(0);
    let mut largest = tensor(-1000.0);
    for row in rows {
        let size = row.abs().max();
        if size > limit {
            continue;
        }
        let total = row.sum();
        if total > largest {
            largest = total;
        } else if total < -largest {
            largest = -total;
        }
        let weight = if size > limit / 2.0 {
            limit - size
        } else {
            size
        };
        sum += row * weight;
        count += 1;
        if count >= 100 {
            break;
        }
    }
    if count == 0 {
        return (sum, count, tensor(0.0));
    }
    let mean = sum / count.cast::<f32>();
    (mean, count, largest)
}

/// The first position of a value in a sorted sequence, by binary search, or -1 if there is none; and the number of probes.
#[graph_fn]
pub fn find(sorted: Tensor<i32>, wanted: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let mut probes = tensor(0);
    let mut low = tensor(0);
    let mut high = sorted.len_tensor() - 1;
    if high < 0 {
        return (tensor(-1), probes);
    }
    if wanted < sorted[0] || wanted > sorted[high] {
        return (tensor(-1), probes);
    }
    while low < high {
        let middle = (low + high) / 2;
        let value = sorted[middle];
        probes += 1;
        if value == wanted && middle == low {
            return (middle, probes);
        }
        if value < wanted {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if sorted[low] == wanted {
        (low, probes)
    } else {
        (tensor(-1), probes)
    }
}

/// A grade for points: a base grade by range, corrected by how the work was handed in.
#[graph_fn]
pub fn grade(
    points: Tensor<i32>,
    manner: Tensor<i32>,
    bonus: Tensor<bool>,
) -> (Tensor<i32>, Tensor<i32>) {
    let mut grade = if points >= 90 {
        tensor(1)
    } else if points >= 70 {
        tensor(2)
    } else if points >= 50 {
        tensor(3)
    } else {
        tensor(4)
    };
    let days = match manner {
        0 => tensor(0),
        1 => points % 3,
        2 => points % 7,
        _ => tensor(7),
    };
    if days > 2 {
        grade += 1;
        if days > 5 && !bonus {
            grade += 1;
        }
    }
    if bonus && grade > 1 {
        grade -= 1;
    }
    if grade > 4 {
        grade = 4;
    }
    (grade, days)
}

/// The greatest common divisor, the number of one bits of the product, and the length of the sequence from 3n + 1.
#[graph_fn]
pub fn numbers(a: Tensor<i32>, b: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let (mut x, mut y) = (a.abs(), b.abs());
    while y != 0 {
        let rest = x % y;
        x = y;
        y = rest;
    }
    let mut bits = (a * b).abs();
    let mut ones = tensor(0);
    while bits > 0 {
        if bits % 2 == 1 {
            ones += 1;
        }
        bits /= 2;
    }
    let mut n = x + 1;
    let mut length = tensor(0);
    while n != 1 {
        n = if n % 2 == 0 { n / 2 } else { n * 3 + 1 };
        length += 1;
        if length == 200 {
            break;
        }
    }
    if a < b {
        length = -length;
    }
    (x, ones, length)
}
