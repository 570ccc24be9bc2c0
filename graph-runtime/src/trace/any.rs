//! `AnyTensor`: the untyped handle behind every [`Tensor`](crate::Tensor). It is a concrete array, or a value of a graph that is
//! being traced. Ops go through [`AnyTensor::apply`], which runs the kernel or adds a node.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use graph_ir::device::Place;
use graph_kernels::{Array, DType};

use super::Symbol;
use crate::device::{self, Device, Storage};
use crate::error::Location;
use crate::graph::{Shape, TensorType};
use crate::ops::{self, Attr, Attrs, OpDef};
use crate::trace;

/// An untyped tensor: cheap to clone, `Send + Sync`.
pub struct AnyTensor {
    pub(crate) repr: Repr,
    /// Distinguishes two arguments that share one array ([`AnyTensor::make_distinct`]); 0 for all others.
    alias: u64,
}

/// The representation of a tensor.
#[derive(Clone)]
pub(crate) enum Repr {
    /// A value in memory.
    Concrete(Storage),
    /// A value of a graph under construction.
    Symbolic(Arc<Symbol>),
    /// The result of an op that failed; the innermost graph function records the error.
    Poisoned(DType),
    /// A type to trace with, without a value.
    Placeholder(Arc<Placeholder>),
    /// The current value of a variable, read at each use. Only the variable itself holds this and lends it by reference; a clone is
    /// a tensor that was read.
    Variable(Arc<Place>),
}

/// A tensor that has a type but no value.
pub(crate) struct Placeholder {
    pub ty: TensorType,
    pub name: Option<Arc<str>>,
}

impl Clone for AnyTensor {
    #[track_caller]
    fn clone(&self) -> AnyTensor {
        match &self.repr {
            Repr::Variable(place) => trace::read_variable(place, Location::caller()),
            repr => AnyTensor {
                repr: repr.clone(),
                alias: self.alias,
            },
        }
    }
}

/// The identity of a tensor: clones share it, so that a trace recognizes its arguments.
pub(crate) type Identity = (usize, u64);

impl AnyTensor {
    pub(crate) fn new(repr: Repr) -> AnyTensor {
        AnyTensor { repr, alias: 0 }
    }

    /// A tensor with these values: a constant of the graph while tracing, concrete otherwise.
    #[track_caller]
    pub fn constant(array: Array) -> AnyTensor {
        trace::constant(array, Location::caller())
    }

    /// A tensor of unknown shape whose value is never used.
    #[track_caller]
    pub fn undefined(dtype: DType) -> AnyTensor {
        let attrs = Attrs::new()
            .with("dtype", Attr::DType(dtype))
            .with("shape", Attr::Shape(Shape::unknown()));
        AnyTensor::apply(&ops::UNDEFINED, attrs, &[])
    }

    /// A concrete tensor, also while tracing (it becomes a capture when used).
    pub fn concrete(value: impl Into<Storage>) -> AnyTensor {
        AnyTensor::new(Repr::Concrete(value.into()))
    }

    /// A concrete tensor of the current device with these values of the host.
    ///
    /// # Panics
    /// Ends the current graph function with an error if the device has no room.
    #[track_caller]
    pub fn on_current_device(array: impl Into<Arc<Array>>) -> AnyTensor {
        AnyTensor::concrete(trace::or_fail(device::bring_here(
            array,
            &Location::caller(),
        )))
    }

    /// Applies an op: runs its kernel on concrete operands outside a trace, adds a node inside one.
    /// An op that doesn't fit its operands records the error with the caller's line.
    ///
    /// # Panics
    /// Outside any graph function, if the operands don't fit the op.
    #[track_caller]
    pub fn apply(op: &'static OpDef, attrs: Attrs, operands: &[&AnyTensor]) -> AnyTensor {
        trace::apply(op, attrs, operands, Location::caller())
    }

    /// Replaces a tensor by the result of an op whose first operand it is. Outside a trace this happens in place, if no other
    /// handle shares its buffer.
    #[track_caller]
    pub(crate) fn update(
        op: &'static OpDef,
        attrs: Attrs,
        target: &mut AnyTensor,
        others: &[&AnyTensor],
    ) {
        trace::update(op, attrs, target, others, Location::caller());
    }

    /// The static type: exact for a concrete tensor, as far as known for a symbolic one.
    pub fn ty(&self) -> TensorType {
        trace::type_of(self)
    }

    /// The dtype.
    pub fn dtype(&self) -> DType {
        match &self.repr {
            Repr::Concrete(value) => value.dtype(),
            Repr::Symbolic(symbol) => symbol.ty.dtype,
            Repr::Poisoned(dtype) => *dtype,
            Repr::Placeholder(placeholder) => placeholder.ty.dtype,
            Repr::Variable(place) => place.ty().dtype,
        }
    }

    /// The shape, as far as it is known.
    pub fn shape(&self) -> Shape {
        self.ty().shape
    }

    /// True while the tensor stands for a value of a graph under construction: it has a type but no value.
    pub fn is_symbolic(&self) -> bool {
        trace::is_symbolic(self)
    }

    /// The values.
    ///
    /// # Panics
    /// Ends the current graph function with an error if the tensor is symbolic: it has no value while tracing.
    #[track_caller]
    pub fn array(&self) -> Arc<Array> {
        trace::array_of(self, Location::caller())
    }

    /// The device that holds the values; while tracing, the device on which tensors are made.
    #[track_caller]
    pub fn device(&self) -> Device {
        match &self.repr {
            Repr::Concrete(value) => value.device(),
            Repr::Variable(place) => place.read().device(),
            Repr::Symbolic(_) | Repr::Poisoned(_) | Repr::Placeholder(_) => device::current(),
        }
    }

    /// The same value on another device; see [`Tensor::to`](crate::Tensor::to).
    #[track_caller]
    pub(crate) fn to(&self, device: Device) -> AnyTensor {
        trace::to(self, device, &Location::caller())
    }

    /// The name from the tensor's specification, if the tensor is a placeholder with a name.
    pub(crate) fn given_name(&self) -> Option<Arc<str>> {
        match &self.repr {
            Repr::Placeholder(placeholder) => placeholder.name.clone(),
            _ => None,
        }
    }

    pub(crate) fn identity(&self) -> Identity {
        let address = match &self.repr {
            Repr::Concrete(value) => value.address(),
            Repr::Symbolic(symbol) => Arc::as_ptr(symbol) as usize,
            Repr::Poisoned(_) => 0,
            Repr::Placeholder(placeholder) => Arc::as_ptr(placeholder) as usize,
            Repr::Variable(place) => Arc::as_ptr(place) as usize,
        };
        (address, self.alias)
    }

    /// Whether the tensor is only a type to trace with.
    pub(crate) fn is_placeholder(&self) -> bool {
        matches!(self.repr, Repr::Placeholder(_))
    }

    /// The tensor itself, or the current value if it is a variable.
    pub(crate) fn read(&self, location: &Location) -> AnyTensor {
        match self.variable() {
            Some(place) => trace::read_variable(place, location.clone()),
            None => self.clone(),
        }
    }

    /// The variable, if the tensor reads one at each use.
    pub(crate) fn variable(&self) -> Option<&Arc<Place>> {
        match &self.repr {
            Repr::Variable(place) => Some(place),
            _ => None,
        }
    }

    /// Gives this handle an identity of its own, so that two parameters that received the same tensor stay different.
    pub(crate) fn make_distinct(&mut self) {
        static NEXT: AtomicU64 = AtomicU64::new(1);
        self.alias = NEXT.fetch_add(1, Ordering::Relaxed);
    }
}
