//! The depthwise convolution: each channel has filters of its own.

use super::side_by_side::SideBySide;
use super::window::Window;
use super::{on_floats, sizes4};
use crate::dispatch::shape_text;
use crate::{Array, KernelError};

/// The convolution of each channel of images `[batch, rows, columns, channels]` with its own filters `[rows, columns, channels,
/// multiplier]`; the result has `channels * multiplier` channels, where those made from one channel are contiguous. 16-bit floats are
/// calculated in `f32`.
///
/// # Errors
/// If the operands don't have four axes or equal dtypes, their channels differ, the windows don't fit, or they aren't floats.
pub fn depthwise_conv2d(
    x: &Array,
    filter: &Array,
    window: Window,
    out: &mut Array,
) -> Result<(), KernelError> {
    let [batch, height, width, channels] = sizes4("depthwise_conv2d", x)?;
    let [rows, columns, depth, multiplier] = sizes4("depthwise_conv2d", filter)?;
    if channels != depth {
        let (x, filter) = (shape_text(x.shape()), shape_text(filter.shape()));
        return Err(KernelError::Shape(format!(
            "input and filter must have the same depth: {channels} vs {depth} ({x} and {filter})"
        )));
    }
    let spans = [
        window.span(0, height, rows)?,
        window.span(1, width, columns)?,
    ];
    let [rows, columns] = spans;
    let filters = channels.saturating_mul(multiplier);
    let shape = [batch, rows.windows, columns.windows, filters];
    let conv = SideBySide {
        batch,
        rows,
        columns,
        groups: channels,
        depth: 1,
        filters,
    };
    on_floats("depthwise_conv2d", [x, filter], &shape, out, &conv)
}
