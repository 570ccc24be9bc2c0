//! The five functions of `with_attribute.rs`, written by hand with `cond`, `while_loop` and `switch_case`.

use graph_runtime::prelude::*;
use graph_runtime::{cond, switch_case, while_loop};

/// Newton's square root: the root, the number of steps, and whether it was found.
pub fn root(x: Tensor<f32>, limit: Tensor<i32>) -> (Tensor<f32>, Tensor<i32>, Tensor<bool>) {
    let guess = x.maximum(1.0);
    let error = (&guess * &guess - &x).abs();
    let (guess, error) = cond(
        x.lt(0.0),
        || (tensor(0.0), tensor(0.0)),
        || (guess.clone(), error.clone()),
    );
    let (guess, error, step, _) = while_loop(
        |(_, error, step, going)| {
            going
                .logical_and(error.gt(0.001))
                .logical_and(step.lt(&limit))
        },
        |(guess, error, step, going)| {
            let next = (&guess + &x / &guess) / 2.0;
            let change = (&next - &guess).abs();
            let step = step + 1;
            cond(
                change.lt(0.000001),
                || (guess.clone(), error, step.clone(), tensor(false)),
                || {
                    let guess = cond(step.le(2), || (&guess + &next) / 2.0, || next.clone());
                    let error = (&guess * &guess - &x).abs();
                    (guess, error, step.clone(), going)
                },
            )
        },
        (guess, error, tensor(0), tensor(true)),
    );
    let found = cond(error.lt(0.01), || x.ge(0.0), || tensor(false));
    (guess, step, found)
}

/// The mean of the rows that aren't outliers, the number of these rows, and the largest of their sums.
pub fn robust_mean(
    rows: Tensor<f32>,
    limit: Tensor<f32>,
) -> (Tensor<f32>, Tensor<i32>, Tensor<f32>) {
    let zero = rows.sum_axis(0) * 0.0;
    let length = rows.len_tensor();
    let (sum, count, largest, _, _) = while_loop(
        |(_, _, _, i, going)| going.logical_and(i.lt(&length)),
        |(sum, count, largest, i, going)| {
            let row = rows.row(&i);
            let size = row.abs().max();
            let i = i + 1;
            cond(
                size.gt(&limit),
                || {
                    (
                        sum.clone(),
                        count.clone(),
                        largest.clone(),
                        i.clone(),
                        going,
                    )
                },
                || {
                    let total = row.sum();
                    let largest = cond(
                        total.gt(&largest),
                        || total.clone(),
                        || cond(total.lt(-&largest), || -&total, || largest.clone()),
                    );
                    let weight = cond(size.gt(&limit / 2.0), || &limit - &size, || size.clone());
                    let count = &count + 1;
                    let going = count.lt(100);
                    (&sum + &row * weight, count, largest, i.clone(), going)
                },
            )
        },
        (zero, tensor(0), tensor(-1000.0), tensor(0), tensor(true)),
    );
    cond(
        count.equal(0),
        || (sum.clone(), count.clone(), tensor(0.0)),
        || (&sum / count.cast::<f32>(), count.clone(), largest),
    )
}

/// The first position of a value in a sorted sequence, by binary search, or -1 if there is none; and the number of probes.
pub fn find(sorted: Tensor<i32>, wanted: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>) {
    let last = sorted.len_tensor() - 1;
    let search = || {
        let (low, _, found, probes) = while_loop(
            |(low, high, found, _)| low.lt(high).logical_and(found.logical_not()),
            |(low, high, _, probes)| {
                let middle = (&low + &high) / 2;
                let value = sorted.row(&middle);
                let (low, high, found) = cond(
                    value.equal(&wanted).logical_and(middle.equal(&low)),
                    || (low.clone(), high.clone(), tensor(true)),
                    || {
                        cond(
                            value.lt(&wanted),
                            || (&middle + 1, high.clone(), tensor(false)),
                            || (low.clone(), middle.clone(), tensor(false)),
                        )
                    },
                );
                (low, high, found, probes + 1)
            },
            (tensor(0), last.clone(), tensor(false), tensor(0)),
        );
        let there = found.logical_or(sorted.row(&low).equal(&wanted));
        (there.select(&low, -1), probes)
    };
    let outside = || {
        cond(
            wanted.lt(sorted.row(0)),
            || tensor(true),
            || wanted.gt(sorted.row(&last)),
        )
    };
    cond(
        last.lt(0),
        || (tensor(-1), tensor(0)),
        || cond(outside(), || (tensor(-1), tensor(0)), search),
    )
}

/// A grade for points: a base grade by range, corrected by how the work was handed in.
pub fn grade(
    points: Tensor<i32>,
    manner: Tensor<i32>,
    bonus: Tensor<bool>,
) -> (Tensor<i32>, Tensor<i32>) {
    let grade = cond(
        points.ge(90),
        || tensor(1),
        || {
            cond(
                points.ge(70),
                || tensor(2),
                || cond(points.ge(50), || tensor(3), || tensor(4)),
            )
        },
    );
    let days = switch_case(
        manner,
        vec![
            Box::new(|| tensor(0)),
            Box::new(|| &points % 3),
            Box::new(|| &points % 7),
            Box::new(|| tensor(7)),
        ],
    );
    let grade = cond(
        days.gt(2),
        || {
            let grade = &grade + 1;
            let very_late = days.gt(5).logical_and(bonus.logical_not());
            cond(very_late, || &grade + 1, || grade.clone())
        },
        || grade.clone(),
    );
    let grade = cond(
        bonus.logical_and(grade.gt(1)),
        || &grade - 1,
        || grade.clone(),
    );
    let grade = cond(grade.gt(4), || tensor(4), || grade.clone());
    (grade, days)
}

/// The greatest common divisor, the number of one bits of the product, and the length of the sequence from 3n + 1.
pub fn numbers(a: Tensor<i32>, b: Tensor<i32>) -> (Tensor<i32>, Tensor<i32>, Tensor<i32>) {
    let (x, _) = while_loop(
        |(_, y)| y.not_equal(0),
        |(x, y)| {
            let rest = x % &y;
            (y, rest)
        },
        (a.abs(), b.abs()),
    );
    let (_, ones) = while_loop(
        |(bits, _)| bits.gt(0),
        |(bits, ones)| {
            let ones = cond((&bits % 2).equal(1), || &ones + 1, || ones.clone());
            (bits / 2, ones)
        },
        ((&a * &b).abs(), tensor(0)),
    );
    let (_, length) = while_loop(
        |(n, length)| n.not_equal(1).logical_and(length.lt(200)),
        |(n, length)| {
            let n = cond((&n % 2).equal(0), || &n / 2, || &n * 3 + 1);
            (n, length + 1)
        },
        (&x + 1, tensor(0)),
    );
    let length = cond(a.lt(&b), || -&length, || length.clone());
    (x, ones, length)
}
