//! Iterations over datasets in a run. The arrays of an element are shared with the slots; an element that is a row of a larger array is
//! copied into the slot's own buffer.

use std::sync::Arc;

use graph_kernels::{Array, copy_array_or_row};
use smallvec::SmallVec;

use super::run::{Fault, Run};
use super::watch::Watch;
use crate::plan::{Slot, Source};
use crate::recipes::{Iteration, Recipe};
use crate::types::TensorType;

impl<W: Watch> Run<'_, W> {
    pub(super) fn begin(
        &mut self,
        recipe: &Recipe,
        inputs: &[Source],
        number: u32,
        output: Slot,
    ) -> Result<(), Fault> {
        let operands: SmallVec<[Arc<Array>; 4]> =
            inputs.iter().map(|source| self.share(*source)).collect();
        let iteration = Iteration::begin(recipe, &operands).map_err(Fault::Error)?;
        self.frame.iterations[number as usize] = Some(iteration);
        let own = self.frame.cells[output.index()].own();
        own.reset_as::<i64>(&[])?[0] = i64::from(number);
        Ok(())
    }

    pub(super) fn has_element(&mut self, iteration: Source, output: Slot) -> Result<(), Fault> {
        let has = self.iteration(iteration)?.has_element();
        let has = has.map_err(Fault::Error)?;
        let own = self.frame.cells[output.index()].own();
        own.reset_as::<bool>(&[])?[0] = has;
        Ok(())
    }

    pub(super) fn take_element(
        &mut self,
        iteration: Source,
        outputs: &[(Slot, TensorType)],
    ) -> Result<(), Fault> {
        let element = self.iteration(iteration)?.take();
        let element = element.map_err(Fault::Error)?;
        let element = element.ok_or_else(|| "the dataset has no more elements".to_owned())?;
        if element.len() != outputs.len() {
            let (has, needs) = (element.len(), outputs.len());
            return Err(format!("an element of {has} tensors where {needs} belong").into());
        }
        for (column, (slot, ty)) in element.into_iter().zip(outputs) {
            let (row, dtype) = (column.array_or_row(), column.array.dtype());
            if !ty.accepts_sizes(dtype, row.shape()) {
                let shape = row.shape();
                return Err(
                    format!("an element is a {dtype}{shape:?} where a {ty} belongs").into(),
                );
            }
            let cell = &mut self.frame.cells[slot.index()];
            if column.row.is_some() {
                copy_array_or_row(row, cell.own()).map_err(|error| error.to_string())?;
            } else {
                cell.shared = Some(column.array);
            }
        }
        Ok(())
    }

    /// The iteration with a number.
    fn iteration(&mut self, number: Source) -> Result<&mut Iteration, Fault> {
        let number: i64 = self.scalar(number)?;
        let place = usize::try_from(number).ok();
        let iteration = place.and_then(|i| self.frame.iterations.get_mut(i));
        let begun = iteration.and_then(Option::as_mut);
        begun.ok_or_else(|| Fault::Message(format!("no iteration {number} has begun")))
    }
}
