//! Splitting a tensor along an axis.

use graph_kernels::Element;

use super::{Tensor, concat, tensor};
use crate::error::{Error, Location};
use crate::trace;

/// Methods that split a tensor.
impl<T: Element, S> Tensor<T, S> {
    /// Splits an axis into parts of equal size: `[.., n, ..]` gives `parts` tensors `[.., n / parts, ..]`.
    ///
    /// # Errors
    /// If the size of the axis isn't a multiple of `parts`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let halves = tensor([1, 2, 3, 4]).split(2, 0);
    /// assert_eq!(halves[1].to_vec(), [3, 4]);
    /// ```
    #[doc(alias("chunk", "tensor_split", "array_split", "hsplit", "vsplit"))]
    #[track_caller]
    pub fn split(&self, parts: usize, axis: isize) -> Vec<Tensor<T>> {
        let x = self.clone();
        let axis = x.counted(axis);
        let known = x.shape().dims().and_then(|dims| dims[axis as usize]);
        let Some(size) = known else {
            let grouped = x.grouped(parts, axis as usize);
            return (0..parts)
                .map(|n| grouped.gather_axis(tensor(n as i64), axis))
                .collect();
        };
        if parts == 0 || size % parts != 0 {
            fail(format!(
                "Number of ways to split should evenly divide the split dimension, but got split_dim {axis} (size = {size}) and \
                 num_split {parts}"
            ));
        }
        x.split_sizes(&vec![size / parts; parts], axis)
    }

    /// Splits an axis of unknown size into `parts` groups of equal size, as a new axis before it.
    #[track_caller]
    fn grouped(&self, parts: usize, axis: usize) -> Tensor<T> {
        let whole = self.shape_tensor();
        let inner = tensor([i32::try_from(parts).unwrap_or(i32::MAX), -1]);
        let sizes = [whole.get(..axis), inner, whole.get(axis + 1..)];
        self.reshape(concat(&sizes, 0))
    }

    /// Splits an axis into parts of the given sizes.
    ///
    /// # Errors
    /// If the sizes don't add up to the size of the axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let parts = tensor([1, 2, 3]).split_sizes(&[1, 2], 0);
    /// assert_eq!((parts[0].to_vec(), parts[1].to_vec()), (vec![1], vec![2, 3]));
    /// ```
    #[doc(alias("split_with_sizes"))]
    #[track_caller]
    pub fn split_sizes(&self, sizes: &[usize], axis: isize) -> Vec<Tensor<T>> {
        let sum = sizes.iter().fold(0usize, |sum, n| sum.saturating_add(*n));
        let x = self.clone();
        let whole = x.dim(axis);
        if sum != whole {
            fail(format!(
                "Determined shape must match input shape along split_dim exactly: the sizes {sizes:?} of the parts don't add up to {whole}"
            ));
        }
        let mut begin = 0;
        let mut part = |size: &usize| {
            let from = begin;
            begin += *size as isize;
            x.slice_axis(axis, Some(from), Some(begin), 1)
        };
        sizes.iter().map(&mut part).collect()
    }

    /// The slices along an axis, without that axis: `[.., n, ..]` gives `n` tensors `[.., ..]`. [`stack`](super::stack) joins them again.
    ///
    /// # Errors
    /// If the size of the axis isn't known while tracing.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let columns = tensor([[1, 2], [3, 4]]).unstack(1);
    /// assert_eq!(columns[1].to_vec(), [2, 4]);
    /// ```
    #[doc(alias("unbind"))]
    #[track_caller]
    pub fn unstack(&self, axis: isize) -> Vec<Tensor<T>> {
        let x = self.clone();
        (0..x.dim(axis))
            .map(|n| x.gather_axis(tensor(n as i64), axis))
            .collect()
    }

    /// The number of an axis, counted from the first.
    #[track_caller]
    pub(super) fn counted(&self, axis: isize) -> isize {
        let rank = self.rank();
        match graph_kernels::normalize_axis(axis as i64, rank) {
            Ok(axis) => axis as isize,
            Err(error) => fail(error.to_string()),
        }
    }
}

/// Ends the graph function with an error: an argument that is a Rust value is wrong.
#[track_caller]
pub(super) fn fail(message: String) -> ! {
    trace::fail(Error::trace(message, Location::caller()))
}
