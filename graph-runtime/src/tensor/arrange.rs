//! Taking a tensor apart along an axis, and its elements in another arrangement: rolled, reversed, repeated, axes moved,
//! blocks of an image as depth.

use graph_kernels::Element;

use super::gather::count;
use super::{AnyTensor, IndexElement, RowIndex, SizeList, Tensor, axis_attr, concat, ints, tensor};
use crate::error::{Error, Location};
use crate::ops::{self, Attr, Attrs};
use crate::trace;

/// Parts of a tensor.
impl<T: Element, S> Tensor<T, S> {
    /// So many parts of equal size along an axis: `[.., n, ..]` gives `parts` times `[.., n / parts, ..]`.
    ///
    /// # Errors
    /// If the size of the axis isn't a multiple of `parts`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let halves = tensor([1, 2, 3, 4]).split(2, 0);
    /// assert_eq!(halves[1].to_vec(), [3, 4]);
    /// ```
    #[track_caller]
    pub fn split(&self, parts: usize, axis: isize) -> Vec<Tensor<T>> {
        let axis = self.counted(axis);
        let known = self.shape().dims().and_then(|dims| dims[axis as usize]);
        let Some(size) = known else {
            let grouped = self.grouped(parts, axis as usize);
            return (0..parts)
                .map(|n| grouped.gather(&tensor(n as i64), axis))
                .collect();
        };
        if parts == 0 || size % parts != 0 {
            fail(format!(
                "Number of ways to split should evenly divide the split dimension, but got split_dim {axis} (size = {size}) and \
                 num_split {parts}"
            ));
        }
        self.split_sizes(&vec![size / parts; parts], axis)
    }

    /// The axis, whose size isn't known, as `parts` groups of equal size.
    #[track_caller]
    fn grouped(&self, parts: usize, axis: usize) -> Tensor<T> {
        let whole = self.shape_tensor();
        let inner = tensor([i32::try_from(parts).unwrap_or(i32::MAX), -1]);
        let sizes = [whole.get(..axis), inner, whole.get(axis + 1..)];
        self.reshape(concat(&sizes, 0))
    }

    /// Parts of the given sizes along an axis, which they fill.
    ///
    /// # Errors
    /// If the sizes don't add up to that of the axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let parts = tensor([1, 2, 3]).split_sizes(&[1, 2], 0);
    /// assert_eq!((parts[0].to_vec(), parts[1].to_vec()), (vec![1], vec![2, 3]));
    /// ```
    #[track_caller]
    pub fn split_sizes(&self, sizes: &[usize], axis: isize) -> Vec<Tensor<T>> {
        let sum = sizes.iter().fold(0usize, |sum, n| sum.saturating_add(*n));
        let whole = self.dim(axis);
        if sum != whole {
            fail(format!(
                "Determined shape must match input shape along split_dim exactly: the sizes {sizes:?} of the parts don't add up to {whole}"
            ));
        }
        let mut begin = 0;
        let mut part = |size: &usize| {
            let from = begin;
            begin += *size as isize;
            self.slice_axis(axis, Some(from), Some(begin), 1)
        };
        sizes.iter().map(&mut part).collect()
    }

    /// The slices of an axis, without it: `[.., n, ..]` gives `n` times `[.., ..]`; [`stack`](super::stack) joins them again.
    ///
    /// # Errors
    /// If the size of the axis isn't known while tracing.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let columns = tensor([[1, 2], [3, 4]]).unstack(1);
    /// assert_eq!(columns[1].to_vec(), [2, 4]);
    /// ```
    #[track_caller]
    pub fn unstack(&self, axis: isize) -> Vec<Tensor<T>> {
        let slices = self.dim(axis);
        (0..slices)
            .map(|n| self.gather(&tensor(n as i64), axis))
            .collect()
    }

    /// An axis counted from the first.
    #[track_caller]
    fn counted(&self, axis: isize) -> isize {
        let rank = self.rank();
        match graph_kernels::normalize_axis(axis as i64, rank) {
            Ok(axis) => axis as isize,
            Err(error) => fail(error.to_string()),
        }
    }
}

/// Ends the graph function: an argument that is a Rust value doesn't fit.
#[track_caller]
fn fail(message: String) -> ! {
    trace::fail(Error::trace(message, Location::caller()))
}

/// Another arrangement of the elements.
impl<T: Element, S> Tensor<T, S> {
    /// Moved on by so many places along an axis: what leaves at the end comes in at the beginning. A negative shift moves
    /// back. Keeps the shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).roll(1, 0).to_vec(), [3, 1, 2]);
    /// ```
    #[track_caller]
    pub fn roll(&self, shift: impl RowIndex, axis: isize) -> Tensor<T, S> {
        let shift = shift.into_position().to_any();
        let shift = AnyTensor::apply(&ops::EXPAND_DIMS, axis_attr(0), &[&shift]);
        Tensor::from_any(AnyTensor::apply(
            &ops::ROLL,
            Attrs::new().with("axes", ints(&[axis])),
            &[&self.any, &shift],
        ))
    }

    /// Backwards along the given axes; keeps the shape.
    ///
    /// # Errors
    /// If an axis is named twice.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).reverse(&[1]).to_vec(), [2, 1, 4, 3]);
    /// ```
    #[track_caller]
    pub fn reverse(&self, axes: &[isize]) -> Tensor<T, S> {
        let each = |value: i64| Attr::Ints(vec![value; axes.len()]);
        let attrs = Attrs::new()
            .with("axes", ints(axes))
            .with("begins", each(0))
            .with("ends", each(0))
            .with("steps", each(-1))
            .with("masks", each(3));
        self.unary(&ops::STRIDED_SLICE, attrs)
    }

    /// Each slice of an axis so many times in a row: `[.., n, ..]` gives `[.., n * times, ..]`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).repeat(2, 0).to_vec(), [1, 1, 2, 2]);
    /// ```
    #[track_caller]
    pub fn repeat(&self, times: usize, axis: isize) -> Tensor<T> {
        self.unary(&ops::REPEAT, axis_attr(axis).with("count", count(times)))
    }

    /// Slice `i` of an axis `times[i]` times in a row.
    ///
    /// # Errors
    /// If there isn't one number for each slice.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).repeat_each(&tensor([2, 0, 1]), 0).to_vec(), [1, 1, 3]);
    /// ```
    #[track_caller]
    pub fn repeat_each<I: IndexElement, S2>(
        &self,
        times: &Tensor<I, S2>,
        axis: isize,
    ) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            &ops::REPEAT_EACH,
            axis_attr(axis),
            &[&self.any, times.as_any()],
        ))
    }

    /// With the first `lengths[i]` places of the sequence axis reversed where the batch axis is at `i`; keeps the shape.
    ///
    /// # Errors
    /// If there isn't one length for each position of the batch axis; if a length is negative or too large, when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.reverse_sequence(&tensor([2, 3]), 1, 0).to_vec(), [2, 1, 3, 6, 5, 4]);
    /// ```
    #[track_caller]
    pub fn reverse_sequence<I: IndexElement, S2>(
        &self,
        lengths: &Tensor<I, S2>,
        seq_axis: isize,
        batch_axis: isize,
    ) -> Tensor<T, S> {
        let attrs = Attrs::new()
            .with("seq_axis", Attr::Int(seq_axis as i64))
            .with("batch_axis", Attr::Int(batch_axis as i64));
        Tensor::from_any(AnyTensor::apply(
            &ops::REVERSE_SEQUENCE,
            attrs,
            &[&self.any, lengths.as_any()],
        ))
    }

    /// With one axis moved to another place; the others keep their order.
    ///
    /// # Errors
    /// If there is no such axis, or the rank isn't known while tracing.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[[1, 2, 3]]]);
    /// assert_eq!(x.moveaxis(-1, 0).shape().to_string(), "[3,1,1]");
    /// ```
    #[track_caller]
    pub fn moveaxis(&self, from: isize, to: isize) -> Tensor<T> {
        let (from, to) = (self.counted(from) as usize, self.counted(to) as usize);
        let mut axes: Vec<usize> = (0..self.rank()).filter(|axis| *axis != from).collect();
        axes.insert(to, from);
        self.transpose(&axes)
    }

    /// With two axes exchanged.
    ///
    /// # Errors
    /// If there is no such axis, or the rank isn't known while tracing.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[[1, 2, 3]]]);
    /// assert_eq!(x.swapaxes(0, 2).shape().to_string(), "[3,1,1]");
    /// ```
    #[track_caller]
    pub fn swapaxes(&self, a: isize, b: isize) -> Tensor<T> {
        let mut axes: Vec<usize> = (0..self.rank()).collect();
        axes.swap(self.counted(a) as usize, self.counted(b) as usize);
        self.transpose(&axes)
    }

    /// Squares of `block` by `block` positions as depth: `[n, h, w, c]` gives `[n, h / block, w / block, c * block * block]`.
    ///
    /// # Errors
    /// If there aren't four axes, of which the last three are known while tracing, or `block` doesn't divide them.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = range(0, 4).reshape(&[1, 2, 2, 1]);
    /// assert_eq!(x.space_to_depth(2).shape().to_string(), "[1,1,1,4]");
    /// ```
    #[track_caller]
    pub fn space_to_depth(&self, block: usize) -> Tensor<T> {
        let [h, w, c] = self.image(block != 0, "space_to_depth");
        if h % block != 0 || w % block != 0 {
            fail(format!(
                "`space_to_depth` takes an image of blocks of {block}, not of {h} by {w}"
            ));
        }
        let sizes = [
            -1,
            (h / block) as isize,
            block as isize,
            (w / block) as isize,
            block as isize,
            c as isize,
        ];
        let depth = c.saturating_mul(block).saturating_mul(block) as isize;
        let (h, w) = (sizes[1], sizes[3]);
        self.reshape(&sizes)
            .transpose(&[0, 1, 3, 2, 4, 5])
            .reshape(&[-1, h, w, depth])
    }

    /// Depth as squares of `block` by `block` positions: `[n, h, w, c]` gives `[n, h * block, w * block, c / (block * block)]`.
    ///
    /// # Errors
    /// If there aren't four axes, of which the last three are known while tracing, or `block * block` doesn't divide the depth.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = range(0, 4).reshape(&[1, 1, 1, 4]);
    /// assert_eq!(x.depth_to_space(2).shape().to_string(), "[1,2,2,1]");
    /// ```
    #[track_caller]
    pub fn depth_to_space(&self, block: usize) -> Tensor<T> {
        let [h, w, c] = self.image(block != 0, "depth_to_space");
        let square = block.saturating_mul(block);
        if c % square != 0 {
            fail(format!(
                "`depth_to_space` takes a depth of blocks of {square}, not {c}"
            ));
        }
        let (side, depth) = (block as isize, (c / square) as isize);
        let (h, w) = (h as isize, w as isize);
        self.reshape(&[-1, h, w, side, side, depth])
            .transpose(&[0, 1, 3, 2, 4, 5])
            .reshape(&[-1, h.saturating_mul(side), w.saturating_mul(side), depth])
    }

    /// Height, width and depth of images.
    #[track_caller]
    fn image(&self, has_block: bool, op: &str) -> [usize; 3] {
        if self.rank() != 4 || !has_block {
            fail(format!(
                "`{op}` takes a tensor [n, height, width, depth] and a block of at least 1, not a tensor of shape {}",
                self.shape()
            ));
        }
        [self.dim(1), self.dim(2), self.dim(3)]
    }
}

/// The coordinates of the points of a grid: of `n` vectors, `n` tensors of one shape. As NumPy's `xy`: the first vector runs along
/// the columns, the second along the rows.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let grid = meshgrid([tensor([1, 2, 3]), tensor([4, 5])]);
/// assert_eq!(grid[0].to_vec(), [1, 2, 3, 1, 2, 3]);
/// assert_eq!(grid[1].to_vec(), [4, 4, 4, 5, 5, 5]);
/// ```
#[track_caller]
pub fn meshgrid<T: Element>(
    vectors: impl IntoIterator<Item: super::AsOperand<T>>,
) -> Vec<Tensor<T>> {
    grid(vectors, true)
}

/// [`meshgrid`] as NumPy's `ij`: vector `i` runs along axis `i`.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let grid = meshgrid_ij([tensor([1, 2, 3]), tensor([4, 5])]);
/// assert_eq!(grid[0].to_vec(), [1, 1, 2, 2, 3, 3]);
/// ```
#[track_caller]
pub fn meshgrid_ij<T: Element>(
    vectors: impl IntoIterator<Item: super::AsOperand<T>>,
) -> Vec<Tensor<T>> {
    grid(vectors, false)
}

#[track_caller]
fn grid<T: Element>(
    vectors: impl IntoIterator<Item: super::AsOperand<T>>,
    columns_first: bool,
) -> Vec<Tensor<T>> {
    let mut along = Vec::new();
    for vector in vectors {
        along.push(Tensor::<T>::from_any(super::AsOperand::<T>::into_operand(vector)).flatten());
    }
    let swaps = columns_first && along.len() > 1;
    if swaps {
        along.swap(0, 1);
    }
    let sizes = grid_sizes(&along);
    let mut grid = Vec::new();
    for (axis, vector) in along.iter().enumerate() {
        let mut shape = vec![1; along.len()];
        shape[axis] = -1;
        let column = vector.reshape(&shape);
        let whole = sizes.clone().apply(
            &column.any,
            (&ops::BROADCAST_TO, "shape"),
            &ops::BROADCAST_AS,
        );
        grid.push(Tensor::from_any(whole));
    }
    if swaps {
        grid.swap(0, 1);
    }
    grid
}

/// The lengths of vectors, as Rust numbers if they are known.
#[track_caller]
fn grid_sizes<T: Element>(vectors: &[Tensor<T>]) -> SizeList {
    let known = |vector: &Tensor<T>| i64::try_from(vector.shape().size()?).ok();
    if let Some(sizes) = vectors.iter().map(known).collect() {
        return SizeList::Known(sizes);
    }
    let mut sizes = Vec::new();
    for vector in vectors {
        sizes.push(vector.shape_tensor());
    }
    SizeList::Tensor(concat(&sizes, 0).into_any())
}
