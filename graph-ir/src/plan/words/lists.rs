//! The lists that a word program reads and writes: each is taken out of its slot for the run, and put back after it.

use graph_kernels::{Array, DType, Dims, KernelError, List};

use crate::graph::{Shape, TensorType};
use crate::plan::Slot;

/// A list that a word program reads and writes.
#[derive(Clone, Debug)]
pub struct WrittenList<P> {
    pub(super) place: P,
    pub(super) dtype: DType,
    /// The shape of a row.
    pub(super) row: Dims,
}

impl<P> WrittenList<P> {
    pub(super) fn map<Q>(self, place: impl Fn(P) -> Q) -> WrittenList<Q> {
        WrittenList {
            place: place(self.place),
            dtype: self.dtype,
            row: self.row,
        }
    }
}

impl WrittenList<Slot> {
    /// The slot that holds the list.
    pub(crate) fn slot(&self) -> Slot {
        self.place
    }

    /// The list in an array, for the program.
    pub(crate) fn of(&self, array: Array) -> Result<List, KernelError> {
        List::new(array, self.dtype, &self.row)
    }
}

/// The type of a list, for an error.
pub(super) fn of_list(list: &List) -> TensorType {
    TensorType::new(list.dtype(), Shape::known(&list.shape()))
}

/// The type of a row of a list.
pub(super) fn of_row(list: &List) -> TensorType {
    TensorType::new(list.dtype(), Shape::known(list.row()))
}
