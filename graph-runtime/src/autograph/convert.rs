//! Small conversions that keep generated code as short as the user's: literals become tensors where tensors are expected, and operands stay usable.

use std::marker::PhantomData;

use graph_kernels::{Array, Element};

use super::again::{Copied, Moved};
use crate::kind::Kind;
use crate::tensor::{FitsShape, ShapeSpec, Tensor};
use crate::trace::AnyTensor;

/// A literal where a `T` is expected: itself, or a constant tensor.
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

/// Converts a literal to the expected type.
#[track_caller]
pub fn lift<T>(literal: impl Lift<T>) -> T {
    literal.lift()
}

/// A variable whose value is a literal, or that of code that may have any type, such as `s.parse().unwrap()`.
pub struct Like<'a, X, L>(PhantomData<(&'a X, L)>);

/// Relates the type of a variable to that of a literal.
#[inline(always)]
pub fn like<X, L>(_: &X, _: L) -> Like<'_, X, L> {
    Like(PhantomData)
}

/// If no code has told the variable's type, this method is found, and the type is that of the literal: a number whose type is open becomes
/// `i32` or `f64`, as in plain Rust.
impl<L> Like<'_, L, L> {
    /// Does nothing when run.
    #[inline(always)]
    pub fn settle(self) {}
}

/// The variable has another type, for example that of a tensor.
pub trait LikeNoLiteral {
    /// Does nothing.
    fn settle(&self);
}
impl<X, L> LikeNoLiteral for Like<'_, X, L> {
    #[inline(always)]
    fn settle(&self) {}
}

/// A number or boolean as the value of a branch: itself where Rust decides, a constant tensor where a tensor decides.
pub type Chosen<K, L> = <K as Kind>::Pick<L, Tensor<L>>;

/// A value for a place with a declared type. A declared tensor type may say more or less about the shape than the value's type.
pub struct Shaped<X>(X);

/// Wraps a value for a place with a declared type.
#[inline(always)]
pub fn shaped<X>(x: X) -> Shaped<X> {
    Shaped(x)
}

impl<T: Element, A> Shaped<Tensor<T, A>> {
    /// The tensor, with the shape of the declared type.
    #[track_caller]
    pub fn fits<B: ShapeSpec>(self) -> Tensor<T, B>
    where
        A: FitsShape<B>,
    {
        self.0.with_shape()
    }
}

/// Values that aren't tensors.
pub trait ShapedOther<X> {
    /// Returns the value unchanged.
    fn fits(self) -> X;
}
impl<X> ShapedOther<X> for Shaped<X> {
    #[inline(always)]
    fn fits(self) -> X {
        self.0
    }
}

/// The missing value of an `if` without an `else`; implemented only where no value is needed.
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

/// Replaces a missing `else`.
#[inline(always)]
pub fn otherwise<T: WithoutElse>() -> T {
    T::nothing()
}

/// The type that must be [`Choosable`] in a branch of kind `K`.
pub type Choice<K, L> = <K as Kind>::Pick<ChoiceOfRust, ChoiceOfTensor<L>>;

/// Rust chooses between literals of any type.
pub struct ChoiceOfRust(());

/// A tensor chooses between literals of a type.
pub struct ChoiceOfTensor<L>(PhantomData<L>);

/// Required where a tensor may choose between literals.
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

/// A literal as the value of a branch of kind `K`.
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

/// A string literal as the value of a branch: itself where Rust decides, a constant tensor where a tensor decides.
pub type ChosenText<K> = <K as Kind>::Pick<&'static str, Tensor<String>>;

/// A string literal as the value of a branch of kind `K`.
#[track_caller]
pub(super) fn chosen_text<K: Kind>(text: &'static str) -> ChosenText<K> {
    match K::GRAPH {
        true => K::from_graph::<&'static str, Tensor<String>>(text.lift()),
        false => K::from_rust::<&'static str, Tensor<String>>(text),
    }
}

/// Loads an operand; the variable stays usable, as with a `Copy` value.
#[inline]
pub fn load<T: Clone>(operand: &T) -> T {
    operand.clone()
}

/// A clone of a value, in a wrapper without expected type. The clone is coerced after it is taken out, as the value itself would
/// be: a `&String` to a `&str`, a `&mut` reference to a shared one.
pub struct Kept<T>(pub(super) T);

impl<T> Kept<T> {
    /// The value.
    #[inline(always)]
    pub fn value(self) -> T {
        self.0
    }
}

/// Clones a value that is used later.
#[inline]
pub fn kept<T: Clone>(value: &T) -> Kept<T> {
    Kept(value.clone())
}

/// An operand of `-` or `!`. Rust would infer its type from the expected result, which is wrong in generic code: `-x` of a `T` is a `T::Output`.
#[inline(always)]
pub fn untold<T>(operand: T) -> Kept<T> {
    Kept(operand)
}

/// An operand that isn't used any more.
pub struct Operand<'a, T>(&'a T);

/// Wraps an operand that isn't used any more; its type decides whether it is cloned.
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
