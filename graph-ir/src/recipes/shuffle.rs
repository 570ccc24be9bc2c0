//! Shuffling through a buffer, like TensorFlow's `shuffle(buffer_size)`: the buffer is filled, each element is drawn from it with equal
//! probability, and the next element of the source takes its place.

use std::fmt;
use std::sync::Arc;

use graph_kernels::{Array, Draws};
use rustc_hash::FxHashMap;

use super::{Cursor, Element, Iterable, Recipe};
use crate::error::{Error, Location};
use crate::types::TensorType;

/// Elements in random order. It has one operand of its own, a seed.
pub struct Shuffle {
    /// The elements.
    pub source: Recipe,
    /// The size of the buffer that elements are drawn from.
    pub buffer: usize,
    /// True if each repetition of an iteration has another order.
    pub each_time: bool,
}

impl Iterable for Shuffle {
    fn operands(&self) -> usize {
        self.source.operands() + 1
    }

    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        let (_, source) = operands.split_last().ok_or("a seed is missing")?;
        self.source.types(source)
    }

    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let seed = operands.last().and_then(|seed| seed.values::<i64>());
        let (Some([a, b]), [source @ .., _]) = (seed, operands) else {
            let message = "a dataset is shuffled with a seed of two integers (int64[2])";
            return Err(Error::run(message, Location::unknown()));
        };
        let draws = Draws::new([*a, *b], if self.each_time { round } else { 0 });
        let source = self.source.0.begin(source, round)?;
        if let Some(left) = source.at_hand()
            && (MIN_UNFILLED..=self.buffer).contains(&left)
        {
            return Ok(Box::new(Swapped {
                source,
                left,
                moved: FxHashMap::default(),
                draws,
            }));
        }
        Ok(Box::new(Shuffled {
            source: Some(source),
            size: self.buffer,
            buffer: Vec::new(),
            draws,
        }))
    }

    fn is_seed(&self, operand: usize) -> bool {
        operand == self.source.operands() || self.source.0.is_seed(operand)
    }
    fn is_pure(&self) -> bool {
        self.source.0.is_pure()
    }

    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        self.source.0.count(operands.split_last()?.1)
    }

    fn depth(&self) -> usize {
        self.source.depth()
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.each_time {
            "shuffle"
        } else {
            "shuffle_once"
        };
        write!(f, "{name}({}, {})", self.source, self.buffer)
    }
}

struct Shuffled {
    /// `None` after its end.
    source: Option<Box<dyn Cursor>>,
    size: usize,
    buffer: Vec<Element>,
    draws: Draws,
}

impl Cursor for Shuffled {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        while let Some(source) = &mut self.source
            && self.buffer.len() < self.size
        {
            match source.next()? {
                Some(element) => self.buffer.push(element),
                None => self.source = None,
            }
        }
        if self.buffer.is_empty() {
            return Ok(None);
        }
        let drawn = self.draws.below(self.buffer.len());
        Ok(Some(self.buffer.swap_remove(drawn)))
    }
}

/// A buffer of at least this size isn't filled if elements can be accessed directly: filling it would delay the first element.
const MIN_UNFILLED: usize = 1 << 20;

/// The same shuffle, for a buffer that holds all elements of a source with direct access. It draws numbers of elements, and stores only
/// the numbers that have been moved to another position in the buffer.
struct Swapped {
    source: Box<dyn Cursor>,
    /// How many positions of the buffer still hold an element.
    left: usize,
    /// For a position whose element was moved there, the element's number. Without an entry, it is the position itself.
    moved: FxHashMap<usize, usize>,
    draws: Draws,
}

impl Cursor for Swapped {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        if self.left == 0 {
            return Ok(None);
        }
        let drawn = self.draws.below(self.left);
        self.left -= 1;
        let last = self.moved.remove(&self.left).unwrap_or(self.left);
        let number = match drawn == self.left {
            true => last,
            false => self.moved.insert(drawn, last).unwrap_or(drawn),
        };
        Ok(self.source.peek(number))
    }
}

#[cfg(test)]
mod tests {
    use super::super::slices::Slices;
    use super::super::{Column, Iterable};
    use super::*;

    fn numbers(mut cursor: impl Cursor) -> Vec<i64> {
        let next = || {
            cursor
                .next()
                .unwrap()
                .map(|e| Column::into_array(e[0].clone()))
        };
        let numbers = std::iter::from_fn(next).map(|array| array.values::<i64>().unwrap()[0]);
        numbers.collect()
    }

    #[test]
    fn elements_at_hand_come_in_the_order_of_a_filled_buffer() {
        let rows = Arc::new(Array::new(&[1000], (0..1000i64).collect()));
        let source = || Slices(1).begin(std::slice::from_ref(&rows), 0).unwrap();
        let draws = || Draws::new([3, 4], 0);
        let swapped = numbers(Swapped {
            source: source(),
            left: 1000,
            moved: FxHashMap::default(),
            draws: draws(),
        });
        let shuffled = numbers(Shuffled {
            source: Some(source()),
            size: 1000,
            buffer: Vec::new(),
            draws: draws(),
        });
        assert_eq!(swapped, shuffled);
        let mut sorted = swapped;
        sorted.sort_unstable();
        assert_eq!(sorted, (0..1000).collect::<Vec<_>>());
    }
}
