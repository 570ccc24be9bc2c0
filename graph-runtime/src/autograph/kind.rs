//! Rust or graph, as types. Whether a condition is a `bool` or a tensor is known from its type, and so is whether
//! code that replays a branch can be reached: for a `bool` the handle that such code starts from has no values, so the
//! compiler knows that the replay never happens, and borrows, moves and initialization are checked as for plain Rust.

use std::convert::Infallible;

use crate::state::GraphState;
#[allow(unused_imports)]
use crate::trace;

/// Control flow over Rust values.
pub struct Rust(());

/// Control flow over tensors.
pub struct Graph(());

/// How control flow is decided: [`Rust`], [`Graph`], or by any of several conditions: nested pairs, ending in `()`.
pub trait Kind {
    /// Has a value only if a tensor decides.
    type Witness;
    /// Has a value only if Rust decides.
    type RustWitness;
    /// [`Graph`] if a tensor decides here or there, else [`Rust`] (for a single `K`).
    type Or<K: Kind>: Kind;
    /// True if a tensor decides.
    const GRAPH: bool;
    /// The witness.
    ///
    /// # Panics
    /// If Rust decides: there is no witness then. Generated code asks before.
    fn witness() -> Self::Witness;
    /// The witness that Rust decides.
    ///
    /// # Panics
    /// If a tensor decides. Generated code asks before.
    fn rust_witness() -> Self::RustWitness;
}

impl Kind for Rust {
    type Or<K: Kind> = K;
    type RustWitness = ();
    fn rust_witness() {}
    type Witness = Infallible;
    const GRAPH: bool = false;
    fn witness() -> Infallible {
        unreachable!("generated code asks before it replays")
    }
}

impl Kind for Graph {
    type Or<K: Kind> = Graph;
    type RustWitness = Infallible;
    fn rust_witness() -> Infallible {
        unreachable!("generated code asks before it moves")
    }
    type Witness = ();
    const GRAPH: bool = true;
    fn witness() {}
}

impl Kind for () {
    type Or<K: Kind> = K;
    type RustWitness = ();
    fn rust_witness() {}
    type Witness = Infallible;
    const GRAPH: bool = false;
    fn witness() -> Infallible {
        Rust::witness()
    }
}

/// A witness of one of two kinds.
pub enum Either<A, B> {
    /// Of the first.
    First(A),
    /// Of the second.
    Second(B),
}

impl<A: Kind, B: Kind> Kind for (A, B) {
    type Or<K: Kind> = A::Or<B::Or<K>>;
    type RustWitness = (A::RustWitness, B::RustWitness);
    fn rust_witness() -> Self::RustWitness {
        (A::rust_witness(), B::rust_witness())
    }
    type Witness = Either<A::Witness, B::Witness>;
    const GRAPH: bool = A::GRAPH || B::GRAPH;
    fn witness() -> Self::Witness {
        if A::GRAPH { Either::First(A::witness()) } else { Either::Second(B::witness()) }
    }
}

/// What a construct of a kind can carry: anything where Rust decides, [`GraphState`] where a tensor does.
pub trait StateOf<K> {
    /// The variable, for the tracer; `None` where Rust decides.
    #[doc(hidden)]
    fn variable(&mut self) -> Option<&mut dyn Variable>;
    /// The parts of a value, for the tracer.
    #[doc(hidden)]
    fn parts(&self) -> Option<Parts>;
    /// A value from its parts.
    #[doc(hidden)]
    fn from_parts(parts: Parts) -> Self
    where
        Self: Sized;
}

pub use hidden::{Parts, Variable};
mod hidden {
    //! Types that generated code passes on without looking inside.
    use crate::state;

    /// A variable without its type.
    pub trait Variable: Sealed {}
    pub trait Sealed {
        #[doc(hidden)]
        fn inner(&mut self) -> InnerVariable<'_>;
    }
    #[doc(hidden)]
    pub struct InnerVariable<'a>(pub(crate) &'a mut dyn state::Variable);
    impl<T: state::Nest> Variable for T {}
    impl<T: state::Nest> Sealed for T {
        fn inner(&mut self) -> InnerVariable<'_> {
            InnerVariable(self)
        }
    }
    /// A value taken apart.
    pub struct Parts(pub(crate) state::Parts);
}

impl<T> StateOf<Rust> for T {
    fn variable(&mut self) -> Option<&mut dyn Variable> {
        None
    }
    fn parts(&self) -> Option<Parts> {
        None
    }
    fn from_parts(_: Parts) -> T {
        unreachable!("Rust decides: nothing is replayed")
    }
}

impl<T> StateOf<()> for T {
    fn variable(&mut self) -> Option<&mut dyn Variable> {
        None
    }
    fn parts(&self) -> Option<Parts> {
        None
    }
    fn from_parts(_: Parts) -> T {
        unreachable!("Rust decides: nothing is replayed")
    }
}

#[diagnostic::do_not_recommend]
impl<T: GraphState> StateOf<Graph> for T {
    fn variable(&mut self) -> Option<&mut dyn Variable> {
        Some(self)
    }
    fn parts(&self) -> Option<Parts> {
        crate::state::Parts::of(self).map(Parts)
    }
    fn from_parts(parts: Parts) -> T {
        let leaves = parts.0.leaves.clone();
        parts.0.rebuild(leaves)
    }
}

#[diagnostic::do_not_recommend]
impl<T: GraphState, K> StateOf<(Graph, K)> for T {
    fn variable(&mut self) -> Option<&mut dyn Variable> {
        <T as StateOf<Graph>>::variable(self)
    }
    fn parts(&self) -> Option<Parts> {
        <T as StateOf<Graph>>::parts(self)
    }
    fn from_parts(parts: Parts) -> T {
        <T as StateOf<Graph>>::from_parts(parts)
    }
}

#[diagnostic::do_not_recommend]
impl<T: StateOf<K>, K> StateOf<(Rust, K)> for T {
    fn variable(&mut self) -> Option<&mut dyn Variable> {
        <T as StateOf<K>>::variable(self)
    }
    fn parts(&self) -> Option<Parts> {
        <T as StateOf<K>>::parts(self)
    }
    fn from_parts(parts: Parts) -> T {
        <T as StateOf<K>>::from_parts(parts)
    }
}

/// What may be taken by value in code that a construct of a kind runs: anything where Rust decides; where a tensor does, the code runs
/// once per branch, so the value must be `Clone`.
pub trait Keep<K> {
    #[doc(hidden)]
    fn keep(&self) -> Self;
}
impl<T> Keep<Rust> for T {
    fn keep(&self) -> T {
        unreachable!("Rust decides: the value is moved")
    }
}
impl<T> Keep<()> for T {
    fn keep(&self) -> T {
        unreachable!("Rust decides: the value is moved")
    }
}
#[diagnostic::do_not_recommend]
impl<T: Clone> Keep<Graph> for T {
    fn keep(&self) -> T {
        self.clone()
    }
}
#[diagnostic::do_not_recommend]
impl<T: Clone, K> Keep<(Graph, K)> for T {
    fn keep(&self) -> T {
        self.clone()
    }
}
#[diagnostic::do_not_recommend]
impl<T: Keep<K>, K> Keep<(Rust, K)> for T {
    fn keep(&self) -> T {
        <T as Keep<K>>::keep(self)
    }
}
/// Exists only where a tensor decides.
pub struct OnlyGraph<K: Kind> {
    /// Tells the compiler so.
    pub witness: K::Witness,
}

impl<K: Kind> OnlyGraph<K> {
    /// A clone of a value that Rust would move: the other branch needs it, too.
    pub fn keep<T: Keep<K>>(self, value: &T) -> T {
        value.keep()
    }
}

/// Exists only where Rust decides.
pub struct OnlyRust<K: Kind> {
    /// Tells the compiler so.
    pub witness: K::RustWitness,
}

/// A variable of a construct, by name.
pub struct Var<'a, K> {
    name: &'static str,
    variable: Option<&'a mut dyn Variable>,
    kind: std::marker::PhantomData<K>,
}

/// Names a variable that a construct of kind `K` may change.
pub fn var<'a, K, T: StateOf<K>>(name: &'static str, variable: &'a mut T) -> Var<'a, K> {
    Var { name, variable: variable.variable(), kind: std::marker::PhantomData }
}

impl<'a> Var<'a, Graph> {
    pub(crate) fn of<T: crate::state::Nest>(variable: &'a mut T) -> Self {
        Var { name: "parameter", variable: Some(variable), kind: std::marker::PhantomData }
    }
    pub(crate) fn nothing() -> Self {
        Var { name: "parameter", variable: None, kind: std::marker::PhantomData }
    }
}

/// The variables, for the tracer.
pub(crate) fn collect<'a, K>(vars: &'a mut [Var<'_, K>]) -> trace::Vars<'a> {
    let vars = vars.iter_mut().filter_map(|v| Some((v.name, v.variable.as_mut()?.inner().0)));
    trace::Vars(vars.collect())
}
