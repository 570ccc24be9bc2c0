//! Small conversions that keep generated code as short as the user's: literals that become tensors where tensors are due,
//! and operands that may be used again.

use std::marker::PhantomData;

use graph_kernels::{Array, Element};

use super::again::{Copied, Moved};
use crate::kind::Kind;
use crate::tensor::{FitsShape, ShapeSpec, Tensor};
use crate::trace::AnyTensor;

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

/// A number or truth value that a branch gives: itself where Rust decides, a constant tensor where a tensor does.
pub type Chosen<K, L> = <K as Kind>::Pick<L, Tensor<L>>;

/// A value that is due where a type is written. If it is a tensor, that type may say more or less of its shape.
pub struct Shaped<X>(X);

/// A value that is due where a type is written.
#[inline(always)]
pub fn shaped<X>(x: X) -> Shaped<X> {
    Shaped(x)
}

impl<T: Element, A> Shaped<Tensor<T, A>> {
    /// The tensor, as one of the shape that is due.
    #[track_caller]
    pub fn fits<B: ShapeSpec>(self) -> Tensor<T, B>
    where
        A: FitsShape<B>,
    {
        self.0.with_shape()
    }
}

/// What is no tensor.
pub trait ShapedOther<X> {
    /// The value as it is.
    fn fits(self) -> X;
}
impl<X> ShapedOther<X> for Shaped<X> {
    #[inline(always)]
    fn fits(self) -> X {
        self.0
    }
}

/// What an `if` without an `else` gives where a value is due: nothing.
#[diagnostic::on_unimplemented(
    message = "this `if` has no `else`, but a `{Self}` is due",
    label = "no `{Self}` where the condition doesn't hold",
    note = "say what it is otherwise: `else {{ … }}`"
)]
pub trait WithoutElse {
    #[doc(hidden)]
    fn nothing() -> Self;
}
#[diagnostic::do_not_recommend]
impl WithoutElse for () {
    fn nothing() {}
}

/// Stands in the place of an `else` that isn't written.
#[inline(always)]
pub fn otherwise<T: WithoutElse>() -> T {
    T::nothing()
}

/// What is asked for [`Choosable`] in a branch of kind `K`.
pub type Choice<K, L> = <K as Kind>::Pick<ChoiceOfRust, ChoiceOfTensor<L>>;

/// Rust chooses between literals of any type.
pub struct ChoiceOfRust(());

/// A tensor chooses between literals of a type.
pub struct ChoiceOfTensor<L>(PhantomData<L>);

/// Asked for where a tensor may choose between literals.
#[diagnostic::on_unimplemented(
    message = "a tensor can't choose between literals of type `{L}`",
    label = "no tensor holds a `{L}`",
    note = "tensors hold numbers, truth values and strings"
)]
pub trait Choosable<L> {
    #[doc(hidden)]
    fn constant(literal: L) -> Tensor<L>;
}
#[diagnostic::do_not_recommend]
impl<L> Choosable<L> for ChoiceOfRust {
    fn constant(_: L) -> Tensor<L> {
        unreachable!("Rust decides")
    }
}
#[diagnostic::do_not_recommend]
impl<L: Element> Choosable<L> for ChoiceOfTensor<L> {
    #[track_caller]
    fn constant(literal: L) -> Tensor<L> {
        literal.lift()
    }
}

/// A literal that a branch of kind `K` gives.
#[track_caller]
pub(super) fn chosen<K: Kind, L>(literal: L) -> Chosen<K, L>
where
    Choice<K, L>: Choosable<L>,
{
    match K::GRAPH {
        true => K::from_graph::<L, Tensor<L>>(<Choice<K, L>>::constant(literal)),
        false => K::from_rust::<L, Tensor<L>>(literal),
    }
}

/// A text that a branch gives: itself where Rust decides, a constant tensor where a tensor does.
pub type ChosenText<K> = <K as Kind>::Pick<&'static str, Tensor<String>>;

/// A text that a branch of kind `K` gives.
#[track_caller]
pub(super) fn chosen_text<K: Kind>(text: &'static str) -> ChosenText<K> {
    match K::GRAPH {
        true => K::from_graph::<&'static str, Tensor<String>>(text.lift()),
        false => K::from_rust::<&'static str, Tensor<String>>(text),
    }
}

/// An operand: the variable stays usable, as a `Copy` value would.
#[inline]
pub fn ld<T: Clone>(operand: &T) -> T {
    operand.clone()
}

/// A value of whose type what is due where it is taken says nothing yet. So the clone of a value that Rust would move is coerced as the value itself
/// would be: a `&String` to a `&str`, a `&mut` reference to a shared one.
pub struct Kept<T>(pub(super) T);

impl<T> Kept<T> {
    /// The value.
    #[inline(always)]
    pub fn value(self) -> T {
        self.0
    }
}

/// A clone of a value that is used later.
#[inline]
pub fn kept<T: Clone>(value: &T) -> Kept<T> {
    Kept(value.clone())
}

/// An operand of `-` and `!`. Rust expects of it the type that is due for the result, which in generic code it needn't be: `-x` of a `T` is a `T::Output`.
#[inline(always)]
pub fn untold<T>(operand: T) -> Kept<T> {
    Kept(operand)
}

/// An operand that isn't used any more.
pub struct Operand<'a, T>(&'a T);

/// An operand that isn't used any more: its type decides if it is cloned.
pub fn operand<T>(operand: &T) -> Operand<'_, T> {
    Operand(operand)
}

/// Operands that can be cloned.
pub trait OperandCloned<T> {
    #[doc(hidden)]
    fn copy(self) -> Result<T, Copied>;
}
impl<T: Clone> OperandCloned<T> for Operand<'_, T> {
    #[inline(always)]
    fn copy(self) -> Result<T, Copied> {
        Ok(self.0.clone())
    }
}

/// Operands that can't.
pub trait OperandMoved<T> {
    #[doc(hidden)]
    fn copy(&self) -> Result<T, Moved>;
}
impl<T> OperandMoved<T> for Operand<'_, T> {
    #[inline(always)]
    fn copy(&self) -> Result<T, Moved> {
        Err(Moved(()))
    }
}
