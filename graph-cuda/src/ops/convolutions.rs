//! Convolutions and their gradients as products of matrices: the windows of the images are written side by side, each as a row, and multiplied with
//! the filters. The channels of a group are a product of their own.

use graph_ir::ops;
use graph_kernels::{DType, Dims, ReduceOp, Span, conv_groups, sizes_in};

use super::moves::copy;
use super::windows::{Inset, gradient_steps, inset, sizes, steps, windows};
use super::{Call, Outcome, Run, Trouble};
use crate::kernels::{
    Kernels, MOST_IN_BATCH, Matrix, PerAxis, Product, Reduction, Step, Target, View,
};
use crate::value::Tensor;

pub const OPS: &[(&str, Run)] = &[
    ("conv2d", conv2d),
    ("depthwise_conv2d", depthwise),
    ("conv2d_transpose", transposed),
    ("conv2d_backprop_input", backprop_input),
    ("conv2d_backprop_filter", backprop_filter),
];

/// The most elements of windows that are written at once; larger batches are computed in parts.
const MOST_ELEMENTS: usize = 1 << 28;
/// The most elements of the sums that are kept apart until they are added.
const MOST_IN_PARTS: usize = 1 << 26;

/// The sizes of a convolution.
#[derive(Clone, Copy)]
struct Conv {
    batch: usize,
    spans: [Span; 2],
    channels: usize,
    filters: usize,
    groups: usize,
}

impl Conv {
    fn new(call: &Call<'_>, images: &[usize], filter: &[usize]) -> Result<Conv, Trouble> {
        let [batch, height, width, channels] = sizes(images)?;
        let [rows, columns, depth, filters] = sizes(filter)?;
        let window = ops::window(call.attrs)?;
        let conv = Conv {
            batch,
            spans: [
                window.span(0, height, rows)?,
                window.span(1, width, columns)?,
            ],
            channels,
            filters,
            groups: conv_groups(channels, depth, filters)?,
        };
        if conv.groups > MOST_IN_BATCH || conv.channels == 0 || conv.filters == 0 {
            return Err(Trouble::NoKernel("there are too many groups, or none"));
        }
        Ok(conv)
    }

    /// The channels of a group.
    fn depth(&self) -> usize {
        self.channels / self.groups
    }

    /// The filters of a group.
    fn own_filters(&self) -> usize {
        self.filters / self.groups
    }

    fn places(&self) -> [usize; 2] {
        self.spans.map(|span| span.places)
    }

    fn windows(&self) -> [usize; 2] {
        self.spans.map(|span| span.windows)
    }

    fn image(&self) -> [usize; 2] {
        self.spans.map(|span| span.size)
    }
}

/// The axes of rows of windows: the batch, and the windows of an image. They have `depth` channels in each of some groups.
struct WindowRows {
    batch: usize,
    windows: [usize; 2],
    places: [usize; 2],
    groups: usize,
    depth: usize,
}

impl WindowRows {
    /// The number of rows.
    fn count(&self) -> usize {
        self.batch * self.windows[0] * self.windows[1]
    }

    /// The length of a row of a group.
    fn length(&self) -> usize {
        self.places[0] * self.places[1] * self.depth
    }

    /// Writes the rows of each group, which a view of inset images leads to.
    fn written(&self, kernels: &Kernels, images: &Tensor, view: &View) -> Outcome {
        let (w, p) = (self.windows, self.places);
        let dims = [self.groups, self.batch, w[0], w[1], p[0], p[1], self.depth];
        let of_group = self.depth as i64 * view.strides[5];
        let mut strides: PerAxis<i64> = [of_group].into_iter().collect();
        strides.extend_from_slice(&view.strides);
        let view = View {
            offset: view.offset,
            strides,
        };
        if view == View::of(&dims) {
            return Ok(images.clone());
        }
        copy(kernels, images, view, &dims)
    }
}

/// One matrix for each step along the axes of a batch.
fn matrix<'a>(
    x: &'a Tensor,
    [row, column]: [usize; 2],
    batch: &[usize],
) -> Result<Matrix<'a>, Trouble> {
    Ok(Matrix {
        buffer: x.buffer()?,
        row: row as u64,
        column: column as u64,
        batch: View {
            offset: 0,
            strides: batch.iter().map(|step| *step as i64).collect(),
        },
    })
}

/// Rows of windows of each group, times the filters of the group: `[rows, all filters]`. The filters are `[length of a row, all filters]`.
fn multiplied(
    kernels: &Kernels,
    rows: &WindowRows,
    windows: &Tensor,
    filters: &Tensor,
    own: usize,
) -> Outcome {
    let (count, length, groups) = (rows.count(), rows.length(), rows.groups);
    let product = kernels.result(windows.dtype, &[groups, count, own], |out| {
        let product = Product {
            dtype: windows.dtype,
            batch: &[groups],
            rows: count,
            columns: own,
            depth: length,
            left: matrix(windows, [length, 1], &[count * length])?,
            right: matrix(filters, [own * groups, 1], &[own])?,
        };
        Ok(kernels.product(out, product)?)
    })?;
    if groups == 1 {
        return Ok(product);
    }
    let view = View::of(&product.shape).permuted(&[1, 0, 2]);
    copy(kernels, &product, view, &[count, groups, own])
}

/// A part of a batch.
fn images_of(kernels: &Kernels, x: &Tensor, from: usize, to: usize) -> Outcome {
    let mut view = View::of(&x.shape);
    view.offset = from as i64 * view.strides[0];
    let mut shape = x.shape.clone();
    shape[0] = to - from;
    copy(kernels, x, view, &shape)
}

/// Computes parts of a batch whose windows are few enough, one after the other: `each` computes a part. The results are put together.
fn in_parts(
    kernels: &Kernels,
    x: &Tensor,
    elements: usize,
    shape: &[usize],
    each: impl Fn(&Tensor) -> Outcome,
) -> Outcome {
    let batch = x.shape[0];
    let parts = elements.div_ceil(MOST_ELEMENTS).clamp(1, batch.max(1));
    if parts == 1 {
        return Ok(each(x)?.reshaped(shape));
    }
    let size = batch.div_ceil(parts);
    kernels.result(x.dtype, shape, |out| {
        let mut from = 0;
        while from < batch {
            let to = (from + size).min(batch);
            let part = each(&images_of(kernels, x, from, to)?)?;
            let mut of_part = Dims::from_slice(shape);
            of_part[0] = to - from;
            let mut view = View::of(shape);
            view.offset = from as i64 * view.strides[0];
            let input = part.input_by(View::of(&of_part))?;
            let steps = vec![Step::Operand(0)];
            let target = Target::Part(out, view);
            kernels.map(&target, &of_part, x.dtype, steps, &[input])?;
            from = to;
        }
        Ok(())
    })
}

fn conv2d(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, filter] = call.all()?;
    let conv = Conv::new(call, &x.shape, &filter.shape)?;
    convolve(kernels, x, filter, &conv)
}

/// Filters of one channel each are groups of depth 1, in the same order.
fn depthwise(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, filter] = call.all()?;
    let [rows, columns, channels, each] = sizes(&filter.shape)?;
    let filter = filter.reshaped(&[rows, columns, 1, channels * each]);
    let conv = Conv::new(call, &x.shape, &filter.shape)?;
    convolve(kernels, x, &filter, &conv)
}

fn convolve(kernels: &Kernels, x: &Tensor, filter: &Tensor, conv: &Conv) -> Outcome {
    let [rows, columns] = conv.windows();
    let shape = [conv.batch, rows, columns, conv.filters];
    let elements = conv.batch * rows * columns * conv.places().iter().product::<usize>();
    in_parts(kernels, x, elements * conv.channels, &shape, |x| {
        let (rows, windows) = windows_of(kernels, x, conv)?;
        multiplied(kernels, &rows, &windows, filter, conv.own_filters())
    })
}

/// The windows of images as rows.
fn windows_of(kernels: &Kernels, x: &Tensor, conv: &Conv) -> Result<(WindowRows, Tensor), Trouble> {
    let rows = WindowRows {
        batch: x.shape[0],
        windows: conv.windows(),
        places: conv.places(),
        groups: conv.groups,
        depth: conv.depth(),
    };
    let insets = [0, 1].map(|axis| Inset::around(&conv.spans[axis]));
    let images = inset(kernels, x, insets, 0, x.dtype)?;
    let view = windows(&images, [0, 0], steps(&conv.spans));
    let written = rows.written(kernels, &images, &view)?;
    Ok((rows, written))
}

fn backprop_input(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [sizes, filter, g] = call.all()?;
    let sizes = sizes_in("conv2d_backprop_input", &*sizes.fetch()?)?;
    let conv = Conv::new(call, &sizes, &filter.shape)?;
    to_images(kernels, filter, g, &conv)
}

fn transposed(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [g, filter] = call.all()?;
    let [rows, columns] = ops::pair(call.attrs, "size")?;
    let images = [g.shape[0], rows, columns, filter.shape[2]];
    let conv = Conv::new(call, &images, &filter.shape)?;
    to_images(kernels, filter, g, &conv)
}

/// Each pixel's sum over the windows that it is in: a convolution of the gradient, set as far apart as the windows, with mirrored filters.
fn to_images(kernels: &Kernels, filter: &Tensor, g: &Tensor, conv: &Conv) -> Outcome {
    let [windows_down, windows_across] = conv.windows();
    if g.shape[..] != [conv.batch, windows_down, windows_across, conv.filters] {
        return Err(Trouble::NoKernel("the gradient has another shape"));
    }
    let (own, depth, [p, q]) = (conv.own_filters(), conv.depth(), conv.places());
    let filter_steps = View::of(&filter.shape);
    let [row, column, channel] = [0, 1, 2].map(|axis| filter_steps.strides[axis]);
    let mirrored = View {
        offset: (p as i64 - 1) * row + (q as i64 - 1) * column,
        strides: [-row, -column, 1, own as i64, channel]
            .into_iter()
            .collect(),
    };
    let mirrored = copy(kernels, filter, mirrored, &[p, q, own, conv.groups, depth])?;
    let [height, width] = conv.image();
    let shape = [conv.batch, height, width, conv.channels];
    let elements = conv.batch * height * width * p * q * conv.filters;
    in_parts(kernels, g, elements, &shape, |g| {
        let rows = WindowRows {
            batch: g.shape[0],
            windows: conv.image(),
            places: conv.places(),
            groups: conv.groups,
            depth: own,
        };
        let insets = [0, 1].map(|axis| Inset::of_gradient(&conv.spans[axis]));
        let images = inset(kernels, g, insets, 0, g.dtype)?;
        let before = conv.spans.map(|span| span.before);
        let view = windows(&images, before, gradient_steps(&conv.spans));
        let written = rows.written(kernels, &images, &view)?;
        multiplied(kernels, &rows, &written, &mirrored, depth)
    })
}

/// The windows, transposed, times the gradient. Sums over parts of the batch are kept apart, so that many blocks compute them, and then added.
fn backprop_filter(kernels: &Kernels, call: &Call<'_>) -> Outcome {
    let [x, sizes, g] = call.all()?;
    let sizes = sizes_in("conv2d_backprop_filter", &*sizes.fetch()?)?;
    let conv = Conv::new(call, &x.shape, &sizes)?;
    let [windows_down, windows_across] = conv.windows();
    if g.shape[..] != [conv.batch, windows_down, windows_across, conv.filters] {
        return Err(Trouble::NoKernel("the gradient has another shape"));
    }
    let elements = g.count() / conv.filters * conv.places().iter().product::<usize>();
    if elements * conv.channels > 4 * MOST_ELEMENTS {
        return Err(Trouble::NoKernel("the windows are too many"));
    }
    let (rows, written) = windows_of(kernels, x, &conv)?;
    let (count, length, groups) = (rows.count(), rows.length(), conv.groups);
    let own = conv.own_filters();
    let fits = |parts: &usize| {
        conv.batch % parts == 0
            && parts * groups <= MOST_IN_BATCH
            && parts * groups * length * own <= MOST_IN_PARTS
    };
    let parts = (1..=conv.batch).rev().find(fits).unwrap_or(1);
    let depth = count / parts;
    // 16-bit sums would be rounded twice.
    let parts = match x.dtype {
        DType::F16 | DType::BF16 => 1,
        _ => parts,
    };
    let depth = if parts == 1 { count } else { depth };
    let sums = kernels.result(x.dtype, &[parts, groups, length, own], |out| {
        let product = Product {
            dtype: x.dtype,
            batch: &[parts, groups],
            rows: length,
            columns: own,
            depth,
            left: matrix(&written, [1, length], &[depth * length, count * length])?,
            right: matrix(g, [conv.filters, 1], &[depth * conv.filters, own])?,
        };
        Ok(kernels.product(out, product)?)
    })?;
    let by_parts = View::of(&sums.shape).permuted(&[2, 1, 3, 0]);
    let dims = [length, groups, own, parts];
    let input = sums.input_by(by_parts)?;
    let sum = kernels.result(x.dtype, &sizes, |out| {
        let reduction = Reduction {
            op: ReduceOp::Sum,
            dims: &dims,
            kept: 3,
            dtype: x.dtype,
            steps: vec![Step::Operand(0)],
            inputs: &[input],
        };
        Ok(kernels.reduce(out, reduction)?)
    })?;
    Ok(sum)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use graph_kernels::Array;

    use super::{MOST_ELEMENTS, in_parts};
    use crate::driver::Gpu;
    use crate::kernels::Kernels;
    use crate::ops::Trouble;
    use crate::value::Value;

    /// The values of a tensor that is computed in parts, as many as `elements` need, and the sizes of the parts.
    fn put_together(kernels: &Kernels, elements: usize) -> (Vec<f32>, Vec<usize>) {
        let values: Vec<f32> = (0..5 * 30).map(|i| i as f32).collect();
        let array = Arc::new(Array::new(&[5, 30], values));
        let x = Value::of_host(kernels.gpu(), array).unwrap();
        let sizes = std::cell::RefCell::new(Vec::new());
        let whole = in_parts(kernels, &x, elements, &[5, 30], |part| {
            sizes.borrow_mut().push(part.shape[0]);
            Ok(part.clone())
        });
        let Ok(whole) = whole.map_err(|_: Trouble| ()) else {
            panic!("the parts weren't computed");
        };
        let array = whole.fetch().unwrap();
        (array.values::<f32>().unwrap().to_vec(), sizes.into_inner())
    }

    #[test]
    fn parts_of_a_batch_are_put_together_in_order() {
        graph_cuda_shim::use_functions(graph_cuda_fake::symbol);
        let kernels = Kernels::new(Gpu::find(0).unwrap());
        let expected: Vec<f32> = (0..5 * 30).map(|i| i as f32).collect();
        let parts = [
            (1, vec![5]),
            (3 * MOST_ELEMENTS, vec![2, 2, 1]),
            (99 * MOST_ELEMENTS, vec![1; 5]),
        ];
        for (elements, sizes) in parts {
            let found = put_together(&kernels, elements);
            assert_eq!(found, (expected.clone(), sizes));
        }
    }
}
