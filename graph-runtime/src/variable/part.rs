//! A part of a variable: what `v[i]` is in a graph function where a method is called on it, as in `v[(0, 1)].assign(x)`.

use std::ops::Deref;

use graph_kernels::Element;

use super::Variable;
use crate::ops::{self, Attrs};
use crate::tensor::{Additive, AnyTensor, AsOperand, Tensor, TensorIndex, place_of, take};
use crate::{error::Location, trace};

/// A part of a variable, at an index as [`Tensor::get`] takes it. It stands for the tensor that it holds; [`assign`](Self::assign) gives it a new
/// value.
///
/// ```
/// use graph_runtime::prelude::*;
///
/// #[graph_fn]
/// fn f(v: &Variable<i32>) -> Tensor<i32> {
///     v[(0, 1)].assign(5);
///     v[1].assign_add(tensor([10, 20]));
///     v[1].sum()
/// }
/// let v = Variable::new(tensor([[1, 2], [3, 4]]));
/// assert_eq!(f(&v).item(), 37);
/// assert_eq!(v.read().to_vec(), [1, 5, 13, 24]);
/// ```
pub struct Part<T, S> {
    variable: Variable<T, S>,
    attrs: Attrs,
    bounds: Vec<AnyTensor>,
    value: Tensor<T>,
}

impl<T: Element, S> Variable<T, S> {
    /// A part of what it holds.
    #[track_caller]
    pub(crate) fn part(&self, index: impl TensorIndex) -> Part<T, S> {
        let parts = index.into_parts();
        let value = Tensor::from_any(take(self.read().as_any(), parts.clone()));
        let (attrs, bounds) = place_of(parts);
        Part {
            variable: self.clone(),
            attrs,
            bounds,
            value,
        }
    }
}

impl<T, S> Deref for Part<T, S> {
    type Target = Tensor<T>;
    fn deref(&self) -> &Tensor<T> {
        &self.value
    }
}

impl<T: Element, S> Part<T, S> {
    /// Gives the part a new value, which broadcasts to it: [`Variable::assign_at`].
    ///
    /// # Errors
    /// As [`Variable::assign_at`].
    #[track_caller]
    pub fn assign(&self, value: impl AsOperand<T>) {
        self.write(&value.into_operand());
    }

    #[track_caller]
    fn write(&self, value: &AnyTensor) {
        let operands: Vec<&AnyTensor> = std::iter::once(value).chain(&self.bounds).collect();
        trace::update_variable(
            &self.variable.place,
            &ops::SET_PART,
            self.attrs.clone(),
            &operands,
            Location::caller(),
        );
    }
}

impl<T: Additive, S> Part<T, S> {
    /// Adds to what the part holds.
    ///
    /// # Errors
    /// As [`Variable::assign_at`].
    #[track_caller]
    pub fn assign_add(&self, value: impl AsOperand<T>) {
        let value = Tensor::<T>::from_any(value.into_operand());
        self.write((&self.value + value).as_any());
    }
}
