//! A float literal in a generic function, where the element type of a tensor may be a parameter, which has no literals: `x * 0.9` becomes
//! `match x { value => { let number = ag__::beside(&value).float(0.9); value * number } }`. Beside a tensor of floats, the number is a constant of its
//! element type. Beside anything else it stays the literal, whose type Rust infers.

use crate::tensor::{AsOperand, Float, S0, Tensor};
use crate::variable::Variable;

/// The other operand of an operator.
pub struct Beside<'a, A: ?Sized>(&'a A);

/// Wraps the other operand; its type decides what a literal is.
pub fn beside<A: ?Sized>(operand: &A) -> Beside<'_, A> {
    Beside(operand)
}

/// Tensors and variables of floats, and references to them.
pub trait OfFloats {
    /// The type of the elements.
    type Element: Float;
}
impl<T: Float, S> OfFloats for Tensor<T, S> {
    type Element = T;
}
impl<T: Float, S> OfFloats for Variable<T, S> {
    type Element = T;
}
impl<A: OfFloats> OfFloats for &A {
    type Element = A::Element;
}
impl<A: OfFloats> OfFloats for &mut A {
    type Element = A::Element;
}

/// A literal beside a tensor.
pub trait FloatBesideTensor<T> {
    /// The constant.
    fn float(self, literal: f64) -> Tensor<T, S0>;
}
impl<A: OfFloats> FloatBesideTensor<A::Element> for Beside<'_, A> {
    fn float(self, literal: f64) -> Tensor<A::Element, S0> {
        Tensor::from_any(A::Element::from_f64(literal).into_operand())
    }
}

/// A literal beside anything else.
pub trait FloatBesideOther {
    /// The literal itself.
    fn float<L>(&self, literal: L) -> L;
}
impl<A: ?Sized> FloatBesideOther for Beside<'_, A> {
    #[inline(always)]
    fn float<L>(&self, literal: L) -> L {
        literal
    }
}
