//! `TensorSpec`: takes the place of a tensor argument where a function is traced without being called.

use std::borrow::Borrow;
use std::marker::PhantomData;
use std::sync::Arc;

use graph_kernels::Element;

use super::IntoArgument;
use crate::graph::{Shape, TensorType};
use crate::tensor::{ShapeSpec, Tensor, spec_of};
use crate::trace::{AnyTensor, Placeholder, Repr};
use crate::variable::Variable;

/// A tensor's dtype and what is known of its shape. `f::concrete(…)` takes one wherever `f` takes a tensor.
///
/// ```
/// # use graph_runtime::prelude::*;
/// #[graph_fn]
/// fn pow(a: Tensor<f32>, b: i32) -> Tensor<f32> {
///     a.pow(b as f32)
/// }
/// // One trace for matrices of two columns, in which `b` is 2.
/// let square = pow::concrete(TensorSpec::new(&[None, Some(2)]), 2).unwrap();
/// let squares: Tensor<f32> = square.call((tensor([[1.0f32, 2.0], [3.0, 4.0]]), 2)).unwrap();
/// assert_eq!(squares.to_vec(), [1.0, 4.0, 9.0, 16.0]);
/// // A call of the function itself that it covers is served by it, too.
/// pow(tensor([[5.0, 6.0]]), 2);
/// assert_eq!(pow::function().trace_count(), 1);
/// ```
///
/// In a struct or collection, and where the parameter's type is an alias, use its [`placeholder`](Self::placeholder) instead.
#[doc(alias("input_signature", "ShapeDtypeStruct"))]
#[derive(Clone, Debug, PartialEq)]
pub struct TensorSpec<T> {
    shape: Shape,
    name: Option<Arc<str>>,
    element: PhantomData<fn() -> T>,
}

impl<T: Element> TensorSpec<T> {
    /// A tensor of these sizes; `None` is an unknown size.
    pub fn new(sizes: &[Option<usize>]) -> TensorSpec<T> {
        TensorSpec::of(Shape::of(sizes.iter().copied()))
    }

    /// A tensor of any number of dimensions.
    pub fn of_any_rank() -> TensorSpec<T> {
        TensorSpec::of(Shape::unknown())
    }

    /// The dtype and shape of a tensor: the exact shape, or while tracing what is known of it.
    pub fn like<S>(tensor: &Tensor<T, S>) -> TensorSpec<T> {
        TensorSpec::of(tensor.as_any().shape())
    }

    /// The same with a name, which the graph's input gets instead of the parameter's name.
    pub fn named(mut self, name: &str) -> TensorSpec<T> {
        self.name = Some(Arc::from(name));
        self
    }

    /// A tensor that has this type but no value, for use in structs and collections.
    pub fn placeholder<S>(self) -> Tensor<T, S> {
        let placeholder = Placeholder {
            ty: TensorType::new(T::DTYPE, self.shape),
            name: self.name,
        };
        Tensor::from_any(AnyTensor::new(Repr::Placeholder(Arc::new(placeholder))))
    }

    /// Replaces the shape by a more specific one; if the two contradict each other, keeps it.
    pub(super) fn within(mut self, shape: Shape) -> TensorSpec<T> {
        if shape.may_be(&self.shape) {
            self.shape = shape;
        }
        self
    }

    fn of(shape: Shape) -> TensorSpec<T> {
        TensorSpec {
            shape,
            name: None,
            element: PhantomData,
        }
    }
}

/// Arguments for a parameter of type `P` where a function is traced without being called: whatever a call accepts, or a [`TensorSpec`] for a
/// tensor.
#[diagnostic::on_unimplemented(
    message = "a function can't be traced with `{Self}` for a parameter of type `{P}`",
    label = "expected a `{P}` or a `TensorSpec` of the same elements"
)]
pub trait ValueOrSpec<P> {
    /// The argument to trace with.
    #[doc(hidden)]
    #[track_caller]
    fn to_trace(self) -> P;
}

impl<P, A: IntoArgument<P>> ValueOrSpec<P> for A {
    fn to_trace(self) -> P {
        self.into_argument()
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, S> ValueOrSpec<Tensor<T, S>> for TensorSpec<T> {
    fn to_trace(self) -> Tensor<T, S> {
        self.placeholder()
    }
}

/// Arguments for a parameter of type `&P` where a function is traced without being called: a reference, or a [`TensorSpec`] for a tensor.
#[diagnostic::on_unimplemented(
    message = "a function can't be traced with `{Self}` for a parameter of type `&{P}`",
    label = "expected a `&{P}` or a `TensorSpec` of the same elements"
)]
pub trait LentOrSpec<P> {
    /// What is lent.
    type Lent: Borrow<P>;
    /// The argument to trace with.
    #[doc(hidden)]
    #[track_caller]
    fn to_lend(self) -> Self::Lent;
}

impl<'a, P> LentOrSpec<P> for &'a P {
    type Lent = &'a P;
    fn to_lend(self) -> &'a P {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<'a, T: Element, S> LentOrSpec<Tensor<T, S>> for &'a Variable<T, S> {
    type Lent = &'a Tensor<T, S>;
    fn to_lend(self) -> &'a Tensor<T, S> {
        self
    }
}

#[diagnostic::do_not_recommend]
impl<T: Element, S: ShapeSpec> LentOrSpec<Tensor<T, S>> for TensorSpec<T> {
    type Lent = Tensor<T, S>;
    fn to_lend(self) -> Tensor<T, S> {
        let of_type = spec_of::<S>();
        let is_more_precise = of_type.covers(&self.shape);
        let spec = if is_more_precise {
            self
        } else {
            self.within(of_type)
        };
        spec.placeholder()
    }
}
