//! Iterations over datasets: the host makes the elements, and their tensors are brought to the GPU.

use std::sync::Arc;

use graph_ir::graph::TensorType;
use graph_ir::plan::{Slot, Source};
use graph_ir::recipes::{Iteration, Recipe};
use graph_kernels::{Array, copy_array_or_row};

use super::run::{Problem, Run};
use crate::value::Value;

impl Run<'_> {
    pub(super) fn begin(
        &mut self,
        recipe: &Recipe,
        inputs: &[Source],
        number: u32,
        output: Slot,
    ) -> Result<(), Problem> {
        self.refuse_to_record()?;
        self.settle()?;
        let operands: Result<Vec<Arc<Array>>, _> =
            self.values(inputs)?.iter().map(|x| x.fetch()).collect();
        let operands = operands.map_err(Problem::Error)?;
        let iteration = Iteration::begin(recipe, &operands).map_err(Problem::Error)?;
        self.iterations[number as usize] = Some(iteration);
        self.set_array(output, Array::scalar(i64::from(number)))
    }

    pub(super) fn has_element(&mut self, iteration: Source, output: Slot) -> Result<(), Problem> {
        self.settle()?;
        let has = self.iteration(iteration)?.has_element();
        self.set_array(output, Array::scalar(has.map_err(Problem::Error)?))
    }

    pub(super) fn take_element(
        &mut self,
        iteration: Source,
        outputs: &[(Slot, TensorType)],
    ) -> Result<(), Problem> {
        self.settle()?;
        let element = self.iteration(iteration)?.take();
        let element = element.map_err(Problem::Error)?;
        let element = element.ok_or_else(|| "the dataset has no more elements".to_owned())?;
        if element.len() != outputs.len() {
            let (has, needs) = (element.len(), outputs.len());
            return Err(format!("an element of {has} tensors where {needs} belong").into());
        }
        for (column, (slot, ty)) in element.into_iter().zip(outputs) {
            let (part, dtype) = (column.array_or_row(), column.array.dtype());
            if !ty.accepts_sizes(dtype, part.shape()) {
                let shape = part.shape();
                return Err(
                    format!("an element is a {dtype}{shape:?} where a {ty} belongs").into(),
                );
            }
            let array = match column.row {
                None => column.array,
                Some(_) => {
                    let mut row = Array::default();
                    copy_array_or_row(part, &mut row).map_err(|error| error.to_string())?;
                    Arc::new(row)
                }
            };
            let value = Value::of_host(self.kernels.gpu(), array)?;
            self.set(*slot, value);
        }
        Ok(())
    }

    /// The iteration with a number.
    fn iteration(&mut self, number: Source) -> Result<&mut Iteration, Problem> {
        let number: i64 = self.scalar(number)?;
        let place = usize::try_from(number).ok();
        let iteration = place.and_then(|i| self.iterations.get_mut(i));
        let begun = iteration.and_then(Option::as_mut);
        begun.ok_or_else(|| Problem::Message(format!("no iteration {number} has begun")))
    }
}
