//! Comparisons. `a < b` becomes `ag::cmp(&a, &b).lt()`. If Rust can compare the two, that method is Rust's and returns a `bool`. If
//! one of them is a tensor, it is the graph's and returns a `Tensor<bool>`. For anything else it produces an error message of the compiler.

use std::fmt::Debug;

use graph_kernels::{Array, Element};

use super::assert_stmt::Asserted;
use crate::error::Location;
use crate::ops::{self, Attrs, OpDef};
use crate::tensor::{Broadcast, Common, Tensor};
use crate::trace::{self, AnyTensor};
use crate::variable::Variable;

/// Two values to compare.
pub struct Cmp<'a, A: ?Sized, B: ?Sized>(&'a A, &'a B);

/// Wraps two values to compare.
pub fn cmp<'a, A: ?Sized, B: ?Sized>(a: &'a A, b: &'a B) -> Cmp<'a, A, B> {
    Cmp(a, b)
}

/// Rust's order.
#[allow(missing_docs)]
pub trait RustOrd {
    fn lt(self) -> bool;
    fn le(self) -> bool;
    fn gt(self) -> bool;
    fn ge(self) -> bool;
}

impl<A: PartialOrd<B> + ?Sized, B: ?Sized> RustOrd for Cmp<'_, A, B> {
    fn lt(self) -> bool {
        self.0 < self.1
    }
    fn le(self) -> bool {
        self.0 <= self.1
    }
    fn gt(self) -> bool {
        self.0 > self.1
    }
    fn ge(self) -> bool {
        self.0 >= self.1
    }
}

/// Rust's order of a value behind a shared reference and one behind a mutable reference, which Rust treats as shared here.
#[allow(missing_docs)]
pub trait RustOrdBehind {
    fn lt(&self) -> bool;
    fn le(&self) -> bool;
    fn gt(&self) -> bool;
    fn ge(&self) -> bool;
}

impl<A: PartialOrd<B> + ?Sized, B: ?Sized> RustOrdBehind for Cmp<'_, &A, &mut B> {
    fn lt(&self) -> bool {
        **self.0 < **self.1
    }
    fn le(&self) -> bool {
        **self.0 <= **self.1
    }
    fn gt(&self) -> bool {
        **self.0 > **self.1
    }
    fn ge(&self) -> bool {
        **self.0 >= **self.1
    }
}

/// Rust's equality of a pointer and a reference, which becomes a pointer.
#[allow(missing_docs)]
pub trait RustEqOfPointer {
    fn eq(&self) -> bool;
    fn ne(&self) -> bool;
}

impl<T: ?Sized> RustEqOfPointer for Cmp<'_, *const T, &T> {
    fn eq(&self) -> bool {
        std::ptr::eq(*self.0, *self.1)
    }
    fn ne(&self) -> bool {
        !std::ptr::eq(*self.0, *self.1)
    }
}

/// Rust's equality.
#[allow(missing_docs)]
pub trait RustEq {
    fn eq(self) -> bool;
    fn ne(self) -> bool;
}

impl<A: PartialEq<B> + ?Sized, B: ?Sized> RustEq for Cmp<'_, A, B> {
    fn eq(self) -> bool {
        self.0 == self.1
    }
    #[allow(clippy::partialeq_ne_impl)]
    fn ne(self) -> bool {
        self.0 != self.1
    }
}

/// Rust's `assert_eq!` and `assert_ne!`.
#[allow(missing_docs)]
pub trait RustAssert {
    fn assert_eq<'m>(self, message: impl FnOnce() -> Option<String> + 'm) -> Asserted<'m>
    where
        Self: 'm;
    fn assert_ne<'m>(self, message: impl FnOnce() -> Option<String> + 'm) -> Asserted<'m>
    where
        Self: 'm;
}

impl<A: PartialEq<B> + Debug + ?Sized, B: Debug + ?Sized> RustAssert for Cmp<'_, A, B> {
    fn assert_eq<'m>(self, message: impl FnOnce() -> Option<String> + 'm) -> Asserted<'m>
    where
        Self: 'm,
    {
        if self.0 == self.1 {
            return Asserted::HOLDS;
        }
        Asserted::failing(move || disagreement("left == right", &self.0, &self.1, message()))
    }
    fn assert_ne<'m>(self, message: impl FnOnce() -> Option<String> + 'm) -> Asserted<'m>
    where
        Self: 'm,
    {
        if !(self.0 == self.1) {
            return Asserted::HOLDS;
        }
        Asserted::failing(move || disagreement("left != right", &self.0, &self.1, message()))
    }
}

/// Rust's message for a failed assertion.
fn disagreement(
    relation: &str,
    left: &dyn Debug,
    right: &dyn Debug,
    message: Option<String>,
) -> String {
    let message = message.map(|m| format!(": {m}")).unwrap_or_default();
    format!("assertion `{relation}` failed{message}\n  left: {left:?}\n right: {right:?}")
}

/// The graph's comparisons: elementwise, with broadcasting.
#[allow(missing_docs)]
pub trait TensorCmp {
    /// The shape of the result, as far as the types determine it.
    type Shape;
    #[doc(hidden)]
    fn operands(&self) -> (AnyTensor, AnyTensor);

    #[track_caller]
    fn lt(&self) -> Tensor<bool, Self::Shape> {
        compare(&ops::LESS, self.operands())
    }
    #[track_caller]
    fn le(&self) -> Tensor<bool, Self::Shape> {
        compare(&ops::LESS_EQUAL, self.operands())
    }
    #[track_caller]
    fn gt(&self) -> Tensor<bool, Self::Shape> {
        compare(&ops::GREATER, self.operands())
    }
    #[track_caller]
    fn ge(&self) -> Tensor<bool, Self::Shape> {
        compare(&ops::GREATER_EQUAL, self.operands())
    }
    #[track_caller]
    fn eq(&self) -> Tensor<bool, Self::Shape> {
        compare(&ops::EQUAL, self.operands())
    }
    #[track_caller]
    fn ne(&self) -> Tensor<bool, Self::Shape> {
        compare(&ops::NOT_EQUAL, self.operands())
    }
    #[track_caller]
    fn assert_eq(&self, message: impl FnOnce() -> Option<String>) -> Asserted<'static> {
        assert_all(&ops::EQUAL, "left == right", self.operands(), message)
    }
    #[track_caller]
    fn assert_ne(&self, message: impl FnOnce() -> Option<String>) -> Asserted<'static> {
        assert_all(&ops::NOT_EQUAL, "left != right", self.operands(), message)
    }
}

#[track_caller]
fn compare<S>(op: &'static OpDef, (a, b): (AnyTensor, AnyTensor)) -> Tensor<bool, S> {
    Tensor::from_any(AnyTensor::apply(op, Attrs::default(), &[&a, &b]))
}

#[track_caller]
fn assert_all(
    op: &'static OpDef,
    relation: &str,
    (left, right): (AnyTensor, AnyTensor),
    message: impl FnOnce() -> Option<String>,
) -> Asserted<'static> {
    let location = Location::caller();
    let compared: Tensor<bool> = compare(op, (left.clone(), right.clone()));
    let (message, tensors) = trace::gather(&location, || {
        disagreement(relation, &left, &right, message())
    });
    trace::assert_that(compared.all().as_any(), message, &tensors, location);
    Asserted::HOLDS
}

/// The other side of a comparison with a tensor.
trait Side {
    fn side(&self) -> AnyTensor;
}
impl<T: Element, S> Side for Tensor<T, S> {
    fn side(&self) -> AnyTensor {
        self.as_any().clone()
    }
}
impl<T: Element, S> Side for &Tensor<T, S> {
    fn side(&self) -> AnyTensor {
        self.as_any().clone()
    }
}

/// A variable is read.
impl<T: Element, S> Side for Variable<T, S> {
    #[track_caller]
    fn side(&self) -> AnyTensor {
        self.read().into_any()
    }
}
impl<T: Element, S> Side for &Variable<T, S> {
    #[track_caller]
    fn side(&self) -> AnyTensor {
        self.read().into_any()
    }
}

/// A side that is a plain value.
struct Plain<'a, T>(&'a T);
impl<T: Element> Plain<'_, T> {
    #[track_caller]
    fn side(&self) -> AnyTensor {
        AnyTensor::constant(Array::scalar(self.0.clone()))
    }
}

macro_rules! tensor_cmp {
    ($($a:ty, $b:ty;)*) => { $(
        impl<T: Element, S: Broadcast<R>, R> TensorCmp for Cmp<'_, $a, $b> {
            type Shape = Common<S, R>;
            #[track_caller]
            fn operands(&self) -> (AnyTensor, AnyTensor) { (self.0.side(), self.1.side()) }
        }
    )* };
}
tensor_cmp! {
    Tensor<T, S>, Tensor<T, R>;
    &Tensor<T, S>, Tensor<T, R>;
    Tensor<T, S>, &Tensor<T, R>;
    &Tensor<T, S>, &Tensor<T, R>;
    Variable<T, S>, Variable<T, R>;
    Variable<T, S>, Tensor<T, R>;
    Tensor<T, S>, Variable<T, R>;
    &Variable<T, S>, &Variable<T, R>;
    &Variable<T, S>, Tensor<T, R>;
    Tensor<T, S>, &Variable<T, R>;
}
macro_rules! tensor_plain {
    ($($tensor:ty),*) => { $(
        impl<T: Element, S> TensorCmp for Cmp<'_, $tensor, T> {
            type Shape = S;
            #[track_caller]
            fn operands(&self) -> (AnyTensor, AnyTensor) { (self.0.side(), Plain(self.1).side()) }
        }
        impl<T: Element, S> TensorCmp for Cmp<'_, T, $tensor> {
            type Shape = S;
            #[track_caller]
            fn operands(&self) -> (AnyTensor, AnyTensor) { (Plain(self.0).side(), self.1.side()) }
        }
    )* };
}
tensor_plain! { Tensor<T, S>, &Tensor<T, S>, Variable<T, S>, &Variable<T, S> }
macro_rules! tensor_str {
    ($($tensor:ty, $text:ty;)*) => { $(
        impl<S> TensorCmp for Cmp<'_, $tensor, $text> {
            type Shape = S;
            #[track_caller]
            fn operands(&self) -> (AnyTensor, AnyTensor) { (self.0.side(), Plain(&self.1.to_string()).side()) }
        }
        impl<S> TensorCmp for Cmp<'_, $text, $tensor> {
            type Shape = S;
            #[track_caller]
            fn operands(&self) -> (AnyTensor, AnyTensor) { (Plain(&self.0.to_string()).side(), self.1.side()) }
        }
    )* };
}
tensor_str! {
    Tensor<String, S>, str;
    Tensor<String, S>, &str;
    &Tensor<String, S>, &str;
}

/// Values that neither Rust nor the graph can compare; implemented only for the compiler's message.
#[allow(missing_docs)]
pub trait Incomparable<A: ?Sized, B: ?Sized> {
    fn lt<R>(&mut self) -> R
    where
        A: CompareWith<B>,
    {
        unreachable!("no program gets here")
    }
    fn le<R>(&mut self) -> R
    where
        A: CompareWith<B>,
    {
        unreachable!("no program gets here")
    }
    fn gt<R>(&mut self) -> R
    where
        A: CompareWith<B>,
    {
        unreachable!("no program gets here")
    }
    fn ge<R>(&mut self) -> R
    where
        A: CompareWith<B>,
    {
        unreachable!("no program gets here")
    }
    fn eq<R>(&mut self) -> R
    where
        A: CompareWith<B>,
    {
        unreachable!("no program gets here")
    }
    fn ne<R>(&mut self) -> R
    where
        A: CompareWith<B>,
    {
        unreachable!("no program gets here")
    }
    fn assert_eq(&mut self, _: impl FnOnce() -> Option<String>) -> Asserted<'static>
    where
        A: CompareWith<B>,
    {
        unreachable!("no program gets here")
    }
    fn assert_ne(&mut self, _: impl FnOnce() -> Option<String>) -> Asserted<'static>
    where
        A: CompareWith<B>,
    {
        unreachable!("no program gets here")
    }
}
impl<A: ?Sized, B: ?Sized> Incomparable<A, B> for Cmp<'_, A, B> {}

/// Implemented by no type: required where two values can't be compared.
#[diagnostic::on_unimplemented(
    message = "can't compare `{Self}` with `{B}`",
    label = "no comparison of `{Self}` with `{B}`",
    note = "a tensor is compared with a tensor or a plain value of its own element type: `x > 0` for `Tensor<i32>`, `x > 0.0` for \
            `Tensor<f32>`; `x.cast::<f32>()` changes the element type; where that is a parameter `T`, `tensor(0).cast::<T>()` is a 0 of it"
)]
pub trait CompareWith<B: ?Sized> {}
