//! `if_stmt`: an `if` whose condition's type decides. A `bool` picks a branch; a tensor has the branches traced one
//! after the other: the code around them runs as a loop, one pass a branch, and the variables are set back between.
//!
//! ```text
//! let mut if_stmt = ag::if_stmt(condition);
//! loop {
//!     if if_stmt.traced() && if_stmt.graph().next(&mut [ag::var("x", &mut x)]) { break; }
//!     if if_stmt.branch() { … } else { … }
//!     if !if_stmt.traced() { break; }
//!     if_stmt.graph().falls();
//! }
//! ```

use std::marker::PhantomData;

use super::carried::{Var, collect};
use super::convert::{Choice, Choosable, Chosen, ChosenText, chosen, chosen_text};
use super::kind::{Carried, Graph, Kind, Passes, Rust, given_value, parts};
use super::leave::{Leave, Leaving};
use crate::error::Location;
use crate::ops::OneValue;
use crate::state::GraphState;
use crate::tensor::Tensor;
use crate::tensor::any::AnyTensor;
use crate::trace::{self, Branching, Step};
use crate::variable::Variable;

/// What can stand behind `if` and `while`: a `bool`, or a boolean scalar tensor.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be a condition",
    label = "expected `bool` or `Tensor<bool>`",
    note = "compare it: `x > 0`, `x != 0.0`; for a tensor of several values say which: `x.any()`, `x.all()`"
)]
pub trait Condition {
    /// Whether Rust or the graph decides.
    type Kind: Kind;
    /// What the condition is now.
    #[doc(hidden)]
    #[track_caller]
    fn decide(self, location: Location) -> Decision;
}

/// A condition looked at.
pub enum Decision {
    /// It has a value.
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

/// A variable is read.
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

/// A tensor decides now if it has a value, else when the graph runs. It must be a scalar (or hold one value).
#[track_caller]
pub(crate) fn decide(condition: &AnyTensor, location: Location) -> Decision {
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

/// An `if` under way.
pub struct If<K> {
    decision: bool,
    branching: Option<Branching>,
    kind: PhantomData<K>,
}

/// Begins an `if`.
#[track_caller]
pub fn if_stmt<K: Kind>(condition: impl Condition<Kind = K>) -> If<K> {
    let location = Location::caller();
    let (decision, branching) = match condition.decide(location.clone()) {
        Decision::Known(value) => (value, None),
        Decision::Traced(condition) => (false, Some(Branching::new(&condition.0, location))),
    };
    If {
        decision,
        branching,
        kind: PhantomData,
    }
}

/// The kind of a condition that comes later, for the loops around it to know.
pub struct KindOf<K>(PhantomData<K>);

/// The kind of a condition that comes later.
pub fn kind<K>() -> KindOf<K> {
    KindOf(PhantomData)
}

impl<K: Kind> If<K> {
    /// Says that this is the condition whose kind was asked for.
    pub fn of(self, _: &KindOf<K>) -> If<K> {
        self
    }

    /// True while the branches are replayed; false if one was picked.
    pub fn traced(&self) -> bool {
        K::GRAPH && self.branching.is_some()
    }

    /// The passes of the code.
    pub fn passes(&self) -> Passes<K> {
        Passes::new()
    }

    /// Whether every pass left early, so that the code behind is never reached.
    pub fn exits(&self) -> bool {
        trace::with_trace(|trace| trace.pending.is_some())
    }

    /// A text that a branch gives.
    #[track_caller]
    pub fn text(&self, text: &'static str) -> ChosenText<K> {
        chosen_text::<K>(text)
    }

    /// Another literal that a branch gives.
    #[track_caller]
    pub fn literal<L>(&self, literal: L) -> Chosen<K, L>
    where
        Choice<K, L>: Choosable<L>,
    {
        chosen::<K, L>(literal)
    }

    /// Which branch to run.
    pub fn branch(&self) -> bool {
        match &self.branching {
            Some(branching) => branching.branch(),
            None => self.decision,
        }
    }

    /// The replay. Has no value, and ends the path, where Rust decides.
    pub fn graph(&mut self) -> IfGraph<'_, K> {
        let witness = K::witness();
        IfGraph {
            witness,
            branching: self
                .branching
                .as_mut()
                .expect("generated code asks before it replays"),
            kind: PhantomData,
        }
    }
}

/// The replay of an `if`.
pub struct IfGraph<'a, K: Kind> {
    /// Tells the compiler whether this can exist.
    pub witness: K::Witness,
    branching: &'a mut Branching,
    kind: PhantomData<K>,
}

impl<K: Kind> IfGraph<'_, K> {
    /// Begins the next branch, or merges them: then it is true.
    pub fn next(self, vars: &mut [Var<'_, K>]) -> bool {
        self.branching.next(&mut collect(vars)) != Step::Run
    }

    /// Notes that the branch has reached its end.
    pub fn falls(self) {}

    /// Notes the value at the branch's end.
    pub fn yields<T>(self, value: T)
    where
        Carried<K, T>: GraphState,
    {
        self.branching.yields(parts::<K, T>(value));
    }

    /// The value of the whole.
    #[track_caller]
    pub fn value<T>(self) -> T
    where
        Carried<K, T>: GraphState,
    {
        given_value::<K, T>(self.branching.value())
    }
}

impl<K: Kind> Leave<K> for IfGraph<'_, K> {
    fn leave(self, how: Leaving) {
        self.branching.leave(how.0);
    }
}
