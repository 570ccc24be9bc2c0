//! Forward mode for one op: the tangent of its result from those of its operands. A linear op is applied to the tangents. For the
//! others the tangent follows from the gradient rule: the rule is a linear function of the upstream gradient, and its transpose
//! maps tangents forward. So the rule is traced with a symbolic upstream gradient, and its results are differentiated with respect
//! to that. The rule's own nodes are then mostly dead code, which is removed at once.

use graph_kernels::Array;

use super::backward::Backward;
use super::sweep::{Span, Sweep, is_differentiable};
use super::term::Term;
use crate::error::{Location, Result};
use crate::graph::{Graph, Op, TensorType, ValueId};
use crate::ops::{Attrs, OpDef};
use crate::passes;
use crate::trace::{self, AnyTensor, Beginning};

/// One use of an op, some of whose operands have a tangent.
pub(super) struct Change<'a> {
    pub op: &'static OpDef,
    pub attrs: &'a Attrs,
    pub operands: &'a [AnyTensor],
    pub output: &'a AnyTensor,
    /// The tangent of each operand; `None` for an operand without one.
    pub changes: &'a [Option<AnyTensor>],
    pub location: &'a Location,
}

impl Change<'_> {
    /// The tangent of the result, with the result's type; `None` if no tangent flows through the op.
    pub fn of_output(&self) -> Result<Option<AnyTensor>> {
        if super::rules::rule(self.op).is_none() || !is_differentiable(self.output.dtype()) {
            return Ok(None);
        }
        let change = match self.op.linear {
            true => Some(self.linear()),
            false => self.transposed()?,
        };
        let ty = self.output.ty();
        Ok(change.map(|change| change.of_type(&ty).tensor))
    }

    fn term(&self, tensor: &AnyTensor) -> Term {
        Term::new(tensor.clone(), self.location)
    }

    /// Applies the op to the tangents.
    fn linear(&self) -> Term {
        let operands = self.operands.iter().zip(self.changes);
        let operands = operands.map(|(operand, change)| match change {
            Some(change) => self.term(change),
            None if is_differentiable(operand.dtype()) => self.term(operand).zeros_like(),
            None => self.term(operand),
        });
        let operands: Vec<Term> = operands.collect();
        let rest: Vec<&Term> = operands[1..].iter().collect();
        operands[0].apply(self.op, self.attrs.clone(), &rest)
    }

    fn transposed(&self) -> Result<Option<Term>> {
        let elementwise = (self.op.element)(self.attrs).is_some();
        // An elementwise function acts on each value alone, so its rule for scalars, which broadcast, serves all shapes.
        let ty = |tensor: &AnyTensor| match elementwise {
            true => TensorType::scalar(tensor.dtype()),
            false => tensor.ty(),
        };
        let rule = transposed(
            (self.op, self.attrs),
            &self.operands.iter().map(ty).collect::<Vec<_>>(),
            &ty(self.output),
            &self.changes.iter().map(Option::is_some).collect::<Vec<_>>(),
            self.location,
        )?;
        let mut inputs = self.operands.to_vec();
        inputs.push(self.output.clone());
        inputs.extend(self.changes.iter().flatten().cloned());
        let change = run(&rule, &inputs, self.location).pop();
        let change = change.map(|change| self.term(&change));
        Ok(
            change.map(|change| match elementwise && !self.has_shape(&rule) {
                true => change.broadcast_as(&self.term(self.output)),
                false => change,
            }),
        )
    }

    /// Whether the results of an elementwise op's rule have the shape of the op's result: this holds if they use the result, or
    /// something of each operand.
    fn has_shape(&self, rule: &Graph) -> bool {
        let reads = |input: ValueId| {
            let mut nodes = rule.nodes.iter();
            rule.outputs.contains(&input) || nodes.any(|node| node.inputs.contains(&input))
        };
        let (operands, rest) = rule.inputs.split_at(self.operands.len());
        let mut changes = rest[1..].iter();
        let covers = |i: usize| {
            let change = self.changes[i].as_ref().and_then(|_| changes.next());
            let is_single = self.operands[i].shape().rank() == Some(0);
            is_single || reads(operands[i]) || change.is_some_and(|change| reads(*change))
        };
        let covered: Vec<bool> = (0..operands.len()).map(covers).collect();
        reads(rest[0]) || !covered.contains(&false)
    }
}

/// The transpose of an op's gradient rule, for given types of operands and result. Inputs: the operands, the result, the tangents
/// of the operands that have one. Output: the result's tangent, if there is one.
fn transposed(
    (op, attrs): (&'static OpDef, &Attrs),
    operands: &[TensorType],
    output: &TensorType,
    changing: &[bool],
    location: &Location,
) -> Result<Graph> {
    let Some(rule) = super::rules::rule(op) else {
        return Ok(Graph::default());
    };
    build(location, || {
        let x: Vec<AnyTensor> = operands.iter().cloned().map(parameter).collect();
        let y = parameter(output.clone());
        let changes = operands.iter().zip(changing);
        let changes = changes.map(|(ty, changes)| changes.then(|| parameter(ty.clone())));
        let changes: Vec<Option<AnyTensor>> = changes.collect();
        let upstream = Term::new(y.clone(), location).zeros_like().tensor;
        let mut backward = Backward {
            op,
            attrs,
            operands: &x,
            output: &y,
            upstream: upstream.clone(),
            wanted: changing,
            gradients: vec![None; x.len()],
            location,
        };
        rule(&mut backward);
        let gradients = std::mem::take(&mut backward.gradients);
        let pairs = gradients.into_iter().zip(changes).filter_map(zipped);
        Ok(transpose(&[upstream], pairs, location)?
            .into_iter()
            .flatten()
            .collect())
    })
}

/// Both values, if both exist.
pub(super) fn zipped<A, B>((a, b): (Option<A>, Option<B>)) -> Option<(A, B)> {
    a.zip(b)
}

/// Transposes values that are linear in some upstream gradients: the gradients of their weighted sum with respect to the upstream gradients.
pub(super) fn transpose(
    upstream: &[AnyTensor],
    values: impl IntoIterator<Item = (AnyTensor, AnyTensor)>,
    location: &Location,
) -> Result<Vec<Option<AnyTensor>>> {
    let place = |tensor: &AnyTensor| trace::with_trace(|trace| trace.place_of(tensor, location));
    let upstream: Vec<(usize, ValueId)> = upstream.iter().map(place).collect::<Result<_>>()?;
    let mut sweep = Sweep::new(&Span::default(), upstream.clone(), Vec::new());
    for (value, weight) in values {
        sweep.add(place(&value)?, weight, location);
    }
    sweep.run();
    let found = upstream.into_iter().map(|at| sweep.adjoint(at).cloned());
    Ok(found.collect())
}

/// A new input of the graph being built.
pub(super) fn parameter(ty: TensorType) -> AnyTensor {
    trace::with_trace(|trace| {
        let value = trace.top().graph.add_input(ty, None);
        trace.symbol(value)
    })
}

/// A closed graph of the computation of a function on [`parameter`]s, without dead code.
pub(super) fn build(
    location: &Location,
    f: impl FnOnce() -> Result<Vec<AnyTensor>>,
) -> Result<Graph> {
    let _open = trace::begin(Beginning {
        parameters: Vec::new(),
        variables: Vec::new(),
    });
    let results = f()?;
    let outputs = trace::with_trace(|trace| trace.resolve_leaves(&results, location));
    let mut graph = trace::finish(&outputs)?.graph;
    passes::drop_dead_code(&mut graph);
    Ok(graph)
}

/// Applies the ops of a closed graph to tensors of any shapes.
fn run(graph: &Graph, inputs: &[AnyTensor], location: &Location) -> Vec<AnyTensor> {
    let mut values: Vec<Option<AnyTensor>> = vec![None; graph.values.len()];
    for (value, input) in graph.inputs.iter().zip(inputs) {
        values[value.index()] = Some(input.clone());
    }
    for node in &graph.nodes {
        let result = match &node.op {
            Op::Constant(array) => trace::constant(Array::clone(array), location.clone()),
            Op::Primitive(op, attrs) => {
                let operands = node
                    .inputs
                    .iter()
                    .filter_map(|v| values[v.index()].as_ref());
                let operands: Vec<&AnyTensor> = operands.collect();
                trace::apply(op, attrs.clone(), &operands, location.clone())
            }
            other => unreachable!("a gradient rule is made of ops, not of `{}`", other.name()),
        };
        values[node.outputs[0].index()] = Some(result);
    }
    let outputs = graph.outputs.iter();
    outputs.filter_map(|v| values[v.index()].clone()).collect()
}
