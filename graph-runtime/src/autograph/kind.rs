//! Rust or graph, as types. Whether a condition is a `bool` or a tensor is known from its type, and so is whether
//! code that replays a branch can be reached: for a `bool` the handle that such code starts from has no values, so the
//! compiler knows that the replay never happens, and borrows, moves and initialization are checked as for plain Rust.

use std::convert::Infallible;

use super::convert::Kept;
use crate::function::signature::AnyArgument;
use crate::state::{GraphState, Nest};
use crate::trace;

/// Control flow over Rust values.
pub struct Rust(());

/// Control flow over tensors.
pub struct Graph(());

/// How control flow is decided: [`Rust`], [`Graph`], or by any of several conditions: nested pairs, ending in [`Rust`].
pub trait Kind: 'static {
    /// `G` if a tensor decides, else `R`. A bound on it is a bound for one of the two, and no trait of ours shows in the message
    /// where it doesn't hold.
    type Pick<R, G>;
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
    /// A reference to what is picked where a tensor decides.
    ///
    /// # Panics
    /// If Rust decides.
    fn graph_mut<'a, R: 'a, G: 'a>(value: &'a mut G) -> &'a mut Self::Pick<R, G>;
    /// A reference to what is picked where Rust decides.
    ///
    /// # Panics
    /// If a tensor decides.
    fn rust_mut<'a, R: 'a, G: 'a>(value: &'a mut R) -> &'a mut Self::Pick<R, G>;
    /// The same, shared.
    ///
    /// # Panics
    /// If Rust decides.
    fn graph_ref<'a, R: 'a, G: 'a>(value: &'a G) -> &'a Self::Pick<R, G>;
    /// A shared reference to what is picked where Rust decides.
    ///
    /// # Panics
    /// If a tensor decides.
    fn rust_ref<'a, R: 'a, G: 'a>(value: &'a R) -> &'a Self::Pick<R, G>;
    /// What was picked where a tensor decides.
    ///
    /// # Panics
    /// If Rust decides.
    fn into_graph<R, G>(value: Self::Pick<R, G>) -> G;
    /// What was picked where Rust decides.
    ///
    /// # Panics
    /// If a tensor decides.
    fn into_rust<R, G>(value: Self::Pick<R, G>) -> R;
    /// What is picked where a tensor decides.
    ///
    /// # Panics
    /// If Rust decides.
    fn from_graph<R, G>(value: G) -> Self::Pick<R, G>;
    /// What is picked where Rust decides.
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
    type Witness = ();
    const GRAPH: bool = true;
    fn witness() {}
}

/// A witness of one of two kinds.
pub enum Either<A, B> {
    /// Of the first.
    First(A),
    /// Of the second.
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

/// What a construct of kind `K` carries of a `T`, for which [`GraphState`] is asked: the `T` where a tensor decides, nothing where Rust
/// does.
pub type Carried<K, T> = <K as Kind>::Pick<(), T>;

/// The variable, for the tracer; `None` where Rust decides.
fn variable<'a, K: Kind, T>(variable: &'a mut T) -> Option<&'a mut dyn Variable>
where
    Carried<K, T>: Nest,
    T: 'a,
{
    if K::GRAPH {
        Some(K::graph_mut::<(), T>(variable))
    } else {
        None
    }
}

/// The parts of a value, for the tracer; `None` where Rust decides, and for an `Err`.
pub(crate) fn parts<K: Kind, T>(value: T) -> Option<crate::state::Parts>
where
    Carried<K, T>: GraphState,
{
    if K::GRAPH {
        crate::state::Parts::of(K::graph_ref::<(), T>(&value))
    } else {
        None
    }
}

/// A value from its parts.
pub(crate) fn from_parts<K: Kind, T>(parts: crate::state::Parts) -> T
where
    Carried<K, T>: Nest,
{
    let leaves = parts.leaves.clone();
    K::into_graph::<(), T>(parts.rebuild(leaves))
}

pub use hidden::Variable;
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
}

/// What may be taken by value in code that runs once per branch.
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

/// Exists only where a tensor decides.
pub struct OnlyGraph<K: Kind> {
    /// Tells the compiler so.
    pub witness: K::Witness,
}

impl<K: Kind> OnlyGraph<K> {
    /// A clone of a value that Rust would move: the other branch needs it, too.
    pub fn keep<T>(self, value: &T) -> Kept<T>
    where
        Carried<K, T>: Keep,
    {
        Kept(K::into_graph::<(), T>(K::graph_ref::<(), T>(value).keep()))
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
    /// A parameter that Rust changes, while tracing.
    of_rust: Option<&'a dyn AnyArgument>,
    kind: std::marker::PhantomData<K>,
}

/// Names a variable that a construct of kind `K` may change.
pub fn var<'a, K: Kind, T>(name: &'static str, value: &'a mut T) -> Var<'a, K>
where
    Carried<K, T>: GraphState,
{
    Var {
        name,
        variable: variable::<K, T>(value),
        of_rust: None,
        kind: std::marker::PhantomData,
    }
}

/// A place behind a `&mut` reference.
pub struct Behind<'a, T: ?Sized> {
    name: &'static str,
    value: Option<&'a mut T>,
}

/// Names what a reference leads to, which a construct may change.
pub fn behind<'a, T: ?Sized>(name: &'static str, value: &'a mut T) -> Behind<'a, T> {
    Behind {
        name,
        value: Some(value),
    }
}

/// Places of a size that is known to the compiler.
pub trait VarOfSize<'a, T> {
    /// The variable, for a construct of kind `K`.
    fn var<K: Kind>(self) -> Var<'a, K>
    where
        Carried<K, T>: GraphState,
        T: 'a;
}
impl<'a, T> VarOfSize<'a, T> for Behind<'a, T> {
    fn var<K: Kind>(mut self) -> Var<'a, K>
    where
        Carried<K, T>: GraphState,
        T: 'a,
    {
        var(self.name, self.value.take().expect("it is named once"))
    }
}

/// Slices, strings and trait objects, which Rust alone can change.
pub trait VarUnsized<'a> {
    /// The variable, for a construct of kind `K`.
    fn var<K: Kind>(&mut self) -> Var<'a, K>
    where
        K::Pick<VariableOfRust, Unsized>: OfOneSize;
}
impl<'a, T: ?Sized> VarUnsized<'a> for Behind<'a, T> {
    fn var<K: Kind>(&mut self) -> Var<'a, K>
    where
        K::Pick<VariableOfRust, Unsized>: OfOneSize,
    {
        Var {
            name: self.name,
            variable: None,
            of_rust: None,
            kind: std::marker::PhantomData,
        }
    }
}

/// A slice, a string or a trait object behind a reference.
pub struct Unsized(());

/// Asked for where what is behind a reference is changed.
#[diagnostic::on_unimplemented(
    message = "a slice, string or trait object is changed under a tensor condition",
    label = "a tensor decides whether it is changed",
    note = "a branch or loop with a tensor condition carries values of one size: pass a `&mut Vec<Tensor<…>>` or a tensor"
)]
pub trait OfOneSize {}
#[diagnostic::do_not_recommend]
impl OfOneSize for VariableOfRust {}

/// Where a variable stands that has no value yet and gets one on some ways only: refused where a tensor decides.
pub fn unset<'a, K: Kind>(name: &'static str) -> Var<'a, K>
where
    K::Pick<VariableOfRust, VariableWithoutValue>: SetOnEveryWay,
{
    Var {
        name,
        variable: None,
        of_rust: None,
        kind: std::marker::PhantomData,
    }
}

/// A variable that Rust may leave without a value.
pub struct VariableOfRust(());

/// A variable without a value, of which a graph needs one.
pub struct VariableWithoutValue(());

/// Asked for where a variable may be left without a value.
#[diagnostic::on_unimplemented(
    message = "a variable without a value is set on some ways only, and a tensor decides which",
    label = "not set on every way",
    note = "a graph needs a value on every way: set it in each branch, or where it is declared: `let mut x = tensor(0);`"
)]
pub trait SetOnEveryWay {}
#[diagnostic::do_not_recommend]
impl SetOnEveryWay for VariableOfRust {}

impl<'a, K: Kind> Var<'a, K> {
    /// A receiver of methods.
    pub(super) fn received<T: 'a>(name: &'static str, receiver: &'a mut T) -> Self
    where
        Carried<K, T>: Nest,
    {
        Var {
            variable: variable::<K, T>(receiver),
            ..Var::of_nothing(name)
        }
    }
    /// Nothing that a construct would have to know.
    pub(super) fn of_nothing(name: &'static str) -> Self {
        Var {
            name,
            variable: None,
            of_rust: None,
            kind: std::marker::PhantomData,
        }
    }
}

impl<'a> Var<'a, Graph> {
    pub(crate) fn of<T: crate::state::Nest>(variable: &'a mut T) -> Self {
        Var {
            name: "parameter",
            variable: Some(variable),
            of_rust: None,
            kind: std::marker::PhantomData,
        }
    }
    pub(crate) fn of_rust(parameter: &'a dyn AnyArgument) -> Self {
        Var {
            of_rust: Some(parameter),
            ..Var::nothing()
        }
    }
    /// The parameter, if Rust changes it.
    pub(crate) fn rust_parameter(&self) -> Option<&'a dyn AnyArgument> {
        self.of_rust
    }
    pub(crate) fn nothing() -> Self {
        Var {
            name: "parameter",
            variable: None,
            of_rust: None,
            kind: std::marker::PhantomData,
        }
    }
}

/// The variables, for the tracer.
pub(crate) fn collect<'a, K>(vars: &'a mut [Var<'_, K>]) -> trace::Vars<'a> {
    let vars = vars
        .iter_mut()
        .filter_map(|v| Some((v.name, v.variable.as_mut()?.inner().0)));
    trace::Vars(vars.collect())
}
