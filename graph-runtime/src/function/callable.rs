//! A graph that can be called: it runs, becomes a node of the trace around it, or is differentiated as a whole under a tape. Concrete functions
//! and loaded functions are callables with a signature.

use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use crate::autodiff::{self, Flat};
use crate::debug;
use crate::device::{self, Storage};
use crate::error::{Location, Result};
use crate::executable::Executable;
use crate::graph::SharedGraph;
use crate::host::Caller;
use crate::machine_code;
use crate::trace::{self, AnyTensor};
use crate::variable::Place;

pub(super) struct Callable {
    pub name: Arc<str>,
    /// Whether only the traced graph, not the optimized one, has everything that gradients need.
    directs_gradients: bool,
    pub executable: Arc<Executable>,
    /// The graph that gradient tapes of eager code differentiate.
    flat: OnceLock<Arc<Flat>>,
}

/// The variables of a call, in the order of the graph's table.
#[derive(Clone, Copy)]
pub(super) struct Places<'a> {
    /// Those among the arguments.
    pub arguments: &'a [Arc<Place>],
    /// Those that the function holds itself.
    pub held: &'a [Arc<Place>],
}

impl Places<'_> {
    fn iter(&self) -> impl Iterator<Item = &Arc<Place>> {
        self.arguments.iter().chain(self.held)
    }
}

impl Callable {
    /// A verified graph as a function of this name. It is planned at once if `is_planned`, else when it first runs.
    pub fn new(name: Arc<str>, graph: impl Into<SharedGraph>, is_planned: bool) -> Callable {
        let graph = graph.into();
        debug_assert_eq!(
            crate::graph::verify(&graph),
            Ok(()),
            "tracing builds valid graphs"
        );
        let directs_gradients = graph.directs_gradients();
        machine_code::register();
        let executable = Executable::new(graph);
        // A function traced for the trace of another function is rarely run by itself.
        if !trace::active() && is_planned {
            executable.for_host(&Caller::default()).plan();
        }
        Callable {
            name,
            directs_gradients,
            executable: Arc::new(executable),
            flat: OnceLock::new(),
        }
    }

    /// Runs the graph on tensors, or adds a call of it to the trace around it. `give` makes the result of the graph's outputs.
    pub fn run<'a, R>(
        &'a self,
        operands: impl Iterator<Item = &'a AnyTensor>,
        places: Places<'_>,
        location: &Location,
        give: impl FnOnce(&mut dyn Iterator<Item = AnyTensor>) -> R,
    ) -> Result<R> {
        if trace::is_tracing() {
            let operands: Vec<AnyTensor> = operands.cloned().collect();
            return trace::call(
                self.name.clone(),
                self.called().clone(),
                &operands,
                places.iter(),
                location.clone(),
            )
            .map(|outputs| give(&mut outputs.into_iter()));
        }
        if trace::is_recording() {
            let operands: Vec<AnyTensor> = operands.cloned().collect();
            let places: Vec<Arc<Place>> = places.iter().cloned().collect();
            let outputs = autodiff::call(self.flat(), &operands, &places, location)?;
            return Ok(give(&mut outputs.into_iter()));
        }
        // Filled and cleared in place: moving a list that was just written stalls the CPU.
        let mut inputs: SmallVec<[&Storage; 8]> = SmallVec::new();
        for operand in operands {
            inputs.push(trace::value_or_error(operand, location)?);
        }
        let mut caller = Caller {
            arguments: places.arguments,
            captured: places.held,
        };
        let on = caller.device_of(&inputs, location)?;
        let mut outputs = device::Outputs::new();
        let (name, executable) = (&self.name, &self.executable);
        debug::run_into(name, executable, on, &inputs, &mut caller, &mut outputs)?;
        Ok(give(&mut outputs.drain(..).map(AnyTensor::concrete)))
    }

    /// The graph that gradient tapes of eager code differentiate.
    fn flat(&self) -> &Arc<Flat> {
        let new = || {
            let (name, graph) = (self.name.clone(), self.called().clone());
            Arc::new(Flat::new(name, graph, self.executable.clone()))
        };
        self.flat.get_or_init(new)
    }

    /// The graph that callers get, who may differentiate it.
    fn called(&self) -> &SharedGraph {
        match self.directs_gradients {
            true => self.executable.traced(),
            false => self.executable.for_callers(),
        }
    }
}
