//! Axes in types: a method that takes [`Axis<0>`](Axis) keeps what the type knows of the shape; with an `isize` the result's type is
//! [`Dyn`].

use super::{Any, Dyn, Size};

/// An axis known at compile time; a negative one counts from the last.
///
/// ```
/// # use graph_runtime::prelude::*;
/// let x: Tensor<i32, S2<2, 3>> = Tensor::of([[1, 2, 3], [4, 5, 6]]);
/// let columns: Tensor<i32, S1<3>> = x.sum_axis(Axis::<0>);
/// assert_eq!(columns.to_vec(), [5, 7, 9]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Axis<const N: isize>;

/// Static shapes that have axis `N`.
#[diagnostic::on_unimplemented(
    message = "a tensor of shape `{Self}` has no axis {N}",
    label = "not an axis of `{Self}`",
    note = "axes count from 0, or from the last as -1, -2, ..."
)]
pub trait HasAxis<const N: isize> {
    /// The shape without the axis.
    type Removed;
    /// The shape in which this axis has another, unknown size.
    type Resized;
}

/// Static shapes to which an axis can be added at position `N`.
#[diagnostic::on_unimplemented(
    message = "a tensor of shape `{Self}` can't get a new axis {N}",
    label = "there is no such place in `{Self}`",
    note = "axes of the result count from 0, or from the last as -1, -2, ..."
)]
pub trait RoomFor<const N: isize, New> {
    /// The shape with the new axis.
    type Inserted;
}

/// An axis of a tensor of shape `Shape`: an `isize`, or an [`Axis`] that the shape has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an axis",
    label = "expected an `isize` or `Axis::<N>`"
)]
pub trait AxisOf<Shape> {
    /// The shape without the axis.
    type Removed;
    /// The shape in which this axis has another, unknown size.
    type Resized;
    /// The axis as a number.
    #[doc(hidden)]
    fn index(self) -> isize;
}

/// The position of a new axis in a tensor of shape `Shape`: an `isize`, or an [`Axis`] that the result has.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an axis",
    label = "expected an `isize` or `Axis::<N>`"
)]
pub trait NewAxisOf<Shape, New> {
    /// The shape with the new axis.
    type Inserted;
    /// The axis as a number.
    #[doc(hidden)]
    fn index(self) -> isize;
}

impl<Shape> AxisOf<Shape> for isize {
    type Removed = Dyn;
    type Resized = Dyn;
    fn index(self) -> isize {
        self
    }
}

impl<const N: isize, Shape: HasAxis<N>> AxisOf<Shape> for Axis<N> {
    type Removed = Shape::Removed;
    type Resized = Shape::Resized;
    fn index(self) -> isize {
        N
    }
}

impl<Shape, New> NewAxisOf<Shape, New> for isize {
    type Inserted = Dyn;
    fn index(self) -> isize {
        self
    }
}

impl<const N: isize, Shape: RoomFor<N, New>, New> NewAxisOf<Shape, New> for Axis<N> {
    type Inserted = Shape::Inserted;
    fn index(self) -> isize {
        N
    }
}

impl<const N: isize> HasAxis<N> for Dyn {
    type Removed = Dyn;
    type Resized = Dyn;
}

impl<const N: isize, New> RoomFor<N, New> for Dyn {
    type Inserted = Dyn;
}

/// Implements the traits for one axis in the shapes of one rank: the sizes before and after the axis, and its two numbers (from the first
/// and from the last).
macro_rules! axes {
    ($($first:literal $last:literal: [$($before:ident)*] [$($after:ident)*];)*) => { $(
        axes! { @ $first [$($before)*] [$($after)*] }
        axes! { @ $last [$($before)*] [$($after)*] }
    )* };
    (@ $axis:literal [$($before:ident)*] [$($after:ident)*]) => {
        impl<$($before: Size,)* Z: Size, $($after: Size),*> HasAxis<$axis> for ($($before,)* Z, $($after,)*) {
            type Removed = ($($before,)* $($after,)*);
            type Resized = ($($before,)* Any, $($after,)*);
        }
        impl<$($before: Size,)* New: Size, $($after: Size),*> RoomFor<$axis, New> for ($($before,)* $($after,)*) {
            type Inserted = ($($before,)* New, $($after,)*);
        }
    };
}
axes! {
    0 -1: [] [];
    0 -2: [] [A];
    1 -1: [A] [];
    0 -3: [] [A B];
    1 -2: [A] [B];
    2 -1: [A B] [];
    0 -4: [] [A B C];
    1 -3: [A] [B C];
    2 -2: [A B] [C];
    3 -1: [A B C] [];
    0 -5: [] [A B C D];
    1 -4: [A] [B C D];
    2 -3: [A B] [C D];
    3 -2: [A B C] [D];
    4 -1: [A B C D] [];
    0 -6: [] [A B C D E];
    1 -5: [A] [B C D E];
    2 -4: [A B] [C D E];
    3 -3: [A B C] [D E];
    4 -2: [A B C D] [E];
    5 -1: [A B C D E] [];
}
