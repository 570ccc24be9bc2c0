//! The variables that a construct carries. Generated code names each variable together with the way in which it may change. Where a
//! tensor decides, the variables become inputs and outputs of the branch or loop. The bound on a variable's type depends on the
//! change: an assigned variable must consist of tensors only; a variable that a method may change may also contain plain values.

use std::marker::PhantomData;

use super::{Carried, Graph, Kind};
use crate::signature::AnyArgument;
use crate::state::{GraphState, Nest};
use crate::trace::{self, Variable};

/// A variable of a construct of kind `K`.
pub struct Var<'a, K> {
    name: &'static str,
    /// The variable, for the tracer; `None` where Rust decides, and where the variable has nothing that a graph could carry.
    variable: Option<&'a mut dyn Variable>,
    /// A parameter that Rust changes while tracing.
    of_rust: Option<&'a dyn AnyArgument>,
    kind: PhantomData<K>,
}

impl<'a, K: Kind> Var<'a, K> {
    fn new<T: 'a>(name: &'static str, value: &'a mut T) -> Self
    where
        Carried<K, T>: Nest,
    {
        let mut var = Var::nothing(name);
        if K::GRAPH {
            var.variable = Some(K::graph_mut::<(), T>(value));
        }
        var
    }

    /// A variable of which the graph carries nothing.
    fn nothing(name: &'static str) -> Self {
        Var {
            name,
            variable: None,
            of_rust: None,
            kind: PhantomData,
        }
    }
}

/// A `&mut` parameter of a graph function.
impl<'a> Var<'a, Graph> {
    pub(crate) fn parameter<T: Nest>(parameter: &'a mut T) -> Self {
        Var::new("parameter", parameter)
    }

    /// A parameter that Rust changes while tracing.
    pub(crate) fn parameter_of_rust(parameter: &'a dyn AnyArgument) -> Self {
        Var {
            of_rust: Some(parameter),
            ..Var::opaque_parameter()
        }
    }

    /// A parameter that no graph writes.
    pub(crate) fn opaque_parameter() -> Self {
        Var::nothing("parameter")
    }

    /// The parameter, if Rust changes it.
    pub(crate) fn rust_parameter(&self) -> Option<&'a dyn AnyArgument> {
        self.of_rust
    }
}

/// Collects the variables for the tracer.
pub(crate) fn collect<'a, K>(vars: &'a mut [Var<'_, K>]) -> trace::Vars<'a> {
    let vars = vars.iter_mut().filter_map(|v| {
        let variable: &mut dyn Variable = &mut **v.variable.as_mut()?;
        Some((v.name, variable))
    });
    trace::Vars(vars.collect())
}

/// Names a variable that a construct of kind `K` may assign.
pub fn var<'a, K: Kind, T: 'a>(name: &'static str, value: &'a mut T) -> Var<'a, K>
where
    Carried<K, T>: GraphState,
{
    Var::new(name, value)
}

/// A place whose size the syntax doesn't show: a dereferenced place, or the receiver of a method.
pub struct AnyPlace<'a, T: ?Sized> {
    name: &'static str,
    value: &'a mut T,
}

/// Names such a place.
pub fn place<'a, T: ?Sized>(name: &'static str, value: &'a mut T) -> AnyPlace<'a, T> {
    AnyPlace { name, value }
}

/// Places whose size the compiler knows.
pub trait PlaceOfSize<'a, T: 'a> {
    /// The variable, if the place is assigned.
    fn var<K: Kind>(self) -> Var<'a, K>
    where
        Carried<K, T>: GraphState;
    /// The variable, if a method is called on the place. The macro can't distinguish a method that takes `&mut self` from one that
    /// takes `&self`, so a construct with a tensor condition carries the receiver like an assigned variable: its tensors become
    /// outputs of the branches, and its plain values must be equal after each branch.
    fn receiver<K: Kind>(self) -> Var<'a, K>
    where
        Carried<K, T>: HasMethods;
}
impl<'a, T: 'a> PlaceOfSize<'a, T> for AnyPlace<'a, T> {
    fn var<K: Kind>(self) -> Var<'a, K>
    where
        Carried<K, T>: GraphState,
    {
        Var::new(self.name, self.value)
    }
    fn receiver<K: Kind>(self) -> Var<'a, K>
    where
        Carried<K, T>: HasMethods,
    {
        Var::new(self.name, self.value)
    }
}

/// Slices, strings and trait objects, which only Rust can change.
pub trait PlaceUnsized<'a> {
    /// A variable of which the graph carries nothing.
    fn var<K: Kind>(&mut self) -> Var<'a, K>
    where
        K::Pick<VariableOfRust, Unsized>: OfOneSize;
    /// A variable of which the graph carries nothing.
    fn receiver<K: Kind>(&mut self) -> Var<'a, K>
    where
        K::Pick<VariableOfRust, Unsized>: OfOneSize;
}
impl<'a, T: ?Sized> PlaceUnsized<'a> for AnyPlace<'a, T> {
    fn var<K: Kind>(&mut self) -> Var<'a, K>
    where
        K::Pick<VariableOfRust, Unsized>: OfOneSize,
    {
        Var::nothing(self.name)
    }
    fn receiver<K: Kind>(&mut self) -> Var<'a, K>
    where
        K::Pick<VariableOfRust, Unsized>: OfOneSize,
    {
        Var::nothing(self.name)
    }
}

/// A mutable variable that is called: a closure or a function.
pub fn called<'a, K: Kind, T: ?Sized>(_: &T) -> Var<'a, K>
where
    K::Pick<VariableOfRust, Called<T>>: CallableHere,
{
    Var::nothing("closure")
}

/// The same, where `Names` are types called like the variables that the closure changes: a message shows them.
pub fn changing<'a, Names, K: Kind, T: ?Sized>(_: &T) -> Var<'a, K>
where
    K::Pick<VariableOfRust, Called<T>>: ChangesHere<Names>,
{
    Var::nothing("closure")
}

/// A variable of which `unsafe` code changes what it points to, which no graph can see: refused where a tensor decides.
pub fn pointed<'a, K: Kind>(name: &'static str) -> Var<'a, K>
where
    K::Pick<VariableOfRust, WhatIsPointedTo>: ChangedByPointer,
{
    Var::nothing(name)
}

/// A variable without a value that only some paths set: refused where a tensor decides.
pub fn unset<'a, K: Kind>(name: &'static str) -> Var<'a, K>
where
    K::Pick<VariableOfRust, VariableWithoutValue>: SetOnEveryWay,
{
    Var::nothing(name)
}

/// Replaces the variable's type where Rust decides: it has no bounds.
pub struct VariableOfRust(());

/// Types on which methods may be called under a tensor condition: they consist of tensors and plain values.
#[diagnostic::on_unimplemented(
    message = "a method is called on a `{Self}` that can change, under a tensor condition",
    label = "the method may change it, which the graph would have to know",
    note = "if the method changes nothing, declare the variable without `mut`, or call the method on a shared reference: `let v = &v;`",
    note = "a graph carries tensors, numbers, strings and tuples, arrays, `Vec`s, maps, `Option`s and `#[derive(GraphState)]` structs of tensors"
)]
pub trait HasMethods: Nest {}
#[diagnostic::do_not_recommend]
impl<T: Nest> HasMethods for T {}

/// Represents a slice, a string or a trait object behind a reference.
pub struct Unsized(());

/// Required where a place behind a reference is changed.
#[diagnostic::on_unimplemented(
    message = "a slice, string or trait object is changed under a tensor condition",
    label = "a tensor decides whether it is changed",
    note = "a branch or loop with a tensor condition carries values of one size: pass a `&mut Vec<Tensor<…>>` or a tensor"
)]
pub trait OfOneSize {}
#[diagnostic::do_not_recommend]
impl OfOneSize for VariableOfRust {}

/// Represents a variable without a value.
pub struct VariableWithoutValue(());

/// Required where a variable may be left without a value.
#[diagnostic::on_unimplemented(
    message = "a variable without a value is set on some ways only, and a tensor decides which",
    label = "not set on every way",
    note = "a graph needs a value on every way: set it in each branch, or where it is declared: `let mut x = tensor(0);`"
)]
pub trait SetOnEveryWay {}
#[diagnostic::do_not_recommend]
impl SetOnEveryWay for VariableOfRust {}

/// Represents what a pointer points to.
pub struct WhatIsPointedTo(());

/// Required where `unsafe` code changes what a variable points to.
#[diagnostic::on_unimplemented(
    message = "`unsafe` code changes what a pointer points to, and a tensor decides if it runs",
    label = "the graph doesn't see what is behind a pointer",
    note = "choose the value by the tensor, and write it behind the construct"
)]
pub trait ChangedByPointer {}
#[diagnostic::do_not_recommend]
impl ChangedByPointer for VariableOfRust {}

/// Represents a variable that is called.
pub struct Called<T: ?Sized>(PhantomData<T>);

/// Required where a mutable variable is called: a closure that isn't `Copy` may change what it has captured.
#[diagnostic::on_unimplemented(
    message = "a closure that changes what it has captured is called under a tensor condition",
    label = "a tensor decides if the closure runs, and the graph doesn't see what it changes",
    note = "give the closure what it changes as a parameter, and assign what it returns: `y = set(y);`; if it changes nothing, declare it without `mut`"
)]
pub trait CallableHere {}
#[diagnostic::do_not_recommend]
impl CallableHere for VariableOfRust {}
#[diagnostic::do_not_recommend]
impl<T: Copy> CallableHere for Called<T> {}

/// Required where a closure is called that changes the variables with these names.
#[diagnostic::on_unimplemented(
    message = "a closure that changes `{Names}` is called under a tensor condition",
    label = "a tensor decides if the closure runs, and the graph doesn't see that it changes `{Names}`",
    note = "give the closure what it changes as a parameter, and assign what it returns: `{Names} = f({Names}, …);`"
)]
pub trait ChangesHere<Names> {}
#[diagnostic::do_not_recommend]
impl<Names> ChangesHere<Names> for VariableOfRust {}
#[diagnostic::do_not_recommend]
impl<T: Copy, Names> ChangesHere<Names> for Called<T> {}
