//! Transformations that select elements without changing them: take, skip and repeat.

use std::fmt;
use std::sync::Arc;

use graph_kernels::Array;

use super::{Cursor, Element, Operands, PassThrough, Recipe};
use crate::error::Error;
use crate::types::TensorType;

/// The first elements.
pub struct Take(pub Recipe, pub usize);

impl PassThrough for Take {
    fn source(&self) -> &Recipe {
        &self.0
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let source = self.0.0.begin(operands, round)?;
        Ok(Box::new(First(source, self.1)))
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        Some(self.0.0.count(operands)?.min(self.1))
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "take({}, {})", self.0, self.1)
    }
}

struct First(Box<dyn Cursor>, usize);

impl Cursor for First {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        if self.1 == 0 {
            return Ok(None);
        }
        self.1 -= 1;
        self.0.next()
    }

    fn skip(&mut self, count: usize) -> Result<bool, Error> {
        let own = count.min(self.1);
        self.1 -= own;
        Ok(self.0.skip(own)? && own == count)
    }

    fn at_hand(&self) -> Option<usize> {
        Some(self.0.at_hand()?.min(self.1))
    }

    fn peek(&self, behind: usize) -> Option<Element> {
        self.0.peek(behind)
    }
}

/// All but the first elements.
pub struct Skip(pub Recipe, pub usize);

impl PassThrough for Skip {
    fn source(&self) -> &Recipe {
        &self.0
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let source = self.0.0.begin(operands, round)?;
        Ok(Box::new(Rest {
            source,
            before: self.1,
        }))
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        Some(self.0.0.count(operands)?.saturating_sub(self.1))
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "skip({}, {})", self.0, self.1)
    }
}

struct Rest {
    source: Box<dyn Cursor>,
    /// How many elements are still to be skipped.
    before: usize,
}

impl Cursor for Rest {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        let before = std::mem::take(&mut self.before);
        match before == 0 || self.source.skip(before)? {
            true => self.source.next(),
            false => Ok(None),
        }
    }

    fn skip(&mut self, count: usize) -> Result<bool, Error> {
        let before = std::mem::take(&mut self.before);
        Ok(self.source.skip(before)? && self.source.skip(count)?)
    }

    fn at_hand(&self) -> Option<usize> {
        Some(self.source.at_hand()?.saturating_sub(self.before))
    }

    fn peek(&self, behind: usize) -> Option<Element> {
        self.source.peek(self.before + behind)
    }
}

/// All elements, repeated the given number of times, or endlessly without a number.
pub struct Repeat(pub Recipe, pub Option<usize>);

impl PassThrough for Repeat {
    fn source(&self) -> &Recipe {
        &self.0
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        Ok(Box::new(Again {
            recipe: self.0.clone(),
            operands: operands.iter().cloned().collect(),
            source: None,
            left: self.1,
            // A number that is far from the rounds of surrounding repetitions.
            round: round.wrapping_mul(0x9E37_79B9_7F4A_7C15),
        }))
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        self.0.0.count(operands)?.checked_mul(self.1?)
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(times) => write!(f, "repeat({}, {times})", self.0),
            None => write!(f, "repeat({})", self.0),
        }
    }
}

struct Again {
    recipe: Recipe,
    operands: Operands,
    source: Option<Box<dyn Cursor>>,
    left: Option<usize>,
    round: u64,
}

impl Cursor for Again {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        loop {
            let begins = self.source.is_none();
            if begins {
                match &mut self.left {
                    Some(0) => return Ok(None),
                    Some(left) => *left -= 1,
                    None => {}
                }
                self.source = Some(self.recipe.0.begin(&self.operands, self.round)?);
                self.round = self.round.wrapping_add(1);
            }
            let source = self.source.as_mut().expect("just begun");
            match source.next()? {
                Some(element) => return Ok(Some(element)),
                // An endless repetition of an empty source is empty.
                None if begins => return Ok(None),
                None => self.source = None,
            }
        }
    }
}
