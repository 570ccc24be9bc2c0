//! Datasets side by side or one after the other, and numbered elements.

use std::fmt;
use std::sync::Arc;

use graph_kernels::{Array, DType};

use super::{Column, Cursor, Element, Iterable, Recipe};
use crate::error::Error;
use crate::types::TensorType;

/// Whether an operand of one of two recipes is a seed.
fn is_seed(first: &Recipe, second: &Recipe, operand: usize) -> bool {
    match operand.checked_sub(first.operands()) {
        Some(own) => second.0.is_seed(own),
        None => first.0.is_seed(operand),
    }
}

/// The operands of the first and of the second of two recipes.
fn split<'a, T>(first: &Recipe, operands: &'a [T]) -> (&'a [T], &'a [T]) {
    operands.split_at(first.operands().min(operands.len()))
}

/// Pairs of elements of two datasets, until one of them ends.
pub struct Zip(pub Recipe, pub Recipe);

impl Iterable for Zip {
    fn operands(&self) -> usize {
        self.0.operands() + self.1.operands()
    }
    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        let (a, b) = split(&self.0, operands);
        Ok([self.0.types(a)?, self.1.types(b)?].concat())
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let (a, b) = split(&self.0, operands);
        Ok(Box::new(Both(
            self.0.0.begin(a, round)?,
            self.1.0.begin(b, round)?,
        )))
    }
    fn is_seed(&self, operand: usize) -> bool {
        is_seed(&self.0, &self.1, operand)
    }
    fn is_pure(&self) -> bool {
        self.0.0.is_pure() && self.1.0.is_pure()
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        let (a, b) = split(&self.0, operands);
        Some(self.0.0.count(a)?.min(self.1.0.count(b)?))
    }
    fn depth(&self) -> usize {
        self.0.depth().max(self.1.depth())
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "zip({}, {})", self.0, self.1)
    }
}

struct Both(Box<dyn Cursor>, Box<dyn Cursor>);

impl Cursor for Both {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        let Some(mut element) = self.0.next()? else {
            return Ok(None);
        };
        let Some(second) = self.1.next()? else {
            return Ok(None);
        };
        element.extend(second);
        Ok(Some(element))
    }
}

/// The elements of one dataset, then those of another.
pub struct Concatenate(pub Recipe, pub Recipe);

impl Iterable for Concatenate {
    fn operands(&self) -> usize {
        self.0.operands() + self.1.operands()
    }
    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        let (a, b) = split(&self.0, operands);
        let (a, b) = (self.0.types(a)?, self.1.types(b)?);
        let pairs = a.iter().zip(&b);
        pairs
            .map(|(a, b)| {
                let both = a.join(b);
                both.ok_or_else(|| format!("elements of {a} and of {b} can't be in one dataset"))
            })
            .collect()
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let (a, b) = split(&self.0, operands);
        Ok(Box::new(OneThenOther {
            first: Some(self.0.0.begin(a, round)?),
            second: self.1.0.begin(b, round)?,
        }))
    }
    fn is_seed(&self, operand: usize) -> bool {
        is_seed(&self.0, &self.1, operand)
    }
    fn is_pure(&self) -> bool {
        self.0.0.is_pure() && self.1.0.is_pure()
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        let (a, b) = split(&self.0, operands);
        self.0.0.count(a)?.checked_add(self.1.0.count(b)?)
    }
    fn depth(&self) -> usize {
        self.0.depth().max(self.1.depth())
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "concatenate({}, {})", self.0, self.1)
    }
}

struct OneThenOther {
    first: Option<Box<dyn Cursor>>,
    second: Box<dyn Cursor>,
}

impl Cursor for OneThenOther {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        if let Some(first) = &mut self.first {
            match first.next()? {
                Some(element) => return Ok(Some(element)),
                None => self.first = None,
            }
        }
        self.second.next()
    }
}

/// Each element with its number before it, an `int64` scalar.
pub struct Enumerate(pub Recipe);

impl Iterable for Enumerate {
    fn operands(&self) -> usize {
        self.0.operands()
    }
    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        let mut types = vec![TensorType::scalar(DType::I64)];
        types.extend(self.0.types(operands)?);
        Ok(types)
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        Ok(Box::new(Numbered(self.0.0.begin(operands, round)?, 0)))
    }
    fn is_seed(&self, operand: usize) -> bool {
        self.0.0.is_seed(operand)
    }
    fn is_pure(&self) -> bool {
        self.0.0.is_pure()
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        self.0.0.count(operands)
    }
    fn depth(&self) -> usize {
        self.0.depth()
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "enumerate({})", self.0)
    }
}

struct Numbered(Box<dyn Cursor>, i64);

impl Cursor for Numbered {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        let Some(mut element) = self.0.next()? else {
            return Ok(None);
        };
        let number = Arc::new(Array::scalar(self.1));
        element.insert(0, Column::whole(number));
        self.1 += 1;
        Ok(Some(element))
    }
}
