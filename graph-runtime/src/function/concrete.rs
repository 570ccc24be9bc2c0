//! A `ConcreteFunction`: one trace of a graph function, optimized and planned, ready to run.

use std::any::TypeId;
use std::fmt;
use std::sync::{Arc, OnceLock};

use smallvec::SmallVec;

use super::describe::spec;
use super::taken::Taken;
use crate::autodiff::{self, Flat};
use crate::debug;
use crate::device::{self, Storage};
use crate::error::{Location, Result};
use crate::executable::Executable;
use crate::graph::{Graph, SharedGraph, Value, ValueId};
use crate::host::Caller;
#[cfg(feature = "unstable")]
use crate::plan::Plan;
use crate::signature::Key;
use crate::state::Nest;
use crate::trace::{self, AnyTensor, Structure, Traced, Vars, rebuild};
use crate::variable::{Place, tuple};

/// One trace of a graph function: its graph, its plan, and the structure of its results.
pub struct ConcreteFunction {
    name: Arc<str>,
    parameters: Vec<(&'static str, String)>,
    /// The signature of the parameters.
    key: Key,
    takes_variables: bool,
    /// Whether only the traced graph, not the optimized one, has everything that gradients need.
    directs_gradients: bool,
    executable: Arc<Executable>,
    /// The graph that gradient tapes of eager code differentiate.
    flat: OnceLock<Arc<Flat>>,
    captures: Vec<AnyTensor>,
    /// The captured variables; they follow the arguments in the graph's table.
    variables: Vec<Arc<Place>>,
    /// The structure of the function's result. That of the `&mut` parameters is in `written`.
    result: Box<dyn Structure>,
    result_type: TypeId,
    results: usize,
    written: Vec<(Box<dyn Structure>, usize)>,
}

/// What a trace yields besides its graph.
pub(crate) struct Outputs {
    pub result: Box<dyn Structure>,
    /// The function's return type.
    pub result_type: TypeId,
    /// How many of the graph's outputs belong to the result.
    pub results: usize,
    /// The structure and number of leaves of each `&mut` parameter.
    pub written: Vec<(Box<dyn Structure>, usize)>,
}

impl ConcreteFunction {
    pub(super) fn new(name: Arc<str>, taken: Taken, traced: Traced, outputs: Outputs) -> Self {
        debug_assert_eq!(
            crate::graph::verify(&traced.graph),
            Ok(()),
            "tracing builds valid graphs"
        );
        let directs_gradients = traced.graph.directs_gradients();
        let executable = Executable::new(traced.graph);
        // A function traced for the trace of another function is rarely run by itself.
        if !trace::active() {
            executable.plan();
        }
        ConcreteFunction {
            name,
            parameters: taken.parameters,
            key: taken.key,
            takes_variables: taken.variables,
            flat: OnceLock::new(),
            directs_gradients,
            executable: Arc::new(executable),
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
        &self.name
    }

    /// The parameters' names and trace types.
    pub(super) fn parameters(&self) -> &[(&'static str, String)] {
        &self.parameters
    }

    /// The signature of the parameters.
    pub(super) fn key(&self) -> &[u64] {
        &self.key
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
    pub fn graph(&self) -> &Graph {
        self.executable.traced()
    }

    /// The optimized graph, which runs.
    pub fn optimized_graph(&self) -> &Graph {
        self.executable.optimized()
    }

    /// The plan of the optimized graph. If the graph leaves sizes of its inputs open, this plan works for all sizes, and there may
    /// be [plans for particular sizes](Self::sized_plans) besides.
    #[cfg(feature = "unstable")]
    pub fn plan(&self) -> &Plan {
        self.executable.plan()
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
        self.executable.sized_plans()
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

    fn output_type(&self) -> String {
        let graph = self.graph();
        let types: Vec<String> = graph.outputs[..self.results]
            .iter()
            .map(|v| spec(graph.ty(*v)))
            .collect();
        match types.as_slice() {
            [] => "None".to_owned(),
            [one] => one.clone(),
            many => format!("Tuple[{}]", many.join(", ")),
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
        if trace::is_tracing() {
            let operands: Vec<AnyTensor> = operands.cloned().collect();
            return trace::call(
                self.name.clone(),
                self.called().clone(),
                &operands,
                variables.iter().chain(&self.variables),
                location.clone(),
            )
            .map(|outputs| self.give(outputs.into_iter(), vars));
        }
        if trace::is_recording() {
            let operands: Vec<AnyTensor> = operands.cloned().collect();
            let places: Vec<Arc<Place>> =
                variables.iter().chain(&self.variables).cloned().collect();
            let outputs = autodiff::call(self.flat(), &operands, &places, location)?;
            return Ok(self.give(outputs.into_iter(), vars));
        }
        // Filled and cleared in place: moving a list that was just written stalls the CPU.
        let mut inputs: SmallVec<[&Storage; 8]> = SmallVec::new();
        for operand in operands {
            inputs.push(trace::value_or_error(operand, location)?);
        }
        let mut caller = Caller {
            arguments: variables,
            captured: &self.variables,
        };
        let on = caller.device_of(&inputs, location)?;
        let mut outputs = device::Outputs::new();
        let (name, executable) = (&self.name, &self.executable);
        debug::run_into(name, executable, on, &inputs, &mut caller, &mut outputs)?;
        Ok(self.give(outputs.drain(..).map(AnyTensor::concrete), vars))
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
        write!(f, "ConcreteFunction {}{}", self.name, self.signature())
    }
}
