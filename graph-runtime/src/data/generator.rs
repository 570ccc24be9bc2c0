//! A source that is Rust code: an iterator, which is made anew for each iteration.

use std::fmt;
use std::sync::Arc;

use graph_kernels::Array;

use super::Record;
use crate::device::Storage;
use crate::error::{Error, Location, Result};
use crate::graph::TensorType;
use crate::trace;
use graph_ir::recipes::{Column, Cursor, Element, Iterable, next_number};

/// An iterator whose items are elements or errors.
pub(super) type Items<T> = Box<dyn Iterator<Item = Result<T>> + Send>;

/// The source of an iterator's items.
pub(super) struct Generator<T> {
    begin: Box<dyn Fn() -> Result<Items<T>> + Send + Sync>,
    /// Its name in the text of a graph.
    name: &'static str,
    number: u64,
    types: Arc<[TensorType]>,
    location: Location,
}

impl<T: Record> Generator<T> {
    pub fn new(
        name: &'static str,
        types: Vec<TensorType>,
        begin: impl Fn() -> Result<Items<T>> + Send + Sync + 'static,
        location: Location,
    ) -> Generator<T> {
        Generator {
            begin: Box::new(begin),
            name,
            number: next_number(),
            types: types.into(),
            location,
        }
    }
}

impl<T: Record> Iterable for Generator<T> {
    fn operands(&self) -> usize {
        0
    }
    fn types(&self, _: &[TensorType]) -> std::result::Result<Vec<TensorType>, String> {
        Ok(self.types.to_vec())
    }
    fn begin(&self, _: &[Arc<Array>], _: u64) -> Result<Box<dyn Cursor>> {
        Ok(Box::new(Generated {
            items: (self.begin)()?,
            types: self.types.clone(),
            location: self.location.clone(),
        }))
    }
    fn is_seed(&self, _: usize) -> bool {
        false
    }
    fn count(&self, _: &[TensorType]) -> Option<usize> {
        None
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name, self.number)
    }
}

struct Generated<T> {
    items: Items<T>,
    types: Arc<[TensorType]>,
    location: Location,
}

impl<T: Record> Cursor for Generated<T> {
    fn next(&mut self) -> Result<Option<Element>> {
        let Some(item) = self.items.next() else {
            return Ok(None);
        };
        let (item, mut element, mut result) = (item?, Element::new(), Ok(()));
        item.leaves(&mut |leaf| {
            let value = trace::value_or_error(leaf, &self.location);
            match value.and_then(Storage::to_host) {
                Ok(array) => element.push(Column::whole(array)),
                Err(error) => result = Err(error),
            }
        });
        result?;
        for (column, ty) in element.iter().zip(&*self.types) {
            if !ty.accepts(&column.array) {
                let message = format!(
                    "a generator gave a {} where a {ty} belongs",
                    TensorType::of_array(&column.array)
                );
                return Err(Error::run(message, self.location.clone()));
            }
        }
        Ok(Some(element))
    }
}
