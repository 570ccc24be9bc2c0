//! Reductions against loops over all indices, and what `row` promises about its order.

use proptest::prelude::*;

use super::row::{BLOCK, Pairs, block, row};
use super::*;
use crate::parallel::on_threads;
use crate::simd::{Level, with_level};

/// The values that go into each result, in row-major order.
fn groups(shape: &[usize], axes: &[usize]) -> Vec<Vec<usize>> {
    let kept = |axis: usize| !axes.contains(&axis);
    let results = (0..shape.len()).filter(|axis| kept(*axis));
    let mut groups = vec![Vec::new(); results.map(|axis| shape[axis]).product()];
    for at in 0..shape.iter().product() {
        let (mut rest, mut result, mut step) = (at, 0, 1);
        for axis in (0..shape.len()).rev() {
            let index = rest % shape[axis];
            rest /= shape[axis];
            if kept(axis) {
                result += index * step;
                step *= shape[axis];
            }
        }
        groups[result].push(at);
    }
    groups
}

fn check(shape: &[usize], axes: &[usize]) {
    let len = shape.iter().product::<usize>();
    let values: Vec<i64> = (0..len as i64).map(|n| (n * 7919) % 23 - 11).collect();
    let given: Vec<i64> = axes.iter().map(|axis| *axis as i64).collect();
    let axes_given = Axes {
        axes: &given,
        keep_dims: false,
    };
    let expected = |f: fn(&mut dyn Iterator<Item = i64>) -> i64| -> Vec<i64> {
        let of = |group: &Vec<usize>| f(&mut group.iter().map(|at| values[*at]));
        groups(shape, axes).iter().map(of).collect()
    };
    let x = Array::new(shape, values.clone());
    let floats = Array::new(shape, values.iter().map(|v| *v as f32).collect());
    let mut out = Array::default();
    for level in Level::supported() {
        with_level(level, || {
            let sums = expected(|values| values.sum());
            reduce(ReduceOp::Sum, &x, axes_given, &mut out).unwrap();
            assert_eq!(out.values::<i64>().unwrap(), sums, "{shape:?} {axes:?}");
            reduce(ReduceOp::Sum, &floats, axes_given, &mut out).unwrap();
            let sums: Vec<f32> = sums.iter().map(|sum| *sum as f32).collect();
            assert_eq!(out.values::<f32>().unwrap(), sums, "{shape:?} {axes:?}");
            reduce(ReduceOp::Max, &x, axes_given, &mut out).unwrap();
            let max = expected(|values| values.max().unwrap_or(i64::MIN));
            assert_eq!(out.values::<i64>().unwrap(), max, "{shape:?} {axes:?}");
            reduce(ReduceOp::Mean, &x, axes_given, &mut out).unwrap();
            let mean = expected(|values| {
                let (sum, count) = values.fold((0, 0), |(sum, n), v| (sum + v, n + 1));
                sum / count.max(1)
            });
            assert_eq!(out.values::<i64>().unwrap(), mean, "{shape:?} {axes:?}");
        });
    }
}

#[test]
fn long_rows_and_columns() {
    check(&[5000], &[0]);
    check(&[3, 5000], &[1]);
    check(&[40, 700], &[0]);
    check(&[3, 35, 70], &[1]);
    check(&[3, 35, 70], &[0, 2]);
    check(&[2, 3, 50, 7], &[0, 2]);
}

proptest! {
    #[test]
    fn any_axes_of_any_shape(shape in prop::collection::vec(0usize..6, 1..5), chosen in 1u8..16) {
        let axes: Vec<usize> = (0..shape.len()).filter(|axis| chosen >> axis & 1 == 1).collect();
        if !axes.is_empty() {
            check(&shape, &axes);
        }
    }
}

/// Floats whose sum depends on the order.
fn fractions(len: usize) -> Vec<f32> {
    (0..len).map(|n| 1.0 / (n % 1013 + 3) as f32).collect()
}

#[test]
fn the_bits_are_the_same_for_any_number_of_threads_and_any_level() {
    for (shape, axes) in [
        ([1, 3_000_000], [1]),
        ([3000, 1000], [0]),
        ([3000, 1000], [1]),
    ] {
        let x = Array::new(&shape, fractions(shape[0] * shape[1]));
        let sum = |threads, level| {
            let mut out = Array::default();
            let axes = Axes {
                axes: &axes,
                keep_dims: false,
            };
            let reduce = || {
                on_threads(threads, || {
                    reduce(ReduceOp::Sum, &x, axes, &mut out).unwrap()
                })
            };
            with_level(level, reduce);
            out
        };
        let one = sum(1, Level::Portable);
        assert!(
            [2, 3]
                .into_iter()
                .all(|threads| sum(threads, Level::Portable) == one)
        );
        assert!(Level::supported().all(|level| sum(2, level) == one));
    }
}

#[test]
fn a_row_is_the_same_block_by_block() {
    for len in [0, 1, 15, 1024, 1025, 3000, 10_000, 65_536 * 3 + 5] {
        let values = fractions(len);
        let mut pairs = Pairs::<Sum<f32>>::new();
        values
            .chunks(BLOCK)
            .for_each(|values| pairs.push(block::<Sum<f32>>(values)));
        let sum = pairs.finish();
        assert_eq!(row::<Sum<f32>>(&values[..]), sum, "{len}");
        assert_eq!(walk::single::<Sum<f32>>(&values), sum, "{len}");
    }
}

#[test]
fn a_sum_of_many_floats_is_accurate() {
    let values = fractions(3_000_000);
    let exact: f64 = values.iter().map(|v| f64::from(*v)).sum();
    let mut out = Array::default();
    let all = Axes {
        axes: &[],
        keep_dims: false,
    };
    reduce(
        ReduceOp::Sum,
        &Array::new(&[values.len()], values),
        all,
        &mut out,
    )
    .unwrap();
    let error = f64::from(out.values::<f32>().unwrap()[0]) - exact;
    // One after the other in `f32`, the error is four hundred times as large.
    assert!(
        error.abs() <= exact * 4.0 * f64::from(f32::EPSILON),
        "{error}"
    );
}

#[test]
fn sixteen_bit_floats_are_added_in_32_bits() {
    let x = Array::new(&[4096], vec![half::f16::ONE; 4096]);
    let mut out = Array::default();
    let all = Axes {
        axes: &[],
        keep_dims: false,
    };
    reduce(ReduceOp::Sum, &x, all, &mut out).unwrap();
    // In 16 bits, 2048 + 1 is 2048.
    assert_eq!(
        out.values::<half::f16>().unwrap(),
        [half::f16::from_f32(4096.0)]
    );
}
