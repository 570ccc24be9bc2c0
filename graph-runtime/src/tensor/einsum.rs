//! Sums of products over named or paired axes.

use super::{AsOperand, Number, Tensor, apply_all, ints};
use crate::ops::{self, Attr, Attrs};

/// The sum of products that an equation describes, as `einsum` of NumPy. Axes with the same letter are multiplied element by element, and
/// axes whose letter isn't in the result are summed. `...` stands for leading axes, which broadcast. Without `->` the result has the
/// letters that occur once, in alphabetical order.
///
/// # Errors
/// If the equation is malformed, or doesn't fit the operands' ranks and sizes.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let (a, b) = (tensor([[1, 2], [3, 4]]), tensor([[5, 6], [7, 8]]));
/// assert_eq!(einsum("ij,jk->ik", [&a, &b]).to_vec(), [19, 22, 43, 50]);
/// assert_eq!(einsum("ij,ij->", [&a, &b]).item(), 70);
/// assert_eq!(einsum("ii->i", [&a]).to_vec(), [1, 4]);
/// ```
#[track_caller]
pub fn einsum<T: Number>(
    equation: &str,
    operands: impl IntoIterator<Item: AsOperand<T>>,
) -> Tensor<T> {
    let attrs = Attrs::new().with("equation", Attr::Text(equation.to_owned()));
    apply_all(&ops::EINSUM, attrs, operands)
}

impl<T: Number, S> Tensor<T, S> {
    /// The sum of products over pairs of axes: the first of `axes` is paired with the first of `other_axes`, and so on. The result has the
    /// other axes of this tensor, then those of the second one.
    ///
    /// # Errors
    /// If the lists differ in length, an axis doesn't exist or is listed twice, or the two sizes of a pair differ.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let a = tensor([[1, 2], [3, 4]]);
    /// assert_eq!(a.tensordot(tensor([10, 1]), &[0], &[0]).to_vec(), [13, 24]);
    /// ```
    #[track_caller]
    pub fn tensordot(
        &self,
        other: impl AsOperand<T>,
        axes: &[isize],
        other_axes: &[isize],
    ) -> Tensor<T> {
        let attrs = Attrs::new()
            .with("axes_a", ints(axes))
            .with("axes_b", ints(other_axes));
        let operands = [&self.any, &other.into_operand()];
        Tensor::from_any(super::AnyTensor::apply(&ops::TENSORDOT, attrs, &operands))
    }

    /// The product of matrices `[.., m, n]` and vectors `[.., n]`: `[.., m]`; leading axes broadcast.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).matvec(tensor([1, 10])).to_vec(), [21, 43]);
    /// ```
    #[doc(alias("mv"))]
    #[track_caller]
    pub fn matvec(&self, vector: impl AsOperand<T>) -> Tensor<T> {
        pair("...ij,...j->...i", self, vector)
    }

    /// The sum of products along the last axis: `[.., n]` and `[.., n]` give `[..]`; leading axes broadcast.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).dot(tensor([3, 4])).item(), 11);
    /// ```
    #[doc(alias("inner", "vdot"))]
    #[track_caller]
    pub fn dot(&self, other: impl AsOperand<T>) -> Tensor<T> {
        pair("...i,...i->...", self, other)
    }

    /// The outer product: `[.., m]` and `[.., n]` give `[.., m, n]`; leading axes broadcast.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).outer(tensor([3, 4])).to_vec(), [3, 4, 6, 8]);
    /// ```
    #[track_caller]
    pub fn outer(&self, other: impl AsOperand<T>) -> Tensor<T> {
        pair("...i,...j->...ij", self, other)
    }
}

#[track_caller]
fn pair<T: Number, S>(equation: &str, a: &Tensor<T, S>, b: impl AsOperand<T>) -> Tensor<T> {
    let attrs = Attrs::new().with("equation", Attr::Text(equation.to_owned()));
    let operands = [&a.any, &b.into_operand()];
    Tensor::from_any(super::AnyTensor::apply(&ops::EINSUM, attrs, &operands))
}
