//! Products that are made of others: Kronecker's, the cross product, and powers of a matrix.

use super::split::fail;
use super::{AsOperand, Float, Number, Tensor, concat};

impl<T: Number, S> Tensor<T, S> {
    /// Kronecker's product: each element of `self` times all of `other`, `[m, n]` and `[p, q]` give `[m * p, n * q]`. Of any rank; the tensor with
    /// fewer axes gets more of size 1 in front. (`numpy.kron`)
    ///
    /// # Errors
    /// If a rank isn't known while tracing.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2]]).kron(tensor([[1, 1], [0, 1]]));
    /// assert_eq!(x.to_vec(), [1, 1, 2, 2, 0, 1, 0, 2]);
    /// assert_eq!(x.shape(), [2, 4]);
    /// ```
    #[doc(alias("kronecker"))]
    #[track_caller]
    pub fn kron(&self, other: impl AsOperand<T>) -> Tensor<T> {
        let other = Tensor::<T>::from_any(other.into_operand());
        let rank = self.rank().max(other.rank());
        let (a, b) = (widened(self.to_dynamic(), rank), widened(other, rank));
        let (mut left, mut right) = (a.clone(), b.clone());
        for axis in 0..rank as isize {
            left = left.expand_dims(2 * axis + 1);
            right = right.expand_dims(2 * axis);
        }
        let product = left * right;
        match (sizes_of(&a), sizes_of(&b)) {
            (Some(a), Some(b)) => {
                let sizes: Vec<usize> = a.iter().zip(&b).map(|(a, b)| a * b).collect();
                product.reshape(sizes)
            }
            _ => product.reshape(a.shape_tensor() * b.shape_tensor()),
        }
    }

    /// The cross product of vectors of three numbers, which stand along the last axis; the others broadcast. (`numpy.cross`)
    ///
    /// # Errors
    /// If the size of the last axis isn't 3, or isn't known while tracing.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 0, 0]).cross(tensor([0, 1, 0])).to_vec(), [0, 0, 1]);
    /// ```
    #[doc(alias("cross_product"))]
    #[track_caller]
    pub fn cross(&self, other: impl AsOperand<T>) -> Tensor<T> {
        let [a, b, c] = components(&self.to_dynamic());
        let [x, y, z] = components(&Tensor::from_any(other.into_operand()));
        concat(&[&b * &z - &c * &y, &c * &x - &a * &z, a * y - b * x], -1)
    }
}

impl<T: Float, S> Tensor<T, S> {
    /// A square matrix, or each of several, times itself `exponent` times; its inverse for a negative exponent, and the identity for 0.
    /// (`numpy.linalg.matrix_power`)
    ///
    /// # Errors
    /// If the matrices aren't square; when run, if one is singular and the exponent is negative.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1.0, 1.0], [1.0, 0.0]]).matrix_power(10).to_vec(), [89.0, 55.0, 55.0, 34.0]);
    /// ```
    #[track_caller]
    pub fn matrix_power(&self, exponent: i32) -> Tensor<T> {
        let mut square = match exponent {
            ..0 => self.to_dynamic().inv(),
            _ => self.to_dynamic(),
        };
        let mut rest = exponent.unsigned_abs();
        let mut power: Option<Tensor<T>> = None;
        while rest > 0 {
            if rest % 2 == 1 {
                power = Some(match power {
                    Some(power) => power.matmul(&square),
                    None => square.clone(),
                });
            }
            rest /= 2;
            if rest > 0 {
                square = square.matmul(&square);
            }
        }
        power.unwrap_or_else(|| {
            // The product checks that the matrices are square.
            let identity = square.diag_part().ones_like().diag();
            square.zeros_like().matmul(&square) + identity
        })
    }
}

/// The tensor with this rank: with more axes of size 1 in front.
#[track_caller]
fn widened<T: Number>(x: Tensor<T>, rank: usize) -> Tensor<T> {
    let mut wide = x.clone();
    for _ in x.rank()..rank {
        wide = wide.expand_dims(0);
    }
    wide
}

/// The sizes, if tracing knows all of them.
fn sizes_of<T: Number>(x: &Tensor<T>) -> Option<Vec<usize>> {
    x.as_any().shape().dims()?.iter().copied().collect()
}

/// The three numbers of each vector, with the last axis.
#[track_caller]
fn components<T: Number>(x: &Tensor<T>) -> [Tensor<T>; 3] {
    if x.rank() == 0 || x.dim(-1) != 3 {
        fail(format!(
            "`cross` takes vectors of three numbers along the last axis, not a tensor of shape {}",
            x.shape()
        ));
    }
    [
        x.slice_axis(-1, Some(0), Some(1), 1),
        x.slice_axis(-1, Some(1), Some(2), 1),
        x.slice_axis(-1, Some(2), Some(3), 1),
    ]
}
