//! The source of integers. Numbers are computed in blocks when they are needed, so a range may be arbitrarily long.

use std::fmt;
use std::sync::Arc;

use graph_kernels::{Array, DType};

use super::{Column, Cursor, Element, Iterable};
use crate::error::{Error, Location};
use crate::types::TensorType;

/// Numbers from an operand on, with another operand as the step. The count is given, or a third operand is the (excluded) end.
pub struct Counted(pub Option<usize>);

impl Iterable for Counted {
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
            None => {
                count_between(start, i128::from(number(2)?), step).map_err(|text| failed(&text))?
            }
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
    fn is_pure(&self) -> bool {
        true
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

/// How many numbers are computed at once. Elements are rows of the block's array, like those of other sources.
const BLOCK: usize = 256;

struct Counting {
    /// The number after the block.
    next: i64,
    step: i64,
    /// How many numbers are left after the block.
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
                // The value after the last number isn't used and may overflow, so it wraps around.
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
    /// The number at this distance after the first number of the next block.
    fn number(&self, behind: usize) -> i64 {
        // A value after the last number isn't used and may overflow, so it wraps around.
        self.next
            .wrapping_add(self.step.wrapping_mul(behind as i64))
    }
}

/// TensorFlow's message.
pub const ZERO_STEP: &str = "step must be a non-zero integer";

/// The number of integers in the range.
pub fn count_between(start: i64, end: i128, step: i64) -> Result<usize, String> {
    let way = end - i128::from(start);
    let count = match step {
        0 => return Err(ZERO_STEP.to_owned()),
        1.. => (way + i128::from(step) - 1) / i128::from(step),
        _ => (way + i128::from(step) + 1) / i128::from(step),
    };
    Ok(usize::try_from(count.max(0)).unwrap_or(usize::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts() {
        let all = i128::from(i64::MAX) + 1;
        assert_eq!(count_between(0, 3, 1), Ok(3));
        assert_eq!(count_between(0, 7, 3), Ok(3));
        assert_eq!(count_between(5, 0, -2), Ok(3));
        assert_eq!(count_between(3, 3, -1), Ok(0));
        assert_eq!(count_between(3, 0, 1), Ok(0));
        assert_eq!(count_between(i64::MIN, all, 1), Ok(usize::MAX));
        assert_eq!(count_between(i64::MAX, all, i64::MAX), Ok(1));
        assert!(count_between(0, 1, 0).is_err());
    }
}
