//! The arguments of `Dataset::range`: Rust ranges or TensorFlow's arguments, of Rust numbers or tensors.

use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo};

use graph_kernels::DType;

use graph_ir::recipes::{Counted, ZERO_STEP, count_between};

use crate::ops::{self, Attr, Attrs};
use crate::tensor::{AsOperand, Position, RangeBound, RowIndex};
use crate::trace::AnyTensor;

/// A range for [`Dataset::range`](super::Dataset::range): `a..b`, `..b`, `a..` or `a..=b`; or TensorFlow's arguments as a tuple `(a, b)` or
/// `(a, b, step)`, whose items may have different types, or the end alone, as in TensorFlow. A bound is a Rust integer or a scalar tensor of `i32` or `i64`.
#[diagnostic::on_unimplemented(
    message = "a dataset can't count through `{Self}`",
    label = "expected a range, an end, or a tuple `(start, end)` or `(start, end, step)`",
    note = "for a tensor `n`: `Dataset::range(..n)`, `Dataset::range((1, n))`, `Dataset::range((0, n, 2))`"
)]
pub trait Numbers {
    /// The bounds.
    #[doc(hidden)]
    fn into_bounds(self) -> Bounds;
}

/// The first number, the end and the step.
#[doc(hidden)]
pub struct Bounds {
    start: Position,
    end: End,
    step: Position,
}

enum End {
    Exclusive(Position),
    /// The last number of the range. `i64::MAX` also means that there is no end.
    Inclusive(i64),
}

macro_rules! numbers {
    ($([$($name:ident: $bound:ident),*] $type:ty: |$numbers:ident| $start:expr, $end:expr, $step:expr;)*) => { $(
        impl<$($name: $bound),*> Numbers for $type {
            fn into_bounds(self) -> Bounds {
                let $numbers = self;
                Bounds { start: $start.into_position(), end: $end, step: $step.into_position() }
            }
        }
    )* };
}
numbers! {
    [I: RowIndex] Range<I>: |n| n.start, exclusive(n.end), 1i64;
    [I: RowIndex] RangeTo<I>: |n| 0i64, exclusive(n.end), 1i64;
    [I: RowIndex] RangeFrom<I>: |n| n.start, End::Inclusive(i64::MAX), 1i64;
    [I: RangeBound] RangeInclusive<I>: |n| n.start().bound(), End::Inclusive(n.end().bound()), 1i64;
    [A: RowIndex, B: RowIndex] (A, B): |n| n.0, exclusive(n.1), 1i64;
    [A: RowIndex, B: RowIndex, C: RowIndex] (A, B, C): |n| n.0, exclusive(n.1), n.2;
}

/// The numbers from 0 up to but without an end.
impl<I: RowIndex> Numbers for I {
    fn into_bounds(self) -> Bounds {
        (..self).into_bounds()
    }
}

fn exclusive(end: impl RowIndex) -> End {
    End::Exclusive(end.into_position())
}

impl Bounds {
    /// The recipe of the range and its operands.
    #[track_caller]
    pub(super) fn source(self) -> Result<(Counted, Vec<AnyTensor>), String> {
        let known = |position: &Position| match position {
            Position::Known(n) => Some(*n),
            Position::Tensor(_) => None,
        };
        let end = match &self.end {
            End::Exclusive(end) => known(end).map(i128::from),
            End::Inclusive(last) => Some(i128::from(*last) + 1),
        };
        let count = match (known(&self.start), end, known(&self.step)) {
            (Some(start), Some(end), Some(step)) => Some(count_between(start, end, step)?),
            (.., Some(0)) => return Err(ZERO_STEP.to_owned()),
            _ => None,
        };
        let (start, step) = (scalar(&self.start), scalar(&self.step));
        let operands = match (count, self.end) {
            (Some(_), _) => vec![start, step],
            (None, End::Exclusive(end)) => vec![start, step, scalar(&end)],
            // The start is a tensor and the range has no end: no loop reaches `i64::MAX`.
            (None, End::Inclusive(_)) => vec![start, step, scalar(&Position::Known(i64::MAX))],
        };
        Ok((Counted(count), operands))
    }
}

/// The position as an `int64` scalar.
#[track_caller]
fn scalar(position: &Position) -> AnyTensor {
    match position {
        Position::Known(n) => n.into_operand(),
        Position::Tensor(n) if n.dtype() == DType::I64 => n.clone(),
        Position::Tensor(n) => {
            let dtype = Attrs::new().with("dtype", Attr::DType(DType::I64));
            AnyTensor::apply(&ops::CAST, dtype, &[n])
        }
    }
}
