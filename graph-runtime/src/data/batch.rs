//! Batches: so many elements as one, along a new first axis. Rows of arrays are copied here and nowhere before, once, into an array
//! that an earlier batch had if nobody holds that any more.

use std::fmt;
use std::sync::Arc;

use graph_kernels::Array;
use smallvec::SmallVec;

use super::recipe::{Column, Cook, Cursor, Element, Recipe};
use crate::error::{Error, Location};
use crate::graph::{Shape, TensorType};

/// So many elements as one.
pub(super) struct Batch {
    pub source: Recipe,
    pub size: usize,
    /// True if the elements at the end that don't make a whole batch are left out.
    pub drop_remainder: bool,
}

impl Cook for Batch {
    fn operands(&self) -> usize {
        self.source.operands()
    }

    fn types(&self, operands: &[TensorType]) -> Result<Vec<TensorType>, String> {
        let whole = |count: usize| count.is_multiple_of(self.size);
        let even = self.drop_remainder || self.source.0.count(operands).is_some_and(whole);
        let rows = even.then_some(self.size);
        let batched = |ty: TensorType| {
            let shape = match ty.shape.dims() {
                Some(dims) => Shape::of(std::iter::once(rows).chain(dims.iter().copied())),
                None => Shape::unknown(),
            };
            TensorType::new(ty.dtype, shape)
        };
        let types = self.source.types(operands)?;
        Ok(types.into_iter().map(batched).collect())
    }

    fn begin(&self, operands: &[Arc<Array>], round: u64) -> Result<Box<dyn Cursor>, Error> {
        Ok(Box::new(Batches {
            source: Some(self.source.0.begin(operands, round)?),
            size: self.size,
            drop_remainder: self.drop_remainder,
            elements: Vec::new(),
            spare: Vec::new(),
        }))
    }

    fn is_seed(&self, operand: usize) -> bool {
        self.source.0.is_seed(operand)
    }

    fn count(&self, operands: &[TensorType]) -> Option<usize> {
        let count = self.source.0.count(operands)?;
        match self.drop_remainder {
            true => Some(count / self.size),
            false => Some(count.div_ceil(self.size)),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.drop_remainder {
            "whole_batch"
        } else {
            "batch"
        };
        write!(f, "{name}({}, {})", self.source, self.size)
    }
}

/// Of so many batches handles are kept, in order to write over the one that nobody else has: a loop holds one, and asks
/// for the next before it lets go of it.
const KEPT: usize = 3;

struct Batches {
    source: Option<Box<dyn Cursor>>,
    size: usize,
    drop_remainder: bool,
    /// Those of the batch being gathered.
    elements: Vec<Element>,
    /// For each leaf the batches before.
    spare: Vec<SmallVec<[Arc<Array>; KEPT]>>,
}

impl Cursor for Batches {
    fn next(&mut self) -> Result<Option<Element>, Error> {
        self.elements.clear();
        while let Some(source) = &mut self.source
            && self.elements.len() < self.size
        {
            match source.next()? {
                Some(element) => self.elements.push(element),
                None => self.source = None,
            }
        }
        let count = self.elements.len();
        if count == 0 || self.drop_remainder && count < self.size {
            return Ok(None);
        }
        let leaves = self.elements[0].len();
        self.spare.resize_with(leaves, SmallVec::new);
        let gathered = (0..leaves).map(|leaf| self.gather(leaf));
        let batch = gathered.collect::<Result<Element, Error>>()?;
        self.elements.clear();
        Ok(Some(batch))
    }
}

impl Batches {
    /// One leaf of all elements.
    fn gather(&mut self, leaf: usize) -> Result<Column, Error> {
        let spare = &mut self.spare[leaf];
        let free = spare
            .iter_mut()
            .position(|kept| Arc::get_mut(kept).is_some());
        let mut array = free.map_or_else(Arc::default, |place| spare.remove(place));
        let parts = self.elements.iter().map(|element| element[leaf].part());
        let out = Arc::make_mut(&mut array);
        graph_kernels::batch(leaf, parts, self.elements.len(), out)
            .map_err(|error| Error::run(error.to_string(), Location::unknown()))?;
        if spare.len() == KEPT {
            spare.remove(0);
        }
        spare.push(array.clone());
        Ok(Column::whole(array))
    }
}
