//! A Rust function over the elements of a dataset. `map` and `filter` trace it once and run its plan for each element.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;

use graph_kernels::{Array, Draws};
use smallvec::SmallVec;

use graph_ir::recipes::{ElementFunction, Operands, next_number};

use super::Record;
use super::record::record;
use crate::debug;
use crate::device::{Device, Host, Outputs, Storage};
use crate::error::{Error, Location, Result};
use crate::executable::Executable;
use crate::graph::{Graph, Op, PrintTo, TensorType, ValueId};
use crate::host::Caller;
use crate::machine_code;
use crate::passes;
use crate::state::Nest;
use crate::trace::{self, AnyTensor, Beginning, Code, Group, Outcome, Placeholder, Repr};
use crate::variable::Place;

/// A traced function.
pub(crate) struct Function {
    /// The name that debug switches show.
    name: String,
    executable: Executable,
    pub outputs: Vec<TensorType>,
    /// The number of tensors that it captures: they are operands of the iteration.
    pub captures: usize,
    /// Whether it draws random numbers: then the last operand is a seed.
    pub draws: bool,
    places: Vec<Arc<Place>>,
    /// The line of the `map` or `filter`.
    location: Location,
    /// The number that stands for it in the text of a recipe.
    pub number: u64,
}

impl Function {
    /// Makes the function of a graph whose last inputs are captures.
    fn new(
        graph: Graph,
        captures: usize,
        places: Vec<Arc<Place>>,
        location: &Location,
    ) -> Function {
        let number = match places.is_empty() {
            true => number(&graph, location),
            false => next_number(),
        };
        machine_code::register();
        let executable = Executable::new(graph);
        let optimized = executable.optimized();
        let outputs = optimized.outputs.iter();
        Function {
            name: format!("function of elements ({location})"),
            outputs: outputs.map(|v| optimized.ty(*v).clone()).collect(),
            captures,
            draws: optimized.any_op(&|op| matches!(op, Op::NextSeed(_))),
            number,
            places,
            executable,
            location: location.clone(),
        }
    }
}

impl ElementFunction for Function {
    fn outputs(&self) -> &[TensorType] {
        &self.outputs
    }
    fn captures(&self) -> usize {
        self.captures
    }
    fn draws(&self) -> bool {
        self.draws
    }
    fn is_pure(&self) -> bool {
        self.places.is_empty() && !self.executable.traced().has_effect()
    }
    fn number(&self) -> u64 {
        self.number
    }
    fn of_batches(&self, types: &[TensorType]) -> Option<Arc<dyn ElementFunction>> {
        let mut inlined = Graph::clone(self.executable.traced());
        passes::inline(&mut inlined);
        let graph = batched(&inlined, types)?;
        let places = Vec::new();
        Some(Arc::new(Function::new(
            graph,
            self.captures,
            places,
            &self.location,
        )))
    }
    fn run(&self, inputs: &[&Arc<Array>], seeds: &mut Option<Draws>) -> Result<Operands> {
        let mut host = Inside {
            places: &self.places,
            seeds,
        };
        let inputs = inputs.iter().map(|array| Storage::Host(Arc::clone(array)));
        let inputs: SmallVec<[Storage; 4]> = inputs.collect();
        let inputs: SmallVec<[&Storage; 4]> = inputs.iter().collect();
        // Elements of datasets are in host memory, so the function runs on the CPU.
        let on = Device::cpu();
        let mut outputs = Outputs::new();
        let (name, executable) = (&self.name, &self.executable);
        debug::run_into(name, executable, on, &inputs, &mut host, &mut outputs)?;
        outputs.iter().map(Storage::to_host).collect()
    }
}

/// Traces a function of elements with leaves of these types. Returns it with the tensors that it captures.
pub(super) fn trace<T: Record, R: Nest>(
    types: Vec<TensorType>,
    f: impl FnOnce(T) -> R,
    location: &Location,
) -> Result<(Function, Vec<AnyTensor>)> {
    let tensors: Vec<AnyTensor> = types.iter().map(placeholder).collect();
    let parameters = tensors.iter().cloned().zip(types);
    if let Some(message) = trace::too_deep() {
        return Err(Error::trace(message, location.clone()));
    }
    let _open = trace::begin(Beginning {
        parameters: parameters
            .map(|(tensor, ty)| (tensor, ty, Arc::from("element")))
            .collect(),
        variables: Vec::new(),
    });
    let result = match catch_unwind(AssertUnwindSafe(|| f(record(tensors)))) {
        Ok(result) => result,
        Err(panic) => {
            let recorded = trace::end_error();
            return match panic.downcast::<Error>() {
                Ok(error) => Err(recorded.unwrap_or(*error)),
                Err(panic) => resume_unwind(panic),
            };
        }
    };
    let mut leaves = Vec::new();
    result.leaves(&mut |leaf| leaves.push(leaf.clone()));
    let outputs = trace::with_trace(|trace| {
        let values = trace.resolve_leaves(&leaves, location);
        let outcome = trace.close_to(0, Outcome::always(Code::Return, Group::Returned, values));
        outcome.group(Group::Returned).cloned().unwrap_or_default()
    });
    let traced = trace::finish(&outputs)?;
    let assigns = |op: &Op| matches!(op, Op::AssignVariable(_) | Op::UpdateVariable { .. });
    if traced.graph.any_op(&assigns) {
        let message = "a function over the elements of a dataset can't assign variables, because the dataset decides when it runs";
        return Err(Error::trace(message, location.clone()));
    }
    if traced.graph.any_op(&|op| matches!(op, Op::Summary(_))) {
        let message = "a function over the elements of a dataset can't write summaries, because the dataset decides when it runs, and in which \
                       thread. Write them from the element, in the loop";
        return Err(Error::trace(message, location.clone()));
    }
    let captures = traced.captures.len();
    let function = Function::new(traced.graph, captures, traced.variables, location);
    Ok((function, traced.captures))
}

/// The graph for whole batches: its first inputs get these types, and everything computed from them gets a leading batch axis. `None`
/// unless the graph is elementwise and its operands have as many axes as the results.
fn batched(old: &Graph, types: &[TensorType]) -> Option<Graph> {
    let mut graph = old.clone();
    let mut is_batched = vec![false; old.values.len()];
    for (input, ty) in old.inputs.iter().zip(types) {
        graph.values[input.index()].ty = ty.clone();
        is_batched[input.index()] = true;
    }
    let rank = |value: &ValueId| old.ty(*value).shape.rank();
    for node in &old.nodes {
        if !node.inputs.iter().any(|v| is_batched[v.index()]) {
            continue;
        }
        let (Op::Primitive(op, attrs), [output]) = (&node.op, &node.outputs[..]) else {
            return None;
        };
        (op.element)(attrs)?;
        let result = rank(output)?;
        for input in &node.inputs {
            let axes = rank(input)?;
            if axes > result || is_batched[input.index()] && axes < result {
                return None;
            }
        }
        let operands: Vec<TensorType> = node.inputs.iter().map(|v| graph.ty(*v).clone()).collect();
        graph.values[output.index()].ty = (op.infer)(&operands, attrs).ok()?;
        is_batched[output.index()] = true;
    }
    let whole = old.outputs.iter().all(|v| is_batched[v.index()]);
    whole.then_some(graph)
}

/// The number of a function that captures no variables. It is the same each time a line makes the same graph, so that datasets made by one
/// line share traces.
fn number(graph: &Graph, location: &Location) -> u64 {
    let mut hasher = DefaultHasher::new();
    (location, graph.to_string()).hash(&mut hasher);
    hasher.finish()
}

/// A tensor of this type without a value.
fn placeholder(ty: &TensorType) -> AnyTensor {
    let placeholder = Placeholder {
        ty: ty.clone(),
        name: None,
    };
    AnyTensor::new(Repr::Placeholder(Arc::new(placeholder)))
}

/// The host of a running function over elements: it draws seeds from a stream of its own, so that its random numbers don't depend on what
/// other threads draw.
struct Inside<'a> {
    places: &'a [Arc<Place>],
    seeds: &'a mut Option<Draws>,
}

impl Host for Inside<'_> {
    fn print(&mut self, text: &str, to: &PrintTo) -> io::Result<()> {
        Caller::default().print(text, to)
    }

    fn next_seed(&mut self, op_seed: Option<i64>) -> [i64; 2] {
        let mut draw = || match self.seeds {
            Some(seeds) => seeds.below(usize::MAX).cast_signed() as i64,
            None => 0,
        };
        [draw() ^ op_seed.unwrap_or(0), draw()]
    }

    fn variable(&self, position: u32) -> Option<&Place> {
        Some(self.places.get(position as usize)?)
    }
}
