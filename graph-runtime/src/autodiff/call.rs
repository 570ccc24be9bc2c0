//! Calls of graph functions that a tape of eager code sees: the graph is differentiated as a whole. Its forward part, which also
//! gives what the gradient needs, runs in its place, and its backward part when the gradient is asked for; each is
//! optimized and planned once. With several tapes, the forward part is itself a function that the outer tapes differentiate, and so
//! is the backward part.

use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use graph_kernels::Array;
use rustc_hash::FxHashMap;

use super::record::{Adjoints, Entry, Kind, Recorder, recorders};
use super::split::{Residual, Want, Wish, split};
use super::sweep::{is_differentiable, is_read};
use super::term::Term;
use crate::device::{Backend, Cpu};
use crate::error::{Location, Result};
use crate::graph::{Graph, TensorType, VariableId};
use crate::host::Caller;
use crate::passes;
use crate::plan::Plan;
use crate::tensor::AnyTensor;
use crate::trace;
use crate::variable::Place;

/// A graph that is called on tensors, and its derivatives.
pub(crate) struct Flat {
    graph: Arc<Graph>,
    plan: OnceLock<Plan>,
    /// The variables that gradients can be taken with respect to.
    variables: OnceLock<Vec<(VariableId, TensorType)>>,
    /// By which inputs gradients are wanted for.
    derivatives: Mutex<FxHashMap<Vec<bool>, Arc<Derivative>>>,
}

/// A graph taken apart for its gradient.
pub(super) struct Derivative {
    forward: Arc<Flat>,
    backward: Arc<Flat>,
    residuals: Vec<Residual>,
    /// For each output: whether a gradient comes from it.
    outputs: Vec<bool>,
    /// The inputs with a gradient, in order.
    inputs: Vec<usize>,
    /// The variables with one.
    variables: Vec<VariableId>,
}

/// A call that a tape recorded.
pub(super) struct Call {
    derivative: Arc<Derivative>,
    saved: Vec<AnyTensor>,
    places: Vec<Arc<Place>>,
}

/// Calls a graph while tapes record.
pub(crate) fn call(
    flat: &Arc<Flat>,
    inputs: &[AnyTensor],
    places: &[Arc<Place>],
    location: &Location,
) -> Result<Vec<AnyTensor>> {
    call_on(&recorders(), flat, inputs, places, location)
}

/// The same, while the given tapes record.
fn call_on(
    recorders: &[Rc<Recorder>],
    flat: &Arc<Flat>,
    inputs: &[AnyTensor],
    places: &[Arc<Place>],
    location: &Location,
) -> Result<Vec<AnyTensor>> {
    let Some((inner, outer)) = recorders.split_last() else {
        return flat.run(inputs, places, location);
    };
    let wanted: Vec<bool> = inputs.iter().map(|t| inner.watches(t)).collect();
    if !wanted.contains(&true) && flat.variables().is_empty() {
        return call_on(outer, flat, inputs, places, location);
    }
    let derivative = flat.derivative(&wanted, location)?;
    let mut outputs = call_on(outer, &derivative.forward, inputs, places, location)?;
    let saved = outputs.split_off(flat.graph.outputs.len());
    inner.push(Entry {
        kind: Kind::Call(Call {
            derivative,
            saved,
            places: places.to_vec(),
        }),
        inputs: inputs.to_vec(),
        wanted,
        outputs: outputs.clone(),
        location: location.clone(),
    });
    Ok(outputs)
}

impl Flat {
    pub fn new(graph: Arc<Graph>) -> Flat {
        Flat {
            graph,
            plan: OnceLock::new(),
            variables: OnceLock::new(),
            derivatives: Mutex::default(),
        }
    }

    fn optimized(mut graph: Graph) -> Arc<Flat> {
        passes::optimize(&mut graph);
        Arc::new(Flat::new(Arc::new(graph)))
    }

    fn run(
        &self,
        inputs: &[AnyTensor],
        places: &[Arc<Place>],
        location: &Location,
    ) -> Result<Vec<AnyTensor>> {
        let plan = self.plan.get_or_init(|| Plan::new(&self.graph));
        let arrays = inputs.iter().map(|t| trace::value_or_error(t, location));
        let arrays: Vec<&Arc<Array>> = arrays.collect::<Result<_>>()?;
        let mut caller = Caller {
            arguments: places,
            captured: &[],
        };
        let outputs = Cpu.run(plan, &arrays, &mut caller)?;
        let distinct = |array| {
            let mut output = AnyTensor::concrete(array);
            // It may be an input, or another output, which a tape watches for itself.
            output.make_distinct();
            output
        };
        Ok(outputs.into_iter().map(distinct).collect())
    }

    fn variables(&self) -> &[(VariableId, TensorType)] {
        self.variables.get_or_init(|| {
            let nodes = &self.graph.nodes;
            let read = |id: VariableId| nodes.iter().any(|node| is_read(&node.op, id));
            let variables = (0..).map(VariableId).zip(&self.graph.variables);
            variables
                .filter(|(id, v)| is_differentiable(v.ty.dtype) && read(*id))
                .map(|(id, v)| (id, v.ty.clone()))
                .collect()
        })
    }

    fn derivative(&self, wanted: &[bool], location: &Location) -> Result<Arc<Derivative>> {
        let lock = || {
            self.derivatives
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
        };
        if let Some(known) = lock().get(wanted) {
            return Ok(known.clone());
        }
        let derivative = Arc::new(self.differentiate(wanted, location)?);
        Ok(lock().entry(wanted.to_vec()).or_insert(derivative).clone())
    }

    fn differentiate(&self, wanted: &[bool], location: &Location) -> Result<Derivative> {
        let graph = &self.graph;
        let float = |v| is_differentiable(graph.ty(v).dtype);
        let outputs: Vec<bool> = graph.outputs.iter().map(|v| float(*v)).collect();
        let want = |wanted: &bool| match wanted {
            true => Want::Gradient,
            false => Want::Nothing,
        };
        let variables = self.variables();
        let wish = Wish {
            outputs: &outputs,
            inputs: &wanted.iter().map(want).collect::<Vec<_>>(),
            variables,
            at_hand: &vec![true; wanted.len()],
        };
        let mut split = split(graph, &wish, location)?;
        split.forward.variables.clone_from(&graph.variables);
        // What is recomputed reads variables again.
        split.backward.variables.clone_from(&graph.variables);
        let inputs = (0..wanted.len()).filter(|i| wanted[*i]);
        let inputs = inputs
            .zip(&split.connected)
            .filter(|(_, connected)| **connected);
        Ok(Derivative {
            inputs: inputs.map(|(i, _)| i).collect(),
            forward: Flat::optimized(split.forward),
            backward: Flat::optimized(split.backward),
            residuals: split.residuals,
            outputs,
            variables: variables.iter().map(|(id, _)| *id).collect(),
        })
    }
}

impl Call {
    /// Adds the gradients with respect to what a call took, from those with respect to what it gave.
    pub fn go_back(&self, adjoints: &mut Adjoints, entry: &Entry) -> Result<()> {
        let (derivative, location) = (&self.derivative, &entry.location);
        let zeros = |t: &AnyTensor| Term::new(t.clone(), location).zeros_like().tensor;
        let mut operands: Vec<AnyTensor> = Vec::new();
        for residual in &derivative.residuals {
            operands.push(match residual {
                Residual::Input(i) => entry.inputs[*i].clone(),
                Residual::Saved(i) => self.saved[*i].clone(),
            });
        }
        for id in &derivative.variables {
            let place = &self.places[id.index()];
            let sum = adjoints.variable(place).cloned();
            operands.push(sum.unwrap_or_else(|| zeros(&AnyTensor::concrete(place.read()))));
        }
        for (output, comes) in entry.outputs.iter().zip(&derivative.outputs) {
            if *comes {
                let upstream = adjoints.tensor(output).cloned();
                operands.push(upstream.unwrap_or_else(|| zeros(output)));
            }
        }
        let mut results =
            call(&derivative.backward, &operands, &self.places, location)?.into_iter();
        for (id, sum) in derivative.variables.iter().zip(results.by_ref()) {
            adjoints.set_variable(&self.places[id.index()], sum);
        }
        for (i, gradient) in derivative.inputs.iter().zip(results) {
            adjoints.add(&entry.inputs[*i], gradient, location);
        }
        Ok(())
    }
}
