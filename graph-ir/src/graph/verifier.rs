//! The verifier checks the invariants of graphs after tracing, after parsing and after each pass.
//! Passes and the plan rely on them and don't check them again.
//!
//! For each graph (each subgraph and called graph is checked separately, because they are closed):
//!
//! 1. Every [`ValueId`](crate::graph::ValueId) in inputs, nodes and outputs is an index of [`Graph::values`].
//! 2. Every value is defined exactly once: as an input or as an output of one node.
//! 3. A node reads only inputs and outputs of earlier nodes; outputs are defined values.
//! 4. A constant has no operands and one output of exactly the array's type.
//! 5. A primitive has the attributes of its [`OpDef`](crate::ops::OpDef), in its order, and one output whose
//!    recorded type covers what the type rule infers from the operands.
//! 6. A print and an assertion have no outputs; an assertion has a boolean scalar operand before those of its message. A
//!    message has one text more than operands. ("Scalar" here and below: of rank 0, or of unknown rank, which the run then checks.)
//! 7. `cond`: a boolean scalar, then the operands; `switch_case`: an `int32` scalar, then the operands, and at
//!    least one branch. Every branch takes the operands and gives the node's outputs.
//! 8. `while_loop`: at least as many operands as outputs; `cond` and `body` take all operands; `cond` gives one
//!    boolean scalar; `body` gives the next state, which both accept again; the outputs cover the first and the
//!    next state.
//! 9. `fusion`: the body takes the operands and gives the one output, and holds only what
//! 10. `call`: the called graph takes the operands and gives the outputs. Each of its variables refers to a variable of the calling graph
//!     of the same type; no two refer to the same one. The gradient of a called graph takes the outputs after the results, then the
//!     gradients, whose types cover those of the results. It has no variables, and its outputs may be of the types of the graph's
//!     first inputs.
//! 11. A variable is an index of the graph's table; subgraphs have no table of their own. The type that `read_variable` gives
//!     covers the variable's type; `assign_variable` takes one value, which may be of that type; the body of `update_variable`
//!     takes a value of that type and the operands, and gives one value that may be of it; it is one primitive of its first input,
//!     or elementwise like the body of a fusion.
//! 12. `begin_iteration` takes the operands of its recipe, whose types must fit, and gives an `int64` scalar; `has_element` takes such a
//!     scalar and gives a boolean scalar; `take_element` takes such a scalar.
//!
//! "Takes" and "gives" mean: the number is the same, and each type of the receiver covers ([`TensorType::covers`]) the giver's.

mod checks;
mod fault;

use std::fmt;

use graph_kernels::DType;
use rustc_hash::FxHashSet;

use self::checks::{
    check_gradient, counts, cover_all, covers, define, fits, may_hold, read, scalar, selector,
    takes_and_gives,
};
use self::fault::{Check, Fault, mismatch, structure};
pub use self::fault::{VerifyError, Violation};
use crate::error::Location;
use crate::graph::{
    Derivation, Graph, IterationStep, Node, Op, Shape, SharedGraph, TensorType, Value, VariableId,
    fusion, steps,
};
use crate::nesting::with_stack_for;

/// Checks a graph and everything inside it.
///
/// # Errors
/// The first violated invariant of the module's list, in program order.
pub fn verify(graph: &Graph) -> Result<(), VerifyError> {
    with_stack_for(graph.depth(), || {
        let mut verifier = Verifier::default();
        verifier.root(graph).map_err(|fault| VerifyError {
            violation: fault.violation,
            message: fault.message,
            location: verifier.location.unwrap_or_else(Location::unknown),
        })
    })
}

/// Whether the types of these nodes fit; all other nodes of the graph were verified before. A subgraph of theirs that is known to fit isn't
/// checked again. If the graph is itself a subgraph, the table of its variables is elsewhere, and their types aren't checked.
pub(crate) fn verify_nodes(graph: &Graph, nodes: &[usize]) -> bool {
    steps::count(nodes.len());
    let mut verifier = Verifier {
        variables: &graph.variables,
        only_changes: true,
        ..Verifier::default()
    };
    nodes.iter().all(|i| {
        let node = &graph.nodes[*i];
        let (inputs, outputs) = (graph.types(&node.inputs), graph.types(&node.outputs));
        let checked = verifier.signature(node, &inputs, &outputs);
        if let Err(fault) = &checked {
            debug_assert_eq!(fault.violation, Violation::Type, "{}", fault.message);
        }
        checked.is_ok()
    })
}

#[derive(Default)]
struct Verifier<'a> {
    /// The table of variables of the graph being checked.
    variables: &'a [Value],
    /// Whether only changed nodes are checked. Then subgraphs that are known to fit are skipped, and an empty table of variables means
    /// that the table is unknown.
    only_changes: bool,
    /// Called graphs that have been checked already: many calls may share one.
    called: FxHashSet<*const Graph>,
    /// The location of the faulty node.
    location: Option<Location>,
}

impl<'a> Verifier<'a> {
    /// Checks a graph that has its own table of variables.
    fn root(&mut self, graph: &'a Graph) -> Check {
        let around = std::mem::replace(&mut self.variables, &graph.variables);
        let result = self.graph(graph);
        self.variables = around;
        result
    }

    fn graph(&mut self, graph: &'a Graph) -> Check {
        let mut defined = vec![false; graph.values.len()];
        for (i, input) in graph.inputs.iter().enumerate() {
            define(&mut defined, *input).map_err(|f| f.inside(format_args!("input {i}")))?;
        }
        steps::count(graph.nodes.len());
        for (i, node) in graph.nodes.iter().enumerate() {
            if let Err(fault) = self.node(graph, node, &mut defined) {
                self.location.get_or_insert_with(|| node.location.clone());
                return Err(fault.inside(format_args!("node {i} ({})", node.op.name())));
            }
        }
        for (i, output) in graph.outputs.iter().enumerate() {
            read(&defined, *output).map_err(|f| f.inside(format_args!("output {i}")))?;
        }
        match defined.iter().position(|d| !d) {
            Some(v) => Err(structure(format!("value %{v} is never defined"))),
            None => Ok(()),
        }
    }

    fn subgraph(&mut self, graph: &'a SharedGraph) -> Check {
        if self.only_changes && graph.fits() {
            return Ok(());
        }
        self.graph(graph)?;
        graph.note_fits();
        Ok(())
    }

    fn node(&mut self, graph: &'a Graph, node: &'a Node, defined: &mut [bool]) -> Check {
        for input in &node.inputs {
            read(defined, *input)?;
        }
        for output in &node.outputs {
            define(defined, *output)?;
        }
        let inputs = graph.types(&node.inputs);
        let outputs = graph.types(&node.outputs);
        self.signature(node, &inputs, &outputs)
    }

    fn signature(
        &mut self,
        node: &'a Node,
        inputs: &[TensorType],
        outputs: &[TensorType],
    ) -> Check {
        match &node.op {
            Op::Constant(array) => {
                counts(inputs, 0, outputs, 1)?;
                let actual = TensorType::of_array(array);
                if outputs[0] != actual {
                    return Err(mismatch(format!(
                        "a {actual} is recorded as {}",
                        outputs[0]
                    )));
                }
                Ok(())
            }
            Op::Primitive(op, attrs) => {
                counts(inputs, inputs.len(), outputs, 1)?;
                if !attrs
                    .iter()
                    .map(|(name, _)| *name)
                    .eq(op.attrs.iter().copied())
                {
                    return Err(structure(format!("the attributes are not {:?}", op.attrs)));
                }
                let inferred = (op.infer)(inputs, attrs).map_err(mismatch)?;
                covers(&outputs[0], &inferred).map_err(|f| f.inside("output"))
            }
            Op::Print(print) => {
                counts(inputs, inputs.len(), outputs, 0)?;
                fits(&print.message, inputs)
            }
            Op::Summary(summary) => {
                counts(inputs, 2, outputs, 0)?;
                summary.kind.check(&inputs[0]).map_err(mismatch)?;
                scalar(&inputs[1], DType::I64).map_err(|f| f.inside("step"))
            }
            Op::NextSeed(_) => {
                counts(inputs, 0, outputs, 1)?;
                let seed = TensorType::new(DType::I64, Shape::known(&[2]));
                covers(&outputs[0], &seed).map_err(|f| f.inside("output"))
            }
            Op::Iteration(step) => iteration(step, inputs, outputs),
            Op::Assert(message) => {
                counts(inputs, inputs.len().max(1), outputs, 0)?;
                scalar(&inputs[0], DType::Bool).map_err(|f| f.inside("condition"))?;
                fits(message, &inputs[1..])
            }
            Op::ReadVariable(id) => {
                counts(inputs, 0, outputs, 1)?;
                let held = self.variable(*id)?;
                held.map_or(Ok(()), |held| covers(&outputs[0], held))
                    .map_err(|f| f.inside("output"))
            }
            Op::AssignVariable(id) => {
                counts(inputs, 1, outputs, 0)?;
                let held = self.variable(*id)?;
                held.map_or(Ok(()), |held| may_hold(held, &inputs[0]))
            }
            Op::UpdateVariable { variable, body } => {
                counts(inputs, inputs.len(), outputs, 0)?;
                self.update(*variable, body, inputs)
                    .map_err(|f| f.inside("body"))
            }
            Op::Cond {
                then_branch,
                else_branch,
            } => {
                let (condition, operands) = selector(inputs)?;
                scalar(condition, DType::Bool).map_err(|f| f.inside("condition"))?;
                self.closed("then", then_branch, operands, outputs)?;
                self.closed("else", else_branch, operands, outputs)
            }
            Op::SwitchCase { branches } => {
                let (index, operands) = selector(inputs)?;
                scalar(index, DType::I32).map_err(|f| f.inside("index"))?;
                if branches.is_empty() {
                    return Err(structure("no branches"));
                }
                branches.iter().enumerate().try_for_each(|(i, branch)| {
                    self.closed(format_args!("branch {i}"), branch, operands, outputs)
                })
            }
            Op::WhileLoop { cond, body } => self.while_loop(cond, body, inputs, outputs),
            Op::Fusion { body } => {
                counts(inputs, inputs.len(), outputs, 1)?;
                self.closed("body", body, inputs, outputs)?;
                fusion::check(body).map_err(|message| structure(message).inside("body"))
            }
            Op::Call {
                name,
                graph,
                variables,
            } => {
                self.called(graph).map_err(|f| f.inside(name))?;
                self.places(graph, variables).map_err(|f| f.inside(name))?;
                takes_and_gives(graph, inputs, outputs).map_err(|f| f.inside(name))
            }
        }
    }

    /// Checks a called graph, once, and its gradient.
    fn called(&mut self, graph: &'a SharedGraph) -> Check {
        // A called graph isn't checked again after each pass on its callers.
        if graph.is_valid() || !self.called.insert(graph.as_ptr()) {
            return Ok(());
        }
        self.root(graph)?;
        if let Some(Derivation::Custom { gradient, results }) = &graph.derivation {
            self.called(gradient).map_err(|f| f.inside("gradient"))?;
            check_gradient(graph, gradient, *results).map_err(|f| f.inside("gradient"))?;
        }
        graph.note_valid();
        Ok(())
    }

    /// The type of a variable; `None` if the table is elsewhere.
    fn variable(&self, id: VariableId) -> Result<Option<&'a TensorType>, Fault> {
        match self.variables.get(id.index()) {
            Some(variable) => Ok(Some(&variable.ty)),
            None if self.only_changes && self.variables.is_empty() => Ok(None),
            None => Err(structure(format!("variable {} doesn't exist", id.0))),
        }
    }

    fn update(
        &mut self,
        variable: VariableId,
        body: &'a SharedGraph,
        inputs: &[TensorType],
    ) -> Check {
        let own = body.inputs.first().map(|own| body.ty(*own));
        let Some(ty) = self.variable(variable)?.or(own) else {
            return Err(structure("no input for the variable's value"));
        };
        self.subgraph(body)?;
        let operands: Vec<TensorType> = [ty].into_iter().chain(inputs).cloned().collect();
        cover_all("input", &body.types(&body.inputs), &operands)?;
        match &body.outputs[..] {
            [output] => may_hold(ty, body.ty(*output))?,
            other => return Err(structure(format!("{} values, not 1", other.len()))),
        }
        fusion::check_update(body).map_err(structure)
    }

    /// Checks that the variables of a called graph refer to different variables of this graph of the same types.
    fn places(&self, called: &Graph, variables: &[VariableId]) -> Check {
        if called.variables.len() != variables.len() {
            let (given, needed) = (variables.len(), called.variables.len());
            return Err(structure(format!("{given} variables for {needed}")));
        }
        for (i, (inner, outer)) in called.variables.iter().zip(variables).enumerate() {
            if let Some(ty) = self.variable(*outer)?
                && inner.ty != *ty
            {
                return Err(mismatch(format!(
                    "variable {i} is a {}, not a {ty}",
                    inner.ty
                )));
            }
            if variables[..i].contains(outer) {
                return Err(structure(format!("variable {} is passed twice", outer.0)));
            }
        }
        Ok(())
    }

    fn while_loop(
        &mut self,
        cond: &'a SharedGraph,
        body: &'a SharedGraph,
        inputs: &[TensorType],
        outputs: &[TensorType],
    ) -> Check {
        let Some(state) = inputs.get(..outputs.len()) else {
            return Err(structure(format!(
                "{} operands can't be a state of {} values",
                inputs.len(),
                outputs.len()
            )));
        };
        cover_all("state", outputs, state)?;
        self.closed("body", body, inputs, outputs)?;
        self.subgraph(cond).map_err(|f| f.inside("cond"))?;
        cover_all("cond: input", &cond.types(&cond.inputs), inputs)?;
        let next = body.types(&body.outputs);
        for (name, graph) in [("cond", cond), ("body", body)] {
            let accepted = graph.types(&graph.inputs[..next.len()]);
            cover_all(
                format_args!("{name}: input of the next iteration"),
                &accepted,
                &next,
            )?;
        }
        match &cond.types(&cond.outputs)[..] {
            [condition] => scalar(condition, DType::Bool).map_err(|f| f.inside("cond: output 0")),
            other => Err(structure(format!(
                "cond gives {} values, not 1",
                other.len()
            ))),
        }
    }

    /// Checks a subgraph that must take `inputs` and give `outputs`.
    fn closed(
        &mut self,
        name: impl fmt::Display,
        graph: &'a SharedGraph,
        inputs: &[TensorType],
        outputs: &[TensorType],
    ) -> Check {
        if !graph.variables.is_empty() {
            return Err(structure("a subgraph has no variables of its own").inside(name));
        }
        self.subgraph(graph)
            .and_then(|()| takes_and_gives(graph, inputs, outputs))
            .map_err(|f| f.inside(name))
    }
}

fn iteration(step: &IterationStep, inputs: &[TensorType], outputs: &[TensorType]) -> Check {
    if let IterationStep::Begin(recipe) = step {
        counts(inputs, recipe.operands(), outputs, 1)?;
        recipe.types(inputs).map_err(mismatch)?;
        return scalar(&outputs[0], DType::I64).map_err(|f| f.inside("output"));
    }
    counts(inputs, 1, outputs, outputs.len())?;
    scalar(&inputs[0], DType::I64).map_err(|f| f.inside("iteration"))?;
    if *step == IterationStep::HasElement {
        counts(inputs, 1, outputs, 1)?;
        scalar(&outputs[0], DType::Bool).map_err(|f| f.inside("output"))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests;
