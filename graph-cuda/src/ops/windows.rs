//! The windows of images as views: an image with padding around it is written once, and a view leads to the pixels of each window.

use graph_kernels::{DType, ElementOp, Span};

use super::{Outcome, Trouble};
use crate::kernels::{Input, Kernels, PerAxis, Step, Target, View};
use crate::value::{Tensor, Value};

/// How rows and columns of one image lie in those of a larger one.
#[derive(Clone, Copy)]
pub struct Inset {
    /// The size of the larger image.
    pub size: usize,
    /// Where the first row or column is.
    pub before: usize,
    /// The distance between neighbours.
    pub step: usize,
}

impl Inset {
    /// The inset in which windows only reach pixels that are there.
    pub fn around(span: &Span) -> Inset {
        let covered = span.covered(span.windows.max(1));
        Inset {
            size: covered.max(span.before + span.size),
            before: span.before,
            step: 1,
        }
    }

    /// The inset of a gradient from which each pixel takes its sum: as far apart as the windows, with room for a whole window before the first.
    pub fn of_gradient(span: &Span) -> Inset {
        let before = (span.places - 1) * span.dilation;
        let last = before + span.windows.saturating_sub(1) * span.stride;
        Inset {
            size: (before + span.before + span.size).max(last + 1),
            before,
            step: span.stride,
        }
    }

    fn is_image(&self, size: usize) -> bool {
        self.size == size && self.before == 0 && self.step == 1
    }
}

/// An image with four axes.
pub fn sizes(shape: &[usize]) -> Result<[usize; 4], Trouble> {
    let sizes = shape.try_into();
    sizes.map_err(|_| Trouble::NoKernel("an operand hasn't four axes"))
}

/// Images in larger ones, whose other pixels are filled with a number given by its bits; `dtype` is the result's.
pub fn inset(
    kernels: &Kernels,
    x: &Tensor,
    insets: [Inset; 2],
    fill: u64,
    dtype: DType,
) -> Outcome {
    let [batch, height, width, channels] = sizes(&x.shape)?;
    if insets[0].is_image(height) && insets[1].is_image(width) && dtype == x.dtype {
        return Ok(x.clone());
    }
    let shape = [batch, insets[0].size, insets[1].size, channels];
    let whole = View::of(&shape);
    let mut part = whole.clone();
    for (axis, inset) in [(1, insets[0]), (2, insets[1])] {
        part.offset += inset.before as i64 * whole.strides[axis];
        part.strides[axis] *= inset.step as i64;
    }
    let out = kernels.room(dtype, &shape)?;
    let number = [Input::Value(dtype, fill)];
    let steps = vec![Step::Operand(0)];
    kernels.map(&Target::Whole(&out), &shape, dtype, steps, &number)?;
    let inside = [x.input_by(View::of(&x.shape))?];
    let steps = converted(x.dtype, dtype);
    kernels.map(&Target::Part(&out, part), &x.shape, dtype, steps, &inside)?;
    Ok(Value::computed(dtype, &shape, out))
}

/// An element in another dtype.
pub fn converted(from: DType, to: DType) -> Vec<Step> {
    let mut steps = vec![Step::Operand(0)];
    if let (true, Some(op)) = (from != to, ElementOp::conversion(to)) {
        steps.push(Step::Element(op, from, vec![0]));
    }
    steps
}

/// The windows of inset images, over the axes batch, rows, columns, rows of a window, columns of a window, channels. `first` is where the first
/// window begins, `steps` the distance between windows and between the places of one, for rows and for columns.
pub fn windows(images: &Tensor, first: [usize; 2], steps: [[usize; 2]; 2]) -> View {
    let own = View::of(&images.shape);
    let [batch, row, column, channel] = [0, 1, 2, 3].map(|axis| own.strides[axis]);
    let step = |distance: usize, stride: i64| distance as i64 * stride;
    let strides: PerAxis<i64> = [
        batch,
        step(steps[0][0], row),
        step(steps[1][0], column),
        step(steps[0][1], row),
        step(steps[1][1], column),
        channel,
    ]
    .into();
    View {
        offset: step(first[0], row) + step(first[1], column),
        strides,
    }
}

/// The distances between windows and between places, for rows and columns.
pub fn steps(spans: &[Span; 2]) -> [[usize; 2]; 2] {
    spans.map(|span| [span.stride, span.dilation])
}

/// The distances in a inset gradient: each pixel has a window.
pub fn gradient_steps(spans: &[Span; 2]) -> [[usize; 2]; 2] {
    spans.map(|span| [1, span.dilation])
}
