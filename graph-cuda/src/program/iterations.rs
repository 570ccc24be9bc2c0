//! Iterations over datasets: the host makes the elements, and their tensors are brought to the GPU. If nobody else sees when an element is made, it is made
//! and uploaded when the loop takes the one before, so the GPU has the next batch of a training when it has done a step.

use std::sync::Arc;

use graph_ir::graph::TensorType;
use graph_ir::plan::{Slot, Source};
use graph_ir::recipes::{Column, Element, Iteration, Recipe};
use graph_kernels::{Array, copy_array_or_row};

use super::run::{Problem, Run};
use crate::driver::Arrival;
use crate::kernels::Kernels;
use crate::value::{Tensor, Value};

/// An iteration of a run.
pub struct Running {
    iteration: Iteration,
    /// The next element, if it was taken before the loop asks for it. `None` inside is the end.
    ahead: Option<Result<Option<Vec<Coming>>, Problem>>,
}

/// A tensor of an element. The fields are dropped in this order: the memory of a tensor isn't free before its bytes have arrived.
struct Coming {
    arrival: Option<Arrival>,
    value: Tensor,
}

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
        let ahead = None;
        self.iterations[number as usize] = Some(Running { iteration, ahead });
        self.set_array(output, Array::scalar(i64::from(number)))
    }

    pub(super) fn has_element(&mut self, iteration: Source, output: Slot) -> Result<(), Problem> {
        let number: i64 = self.scalar(iteration)?;
        let running = self.running(number)?;
        let has = match &running.ahead {
            // What is wrong with it is said when it is taken.
            Some(Ok(None)) => false,
            Some(_) => true,
            None => {
                if !running.iteration.is_pure() {
                    self.settle()?;
                }
                let has = self.running(number)?.iteration.has_element();
                has.map_err(Problem::Error)?
            }
        };
        self.set_array(output, Array::scalar(has))
    }

    pub(super) fn take_element(
        &mut self,
        iteration: Source,
        outputs: &[(Slot, TensorType)],
    ) -> Result<(), Problem> {
        let number: i64 = self.scalar(iteration)?;
        let kernels = self.kernels;
        let running = self.running(number)?;
        let is_pure = running.iteration.is_pure();
        let element = match running.ahead.take() {
            Some(element) => element?,
            None => {
                if !is_pure {
                    self.settle()?;
                }
                next(kernels, &mut self.running(number)?.iteration, outputs)?
            }
        };
        let element = element.ok_or_else(|| "the dataset has no more elements".to_owned())?;
        for (coming, (slot, _)) in element.into_iter().zip(outputs) {
            drop(coming.arrival);
            self.set(*slot, coming.value);
        }
        if is_pure {
            // The step that follows needn't wait for it.
            let running = self.running(number)?;
            running.ahead = Some(next(kernels, &mut running.iteration, outputs));
        }
        Ok(())
    }

    /// The iteration with a number.
    fn running(&mut self, number: i64) -> Result<&mut Running, Problem> {
        let place = usize::try_from(number).ok();
        let iteration = place.and_then(|i| self.iterations.get_mut(i));
        let begun = iteration.and_then(Option::as_mut);
        begun.ok_or_else(|| Problem::Message(format!("no iteration {number} has begun")))
    }
}

/// Takes the next element, whose tensors have these types, and brings it to the GPU; `None` at the end.
fn next(
    kernels: &Kernels,
    iteration: &mut Iteration,
    outputs: &[(Slot, TensorType)],
) -> Result<Option<Vec<Coming>>, Problem> {
    let element: Option<Element> = iteration.take().map_err(Problem::Error)?;
    let Some(element) = element else {
        return Ok(None);
    };
    if element.len() != outputs.len() {
        let (has, needs) = (element.len(), outputs.len());
        return Err(format!("an element of {has} tensors where {needs} belong").into());
    }
    let columns = element.into_iter().zip(outputs);
    let values = columns.map(|(column, (_, ty))| brought(kernels, column, ty));
    Ok(Some(values.collect::<Result<_, _>>()?))
}

/// A component of an element on its way to the GPU.
fn brought(kernels: &Kernels, column: Column, ty: &TensorType) -> Result<Coming, Problem> {
    let (part, dtype) = (column.array_or_row(), column.array.dtype());
    if !ty.accepts_sizes(dtype, part.shape()) {
        let shape = part.shape();
        return Err(format!("an element is a {dtype}{shape:?} where a {ty} belongs").into());
    }
    let array = match column.row {
        None => column.array,
        Some(_) => {
            let mut row = Array::default();
            copy_array_or_row(part, &mut row).map_err(|error| error.to_string())?;
            Arc::new(row)
        }
    };
    let (value, arrival) = Value::of_host_ahead(kernels.gpu(), array)?;
    Ok(Coming { arrival, value })
}
