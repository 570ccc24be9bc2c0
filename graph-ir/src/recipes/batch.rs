//! Windows: so many elements as one, along a new first axis. A batch is a window that begins where the one before it ended. Rows of
//! arrays are copied here and nowhere before, into an array that an earlier window had if nobody holds that any more.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use graph_kernels::Array;
use smallvec::SmallVec;

use super::map::Map;
use super::{Column, Cursor, Element, Iterable, Recipe};
use crate::error::{Error, Location};
use crate::graph::{Shape, TensorType};

/// So many elements as one.
#[derive(Clone, Copy)]
pub struct Window {
    /// How many elements a window has.
    pub size: usize,
    /// How far behind the beginning of a window the next one begins.
    pub shift: usize,
    /// How far behind an element of a window its next one is.
    pub stride: usize,
    /// True if windows of fewer elements, at the end, are left out.
    pub drop_remainder: bool,
}

impl Window {
    /// Windows side by side.
    pub fn batch(size: usize, drop_remainder: bool) -> Window {
        Window {
            size,
            shift: size,
            stride: 1,
            drop_remainder,
        }
    }

    /// From the first element of a whole window to behind its last one.
    fn span(&self) -> usize {
        (self.size - 1)
            .saturating_mul(self.stride)
            .saturating_add(1)
    }

    /// How many windows so many elements have.
    fn count(&self, elements: usize) -> usize {
        match self.drop_remainder {
            true if elements < self.span() => 0,
            true => (elements - self.span()) / self.shift + 1,
            false => elements.div_ceil(self.shift),
        }
    }

    /// True if each window of so many elements is whole: the last one is.
    fn are_whole(&self, elements: usize) -> bool {
        let windows = self.count(elements);
        windows == 0 || elements - (windows - 1) * self.shift >= self.span()
    }

    /// The windows of a recipe's elements. What is mapped value by value is mapped as a window: once for many elements, and
    /// the same to the last bit. Not so where windows overlap, for an element would be mapped in each of them.
    pub fn of(self, recipe: &Recipe, operands: &[TensorType]) -> Recipe {
        if self.shift >= self.size
            && let Some((source, function)) = recipe.0.as_map()
        {
            let operands = &operands[..source.operands()];
            let below = self.of(source, operands);
            let types = below.types(operands).ok();
            if let Some(function) = types.and_then(|types| function.of_batches(&types)) {
                return Recipe::new(Map(below, function));
            }
        }
        Recipe::new(Windows(recipe.clone(), self))
    }
}

/// The windows of a recipe's elements.
pub struct Windows(pub Recipe, pub Window);

impl Iterable for Windows {
    fn operands(&self) -> usize {
        self.0.operands()
    }

    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        let Windows(source, window) = self;
        let whole = |elements: usize| window.are_whole(elements);
        let even = window.drop_remainder || source.0.count(operands).is_some_and(whole);
        let rows = even.then_some(window.size);
        let batched = |ty: TensorType| {
            let shape = match ty.shape.dims() {
                Some(dims) => Shape::of(std::iter::once(rows).chain(dims.iter().copied())),
                None => Shape::unknown(),
            };
            TensorType::new(ty.dtype, shape)
        };
        let types = source.types(operands)?;
        Ok(types.into_iter().map(batched).collect())
    }

    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        Ok(Box::new(Gathering {
            source: Some(self.0.0.begin(operands, round)?),
            window: self.1,
            skip: 0,
            elements: VecDeque::new(),
            spare: Vec::new(),
        }))
    }

    fn is_seed(&self, operand: usize) -> bool {
        self.0.0.is_seed(operand)
    }

    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        Some(self.1.count(self.0.0.count(operands)?))
    }

    fn depth(&self) -> usize {
        self.0.depth()
    }
    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Windows(source, window) = self;
        let Window {
            size,
            shift,
            stride,
            drop_remainder,
        } = window;
        let whole = if *drop_remainder { "whole_" } else { "" };
        match shift == size && *stride == 1 {
            true => write!(f, "{whole}batch({source}, {size})"),
            false => write!(f, "{whole}window({source}, {size}, {shift}, {stride})"),
        }
    }
}

/// Of so many batches handles are kept, in order to write over the one that nobody else has: a loop holds one, and asks
/// for the next before it lets go of it.
const KEPT: usize = 3;

struct Gathering {
    source: Option<Box<dyn Cursor>>,
    window: Window,
    /// So many elements of the source are left out before the next window.
    skip: usize,
    /// Those from the beginning of the next window.
    elements: VecDeque<Element>,
    /// For each leaf the windows before.
    spare: Vec<SmallVec<[Arc<Array>; KEPT]>>,
}

impl Cursor for Gathering {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        let span = self.window.span();
        while let Some(source) = &mut self.source
            && self.elements.len() < span
        {
            match source.next()? {
                Some(_) if self.skip > 0 => self.skip -= 1,
                Some(element) => self.elements.push_back(element),
                None => self.source = None,
            }
        }
        let ahead = self.elements.len();
        if ahead == 0 || self.window.drop_remainder && ahead < span {
            return Ok(None);
        }
        let leaves = self.elements[0].len();
        self.spare.resize_with(leaves, SmallVec::new);
        let gathered = (0..leaves).map(|leaf| self.gather(leaf));
        let window = gathered.collect::<Result<Element, Error>>()?;
        let passed = self.window.shift.min(ahead);
        self.elements.drain(..passed);
        self.skip = self.window.shift - passed;
        Ok(Some(window))
    }
}

impl Gathering {
    /// One leaf of the elements of a window.
    fn gather(&mut self, leaf: usize) -> Result<Column, Error> {
        let spare = &mut self.spare[leaf];
        let free = spare
            .iter_mut()
            .position(|kept| Arc::get_mut(kept).is_some());
        let mut array = free.map_or_else(Arc::default, |place| spare.remove(place));
        let Window { size, stride, .. } = self.window;
        let window = self.elements.iter().step_by(stride).take(size);
        let parts = window.map(|element| element[leaf].part());
        let count = self.elements.len().div_ceil(stride).min(size);
        let out = Arc::make_mut(&mut array);
        graph_kernels::batch(leaf, parts, count, out)
            .map_err(|error| Error::run(error.to_string(), Location::unknown()))?;
        if spare.len() == KEPT {
            spare.remove(0);
        }
        spare.push(array.clone());
        Ok(Column::whole(array))
    }
}
