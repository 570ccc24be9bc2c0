//! Small conversions that keep generated code as short as the user's: literals that become tensors where tensors are due,
//! and operands that may be used again.

use graph_kernels::{Array, Element};

use crate::tensor::Tensor;
use crate::tensor::any::AnyTensor;

/// A literal that can stand where a `T` is due: as itself, or as a constant tensor.
#[diagnostic::on_unimplemented(
    message = "expected `{T}`, found a `{Self}` literal",
    label = "expected `{T}`",
    note = "a literal stands for a tensor of its own element type: `0` for `Tensor<i32>`, `0.0` for `Tensor<f32>`"
)]
pub trait Lift<T> {
    #[doc(hidden)]
    fn lift(self) -> T;
}

impl<T> Lift<T> for T {
    fn lift(self) -> T {
        self
    }
}

impl<T: Element, S> Lift<Tensor<T, S>> for T {
    #[track_caller]
    fn lift(self) -> Tensor<T, S> {
        Tensor::from_any(AnyTensor::constant(Array::scalar(self)))
    }
}

impl<S> Lift<Tensor<String, S>> for &str {
    #[track_caller]
    fn lift(self) -> Tensor<String, S> {
        Tensor::from_any(AnyTensor::constant(Array::scalar(self.to_owned())))
    }
}

/// A literal as what is due.
#[track_caller]
pub fn lift<T>(literal: impl Lift<T>) -> T {
    literal.lift()
}

/// An operand: the variable stays usable, as a `Copy` value would.
#[inline]
pub fn ld<T: Clone>(operand: &T) -> T {
    operand.clone()
}
