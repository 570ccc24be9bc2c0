//! Whether Rust or the graph decides, as types. The type of a condition says whether it is a `bool` or a tensor, and so whether
//! code that replays a branch can be reached: for a `bool`, the handle that such code starts from has an uninhabited type. So the
//! compiler knows that the replay never happens, and checks borrows, moves and initialization as for plain Rust.
//!
//! - `condition`: the types of conditions;
//! - `carried`: the variables that a construct carries;
//! - `in_graph`: the state of a construct that only the graph needs.

mod carried;
mod condition;
mod in_graph;

use std::convert::Infallible;
use std::marker::PhantomData;

use crate::state::{GraphState, Nest};
use crate::trace::{AnyTensor, Parts};

pub(crate) use carried::collect;
pub use carried::{
    AnyPlace, CallableHere, Called, ChangedByPointer, ChangesHere, HasMethods, OfOneSize,
    PlaceOfSize, PlaceUnsized, SetOnEveryWay, Unsized, Var, VariableOfRust, VariableWithoutValue,
    WhatIsPointedTo, called, changing, place, pointed, unset, var,
};
pub use condition::{Condition, Decision, KindOf, kind};
pub use in_graph::InGraph;

/// Control flow over Rust values.
pub struct Rust(());

/// Control flow over tensors.
pub struct Graph(());

/// How control flow is decided: by [`Rust`], by the [`Graph`], or by several conditions: nested pairs that end in [`Rust`].
pub trait Kind: 'static {
    /// `G` if a tensor decides, else `R`. A bound on `Pick` becomes a bound on one of the two, so that an error message doesn't
    /// name our own traits.
    type Pick<R, G>;
    /// A `T` that only the graph needs.
    type InGraph<T>: InGraph<T>;
    /// Inhabited only if a tensor decides.
    type Witness;
    /// Inhabited only if Rust decides.
    type RustWitness;
    /// [`Graph`] if a tensor decides in `Self` or in `K`, else [`Rust`] (for a single `K`).
    type Or<K: Kind>: Kind;
    /// True if a tensor decides.
    const GRAPH: bool;
    /// The witness that a tensor decides.
    ///
    /// # Panics
    /// If Rust decides: there is no witness then. Generated code checks this first.
    fn witness() -> Self::Witness;
    /// The witness that Rust decides.
    ///
    /// # Panics
    /// If a tensor decides. Generated code checks this first.
    fn rust_witness() -> Self::RustWitness;
    /// A mutable reference to the `G` of a `Pick`, where a tensor decides.
    ///
    /// # Panics
    /// If Rust decides.
    fn graph_mut<'a, R: 'a, G: 'a>(value: &'a mut G) -> &'a mut Self::Pick<R, G>;
    /// A mutable reference to the `R` of a `Pick`, where Rust decides.
    ///
    /// # Panics
    /// If a tensor decides.
    fn rust_mut<'a, R: 'a, G: 'a>(value: &'a mut R) -> &'a mut Self::Pick<R, G>;
    /// A shared reference to the `G` of a `Pick`, where a tensor decides.
    ///
    /// # Panics
    /// If Rust decides.
    fn graph_ref<'a, R: 'a, G: 'a>(value: &'a G) -> &'a Self::Pick<R, G>;
    /// A shared reference to the `R` of a `Pick`, where Rust decides.
    ///
    /// # Panics
    /// If a tensor decides.
    fn rust_ref<'a, R: 'a, G: 'a>(value: &'a R) -> &'a Self::Pick<R, G>;
    /// Unwraps the `G` of a `Pick`, where a tensor decides.
    ///
    /// # Panics
    /// If Rust decides.
    fn into_graph<R, G>(value: Self::Pick<R, G>) -> G;
    /// Unwraps the `R` of a `Pick`, where Rust decides.
    ///
    /// # Panics
    /// If a tensor decides.
    fn into_rust<R, G>(value: Self::Pick<R, G>) -> R;
    /// Wraps a `G` as a `Pick`, where a tensor decides.
    ///
    /// # Panics
    /// If Rust decides.
    fn from_graph<R, G>(value: G) -> Self::Pick<R, G>;
    /// Wraps an `R` as a `Pick`, where Rust decides.
    ///
    /// # Panics
    /// If a tensor decides.
    fn from_rust<R, G>(value: R) -> Self::Pick<R, G>;
}

impl Kind for Rust {
    type Pick<R, G> = R;
    fn graph_mut<'a, R: 'a, G: 'a>(_: &'a mut G) -> &'a mut R {
        unreachable!("Rust decides")
    }
    fn rust_mut<'a, R: 'a, G: 'a>(value: &'a mut R) -> &'a mut R {
        value
    }
    fn graph_ref<'a, R: 'a, G: 'a>(_: &'a G) -> &'a R {
        unreachable!("Rust decides")
    }
    fn rust_ref<'a, R: 'a, G: 'a>(value: &'a R) -> &'a R {
        value
    }
    fn into_graph<R, G>(_: R) -> G {
        unreachable!("Rust decides")
    }
    fn into_rust<R, G>(value: R) -> R {
        value
    }
    fn from_graph<R, G>(_: G) -> R {
        unreachable!("Rust decides")
    }
    fn from_rust<R, G>(value: R) -> R {
        value
    }
    type Or<K: Kind> = K;
    type RustWitness = ();
    fn rust_witness() {}
    type InGraph<T> = ();
    type Witness = Infallible;
    const GRAPH: bool = false;
    fn witness() -> Infallible {
        unreachable!("generated code asks before it replays")
    }
}

impl Kind for Graph {
    type Pick<R, G> = G;
    fn graph_mut<'a, R: 'a, G: 'a>(value: &'a mut G) -> &'a mut G {
        value
    }
    fn rust_mut<'a, R: 'a, G: 'a>(_: &'a mut R) -> &'a mut G {
        unreachable!("a tensor decides")
    }
    fn graph_ref<'a, R: 'a, G: 'a>(value: &'a G) -> &'a G {
        value
    }
    fn rust_ref<'a, R: 'a, G: 'a>(_: &'a R) -> &'a G {
        unreachable!("a tensor decides")
    }
    fn into_graph<R, G>(value: G) -> G {
        value
    }
    fn into_rust<R, G>(_: G) -> R {
        unreachable!("a tensor decides")
    }
    fn from_graph<R, G>(value: G) -> G {
        value
    }
    fn from_rust<R, G>(_: R) -> G {
        unreachable!("a tensor decides")
    }
    type Or<K: Kind> = Graph;
    type RustWitness = Infallible;
    fn rust_witness() -> Infallible {
        unreachable!("generated code asks before it moves")
    }
    type InGraph<T> = Option<T>;
    type Witness = ();
    const GRAPH: bool = true;
    fn witness() {}
}

/// A witness of one of two conditions.
pub enum Either<A, B> {
    /// The witness of the first condition.
    First(A),
    /// The witness of the second condition.
    Second(B),
}

impl<A: Kind, B: Kind> Kind for (A, B) {
    type Pick<R, G> = A::Pick<B::Pick<R, G>, G>;
    fn graph_mut<'a, R: 'a, G: 'a>(value: &'a mut G) -> &'a mut Self::Pick<R, G> {
        if A::GRAPH {
            A::graph_mut::<B::Pick<R, G>, G>(value)
        } else {
            A::rust_mut::<B::Pick<R, G>, G>(B::graph_mut::<R, G>(value))
        }
    }
    fn rust_mut<'a, R: 'a, G: 'a>(value: &'a mut R) -> &'a mut Self::Pick<R, G> {
        A::rust_mut::<B::Pick<R, G>, G>(B::rust_mut::<R, G>(value))
    }
    fn graph_ref<'a, R: 'a, G: 'a>(value: &'a G) -> &'a Self::Pick<R, G> {
        if A::GRAPH {
            A::graph_ref::<B::Pick<R, G>, G>(value)
        } else {
            A::rust_ref::<B::Pick<R, G>, G>(B::graph_ref::<R, G>(value))
        }
    }
    fn rust_ref<'a, R: 'a, G: 'a>(value: &'a R) -> &'a Self::Pick<R, G> {
        A::rust_ref::<B::Pick<R, G>, G>(B::rust_ref::<R, G>(value))
    }
    fn into_graph<R, G>(value: Self::Pick<R, G>) -> G {
        if A::GRAPH {
            A::into_graph::<B::Pick<R, G>, G>(value)
        } else {
            B::into_graph::<R, G>(A::into_rust::<B::Pick<R, G>, G>(value))
        }
    }
    fn into_rust<R, G>(value: Self::Pick<R, G>) -> R {
        B::into_rust::<R, G>(A::into_rust::<B::Pick<R, G>, G>(value))
    }
    fn from_graph<R, G>(value: G) -> Self::Pick<R, G> {
        if A::GRAPH {
            A::from_graph::<B::Pick<R, G>, G>(value)
        } else {
            A::from_rust::<B::Pick<R, G>, G>(B::from_graph::<R, G>(value))
        }
    }
    fn from_rust<R, G>(value: R) -> Self::Pick<R, G> {
        A::from_rust::<B::Pick<R, G>, G>(B::from_rust::<R, G>(value))
    }
    type Or<K: Kind> = A::Or<B::Or<K>>;
    type RustWitness = (A::RustWitness, B::RustWitness);
    fn rust_witness() -> Self::RustWitness {
        (A::rust_witness(), B::rust_witness())
    }
    type InGraph<T> = <A::Or<B::Or<Rust>> as Kind>::InGraph<T>;
    type Witness = Either<A::Witness, B::Witness>;
    const GRAPH: bool = A::GRAPH || B::GRAPH;
    fn witness() -> Self::Witness {
        if A::GRAPH {
            Either::First(A::witness())
        } else {
            Either::Second(B::witness())
        }
    }
}

/// What a construct of kind `K` carries of a `T`: the `T` where a tensor decides, so that only then `T` must be a [`GraphState`];
/// nothing where Rust decides.
pub type Carried<K, T> = <K as Kind>::Pick<(), T>;

/// The parts of a value, for the tracer; `None` where Rust decides, and for an `Err`.
pub(crate) fn parts<K: Kind, T>(value: T) -> Option<Parts>
where
    Carried<K, T>: GraphState,
{
    if K::GRAPH {
        Parts::of(K::graph_ref::<(), T>(&value))
    } else {
        None
    }
}

/// Rebuilds a value from its parts.
pub(crate) fn from_parts<K: Kind, T>(parts: Parts) -> T
where
    Carried<K, T>: Nest,
{
    let leaves = parts.leaves.clone();
    K::into_graph::<(), T>(parts.rebuild(leaves))
}

/// The value of a construct. If every branch has failed there is none, and a placeholder that nobody uses is returned.
#[track_caller]
pub(crate) fn given_value<K: Kind, T>(parts: Option<Parts>) -> T
where
    Carried<K, T>: Nest,
{
    let parts = parts.or_else(|| {
        let mut parts = <Carried<K, T>>::poisoned().and_then(|value| Parts::of(&value))?;
        for leaf in &mut parts.leaves {
            *leaf = AnyTensor::undefined(leaf.dtype());
        }
        Some(parts)
    });
    from_parts::<K, T>(
        parts.expect("a construct with a value yields one in each branch that falls through"),
    )
}

/// A type that can be moved in code that runs once per branch, because it can be cloned.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is moved under a tensor condition, but can't be cloned",
    label = "both branches are traced, so each needs a `{Self}` of its own",
    note = "write `#[derive(Clone)]` for it, or borrow it instead"
)]
pub trait Keep {
    #[doc(hidden)]
    fn keep(&self) -> Self;
}
#[diagnostic::do_not_recommend]
impl<T: Clone> Keep for T {
    fn keep(&self) -> T {
        self.clone()
    }
}

/// The passes over a construct's code: one where Rust decides, one per branch where a tensor decides.
pub struct Passes<K>(PhantomData<K>);

impl<K: Kind> Passes<K> {
    pub(crate) fn new() -> Passes<K> {
        Passes(PhantomData)
    }

    /// Where a tensor decides, clones the value instead of moving it, because the next pass needs it too.
    #[inline]
    pub fn keep<T>(self, value: &T) -> Result<T, Passes<K>>
    where
        Carried<K, T>: Keep,
    {
        match K::GRAPH {
            true => Ok(K::into_graph::<(), T>(K::graph_ref::<(), T>(value).keep())),
            false => Err(self),
        }
    }

    /// Marks a move. Where a tensor decides, the result has an uninhabited type, so the compiler knows that the path ends here.
    #[inline(always)]
    pub fn here(self) -> OnlyRust<K> {
        OnlyRust {
            witness: K::rust_witness(),
        }
    }
}

/// A value of this type exists only where Rust decides.
pub struct OnlyRust<K: Kind> {
    /// The proof of it, for the compiler.
    pub witness: K::RustWitness,
}
