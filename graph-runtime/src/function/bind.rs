//! Arguments of a call enter its signature, in a way that depends on their types. Generated code wraps each argument; the wrapper's
//! methods come from the first trait that the argument's type implements.

use std::cell::Cell;

use super::call::{Call, How};
use crate::kind::{Graph, Var};
use crate::signature::{Argument, Holds};
use crate::state::Nest;
use crate::trace::Parts;

/// A wrapped argument.
pub struct Bind<T>(Cell<Option<T>>);

/// Wraps an argument for [`BindArgument`] or [`BindOpaque`], whichever its type allows.
pub fn argument<T>(value: T) -> Bind<T> {
    Bind(Cell::new(Some(value)))
}

/// Arguments that have a trace type.
pub trait BindArgument<T> {
    /// Enters the argument into the call's signature.
    fn bind(self, call: &mut Call) -> T;
}

/// Arguments that have none.
pub trait BindOpaque<T> {
    /// Enters the argument's type into the call's signature.
    fn bind(&self, call: &mut Call) -> T;
}

impl<T: Argument> BindArgument<T> for Bind<T> {
    fn bind(self, call: &mut Call) -> T {
        let mut value = self.0.into_inner().expect("a new argument");
        if call.enters(T::holds(0)) {
            let line = call.line;
            call.record().signature.owned(&mut value, line);
        }
        value
    }
}

impl<T> BindOpaque<T> for Bind<T> {
    fn bind(&self, call: &mut Call) -> T {
        // A value of size zero is determined by its type: a function item, a closure without captures, a unit struct.
        call.opaque::<T>(size_of::<T>());
        self.0.take().expect("a new argument")
    }
}

/// A wrapped borrowed argument.
pub struct Borrowed<'a, T: ?Sized>(&'a T);

/// Wraps a borrowed argument for [`BindBorrowed`] or [`BindBorrowedOpaque`], whichever its type allows.
pub fn borrowed<T: ?Sized>(value: &T) -> Borrowed<'_, T> {
    Borrowed(value)
}

/// Borrowed arguments that have a trace type.
pub trait BindBorrowed {
    /// Enters the argument into the call's signature.
    fn bind(self, call: &mut Call);
}

/// Borrowed arguments that have none.
pub trait BindBorrowedOpaque {
    /// Enters the argument's type into the call's signature.
    fn bind(&self, call: &mut Call);
}

impl<T: Argument + ?Sized> BindBorrowed for Borrowed<'_, T> {
    fn bind(self, call: &mut Call) {
        if call.enters(T::holds(0)) {
            self.0.trace_type(&mut call.record().signature);
        }
    }
}

impl<T: ?Sized> BindBorrowedOpaque for Borrowed<'_, T> {
    fn bind(&self, call: &mut Call) {
        call.opaque::<T>(size_of_val(self.0));
    }
}

/// A wrapped `&mut` parameter.
pub struct BindMut<'a, T: ?Sized>(&'a mut T);

/// Wraps a `&mut` parameter for [`BindState`] or [`BindOpaqueMut`], whichever its type allows.
pub fn reference<T: ?Sized>(value: &mut T) -> BindMut<'_, T> {
    BindMut(value)
}

/// `&mut` parameters that a graph can write.
pub trait BindState {
    /// Enters the parameter into the call's signature.
    fn bind(self, call: &mut Call);
}

/// `&mut` parameters that have a trace type.
pub trait BindRust {
    /// Enters the parameter into the call's signature if no graph needs to write it; else the body runs as plain Rust.
    fn bind(&self, call: &mut Call);
}

/// `&mut` parameters that no graph can write: with them the body runs as plain Rust.
pub trait BindOpaqueMut {
    /// Makes the call run as plain Rust.
    fn bind(&mut self, call: &mut Call);
}

impl<T: Argument + Nest> BindState for BindMut<'_, T> {
    fn bind(self, call: &mut Call) {
        let enters = call.enters(T::holds(0));
        if enters {
            let line = call.line;
            call.record().signature.owned(self.0, line);
        }
        if enters || call.how == How::Inline {
            call.record().originals.extend(Parts::of(self.0));
        }
    }
}

impl<T: Argument> BindRust for BindMut<'_, T> {
    fn bind(&self, call: &mut Call) {
        let holds = T::holds(0);
        if holds == Holds::Anything {
            call.how = How::Inline;
        } else if call.enters(holds) {
            let record = call.record();
            let begin = record.signature.key.len();
            self.0.trace_type(&mut record.signature);
            record.of_rust.push(begin..record.signature.key.len());
        }
    }
}

impl<T: ?Sized> BindOpaqueMut for BindMut<'_, T> {
    fn bind(&mut self, call: &mut Call) {
        call.how = How::Inline;
    }
}

/// A `&mut` parameter at the end of a call.
pub struct MutParameter<'a, T: ?Sized>(Cell<Option<&'a mut T>>);

/// Wraps a `&mut` parameter for [`ParameterState`] or [`ParameterOpaque`], whichever its type allows.
pub fn parameter<T: ?Sized>(value: &mut T) -> MutParameter<'_, T> {
    MutParameter(Cell::new(Some(value)))
}

/// `&mut` parameters that a graph can write.
pub trait ParameterState<'a> {
    /// The variable to write.
    fn var(self) -> Var<'a, Graph>;
}

/// `&mut` parameters that have a trace type.
pub trait ParameterRust<'a> {
    /// The parameter, to check whether it was changed.
    fn var(&self) -> Var<'a, Graph>;
}

/// `&mut` parameters that no graph can write.
pub trait ParameterOpaque<'a> {
    /// A variable of which the graph carries nothing.
    fn var(&mut self) -> Var<'a, Graph>;
}

impl<'a, T: Argument + Nest> ParameterState<'a> for MutParameter<'a, T> {
    fn var(self) -> Var<'a, Graph> {
        Var::parameter(self.0.into_inner().expect("a new parameter"))
    }
}

impl<'a, T: Argument> ParameterRust<'a> for MutParameter<'a, T> {
    fn var(&self) -> Var<'a, Graph> {
        match self.0.take() {
            Some(parameter) if T::holds(0) < Holds::Anything => Var::parameter_of_rust(parameter),
            _ => Var::opaque_parameter(),
        }
    }
}

impl<'a, T: ?Sized> ParameterOpaque<'a> for MutParameter<'a, T> {
    fn var(&mut self) -> Var<'a, Graph> {
        Var::opaque_parameter()
    }
}
