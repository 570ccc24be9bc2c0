//! Maps and filters: elements are changed, or selected, by a function.

use std::fmt;
use std::sync::Arc;

use graph_kernels::{Array, Draws};
use smallvec::SmallVec;

use super::{Column, Cursor, Element, Iterable, Operands, Recipe};
use crate::error::{Error, Location, Result};
use crate::types::TensorType;

/// A function over elements. It is implemented in the crate that can trace functions.
pub trait ElementFunction: Send + Sync {
    /// The types of its results.
    fn outputs(&self) -> &[TensorType];
    /// How many captures it has: tensors from outside, which are operands of the iteration.
    fn captures(&self) -> usize;
    /// Whether it draws random numbers. If so, its last operand is a seed.
    fn draws(&self) -> bool;
    /// Whether it may run at any time, because it has no effects.
    fn is_pure(&self) -> bool;
    /// Its number in the text of a recipe.
    fn number(&self) -> u64;
    /// The function for batches of these types, if the function is elementwise.
    fn of_batches(&self, types: &[TensorType]) -> Option<Arc<dyn ElementFunction>>;
    /// Applies the function to the leaves of an element and the captures; random numbers are drawn from `seeds`.
    ///
    /// # Errors
    /// If the run fails.
    fn run(&self, inputs: &[&Arc<Array>], seeds: &mut Option<Draws>) -> Result<Operands>;
}

/// How many operands a function adds to the operands of its source.
fn own_operands(function: &dyn ElementFunction) -> usize {
    function.captures() + usize::from(function.draws())
}

/// A function in an iteration.
struct Running {
    function: Arc<dyn ElementFunction>,
    captures: Operands,
    seeds: Option<Draws>,
}

impl Running {
    /// Starts with the function's own operands.
    fn new(function: &Arc<dyn ElementFunction>, operands: &[Arc<Array>], round: u64) -> Running {
        let (captures, seed) = operands.split_at(function.captures());
        let seed = seed.first().and_then(|seed| seed.values::<i64>());
        let seeds = seed.and_then(|seed| Some(Draws::new([*seed.first()?, *seed.get(1)?], round)));
        Running {
            function: function.clone(),
            captures: captures.iter().cloned().collect(),
            seeds,
        }
    }

    /// Applies the function to an element.
    fn run(&mut self, element: Element) -> Result<Operands> {
        let leaves: Operands = element.into_iter().map(Column::into_array).collect();
        let inputs: SmallVec<[&Arc<Array>; 8]> = leaves.iter().chain(&self.captures).collect();
        self.function.run(&inputs, &mut self.seeds)
    }
}

/// Splits operands into those of the source and those of a function on its elements.
fn split<'a, T>(source: &Recipe, operands: &'a [T]) -> (&'a [T], &'a [T]) {
    operands.split_at(source.operands().min(operands.len()))
}

/// Whether an operand of a function over a source's elements is a seed; the function's last operand may be one.
fn is_seed(source: &Recipe, function: &dyn ElementFunction, operand: usize) -> bool {
    match operand.checked_sub(source.operands()) {
        Some(own) => function.draws() && own == function.captures(),
        None => source.0.is_seed(operand),
    }
}

/// The results of a function on the elements.
pub struct Map(pub Recipe, pub Arc<dyn ElementFunction>);

impl Iterable for Map {
    fn operands(&self) -> usize {
        self.0.operands() + own_operands(&*self.1)
    }
    fn types(&self, _: &[TensorType]) -> Result<Vec<TensorType>, String> {
        Ok(self.1.outputs().to_vec())
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        let (source, own) = split(&self.0, operands);
        let running = Running::new(&self.1, own, round);
        Ok(Box::new(Mapped(self.0.0.begin(source, round)?, running)))
    }
    fn is_seed(&self, operand: usize) -> bool {
        is_seed(&self.0, &*self.1, operand)
    }
    fn is_pure(&self) -> bool {
        self.1.is_pure() && self.0.0.is_pure()
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        self.0.0.count(split(&self.0, operands).0)
    }
    fn as_map(&self) -> Option<(&Recipe, &Arc<dyn ElementFunction>)> {
        self.1.is_pure().then_some((&self.0, &self.1))
    }
    fn depth(&self) -> usize {
        self.0.depth()
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "map({}, {})", self.0, self.1.number())
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

/// The elements for which a function returns `true`.
pub struct Filter(pub Recipe, pub Arc<dyn ElementFunction>);

impl Iterable for Filter {
    fn operands(&self) -> usize {
        self.0.operands() + own_operands(&*self.1)
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
        is_seed(&self.0, &*self.1, operand)
    }
    fn is_pure(&self) -> bool {
        self.1.is_pure() && self.0.0.is_pure()
    }
    fn count(&self, _: &[TensorType]) -> Option<usize> {
        None
    }
    fn depth(&self) -> usize {
        self.0.depth()
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "filter({}, {})", self.0, self.1.number())
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
