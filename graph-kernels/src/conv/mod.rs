//! Convolutions and poolings of images `[batch, rows, columns, channels]`: `window` locates the windows, `direct` multiplies their values
//! with filters, `grouped` does so for groups of channels, `forward` chooses, and the other operations have a file each; `backprop` and `pool_backprop` are
//! the gradients.

mod backprop;
mod band;
mod depthwise;
mod direct;
mod forward;
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
pub use forward::{conv2d, conv2d_then};
pub use grouped::conv_groups;
pub use pool::{avg_pool2d, max_pool2d};
pub use pool_backprop::{avg_pool2d_grad, max_pool2d_grad, max_pool2d_grad_grad};
pub use transposed::conv2d_transpose;
pub use window::{Padding, Span, Window};

use crate::dispatch::{shape_text, typed, undefined};
use crate::number::Number;
use crate::widened::{AsInt64, Widened};
use crate::{Array, DType, Element, KernelError, bf16, f16, widened};

/// The sizes of an operand with four axes.
fn sizes4(op: &str, x: &Array) -> Result<[usize; 4], KernelError> {
    four(op, x.shape())
}

/// A shape with four axes as an array.
fn four(op: &str, shape: &[usize]) -> Result<[usize; 4], KernelError> {
    shape.try_into().map_err(|_| {
        let shape = shape_text(shape);
        KernelError::Shape(format!(
            "`{op}` takes operands of rank 4, not of shape {shape}"
        ))
    })
}

/// A function of the values of `N` operands that writes the output.
trait Function<const N: usize> {
    fn run<T: Number>(&self, operands: [&[T]; N], out: &mut [T]);
}

/// Runs the function on values of one type.
fn same<T: Number, const N: usize>(
    op: &str,
    operands: [&Array; N],
    out: &mut Array,
    f: &impl Function<N>,
) -> Result<(), KernelError> {
    f.run(values_of::<T, N>(op, operands)?, output_of(op, out)?);
    Ok(())
}

/// Converts the values to a wider type and runs the function on them.
fn wider<T: Widened, const N: usize>(
    op: &str,
    operands: [&Array; N],
    out: &mut Array,
    f: &impl Function<N>,
) -> Result<(), KernelError> {
    let operands = values_of::<T, N>(op, operands)?;
    widened::with(operands, output_of(op, out)?, |operands, out| {
        f.run(operands, out);
    });
    Ok(())
}

/// Runs the function on numbers of the first operand's dtype; 16-bit floats are converted to `f32`, narrow integers to `i64`.
fn on_numbers<const N: usize>(
    op: &str,
    operands: [&Array; N],
    shape: &[usize],
    out: &mut Array,
    f: &impl Function<N>,
) -> Result<(), KernelError> {
    let dtype = operands[0].dtype();
    out.reset(dtype, shape)?;
    match dtype {
        DType::I32 => wider::<i32, N>(op, operands, out, f),
        DType::I64 => same::<i64, N>(op, operands, out, f),
        DType::U8 => wider::<u8, N>(op, operands, out, f),
        _ if widened::is_rare(dtype) => in_int64(op, operands, shape, out, f),
        _ => on_floats(op, operands, shape, out, f),
    }
}

/// Runs the function on integers converted to `int64`, and stores the low bits of the result.
fn in_int64<const N: usize>(
    op: &str,
    operands: [&Array; N],
    shape: &[usize],
    out: &mut Array,
    f: &impl Function<N>,
) -> Result<(), KernelError> {
    let dtype = operands[0].dtype();
    let wide = operands.map(|x| AsInt64::ByBits.widened(x).unwrap_or_default());
    let mut result = Array::zeros(DType::I64, shape);
    same::<i64, N>(op, wide.each_ref(), &mut result, f)?;
    AsInt64::ByBits.narrowed(result, dtype, out)
}

/// Runs the function on floats of the first operand's dtype; 16-bit ones are converted to `f32`.
fn on_floats<const N: usize>(
    op: &str,
    operands: [&Array; N],
    shape: &[usize],
    out: &mut Array,
    f: &impl Function<N>,
) -> Result<(), KernelError> {
    let dtype = operands[0].dtype();
    out.reset(dtype, shape)?;
    match dtype {
        DType::F32 => same::<f32, N>(op, operands, out, f),
        DType::F64 => same::<f64, N>(op, operands, out, f),
        DType::F16 => wider::<f16, N>(op, operands, out, f),
        DType::BF16 => wider::<bf16, N>(op, operands, out, f),
        other => Err(undefined(op, other)),
    }
}

/// The values of the operands, all of one type.
fn values_of<'a, T: Element, const N: usize>(
    op: &str,
    operands: [&'a Array; N],
) -> Result<[&'a [T]; N], KernelError> {
    let mut all: [&[T]; N] = [&[]; N];
    for (values, operand) in all.iter_mut().zip(operands) {
        *values = typed(op, operand)?;
    }
    Ok(all)
}

/// The values of an output that was already reset to type `T`.
fn output_of<'a, T: Element>(op: &str, out: &'a mut Array) -> Result<&'a mut [T], KernelError> {
    out.values_mut().ok_or_else(|| undefined(op, T::DTYPE))
}
