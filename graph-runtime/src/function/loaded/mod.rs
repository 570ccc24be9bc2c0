//! `LoadedFunction`: a graph as a function without its Rust source. It comes from a file, from another library's model, or from a
//! [`ConcreteFunction`](super::ConcreteFunction) whose Rust types are forgotten. It is called like one, in Rust code, in a graph function and
//! under a tape.
//!
//! - `call`: calls with typed values, by position or by name, and with a list of tensors;
//! - `fit`: which arguments fit the parameters;
//! - `of_concrete`: a concrete function as a loaded one.

mod call;
mod fit;
mod of_concrete;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

pub use graph_ir::function::{Function, Parameter};
use graph_ir::types::TypeSpec;
pub use of_concrete::ToLoaded;

use super::callable::Callable;
use crate::error::{Error, Location, Result};
use crate::graph::{Graph, Value};
use crate::signature::{Argument, Sequence, Signature};
use crate::variable::Place;

/// A function without its Rust source: a graph, the types of its parameters and results as data, and the variables that belong to it. A clone is
/// another handle of the same function.
///
/// What reads a model makes one: `graph_runtime::load` for the library's own files. Any graph becomes one, too:
///
/// ```
/// use graph_runtime::function::{Function, LoadedFunction};
/// use graph_runtime::graph::Graph;
/// use graph_runtime::prelude::*;
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let graph: Graph = "graph (x: float32[?], a: float32[]) -> float32[?] {
///     y = mul(x, a) : float32[?]
///     return y
/// }".parse()?;
/// let scale = LoadedFunction::new(Function::of_graph("scale", graph), vec![])?;
///
/// let (x, a) = (tensor([1.0f32, 2.0]), tensor(3.0f32));
/// let y: Tensor<f32> = scale.call((&x, &a))?;
/// assert_eq!(y.to_vec(), [3.0, 6.0]);
/// let y: Tensor<f32> = scale.call_named([("a", (&a).into()), ("x", (&x).into())])?;
/// assert_eq!(y.to_vec(), [3.0, 6.0]);
///
/// // It is an op like any other where a graph is traced, and a gradient goes through it.
/// let slope = grad(|a: &Tensor<f32>| scale.call::<Tensor<f32>>((&x, a)).unwrap().sum())(&a);
/// assert_eq!(slope.item(), 3.0);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct LoadedFunction(Arc<Loaded>);

struct Loaded {
    function: Function,
    callable: Callable,
    /// The variables that belong to the function. They follow those among the arguments in the graph's table.
    variables: Vec<Arc<Place>>,
    /// Tells functions apart in signatures.
    id: u64,
}

/// Graphs of more nodes, with all calls inlined, are planned when they first run: a small file can describe a large one.
const PLANNED_AT_ONCE: usize = 1 << 14;

impl LoadedFunction {
    /// A function with the variables that belong to it: those of its graph that aren't among its parameters, in the order of the graph's table.
    /// The graph is optimized and planned at once, unless it is very large.
    ///
    /// # Errors
    /// If the graph is wrong, or its inputs, outputs or variables aren't those of the signature. The message names the place.
    #[track_caller]
    pub fn new(function: Function, variables: Vec<Arc<Place>>) -> Result<LoadedFunction> {
        let location = Location::caller();
        let checked = function
            .check()
            .and_then(|()| check_variables(&function, &variables));
        checked.map_err(|message| Error::trace(message, location))?;
        Ok(LoadedFunction::of_checked(function, variables))
    }

    fn of_checked(function: Function, variables: Vec<Arc<Place>>) -> LoadedFunction {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        LoadedFunction(Arc::new(Loaded {
            callable: Callable::new(
                function.name.clone(),
                function.graph.clone(),
                function.graph.size() <= PLANNED_AT_ONCE,
            ),
            function,
            variables,
            id: NEXT.fetch_add(1, Ordering::Relaxed),
        }))
    }

    /// The name of the function.
    pub fn name(&self) -> &str {
        &self.0.function.name
    }

    /// The function as data, as exporters take it.
    pub fn function(&self) -> &Function {
        &self.0.function
    }

    /// The parameters: their names and types.
    pub fn parameters(&self) -> &[Parameter] {
        &self.0.function.parameters
    }

    /// The type of the result.
    pub fn results(&self) -> &TypeSpec {
        &self.0.function.results
    }

    /// The variables that belong to the function, in the order of the graph's table. `function().held_variables()` has their names.
    pub fn variables(&self) -> &[Arc<Place>] {
        &self.0.variables
    }

    /// The graph as it was given, before optimization.
    pub fn graph(&self) -> &Graph {
        &self.0.function.graph
    }

    /// The optimized graph, which runs.
    pub fn optimized_graph(&self) -> &Graph {
        self.0.callable.executable.optimized()
    }

    /// The signature in TensorFlow's notation: `(x: TensorSpec(…)) -> TensorSpec(…)`.
    pub fn signature(&self) -> String {
        let parameters = self.parameters().iter();
        let parameters: Vec<String> = parameters
            .map(|p| format!("{}: {}", p.name, p.spec))
            .collect();
        let results = match self.results() {
            TypeSpec::None => "None".to_owned(),
            spec => spec.to_string(),
        };
        format!("({}) -> {results}", parameters.join(", "))
    }
}

/// Checks that these are the variables of the function, each a different one.
fn check_variables(function: &Function, variables: &[Arc<Place>]) -> Result<(), String> {
    let held: &[Value] = function.held_variables();
    let name = &function.name;
    if held.len() != variables.len() {
        return Err(format!(
            "function `{name}`: {} variables for {} of its own",
            variables.len(),
            held.len()
        ));
    }
    for (i, (value, place)) in held.iter().zip(variables).enumerate() {
        if value.ty != *place.ty() {
            return Err(format!(
                "function `{name}`: its variable {i}, `{}`, is {}, not {}",
                place.name(),
                place.ty(),
                value.ty
            ));
        }
        if variables[..i].iter().any(|other| Arc::ptr_eq(other, place)) {
            return Err(format!(
                "function `{name}`: the variable `{}` is given twice",
                place.name()
            ));
        }
    }
    Ok(())
}

impl fmt::Display for LoadedFunction {
    /// What TensorFlow prints of a concrete function: the signature, the result's types and the captures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LoadedFunction {}\n{}", self.name(), self.function())
    }
}

impl fmt::Debug for LoadedFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LoadedFunction {}{}", self.name(), self.signature())
    }
}

/// As an argument, it is a value with variables: each function has traces of its own, whose graphs take the variables as arguments.
impl Argument for LoadedFunction {
    fn trace_type(&self, signature: &mut Signature) {
        signature.sequence(Sequence::Struct, 3 + self.variables().len());
        signature.text(self.name());
        signature.type_of::<LoadedFunction>();
        self.0.id.trace_type(signature);
        self.variables()
            .iter()
            .for_each(|place| signature.variable(place));
    }
}
