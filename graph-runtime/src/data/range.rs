//! The source that counts. Numbers come about in blocks, as somebody asks for them, so that a range may be as long as it likes.

use std::fmt;
use std::ops::{Range, RangeFrom, RangeInclusive, RangeTo};
use std::sync::Arc;

use graph_kernels::{Array, DType};

use super::recipe::{Column, Cook, Cursor, Element};
use crate::error::{Error, Location};
use crate::graph::TensorType;
use crate::ops::{self, Attr, Attrs};
use crate::tensor::{AnyTensor, AsOperand, Position, RangeBound, RowIndex};

/// What [`Dataset::range`](super::Dataset::range) counts through: `a..b`, `..b`, `a..` or `a..=b`; or a tuple `(a, b)` or `(a, b, step)`,
/// TensorFlow's arguments, whose parts may be of several kinds. A bound is a Rust integer or a scalar tensor of `i32` or `i64`.
#[diagnostic::on_unimplemented(
    message = "a dataset can't count through `{Self}`",
    label = "expected a range, or a tuple `(start, end)` or `(start, end, step)`",
    note = "for a tensor `n`: `Dataset::range(..n)`, `Dataset::range((1, n))`, `Dataset::range((0, n, 2))`"
)]
pub trait Numbers {
    /// The bounds.
    #[doc(hidden)]
    fn into_bounds(self) -> Bounds;
}

/// From where, to before where, and in which steps.
#[doc(hidden)]
pub struct Bounds {
    start: Position,
    end: End,
    step: Position,
}

enum End {
    Before(Position),
    /// At a Rust number, or behind all numbers.
    Behind(i64),
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
    [I: RowIndex] Range<I>: |n| n.start, before(n.end), 1i64;
    [I: RowIndex] RangeTo<I>: |n| 0i64, before(n.end), 1i64;
    [I: RowIndex] RangeFrom<I>: |n| n.start, End::Behind(i64::MAX), 1i64;
    [I: RangeBound] RangeInclusive<I>: |n| n.start().bound(), End::Behind(n.end().bound()), 1i64;
    [A: RowIndex, B: RowIndex] (A, B): |n| n.0, before(n.1), 1i64;
    [A: RowIndex, B: RowIndex, C: RowIndex] (A, B, C): |n| n.0, before(n.1), n.2;
}

fn before(end: impl RowIndex) -> End {
    End::Before(end.into_position())
}

impl Bounds {
    /// The recipe, and its operands.
    #[track_caller]
    pub(super) fn source(self) -> Result<(Counted, Vec<AnyTensor>), String> {
        let known = |position: &Position| match position {
            Position::Known(n) => Some(*n),
            Position::Tensor(_) => None,
        };
        let end = match &self.end {
            End::Before(end) => known(end).map(i128::from),
            End::Behind(last) => Some(i128::from(*last) + 1),
        };
        let count = match (known(&self.start), end, known(&self.step)) {
            (Some(start), Some(end), Some(step)) => Some(count(start, end, step)?),
            (.., Some(0)) => return Err(ZERO.to_owned()),
            _ => None,
        };
        let (start, step) = (scalar(&self.start), scalar(&self.step));
        let operands = match (count, self.end) {
            (Some(_), _) => vec![start, step],
            (None, End::Before(end)) => vec![start, step, scalar(&end)],
            // Numbers end before they get there.
            (None, End::Behind(_)) => vec![start, step, scalar(&Position::Known(i64::MAX))],
        };
        Ok((Counted(count), operands))
    }
}

/// TensorFlow's words.
const ZERO: &str = "step must be a non-zero integer";

/// How many numbers there are.
fn count(start: i64, end: i128, step: i64) -> Result<usize, String> {
    let way = end - i128::from(start);
    let count = match step {
        0 => return Err(ZERO.to_owned()),
        1.. => (way + i128::from(step) - 1) / i128::from(step),
        _ => (way + i128::from(step) + 1) / i128::from(step),
    };
    Ok(usize::try_from(count.max(0)).unwrap_or(usize::MAX))
}

/// A position as an `int64` scalar.
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

/// So many numbers from an operand on, in steps of another; if it isn't known how many, those before a third.
pub(super) struct Counted(pub Option<usize>);

impl Cook for Counted {
    fn operands(&self) -> usize {
        if self.0.is_some() { 2 } else { 3 }
    }

    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        let fits = |ty: &&TensorType| {
            ty.dtype == DType::I64 && ty.shape.rank().is_none_or(|rank| rank == 0)
        };
        match operands.iter().find(|ty| !fits(ty)) {
            Some(ty) => Err(format!("a dataset counts between int64 scalars, not {ty}")),
            None => Ok(vec![TensorType::scalar(DType::I64)]),
        }
    }

    fn begin(&self, operands: &[Arc<Array>], _: u64) -> Result<Box<dyn Cursor>, Error> {
        let failed = |message: &str| Error::run(message, Location::unknown());
        let number = |at: usize| {
            let array = operands.get(at).filter(|array| array.rank() == 0);
            let value = array.and_then(|array| array.values::<i64>()?.first().copied());
            value.ok_or_else(|| failed("a dataset counts between int64 scalars"))
        };
        let (start, step) = (number(0)?, number(1)?);
        let left = match self.0 {
            Some(count) => count,
            None => count(start, i128::from(number(2)?), step).map_err(|text| failed(&text))?,
        };
        Ok(Box::new(Counting {
            next: start,
            step,
            left,
            block: Arc::default(),
            row: 0,
        }))
    }

    fn is_seed(&self, _: usize) -> bool {
        false
    }

    fn count(&self, _: &[TensorType]) -> Option<usize> {
        self.0
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(count) => write!(f, "range({count})"),
            None => f.write_str("range()"),
        }
    }
}

/// So many numbers come about together. Elements are rows of their array, as those of other sources are.
const BLOCK: usize = 256;

struct Counting {
    /// The number behind the block.
    next: i64,
    step: i64,
    /// How many numbers are left behind the block.
    left: usize,
    block: Arc<Array>,
    /// The next row of the block.
    row: usize,
}

impl Cursor for Counting {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        if self.row == self.block.len() {
            let count = self.left.min(BLOCK);
            if count == 0 {
                return Ok(None);
            }
            let mut number = self.next;
            let numbers = (0..count).map(|_| {
                let this = number;
                // Behind the last number it may wrap.
                number = number.wrapping_add(self.step);
                this
            });
            self.block = Arc::new(Array::new(&[count], numbers.collect()));
            (self.next, self.row) = (number, 0);
            self.left -= count;
        }
        let column = Column {
            array: self.block.clone(),
            row: Some(self.row),
        };
        self.row += 1;
        Ok(Some(Element::from_elem(column, 1)))
    }

    fn skip(&mut self, count: usize) -> Result<bool, Error> {
        let in_block = count.min(self.block.len() - self.row);
        let behind = (count - in_block).min(self.left);
        self.row += in_block;
        self.next = self.number(behind);
        self.left -= behind;
        Ok(in_block + behind == count)
    }

    fn at_hand(&self) -> Option<usize> {
        Some(self.left.saturating_add(self.block.len() - self.row))
    }

    fn peek(&self, behind: usize) -> Option<Element> {
        let in_block = self.block.len() - self.row;
        let column = match behind.checked_sub(in_block) {
            None => Column {
                array: self.block.clone(),
                row: Some(self.row + behind),
            },
            Some(behind) => Column::whole(Arc::new(Array::scalar(self.number(behind)))),
        };
        Some(Element::from_elem(column, 1))
    }
}

impl Counting {
    /// The number behind so many others behind the block.
    fn number(&self, behind: usize) -> i64 {
        // Behind the last number it may wrap.
        self.next
            .wrapping_add(self.step.wrapping_mul(behind as i64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        let all = i128::from(i64::MAX) + 1;
        assert_eq!(count(0, 3, 1), Ok(3));
        assert_eq!(count(0, 7, 3), Ok(3));
        assert_eq!(count(5, 0, -2), Ok(3));
        assert_eq!(count(3, 3, -1), Ok(0));
        assert_eq!(count(3, 0, 1), Ok(0));
        assert_eq!(count(i64::MIN, all, 1), Ok(usize::MAX));
        assert_eq!(count(i64::MAX, all, i64::MAX), Ok(1));
        assert!(count(0, 1, 0).is_err());
    }
}
