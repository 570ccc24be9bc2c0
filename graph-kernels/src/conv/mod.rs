//! Convolutions and poolings of images `[batch, rows, columns, channels]`: `window` says where windows lie, `direct` multiplies what
//! lies in them with filters, `grouped` does so for groups of channels, and the rest is a file each;
//! `backprop` and `pool_backprop` are what gradients need.

mod backprop;
mod band;
mod depthwise;
mod direct;
mod grouped;
mod inside;
mod phase;
mod pool;
mod pool_backprop;
mod side_by_side;
mod transposed;
mod window;

#[cfg(test)]
mod tests;

pub use backprop::{conv2d_backprop_filter, conv2d_backprop_input};
pub use depthwise::depthwise_conv2d;
pub use grouped::{conv_groups, conv2d};
pub use pool::{avg_pool2d, max_pool2d};
pub use pool_backprop::{avg_pool2d_grad, max_pool2d_grad, max_pool2d_grad_grad};
pub use transposed::conv2d_transpose;
pub use window::{Window, WindowPadding};

use crate::dispatch::{shape_text, typed, undefined};
use crate::number::Number;
use crate::widened::Widened;
use crate::{Array, Buffer, Element, KernelError, widened};

/// The sizes of an operand with four axes.
fn sizes4(op: &str, x: &Array) -> Result<[usize; 4], KernelError> {
    four(op, x.shape())
}

/// Four sizes.
fn four(op: &str, shape: &[usize]) -> Result<[usize; 4], KernelError> {
    shape.try_into().map_err(|_| {
        let shape = shape_text(shape);
        KernelError::Shape(format!(
            "`{op}` takes operands of rank 4, not of shape {shape}"
        ))
    })
}

/// A function of two operands' values that writes the output.
trait Binary {
    fn run<T: Number>(&self, a: &[T], b: &[T], out: &mut [T]);
}

/// Runs it on values of one type.
fn same<T: Number>(
    op: &str,
    a: &[T],
    b: &Array,
    out: &mut Array,
    f: &impl Binary,
) -> Result<(), KernelError> {
    f.run(a, typed(op, b)?, values_of(op, out)?);
    Ok(())
}

/// Runs it on values in a wider type.
fn wider<T: Widened>(
    op: &str,
    a: &[T],
    b: &Array,
    out: &mut Array,
    f: &impl Binary,
) -> Result<(), KernelError> {
    let b = typed::<T>(op, b)?;
    widened::with([a, b], values_of(op, out)?, |[a, b], out| f.run(a, b, out));
    Ok(())
}

/// Runs it on numbers of one dtype, 16-bit floats in `f32` and integers in `i64`.
fn on_numbers(
    op: &str,
    (a, b): (&Array, &Array),
    shape: &[usize],
    out: &mut Array,
    f: &impl Binary,
) -> Result<(), KernelError> {
    out.try_reset(a.dtype(), shape)?;
    match a.buffer() {
        Buffer::I32(v) => wider(op, v, b, out, f),
        Buffer::I64(v) => same(op, v, b, out, f),
        Buffer::U8(v) => wider(op, v, b, out, f),
        _ => on_floats(op, (a, b), shape, out, f),
    }
}

/// Runs it on floats of one dtype, 16-bit ones in `f32`.
fn on_floats(
    op: &str,
    (a, b): (&Array, &Array),
    shape: &[usize],
    out: &mut Array,
    f: &impl Binary,
) -> Result<(), KernelError> {
    out.try_reset(a.dtype(), shape)?;
    match a.buffer() {
        Buffer::F32(v) => same(op, v, b, out, f),
        Buffer::F64(v) => same(op, v, b, out, f),
        Buffer::F16(v) => wider(op, v, b, out, f),
        Buffer::BF16(v) => wider(op, v, b, out, f),
        other => Err(undefined(op, other.dtype())),
    }
}

/// The values of an output that was reset to their type.
fn values_of<'a, T: Element>(op: &str, out: &'a mut Array) -> Result<&'a mut [T], KernelError> {
    out.values_mut().ok_or_else(|| undefined(op, T::DTYPE))
}
