//! Elements changed by a function, and elements for which a function holds.

use std::fmt;
use std::sync::Arc;

use graph_kernels::Array;

use super::function::{Function, Running};
use super::recipe::{Column, Cook, Cursor, Element, Recipe};
use crate::error::{Error, Location};
use crate::graph::TensorType;

/// The operands of a source, and those of a function applied to its elements.
fn split<'a, T>(source: &Recipe, operands: &'a [T]) -> (&'a [T], &'a [T]) {
    operands.split_at(source.operands().min(operands.len()))
}

/// Whether an operand of a function over a source's elements is only there to draw from: the function's last one may be.
fn is_seed(source: &Recipe, function: &Function, operand: usize) -> bool {
    match operand.checked_sub(source.operands()) {
        Some(own) => function.draws && own == function.captures,
        None => source.0.is_seed(operand),
    }
}

/// What a function makes of the elements.
pub(super) struct Map(pub Recipe, pub Arc<Function>);

impl Cook for Map {
    fn operands(&self) -> usize {
        self.0.operands() + self.1.operands()
    }
    fn types(&self, _: &[TensorType]) -> Result<Vec<TensorType>, String> {
        Ok(self.1.outputs.clone())
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let (source, own) = split(&self.0, operands);
        let running = Running::new(&self.1, own, round);
        Ok(Box::new(Mapped(self.0.0.begin(source, round)?, running)))
    }
    fn is_seed(&self, operand: usize) -> bool {
        is_seed(&self.0, &self.1, operand)
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        self.0.0.count(split(&self.0, operands).0)
    }
    fn as_map(&self) -> Option<(&Recipe, &Arc<Function>)> {
        self.1.is_pure().then_some((&self.0, &self.1))
    }
    fn depth(&self) -> usize {
        self.0.depth()
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "map({}, {})", self.0, self.1.number)
    }
}

struct Mapped(Box<dyn Cursor>, Running);

impl Cursor for Mapped {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        let Some(element) = self.0.next()? else {
            return Ok(None);
        };
        let outputs = self.1.run(element)?;
        Ok(Some(outputs.into_iter().map(Column::whole).collect()))
    }
}

/// The elements for which a function gives `true`.
pub(super) struct Filter(pub Recipe, pub Arc<Function>);

impl Cook for Filter {
    fn operands(&self) -> usize {
        self.0.operands() + self.1.operands()
    }
    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        self.0.types(split(&self.0, operands).0)
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let (source, own) = split(&self.0, operands);
        let running = Running::new(&self.1, own, round);
        Ok(Box::new(Filtered(self.0.0.begin(source, round)?, running)))
    }
    fn is_seed(&self, operand: usize) -> bool {
        is_seed(&self.0, &self.1, operand)
    }
    fn count(&self, _: &[TensorType]) -> Option<usize> {
        None
    }
    fn depth(&self) -> usize {
        self.0.depth()
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "filter({}, {})", self.0, self.1.number)
    }
}

struct Filtered(Box<dyn Cursor>, Running);

impl Cursor for Filtered {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        while let Some(element) = self.0.next()? {
            let outputs = self.1.run(element.clone())?;
            match outputs[0].values::<bool>() {
                Some([true]) => return Ok(Some(element)),
                Some([false]) => {}
                _ => {
                    let shape = outputs[0].shape();
                    let message =
                        format!("a filter gives one truth value, not values of shape {shape:?}");
                    return Err(Error::run(message, Location::unknown()));
                }
            }
        }
        Ok(None)
    }
}
