//! A recipe: the sources and transformations of a dataset, without its tensors. The tensors are operands, which are given when an
//! iteration begins. So they are values of the graph like the operands of any node, and one trace serves all datasets with the same recipe.
//! Each kind of source and transformation has its own file.

use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use graph_kernels::{Array, ArrayOrRow};
use smallvec::SmallVec;

use super::ElementFunction;
use crate::error::Error;
use crate::types::TensorType;

/// The operands of an iteration.
pub type Operands = SmallVec<[Arc<Array>; 4]>;

/// One component of an element: an array, or one row of it, which isn't copied until it is needed.
#[derive(Clone)]
pub struct Column {
    /// The array.
    pub array: Arc<Array>,
    /// The number of the row; `None` is the whole array.
    pub row: Option<usize>,
}

/// One element of a dataset: the leaves of its `Record`, in order.
pub type Element = SmallVec<[Column; 2]>;

impl Column {
    /// A component that is a whole array.
    pub fn whole(array: Arc<Array>) -> Column {
        Column { array, row: None }
    }

    /// The component in the form that kernels take.
    pub fn array_or_row(&self) -> ArrayOrRow<'_> {
        ArrayOrRow {
            array: &self.array,
            row: self.row,
        }
    }

    /// The component as a separate array.
    pub fn into_array(self) -> Arc<Array> {
        if self.row.is_none() {
            return self.array;
        }
        let mut array = Array::default();
        graph_kernels::copy_array_or_row(self.array_or_row(), &mut array)
            .expect("a component names its own rows");
        Arc::new(array)
    }
}

/// How elements are produced. The operands of a transformation are those of its source, then its own.
pub trait Iterable: Send + Sync {
    /// The number of operands.
    fn operands(&self) -> usize;

    /// The types of an element's leaves; an error if the operands don't fit.
    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String>;

    /// Begins an iteration. `round` distinguishes repetitions that draw with the same seed.
    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error>;

    /// Whether an operand is a seed for random draws.
    fn is_seed(&self, operand: usize) -> bool;

    /// How many elements an iteration has, if it is known.
    fn count(&self, operands: &[TensorType]) -> Option<usize>;

    /// The depth of nested recipes: 0 for a source.
    fn depth(&self) -> usize {
        0
    }

    /// The source and the function, if this is a map without effects or reads of variables, so that it may also run later.
    fn as_map(&self) -> Option<(&Recipe, &Arc<dyn ElementFunction>)> {
        None
    }

    /// Whether elements may be made at any time, because nobody but the iteration sees it. By default, somebody might.
    fn is_pure(&self) -> bool {
        false
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
    fn is_pure(&self) -> bool {
        self.source().0.is_pure()
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

/// An iteration in progress.
pub trait Cursor: Send {
    /// The next element, or `None` at the end. It isn't called again after the end.
    fn next(&mut self) -> Result<Option<Element>, Error>;

    /// Skips elements; false if there are fewer than `count`. It isn't called again after that.
    fn skip(&mut self, count: usize) -> Result<bool, Error> {
        for _ in 0..count {
            if self.next()?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// How many elements are left, if any of them can be accessed directly; see [`peek`](Self::peek).
    fn at_hand(&self) -> Option<usize> {
        None
    }

    /// The element after this many of those that are left, if it can be accessed directly.
    fn peek(&self, _: usize) -> Option<Element> {
        None
    }
}

/// A recipe, shared by the datasets, graphs and iterations that use it. Two recipes are equal if their texts are. The text of a function
/// over elements contains a number for its graph and line; the text of a recipe that runs Rust code contains a unique number.
#[derive(Clone)]
pub struct Recipe(pub Arc<dyn Iterable>, usize);

impl Recipe {
    /// A recipe that produces these elements.
    pub fn new(elements: impl Iterable + 'static) -> Recipe {
        let depth = 1 + elements.depth();
        Recipe(Arc::new(elements), depth)
    }

    /// The number of levels of nested recipes, this one included.
    pub fn depth(&self) -> usize {
        self.1
    }

    /// The number of operands of an iteration.
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

/// A panic in an iteration doesn't affect the recipe.
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

/// A number that is unique in this process; it identifies recipes that contain Rust code.
pub fn next_number() -> u64 {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// An iteration as a loop uses it: the loop asks whether there is another element before it takes it.
pub struct Iteration {
    cursor: Option<Box<dyn Cursor>>,
    next: Option<Element>,
    is_pure: bool,
}

impl Iteration {
    /// Begins an iteration over the elements of a recipe.
    ///
    /// # Errors
    /// If the operands don't fit.
    pub fn begin(recipe: &Recipe, operands: &[Arc<Array>]) -> Result<Iteration, Error> {
        let mut iteration = Iteration::of(recipe.0.begin(operands, 0)?);
        iteration.is_pure = recipe.0.is_pure();
        Ok(iteration)
    }

    /// An iteration over the remaining elements of a cursor.
    pub fn of(cursor: Box<dyn Cursor>) -> Iteration {
        Iteration {
            cursor: Some(cursor),
            next: None,
            is_pure: false,
        }
    }

    /// Whether elements may be taken before the loop asks for them: nobody else sees when they are made.
    pub fn is_pure(&self) -> bool {
        self.is_pure
    }

    /// Whether there is another element. At the end, everything that the iteration holds is dropped.
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

    /// Takes the next element.
    pub fn take(&mut self) -> Result<Option<Element>, Error> {
        self.has_element()?;
        Ok(self.next.take())
    }
}
