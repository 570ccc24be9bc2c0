//! Poolings and their gradients.

use super::*;

/// Some wide blocks of channels, a narrow one and a single one.
const CHANNELS: usize = 2 * 16 + 4 + 1;

#[test]
fn poolings_are_the_definitions() {
    for window in windows() {
        let x = whole(&[2, 9, 10, CHANNELS]);
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

/// The pixel with the first largest value of each window; `None` for windows outside the image.
fn largest(x: &Array, window: Window, [n, i, j, c]: [usize; 4]) -> Option<[usize; 4]> {
    let pixels = pairs(window, x, [3, 2], [i, j]).into_iter();
    let pixels = pixels.map(|([r, s], _)| [n, r, s, c]);
    pixels.reduce(|first, at| match value(x, at) > value(x, first) {
        true => at,
        false => first,
    })
}

#[test]
fn gradients_of_max_poolings_go_to_the_first_largest_value() {
    for window in windows() {
        let (x, values) = (whole(&[2, 9, 10, CHANNELS]), whole(&[2, 9, 10, CHANNELS]));
        let mut y = Array::default();
        max_pool2d(&x, [3, 2], window, &mut y).unwrap();
        let g = whole(y.shape());
        let mut expected = vec![0.0; x.len()];
        for at in indices(g.shape()) {
            if let Some(pixel) = largest(&x, window, at) {
                expected[offset(x.shape(), pixel)] += value(&g, at);
            }
        }
        on_all_levels(
            |out| max_pool2d_grad(&x, &g, [3, 2], window, out).unwrap(),
            |out, at| expected[offset(out.shape(), at)],
        );
        on_all_levels(
            |out| max_pool2d_grad_grad(&x, &values, [3, 2], window, out).unwrap(),
            |_, at| largest(&x, window, at).map_or(0.0, |pixel| value(&values, pixel)),
        );
    }
}

#[test]
fn gradients_of_mean_poolings_go_to_all_values_alike() {
    for window in windows() {
        let x = whole(&[2, 9, 10, CHANNELS]);
        let mut y = Array::default();
        avg_pool2d(&x, [3, 2], window, &mut y).unwrap();
        let g = whole(y.shape());
        let mut expected = vec![0.0; x.len()];
        for at in indices(g.shape()) {
            let [n, i, j, c] = at;
            let pixels = pairs(window, &x, [3, 2], [i, j]);
            for ([r, s], _) in &pixels {
                expected[offset(x.shape(), [n, *r, *s, c])] += value(&g, at) / pixels.len() as f32;
            }
        }
        on_all_levels(
            |out| avg_pool2d_grad(x.shape(), &g, [3, 2], window, out).unwrap(),
            |out, at| expected[offset(out.shape(), at)],
        );
    }
}

/// A window of four pixels; each repeats its few values over all channels.
fn window_of(pixels: [[f32; 3]; 4]) -> Array {
    let values = pixels
        .iter()
        .flat_map(|pixel| pixel.iter().cycle().take(CHANNELS));
    Array::new(&[1, 2, 2, CHANNELS], values.copied().collect::<Vec<f32>>())
}

#[test]
fn nan_is_the_largest_value_and_zeros_are_equal() {
    let nan = f32::NAN;
    let x = window_of([
        [7.0, nan, -0.0],
        [nan, 2.0, 0.0],
        [7.0, nan, 0.0],
        [8.0, 3.0, -1.0],
    ]);
    let g = (0..CHANNELS).map(|n| [1.0, 2.0, nan][n % 3]);
    let g = Array::new(&[1, 1, 1, CHANNELS], g.collect::<Vec<f32>>());
    on_all_levels(
        |out| max_pool2d_grad(&x, &g, [2, 2], Window::default(), out).unwrap(),
        |_, [_, row, column, channel]| match ([row, column], channel % 3) {
            ([0, 1], 0) => 1.0,
            ([0, 0], 1) => 2.0,
            ([0, 0], 2) => nan,
            _ => 0.0,
        },
    );
}

#[test]
fn what_stands_at_the_largest_value_is_copied_as_it_is() {
    let (x, values) = (window_of([[1.0; 3]; 4]), window_of([[-0.0; 3]; 4]));
    let mut out = Array::default();
    max_pool2d_grad_grad(&x, &values, [2, 2], Window::default(), &mut out).unwrap();
    let out = out.values::<f32>().unwrap();
    assert_eq!(out.len(), CHANNELS);
    assert!(out.iter().all(|v| v.to_bits() == (-0.0f32).to_bits()));
}
