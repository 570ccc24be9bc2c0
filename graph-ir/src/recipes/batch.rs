//! Windows: a fixed number of elements becomes one element with a new first axis. In a batch, each window begins where the previous one
//! ended. Rows of arrays are copied only here, into the array of an earlier window if nobody holds it any more.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use graph_kernels::Array;
use smallvec::SmallVec;

use super::map::Map;
use super::{Column, Cursor, Element, Iterable, Recipe};
use crate::error::{Error, Location};
use crate::types::{Shape, TensorType};

/// How elements are grouped into windows.
#[derive(Clone, Copy)]
pub struct Window {
    /// The number of elements in a window.
    pub size: usize,
    /// The distance between the first elements of consecutive windows.
    pub shift: usize,
    /// The distance between consecutive elements of a window.
    pub stride: usize,
    /// True if windows with fewer elements, at the end, are dropped.
    pub drop_remainder: bool,
}

impl Window {
    /// Windows without gaps or overlap.
    pub fn batch(size: usize, drop_remainder: bool) -> Window {
        Window {
            size,
            shift: size,
            stride: 1,
            drop_remainder,
        }
    }

    /// The number of source elements from the first to the last element of a full window.
    fn span(&self) -> usize {
        (self.size - 1)
            .saturating_mul(self.stride)
            .saturating_add(1)
    }

    /// The number of windows over this many elements.
    fn count(&self, elements: usize) -> usize {
        match self.drop_remainder {
            true if elements < self.span() => 0,
            true => (elements - self.span()) / self.shift + 1,
            false => elements.div_ceil(self.shift),
        }
    }

    /// True if all windows over this many elements are full, which is so if the last one is.
    fn are_whole(&self, elements: usize) -> bool {
        let windows = self.count(elements);
        windows == 0 || elements - (windows - 1) * self.shift >= self.span()
    }

    /// The windows over a recipe's elements. If the recipe is an elementwise map, the map runs on windows instead, once for many elements, and
    /// the results are bitwise the same. This isn't done if windows overlap, because an element would be mapped once for each window.
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

/// The windows over a recipe's elements.
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
    fn is_pure(&self) -> bool {
        self.0.0.is_pure()
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

/// How many handles of earlier windows are kept. An array is reused when nobody else holds it. More than one is needed because a loop
/// requests the next window before it drops the current one.
const KEPT: usize = 3;

struct Gathering {
    source: Option<Box<dyn Cursor>>,
    window: Window,
    /// How many elements of the source are skipped before the next window.
    skip: usize,
    /// The elements from the beginning of the next window on.
    elements: VecDeque<Element>,
    /// For each leaf, the arrays of earlier windows.
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
    /// Copies one leaf of the window's elements into an array.
    fn gather(&mut self, leaf: usize) -> Result<Column, Error> {
        let spare = &mut self.spare[leaf];
        let free = spare
            .iter_mut()
            .position(|kept| Arc::get_mut(kept).is_some());
        let mut array = free.map_or_else(Arc::default, |place| spare.remove(place));
        let Window { size, stride, .. } = self.window;
        let window = self.elements.iter().step_by(stride).take(size);
        let components = window.map(|element| element[leaf].array_or_row());
        let count = self.elements.len().div_ceil(stride).min(size);
        let out = Arc::make_mut(&mut array);
        graph_kernels::batch(leaf, components, count, out)
            .map_err(|error| Error::run(error.to_string(), Location::unknown()))?;
        if spare.len() == KEPT {
            spare.remove(0);
        }
        spare.push(array.clone());
        Ok(Column::whole(array))
    }
}
