//! `while_stmt`, `for_stmt`, `loop_stmt`, `block_stmt`: loops and labelled blocks that Rust or the graph executes, depending on
//! types. Over Rust values they run as in Rust. A loop whose condition or iterable is a tensor is traced once and becomes a
//! `while_loop`. In a Rust loop with a `break` or `continue` under a tensor condition, the unrolled iterations are merged.
//!
//! ```text
//! let mut while_stmt = ag::while_stmt();
//! loop {
//!     if while_stmt.traced() && while_stmt.graph().next(&mut [ag::var("x", &mut x)]) { break; }
//!     if !while_stmt.test(condition) { break; }
//!     …
//! }
//! ```

use super::items::{Items, Iterate, Limit};
use super::leave::{Leave, Leaving, Target};
use super::unpack::Unpack;
use crate::error::Location;
use crate::kind::{Carried, Either, InGraph, Kind, Passes, Rust, from_parts};
use crate::kind::{Condition, Decision, KindOf};
use crate::kind::{Var, collect};
use crate::state::GraphState;
use crate::trace::{self, AfterPass, AnyTensor, LoopKind, Looping};

/// A loop in progress. `C` is the kind of its condition or iterable; `E` are the kinds of the conditions inside the loop that
/// decide about leaving it.
pub struct Loop<C: Kind, E: Kind> {
    looping: <(C, E) as Kind>::InGraph<Looping>,
}

/// Begins a `while`.
#[track_caller]
pub fn while_stmt<C: Kind, K: Kind, E: Escapes<Kinds = K>>(escapes: E) -> Loop<C, K> {
    let _ = escapes;
    let kind = if C::GRAPH {
        LoopKind::While
    } else {
        LoopKind::Unrolled
    };
    begin(kind)
}

/// Begins a `loop`: one `while_loop` if a tensor decides when it ends.
#[track_caller]
pub fn loop_stmt<K: Kind, E: Escapes<Kinds = K>>(escapes: E) -> Loop<Rust, K> {
    let _ = escapes;
    begin(LoopKind::Forever)
}

/// Begins a labelled block.
#[track_caller]
pub fn block_stmt<K: Kind, E: Escapes<Kinds = K>>(escapes: E) -> Loop<Rust, K> {
    let _ = escapes;
    begin(LoopKind::Unrolled)
}

/// Begins a `for`. The items are a separate value, because they may borrow.
#[inline]
#[track_caller]
pub fn for_stmt<C: Kind, I: Items<Item = N>, N, K: Kind, E: Escapes<Kinds = K>>(
    iterable: impl Iterate<Kind = C, Items = I>,
    escapes: E,
) -> (Loop<C, K>, Each<I, N>) {
    let _ = escapes;
    let mut items = iterable.items();
    let traced = C::GRAPH && trace::is_tracing();
    let kind = match traced.then(|| items.limit()).flatten() {
        Some(Limit::Count(limit)) => LoopKind::Counted {
            limit,
            known: items.known_len(),
        },
        Some(Limit::Elements(iteration)) => LoopKind::Elements(iteration),
        None => LoopKind::Unrolled,
    };
    let each = Each {
        items: Some(items),
        next: advance,
    };
    (begin(kind), each)
}

/// The items of a `for`. The function that takes the next one is chosen where the loop begins, so that the compiler reports an
/// unsuitable type only once. It takes the items and gives them back: behind a reference to them, the compiler would have to expect that
/// the function changes what is beside them, itself included, and would call it as an unknown one.
pub struct Each<I, N> {
    items: Option<I>,
    next: fn(I, Option<&AnyTensor>) -> (I, Option<N>),
}

/// The items behind the next one, and that.
#[inline]
fn advance<I: Items>(mut items: I, counter: Option<&AnyTensor>) -> (I, Option<I::Item>) {
    let item = items.next(counter);
    (items, item)
}

#[inline]
#[track_caller]
fn begin<C: Kind, E: Kind>(kind: LoopKind) -> Loop<C, E> {
    let traced = (C::GRAPH || E::GRAPH) && trace::is_tracing();
    let location = Location::caller();
    Loop {
        looping: InGraph::of(traced.then(|| Looping::new(kind, location))),
    }
}

/// The kinds of the conditions that decide about leaving a loop: a tuple of [`KindOf`].
pub trait Escapes {
    /// The kinds as nested pairs.
    type Kinds;
}

impl Escapes for () {
    type Kinds = Rust;
}

impl<K, R: Escapes> Escapes for (&KindOf<K>, R) {
    type Kinds = (K, R::Kinds);
}

impl<C: Kind, E: Kind> Loop<C, E> {
    /// True while the loop is replayed.
    pub fn traced(&self) -> bool {
        self.looping.get().is_some()
    }

    /// The replay. Where Rust decides, its type is uninhabited, so the compiler knows that the path ends here.
    pub fn graph(&mut self) -> LoopGraph<'_, C, E> {
        let witness = <(C, E)>::witness();
        LoopGraph {
            witness,
            looping: self
                .looping
                .get_mut()
                .expect("generated code asks before it replays"),
        }
    }

    /// Whether every pass left early, so that the code after the loop is never reached.
    pub fn exits(&self) -> bool {
        trace::with_trace(|trace| trace.pending.is_some())
    }

    /// The passes over the code.
    pub fn passes(&self) -> Passes<(C, E)> {
        Passes::new()
    }

    /// The construct that `break` and `continue` of this loop name.
    pub fn target(&self) -> Target {
        Target(self.looping.get().map_or(0, |l| l.construct))
    }

    /// The condition of a `while`: whether to run the body (again).
    #[track_caller]
    pub fn test<T: Condition<Kind = C>>(&mut self, condition: T) -> bool {
        match (condition.decide(Location::caller()), self.looping.get_mut()) {
            (Decision::Known(value), _) => value,
            (Decision::Traced(condition), Some(looping)) => {
                looping.test(&condition.0);
                true
            }
            (Decision::Traced(_), None) => {
                unreachable!("a traced condition belongs to a replayed loop")
            }
        }
    }

    /// The next item of a `for`.
    #[inline]
    pub fn item<I, N>(&self, each: &mut Each<I, N>) -> Option<N> {
        let items = each.items.take().expect("no item panicked before");
        let (items, item) = match self.looping.get() {
            Some(looping) => (each.next)(items, looping.counter().as_ref()),
            None => (each.next)(items, None),
        };
        each.items = Some(items);
        item
    }

    /// The next item of a `for` whose pattern is a tuple of two.
    #[inline]
    #[track_caller]
    pub fn pair<I: Unpack<Item = N>, N>(&self, each: &mut Each<I, N>) -> Option<I::Pair> {
        Some(I::pair(self.item(each)?))
    }

    /// The next item of a `for` whose pattern is a tuple of three.
    #[inline]
    #[track_caller]
    pub fn triple<I: Unpack<Item = N>, N>(&self, each: &mut Each<I, N>) -> Option<I::Triple> {
        Some(I::triple(self.item(each)?))
    }
}

/// The replay of a loop.
pub struct LoopGraph<'a, C: Kind, E: Kind> {
    /// The proof, for the compiler, that a tensor decides.
    pub witness: Either<C::Witness, E::Witness>,
    looping: &'a mut Looping,
}

impl<C: Kind, E: Kind> LoopGraph<'_, C, E> {
    /// Begins the next iteration, or ends the loop and returns true.
    pub fn next(self, vars: &mut [Var<'_, (C, E)>]) -> bool {
        self.looping.next(&mut collect(vars)) != AfterPass::Run
    }

    /// Called after the loop: merges the cases in which a tensor ended it earlier than Rust did.
    pub fn end(self, vars: &mut [Var<'_, (C, E)>]) {
        self.looping.leave_behind(&mut collect(vars));
    }

    /// `break` out of this loop, with no other construct between.
    #[track_caller]
    pub fn breaks_here(self, vars: &mut [Var<'_, (C, E)>]) {
        let target = Target(self.looping.construct);
        self.breaks(target, vars);
    }

    /// `break value` out of this loop or block, with no other construct between.
    #[track_caller]
    pub fn breaks_with_here<T>(self, value: T, vars: &mut [Var<'_, (C, E)>])
    where
        Carried<(C, E), T>: GraphState,
    {
        let target = Target(self.looping.construct);
        self.breaks_with(target, value, vars);
    }

    /// `continue` of this loop.
    #[track_caller]
    pub fn continues_here(self, vars: &mut [Var<'_, (C, E)>]) {
        let target = Target(self.looping.construct);
        self.continues(target, vars);
    }

    /// The value of the loop: that of its `break`.
    pub fn value<T>(self) -> T
    where
        Carried<(C, E), T>: GraphState,
    {
        from_parts::<(C, E), T>(self.looping.take_value())
    }
}

impl<C: Kind, E: Kind> Leave<(C, E)> for LoopGraph<'_, C, E> {
    fn leave(self, how: Leaving) {
        self.looping.leave(how.0);
    }
}
