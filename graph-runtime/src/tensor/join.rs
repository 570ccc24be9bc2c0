//! Joining tensors along an axis: an existing one ([`concat`]) or a new one ([`stack`]).

use graph_kernels::Element;

use super::{AsOperand, Axis, AxisOf, Const, Dyn, NewAxisOf, Tensor, apply_all, axis_attr};
use crate::ops;

/// The axis of [`concat()`]: an `isize`, for tensors from any collection; or an [`Axis`], for an array of tensors of the same static shape.
/// Then the result's type knows all sizes but that of the axis.
#[diagnostic::on_unimplemented(
    message = "`{Parts}` can't be put one after the other along `{Self}`",
    label = "expected an `isize`, or `Axis::<N>` and an array of tensors of one shape that has this axis",
    note = "tensors whose types tell different shapes are joined as `concat([a.dynamic(), b.dynamic()], 0)`"
)]
pub trait ConcatAxis<T, Parts> {
    /// The shape of the result.
    type Shape;
    /// The axis as a number.
    #[doc(hidden)]
    fn number(self) -> isize;
}

impl<T, Parts> ConcatAxis<T, Parts> for isize {
    type Shape = Dyn;
    fn number(self) -> isize {
        self
    }
}

impl<T, X: AsOperand<T>, const K: usize, const N: isize> ConcatAxis<T, [X; K]> for Axis<N>
where
    Axis<N>: AxisOf<X::Shape>,
{
    type Shape = <Axis<N> as AxisOf<X::Shape>>::Resized;
    fn number(self) -> isize {
        N
    }
}

/// The new axis of [`stack`]: an `isize`, for tensors from any collection; or an [`Axis`], for an array of tensors of the same static
/// shape. Then the result's type knows its shape.
#[diagnostic::on_unimplemented(
    message = "`{Parts}` can't be stacked along `{Self}`",
    label = "expected an `isize`, or `Axis::<N>` and an array of tensors of one shape, with N up to its number of axes"
)]
pub trait StackAxis<T, Parts> {
    /// The shape of the result.
    type Shape;
    /// The axis as a number.
    #[doc(hidden)]
    fn number(self) -> isize;
}

impl<T, Parts> StackAxis<T, Parts> for isize {
    type Shape = Dyn;
    fn number(self) -> isize {
        self
    }
}

impl<T, X: AsOperand<T>, const K: usize, const N: isize> StackAxis<T, [X; K]> for Axis<N>
where
    Axis<N>: NewAxisOf<X::Shape, Const<K>>,
{
    type Shape = <Axis<N> as NewAxisOf<X::Shape, Const<K>>>::Inserted;
    fn number(self) -> isize {
        N
    }
}

/// Joins tensors along an existing axis, in their order. Their sizes may differ on that axis only.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let (a, b) = (tensor([1, 2]), tensor([3]));
/// assert_eq!(concat(&[a, b], 0).to_vec(), [1, 2, 3]);
/// ```
#[doc(alias("concatenate", "cat", "hstack", "vstack"))]
#[track_caller]
pub fn concat<T: Element, Parts, A>(parts: Parts, axis: A) -> Tensor<T, A::Shape>
where
    Parts: IntoIterator<Item: AsOperand<T>>,
    A: ConcatAxis<T, Parts>,
{
    apply_all(&ops::CONCAT, axis_attr(axis.number()), parts)
}

/// Joins tensors of the same shape along a new axis, in their order.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let (a, b) = (tensor([1, 2]), tensor([3, 4]));
/// assert_eq!(stack(&[a, b], 0).shape().to_string(), "[2,2]");
/// ```
#[doc(alias("column_stack", "dstack"))]
#[track_caller]
pub fn stack<T: Element, Parts, A>(parts: Parts, axis: A) -> Tensor<T, A::Shape>
where
    Parts: IntoIterator<Item: AsOperand<T>>,
    A: StackAxis<T, Parts>,
{
    apply_all(&ops::STACK, axis_attr(axis.number()), parts)
}
