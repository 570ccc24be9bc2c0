//! The transpose of broadcasting: the sum over the repeated axes.

use smallvec::SmallVec;

use crate::dispatch::shape_text;
use crate::{Array, Axes, KernelError, ReduceOp, reduce, reshape_in_place};

/// The sum of `x` over the axes that are repeated when `shape` is broadcast to the shape of `x`: leading axes, and axes of size 1.
///
/// # Errors
/// If `shape` doesn't broadcast to the shape of `x`, or `x` holds no numbers.
pub fn sum_to(x: &Array, shape: &[usize], out: &mut Array) -> Result<(), KernelError> {
    if x.shape() == shape {
        out.assign(x)?;
        return Ok(());
    }
    let axes = repeated_axes(x.shape(), shape)?;
    let axes = Axes {
        axes: &axes,
        keep_dims: true,
    };
    reduce(ReduceOp::Sum, x, axes, out)?;
    let sizes: SmallVec<[i64; 6]> = shape.iter().map(|n| *n as i64).collect();
    reshape_in_place(out, &sizes)
}

/// The axes of `whole` along which an array of shape `part` is repeated when it is broadcast.
///
/// # Errors
/// If it can't be broadcast.
pub fn repeated_axes(whole: &[usize], part: &[usize]) -> Result<SmallVec<[i64; 6]>, KernelError> {
    let refused = || {
        let (whole, part) = (shape_text(whole), shape_text(part));
        KernelError::Shape(format!(
            "Incompatible shapes: {part} cannot be broadcast to {whole}"
        ))
    };
    let new = whole.len().checked_sub(part.len()).ok_or_else(refused)?;
    let mut axes: SmallVec<[i64; 6]> = (0..new as i64).collect();
    for (axis, (size, own)) in whole[new..].iter().zip(part).enumerate() {
        match own {
            own if own == size => {}
            1 => axes.push((new + axis) as i64),
            _ => return Err(refused()),
        }
    }
    Ok(axes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_repeated_is_summed() {
        let x = Array::new(&[2, 3], vec![1, 2, 3, 4, 5, 6]);
        let mut out = Array::default();
        for (shape, values) in [
            (&[][..], vec![21]),
            (&[3], vec![5, 7, 9]),
            (&[2, 1], vec![6, 15]),
            (&[1, 3], vec![5, 7, 9]),
            (&[1], vec![21]),
            (&[2, 3], vec![1, 2, 3, 4, 5, 6]),
        ] {
            sum_to(&x, shape, &mut out).unwrap();
            assert_eq!(out, Array::new(shape, values));
        }
        for shape in [&[2][..], &[1, 1, 2, 3], &[3, 3]] {
            let error = sum_to(&x, shape, &mut out).unwrap_err().to_string();
            assert!(error.ends_with("cannot be broadcast to [2,3]"), "{error}");
        }
    }
}
