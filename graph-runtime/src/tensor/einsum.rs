//! Sums of products over axes that are named or paired.

use super::{AsOperand, Number, Tensor, apply_all, ints};
use crate::ops::{self, Attr, Attrs};

/// The sum of products that an equation describes: axes with one name are multiplied value by value, and those that the result
/// doesn't name are summed. `...` stands for leading axes that broadcast. Without `->` the result has the letters that
/// occur once, in alphabetical order.
///
/// # Errors
/// If the equation is none, or doesn't fit the operands' ranks and sizes.
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
    /// The sum of the products over pairs of axes, the first of `axes` with the first of `other_axes` and so on. The other axes of
    /// this tensor stay, then those of the other.
    ///
    /// # Errors
    /// If the lists differ in length, an axis doesn't exist or is named twice, or the sizes of a pair differ.
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
    #[track_caller]
    pub fn matvec(&self, vector: impl AsOperand<T>) -> Tensor<T> {
        pair("...ij,...j->...i", self, vector)
    }

    /// The sum of the products along the last axis: `[.., n]` and `[.., n]` give `[..]`; leading axes broadcast.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).dot(tensor([3, 4])).item(), 11);
    /// ```
    #[track_caller]
    pub fn dot(&self, other: impl AsOperand<T>) -> Tensor<T> {
        pair("...i,...i->...", self, other)
    }

    /// Every product of two values: `[.., m]` and `[.., n]` give `[.., m, n]`; leading axes broadcast.
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
