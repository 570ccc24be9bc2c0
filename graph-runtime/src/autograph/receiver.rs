//! What a method or a closure may change behind generated code's back: its receiver, and what it has captured. The macro can't tell a method that
//! takes `&mut self` from one that takes `&self`, so a construct that a tensor decides about carries the receiver as it carries what is
//! assigned: its tensors become outputs of the branches, and what else it holds must be the same behind each of them.

use std::marker::PhantomData;

use super::kind::{Carried, Kind, Var, VariableOfRust};
use crate::state::Nest;

/// The receiver of a method.
pub struct Receiver<'a, T: ?Sized> {
    name: &'static str,
    value: Option<&'a mut T>,
}

/// Names the receiver of a method that a construct calls.
pub fn receiver<'a, T: ?Sized>(name: &'static str, value: &'a mut T) -> Receiver<'a, T> {
    Receiver {
        name,
        value: Some(value),
    }
}

/// Receivers of a size that is known to the compiler.
pub trait ReceiverOfSize<'a, T> {
    /// The variable, for a construct of kind `K`.
    fn var<K: Kind>(self) -> Var<'a, K>
    where
        Carried<K, T>: HasMethods,
        T: 'a;
}
impl<'a, T> ReceiverOfSize<'a, T> for Receiver<'a, T> {
    fn var<K: Kind>(mut self) -> Var<'a, K>
    where
        Carried<K, T>: HasMethods,
        T: 'a,
    {
        Var::received(self.name, self.value.take().expect("it is named once"))
    }
}

/// Slices, strings and trait objects: of these, no tensor may decide.
pub trait ReceiverUnsized<'a> {
    /// No variable.
    fn var<K: Kind>(&mut self) -> Var<'a, K>
    where
        K::Pick<VariableOfRust, super::Unsized>: super::OfOneSize;
}
impl<'a, T: ?Sized> ReceiverUnsized<'a> for Receiver<'a, T> {
    fn var<K: Kind>(&mut self) -> Var<'a, K>
    where
        K::Pick<VariableOfRust, super::Unsized>: super::OfOneSize,
    {
        Var::of_nothing(self.name)
    }
}

/// Values on which methods may be called where a tensor decides: made of tensors and plain values.
#[diagnostic::on_unimplemented(
    message = "a method is called on a `{Self}` that can change, under a tensor condition",
    label = "the method may change it, which the graph would have to know",
    note = "if the method changes nothing, declare the variable without `mut`, or call the method on a shared reference: `let v = &v;`",
    note = "a graph carries tensors, numbers, strings and tuples, arrays, `Vec`s, maps, `Option`s and `#[derive(GraphState)]` structs of tensors"
)]
pub trait HasMethods: Nest {}
#[diagnostic::do_not_recommend]
impl<T: Nest> HasMethods for T {}

/// A variable that is called: a closure, if not a function.
pub struct Called<T: ?Sized>(PhantomData<T>);

/// A variable that can change is called.
pub fn called<'a, K: Kind, T: ?Sized>(_: &T) -> Var<'a, K>
where
    K::Pick<VariableOfRust, Called<T>>: CallableHere,
{
    Var::of_nothing("closure")
}

/// Asked for where a variable is called that can change: what isn't `Copy` may have captured something that it changes.
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
