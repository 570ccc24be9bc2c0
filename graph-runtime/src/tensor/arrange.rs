//! The elements of a tensor in another arrangement: rolled, reversed, repeated, axes moved, blocks of an image as depth.

use graph_kernels::Element;

use super::gather::count;
use super::split::fail;
use super::{AnyTensor, AsOperand, IndexElement, Sizes, Tensor, axis_attr, ints};
use crate::ops::{self, Attr, Attrs};

/// One axis, or a list of several; a negative one counts from the last.
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

/// Another arrangement of the elements.
impl<T: Element, S> Tensor<T, S> {
    /// Moved on by so many places along an axis: what leaves at the end comes in at the beginning. A negative shift moves
    /// back. Keeps the shape. Along several axes with a shift for each; an axis may be named again, and shifts along it add up.
    ///
    /// # Errors
    /// If there is no such axis, or there aren't as many shifts as axes.
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
    pub fn repeat_each<I: IndexElement>(&self, times: impl AsOperand<I>, axis: isize) -> Tensor<T> {
        Tensor::from_any(AnyTensor::apply(
            &ops::REPEAT_EACH,
            axis_attr(axis),
            &[&self.any, &times.into_operand()],
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
        self.permute(&axes)
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
        self.permute(&axes)
    }

    /// Squares of `block` by `block` positions as depth: `[n, h, w, c]` gives `[n, h / block, w / block, c * block * block]`.
    ///
    /// # Errors
    /// If there aren't four axes, of which the last three are known while tracing, or `block` doesn't divide them.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = range(0, 4, 1).reshape(&[1, 2, 2, 1]);
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
            .permute([0, 1, 3, 2, 4, 5])
            .reshape(&[-1, h, w, depth])
    }

    /// Depth as squares of `block` by `block` positions: `[n, h, w, c]` gives `[n, h * block, w * block, c / (block * block)]`.
    ///
    /// # Errors
    /// If there aren't four axes, of which the last three are known while tracing, or `block * block` doesn't divide the depth.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = range(0, 4, 1).reshape(&[1, 1, 1, 4]);
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
            .permute([0, 1, 3, 2, 4, 5])
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
