//! A recipe: how the elements of a dataset come about, without the tensors that they are made of. Those are operands, given when an
//! iteration begins, so that a graph names its tensors as it does for any node, and one trace serves all datasets of one recipe.
//! Each source and each transformation is a recipe in a file of its own.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use graph_kernels::{Array, Part};
use smallvec::SmallVec;

use super::ElementFunction;
use crate::error::Error;
use crate::types::TensorType;

/// The operands of an iteration.
pub type Operands = SmallVec<[Arc<Array>; 4]>;

/// One part of an element: an array, or a row of one that stays where it is until somebody needs it.
#[derive(Clone)]
pub struct Column {
    /// The array.
    pub array: Arc<Array>,
    /// Which row of it; all of it if there is none.
    pub row: Option<usize>,
}

/// One element of a dataset: the leaves of its `Record`, in order.
pub type Element = SmallVec<[Column; 2]>;

impl Column {
    /// An array as a part.
    pub fn whole(array: Arc<Array>) -> Column {
        Column { array, row: None }
    }

    /// It as kernels take it.
    pub fn part(&self) -> Part<'_> {
        Part {
            array: &self.array,
            row: self.row,
        }
    }

    /// The part as an array of its own.
    pub fn into_array(self) -> Arc<Array> {
        if self.row.is_none() {
            return self.array;
        }
        let mut array = Array::default();
        graph_kernels::copy_part(self.part(), &mut array).expect("a source names its own rows");
        Arc::new(array)
    }
}

/// How elements come about. A transformation takes the operands of what it transforms, and its own behind them.
pub trait Iterable: Send + Sync {
    /// How many operands there are.
    fn operands(&self) -> usize;

    /// The types of an element's leaves; an error if the operands don't fit.
    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String>;

    /// Begins an iteration. `round` tells repetitions apart that draw with the same seed.
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error>;

    /// Whether an operand is only there to draw from.
    fn is_seed(&self, operand: usize) -> bool;

    /// How many elements an iteration has, where that is known.
    fn count(&self, operands: &[TensorType]) -> Option<usize>;

    /// How deep recipes nest in it: 0 for a source.
    fn depth(&self) -> usize {
        0
    }

    /// What it maps, and by what, if it is a map that may as well run later: it has no effect and reads no variable.
    fn as_map(&self) -> Option<(&Recipe, &Arc<dyn ElementFunction>)> {
        None
    }

    /// Its text in a graph: `take(slices(2), 100)`.
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

/// A transformation without operands of its own that passes on elements of its source.
pub trait PassThrough: Send + Sync {
    /// The source.
    fn source(&self) -> &Recipe;
    /// See [`Iterable::begin`].
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error>;
    /// See [`Iterable::count`].
    fn count(&self, operands: &[TensorType]) -> Option<usize>;
    /// See [`Iterable::write`].
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result;
}

impl<T: PassThrough> Iterable for T {
    fn operands(&self) -> usize {
        self.source().operands()
    }
    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        self.source().types(operands)
    }
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        PassThrough::begin(self, operands, round)
    }
    fn is_seed(&self, operand: usize) -> bool {
        self.source().0.is_seed(operand)
    }
    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        PassThrough::count(self, operands)
    }
    fn depth(&self) -> usize {
        self.source().depth()
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        PassThrough::write(self, f)
    }
}

/// An iteration under way.
pub trait Cursor: Send {
    /// The next element; `None` at the end, and not asked again then.
    fn next(&mut self) -> Result<Option<Element>, Error>;

    /// PassThrough over elements; false if there weren't so many, and nothing is asked for again then.
    fn skip(&mut self, count: usize) -> Result<bool, Error> {
        for _ in 0..count {
            if self.next()?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many elements are left, if each of them is at hand without those before it.
    fn at_hand(&self) -> Option<usize> {
        None
    }

    /// The element behind so many of those that are left, if they are at hand.
    fn peek(&self, _: usize) -> Option<Element> {
        None
    }
}

/// A recipe, shared by the datasets, graphs and iterations that follow it. Two are equal if their texts are: a function
/// over elements has a number in it for its graph and line, and what runs Rust code one that nothing else has.
#[derive(Clone)]
pub struct Recipe(pub Arc<dyn Iterable>, usize);

impl Recipe {
    /// A recipe of elements that come about like that.
    pub fn new(elements: impl Iterable + 'static) -> Recipe {
        let depth = 1 + elements.depth();
        Recipe(Arc::new(elements), depth)
    }

    /// How many recipes are in each other here at most, this one included.
    pub fn depth(&self) -> usize {
        self.1
    }

    /// How many operands an iteration has.
    pub fn operands(&self) -> usize {
        self.0.operands()
    }

    /// The types of an element's leaves.
    ///
    /// # Errors
    /// If the operands don't fit.
    pub fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        self.0.types(operands)
    }
}

/// An iteration that panics leaves no trace in the recipe.
impl UnwindSafe for Recipe {}
impl RefUnwindSafe for Recipe {}

impl PartialEq for Recipe {
    fn eq(&self, other: &Recipe) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.to_string() == other.to_string()
    }
}

impl fmt::Display for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f)
    }
}

impl fmt::Debug for Recipe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.write(f)
    }
}

/// A number that nothing else in this process has: what holds Rust code is told apart by it.
pub fn next_number() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// An iteration as its loop sees it: it may ask whether there is an element before it takes it.
pub struct Iteration {
    cursor: Option<Box<dyn Cursor>>,
    next: Option<Element>,
}

impl Iteration {
    /// Begins to go through the elements of a recipe.
    ///
    /// # Errors
    /// If the operands don't fit.
    pub fn begin(recipe: &Recipe, operands: &[Arc<Array>]) -> Result<Iteration, Error> {
        Ok(Iteration::of(recipe.0.begin(operands, 0)?))
    }

    /// An iteration that is under way.
    pub fn of(cursor: Box<dyn Cursor>) -> Iteration {
        Iteration {
            cursor: Some(cursor),
            next: None,
        }
    }

    /// Whether there is an element. At the end all that the iteration holds goes.
    pub fn has_element(&mut self) -> Result<bool, Error> {
        if self.next.is_none()
            && let Some(cursor) = &mut self.cursor
        {
            self.next = cursor.next()?;
        }
        if self.next.is_none() {
            self.cursor = None;
        }
        Ok(self.next.is_some())
    }

    /// The element.
    pub fn take(&mut self) -> Result<Option<Element>, Error> {
        self.has_element()?;
        Ok(self.next.take())
    }
}
