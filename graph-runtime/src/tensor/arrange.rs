//! Rearranging the elements of a tensor: rolling, reversing, repeating, moving axes, and moving blocks of an image into its depth and back.

use graph_kernels::Element;

use super::gather::count;
use super::split::fail;
use super::{AnyTensor, AsOperand, IndexElement, Sizes, Tensor, axis_attr, ints};
use crate::ops::{self, Attr, Attrs};

/// One axis, or a list of several. A negative axis counts from the last.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an axis",
    label = "expected an `isize`, or several of them: `[0, 1]`"
)]
pub trait AxisList {
    /// The axes.
    #[doc(hidden)]
    fn axes(self) -> Vec<isize>;
}

impl AxisList for isize {
    fn axes(self) -> Vec<isize> {
        vec![self]
    }
}
impl AxisList for &[isize] {
    fn axes(self) -> Vec<isize> {
        self.to_vec()
    }
}
impl AxisList for Vec<isize> {
    fn axes(self) -> Vec<isize> {
        self
    }
}
impl AxisList for &Vec<isize> {
    fn axes(self) -> Vec<isize> {
        self.clone()
    }
}
impl<const N: usize> AxisList for &[isize; N] {
    fn axes(self) -> Vec<isize> {
        self.to_vec()
    }
}
impl<const N: usize> AxisList for [isize; N] {
    fn axes(self) -> Vec<isize> {
        self.to_vec()
    }
}

/// Methods that rearrange the elements.
impl<T: Element, S> Tensor<T, S> {
    /// Shifts the elements by `shift` positions along an axis; those that leave at the end come back at the beginning. A negative shift
    /// moves towards the beginning. Keeps the shape. Several axes take one shift each; an axis may be listed twice, then its shifts add up.
    ///
    /// # Errors
    /// If there is no such axis, or the number of shifts isn't the number of axes.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).roll(1, 0).to_vec(), [3, 1, 2]);
    /// assert_eq!(tensor([[1, 2], [3, 4]]).roll([1, -1], [0, 1]).to_vec(), [4, 3, 2, 1]);
    /// ```
    #[track_caller]
    pub fn roll(&self, shift: impl Sizes<isize>, axis: impl AxisList) -> Tensor<T, S> {
        let attrs = Attrs::new().with("axes", ints(&axis.axes()));
        let shift = shift.into_sizes().to_any();
        Tensor::from_any(AnyTensor::apply(&ops::ROLL, attrs, &[&self.any, &shift]))
    }

    /// Reverses the order along one axis or several. Keeps the shape.
    ///
    /// # Errors
    /// If there is no such axis, or one is listed twice.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).reverse(1).to_vec(), [2, 1, 4, 3]);
    /// assert_eq!(tensor([[1, 2], [3, 4]]).reverse([0, 1]).to_vec(), [4, 3, 2, 1]);
    /// ```
    #[doc(alias("flip", "fliplr", "flipud"))]
    #[track_caller]
    pub fn reverse(&self, axes: impl AxisList) -> Tensor<T, S> {
        let axes = axes.axes();
        let each = |value: i64| Attr::Ints(vec![value; axes.len()]);
        let attrs = Attrs::new()
            .with("axes", ints(&axes))
            .with("begins", each(0))
            .with("ends", each(0))
            .with("steps", each(-1))
            .with("masks", each(3));
        self.unary(&ops::STRIDED_SLICE, attrs)
    }

    /// Repeats each slice of an axis `times` times in a row: `[.., n, ..]` gives `[.., n * times, ..]`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).repeat(2, 0).to_vec(), [1, 1, 2, 2]);
    /// ```
    #[doc(alias("repeat_interleave"))]
    #[track_caller]
    pub fn repeat(&self, times: usize, axis: isize) -> Tensor<T> {
        self.unary(&ops::REPEAT, axis_attr(axis).with("count", count(times)))
    }

    /// Repeats slice `i` of an axis `times[i]` times in a row.
    ///
    /// # Errors
    /// If the number of counts isn't the size of the axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).repeat_each(&tensor([2, 0, 1]), 0).to_vec(), [1, 1, 3]);
    /// ```
    #[doc(alias("repeat_interleave"))]
    #[track_caller]
    pub fn repeat_each<I: IndexElement>(&self, times: impl AsOperand<I>, axis: isize) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            &ops::REPEAT_EACH,
            axis_attr(axis),
            &[&self.any, &times.into_operand()],
        ))
    }

    /// For each index `i` of the batch axis, reverses the first `lengths[i]` elements along the sequence axis. Keeps the shape.
    ///
    /// # Errors
    /// If the number of lengths isn't the size of the batch axis; when run, if a length is negative or larger than the sequence axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.reverse_sequence(&tensor([2, 3]), 1, 0).to_vec(), [2, 1, 3, 6, 5, 4]);
    /// ```
    #[track_caller]
    pub fn reverse_sequence<I: IndexElement>(
        &self,
        lengths: impl AsOperand<I>,
        seq_axis: isize,
        batch_axis: isize,
    ) -> Tensor<T, S> {
        let attrs = Attrs::new()
            .with("seq_axis", Attr::Int(seq_axis as i64))
            .with("batch_axis", Attr::Int(batch_axis as i64));
        Tensor::from_any(AnyTensor::apply(
            &ops::REVERSE_SEQUENCE,
            attrs,
            &[&self.any, &lengths.into_operand()],
        ))
    }

    /// Moves one axis to another position; the other axes keep their order.
    ///
    /// # Errors
    /// If there is no such axis, or the rank isn't known while tracing.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[[1, 2, 3]]]);
    /// assert_eq!(x.moveaxis(-1, 0).shape().to_string(), "[3,1,1]");
    /// ```
    #[doc(alias("movedim", "rollaxis"))]
    #[track_caller]
    pub fn moveaxis(&self, from: isize, to: isize) -> Tensor<T> {
        let (from, to) = (self.counted(from) as usize, self.counted(to) as usize);
        let mut axes: Vec<usize> = (0..self.rank()).filter(|axis| *axis != from).collect();
        axes.insert(to, from);
        self.permute(&axes)
    }

    /// Swaps two axes.
    ///
    /// # Errors
    /// If there is no such axis, or the rank isn't known while tracing.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[[1, 2, 3]]]);
    /// assert_eq!(x.swapaxes(0, 2).shape().to_string(), "[3,1,1]");
    /// ```
    #[doc(alias("swapdims"))]
    #[track_caller]
    pub fn swapaxes(&self, a: isize, b: isize) -> Tensor<T> {
        let mut axes: Vec<usize> = (0..self.rank()).collect();
        axes.swap(self.counted(a) as usize, self.counted(b) as usize);
        self.permute(&axes)
    }

    /// Moves squares of `block` by `block` pixels into the depth: `[n, h, w, c]` gives `[n, h / block, w / block, c * block * block]`.
    ///
    /// # Errors
    /// If the tensor doesn't have four axes, the sizes of the last three aren't known while tracing, or `block` doesn't divide height and
    /// width.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = range(0, 4, 1).reshape(&[1, 2, 2, 1]);
    /// assert_eq!(x.space_to_depth(2).shape().to_string(), "[1,1,1,4]");
    /// ```
    #[doc(alias("pixel_unshuffle"))]
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
            .permute([0, 1, 3, 2, 4, 5])
            .reshape(&[-1, h, w, depth])
    }

    /// Moves depth into squares of `block` by `block` pixels: `[n, h, w, c]` gives `[n, h * block, w * block, c / (block * block)]`.
    ///
    /// # Errors
    /// If the tensor doesn't have four axes, the sizes of the last three aren't known while tracing, or `block * block` doesn't divide the
    /// depth.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = range(0, 4, 1).reshape(&[1, 1, 1, 4]);
    /// assert_eq!(x.depth_to_space(2).shape().to_string(), "[1,2,2,1]");
    /// ```
    #[doc(alias("pixel_shuffle"))]
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
            .permute([0, 1, 3, 2, 4, 5])
            .reshape(&[-1, h.saturating_mul(side), w.saturating_mul(side), depth])
    }

    /// Height, width and depth of an image batch; fails if it isn't one or the block is 0.
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
