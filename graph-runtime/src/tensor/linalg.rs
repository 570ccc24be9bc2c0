//! Matrix products.

use super::{AnyTensor, AsOperand, Matrix, Number, Product, RightFactor, Swapped, Tensor};
use crate::ops::{self, Attr, Attrs};

impl<T: Number, S> Tensor<T, S> {
    /// The matrix product `self · other`: `[.., m, k]` and `[.., k, n]` give `[.., m, n]`; leading axes broadcast.
    ///
    /// # Errors
    /// If an operand has fewer than two axes, or the inner sizes differ.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2]]).matmul(tensor([[3], [4]])).to_vec(), [11]);
    /// ```
    #[doc(alias("mm", "bmm", "batch_matmul"))]
    #[track_caller]
    pub fn matmul<R>(&self, other: R) -> Tensor<T, Product<S, R::Shape>>
    where
        R: AsOperand<T, Shape: RightFactor<S>>,
    {
        product(&self.any, other, false, false)
    }

    /// `self · otherᵀ`: `[.., m, k]` and `[.., n, k]` give `[.., m, n]`, without copying `other`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2]]).matmul_t(tensor([[3, 4]])).to_vec(), [11]);
    /// ```
    #[track_caller]
    pub fn matmul_t<R: AsOperand<T>>(&self, other: R) -> Tensor<T, Product<S, Swapped<R::Shape>>>
    where
        R::Shape: Matrix<Swapped: RightFactor<S>>,
    {
        product(&self.any, other, false, true)
    }

    /// `selfᵀ · other`: `[.., k, m]` and `[.., k, n]` give `[.., m, n]`, without copying `self`.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1], [2]]).t_matmul(tensor([[3], [4]])).to_vec(), [11]);
    /// ```
    #[track_caller]
    pub fn t_matmul<R: AsOperand<T>>(&self, other: R) -> Tensor<T, Product<Swapped<S>, R::Shape>>
    where
        S: Matrix,
        R::Shape: RightFactor<Swapped<S>>,
    {
        product(&self.any, other, true, false)
    }
}

/// The matrix product of two operands: [`Tensor::matmul`] as a function.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(matmul(tensor([[1, 2]]), tensor([[3], [4]])).to_vec(), [11]);
/// ```
#[doc(alias("mm", "bmm", "batch_matmul"))]
#[track_caller]
pub fn matmul<T: Number, A: AsOperand<T>, B: AsOperand<T>>(
    a: A,
    b: B,
) -> Tensor<T, Product<A::Shape, B::Shape>>
where
    B::Shape: RightFactor<A::Shape>,
{
    product(&a.into_operand(), b, false, false)
}

#[track_caller]
fn product<T: Number, S>(
    a: &AnyTensor,
    b: impl AsOperand<T>,
    transpose_a: bool,
    transpose_b: bool,
) -> Tensor<T, S> {
    let attrs = Attrs::new()
        .with("transpose_a", Attr::Bool(transpose_a))
        .with("transpose_b", Attr::Bool(transpose_b));
    Tensor::from_any(AnyTensor::apply(
        &ops::MATMUL,
        attrs,
        &[a, &b.into_operand()],
    ))
}
