//! A part of a variable: the type of `v[i]` in a graph function where a method is called on it, as in `v[(0, 1)].assign(x)`.

use std::ops::Deref;

use graph_kernels::Element;

use super::Variable;
use crate::ops::Attrs;
use crate::tensor::{Additive, AsOperand, Tensor, TensorIndex, set_part_arguments, take};
use crate::trace::AnyTensor;

/// A part of a variable at an index, as [`Tensor::get`] takes it. It dereferences to the tensor of the part; [`assign`](Self::assign)
/// assigns a new value to it.
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
pub struct VariablePart<T, S> {
    variable: Variable<T, S>,
    /// The index of the part, as [`set_part_arguments`] describes it.
    index: (Attrs, Vec<AnyTensor>),
    value: Tensor<T>,
}

impl<T: Element, S> Variable<T, S> {
    /// The part at an index.
    #[track_caller]
    pub(crate) fn part(&self, index: impl TensorIndex) -> VariablePart<T, S> {
        let parts = index.into_parts();
        let value = Tensor::from_any(take(self.read().as_any(), parts.clone()));
        VariablePart {
            variable: self.clone(),
            index: set_part_arguments(parts),
            value,
        }
    }
}

impl<T, S> Deref for VariablePart<T, S> {
    type Target = Tensor<T>;
    fn deref(&self) -> &Tensor<T> {
        &self.value
    }
}

impl<T: Element, S> VariablePart<T, S> {
    /// Assigns a new value, which broadcasts to the part: [`Variable::assign_at`].
    ///
    /// # Errors
    /// As [`Variable::assign_at`].
    #[track_caller]
    pub fn assign(&self, value: impl AsOperand<T>) {
        let index = self.index.clone();
        self.variable.set_part(index, &value.into_operand());
    }
}

impl<T: Additive, S> VariablePart<T, S> {
    /// Adds to the value of the part.
    ///
    /// # Errors
    /// As [`Variable::assign_at`].
    #[track_caller]
    pub fn assign_add(&self, value: impl AsOperand<T>) {
        let value = Tensor::<T>::from_any(value.into_operand());
        self.assign(&self.value + value);
    }
}
