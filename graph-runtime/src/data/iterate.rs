//! The elements of a dataset as Rust values, for plain loops, and the nodes of an iteration in loops of graphs.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use graph_kernels::Array;

use super::dataset::Operand;
use super::record::record;
use super::{Dataset, Record};
use crate::device;
use crate::error::{Error, Location, Result};
use crate::trace::{self, AnyTensor};
use graph_ir::recipes::{Column, Cursor, Iteration};

/// The elements of a [`Dataset`], one after the other. An element that can't be made (a file is corrupt, a function over elements fails)
/// causes a panic, or inside a graph function an error, as a failing op does.
pub struct Iter<T> {
    iteration: Iteration,
    location: Location,
    element: PhantomData<fn() -> T>,
}

impl<T> fmt::Debug for Iter<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Iter")
    }
}

impl<T: Record> Iterator for Iter<T> {
    type Item = T;

    #[track_caller]
    fn next(&mut self) -> Option<T> {
        let element = self.iteration.take();
        let element = trace::or_fail(element.map_err(|error| at(error, &self.location)))?;
        let leaves = element.into_iter().map(Column::into_array);
        Some(record(leaves.map(AnyTensor::on_current_device)))
    }
}

/// The error with this location, unless it has one.
fn at(error: Error, location: &Location) -> Error {
    match error.location().line {
        0 => Error::run(error.message(), location.clone()),
        _ => error,
    }
}

impl<T: Record> Dataset<T> {
    /// Iterates over the elements from the first one.
    #[track_caller]
    pub fn iter(&self) -> Iter<T> {
        let location = Location::caller();
        refuse_while_tracing(&location);
        self.begin(&location)
    }

    /// An iteration that another dataset or an iterator takes elements from.
    pub(super) fn cursor(&self, location: &Location) -> Result<Box<dyn Cursor>> {
        let value = |operand: &Operand| {
            let tensor = operand.tensor(location);
            device::transfers_are_of(location);
            trace::value_or_error(&tensor, location)?.to_host()
        };
        let operands = self.operands.iter().map(value);
        let operands: Vec<Arc<Array>> = operands.collect::<Result<_>>()?;
        self.recipe.0.begin(&operands, 0)
    }

    /// Begins an iteration now.
    #[track_caller]
    pub(crate) fn begin(&self, location: &Location) -> Iter<T> {
        let cursor = self.cursor(location);
        let cursor = trace::or_fail(cursor.map_err(|error| at(error, location)));
        Iter {
            iteration: Iteration::of(cursor),
            location: location.clone(),
            element: PhantomData,
        }
    }

    /// Adds the node that begins an iteration to the graph.
    pub(crate) fn begin_traced(&self, location: &Location) -> AnyTensor {
        let operands = self.operands.iter().map(|operand| operand.tensor(location));
        let operands: Vec<AnyTensor> = operands.collect();
        trace::begin_iteration(&self.recipe, &operands, location)
    }

    /// Adds the node that takes the next element of an iteration to the graph.
    #[track_caller]
    pub(crate) fn take_traced(&self, iteration: &AnyTensor, location: &Location) -> T {
        let types = trace::or_fail(self.types(location));
        record(trace::take_element(iteration, types, location))
    }
}

impl Operand {
    /// The operand as a tensor; a seed is drawn.
    fn tensor(&self, location: &Location) -> AnyTensor {
        match self {
            Operand::Tensor(tensor) => tensor.clone(),
            Operand::Seed(stream) => trace::next_seed(*stream, location.clone()),
        }
    }
}

impl<T: Record> IntoIterator for &Dataset<T> {
    type Item = T;
    type IntoIter = Iter<T>;
    #[track_caller]
    fn into_iter(self) -> Iter<T> {
        self.iter()
    }
}

impl<T: Record> IntoIterator for Dataset<T> {
    type Item = T;
    type IntoIter = Iter<T>;
    #[track_caller]
    fn into_iter(self) -> Iter<T> {
        self.iter()
    }
}

/// Fails while tracing. A Rust loop takes the elements as values, and in a graph function it would put all of them into the graph.
fn refuse_while_tracing(location: &Location) {
    if trace::is_tracing() {
        let message = "plain Rust code iterates over a dataset while a graph function is traced, which would put each of its elements \
                       into the graph. Write the `for` in a function under `#[graph_fn]`, over the dataset itself: `for x in &dataset`";
        trace::fail(Error::trace(message, location.clone()));
    }
}
