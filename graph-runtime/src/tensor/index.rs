//! Indexing: [`Tensor::get`] with everything that can stand between brackets, and the ops that take or replace rows.
//!
//! What an index says of one axis is a [`Part`]. Positions in front are taken with `index` (whose errors name the axis and
//! which counts negatives from the end); all ranges of Rust numbers become one `strided_slice`; a position behind a
//! range is a `gather` of a scalar.

use std::ops::{Range, RangeFrom, RangeFull, RangeInclusive, RangeTo, RangeToInclusive};

use graph_kernels::{DType, Element};

use super::{AnyTensor, AsOperand, IndexElement, Tensor, axis_attr};
use crate::ops::{self, Attr, Attrs};

/// What an index says of one axis.
#[doc(hidden)]
#[derive(Clone)]
pub enum Part {
    /// This position; the axis goes away.
    At(Position),
    /// From `begin` to before `end`, clipped; negatives count from the end, `None` is the first or the last.
    Slice(Option<i64>, Option<i64>),
}

/// An index of one axis: a position (`usize`, `isize`, `i32`, `i64`, or a scalar tensor of `i32` or `i64`) or a range of Rust numbers.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an index of one axis of a tensor",
    label = "expected a position (an integer, a scalar tensor) or a range of integers"
)]
pub trait AxisIndex {
    /// What it says of the axis.
    #[doc(hidden)]
    fn into_part(self) -> Part;
}

/// What [`Tensor::get`] takes: an [`AxisIndex`] of the first axis, a tuple of up to four of them for the first axes, or a range
/// between scalar tensors.
#[diagnostic::on_unimplemented(
    message = "a tensor cannot be indexed by `{Self}`",
    label = "expected a position, a range, or a tuple of up to four of them",
    note = "`x.gather(&indices, axis)` takes several positions at once"
)]
pub trait TensorIndex {
    /// Takes this index of a tensor.
    #[doc(hidden)]
    #[track_caller]
    fn take_from(self, x: &AnyTensor) -> AnyTensor;
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
            // The narrow dtype where it suffices, as TensorFlow does.
            Position::Known(i) => match i32::try_from(*i) {
                Ok(i) => i.into_operand(),
                Err(_) => i.into_operand(),
            },
        }
    }
}

/// A Rust integer as a position or as the bound of a range.
pub trait RangeBound: Copy {
    /// The bound; what no tensor has room for is as far out.
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
    fn into_part(self) -> Part {
        Part::At(self.into_position())
    }
}

/// The ranges of Rust numbers: what they say of begin and end.
macro_rules! ranges {
    ($($range:ident, |$r:ident| $begin:expr, $end:expr;)*) => { $(
        impl<I: RangeBound> AxisIndex for $range<I> {
            fn into_part(self) -> Part {
                let $r = self;
                Part::Slice($begin, $end)
            }
        }
    )* };
}
ranges! {
    Range, |r| Some(r.start.bound()), Some(r.end.bound());
    RangeFrom, |r| Some(r.start.bound()), None;
    RangeTo, |r| None, Some(r.end.bound());
    RangeInclusive, |r| Some(r.start().bound()), behind(r.end().bound());
    RangeToInclusive, |r| None, behind(r.end.bound());
}

impl AxisIndex for RangeFull {
    fn into_part(self) -> Part {
        Part::Slice(None, None)
    }
}

/// The end behind a last position: behind -1 is the end itself.
fn behind(last: i64) -> Option<i64> {
    if last == -1 {
        None
    } else {
        last.checked_add(1)
    }
}

impl<I: AxisIndex> TensorIndex for I {
    fn take_from(self, x: &AnyTensor) -> AnyTensor {
        take(x, vec![self.into_part()])
    }
}

macro_rules! tuples {
    ($(($($name:ident $field:tt),*))*) => { $(
        impl<$($name: AxisIndex),*> TensorIndex for ($($name,)*) {
            fn take_from(self, x: &AnyTensor) -> AnyTensor {
                take(x, vec![$(self.$field.into_part()),*])
            }
        }
    )* };
}
tuples! { (A 0) (A 0, B 1) (A 0, B 1, C 2) (A 0, B 1, C 2, D 3) }

/// The ranges between scalar tensors; an absent bound is the value that clipping makes the first or the last.
macro_rules! dynamic_ranges {
    ($($range:ident, |$r:ident| $begin:expr, $end:expr;)*) => { $(
        impl<I: IndexElement, S> TensorIndex for $range<Tensor<I, S>> {
            fn take_from(self, x: &AnyTensor) -> AnyTensor {
                let $r = self;
                let (begin, end): (AnyTensor, AnyTensor) = ($begin, $end);
                AnyTensor::apply(&ops::SLICE_ROWS, Attrs::default(), &[x, &begin, &end])
            }
        }
    )* };
}
dynamic_ranges! {
    Range, |r| r.start.into_any(), r.end.into_any();
    RangeFrom, |r| r.start.into_any(), I::MAX.into_operand();
    RangeTo, |r| I::default().into_operand(), r.end.into_any();
}

/// Applies the parts of an index to the first axes.
#[track_caller]
fn take(x: &AnyTensor, parts: Vec<Part>) -> AnyTensor {
    let mut x = x.clone();
    let mut parts = parts.into_iter().peekable();
    while let Some(Part::At(i)) = parts.next_if(|part| matches!(part, Part::At(_))) {
        x = AnyTensor::apply(&ops::INDEX, Attrs::default(), &[&x, &i.to_any()]);
    }
    let rest: Vec<Part> = parts.collect();
    x = slice(x, &rest);
    for (axis, part) in rest.iter().enumerate().rev() {
        if let Part::At(i) = part {
            let i = from_the_start(&x, axis, i);
            x = AnyTensor::apply(&ops::GATHER, axis_attr(axis as isize), &[&x, &i]);
        }
    }
    x
}

/// Applies the ranges among the parts of an index, if there are any that leave something out.
#[track_caller]
fn slice(x: AnyTensor, parts: &[Part]) -> AnyTensor {
    let mut slices = Vec::new();
    for (axis, part) in parts.iter().enumerate() {
        if let Part::Slice(begin, end) = *part
            && (begin, end) != (None, None)
        {
            slices.push(AxisSlice {
                axis: axis as i64,
                begin,
                end,
                step: 1,
            });
        }
    }
    if slices.is_empty() {
        return x;
    }
    AnyTensor::apply(&ops::STRIDED_SLICE, slice_attrs(&slices), &[&x])
}

/// A slice of one axis.
struct AxisSlice {
    axis: i64,
    begin: Option<i64>,
    end: Option<i64>,
    step: i64,
}

fn slice_attrs(slices: &[AxisSlice]) -> Attrs {
    let list = |value: fn(&AxisSlice) -> i64| Attr::Ints(slices.iter().map(value).collect());
    Attrs::new()
        .with("axes", list(|s| s.axis))
        .with("begins", list(|s| s.begin.unwrap_or(0)))
        .with("ends", list(|s| s.end.unwrap_or(0)))
        .with("steps", list(|s| s.step))
        .with(
            "masks",
            list(|s| i64::from(s.begin.is_none()) + 2 * i64::from(s.end.is_none())),
        )
}

/// A position counted from the start of an axis, as `gather` wants it: to a negative one the axis's size is added,
/// now if both are known, else when run.
#[track_caller]
fn from_the_start(x: &AnyTensor, axis: usize, position: &Position) -> AnyTensor {
    if let Position::Known(i) = *position {
        if i >= 0 {
            return position.to_any();
        }
        if let Some(Some(size)) = x.shape().dims().and_then(|dims| dims.get(axis).copied()) {
            return Position::Known(i.saturating_add_unsigned(size as u64)).to_any();
        }
    }
    let i = wide(position.to_any());
    let shape = AnyTensor::apply(&ops::SHAPE_OF, Attrs::default(), &[x]);
    let size = Tensor::<i32>::from_any(shape).get(axis).cast::<i64>();
    i.lt(0).select(&i + size, &i).into_any()
}

/// An index of either dtype as `i64`.
#[track_caller]
fn wide(i: AnyTensor) -> Tensor<i64> {
    match i.dtype() {
        DType::I64 => Tensor::from_any(i),
        _ => Tensor::<i32>::from_any(i).cast(),
    }
}

impl<T: Element, S> Tensor<T, S> {
    /// What stands at an index of the first axes: a position, which takes the axis away, or a range, which is clipped;
    /// or a tuple of them. Negatives count from the end. Positions, and the bounds of a range of the first axis, may be scalar
    /// tensors.
    ///
    /// # Errors
    /// If a position is out of bounds, when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// let x = tensor([[1, 2, 3], [4, 5, 6]]);
    /// assert_eq!(x.get(-1).to_vec(), [4, 5, 6]);
    /// assert_eq!(x.get((.., 1..)).to_vec(), [2, 3, 5, 6]);
    /// assert_eq!(x.get((tensor(1), 0)).item(), 4);
    /// ```
    #[track_caller]
    pub fn get(&self, index: impl TensorIndex) -> Tensor<T> {
        Tensor::from_any(index.take_from(&self.any))
    }

    /// Row `i` of the first axis: [`get`](Self::get) with one position.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([[1, 2], [3, 4]]).row(1).to_vec(), [3, 4]);
    /// ```
    #[track_caller]
    pub fn row(&self, i: impl RowIndex) -> Tensor<T> {
        self.get(i)
    }

    /// Every `step`-th element of one axis from `begin` to before `end`, clipped; a negative step goes backwards.
    /// `None` is the axis's own end on that side.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3, 4]).slice_axis(0, None, None, -2).to_vec(), [4, 2]);
    /// ```
    #[track_caller]
    pub fn slice_axis(
        &self,
        axis: isize,
        begin: Option<isize>,
        end: Option<isize>,
        step: isize,
    ) -> Tensor<T> {
        let wide = |bound: Option<isize>| bound.map(|b| b as i64);
        let slice = AxisSlice {
            axis: axis as i64,
            begin: wide(begin),
            end: wide(end),
            step: step as i64,
        };
        self.unary(&ops::STRIDED_SLICE, slice_attrs(&[slice]))
    }

    /// A copy with row `i` of the first axis replaced; the row has the shape of a row.
    ///
    /// # Errors
    /// If there is no such row, when run.
    ///
    /// ```
    /// # use graph_runtime::tensor::*;
    /// assert_eq!(tensor([1, 2, 3]).with_row(1, 20).to_vec(), [1, 20, 3]);
    /// ```
    #[track_caller]
    pub fn with_row(&self, i: impl RowIndex, row: impl AsOperand<T>) -> Tensor<T> {
        let (i, row) = (i.into_position().to_any(), row.into_operand());
        Tensor::from_any(AnyTensor::apply(
            &ops::SET_ROW,
            Attrs::default(),
            &[&self.any, &i, &row],
        ))
    }
}
