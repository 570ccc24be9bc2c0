//! The CPU: walks a plan's instructions (`run`) over a frame of slots (`frame`); what is but one word program needs none (`scalars`). A frame keeps its buffers from run to
//! run, so that a warm run, and each iteration of a loop on arrays that don't grow, allocates only the outputs it returns.
//! It keeps handles of large outputs too, at most two of each: once the caller has dropped one, the next run writes to its
//! buffer, which then needs no memory from the system and no zeros.

mod frame;
mod iterations;
mod run;
mod scalars;
mod variables;
mod watch;

use std::sync::Arc;

use graph_kernels::Array;

use super::{Backend, Host, Outputs};
use crate::error::{Error, Location};
use crate::graph::TensorType;
use crate::place::Place;
use crate::plan::{Change, Plan};
use frame::{Cell, Frame};
use run::Run;
use watch::Counter;
pub use watch::{Done, Watch};

/// Runs plans in the calling thread.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu;

impl Backend for Cpu {
    fn run(
        &self,
        plan: &Plan,
        inputs: &[&Arc<Array>],
        host: &mut dyn Host,
    ) -> Result<Outputs, Error> {
        check(plan, inputs, host)?;
        match plan.only_words() {
            Some(words) => scalars::run(plan, words, inputs),
            None => walk(plan, inputs, host, &mut ()),
        }
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
        inputs: &[&Arc<Array>],
        host: &mut dyn Host,
    ) -> Result<(Outputs, u64), Error> {
        let mut counter = Counter::default();
        let outputs = self.run_watched(plan, inputs, host, &mut counter)?;
        Ok((outputs, counter.0))
    }

    /// Runs a plan as [`Backend::run`] does, while something looks on.
    ///
    /// # Errors
    /// As [`Backend::run`], and those of the watcher.
    pub fn run_watched(
        &self,
        plan: &Plan,
        inputs: &[&Arc<Array>],
        host: &mut dyn Host,
        watch: &mut impl Watch,
    ) -> Result<Outputs, Error> {
        check(plan, inputs, host)?;
        walk(plan, inputs, host, watch)
    }
}

/// Walks through a plan's instructions.
fn walk(
    plan: &Plan,
    inputs: &[&Arc<Array>],
    host: &mut dyn Host,
    watch: &mut impl Watch,
) -> Result<Outputs, Error> {
    let mut frame: Box<Frame> = plan.scratch.take().unwrap_or_default();
    frame.cells.resize_with(plan.slots.len(), Cell::default);
    frame.cells.iter_mut().for_each(Cell::take_back);
    frame.iterations.resize_with(plan.iterations, || None);
    frame.turns.clear();
    frame.turns.resize(plan.loops, 0);
    let result = Run::new(plan, inputs, &mut frame, host, watch).run();
    // The frame keeps its own buffers and handles of what it lent, but nobody else's arrays.
    frame.iterations.clear();
    frame.cells.iter_mut().for_each(|cell| cell.shared = None);
    plan.scratch.give(frame);
    result
}

/// Replaces what a variable holds, outside of a run.
pub fn update_variable(
    place: &Place,
    change: &Change,
    operands: &[Option<&Array>],
    flush_denormals: bool,
    location: &Location,
) -> Result<(), Error> {
    variables::update(place, change, operands, flush_denormals).map_err(|fault| fault.at(location))
}

/// The arguments and the host are those that the plan is for.
fn check(plan: &Plan, inputs: &[&Arc<Array>], host: &dyn Host) -> Result<(), Error> {
    check_inputs(plan, inputs)?;
    check_variables(plan, host)
}

fn check_inputs(plan: &Plan, inputs: &[&Arc<Array>]) -> Result<(), Error> {
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
        .position(|(ty, array)| !ty.accepts(array))
    {
        Some(i) => {
            let actual = TensorType::of_array(inputs[i]);
            fail(format!(
                "input {i} is a {actual} where a {} belongs",
                plan.inputs[i]
            ))
        }
        None => Ok(()),
    }
}

/// The host has every variable of the plan, and it never holds anything else than the plan expects.
fn check_variables(plan: &Plan, host: &dyn Host) -> Result<(), Error> {
    for (i, ty) in plan.variables.iter().enumerate() {
        let problem = match host.variable(i as u32) {
            Some(place) if ty.covers(place.ty()) && place.ty().covers(ty) => continue,
            Some(place) => format!("variable {i} is a {} where a {ty} belongs", place.ty()),
            None => format!("there is no variable {i}"),
        };
        return Err(Error::run(problem, Location::unknown()));
    }
    Ok(())
}
