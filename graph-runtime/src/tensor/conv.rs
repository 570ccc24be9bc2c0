//! Convolutions and poolings of images `[batch, rows, columns, channels]`.

use super::windows::{IntoWindow, RowsColumns};
use super::{AnyTensor, AsOperand, Float, Number, Tensor, Window};
use crate::ops::{self, Attrs, OpDef, counts, with_window};

impl<T: Float, S> Tensor<T, S> {
    /// Convolves each channel of `[batch, rows, columns, channels]` with `n` filters of its own, given as `[rows, columns, channels, n]`.
    /// Gives `[batch, rows', columns', channels * n]`.
    ///
    /// # Errors
    /// As [`conv2d`](Self::conv2d).
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let image = tensor([1.0, 10.0, 2.0, 20.0]).reshape(&[1, 1, 2, 2]);
    /// let filter = tensor([1.0, 3.0]).reshape(&[1, 1, 2, 1]);
    /// assert_eq!(image.depthwise_conv2d(&filter, Window::default()).to_vec(), [1.0, 30.0, 2.0, 60.0]);
    /// ```
    #[doc(alias("depthwise_conv"))]
    #[track_caller]
    #[rustfmt::skip] // The compiler shows the line to whoever gives strides and padding apart.
    pub fn depthwise_conv2d( // Strides and padding: `depthwise_conv2d(filter, (1, Padding::Same))`
        &self,
        filter: impl AsOperand<T>,
        window: impl IntoWindow,
    ) -> Tensor<T> {
        let attrs = with_window(Attrs::new(), window.into_window());
        convolve(&ops::DEPTHWISE_CONV2D, &self.any, filter, attrs)
    }

    /// The transposed convolution: the transpose of the [`conv2d`](Self::conv2d) that takes images of `size` (rows, columns) to images of
    /// this shape. Filters are `[rows, columns, filters, channels]`; the result is `[batch, size.., filters]`.
    ///
    /// # Errors
    /// As [`conv2d`](Self::conv2d), and if that convolution of images of `size` would not give images of this shape.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let image = tensor([1.0, 10.0]).reshape(&[1, 1, 2, 1]);
    /// let filter = tensor([1.0, 2.0]).reshape(&[1, 2, 1, 1]);
    /// assert_eq!(image.conv2d_transpose(&filter, [1, 4], [1, 2]).to_vec(), [1.0, 2.0, 10.0, 20.0]);
    /// ```
    #[doc(alias("conv_transpose2d"))]
    #[track_caller]
    pub fn conv2d_transpose(
        &self,
        filter: impl AsOperand<T>,
        size: impl RowsColumns,
        window: impl IntoWindow,
    ) -> Tensor<T> {
        let attrs = pool(size.pair(), window.into_window());
        convolve(&ops::CONV2D_TRANSPOSE, &self.any, filter, attrs)
    }

    /// The mean of the values in each window of `size` (rows, columns) of images `[batch, rows, columns, channels]`. Padding is left out of
    /// the mean.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let image = tensor([1.0, 3.0, 8.0]).reshape(&[1, 1, 3, 1]);
    /// assert_eq!(image.avg_pool2d([1, 2], ([1, 2], Padding::Same)).to_vec(), [2.0, 8.0]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler shows the line to whoever gives strides and padding apart.
    pub fn avg_pool2d( // Strides and padding: `avg_pool2d(2, (2, Padding::Same))`
        &self,
        size: impl RowsColumns,
        window: impl IntoWindow,
    ) -> Tensor<T> {
        self.unary(&ops::AVG_POOL2D, pool(size.pair(), window.into_window()))
    }
}

/// Convolutions and poolings for all numbers.
impl<T: Number, S> Tensor<T, S> {
    /// The convolution of images `[batch, rows, columns, channels]` with filters `[rows, columns, channels, filters]`:
    /// `[batch, rows', columns', filters]`. The filters aren't flipped, as everywhere in machine learning.
    ///
    /// Filters may have fewer channels than the image, if their number divides it. Then channels and filters are split into groups, and the
    /// filters of a group see only the channels of that group.
    ///
    /// # Errors
    /// If an operand doesn't have four axes, the channels can't be split into groups, or a window is larger than the padded image.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let image = tensor([1.0, 2.0, 3.0, 4.0]).reshape(&[1, 1, 4, 1]);
    /// let sum_of_two = ones::<f64>(&[1, 2, 1, 1]);
    /// assert_eq!(image.conv2d(&sum_of_two, Window::default()).to_vec(), [3.0, 5.0, 7.0]);
    /// assert_eq!(image.conv2d(&sum_of_two, ([1, 2], Padding::Same)).to_vec(), [3.0, 7.0]);
    /// let apart = Window { dilations: [1, 2], ..Window::default() };
    /// assert_eq!(image.conv2d(&sum_of_two, apart).to_vec(), [4.0, 6.0]);
    /// ```
    #[doc(alias("conv_general_dilated"))]
    #[track_caller]
    #[rustfmt::skip] // The compiler shows the line to whoever gives strides and padding apart.
    pub fn conv2d( // Strides and padding: `conv2d(filter, (1, Padding::Same))`
        &self,
        filter: impl AsOperand<T>,
        window: impl IntoWindow,
    ) -> Tensor<T> {
        let attrs = with_window(Attrs::new(), window.into_window());
        convolve(&ops::CONV2D, &self.any, filter, attrs)
    }

    /// The convolution of sequences `[batch, positions, channels]` with filters `[positions, channels, filters]`: `[batch, positions',
    /// filters]`. It is computed as the convolution of images with one row; of each pair of numbers in the window, the second one is used.
    /// (`tf.nn.conv1d`)
    ///
    /// # Errors
    /// As [`conv2d`](Self::conv2d).
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let rows = tensor([1, 2, 3, 4]).reshape(&[1, 4, 1]);
    /// let sum_of_two = ones::<i32>(&[2, 1, 1]);
    /// assert_eq!(rows.conv1d(&sum_of_two, Window::default()).to_vec(), [3, 5, 7]);
    /// assert_eq!(rows.conv1d(&sum_of_two, (2, Padding::Same)).to_vec(), [3, 7]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler shows the line to whoever gives strides and padding apart.
    pub fn conv1d( // Strides and padding: `conv1d(filter, (1, Padding::Same))`
        &self,
        filter: impl AsOperand<T>,
        window: impl IntoWindow,
    ) -> Tensor<T> {
        let filter = Tensor::<T>::from_any(filter.into_operand()).expand_dims(0);
        self.expand_dims(1).conv2d(filter, window).squeeze(1)
    }

    /// The largest value in each window of `size` (rows, columns) of images `[batch, rows, columns, channels]`; NaN if the window holds
    /// one. Padding is ignored.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let image = tensor([1, 3, 2, 5]).reshape(&[1, 1, 4, 1]);
    /// assert_eq!(image.max_pool2d([1, 2], Window::default()).to_vec(), [3, 3, 5]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler shows the line to whoever gives strides and padding apart.
    pub fn max_pool2d( // Strides and padding: `max_pool2d(2, (2, Padding::Same))`
        &self,
        size: impl RowsColumns,
        window: impl IntoWindow,
    ) -> Tensor<T> {
        self.unary(&ops::MAX_POOL2D, pool(size.pair(), window.into_window()))
    }
}

fn pool(size: [usize; 2], window: Window) -> Attrs {
    with_window(Attrs::new().with("size", counts(&size)), window)
}

#[track_caller]
fn convolve<T: Number>(
    op: &'static OpDef,
    x: &AnyTensor,
    filter: impl AsOperand<T>,
    attrs: Attrs,
) -> Tensor<T> {
    Tensor::from_any(AnyTensor::apply(op, attrs, &[x, &filter.into_operand()]))
}
