//! `&&` and `||`: Rust's operators for `bool`s. For tensors, the right side is traced into a `cond`, so that it runs only if the
//! left side doesn't decide.

use graph_kernels::Array;
use smallvec::{SmallVec, smallvec};

use crate::error::{Construct, Location};
use crate::kind::{Condition, Decision};
use crate::ops::OneValue;
use crate::tensor::{AsOperand, Tensor};
use crate::trace::{self, AfterPass, AnyTensor, Branching, Parts, Vars};
use crate::variable::Variable;

/// The operands of `&&` and `||`: `bool` and `Tensor<bool>`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` and `{B}` can't be joined by `&&` or `||`",
    label = "expected a `bool` or a `Tensor<bool>` on both sides",
    note = "compare it: `x > 0 && n != 0`"
)]
pub trait Logic<B>: Condition {
    /// `bool` if both are, else a tensor.
    type Output;
    #[doc(hidden)]
    fn known(value: bool) -> Self::Output;
    #[doc(hidden)]
    fn right(value: B) -> Self::Output;
    #[doc(hidden)]
    fn tensor(value: &Self::Output) -> Option<AnyTensor>;
    #[doc(hidden)]
    fn of_tensor(value: AnyTensor) -> Self::Output;
}

#[diagnostic::do_not_recommend]
impl Logic<bool> for bool {
    type Output = bool;
    fn known(value: bool) -> bool {
        value
    }
    fn right(value: bool) -> bool {
        value
    }
    fn tensor(_: &bool) -> Option<AnyTensor> {
        None
    }
    fn of_tensor(_: AnyTensor) -> bool {
        unreachable!("two `bool`s are never traced")
    }
}

macro_rules! logic {
    ($([$($generics:tt)*] $a:ty, $b:ty;)*) => { $(
        #[diagnostic::do_not_recommend]
        impl<$($generics)*> Logic<$b> for $a {
            type Output = Tensor<bool>;
            #[track_caller]
            fn known(value: bool) -> Tensor<bool> { Tensor::from_any(AnyTensor::constant(Array::scalar(value))) }
            #[track_caller]
            fn right(value: $b) -> Tensor<bool> { Tensor::from_any(value.into_operand()) }
            fn tensor(value: &Tensor<bool>) -> Option<AnyTensor> { Some(value.as_any().clone()) }
            fn of_tensor(value: AnyTensor) -> Tensor<bool> { Tensor::from_any(value) }
        }
    )* };
}
logic! {
    [S] bool, Tensor<bool, S>;
    [S] bool, &Tensor<bool, S>;
    [S] bool, Variable<bool, S>;
    [S] bool, &Variable<bool, S>;
    [S, B: AsOperand<bool>] Tensor<bool, S>, B;
    [S, B: AsOperand<bool>] &Tensor<bool, S>, B;
    [S, B: AsOperand<bool>] Variable<bool, S>, B;
    [S, B: AsOperand<bool>] &Variable<bool, S>, B;
}

/// `a && b`.
#[track_caller]
pub fn and<A: Logic<B, Output = R>, B, R>(a: A, b: impl FnOnce() -> B) -> R {
    join::<A, B>(a, b, false)
}

/// `a || b`.
#[track_caller]
pub fn or<A: Logic<B, Output = R>, B, R>(a: A, b: impl FnOnce() -> B) -> R {
    join::<A, B>(a, b, true)
}

/// If the left side is `deciding`, it is the result; else the right side is.
#[track_caller]
fn join<A: Logic<B>, B>(a: A, b: impl FnOnce() -> B, deciding: bool) -> A::Output {
    let location = Location::caller().of(if deciding {
        Construct::Or
    } else {
        Construct::And
    });
    let condition = match a.decide(location.clone()) {
        Decision::Known(value) if value == deciding => return A::known(deciding),
        Decision::Known(_) => return right::<A, B>(b(), &location),
        Decision::Traced(condition) => condition,
    };
    let mut branching = Branching::new(&condition.0, location.clone());
    let mut vars = Vars(SmallVec::new());
    let mut b = Some(b);
    while branching.next(&mut vars) == AfterPass::Run {
        let value = if branching.branch() == deciding {
            A::known(deciding)
        } else {
            let b = b.take().expect("the right side is traced once");
            right::<A, B>(b(), &location)
        };
        let leaf = A::tensor(&value).expect("traced logic gives tensors");
        branching.yields(Some(Parts {
            structure: Box::new(()),
            leaves: smallvec![leaf],
        }));
    }
    let value = branching.take_value().leaves.pop().expect("one value");
    A::of_tensor(value)
}

/// The right side, which is the result where the left side doesn't decide.
#[track_caller]
fn right<A: Logic<B>, B>(b: B, location: &Location) -> A::Output {
    let value = A::right(b);
    match A::tensor(&value) {
        Some(tensor) => A::of_tensor(trace::scalar(&tensor, OneValue::Decision, location)),
        None => value,
    }
}
