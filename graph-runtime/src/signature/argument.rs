//! `Argument`: what a value writes into a signature, and what its type may contain.

use super::Signature;
use crate::error::Location;

/// A value that can be an argument of a graph function and has a trace type (TensorFlow's `TraceType`).
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no trace type, so it is no part of an argument",
    label = "no tensor, variable or plain value, nor made of them",
    note = "write `#[derive(TraceType)]` on a struct or enum; for a field, `#[trace_type(by_value)]` compares it by its `Hash`, and \
            `#[trace_type(ignore)]` leaves it out"
)]
pub trait Argument {
    /// Writes the trace type.
    fn trace_type(&self, signature: &mut Signature);
    /// Replaces every tensor in the value by a distinct one of the same values; gradients flow on to the original. `location` is that of the call.
    fn set_apart(&mut self, location: &Location) {
        let _ = location;
    }
    /// What a value of the type may contain. For [`Holds::Rust`] and [`Holds::Variables`] the trace type says everything about the
    /// value, so a graph needn't write a `&mut` parameter of the type: if tracing changes the parameter, its trace type shows that,
    /// and the trace serves only this call. `depth` counts how deep this type is nested in others; recursive types stop at a limit.
    fn holds(depth: usize) -> Holds {
        let _ = depth;
        Holds::Anything
    }
}

/// The most that a value of a type may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Holds {
    /// Plain values.
    Rust,
    /// Variables and plain values.
    Variables,
    /// Also tensors, or something that the trace type doesn't describe.
    Anything,
}

impl Holds {
    /// What a value contains that is made of two parts.
    pub const fn and(self, other: Holds) -> Holds {
        match (self as u8) < other as u8 {
            true => other,
            false => self,
        }
    }
}

/// An argument whose type is erased. A trait needs it as a supertrait so that its trait objects can be arguments.
///
/// ```
/// use graph_runtime::function::{AnyArgument, Signature};
/// use graph_runtime::{Argument, TraceType, prelude::*};
///
/// trait Layer: AnyArgument {
///     fn apply(&self, x: Tensor<f32>) -> Tensor<f32>;
/// }
/// impl Argument for dyn Layer + '_ {
///     fn trace_type(&self, signature: &mut Signature) {
///         AnyArgument::trace_type(self, signature);
///     }
/// }
///
/// #[derive(TraceType)]
/// struct Scale(f32);
/// impl Layer for Scale {
///     fn apply(&self, x: Tensor<f32>) -> Tensor<f32> {
///         x * self.0
///     }
/// }
/// #[derive(TraceType)]
/// struct Shift(Tensor<f32>);
/// impl Layer for Shift {
///     fn apply(&self, x: Tensor<f32>) -> Tensor<f32> {
///         x + &self.0
///     }
/// }
///
/// #[graph_fn]
/// fn forward(layers: &[Box<dyn Layer>], x: Tensor<f32>) -> Tensor<f32> {
///     let mut x = x;
///     for layer in layers {
///         x = layer.apply(x);
///     }
///     x
/// }
///
/// let layers: [Box<dyn Layer>; 2] = [Box::new(Scale(2.0)), Box::new(Shift(tensor(1.0)))];
/// assert_eq!(forward(&layers, tensor(3.0)).item(), 7.0);
/// ```
pub trait AnyArgument {
    /// Writes the trace type.
    fn trace_type(&self, signature: &mut Signature);
}

impl<T: Argument> AnyArgument for T {
    fn trace_type(&self, signature: &mut Signature) {
        Argument::trace_type(self, signature);
    }
}
