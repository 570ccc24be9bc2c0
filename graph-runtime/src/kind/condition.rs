//! What can be the condition of an `if` or `while`, and whether it is decided while tracing or when the graph runs.

use std::marker::PhantomData;

use super::{Graph, Kind, Rust};
use crate::error::Location;
use crate::ops::OneValue;
use crate::tensor::Tensor;
use crate::trace::{self, AnyTensor};
use crate::variable::Variable;

/// A condition of an `if` or `while`: a `bool`, or a boolean scalar tensor.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a condition",
    label = "expected `bool` or `Tensor<bool>`",
    note = "compare it: `x > 0`, `x != 0.0`; for a tensor of several values say which: `x.any()`, `x.all()`"
)]
pub trait Condition {
    /// Whether Rust or the graph decides.
    type Kind: Kind;
    /// Evaluates the condition as far as possible.
    #[doc(hidden)]
    #[track_caller]
    fn decide(self, location: Location) -> Decision;
}

/// A condition after evaluation.
pub enum Decision {
    /// It has a value now.
    Known(bool),
    /// The graph decides.
    Traced(Traced),
}

/// A symbolic condition.
pub struct Traced(pub(crate) AnyTensor);

impl Traced {
    pub(crate) fn into_any(self) -> AnyTensor {
        self.0
    }
}

#[diagnostic::do_not_recommend]
impl Condition for bool {
    type Kind = Rust;
    #[inline]
    fn decide(self, _: Location) -> Decision {
        Decision::Known(self)
    }
}

#[diagnostic::do_not_recommend]
impl<S> Condition for Tensor<bool, S> {
    type Kind = Graph;
    fn decide(self, location: Location) -> Decision {
        decide(self.as_any(), location)
    }
}

#[diagnostic::do_not_recommend]
impl<S> Condition for &Tensor<bool, S> {
    type Kind = Graph;
    fn decide(self, location: Location) -> Decision {
        decide(self.as_any(), location)
    }
}

/// A variable's value is read.
#[diagnostic::do_not_recommend]
impl<S> Condition for &Variable<bool, S> {
    type Kind = Graph;
    #[track_caller]
    fn decide(self, location: Location) -> Decision {
        decide(self.read().as_any(), location)
    }
}

#[diagnostic::do_not_recommend]
impl<S> Condition for Variable<bool, S> {
    type Kind = Graph;
    #[track_caller]
    fn decide(self, location: Location) -> Decision {
        (&self).decide(location)
    }
}

/// A tensor with a value decides at once, any other when the graph runs. It must be a scalar (or hold one value).
#[track_caller]
fn decide(condition: &AnyTensor, location: Location) -> Decision {
    let condition = trace::scalar(condition, OneValue::Decision, &location);
    if !trace::is_tracing() {
        return Decision::Known(
            trace::array_of(&condition, location)
                .values::<bool>()
                .is_some_and(|v| v == [true]),
        );
    }
    Decision::Traced(Traced(condition))
}

/// The kind of a condition that is evaluated later; the loops around need the kind before.
pub struct KindOf<K>(PhantomData<K>);

/// The kind of a condition that is evaluated later.
pub fn kind<K>() -> KindOf<K> {
    KindOf(PhantomData)
}
