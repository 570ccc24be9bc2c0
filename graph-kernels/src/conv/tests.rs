//! Convolutions and poolings against loops over every place of every window.

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

fn value(x: &Array, at: [usize; 4]) -> f32 {
    let shape = x.shape();
    let at = at
        .iter()
        .zip(shape)
        .fold(0, |sum, (i, size)| sum * size + i);
    x.values::<f32>().unwrap()[at]
}

/// The place in the image that a window's place covers, if it isn't padding.
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

/// What is put before an axis: TensorFlow's rule, for windows of `places` places.
fn before(window: Window, axis: usize, size: usize, places: usize) -> usize {
    let (stride, extent) = (
        window.strides[axis],
        (places - 1) * window.dilations[axis] + 1,
    );
    match window.padding {
        WindowPadding::Valid => 0,
        WindowPadding::Explicit(pads) => pads[axis][0],
        WindowPadding::Same if size.is_multiple_of(stride) => extent.saturating_sub(stride) / 2,
        WindowPadding::Same => extent.saturating_sub(size % stride) / 2,
    }
}

/// Every pair of a place of the image and a place of the window that covers it, for one window.
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
    let explicit = WindowPadding::Explicit([[2, 0], [1, 3]]);
    let mut windows = Vec::new();
    for padding in [WindowPadding::Valid, WindowPadding::Same, explicit] {
        for (strides, dilations) in [
            ([1, 1], [1, 1]),
            ([2, 3], [1, 1]),
            ([1, 1], [2, 3]),
            ([2, 1], [1, 2]),
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
fn convolutions_are_the_definitions() {
    for (image, filter) in [
        ([2, 9, 10, 3], [3, 2, 3, 5]),
        ([1, 7, 12, 1], [1, 3, 1, 1]),
        ([1, 5, 9, 40], [2, 3, 40, 17]),
        // Sums in parts, of many filters and of few.
        ([1, 5, 9, 60], [2, 3, 60, 17]),
        ([1, 5, 9, 120], [2, 3, 120, 3]),
        // Two groups of three channels, four of one.
        ([2, 6, 8, 6], [2, 3, 3, 4]),
        ([1, 7, 5, 4], [3, 1, 1, 8]),
    ] {
        for window in windows() {
            let (x, f) = (whole(&image), whole(&filter));
            on_all_levels(
                |out| conv2d(&x, &f, window, out).unwrap(),
                |_, [n, i, j, o]| {
                    let pairs = pairs(window, &x, [filter[0], filter[1]], [i, j]);
                    let products = pairs.iter().flat_map(|([r, s], [p, q])| {
                        let (x, f) = (&x, &f);
                        let first = o / (filter[3] * filter[2] / image[3]) * filter[2];
                        (0..filter[2]).map(move |c| {
                            value(x, [n, *r, *s, first + c]) * value(f, [*p, *q, c, o])
                        })
                    });
                    products.sum()
                },
            );
        }
    }
}

#[test]
fn convolutions_of_integers_are_those_of_floats() {
    for depth in [4, 2, 1] {
        for (window, dtype) in windows()
            .into_iter()
            .zip([DType::I32, DType::I64].repeat(6))
        {
            let operands = [whole(&[2, 6, 7, 4]), whole(&[3, 2, depth, 8])];
            let integers = operands.each_ref().map(|x| {
                let mut out = Array::default();
                crate::cast(x, dtype, &mut out).unwrap();
                out
            });
            let (mut floats, mut expected, mut out) = Default::default();
            conv2d(&operands[0], &operands[1], window, &mut floats).unwrap();
            crate::cast(&floats, dtype, &mut expected).unwrap();
            conv2d(&integers[0], &integers[1], window, &mut out).unwrap();
            assert_eq!(out, expected);
        }
    }
}

#[test]
fn depthwise_convolutions_are_the_definitions() {
    for multiplier in [1, 3] {
        for window in windows() {
            let (x, f) = (whole(&[2, 8, 9, 5]), whole(&[2, 3, 5, multiplier]));
            on_all_levels(
                |out| depthwise_conv2d(&x, &f, window, out).unwrap(),
                |_, [n, i, j, o]| {
                    let (c, m) = (o / multiplier, o % multiplier);
                    let pairs = pairs(window, &x, [2, 3], [i, j]);
                    let products = pairs.iter().map(|([r, s], [p, q])| {
                        value(&x, [n, *r, *s, c]) * value(&f, [*p, *q, c, m])
                    });
                    products.sum()
                },
            );
        }
    }
}

#[test]
fn the_transposed_convolution_is_the_convolutions_transpose() {
    for window in windows() {
        let (large, filter) = (whole(&[2, 8, 9, 3]), whole(&[2, 3, 3, 4]));
        let mut small = Array::default();
        conv2d(&large, &filter, window, &mut small).unwrap();
        let y = whole(small.shape());
        let mut grown = Array::default();
        conv2d_transpose(&y, &filter, [8, 9], window, &mut grown).unwrap();
        assert_eq!(grown.shape(), large.shape());
        // <conv(large), y> = <large, transpose(y)>, exactly: all are whole numbers.
        let dot = |a: &Array, b: &Array| -> f32 {
            a.values::<f32>()
                .unwrap()
                .iter()
                .zip(b.values::<f32>().unwrap())
                .map(|(a, b)| a * b)
                .sum()
        };
        assert_eq!(dot(&small, &y), dot(&large, &grown), "{window:?}");
    }
}

#[test]
fn poolings_are_the_definitions() {
    for window in windows() {
        let x = whole(&[2, 9, 10, 3]);
        let inside = |[n, i, j, c]: [usize; 4]| -> Vec<f32> {
            let pairs = pairs(window, &x, [3, 2], [i, j]);
            pairs
                .iter()
                .map(|([r, s], _)| value(&x, [n, *r, *s, c]))
                .collect()
        };
        on_all_levels(
            |out| max_pool2d(&x, [3, 2], window, out).unwrap(),
            |_, at| inside(at).into_iter().fold(f32::NEG_INFINITY, f32::max),
        );
        on_all_levels(
            |out| avg_pool2d(&x, [3, 2], window, out).unwrap(),
            |_, at| inside(at).iter().sum::<f32>() / inside(at).len() as f32,
        );
    }
}

/// The product of two arrays as vectors: exact, for all are whole numbers.
fn dot(a: &Array, b: &Array) -> f32 {
    assert_eq!(a.shape(), b.shape());
    let (a, b) = (a.values::<f32>().unwrap(), b.values::<f32>().unwrap());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The gradients with respect to images and to filters, place by place of each window.
fn sums_of_gradients(x: &Array, f: &Array, g: &Array, window: Window) -> [Array; 2] {
    let (xs, fs) = (x.shape(), f.shape());
    let own = fs[3] / (xs[3] / fs[2]);
    let at = |shape: &[usize], at: [usize; 4]| {
        let places = at.iter().zip(shape);
        places.fold(0, |sum, (i, size)| sum * size + i)
    };
    let [mut dx, mut df] = [x, f].map(|of| vec![0.0; of.values::<f32>().unwrap().len()]);
    for [n, i, j, o] in indices(g.shape()) {
        let g = value(g, [n, i, j, o]);
        for ([r, s], [p, q]) in pairs(window, x, [fs[0], fs[1]], [i, j]) {
            for c in 0..fs[2] {
                let (of_x, of_f) = ([n, r, s, o / own * fs[2] + c], [p, q, c, o]);
                dx[at(xs, of_x)] += g * value(f, of_f);
                df[at(fs, of_f)] += g * value(x, of_x);
            }
        }
    }
    [Array::new(xs, dx), Array::new(fs, df)]
}

#[test]
fn gradients_of_convolutions_are_the_definitions() {
    for (image, filter) in [
        ([2, 9, 10, 3], [3, 2, 3, 5]),
        ([9, 5, 7, 1], [2, 3, 1, 20]),
        // More windows in a row than are summed at a time, and more filters than a panel has.
        ([1, 3, 350, 1], [2, 2, 1, 4]),
        ([1, 3, 5, 2], [2, 2, 2, 70]),
        ([2, 6, 8, 6], [2, 3, 3, 4]),
        ([1, 7, 7, 4], [3, 2, 1, 8]),
        ([2, 6, 7, 5], [3, 2, 1, 5]),
    ] {
        for window in windows() {
            let (x, f) = (whole(&image), whole(&filter));
            let mut y = Array::default();
            conv2d(&x, &f, window, &mut y).unwrap();
            let g = whole(y.shape());
            let [dx, df] = sums_of_gradients(&x, &f, &g, window);
            on_all_levels(
                |out| conv2d_backprop_input(&image, &f, &g, window, out).unwrap(),
                |_, at| value(&dx, at),
            );
            on_all_levels(
                |out| conv2d_backprop_filter(&x, &filter, &g, window, out).unwrap(),
                |_, at| value(&df, at),
            );
        }
    }
}

#[test]
fn the_gradient_of_a_convolution_of_another_shape_is_refused() {
    let g = whole(&[1, 3, 3, 2]);
    let wrong = conv2d_backprop_input(
        &[1, 5, 5, 1],
        &whole(&[2, 2, 1, 2]),
        &g,
        Window::default(),
        &mut Array::default(),
    );
    let text = "takes the gradient of a convolution of shape [1,4,4,2], not [1,3,3,2]";
    assert!(wrong.unwrap_err().to_string().ends_with(text));
}

#[test]
fn gradients_of_poolings_go_to_the_largest_or_to_all() {
    for mut window in windows() {
        // Every window covers a part of the image.
        if let WindowPadding::Explicit(_) = window.padding {
            window.padding = WindowPadding::Explicit([[1, 0], [0, 1]]);
        }
        let x = whole(&[2, 9, 10, 3]);
        let mut y = Array::default();
        max_pool2d(&x, [3, 2], window, &mut y).unwrap();
        let g = whole(y.shape());
        let (mut dx, mut back) = (Array::default(), Array::default());
        max_pool2d_grad(&x, &g, [3, 2], window, &mut dx).unwrap();
        // The images and their largest values: what the gradient does is found again.
        max_pool2d_grad_grad(&x, &x, [3, 2], window, &mut back).unwrap();
        assert_eq!(back, y);
        assert_eq!(dot(&x, &dx), dot(&y, &g), "{window:?}");
        let values = whole(&[2, 9, 10, 3]);
        max_pool2d_grad_grad(&x, &values, [3, 2], window, &mut back).unwrap();
        assert_eq!(dot(&values, &dx), dot(&back, &g), "{window:?}");
        avg_pool2d(&x, [2, 2], window, &mut y).unwrap();
        let g = whole(y.shape());
        avg_pool2d_grad(x.shape(), &g, [2, 2], window, &mut dx).unwrap();
        let (whole, part) = (dot(&x, &dx), dot(&y, &g));
        assert!(
            (whole - part).abs() < 1e-3 * part.abs().max(1.0),
            "{window:?}"
        );
    }
    // Of equal values the first one gets the gradient.
    let x = Array::new(&[1, 2, 2, 1], vec![1.0f32, 3.0, 3.0, 3.0]);
    let mut dx = Array::default();
    let g = Array::new(&[1, 1, 1, 1], vec![5.0f32]);
    max_pool2d_grad(&x, &g, [2, 2], Window::default(), &mut dx).unwrap();
    assert_eq!(dx.values::<f32>().unwrap(), [0.0, 5.0, 0.0, 0.0]);
    // Of NaNs too, which are larger than anything. The channels by themselves, at all levels.
    let nan = f32::NAN;
    let x = [7.0, nan, -0.0, nan, 2.0, 0.0, 7.0, nan, 0.0, 8.0, 3.0, -1.0];
    let x = Array::new(&[1, 2, 2, 3], x.to_vec());
    let g = Array::new(&[1, 1, 1, 3], vec![1.0f32, 2.0, nan]);
    let expected = |out: &Array, [_, row, column, channel]: [usize; 4]| {
        assert_eq!(out.shape(), [1, 2, 2, 3]);
        match ([row, column], channel) {
            ([0, 1], 0) => 1.0,
            ([0, 0], 1) => 2.0,
            ([0, 0], 2) => 3.0,
            _ => 0.0,
        }
    };
    let finite = |out: &mut Array| {
        max_pool2d_grad(&x, &g, [2, 2], Window::default(), out).unwrap();
        let values = out.values_mut::<f32>().unwrap();
        values
            .iter_mut()
            .for_each(|v| *v = if v.is_nan() { 3.0 } else { *v });
    };
    on_all_levels(finite, expected);
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
    let (x, f) = (fractions(&[2, 30, 31, 16]), fractions(&[3, 3, 16, 20]));
    let g = fractions(&[2, 30, 31, 20]);
    let window = Window {
        padding: WindowPadding::Same,
        ..Window::default()
    };
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

#[test]
fn half_floats_are_rounded_once() {
    let ones = |shape: &[usize]| Array::new(shape, vec![half::f16::ONE; shape.iter().product()]);
    let mut out = Array::default();
    conv2d(
        &ones(&[1, 1, 1, 4000]),
        &ones(&[1, 1, 4000, 1]),
        Window::default(),
        &mut out,
    )
    .unwrap();
    assert_eq!(
        out.values::<half::f16>().unwrap(),
        [half::f16::from_f32(4000.0)]
    );
    avg_pool2d(
        &ones(&[1, 60, 60, 1]),
        [60, 60],
        Window::default(),
        &mut out,
    )
    .unwrap();
    assert_eq!(out.values::<half::f16>().unwrap(), [half::f16::ONE]);
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
    // Dilations and paddings that ask for a band without end.
    let far = Window {
        dilations: [1, 1 << 40],
        padding: WindowPadding::Same,
        ..valid
    };
    assert!(conv2d(&zeros(&[1, 4, 4, 3]), &zeros(&[2, 2, 3, 5]), far, &mut out).is_err());
    max_pool2d(
        &zeros(&[1, 4, 4, 3]),
        [1 << 40, 1 << 40],
        Window {
            padding: WindowPadding::Same,
            ..valid
        },
        &mut out,
    )
    .unwrap();
}
