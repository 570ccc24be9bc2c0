//! The parts of an index: positions, ranges with steps, new axes, and the ellipsis, which stands for several axes.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use super::{AnyTensor, AsOperand, IndexElement, Tensor};

/// One part of an index.
#[doc(hidden)]
#[derive(Clone)]
pub enum IndexPart {
    /// Takes one position and removes the axis.
    At(Position),
    /// Takes a range of the axis.
    Slice(Slice),
    /// Adds a new axis of size 1.
    New,
    /// Keeps all axes that the other parts don't index.
    Rest,
}

/// A range of an axis: every `step`-th position from `begin` up to but without `end`, clipped to the size. Negative numbers count from the
/// end; `None` means the beginning or the end of the axis.
#[doc(hidden)]
#[derive(Clone)]
pub struct Slice {
    pub(super) begin: Option<Position>,
    pub(super) end: Option<Position>,
    pub(super) step: Position,
}

/// An index of one axis: a position (`usize`, `isize`, `i32`, `i64`, or a scalar tensor of `i32` or `i64`), a range of positions, a range
/// [with a step](AxisRange::by), [`NewAxis`] or [`Ellipsis`].
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index of one axis of a tensor",
    label = "expected a position (an integer, a scalar tensor) or a range of such"
)]
pub trait AxisIndex {
    /// The index as a part.
    #[doc(hidden)]
    fn into_part(self) -> IndexPart;
}

/// In an index: a new axis of size 1.
///
/// ```
/// # use graph_runtime::tensor::*;
/// assert_eq!(tensor([1, 2]).get((.., NewAxis)).shape().to_string(), "[2,1]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewAxis;

/// In an index: all axes that the other parts don't index, Python's `...`. The parts after it index the last axes.
///
/// ```
/// # use graph_runtime::tensor::*;
/// let x = tensor([[[1, 2], [3, 4]]]);
/// assert_eq!(x.get((Ellipsis, 0)).to_vec(), [1, 3]);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ellipsis;

impl AxisIndex for NewAxis {
    fn into_part(self) -> IndexPart {
        IndexPart::New
    }
}

impl AxisIndex for Ellipsis {
    fn into_part(self) -> IndexPart {
        IndexPart::Rest
    }
}

/// One position: `usize`, `isize`, `i32`, `i64`, a reference to one, or a scalar tensor of `i32` or `i64`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a position in a tensor",
    label = "expected an integer or a scalar tensor of i32 or i64"
)]
pub trait RowIndex {
    /// The position.
    #[doc(hidden)]
    fn into_position(self) -> Position;
}

/// A position on one axis.
#[doc(hidden)]
#[derive(Clone)]
pub enum Position {
    /// A Rust number; a negative one counts from the end.
    Known(i64),
    /// A scalar tensor of `i32` or `i64`.
    Tensor(AnyTensor),
}

impl Position {
    /// The position as a scalar tensor.
    #[track_caller]
    pub(crate) fn to_any(&self) -> AnyTensor {
        match self {
            Position::Tensor(i) => i.clone(),
            // Uses `i32` if the number fits, as TensorFlow does.
            Position::Known(i) => match i32::try_from(*i) {
                Ok(i) => i.into_operand(),
                Err(_) => i.into_operand(),
            },
        }
    }

    /// The Rust number, if it is one.
    pub(super) fn known(&self) -> Option<i64> {
        match self {
            Position::Known(i) => Some(*i),
            Position::Tensor(_) => None,
        }
    }
}

/// A Rust integer that can be a position or the bound of a range.
pub trait RangeBound: Copy {
    /// The bound. A number too large for `i64` becomes the largest `i64`.
    #[doc(hidden)]
    fn bound(self) -> i64;
}

macro_rules! integers {
    ($($type:ty),*) => { $(
        impl RangeBound for $type {
            fn bound(self) -> i64 {
                i64::try_from(self).unwrap_or(i64::MAX)
            }
        }

        impl RowIndex for $type {
            fn into_position(self) -> Position {
                Position::Known(self.bound())
            }
        }

        impl RowIndex for &$type {
            fn into_position(self) -> Position {
                Position::Known(self.bound())
            }
        }
    )* };
}
integers!(usize, isize, i32, i64);

impl<I: IndexElement, S> RowIndex for Tensor<I, S> {
    fn into_position(self) -> Position {
        Position::Tensor(self.into_any())
    }
}

impl<I: IndexElement, S> RowIndex for &Tensor<I, S> {
    fn into_position(self) -> Position {
        Position::Tensor(self.as_any().clone())
    }
}

impl<I: RowIndex> AxisIndex for I {
    fn into_part(self) -> IndexPart {
        IndexPart::At(self.into_position())
    }
}

/// A range that can have a step: `a..b`, `a..`, `..b` and `..`.
pub trait AxisRange: AxisIndex + Sized {
    /// Every `step`-th position of the range, backwards if the step is negative. The step may be a scalar tensor.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([0, 1, 2, 3, 4]);
    /// assert_eq!(x.get((1..).by(2)).to_vec(), [1, 3]);
    /// assert_eq!(x.get((..).by(-1)).to_vec(), [4, 3, 2, 1, 0]);
    /// ```
    fn by(self, step: impl RowIndex) -> Stepped<Self> {
        Stepped {
            range: self,
            step: step.into_position(),
        }
    }
}

/// A range with a step, made by [`AxisRange::by`].
#[derive(Clone)]
pub struct Stepped<R> {
    range: R,
    step: Position,
}

impl<R: AxisRange> AxisIndex for Stepped<R> {
    fn into_part(self) -> IndexPart {
        match self.range.into_part() {
            IndexPart::Slice(slice) => IndexPart::Slice(Slice {
                step: self.step,
                ..slice
            }),
            other => other,
        }
    }
}

/// Implements the index traits for each kind of range, by its begin and end.
macro_rules! ranges {
    ($bound:ident: $($range:ident, |$r:ident| $begin:expr, $end:expr;)*) => { $(
        impl<I: $bound> AxisIndex for $range<I> {
            fn into_part(self) -> IndexPart {
                let $r = self;
                slice($begin, $end)
            }
        }
    )* };
}
ranges! {
    RowIndex:
    Range, |r| Some(r.start.into_position()), Some(r.end.into_position());
    RangeFrom, |r| Some(r.start.into_position()), None;
    RangeTo, |r| None, Some(r.end.into_position());
}
ranges! {
    RangeBound:
    RangeInclusive, |r| Some(Position::Known(r.start().bound())), end_after(r.end().bound());
    RangeToInclusive, |r| None, end_after(r.end.bound());
}

impl<I: RowIndex> AxisRange for Range<I> {}
impl<I: RowIndex> AxisRange for RangeFrom<I> {}
impl<I: RowIndex> AxisRange for RangeTo<I> {}
impl AxisRange for RangeFull {}

impl AxisIndex for RangeFull {
    fn into_part(self) -> IndexPart {
        slice(None, None)
    }
}

fn slice(begin: Option<Position>, end: Option<Position>) -> IndexPart {
    IndexPart::Slice(Slice {
        begin,
        end,
        step: Position::Known(1),
    })
}

/// The exclusive end of a range with this last position. After -1 this is the end of the axis, which is `None`.
fn end_after(last: i64) -> Option<Position> {
    if last == -1 {
        None
    } else {
        last.checked_add(1).map(Position::Known)
    }
}
