//! Calls of graph functions that a tape of eager code sees: the graph is differentiated as a whole. Its forward part, which also
//! outputs the values that the gradient needs, runs instead of it. Its backward part runs when the gradient is requested. Each part
//! is optimized and planned once. With several tapes, both parts are themselves functions that the outer tapes differentiate.

use std::hash::Hash;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use graph_kernels::{Array, DType, Dims};
use rustc_hash::FxHashMap;

use super::changes::Changes;
use super::forward::with_changes;
use super::record::{Adjoints, Entry, Kind, Recorder};
use super::split::{Residual, Want, Wish, split};
use super::sweep::is_differentiable;
use super::term::Term;
use super::witnesses::{Witness, witnesses};
use crate::debug;
use crate::device::{Outputs, Storage};
use crate::error::{Location, Result};
use crate::executable::Executable;
use crate::graph::{Graph, SharedGraph, TensorType, VariableId};
use crate::host::Caller;
use crate::trace::{self, AnyTensor};
use crate::variable::Place;

/// A graph that is called with tensors, and its derivatives.
pub(crate) struct Flat {
    /// The name of the function.
    name: Arc<str>,
    graph: SharedGraph,
    executable: Arc<Executable>,
    /// The variables that can have a gradient.
    variables: OnceLock<Vec<(VariableId, TensorType)>>,
    /// The derivatives, by which inputs need a gradient.
    derivatives: Mutex<FxHashMap<Vec<bool>, Arc<Derivative>>>,
    forwards: Mutex<FxHashMap<Changing, Arc<FlatWithChanges>>>,
}

/// The inputs and variables that have a tangent.
type Changing = (Vec<bool>, Vec<VariableId>);

/// A graph that also computes the tangents of some of its outputs.
struct FlatWithChanges {
    flat: Arc<Flat>,
    /// The outputs with a tangent.
    outputs: Vec<usize>,
}

/// A graph, split for its gradient.
pub(super) struct Derivative {
    forward: Arc<Flat>,
    backward: Arc<Flat>,
    residuals: Vec<Residual>,
    /// For each output: whether an upstream gradient flows in from it.
    outputs: Vec<bool>,
    /// The inputs that get a gradient, in order.
    inputs: Vec<usize>,
    /// The variables that get a gradient.
    variables: Vec<VariableId>,
}

/// A call that a tape recorded.
pub(super) struct Call {
    derivative: Arc<Derivative>,
    saved: Vec<AnyTensor>,
    places: Vec<Arc<Place>>,
    /// For each variable that can have a gradient: zeros of the shape that the call read.
    zeros: Vec<Zeros>,
}

/// Zeros of a dtype and shape.
struct Zeros(DType, Dims);

impl Zeros {
    /// Zeros like the current value of a variable.
    fn of(place: &Place) -> Zeros {
        Zeros(place.ty().dtype, place.read().shape().into())
    }

    fn tensor(&self) -> AnyTensor {
        AnyTensor::on_current_device(Array::zeros(self.0, &self.1))
    }
}

/// Calls a graph; the tapes and accumulators of this thread see the call.
pub(crate) fn call(
    flat: &Arc<Flat>,
    inputs: &[AnyTensor],
    places: &[Arc<Place>],
    location: &Location,
) -> Result<Vec<AnyTensor>> {
    call_on(&witnesses(), flat, inputs, places, location)
}

/// The same, for the given tapes and accumulators.
fn call_on(
    witnesses: &[Witness],
    flat: &Arc<Flat>,
    inputs: &[AnyTensor],
    places: &[Arc<Place>],
    location: &Location,
) -> Result<Vec<AnyTensor>> {
    let Some((inner, outer)) = witnesses.split_last() else {
        return flat.run(inputs, places, location);
    };
    match inner {
        Witness::Tape(tape) => recorded(tape, outer, flat, inputs, places, location),
        Witness::Accumulator(own) => followed(own, outer, flat, inputs, places, location),
    }
}

/// A call that a tape records, within outer tapes and accumulators.
fn recorded(
    tape: &Recorder,
    outer: &[Witness],
    flat: &Arc<Flat>,
    inputs: &[AnyTensor],
    places: &[Arc<Place>],
    location: &Location,
) -> Result<Vec<AnyTensor>> {
    let wanted: Vec<bool> = inputs.iter().map(|t| tape.watches(t)).collect();
    if !wanted.contains(&true) && flat.variables().is_empty() {
        return call_on(outer, flat, inputs, places, location);
    }
    let derivative = flat.derivative(&wanted, location)?;
    let read = derivative.variables.iter();
    let zeros = read.map(|id| Zeros::of(&places[id.index()])).collect();
    let mut outputs = call_on(outer, &derivative.forward, inputs, places, location)?;
    let saved = outputs.split_off(flat.graph.outputs.len());
    tape.push(Entry {
        kind: Kind::Call(Call {
            derivative,
            saved,
            places: places.to_vec(),
            zeros,
        }),
        inputs: inputs.to_vec(),
        wanted,
        outputs: outputs.clone(),
        location: location.clone(),
    });
    Ok(outputs)
}

/// A call that an accumulator follows, within outer tapes and accumulators: it calls the graph that also computes tangents.
fn followed(
    own: &Changes,
    outer: &[Witness],
    flat: &Arc<Flat>,
    inputs: &[AnyTensor],
    places: &[Arc<Place>],
    location: &Location,
) -> Result<Vec<AnyTensor>> {
    let changes: Vec<Option<AnyTensor>> = inputs.iter().map(|t| own.of(t)).collect();
    let read = flat.variables().iter().map(|(id, _)| *id);
    let of_variables = read.filter_map(|id| Some((id, own.of_variable(&places[id.index()])?)));
    let (variables, of_variables): (Vec<VariableId>, Vec<AnyTensor>) = of_variables.unzip();
    let changing: Vec<bool> = changes.iter().map(Option::is_some).collect();
    if !changing.contains(&true) && variables.is_empty() {
        return call_on(outer, flat, inputs, places, location);
    }
    let forward = flat.forward(changing, variables)?;
    let given = changes.into_iter().flatten().chain(of_variables);
    let inputs: Vec<AnyTensor> = inputs.iter().cloned().chain(given).collect();
    let mut outputs = call_on(outer, &forward.flat, &inputs, places, location)?;
    let changes = outputs.split_off(flat.graph.outputs.len());
    for (i, change) in forward.outputs.iter().zip(changes) {
        own.set(&outputs[*i], change);
    }
    Ok(outputs)
}

impl Flat {
    /// A graph to differentiate, and the executable that runs it.
    pub fn new(name: Arc<str>, graph: SharedGraph, executable: Arc<Executable>) -> Flat {
        Flat {
            name,
            graph,
            executable,
            variables: OnceLock::new(),
            derivatives: Mutex::default(),
            forwards: Mutex::default(),
        }
    }

    fn optimized(name: &str, graph: Graph) -> Arc<Flat> {
        let executable = Arc::new(Executable::new(graph));
        let graph = executable.for_callers().clone();
        Arc::new(Flat::new(name.into(), graph, executable))
    }

    fn run(
        &self,
        inputs: &[AnyTensor],
        places: &[Arc<Place>],
        location: &Location,
    ) -> Result<Vec<AnyTensor>> {
        let values = inputs.iter().map(|t| trace::value_or_error(t, location));
        let values: Vec<&Storage> = values.collect::<Result<_>>()?;
        let mut caller = Caller {
            arguments: places,
            captured: &[],
        };
        let on = caller.device_of(&values, location)?;
        let mut outputs = Outputs::new();
        let (name, executable) = (&self.name, &self.executable);
        debug::run_into(name, executable, on, &values, &mut caller, &mut outputs)?;
        let distinct = |value: Storage| {
            let mut output = AnyTensor::concrete(value);
            // An output may be an input too, or another output, which a tape may watch separately.
            output.make_distinct();
            output
        };
        Ok(outputs.into_iter().map(distinct).collect())
    }

    /// The types of the graph's inputs.
    fn inputs(&self) -> impl Iterator<Item = &TensorType> {
        self.graph.inputs.iter().map(|v| self.graph.ty(*v))
    }

    fn variables(&self) -> &[(VariableId, TensorType)] {
        self.variables.get_or_init(|| {
            let nodes = &self.graph.nodes;
            let read = |id: VariableId| nodes.iter().any(|node| node.op.reads(id));
            let variables = (0..).map(VariableId).zip(&self.graph.variables);
            variables
                .filter(|(id, v)| is_differentiable(v.ty.dtype) && read(*id))
                .map(|(id, v)| (id, v.ty.clone()))
                .collect()
        })
    }

    fn derivative(&self, wanted: &[bool], location: &Location) -> Result<Arc<Derivative>> {
        known_or_made(&self.derivatives, wanted.to_vec(), |wanted| {
            self.differentiate(wanted, location)
        })
    }

    fn forward(
        &self,
        changing: Vec<bool>,
        variables: Vec<VariableId>,
    ) -> Result<Arc<FlatWithChanges>> {
        known_or_made(
            &self.forwards,
            (changing, variables),
            |(changing, variables)| {
                let read = self.variables().iter();
                let read = read.filter(|(id, _)| variables.contains(id)).cloned();
                let made = with_changes(&self.graph, changing, &read.collect::<Vec<_>>())?;
                Ok(FlatWithChanges {
                    flat: Flat::optimized(&self.name, made.graph),
                    outputs: made.outputs,
                })
            },
        )
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
            of_loop: false,
        };
        let mut split = split(graph, &wish, location)?;
        split.forward.variables.clone_from(&graph.variables);
        // The recomputed part reads variables again.
        split.backward.variables.clone_from(&graph.variables);
        let inputs = (0..wanted.len()).filter(|i| wanted[*i]);
        let inputs = inputs
            .zip(&split.connected)
            .filter(|(_, connected)| **connected);
        Ok(Derivative {
            inputs: inputs.map(|(i, _)| i).collect(),
            forward: Flat::optimized(&self.name, split.forward),
            backward: Flat::optimized(&format!("gradient of {}", self.name), split.backward),
            residuals: split.residuals,
            outputs,
            variables: variables.iter().map(|(id, _)| *id).collect(),
        })
    }
}

/// A saved value, as an operand of the backward part. If a called function left the value undefined, it becomes zeros, which are never used.
fn of_type(saved: &AnyTensor, ty: &TensorType) -> AnyTensor {
    if ty.covers(&saved.ty()) {
        return saved.clone();
    }
    let sizes = ty.shape.dims().unwrap_or_default().iter();
    let sizes: Dims = sizes.map(|size| size.unwrap_or(0)).collect();
    Zeros(ty.dtype, sizes).tensor()
}

/// The value in a map, which is made and inserted if it is missing. If two threads make it, one of the results is kept.
fn known_or_made<K: Eq + Hash, V>(
    map: &Mutex<FxHashMap<K, Arc<V>>>,
    key: K,
    make: impl FnOnce(&K) -> Result<V>,
) -> Result<Arc<V>> {
    let lock = || map.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = lock().get(&key) {
        return Ok(known.clone());
    }
    let made = Arc::new(make(&key)?);
    Ok(lock().entry(key).or_insert(made).clone())
}

impl Call {
    /// The variables that can have a gradient.
    pub fn variables(&self) -> Vec<Arc<Place>> {
        let ids = self.derivative.variables.iter();
        ids.map(|id| self.places[id.index()].clone()).collect()
    }

    /// Adds the gradients with respect to a call's inputs and variables, computed from those with respect to its outputs.
    pub fn go_back(&self, adjoints: &mut Adjoints, entry: &Entry) -> Result<()> {
        let (derivative, location) = (&self.derivative, &entry.location);
        let zeros = |t: &AnyTensor| Term::new(t.clone(), location).zeros_like().tensor;
        let mut operands: Vec<AnyTensor> = Vec::new();
        let types = derivative.backward.inputs();
        for (residual, ty) in derivative.residuals.iter().zip(types) {
            operands.push(match residual {
                Residual::Input(i) => entry.inputs[*i].clone(),
                Residual::Saved(i) => of_type(&self.saved[*i], ty),
            });
        }
        for (id, zeros) in derivative.variables.iter().zip(&self.zeros) {
            let sum = adjoints.variable(&self.places[id.index()]).cloned();
            operands.push(sum.unwrap_or_else(|| zeros.tensor()));
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
