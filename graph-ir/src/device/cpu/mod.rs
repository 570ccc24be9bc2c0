//! The CPU: executes the instructions of a plan (`run`) on a frame of slots (`frame`). A plan that is a single word program needs no
//! frame (`scalars`). A frame keeps its buffers between runs, so all runs but the first, and the iterations of a loop on arrays that don't
//! grow, allocate only the outputs. The frame also keeps handles of large outputs, at most two per slot: after the caller has dropped an
//! output, the next run writes to its buffer and needs no new, zeroed memory from the system.

mod bound;
mod eager;
mod frame;
mod iterations;
mod kernel;
mod run;
mod scalars;
mod variables;
mod watch;

use std::sync::Arc;

use graph_kernels::Array;

use super::{Backend, Description, Device, Host, Outputs, Program, Storage};
use crate::error::{Error, Location};
use crate::graph::Graph;
use crate::ops::{Attrs, OpDef};
use crate::plan::Plan;
use crate::types::TensorType;
pub use eager::update;
use frame::{Cell, Frame};
use run::Run;
use watch::Counter;
pub use watch::{Done, Watch};

/// The CPU: it works on values of the host, in the calling thread and its helper threads.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cpu;

impl Backend for Cpu {
    fn name(&self) -> &str {
        "cpu"
    }

    fn description(&self) -> Description {
        let (threads, level) = (graph_kernels::threads(), graph_kernels::simd::level());
        let plural = if threads == 1 { "" } else { "s" };
        Description::new(format!("CPU, {threads} thread{plural}, {}", level.name()))
    }

    fn bring(&self, array: Arc<Array>) -> Result<Storage, Error> {
        Ok(Storage::Host(array))
    }

    fn refuses(&self, _: &OpDef, _: &Attrs, _: &[TensorType]) -> Option<String> {
        None
    }

    fn apply(
        &self,
        op: &'static OpDef,
        attrs: &Attrs,
        operands: &[&Storage],
    ) -> Result<Storage, String> {
        eager::apply(op, attrs, operands)
    }

    /// Plans whose slots have the same dtypes share their frames, which have buffers for the largest sizes. Plans with the same constants share
    /// their packed forms.
    fn compile(
        &self,
        graph: &Graph,
        siblings: &[Arc<dyn Program>],
    ) -> Result<Arc<dyn Program>, String> {
        let mut plan = Plan::new(graph);
        for other in siblings.iter().filter_map(|sibling| sibling.as_plan()) {
            plan.share_packed(other);
        }
        let mut others = siblings.iter().filter_map(|sibling| sibling.as_plan());
        if let Some(other) = others.find(|other| other.slots == plan.slots) {
            plan.scratch = other.scratch.clone();
        }
        Ok(Arc::new(plan))
    }
}

impl Program for Plan {
    fn run_into(
        &self,
        inputs: &[&Storage],
        host: &mut dyn Host,
        outputs: &mut Outputs,
    ) -> Result<(), Error> {
        check(self, inputs, host)?;
        if !are_here(inputs) {
            let inputs = fetched(inputs)?;
            return self.run_into(&inputs.iter().collect::<Vec<_>>(), host, outputs);
        }
        match self.only_words() {
            Some(words) => scalars::run(self, words, inputs, outputs),
            None => walk(self, inputs, host, &mut (), outputs),
        }
    }

    fn clear(&self) {
        self.scratch.clear();
    }
}

impl Plan {
    /// Runs like [`Program::run`] and counts the executed instructions, those of word programs included. Unlike the time of a
    /// run, the count is exact.
    ///
    /// # Errors
    /// As [`Program::run`].
    pub fn run_counting(
        &self,
        inputs: &[&Storage],
        host: &mut dyn Host,
    ) -> Result<(Outputs, u64), Error> {
        let mut counter = Counter::default();
        let outputs = self.run_watched(inputs, host, &mut counter)?;
        Ok((outputs, counter.0))
    }

    /// Runs like [`Program::run`], observed by a watcher.
    ///
    /// # Errors
    /// As [`Program::run`], and the errors of the watcher.
    pub fn run_watched(
        &self,
        inputs: &[&Storage],
        host: &mut dyn Host,
        watch: &mut impl Watch,
    ) -> Result<Outputs, Error> {
        check(self, inputs, host)?;
        if !are_here(inputs) {
            return self.run_watched(&fetched(inputs)?.iter().collect::<Vec<_>>(), host, watch);
        }
        let mut outputs = Outputs::new();
        walk(self, inputs, host, watch, &mut outputs)?;
        Ok(outputs)
    }
}

/// Whether all inputs are on the host.
fn are_here(inputs: &[&Storage]) -> bool {
    Device::only_cpu() || inputs.iter().all(|input| input.as_host().is_some())
}

/// The inputs as values on the host.
#[cold]
fn fetched(inputs: &[&Storage]) -> Result<Vec<Storage>, Error> {
    let inputs = inputs.iter().map(|input| input.to_host());
    inputs.map(|array| array.map(Storage::Host)).collect()
}

/// Executes the instructions of a plan.
fn walk(
    plan: &Plan,
    inputs: &[&Storage],
    host: &mut dyn Host,
    watch: &mut impl Watch,
    outputs: &mut Outputs,
) -> Result<(), Error> {
    let mut frame: Box<Frame> = plan.scratch.take().unwrap_or_default();
    frame.cells.resize_with(plan.slots.len(), Cell::default);
    frame.cells.iter_mut().for_each(Cell::take_back);
    frame.iterations.resize_with(plan.iterations, || None);
    frame.turns.clear();
    frame.turns.resize(plan.loops, 0);
    let result = Run::new(plan, inputs, &mut frame, host, watch).run(outputs);
    // The frame keeps its own buffers and handles of its outputs, but no arrays that belong to others.
    frame.iterations.clear();
    frame.cells.iter_mut().for_each(|cell| cell.shared = None);
    plan.scratch.give(frame);
    result
}

/// Checks that the arguments and the host's variables are of the types that the plan expects. A device does this before it runs a plan.
///
/// # Errors
/// The first argument or variable of another type.
pub fn check(plan: &Plan, inputs: &[&Storage], host: &dyn Host) -> Result<(), Error> {
    check_inputs(plan, inputs)?;
    check_variables(plan, host)
}

fn check_inputs(plan: &Plan, inputs: &[&Storage]) -> Result<(), Error> {
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
        .position(|(ty, input)| !ty.accepts_sizes(input.dtype(), input.shape()))
    {
        Some(i) => {
            let actual = inputs[i].ty();
            fail(format!(
                "input {i} is a {actual} where a {} belongs",
                plan.inputs[i]
            ))
        }
        None => Ok(()),
    }
}

/// Checks that the host has every variable of the plan, with exactly the declared type.
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
