//! Convolutions and poolings against loops over every place of every window.

mod behind;
mod convolutions;
mod poolings;

use super::*;
use crate::DType;
use crate::parallel::on_threads;
use crate::simd::{Level, with_level};

/// Small whole numbers, so that every sum is exact.
fn whole(shape: &[usize]) -> Array {
    let len = shape.iter().product::<usize>();
    Array::new(
        shape,
        (0..len).map(|n| ((n * 7919) % 11) as f32 - 5.0).collect(),
    )
}

/// The position of an index in an array's values.
fn offset(shape: &[usize], at: [usize; 4]) -> usize {
    let at = at.iter().zip(shape);
    at.fold(0, |sum, (i, size)| sum * size + i)
}

fn value(x: &Array, at: [usize; 4]) -> f32 {
    x.values::<f32>().unwrap()[offset(x.shape(), at)]
}

/// The pixel that a window's place covers, or `None` if it is padding.
fn covered(
    window: Window,
    axis: usize,
    before: usize,
    size: usize,
    at: usize,
    place: usize,
) -> Option<usize> {
    let at = at * window.strides[axis] + place * window.dilations[axis];
    at.checked_sub(before).filter(|at| *at < size)
}

/// The padding before an axis by TensorFlow's rule, for windows of `places` places.
fn before(window: Window, axis: usize, size: usize, places: usize) -> usize {
    let (stride, extent) = (
        window.strides[axis],
        (places - 1) * window.dilations[axis] + 1,
    );
    match window.padding {
        Padding::Valid => 0,
        Padding::Explicit(pads) => pads[axis][0],
        Padding::Same if size.is_multiple_of(stride) => extent.saturating_sub(stride) / 2,
        Padding::Same => extent.saturating_sub(size % stride) / 2,
    }
}

/// All pairs of a pixel and the place of the window that covers it, for one window.
fn pairs(
    window: Window,
    x: &Array,
    places: [usize; 2],
    at: [usize; 2],
) -> Vec<([usize; 2], [usize; 2])> {
    let sizes = [x.shape()[1], x.shape()[2]];
    let mut pairs = Vec::new();
    for p in 0..places[0] {
        for q in 0..places[1] {
            let on = |axis: usize, place: usize| {
                let before = before(window, axis, sizes[axis], places[axis]);
                covered(window, axis, before, sizes[axis], at[axis], place)
            };
            if let (Some(row), Some(column)) = (on(0, p), on(1, q)) {
                pairs.push(([row, column], [p, q]));
            }
        }
    }
    pairs
}

/// All indices of an array of four axes.
fn indices(shape: &[usize]) -> Vec<[usize; 4]> {
    let mut all = vec![[0; 4]];
    for (axis, size) in shape.iter().enumerate() {
        all = all
            .into_iter()
            .flat_map(|at| {
                (0..*size).map(move |i| {
                    let mut at = at;
                    at[axis] = i;
                    at
                })
            })
            .collect();
    }
    all
}

fn windows() -> Vec<Window> {
    let explicit = Padding::Explicit([[2, 0], [1, 3]]);
    let mut windows = Vec::new();
    for padding in [Padding::Valid, Padding::Same, explicit] {
        for (strides, dilations) in [
            ([1, 1], [1, 1]),
            ([2, 3], [1, 1]),
            ([1, 1], [2, 3]),
            ([2, 1], [1, 2]),
            // Of the places of a window, one in two or in three lies on any row, or any column.
            ([4, 3], [2, 2]),
        ] {
            windows.push(Window {
                strides,
                dilations,
                padding,
            });
        }
    }
    windows
}

fn on_all_levels(kernel: impl Fn(&mut Array), expected: impl Fn(&Array, [usize; 4]) -> f32) {
    for level in Level::supported() {
        let mut out = Array::default();
        with_level(level, || kernel(&mut out));
        assert!(!out.is_empty());
        for at in indices(out.shape()) {
            let (actual, expected) = (value(&out, at), expected(&out, at));
            let same = actual == expected || actual.is_nan() && expected.is_nan();
            assert!(same, "{at:?} {}: {actual}, not {expected}", level.name());
        }
    }
}

#[test]
fn the_bits_are_the_same_for_any_number_of_threads() {
    let fractions = |shape: &[usize]| {
        let len = shape.iter().product::<usize>();
        Array::new(
            shape,
            (0..len)
                .map(|n| 1.0 / (n % 1013 + 3) as f32)
                .collect::<Vec<f32>>(),
        )
    };
    let (x, g) = (fractions(&[2, 30, 31, 16]), fractions(&[2, 30, 31, 20]));
    let window = Window {
        padding: Padding::Same,
        ..Window::default()
    };
    // One group, and four.
    for f in [fractions(&[3, 3, 16, 20]), fractions(&[3, 3, 4, 20])] {
        let all = |threads| {
            let mut outs: [Array; 3] = Default::default();
            on_threads(threads, || {
                let [y, dx, df] = &mut outs;
                conv2d(&x, &f, window, y).unwrap();
                conv2d_backprop_input(x.shape(), &f, &g, window, dx).unwrap();
                conv2d_backprop_filter(&x, f.shape(), &g, window, df).unwrap();
            });
            outs
        };
        let one = all(1);
        assert!([2, 3].into_iter().all(|threads| all(threads) == one));
    }
}

#[test]
fn half_floats_are_rounded_once() {
    let ones = |shape: &[usize]| Array::new(shape, vec![crate::f16::ONE; shape.iter().product()]);
    let mut out = Array::default();
    conv2d(
        &ones(&[1, 1, 1, 4000]),
        &ones(&[1, 1, 4000, 1]),
        Window::default(),
        &mut out,
    )
    .unwrap();
    assert_eq!(
        out.values::<crate::f16>().unwrap(),
        [crate::f16::from_f32(4000.0)]
    );
    avg_pool2d(
        &ones(&[1, 60, 60, 1]),
        [60, 60],
        Window::default(),
        &mut out,
    )
    .unwrap();
    assert_eq!(out.values::<crate::f16>().unwrap(), [crate::f16::ONE]);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let mut out = Array::default();
    let zeros = |shape: &[usize]| Array::zeros(DType::F32, shape);
    let valid = Window::default();
    let error = |result: Result<(), KernelError>| result.unwrap_err().to_string();
    let conv = conv2d(
        &zeros(&[1, 4, 4, 3]),
        &zeros(&[2, 2, 2, 5]),
        valid,
        &mut out,
    );
    assert_eq!(
        error(conv),
        "input depth must be evenly divisible by filter depth: 3 vs 2"
    );
    let conv = conv2d(
        &zeros(&[1, 4, 4, 4]),
        &zeros(&[2, 2, 2, 3]),
        valid,
        &mut out,
    );
    assert_eq!(
        error(conv),
        "output depth must be evenly divisible by number of groups: 3 vs 2"
    );
    assert!(conv2d(&zeros(&[4, 4, 3]), &zeros(&[2, 2, 3, 5]), valid, &mut out).is_err());
    assert!(
        conv2d(
            &zeros(&[1, 1, 4, 3]),
            &zeros(&[2, 2, 3, 5]),
            valid,
            &mut out
        )
        .is_err()
    );
    let transposed = conv2d_transpose(
        &zeros(&[1, 2, 2, 3]),
        &zeros(&[2, 2, 5, 3]),
        [4, 3],
        valid,
        &mut out,
    );
    assert!(
        error(transposed)
            .starts_with("Size of out_backprop doesn't match computed: actual = 2, computed = 3")
    );
    // An empty batch and no channels are no error.
    conv2d(
        &zeros(&[0, 4, 4, 3]),
        &zeros(&[2, 2, 3, 5]),
        valid,
        &mut out,
    )
    .unwrap();
    assert_eq!(out.shape(), [0, 3, 3, 5]);
    conv2d(
        &zeros(&[1, 4, 4, 0]),
        &zeros(&[2, 2, 0, 5]),
        valid,
        &mut out,
    )
    .unwrap();
    assert_eq!(out, zeros(&[1, 3, 3, 5]));
    // Two groups without filters are no error either.
    let (filter, g) = (zeros(&[2, 2, 2, 0]), zeros(&[1, 3, 3, 0]));
    conv2d_backprop_input(&[1, 4, 4, 4], &filter, &g, valid, &mut out).unwrap();
    assert_eq!(out, zeros(&[1, 4, 4, 4]));
    // Dilations and paddings that make the band far too large.
    let far = Window {
        dilations: [1, 1 << 40],
        padding: Padding::Same,
        ..valid
    };
    assert!(conv2d(&zeros(&[1, 4, 4, 3]), &zeros(&[2, 2, 3, 5]), far, &mut out).is_err());
    // Windows that are farther apart than the image is large.
    let far = Window {
        strides: [1 << 40; 2],
        padding: Padding::Same,
        ..valid
    };
    let [filter, g] = [zeros(&[2, 2, 5, 3]), zeros(&[1, 1, 1, 3])];
    conv2d_backprop_input(&[1, 4, 4, 5], &filter, &g, far, &mut out).unwrap();
    assert_eq!(out, zeros(&[1, 4, 4, 5]));
    max_pool2d(
        &zeros(&[1, 4, 4, 3]),
        [1 << 40, 1 << 40],
        Window {
            padding: Padding::Same,
            ..valid
        },
        &mut out,
    )
    .unwrap();
}
