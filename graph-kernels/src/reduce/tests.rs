//! Reductions compared with loops over all indices, and the order that `row` promises.

use proptest::prelude::*;

use super::row::{BLOCK, Pairs, block, row};
use super::*;
use crate::cast;
use crate::parallel::on_threads;
use crate::simd::{Level, with_level};

/// The indices of the values of each result, in row-major order.
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
fn rows_that_are_read_side_by_side_have_the_sums_of_each_alone() {
    let long = [[256, 1024], [131, 1000], [300, 700], [70, 1024]];
    // Short ones fill several groups, and there are some behind the last group.
    let short = (1..20).map(|len| [300, len]);
    for [rows, len] in long.into_iter().chain(short) {
        let values = fractions(rows * len);
        let alone: Vec<f32> = values.chunks(len).map(row::<Sum<f32>>).collect();
        let x = Array::new(&[rows, len], values);
        let mut out = Array::default();
        for level in Level::supported() {
            let axes = Axes {
                axes: &[1],
                keep_dims: false,
            };
            with_level(level, || reduce(ReduceOp::Sum, &x, axes, &mut out).unwrap());
            assert_eq!(
                out.values::<f32>().unwrap(),
                alone,
                "{rows} {len} {level:?}"
            );
        }
    }
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
        let add = |a: f32, b: f32| a + b;
        let mut pairs = Pairs::new(0.0);
        values
            .chunks(BLOCK)
            .for_each(|values| pairs.push(block::<Sum<f32>>(values), add));
        let sum = pairs.finish(add);
        assert_eq!(row::<Sum<f32>>(&values[..]), sum, "{len}");
        let reducer = ReduceOp::Sum.reducer(DType::F32).unwrap();
        let single = walk::single(reducer, Lane::block(&values[..]));
        assert_eq!(f32::of_word(single), sum, "{len}");
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
    // Added one after the other in `f32`, the error is four hundred times as large.
    assert!(
        error.abs() <= exact * 4.0 * f64::from(f32::EPSILON),
        "{error}"
    );
}

#[test]
fn sixteen_bit_floats_are_added_in_32_bits() {
    let x = Array::new(&[4096], vec![crate::f16::ONE; 4096]);
    let mut out = Array::default();
    let all = Axes {
        axes: &[],
        keep_dims: false,
    };
    reduce(ReduceOp::Sum, &x, all, &mut out).unwrap();
    // In 16 bits, 2048 + 1 is 2048.
    assert_eq!(
        out.values::<crate::f16>().unwrap(),
        [crate::f16::from_f32(4096.0)]
    );
}

/// The sum, the product and the largest of integers that aren't contiguous.
fn sum_product_max(values: &[i64]) -> [i64; 3] {
    let product = |a: i64, b: &i64| a.wrapping_mul(*b);
    let max = values.iter().copied().max().unwrap_or(0);
    [values.iter().sum(), values.iter().fold(1, product), max]
}

#[test]
fn every_dtype_is_reduced_over_any_axes() {
    let shape = [3, 4, 5, 6];
    // Powers of two, so that products of 16-bit floats are exact.
    let values: Vec<i64> = (0..360).map(|n| 1 << (n * 7919 % 29 == 0) as i64).collect();
    let x = Array::new(&shape, values.clone());
    let ops = [ReduceOp::Sum, ReduceOp::Prod, ReduceOp::Max];
    for axes in [
        &[3][..],
        &[0],
        &[1],
        &[0, 2],
        &[1, 3],
        &[2, 3],
        &[0, 1, 2, 3],
    ] {
        let given: Vec<i64> = axes.iter().map(|axis| *axis as i64).collect();
        let groups = groups(&shape, axes);
        let of = |group: &Vec<usize>| {
            sum_product_max(&group.iter().map(|at| values[*at]).collect::<Vec<_>>())
        };
        let expected: Vec<[i64; 3]> = groups.iter().map(of).collect();
        for dtype in DType::ALL.into_iter().filter(|dtype| dtype.is_number()) {
            let (mut typed, mut out, mut rounded) = Default::default();
            cast(&x, dtype, &mut typed).unwrap();
            for (n, op) in ops.into_iter().enumerate() {
                let axes = Axes {
                    axes: &given,
                    keep_dims: false,
                };
                reduce(op, &typed, axes, &mut out).unwrap();
                let exact = expected.iter().map(|of| of[n]).collect();
                // Bytes wrap, 16-bit floats are rounded once.
                cast(&Array::new(out.shape(), exact), dtype, &mut rounded).unwrap();
                assert_eq!(out, rounded, "{op:?} {given:?}");
            }
        }
    }
}

#[test]
fn nothing_is_reduced_to_the_identity() {
    let x = Array::new(&[2, 0], Vec::<crate::f16>::new());
    let mut out = Array::default();
    let last = Axes {
        axes: &[1],
        keep_dims: false,
    };
    for (op, identity) in [(ReduceOp::Prod, 1.0), (ReduceOp::Max, f32::NEG_INFINITY)] {
        reduce(op, &x, last, &mut out).unwrap();
        let identity = crate::f16::from_f32(identity);
        assert_eq!(out.values::<crate::f16>().unwrap(), [identity; 2], "{op:?}");
    }
}
