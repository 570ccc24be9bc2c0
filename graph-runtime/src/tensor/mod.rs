//! The public typed tensor and its methods, one file for each subject. A method only names a row of the op table and its attributes. What
//! the op means is in that table; whether it runs now or becomes a node of the graph being traced is decided by [`AnyTensor::apply`]. So
//! every method works both eagerly and in a graph function.
//!
//! A variable dereferences to a tensor that is read again by each op. So a method that uses `self` several times clones it first.
//!
//! A tensor deliberately has no `PartialEq`, `PartialOrd` or `Iterator`: they need values, and there are none while tracing
//! (`autograph/outside.rs` gives the compiler message for it). Comparisons are methods that give a `Tensor<bool>` ([`Tensor::lt`], …).
//!
#![doc = include_str!("methods.md")]

mod activation;
mod arith;
mod arrange;
mod cast;
mod compare;
mod conv;
mod convert;
mod count;
mod covariance;
mod diagonal;
mod display;
mod einsum;
mod element;
mod facts;
mod functions;
mod gather;
mod grid;
mod index;
mod join;
mod layout;
mod linalg;
mod losses;
mod math;
mod neighbours;
mod operand;
mod pad;
mod parts;
mod products;
mod quantile;
mod reduce;
mod rust_names;
mod scatter;
mod segment;
mod select;
mod shape;
mod sizes;
mod sort;
mod source;
mod split;
mod statistics;
mod strings;
mod windows;

use std::marker::PhantomData;
use std::sync::Arc;

use graph_kernels::Element;
pub use graph_kernels::{Padding, Window};
pub use graph_kernels::{bf16, f16};

pub use arrange::AxisList;
pub use convert::{IntoTensor, tensor};
pub use einsum::einsum;
pub use element::{Additive, Bits, Float, IndexElement, Integer, Multiplicative, Number, Signed};
pub use grid::{meshgrid, meshgrid_ij};
pub use index::TensorIndex;
pub(crate) use index::{set_part, set_part_arguments, take};
pub use join::{ConcatAxis, StackAxis, concat, stack};
pub use linalg::matmul;
pub use math::{maximum, minimum};
pub use operand::AsOperand;
pub use pad::Paddings;
pub use parts::{
    AxisIndex, AxisRange, Ellipsis, IndexPart, NewAxis, Position, RangeBound, RowIndex, Slice,
    Stepped,
};
pub use scatter::scatter_nd;
pub use select::{select, where_};
pub use shape::{
    Absorb, Any, Axis, AxisOf, Broadcast, Common, CommonOfThree, Const, Dyn, FitsShape, HasAxis,
    KnownShape, Matrix, NewAxisOf, One, Product, RightFactor, RoomFor, S0, S1, S2, S3, S4, S5, S6,
    SameSize, ShapeSpec, Size, SizedValues, Swapped,
};
pub(crate) use shape::{of_shape, spec_of};
pub use sizes::{OneSize, SizeList, Sizes};
pub use source::{
    eye, eye_rectangular, fill, full, linspace, ones, ones_like, range, zeros, zeros_like,
};
pub use statistics::Norm;
pub use strings::{NumberFormat, string_join};
pub use windows::{IntoWindow, RowsColumns};

use graph_ir::device::Place;

use crate::ops::{Attr, Attrs, OpDef};
use crate::trace::Repr;

pub use crate::trace::AnyTensor;

/// A tensor with elements of type `T`: a value in memory, or a value of the graph that is being traced. Cloning copies a handle, never the
/// values. `S` is the static shape, as far as the type knows it; [`Dyn`] knows nothing.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let x = tensor([[1, 2], [3, 4]]);
/// let y = &x * 10 + 1;
/// assert_eq!(y.to_vec(), [11, 21, 31, 41]);
/// ```
pub struct Tensor<T, S = Dyn> {
    any: AnyTensor,
    marker: PhantomData<fn() -> (T, S)>,
}

impl<T, S> Clone for Tensor<T, S> {
    #[track_caller]
    fn clone(&self) -> Self {
        Tensor {
            any: self.any.clone(),
            marker: PhantomData,
        }
    }
}

impl<T: Element, S> Tensor<T, S> {
    /// Wraps an untyped tensor, whose dtype must be that of `T`.
    #[doc(hidden)]
    pub fn from_any(any: AnyTensor) -> Self {
        debug_assert!(
            matches!(any.repr, Repr::Poisoned(_)) || any.dtype() == T::DTYPE,
            "a tensor of {} wrapped as {}",
            any.dtype(),
            T::DTYPE
        );
        Tensor {
            any,
            marker: PhantomData,
        }
    }

    /// The same tensor with a type that doesn't know the shape.
    pub(crate) fn to_dynamic(&self) -> Tensor<T> {
        self.clone().dynamic()
    }

    /// Applies an op that takes one tensor.
    #[track_caller]
    pub(crate) fn unary<U: Element, S2>(&self, op: &'static OpDef, attrs: Attrs) -> Tensor<U, S2> {
        Tensor::from_any(AnyTensor::apply(op, attrs, &[&self.any]))
    }

    /// Applies an op without attributes that takes this tensor and another operand.
    #[track_caller]
    pub(crate) fn binary<U: Element, R: Element, X: AsOperand<R>>(
        &self,
        op: &'static OpDef,
        other: X,
    ) -> Tensor<U, Common<S, X::Shape>>
    where
        S: Broadcast<X::Shape>,
    {
        Tensor::from_any(AnyTensor::apply(
            op,
            Attrs::default(),
            &[&self.any, &other.into_operand()],
        ))
    }
}

impl<T, S> Tensor<T, S> {
    /// The tensor that a variable dereferences to: each op reads the variable's value when it is applied.
    pub(crate) fn of_variable(place: Arc<Place>) -> Self {
        Tensor {
            any: AnyTensor::new(Repr::Variable(place)),
            marker: PhantomData,
        }
    }

    /// The untyped tensor behind this one.
    #[doc(hidden)]
    pub fn as_any(&self) -> &AnyTensor {
        &self.any
    }

    /// The untyped tensor behind this one, to be replaced.
    #[doc(hidden)]
    pub fn any_mut(&mut self) -> &mut AnyTensor {
        &mut self.any
    }

    /// Takes the untyped tensor out of this one.
    #[doc(hidden)]
    pub fn into_any(self) -> AnyTensor {
        self.any
    }
}

impl<T, S> From<Tensor<T, S>> for AnyTensor {
    fn from(tensor: Tensor<T, S>) -> AnyTensor {
        tensor.any
    }
}

impl<T, S> From<&Tensor<T, S>> for AnyTensor {
    #[track_caller]
    fn from(tensor: &Tensor<T, S>) -> AnyTensor {
        tensor.any.clone()
    }
}

impl AnyTensor {
    /// The tensor with the type of its elements; `None` if they aren't of type `T`.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// use graph_runtime::tensor::AnyTensor;
    /// let any: AnyTensor = tensor([1, 2]).into();
    /// assert_eq!(any.tensor::<i32>().unwrap().to_vec(), [1, 2]);
    /// assert!(any.tensor::<f32>().is_none());
    /// ```
    #[track_caller]
    pub fn tensor<T: Element>(&self) -> Option<Tensor<T>> {
        (self.dtype() == T::DTYPE).then(|| Tensor::from_any(self.clone()))
    }
}

/// Applies an op that takes any number of tensors.
#[track_caller]
fn apply_all<T: Element, X: AsOperand<T>, S>(
    op: &'static OpDef,
    attrs: Attrs,
    parts: impl IntoIterator<Item = X>,
) -> Tensor<T, S> {
    let mut operands = Vec::new();
    for part in parts {
        operands.push(part.into_operand());
    }
    Tensor::from_any(AnyTensor::apply(
        op,
        attrs,
        &operands.iter().collect::<Vec<_>>(),
    ))
}

/// The attribute list `{axis}`.
fn axis_attr(axis: isize) -> Attrs {
    Attrs::new().with("axis", Attr::Int(axis as i64))
}

/// An attribute of several integers.
fn ints(values: &[isize]) -> Attr {
    Attr::Ints(values.iter().map(|&v| v as i64).collect())
}

/// An attribute of several sizes.
pub(crate) fn sizes(values: &[usize]) -> Attr {
    Attr::Ints(
        values
            .iter()
            .map(|&v| i64::try_from(v).unwrap_or(i64::MAX))
            .collect(),
    )
}
