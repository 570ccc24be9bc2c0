//! Convolutions, poolings and their gradients.

use super::*;

fn counts(values: &[usize]) -> Attr {
    ops::counts(values)
}

/// Windows with all that they can have: strides, dilations, and each padding.
fn all_windows() -> Vec<Window> {
    let paddings = [
        Padding::Valid,
        Padding::Same,
        Padding::Explicit([[1, 2], [2, 0]]),
    ];
    let steps = [([1, 1], [1, 1]), ([2, 3], [1, 1]), ([1, 2], [2, 1])];
    let of = |padding| {
        steps.map(|(strides, dilations)| Window {
            strides,
            dilations,
            padding,
        })
    };
    paddings.into_iter().flat_map(of).collect()
}

fn windowed(op: &'static OpDef, attrs: Attrs, window: Window, operands: Vec<Array>) -> Applied {
    Applied {
        op,
        attrs: ops::with_window(attrs, window),
        operands,
    }
}

fn sizes_of(shape: &[usize]) -> Array {
    Array::new(&[4], shape.iter().map(|size| *size as i64).collect())
}

#[test]
fn convolutions_and_their_gradients_are_the_cpus() {
    for window in all_windows() {
        for (channels, depth, filters) in [(3, 3, 5), (6, 2, 9), (4, 1, 8)] {
            // The groups differ in what is computed, and the dtypes don't.
            let dtypes = [DType::F32, DType::F64, DType::F16];
            for dtype in &dtypes[..if depth == channels { 3 } else { 1 }] {
                let dtype = *dtype;
                let images = [2, 7, 8, channels];
                let of_filter = [3, 2, depth, filters];
                let x = cast(&numbers(&images), dtype);
                let filter = cast(&numbers(&of_filter), dtype);
                let operands = vec![x.clone(), filter.clone()];
                let conv = windowed(&ops::CONV2D, Attrs::new(), window, operands);
                gives_about_the_same(&conv, 6 * depth);
                let result = conv.on(Device::cpu()).unwrap();
                let g = cast(&numbers(result.shape()), dtype);
                let operands = vec![sizes_of(&images), filter.clone(), g.clone()];
                let back = windowed(&ops::CONV2D_BACKPROP_INPUT, Attrs::new(), window, operands);
                gives_about_the_same(&back, 6 * filters);
                let operands = vec![x, sizes_of(&of_filter), g.clone()];
                let back = windowed(&ops::CONV2D_BACKPROP_FILTER, Attrs::new(), window, operands);
                gives_about_the_same(&back, 2 * 56);
                if depth == channels {
                    let attrs = Attrs::new().with("size", counts(&images[1..3]));
                    let operands = vec![g, filter];
                    let grown = windowed(&ops::CONV2D_TRANSPOSE, attrs, window, operands);
                    gives_about_the_same(&grown, 6 * filters);
                }
            }
        }
        let operands = vec![numbers(&[2, 7, 8, 4]), numbers(&[3, 2, 4, 2])];
        let conv = windowed(&ops::DEPTHWISE_CONV2D, Attrs::new(), window, operands);
        gives_about_the_same(&conv, 6);
    }
}

#[test]
fn poolings_and_their_gradients_are_the_cpus() {
    for window in all_windows() {
        let images = [2, 9, 11, 5];
        let size = || Attrs::new().with("size", counts(&[3, 3]));
        for dtype in [DType::F32, DType::F64, DType::F16, DType::I32, DType::U8] {
            let x = cast(&numbers(&images), dtype);
            let largest = windowed(&ops::MAX_POOL2D, size(), window, vec![x.clone()]);
            largest.gives_the_same();
            let result = largest.on(Device::cpu()).unwrap();
            let g = cast(&numbers(result.shape()), dtype);
            let operands = vec![x.clone(), g.clone()];
            let back = windowed(&ops::MAX_POOL2D_GRAD, size(), window, operands);
            gives_about_the_same(&back, 9);
            let operands = vec![x.clone(), cast(&numbers(&images), dtype)];
            let again = windowed(&ops::MAX_POOL2D_GRAD_GRAD, size(), window, operands);
            again.gives_the_same();
            if !dtype.is_integer() {
                let mean = windowed(&ops::AVG_POOL2D, size(), window, vec![x.clone()]);
                gives_about_the_same(&mean, 9);
                let operands = vec![sizes_of(&images), g.clone()];
                let back = windowed(&ops::AVG_POOL2D_GRAD, size(), window, operands);
                gives_about_the_same(&back, 9);
            }
        }
    }
}
