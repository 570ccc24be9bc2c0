//! `if_stmt`: an `if` that Rust or the graph decides, depending on the type of the condition. A `bool` chooses a branch. For a
//! tensor, the branches are traced one after the other: the code runs in a loop, one pass per branch, and the variables are reset
//! between the passes.
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

use super::convert::{Choice, Choosable, Chosen, ChosenText, chosen, chosen_text};
use super::leave::{Leave, Leaving};
use crate::error::Location;
use crate::kind::{
    Carried, Condition, Decision, InGraph, Kind, KindOf, Passes, Var, collect, given_value, parts,
};
use crate::state::GraphState;
use crate::trace::{self, AfterPass, Branching};

/// An `if` in progress.
pub struct If<K: Kind> {
    decision: bool,
    branching: K::InGraph<Branching>,
}

/// Begins an `if`.
#[inline]
#[track_caller]
pub fn if_stmt<K: Kind>(condition: impl Condition<Kind = K>) -> If<K> {
    let location = Location::caller();
    let (decision, branching) = match condition.decide(location.clone()) {
        Decision::Known(value) => (value, None),
        Decision::Traced(condition) => (false, Some(Branching::new(&condition.0, location))),
    };
    If {
        decision,
        branching: InGraph::of(branching),
    }
}

impl<K: Kind> If<K> {
    /// States that this is the condition whose kind was obtained before.
    pub fn of(self, _: &KindOf<K>) -> If<K> {
        self
    }

    /// True while the branches are replayed; false if one was chosen.
    pub fn traced(&self) -> bool {
        self.branching.get().is_some()
    }

    /// The passes over the code.
    pub fn passes(&self) -> Passes<K> {
        Passes::new()
    }

    /// Whether every pass left early, so that the code after the `if` is never reached.
    pub fn exits(&self) -> bool {
        trace::with_trace(|trace| trace.pending.is_some())
    }

    /// A string literal as the value of a branch.
    #[track_caller]
    pub fn text(&self, text: &'static str) -> ChosenText<K> {
        chosen_text::<K>(text)
    }

    /// Another literal as the value of a branch.
    #[track_caller]
    pub fn literal<L>(&self, literal: L) -> Chosen<K, L>
    where
        Choice<K, L>: Choosable<L>,
    {
        chosen::<K, L>(literal)
    }

    /// The branch to run: true for the main branch.
    pub fn branch(&self) -> bool {
        match self.branching.get() {
            Some(branching) => branching.branch(),
            None => self.decision,
        }
    }

    /// The replay. Where Rust decides, its type is uninhabited, so the compiler knows that the path ends here.
    pub fn graph(&mut self) -> IfGraph<'_, K> {
        let witness = K::witness();
        IfGraph {
            witness,
            branching: self
                .branching
                .get_mut()
                .expect("generated code asks before it replays"),
            kind: PhantomData,
        }
    }
}

/// The replay of an `if`.
pub struct IfGraph<'a, K: Kind> {
    /// The proof, for the compiler, that a tensor decides.
    pub witness: K::Witness,
    branching: &'a mut Branching,
    kind: PhantomData<K>,
}

impl<K: Kind> IfGraph<'_, K> {
    /// Begins the next branch, or merges the branches and returns true.
    pub fn next(self, vars: &mut [Var<'_, K>]) -> bool {
        self.branching.next(&mut collect(vars)) != AfterPass::Run
    }

    /// Called when the branch reaches its end.
    pub fn falls(self) {}

    /// Records the value at the branch's end.
    pub fn yields<T>(self, value: T)
    where
        Carried<K, T>: GraphState,
    {
        self.branching.yields(parts::<K, T>(value));
    }

    /// The value of the `if`.
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
