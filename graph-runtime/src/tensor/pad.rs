//! Padding.

use graph_kernels::{Element, Mirror};

use super::{AnyTensor, AsOperand, IndexElement, Tensor};
use crate::ops::{self, Attr, Attrs};

/// The numbers of values before and after each axis: a list of `(usize, usize)` or `[usize; 2]`, or a tensor `[rank, 2]` of `i32` or `i64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a list of paddings",
    label = "expected one pair for each axis, `[(1, 1), (0, 2)]`, or a tensor of i32 or i64"
)]
pub trait Paddings {
    /// Pads `x` with a scalar.
    #[doc(hidden)]
    #[track_caller]
    fn around(self, x: &AnyTensor, value: &AnyTensor) -> AnyTensor;
}

/// The attributes `before` and `after`.
fn paddings(attrs: Attrs, pairs: &[(usize, usize)]) -> Attrs {
    let side = |size: fn(&(usize, usize)) -> usize| {
        let size = |pair| i64::try_from(size(pair)).unwrap_or(i64::MAX);
        Attr::Ints(pairs.iter().map(size).collect())
    };
    attrs
        .with("before", side(|pair| pair.0))
        .with("after", side(|pair| pair.1))
}

impl Paddings for &[(usize, usize)] {
    fn around(self, x: &AnyTensor, value: &AnyTensor) -> AnyTensor {
        AnyTensor::apply(&ops::PAD, paddings(Attrs::new(), self), &[x, value])
    }
}

impl<const K: usize> Paddings for &[(usize, usize); K] {
    fn around(self, x: &AnyTensor, value: &AnyTensor) -> AnyTensor {
        self.as_slice().around(x, value)
    }
}

impl<const K: usize> Paddings for [(usize, usize); K] {
    fn around(self, x: &AnyTensor, value: &AnyTensor) -> AnyTensor {
        self.as_slice().around(x, value)
    }
}

impl<const K: usize> Paddings for [[usize; 2]; K] {
    fn around(self, x: &AnyTensor, value: &AnyTensor) -> AnyTensor {
        self.map(|[before, after]| (before, after)).around(x, value)
    }
}

impl<I: IndexElement, S> Paddings for Tensor<I, S> {
    fn around(self, x: &AnyTensor, value: &AnyTensor) -> AnyTensor {
        (&self).around(x, value)
    }
}

impl<I: IndexElement, S> Paddings for &Tensor<I, S> {
    fn around(self, x: &AnyTensor, value: &AnyTensor) -> AnyTensor {
        AnyTensor::apply(&ops::PAD_BY, Attrs::new(), &[x, value, self.as_any()])
    }
}

impl<T: Element, S> Tensor<T, S> {
    /// Pads with zeros (`false`, empty strings): `paddings[i]` is how many are added before and after axis `i`. With paddings `(p, q)`, an
    /// axis of size `n` gets the size `p + n + q`.
    ///
    /// # Errors
    /// If the number of pairs isn't the rank.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).pad([[1, 2]]).to_vec(), [0, 1, 2, 0, 0]);
    /// assert_eq!(tensor([1, 2]).pad(tensor([[0, 1]])).to_vec(), [1, 2, 0]);
    /// ```
    #[track_caller]
    pub fn pad(&self, paddings: impl Paddings) -> Tensor<T> {
        self.pad_with(paddings, T::default())
    }

    /// [`pad`](Self::pad) with a given value instead of zero.
    ///
    /// # Errors
    /// As [`pad`](Self::pad).
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2]).pad_with([(1, 2)], 9).to_vec(), [9, 1, 2, 9, 9]);
    /// ```
    #[track_caller]
    pub fn pad_with(&self, paddings: impl Paddings, value: impl AsOperand<T>) -> Tensor<T> {
        Tensor::from_any(paddings.around(&self.any, &value.into_operand()))
    }

    /// Pads with the mirrored values, without repeating the border: `3 2 | 1 2 3 | 2 1`.
    ///
    /// # Errors
    /// If the number of pairs isn't the rank, or a padding isn't smaller than the axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).pad_reflect(&[(2, 1)]).to_vec(), [3, 2, 1, 2, 3, 2]);
    /// ```
    #[track_caller]
    pub fn pad_reflect(&self, paddings: &[(usize, usize)]) -> Tensor<T> {
        self.mirrored(Mirror::Reflect, paddings)
    }

    /// Pads with the mirrored values, repeating the border: `2 1 | 1 2 3 | 3`.
    ///
    /// # Errors
    /// If the number of pairs isn't the rank, or a padding is larger than the axis.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).pad_symmetric(&[(2, 1)]).to_vec(), [2, 1, 1, 2, 3, 3]);
    /// ```
    #[track_caller]
    pub fn pad_symmetric(&self, paddings: &[(usize, usize)]) -> Tensor<T> {
        self.mirrored(Mirror::Symmetric, paddings)
    }

    #[track_caller]
    fn mirrored(&self, mirror: Mirror, pairs: &[(usize, usize)]) -> Tensor<T> {
        let mode = Attrs::new().with("mode", Attr::Text(mirror.name().to_owned()));
        self.unary(&ops::MIRROR_PAD, paddings(mode, pairs))
    }
}
