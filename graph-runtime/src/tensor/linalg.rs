//! Matrix products, and systems of linear equations.

use super::{
    AnyTensor, AsOperand, Dyn, Float, Matrix, Number, Product, RightFactor, Swapped, Tensor,
};
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

impl<T: Float, S> Tensor<T, S> {
    /// The `x` with `self · x = right`: `[.., n, n]` and `[.., n, k]` give `[.., n, k]`; leading axes broadcast. A vector on the right is one column
    /// for all matrices: `[.., n, n]` and `[n]` give `[.., n]`. (`numpy.linalg.solve`)
    ///
    /// # Errors
    /// If the matrices aren't square or the right side has another number of rows; when run, if a matrix is singular.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let a = tensor([[2.0, 1.0], [1.0, 3.0]]);
    /// assert_eq!(a.solve(tensor([5.0, 10.0])).to_vec(), [1.0, 3.0]);
    /// assert_eq!(a.solve(tensor([[5.0], [10.0]])).shape().to_string(), "[2,1]");
    /// ```
    #[doc(alias("matrix_solve"))]
    #[track_caller]
    pub fn solve(&self, right: impl AsOperand<T>) -> Tensor<T> {
        let right = Tensor::<T>::from_any(right.into_operand());
        if right.shape().rank() == Some(1) {
            let column = right.expand_dims(-1);
            return solution::<T, Dyn>(&self.any, &column.any).squeeze(&[-1]);
        }
        solution(&self.any, &right.any)
    }

    /// The inverse of each matrix: `[.., n, n]` gives `[.., n, n]`. To multiply by an inverse, [`solve`](Self::solve) is faster and more precise.
    ///
    /// # Errors
    /// If the matrices aren't square; when run, if one is singular.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[2.0, 0.0], [1.0, 4.0]]).inv().to_vec(), [0.5, 0.0, -0.125, 0.25]);
    /// ```
    #[doc(alias("inverse", "matrix_inverse"))]
    #[track_caller]
    pub fn inv(&self) -> Tensor<T, S> {
        let x = self.to_dynamic();
        let identity = x.diag_part().ones_like().diag();
        solution(&x.any, &identity.any)
    }
}

#[track_caller]
fn solution<T: Float, S>(a: &AnyTensor, b: &AnyTensor) -> Tensor<T, S> {
    let attrs = Attrs::new().with("adjoint", Attr::Bool(false));
    Tensor::from_any(AnyTensor::apply(&ops::SOLVE, attrs, &[a, b]))
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
