//! `AsOperand`: what may be the other operand of an operator or a method: a tensor, a reference to one, or a plain Rust value of its
//! element type, which becomes a scalar constant.

use graph_kernels::{Array, Element};

use super::shape::S0;
use super::{AnyTensor, Tensor};

/// An operand with elements of type `T`: `Tensor<T>`, `&Tensor<T>`, `T`, `&T`; and `&str` for strings.
///
/// The element type is a parameter of the trait, not an associated type, so that the types of literals are inferred: in `x.maximum(0)` the
/// tensor's type decides the type of `0`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an operand for a tensor of `{T}`",
    label = "expected a tensor of `{T}` or a `{T}`",
    note = "a number has the tensor's element type: `1.0` for `Tensor<f32>`, `n as i32` for `Tensor<i32>`; `x.cast::<U>()` converts a tensor's \
            elements; where the element type is a parameter, `T::from_f64(0.9)` is a number of it for `T: Float`, and `tensor(2).cast::<T>()` for \
            any `T`"
)]
pub trait AsOperand<T> {
    /// The shape in the operand's type.
    type Shape;

    /// The untyped tensor; a plain value becomes a constant.
    #[doc(hidden)]
    #[track_caller]
    fn into_operand(self) -> AnyTensor;
}

impl<T: Element> AsOperand<T> for T {
    type Shape = S0;
    fn into_operand(self) -> AnyTensor {
        AnyTensor::constant(Array::scalar(self))
    }
}

impl<T: Element> AsOperand<T> for &T {
    type Shape = S0;
    fn into_operand(self) -> AnyTensor {
        AnyTensor::constant(Array::scalar(self.clone()))
    }
}

impl AsOperand<String> for &str {
    type Shape = S0;
    fn into_operand(self) -> AnyTensor {
        AnyTensor::constant(Array::scalar(self.to_string()))
    }
}

impl<T: Element, S> AsOperand<T> for Tensor<T, S> {
    type Shape = S;
    fn into_operand(self) -> AnyTensor {
        self.into_any()
    }
}

impl<T: Element, S> AsOperand<T> for &Tensor<T, S> {
    type Shape = S;
    fn into_operand(self) -> AnyTensor {
        self.as_any().clone()
    }
}

/// Lets `concat(&[&a, &b], 0)` iterate over a slice of references.
impl<T: Element, S> AsOperand<T> for &&Tensor<T, S> {
    type Shape = S;
    fn into_operand(self) -> AnyTensor {
        self.as_any().clone()
    }
}
