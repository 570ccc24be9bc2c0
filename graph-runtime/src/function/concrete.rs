//! A `ConcreteFunction`: one trace of a graph function, optimized and planned, ready to run.

use std::any::TypeId;
use std::fmt;
use std::sync::Arc;

use graph_ir::types::{TypeSpec, tuple};

use super::callable::{Callable, Places};
use super::describe::spec;
use super::taken::Taken;
use crate::error::{Location, Result};
use crate::graph::{Graph, Value, ValueId};
#[cfg(feature = "unstable")]
use crate::plan::Plan;
use crate::signature::Key;
use crate::state::Nest;
use crate::trace::{AnyTensor, Structure, Traced, Vars, rebuild};
use crate::variable::Place;

/// One trace of a graph function: its graph, its plan, and the structure of its results.
#[doc(alias("get_concrete_function"))]
pub struct ConcreteFunction {
    callable: Callable,
    parameters: Vec<(&'static str, TypeSpec)>,
    /// The signature of the parameters.
    key: Key,
    takes_variables: bool,
    captures: Vec<AnyTensor>,
    /// The captured variables; they follow the arguments in the graph's table.
    variables: Vec<Arc<Place>>,
    /// The structure of the function's result. That of the `&mut` parameters is in `written`.
    result: Box<dyn Structure>,
    result_type: TypeId,
    /// The type of everything that the graph returns.
    all_results: TypeSpec,
    results: usize,
    written: Vec<(Box<dyn Structure>, usize)>,
}

/// What a trace yields besides its graph.
pub(crate) struct Outputs {
    pub result: Box<dyn Structure>,
    /// The function's return type.
    pub result_type: TypeId,
    /// The type of the result, for callers who don't know the Rust type.
    pub result_spec: TypeSpec,
    /// How many of the graph's outputs belong to the result.
    pub results: usize,
    /// The structure and number of leaves of each `&mut` parameter.
    pub written: Vec<(Box<dyn Structure>, usize)>,
}

impl ConcreteFunction {
    pub(super) fn new(name: Arc<str>, taken: Taken, traced: Traced, outputs: Outputs) -> Self {
        ConcreteFunction {
            all_results: all_results(&traced.graph, &outputs),
            callable: Callable::new(name, traced.graph, true),
            parameters: taken.parameters,
            key: taken.key,
            takes_variables: taken.variables,
            captures: traced.captures,
            variables: traced.variables,
            result: outputs.result,
            result_type: outputs.result_type,
            results: outputs.results,
            written: outputs.written,
        }
    }

    /// The name of the function.
    pub fn name(&self) -> &str {
        &self.callable.name
    }

    /// The parameters' names and trace types.
    pub(super) fn parameters(&self) -> &[(&'static str, TypeSpec)] {
        &self.parameters
    }

    /// The signature of the parameters.
    pub(super) fn key(&self) -> &[u64] {
        &self.key
    }

    /// The tensors that the function captured, the last inputs of the graph.
    pub(super) fn captures(&self) -> &[AnyTensor] {
        &self.captures
    }

    /// The variables that the function captured.
    pub(super) fn variables(&self) -> &[Arc<Place>] {
        &self.variables
    }

    /// The type of everything that the graph returns: the result, and the new values of the `&mut` parameters, if there are any.
    pub(super) fn all_results(&self) -> TypeSpec {
        self.all_results.clone()
    }

    /// Whether the function has variables among its arguments.
    pub(super) fn takes_variables(&self) -> bool {
        self.takes_variables
    }

    /// The tensors among the parameters, as inputs of the graph.
    pub(super) fn tensor_inputs(&self) -> Vec<&Value> {
        let inputs = &self.graph().inputs;
        let parameters = &inputs[..inputs.len() - self.captures.len()];
        let value = |id: &ValueId| &self.graph().values[id.index()];
        parameters.iter().map(value).collect()
    }

    /// Whether a call writes a `&mut` parameter.
    pub(super) fn writes(&self) -> bool {
        !self.written.is_empty()
    }

    /// Whether `R` is the function's return type.
    pub(super) fn gives<R>(&self) -> bool {
        typeid::of::<R>() == self.result_type
    }

    /// The graph as traced, before optimization.
    #[doc(alias("make_jaxpr"))]
    pub fn graph(&self) -> &Graph {
        self.callable.executable.traced()
    }

    /// The optimized graph, which runs.
    pub fn optimized_graph(&self) -> &Graph {
        self.callable.executable.optimized()
    }

    /// The plan of the optimized graph. If the graph leaves sizes of its inputs open, this plan works for all sizes, and there may
    /// be [plans for particular sizes](Self::sized_plans) besides.
    #[cfg(feature = "unstable")]
    pub fn plan(&self) -> &Plan {
        self.callable.executable.plan()
    }

    /// The plans for particular input sizes, the oldest first, of a graph that leaves sizes of its inputs open. A plan is made for
    /// sizes that occur repeatedly. Its results are bit for bit the same, and making it needs no new trace. Only a few are kept;
    /// [`Plan::inputs`] says for which sizes a plan is.
    ///
    /// ```
    /// # use graph_runtime::prelude::*;
    /// #[graph_fn]
    /// fn norm(x: Tensor<f32, shape![_]>) -> Tensor<f32, S0> {
    ///     (&x * &x).sum().sqrt()
    /// }
    /// for x in [vec![3.0f32, 4.0], vec![1.0], vec![6.0, 8.0]] {
    ///     norm(tensor(x));
    /// }
    /// let concrete = &norm::function().concrete_functions()[0];
    /// let plans = concrete.sized_plans();
    /// assert_eq!((plans.len(), plans[0].inputs[0].to_string()), (1, "float32[2]".to_owned()));
    /// assert_eq!(norm::function().trace_count(), 1);
    /// ```
    #[cfg(feature = "unstable")]
    pub fn sized_plans(&self) -> Vec<Arc<Plan>> {
        self.callable.executable.sized_plans()
    }

    /// The signature in TensorFlow's notation: `(x: TensorSpec(…)) -> TensorSpec(…)`.
    pub fn signature(&self) -> String {
        let inputs: Vec<String> = self
            .parameters
            .iter()
            .map(|(name, ty)| format!("{name}: {ty}"))
            .collect();
        format!("({}) -> {}", inputs.join(", "), self.output_type())
    }

    /// The text of the result's type.
    fn output_type(&self) -> String {
        let result = match (&self.all_results, self.writes()) {
            (TypeSpec::Tuple(items), true) => &items[0],
            (all, _) => all,
        };
        match result {
            TypeSpec::None => "None".to_owned(),
            spec => spec.to_string(),
        }
    }

    /// A captured variable that is now also an argument; the trace treated the two as different.
    pub(super) fn captured_among(&self, arguments: &[Arc<Place>]) -> Option<&Arc<Place>> {
        let is_argument = |v: &&Arc<Place>| arguments.iter().any(|a| Arc::ptr_eq(a, v));
        self.variables.iter().find(is_argument)
    }

    /// Runs the graph on tensors, or adds a call of it to the trace around it; then returns the result and writes the `&mut` parameters.
    pub(crate) fn run<'a, R: Nest>(
        &'a self,
        arguments: impl Iterator<Item = &'a AnyTensor>,
        variables: &[Arc<Place>],
        vars: &mut Vars<'_>,
        location: &Location,
    ) -> Result<R> {
        let operands = arguments.chain(&self.captures);
        let places = Places {
            arguments: variables,
            held: &self.variables,
        };
        let give = |outputs: &mut dyn Iterator<Item = AnyTensor>| self.give(outputs, vars);
        self.callable.run(operands, places, location, give)
    }

    /// The captured tensors, the inputs of the graph after the parameters, and the captured variables, which come after those among the
    /// arguments.
    #[cfg(feature = "onnx")]
    pub(crate) fn captured(&self) -> (&[AnyTensor], &[Arc<Place>]) {
        (&self.captures, &self.variables)
    }

    /// How many of the graph's outputs are the result; the others are the new values of `&mut` parameters.
    #[cfg(feature = "onnx")]
    pub(crate) fn results(&self) -> usize {
        self.results
    }

    /// Rebuilds the result and writes the `&mut` parameters.
    fn give<R: Nest>(
        &self,
        mut outputs: impl Iterator<Item = AnyTensor>,
        vars: &mut Vars<'_>,
    ) -> R {
        let result = rebuild(&*self.result, outputs.by_ref().take(self.results));
        for ((_, variable), (structure, leaves)) in vars.0.iter_mut().zip(&self.written) {
            variable.write(&**structure, &mut outputs.by_ref().take(*leaves));
        }
        result
    }
}

/// The type of everything that a graph returns: the result, or a tuple of it and the new values of the `&mut` parameters.
fn all_results(graph: &Graph, outputs: &Outputs) -> TypeSpec {
    let mut types = graph.outputs.iter().map(|v| graph.ty(*v).clone());
    let mut result = outputs.result_spec.clone();
    for (own, ty) in result.tensors_mut().into_iter().zip(types.by_ref()) {
        *own = ty;
    }
    if outputs.written.is_empty() {
        return result;
    }
    let written = outputs.written.iter().map(|(_, leaves)| {
        let mut leaves: Vec<_> = types
            .by_ref()
            .take(*leaves)
            .map(TypeSpec::OfTensor)
            .collect();
        match leaves.len() {
            1 => leaves.remove(0),
            _ => TypeSpec::Tuple(leaves),
        }
    });
    TypeSpec::Tuple([result].into_iter().chain(written).collect())
}

impl fmt::Display for ConcreteFunction {
    /// What TensorFlow prints: the signature, the result's types and the captures.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ConcreteFunction ")?;
        self.write_signature(f)
    }
}

impl ConcreteFunction {
    /// TensorFlow's `pretty_printed_concrete_signatures` block.
    pub(super) fn write_signature(&self, f: &mut impl fmt::Write) -> fmt::Result {
        writeln!(f, "Input Parameters:")?;
        if self.parameters.is_empty() {
            writeln!(f, "  None")?;
        }
        for (name, ty) in &self.parameters {
            writeln!(f, "  {name} (POSITIONAL_OR_KEYWORD): {ty}")?;
        }
        writeln!(f, "Output Type:\n  {}", self.output_type())?;
        write!(f, "Captures:")?;
        if self.captures.is_empty() && self.variables.is_empty() {
            return write!(f, "\n  None");
        }
        for (i, tensor) in self.captures.iter().enumerate() {
            write!(f, "\n  {i}: {}", spec(&tensor.ty()))?;
        }
        for variable in &self.variables {
            let ty = variable.ty();
            let (shape, dtype) = (tuple(&ty.shape), ty.dtype);
            let spec = format!("VariableSpec(shape={shape}, dtype=tf.{dtype}, trainable=True)");
            write!(f, "\n  {}: {spec}", variable.name())?;
        }
        Ok(())
    }
}

impl fmt::Debug for ConcreteFunction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ConcreteFunction {}{}", self.name(), self.signature())
    }
}
