//! Convolutions and their gradients.

use super::*;

/// The product of two arrays as vectors. It is exact, because all values are whole numbers.
fn dot(a: &Array, b: &Array) -> f32 {
    assert_eq!(a.shape(), b.shape());
    let (a, b) = (a.values::<f32>().unwrap(), b.values::<f32>().unwrap());
    a.iter().zip(b).map(|(a, b)| a * b).sum()
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
        ([1, 11, 7, 4], [2, 2, 2, 6]),
        // So many filters each that groups go one by one.
        ([1, 5, 7, 4], [2, 2, 2, 16]),
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
            .zip([DType::I32, DType::I64].repeat(8))
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
    for (channels, multiplier) in [(5, 1), (5, 3), (85, 1)] {
        for window in windows() {
            let (x, f) = (
                whole(&[2, 8, 9, channels]),
                whole(&[2, 3, channels, multiplier]),
            );
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
        let (large, filter) = (whole(&[2, 8, 9, 5]), whole(&[2, 3, 5, 4]));
        let mut small = Array::default();
        conv2d(&large, &filter, window, &mut small).unwrap();
        let y = whole(small.shape());
        let mut grown = Array::default();
        conv2d_transpose(&y, &filter, [8, 9], window, &mut grown).unwrap();
        assert_eq!(grown.shape(), large.shape());
        // <conv(large), y> = <large, transpose(y)>, exactly: all values are whole numbers.
        assert_eq!(dot(&small, &y), dot(&large, &grown), "{window:?}");
    }
}

/// The gradients with respect to images and to filters, calculated from each place of each window.
fn sums_of_gradients(x: &Array, f: &Array, g: &Array, window: Window) -> [Array; 2] {
    let (xs, fs) = (x.shape(), f.shape());
    let own = fs[3] / (xs[3] / fs[2]);
    let [mut dx, mut df] = [x, f].map(|of| vec![0.0; of.values::<f32>().unwrap().len()]);
    for [n, i, j, o] in indices(g.shape()) {
        let g = value(g, [n, i, j, o]);
        for ([r, s], [p, q]) in pairs(window, x, [fs[0], fs[1]], [i, j]) {
            for c in 0..fs[2] {
                let (of_x, of_f) = ([n, r, s, o / own * fs[2] + c], [p, q, c, o]);
                dx[offset(xs, of_x)] += g * value(f, of_f);
                df[offset(fs, of_f)] += g * value(x, of_x);
            }
        }
    }
    [Array::new(xs, dx), Array::new(fs, df)]
}

#[test]
fn gradients_of_convolutions_are_the_definitions() {
    for (image, filter) in [
        ([2, 9, 10, 5], [3, 2, 5, 3]),
        ([9, 5, 7, 1], [2, 3, 1, 20]),
        // More windows in a row than are summed at a time, and more filters than a panel has.
        ([1, 3, 350, 1], [2, 2, 1, 4]),
        ([1, 3, 5, 2], [2, 2, 2, 70]),
        ([2, 6, 8, 6], [2, 3, 3, 4]),
        ([1, 7, 7, 4], [3, 2, 1, 8]),
        ([2, 6, 7, 5], [3, 2, 1, 5]),
        ([1, 11, 7, 4], [2, 2, 2, 6]),
        ([1, 5, 7, 4], [2, 2, 2, 16]),
        // A block of channels of each width.
        ([1, 6, 5, 85], [3, 2, 1, 85]),
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
