//! The CPU: walks a plan's instructions (`run`) over a frame of slots (`frame`). A frame keeps its buffers from run to
//! run, so that a warm run, and each iteration of a loop on arrays that don't grow, allocates only the outputs it returns.

mod frame;
mod run;

use std::sync::Arc;

use graph_kernels::Array;

use super::{Backend, Host, Outputs};
use crate::error::{Error, Location};
use crate::graph::TensorType;
use crate::plan::Plan;
use frame::{Cell, Frame};
use run::Run;

/// Runs plans in the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu;

impl Backend for Cpu {
    fn run(
        &self,
        plan: &Plan,
        inputs: &[Arc<Array>],
        host: &mut dyn Host,
    ) -> Result<Outputs, Error> {
        start::<false>(plan, inputs, host).map(|(outputs, _)| outputs)
    }
}

impl Cpu {
    /// Runs a plan as [`Backend::run`] does, and counts the instructions: those of the plan, and those of its word
    /// programs. What a loop costs in instructions is exact, unlike its time.
    ///
    /// # Errors
    /// As [`Backend::run`].
    pub fn run_counting(
        &self,
        plan: &Plan,
        inputs: &[Arc<Array>],
        host: &mut dyn Host,
    ) -> Result<(Outputs, u64), Error> {
        start::<true>(plan, inputs, host)
    }
}

fn start<const COUNT: bool>(
    plan: &Plan,
    inputs: &[Arc<Array>],
    host: &mut dyn Host,
) -> Result<(Outputs, u64), Error> {
    check_inputs(plan, inputs)?;
    let mut frame: Box<Frame> = plan.scratch.take().unwrap_or_default();
    frame.cells.resize_with(plan.slots, Cell::default);
    let result = Run::<COUNT>::new(plan, inputs, &mut frame, host).run();
    // The frame keeps its own buffers, but nobody else's arrays.
    frame.cells.iter_mut().for_each(|cell| cell.shared = None);
    plan.scratch.give(frame);
    result
}

fn check_inputs(plan: &Plan, inputs: &[Arc<Array>]) -> Result<(), Error> {
    let fail = |message| Err(Error::run(message, Location::unknown()));
    if plan.inputs.len() != inputs.len() {
        return fail(format!(
            "{} inputs where {} belong",
            inputs.len(),
            plan.inputs.len()
        ));
    }
    match plan
        .inputs
        .iter()
        .zip(inputs)
        .position(|(ty, array)| !accepts(ty, array))
    {
        Some(i) => {
            let actual = TensorType::of_array(&inputs[i]);
            fail(format!(
                "input {i} is a {actual} where a {} belongs",
                plan.inputs[i]
            ))
        }
        None => Ok(()),
    }
}

/// [`TensorType::covers`] without making the array's type.
fn accepts(ty: &TensorType, array: &Array) -> bool {
    let fits = |dims: &[Option<usize>]| {
        dims.len() == array.rank()
            && dims
                .iter()
                .zip(array.shape())
                .all(|(d, n)| d.is_none_or(|d| d == *n))
    };
    ty.dtype == array.dtype() && ty.shape.dims().is_none_or(fits)
}
