//! Datasets made of each element: their elements one dataset after the other, or in turns.

use std::fmt;
use std::sync::Arc;

use graph_kernels::Array;

use super::record::{record, types_of};
use super::{Dataset, Record};
use crate::error::{Error, Location, Result};
use crate::graph::TensorType;
use crate::trace::AnyTensor;
use graph_ir::recipes::{Column, Cursor, Element, Iterable, Recipe, next_number};

/// Makes an iteration over a dataset of an element, by a Rust function.
type Make = Arc<dyn Fn(Element) -> Result<Box<dyn Cursor>> + Send + Sync>;

/// The elements of the datasets that a function makes of a source's elements.
pub(super) struct Interleave {
    source: Recipe,
    make: Make,
    types: Vec<TensorType>,
    /// The number of datasets that take turns.
    cycle: usize,
    /// The number of elements that a dataset gives in its turn.
    block: usize,
    number: u64,
}

impl Interleave {
    pub fn new<T: Record, R: Record>(
        source: Recipe,
        f: impl Fn(T) -> Dataset<R> + Send + Sync + 'static,
        [cycle, block]: [usize; 2],
        location: &Location,
    ) -> Interleave {
        let at = location.clone();
        let make = move |element: Element| {
            let leaves = element.into_iter().map(Column::into_array);
            f(record(leaves.map(AnyTensor::on_current_device))).cursor(&at)
        };
        Interleave {
            source,
            make: Arc::new(make),
            types: types_of::<R>(),
            cycle,
            block,
            number: next_number(),
        }
    }
}

impl Iterable for Interleave {
    fn operands(&self) -> usize {
        self.source.operands()
    }
    fn types(&self, _: &[TensorType]) -> std::result::Result<Vec<TensorType>, String> {
        Ok(self.types.clone())
    }
    fn is_seed(&self, operand: usize) -> bool {
        self.source.0.is_seed(operand)
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>> {
        Ok(Box::new(ByTurns {
            source: Some(self.source.0.begin(operands, round)?),
            make: self.make.clone(),
            open: Vec::new(),
            cycle: self.cycle,
            block: self.block,
            turn: 0,
            taken: 0,
        }))
    }
    fn count(&self, _: &[TensorType]) -> Option<usize> {
        None
    }
    fn depth(&self) -> usize {
        self.source.depth()
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "interleave({}, {})", self.source, self.number)
    }
}

struct ByTurns {
    source: Option<Box<dyn Cursor>>,
    make: Make,
    /// The datasets that take turns. The list grows up to `cycle` entries.
    open: Vec<Option<Box<dyn Cursor>>>,
    cycle: usize,
    block: usize,
    /// The index of the dataset whose turn it is, and the number of elements that it has given in this turn.
    turn: usize,
    taken: usize,
}

impl ByTurns {
    fn end_turn(&mut self) {
        let has_place = self.source.is_some() && self.open.len() < self.cycle;
        self.turn += 1;
        if self.turn == self.open.len() && !has_place {
            self.turn = 0;
        }
        self.taken = 0;
    }

    /// Opens the next dataset for this turn, if the source has another element.
    fn open(&mut self) -> Result<()> {
        if let Some(source) = &mut self.source {
            match source.next()? {
                Some(element) => self.open[self.turn] = Some((self.make)(element)?),
                None => self.source = None,
            }
        }
        Ok(())
    }
}

impl Cursor for ByTurns {
    fn next(&mut self) -> std::result::Result<Option<Element>, Error> {
        loop {
            if self.turn == self.open.len() {
                self.open.push(None);
            }
            if self.open[self.turn].is_none() {
                self.open()?;
            }
            let Some(cursor) = &mut self.open[self.turn] else {
                if self.open.iter().all(Option::is_none) {
                    return Ok(None);
                }
                self.end_turn();
                continue;
            };
            let Some(element) = cursor.next()? else {
                self.open[self.turn] = None;
                self.end_turn();
                continue;
            };
            self.taken += 1;
            if self.taken == self.block {
                self.end_turn();
            }
            return Ok(Some(element));
        }
    }
}
