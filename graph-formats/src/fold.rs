//! Results that an importer computes at once. Both importers need them: ONNX and TensorFlow give as operands much that is an attribute here,
//! such as axes and sizes, and compute it with ops. A file may ask for any number of results of any size, so both are bounded.

use std::cell::Cell;
use std::rc::Rc;

use graph_ir::ops::{Attrs, OpDef};
use graph_ir::types::TensorType;
use graph_kernels::{Array, KernelError};

/// Larger results are computed at once only until there are this many elements of them.
const MAX_IN_ALL: usize = 1 << 22;
/// A result that is always computed at once: sizes and positions.
const ALWAYS: usize = 64;

/// Computes small results, and counts their elements. Clones, for graphs inside a graph, count together.
#[derive(Clone, Debug)]
pub(crate) struct Folding {
    /// The most elements of a result.
    most: usize,
    /// The elements so far.
    elements: Rc<Cell<usize>>,
}

impl Folding {
    /// A folding of results of at most so many elements.
    pub fn new(most: usize) -> Folding {
        Folding {
            most,
            elements: Rc::default(),
        }
    }

    /// The result of an op on known operands, if they and the result are small. `size` is the most elements of the result, as far as it is
    /// known: [`size_of`] says what its type tells.
    ///
    /// # Errors
    /// If the op isn't defined for the operands.
    pub fn fold(
        &self,
        op: &'static OpDef,
        operands: &[&Array],
        attrs: &Attrs,
        size: Option<usize>,
    ) -> Result<Option<Array>, KernelError> {
        let most = match self.elements.get() < MAX_IN_ALL {
            true => self.most,
            false => ALWAYS.min(self.most),
        };
        let are_small = operands.iter().all(|array| weight(array) <= most);
        if !are_small || size.is_none_or(|size| size > most) {
            return Ok(None);
        }
        let mut result = Array::default();
        (op.kernel)(operands, attrs, &mut result)?;
        let elements = self.elements.get().saturating_add(weight(&result));
        self.elements.set(elements);
        Ok(Some(result))
    }
}

/// The number of elements that a type tells.
pub(crate) fn size_of(ty: &TensorType) -> Option<usize> {
    ty.shape.size()
}

/// The number of elements, or, of strings, that of their bytes: a string that is joined to itself a few dozen times has no bound.
fn weight(array: &Array) -> usize {
    let bytes = |texts: &[String]| texts.iter().map(String::len).sum();
    array.len().max(array.values().map_or(0, bytes))
}
