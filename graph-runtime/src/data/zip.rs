//! Several datasets side by side, and elements with their numbers.

use std::fmt;
use std::sync::Arc;

use graph_kernels::{Array, DType};

use super::recipe::{Column, Cook, Cursor, Element, Recipe};
use crate::error::Error;
use crate::graph::TensorType;

/// The elements of two datasets, one of each, until one of them ends.
pub(super) struct Zip(pub Recipe, pub Recipe);

impl Cook for Zip {
    fn operands(&self) -> usize {
        self.0.operands() + self.1.operands()
    }
    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        let (a, b) = operands.split_at(self.0.operands().min(operands.len()));
        Ok([self.0.types(a)?, self.1.types(b)?].concat())
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let (a, b) = operands.split_at(self.0.operands());
        Ok(Box::new(Both(
            self.0.0.begin(a, round)?,
            self.1.0.begin(b, round)?,
        )))
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        let (a, b) = operands.split_at(self.0.operands().min(operands.len()));
        Some(self.0.0.count(a)?.min(self.1.0.count(b)?))
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

/// Each element behind its number, an `int64` scalar.
pub(super) struct Enumerate(pub Recipe);

impl Cook for Enumerate {
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
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        self.0.0.count(operands)
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
