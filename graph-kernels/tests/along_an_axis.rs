//! What runs along one axis against loops over its lanes: every axis, so that lanes lie side by side and one behind the other.

use graph_kernels::simd::{Level, with_level};
use graph_kernels::{Array, KernelError, Running};

const SHAPE: [usize; 3] = [3, 70, 67];

/// The positions of the values of each lane along an axis.
fn lanes(axis: usize) -> Vec<Vec<usize>> {
    let inner: usize = SHAPE[axis + 1..].iter().product();
    let outer: usize = SHAPE[..axis].iter().product();
    let lane =
        |o: usize, i: usize| (0..SHAPE[axis]).map(move |k| (o * SHAPE[axis] + k) * inner + i);
    (0..outer)
        .flat_map(|o| (0..inner).map(move |i| lane(o, i).collect()))
        .collect()
}

/// Values of which many are equal, and some NaN.
fn floats() -> Vec<f32> {
    let value = |n: usize| match n * 7919 % 101 {
        0..20 => f32::NAN,
        n => (n % 13) as f32 - 6.0,
    };
    (0..SHAPE.iter().product()).map(value).collect()
}

fn on_all_levels(kernel: impl Fn(&mut Array) -> Result<(), KernelError>, check: impl Fn(&Array)) {
    for level in Level::supported() {
        let mut out = Array::default();
        with_level(level, || kernel(&mut out).unwrap());
        check(&out);
    }
}

#[test]
fn positions_of_extremes_are_the_first_and_never_nans() {
    let values = floats();
    let x = Array::new(&SHAPE, values.clone());
    for axis in 0..3 {
        let first = |beats: fn(f32, f32) -> bool| -> Vec<i64> {
            let of = |lane: &Vec<usize>| {
                let numbers = lane
                    .iter()
                    .enumerate()
                    .filter(|(_, at)| !values[**at].is_nan());
                let best = numbers.reduce(|best, v| {
                    if beats(values[*v.1], values[*best.1]) {
                        v
                    } else {
                        best
                    }
                });
                best.map_or(0, |(k, _)| k as i64)
            };
            lanes(axis).iter().map(of).collect()
        };
        let (largest, smallest) = (first(|a, b| a > b), first(|a, b| a < b));
        on_all_levels(
            |out| graph_kernels::argmax(&x, axis as i64, out),
            |out| assert_eq!(out.values::<i64>().unwrap(), largest),
        );
        on_all_levels(
            |out| graph_kernels::argmin(&x, axis as i64, out),
            |out| assert_eq!(out.values::<i64>().unwrap(), smallest),
        );
    }
    let only_nan = Array::new(
        &[2, 2],
        vec![f32::NAN, f32::NEG_INFINITY, f32::NAN, f32::NAN],
    );
    let mut out = Array::default();
    graph_kernels::argmax(&only_nan, 1, &mut out).unwrap();
    assert_eq!(out.values::<i64>().unwrap(), [1, 0]);
}

#[test]
fn running_sums_include_what_they_are_told_to() {
    let values: Vec<i64> = (0..SHAPE.iter().product::<usize>() as i64)
        .map(|n| n * 7919 % 23 - 11)
        .collect();
    let x = Array::new(&SHAPE, values.clone());
    for (axis, exclusive, reverse) in (0..3).flat_map(|axis| {
        [
            (axis, false, false),
            (axis, true, false),
            (axis, false, true),
            (axis, true, true),
        ]
    }) {
        let mut expected = vec![0; values.len()];
        for mut lane in lanes(axis) {
            if reverse {
                lane.reverse();
            }
            for k in 0..lane.len() {
                let end = if exclusive { k } else { k + 1 };
                expected[lane[k]] = lane[..end].iter().map(|at| values[*at]).sum();
            }
        }
        let mut out = Array::default();
        graph_kernels::cumsum(&x, axis as i64, Running { exclusive, reverse }, &mut out).unwrap();
        assert_eq!(
            out.values::<i64>().unwrap(),
            expected,
            "{axis} {exclusive} {reverse}"
        );
    }
}

#[test]
fn a_nan_makes_its_row_nan_in_softmax() {
    let mut values = vec![0f32; 2 * 100];
    // Behind the largest of the first row.
    (values[3], values[70]) = (5.0, f32::NAN);
    let x = Array::new(&[2, 100], values);
    let check = |out: &Array| {
        let (first, second) = out.values::<f32>().unwrap().split_at(100);
        assert!(first.iter().all(|v| v.is_nan()) && second.iter().all(|v| v.is_finite()));
    };
    on_all_levels(|out| graph_kernels::softmax(&x, 1, out), check);
    on_all_levels(|out| graph_kernels::log_softmax(&x, 1, out), check);
}

#[test]
fn the_smallest_results_of_softmax_are_rounded_once() {
    // Subnormal numbers, and nothing.
    let distances = [90.0f32, 95.5, 100.0, 103.0, 110.0];
    for distance in distances {
        let x = Array::new(&[2, 1], vec![0.0, -distance]);
        let check = |out: &Array| {
            let exp = (-f64::from(distance)).exp() as f32;
            assert_eq!(*out.values::<f32>().unwrap(), [1.0, exp], "{distance}");
        };
        on_all_levels(|out| graph_kernels::softmax(&x, 0, out), check);
        let x = Array::new(&[1, 2], vec![0.0, -distance]);
        on_all_levels(|out| graph_kernels::softmax(&x, 1, out), check);
    }
}

#[test]
fn softmax_is_accurate_along_every_axis() {
    let values: Vec<f32> = (0..SHAPE.iter().product::<usize>())
        .map(|n| (n * 7919 % 401) as f32 / 10.0 - 20.0)
        .collect();
    let x = Array::new(&SHAPE, values.clone());
    for axis in 0..3 {
        let mut expected = vec![0.0; values.len()];
        for lane in lanes(axis) {
            let exps: Vec<f64> = lane.iter().map(|at| f64::from(values[*at]).exp()).collect();
            let sum: f64 = exps.iter().sum();
            lane.iter()
                .zip(exps)
                .for_each(|(at, exp)| expected[*at] = exp / sum);
        }
        // The distance from the largest value, up to 40, is rounded: half a unit in its last place is 2e-6, which is the
        // relative error of its exponential.
        let close = |out: &Array, of: fn(f64) -> f64, slack: f64| {
            for (v, e) in out.values::<f32>().unwrap().iter().zip(&expected) {
                let (v, e) = (f64::from(*v), of(*e));
                assert!(
                    (v - e).abs() <= 4e-6 * e.abs() + slack,
                    "{v}, not {e}, along {axis}"
                );
            }
        };
        on_all_levels(
            |out| graph_kernels::softmax(&x, axis as i64, out),
            |out| close(out, |e| e, 0.0),
        );
        on_all_levels(
            |out| graph_kernels::log_softmax(&x, axis as i64, out),
            |out| close(out, f64::ln, 1e-6),
        );
    }
}
