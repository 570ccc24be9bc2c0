//! Diagonals of the matrices in the last two axes. Diagonal 0 is the main one; positive numbers are above it, negative ones below.

use graph_kernels::Element;

use super::{AnyTensor, AsOperand, Number, Tensor};
use crate::ops::{self, Attr, Attrs};

fn diagonal_attr(diagonal: isize) -> Attrs {
    Attrs::new().with("diagonal", Attr::Int(diagonal as i64))
}

impl<T: Element, S> Tensor<T, S> {
    /// Square matrices with these elements on the main diagonal and zeros elsewhere: `[.., n]` gives `[.., n, n]`.
    ///
    /// # Errors
    /// If the tensor is a scalar.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).diag().to_vec(), [1, 0, 0, 2]);
    /// ```
    #[doc(alias("matrix_diag", "diag_embed", "diagflat"))]
    #[track_caller]
    pub fn diag(&self) -> Tensor<T> {
        self.diag_at(0)
    }

    /// [`diag`](Self::diag) with the elements on another diagonal: `[.., n]` gives `[.., m, m]` with `m = n + |diagonal|`.
    ///
    /// # Errors
    /// If the tensor is a scalar.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([7]).diag_at(1).to_vec(), [0, 7, 0, 0]);
    /// ```
    #[track_caller]
    pub fn diag_at(&self, diagonal: isize) -> Tensor<T> {
        self.unary(&ops::DIAG, diagonal_attr(diagonal))
    }

    /// The elements of the main diagonal of each matrix: `[.., m, n]` gives `[.., len]`.
    ///
    /// # Errors
    /// If there are fewer than two axes.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.diag_part().to_vec(), [1, 5]);
    /// ```
    #[doc(alias("diagonal", "matrix_diag_part"))]
    #[track_caller]
    pub fn diag_part(&self) -> Tensor<T> {
        self.diag_part_at(0)
    }

    /// The elements of another diagonal of each matrix: `[.., m, n]` gives `[.., len]`.
    ///
    /// # Errors
    /// If there is no such diagonal, or there are fewer than two axes.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.diag_part_at(1).to_vec(), [2, 6]);
    /// ```
    #[track_caller]
    pub fn diag_part_at(&self, diagonal: isize) -> Tensor<T> {
        self.unary(&ops::DIAG_PART, diagonal_attr(diagonal))
    }

    /// Replaces a diagonal of each matrix: `[.., m, n]` and values `[.., len]` give `[.., m, n]`.
    ///
    /// # Errors
    /// If there is no such diagonal, or its length isn't that of the values.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.set_diag(tensor([0, -1]), 0).to_vec(), [0, 2, 3, 4, -1, 6]);
    /// assert_eq!(x.set_diag(tensor([0, -1]), 1).to_vec(), [1, 0, 3, 4, 5, -1]);
    /// ```
    #[doc(alias("matrix_set_diag"))]
    #[track_caller]
    pub fn set_diag(&self, values: impl AsOperand<T>, diagonal: isize) -> Tensor<T, S> {
        let operands = [&self.any, &values.into_operand()];
        let attrs = diagonal_attr(diagonal);
        Tensor::from_any(AnyTensor::apply(&ops::SET_DIAG, attrs, &operands))
    }

    /// Each matrix with zeros below a diagonal; keeps the shape.
    ///
    /// # Errors
    /// If there are fewer than two axes.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2], [3, 4]]);
    /// assert_eq!(x.triu(0).to_vec(), [1, 2, 0, 4]);
    /// assert_eq!(x.triu(1).to_vec(), [0, 2, 0, 0]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler shows the line to whoever gives no diagonal.
    pub fn triu(&self, diagonal: isize) -> Tensor<T, S> { // From the main diagonal on: `triu(0)`
        self.band(diagonal as i64, i64::MAX)
    }

    /// Each matrix with zeros above a diagonal; keeps the shape.
    ///
    /// # Errors
    /// If there are fewer than two axes.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2], [3, 4]]);
    /// assert_eq!(x.tril(0).to_vec(), [1, 0, 3, 4]);
    /// assert_eq!(x.tril(-1).to_vec(), [0, 0, 3, 0]);
    /// ```
    #[track_caller]
    #[rustfmt::skip] // The compiler shows the line to whoever gives no diagonal.
    pub fn tril(&self, diagonal: isize) -> Tensor<T, S> { // Up to the main diagonal: `tril(0)`
        self.band(i64::MIN, diagonal as i64)
    }

    /// Each matrix with zeros outside a band of `below` diagonals below and `above` diagonals above the main one; a negative number keeps
    /// all diagonals on that side. Keeps the shape.
    ///
    /// # Errors
    /// If there are fewer than two axes.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3], [4, 5, 6], [7, 8, 9]]);
    /// assert_eq!(x.band_part(0, 1).to_vec(), [1, 2, 0, 0, 5, 6, 0, 0, 9]);
    /// assert_eq!(x.band_part(-1, 0).to_vec(), [1, 0, 0, 4, 5, 0, 7, 8, 9]);
    /// ```
    #[doc(alias("matrix_band_part"))]
    #[track_caller]
    pub fn band_part(&self, below: isize, above: isize) -> Tensor<T, S> {
        let low = if below < 0 { i64::MIN } else { -(below as i64) };
        let high = if above < 0 { i64::MAX } else { above as i64 };
        self.band(low, high)
    }

    #[track_caller]
    fn band(&self, low: i64, high: i64) -> Tensor<T, S> {
        let attrs = Attrs::new()
            .with("low", Attr::Int(low))
            .with("high", Attr::Int(high));
        self.unary(&ops::BAND_PART, attrs)
    }
}

impl<T: Number, S> Tensor<T, S> {
    /// The sum of the main diagonal of each matrix: `[.., m, n]` gives `[..]`.
    ///
    /// # Errors
    /// If there are fewer than two axes.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).trace().item(), 5);
    /// ```
    #[track_caller]
    pub fn trace(&self) -> Tensor<T> {
        self.diag_part().sum_axis(-1)
    }
}
