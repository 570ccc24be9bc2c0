//! A Rust function over elements, traced once: `map` and `filter` run its plan for each element.

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
use crate::device::{Device, Host, Storage};
use crate::error::{Error, Location, Result};
use crate::executable::Executable;
use crate::function::Placeholder;
use crate::graph::{Graph, Op, PrintTo, TensorType, ValueId};
use crate::host::Caller;
use crate::passes;
use crate::state::Nest;
use crate::tensor::{AnyTensor, Repr};
use crate::trace::{self, Beginning, Code, Group, Outcome};
use crate::variable::Place;

/// A traced function.
pub(crate) struct Function {
    /// What the debug switches call it.
    name: String,
    executable: Executable,
    pub outputs: Vec<TensorType>,
    /// How many tensors it takes from outside: operands of the iteration.
    pub captures: usize,
    /// True if it draws random numbers: then a seed is the last operand.
    pub draws: bool,
    places: Vec<Arc<Place>>,
    /// Where it was given.
    location: Location,
    /// What it is called in the text of a recipe.
    pub number: u64,
}

impl Function {
    /// The function of a graph whose last inputs are captures.
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
        // Datasets are the host's, as their elements are.
        let on = Device::cpu();
        let outputs = debug::run(&self.name, &self.executable, on, &inputs, &mut host)?;
        outputs.iter().map(Storage::to_host).collect()
    }
}

/// Traces a function of elements with leaves of these types. Gives it with the tensors that it takes from outside.
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
        let message = "a function over the elements of a dataset can't assign variables: when it runs is the dataset's business";
        return Err(Error::trace(message, location.clone()));
    }
    let captures = traced.captures.len();
    let function = Function::new(traced.graph, captures, traced.variables, location);
    Ok((function, traced.captures))
}

/// The graph with an axis more in front of everything that comes from its first inputs, which get these types; `None` unless it
/// goes value by value, with operands of as many axes as the results.
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

/// A number for a function of no variables: the same for datasets that one line makes again and again, so that they share traces.
fn number(graph: &Graph, location: &Location) -> u64 {
    let mut hasher = DefaultHasher::new();
    (location, graph.to_string()).hash(&mut hasher);
    hasher.finish()
}

/// A tensor of a type and without a value.
fn placeholder(ty: &TensorType) -> AnyTensor {
    let placeholder = Placeholder {
        ty: ty.clone(),
        name: None,
    };
    AnyTensor::new(Repr::Placeholder(Arc::new(placeholder)))
}

/// What is around a function over elements: it draws from a stream of its own, so that its numbers don't depend on what other
/// threads draw meanwhile.
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
