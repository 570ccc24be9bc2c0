//! Results that an importer computes at once. Both importers need them: ONNX and TensorFlow give as operands much that is an attribute here,
//! such as axes and sizes, and compute it with ops. A file may ask for any number of results of any size, so both are bounded.

use std::cell::Cell;
use std::rc::Rc;

use graph_ir::ops::{self, Attrs, OpDef};
use graph_ir::types::TensorType;
use graph_kernels::{Array, DType, KernelError};

/// Larger results are computed at once only until there are this many elements of them.
const MAX_IN_ALL: usize = 1 << 22;
/// A result that is always computed at once: sizes and positions.
const ALWAYS: usize = 64;
/// The most bytes of all larger results that are computed at once, beside as many as the file's own tensors have: weights that are filled with
/// a number, or transposed for a use.
const MAX_WEIGHTS: usize = 1 << 28;
/// Besides elementwise ops, those that compute weights at once: they take as long as a copy.
static OF_WEIGHTS: &[&OpDef] = &[
    &ops::TRANSPOSE,
    &ops::RESHAPE,
    &ops::EXPAND_DIMS,
    &ops::SQUEEZE,
    &ops::FILL,
    &ops::BROADCAST_TO,
    &ops::STRIDED_SLICE,
    &ops::INDEX,
    &ops::INDEX_AXIS,
    &ops::CONCAT,
    &ops::STACK,
    &ops::CAST,
];

/// Computes small results, and counts their elements. Clones, for graphs inside a graph, count together.
#[derive(Clone, Debug)]
pub(crate) struct Folding {
    /// The most elements of a result.
    most: usize,
    /// The elements so far.
    elements: Rc<Cell<usize>>,
    /// The bytes that larger results may still have.
    weights: Rc<Cell<usize>>,
}

impl Folding {
    /// A folding that computes results of at most `most` elements.
    pub fn new(most: usize) -> Folding {
        Folding {
            most,
            elements: Rc::default(),
            weights: Rc::new(Cell::new(MAX_WEIGHTS)),
        }
    }

    /// Allows larger results of as many bytes as a tensor of the file has.
    pub fn allow(&self, array: &Array) {
        let bytes = array.len().saturating_mul(array.dtype().bytes());
        self.weights.set(self.weights.get().saturating_add(bytes));
    }

    /// The result of an op on known operands, if they and the result are small, or if it is a weight. `size` is the most elements of the
    /// result, as far as it is known: [`size_of`] takes it from the result's type.
    ///
    /// # Errors
    /// If the op isn't defined for the operands.
    pub fn fold(
        &self,
        op: &'static OpDef,
        operands: &[&Array],
        attrs: &Attrs,
        (dtype, size): (DType, Option<usize>),
    ) -> Result<Option<Array>, KernelError> {
        let most = match self.elements.get() < MAX_IN_ALL {
            true => self.most,
            false => ALWAYS.min(self.most),
        };
        let Some(size) = size else {
            return Ok(None);
        };
        let is_small = size <= most && operands.iter().all(|array| weight(array) <= most);
        let bytes = size.saturating_mul(dtype.bytes());
        let left = self.weights.get().checked_sub(bytes);
        let folds = is_small || left.is_some() && is_of_weights(op, operands, attrs);
        if !folds {
            return Ok(None);
        }
        let mut result = Array::default();
        (op.kernel)(operands, attrs, &mut result)?;
        match left {
            Some(left) if !is_small => self.weights.set(left),
            _ => {
                let elements = self.elements.get().saturating_add(weight(&result));
                self.elements.set(elements);
            }
        }
        Ok(Some(result))
    }
}

/// Whether an op on these operands is one that makes weights of weights.
fn is_of_weights(op: &'static OpDef, operands: &[&Array], attrs: &Attrs) -> bool {
    let are_numbers = operands.iter().all(|array| array.dtype() != DType::Str);
    are_numbers && ((op.element)(attrs).is_some() || OF_WEIGHTS.contains(&op))
}

/// The number of elements of values of a type, if the type has all sizes.
pub(crate) fn size_of(ty: &TensorType) -> Option<usize> {
    ty.shape.size()
}

/// The number of elements, or, of strings, that of their bytes: a string that is joined to itself a few dozen times has no bound.
fn weight(array: &Array) -> usize {
    let bytes = |texts: &[String]| texts.iter().map(String::len).sum();
    array.len().max(array.values().map_or(0, bytes))
}
