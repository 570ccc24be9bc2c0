//! Loops over datasets under a trace: the steps of an iteration become nodes of the innermost graph.

use graph_ir::recipes::Recipe;
use graph_kernels::DType;

use super::any::{AnyTensor, Repr};
use super::context::{record, resolve, resolve_all, with_trace};
use crate::error::Location;
use crate::graph::{IterationStep, Op, TensorType, ValueId};

/// Begins an iteration, and returns the tensor that represents it.
pub(crate) fn begin_iteration(
    recipe: &Recipe,
    operands: &[AnyTensor],
    location: &Location,
) -> AnyTensor {
    let inputs = resolve_all(&operands.iter().collect::<Vec<_>>(), location);
    match inputs {
        Ok(inputs) => with_trace(|trace| {
            let op = Op::Iteration(IterationStep::Begin(recipe.clone()));
            let types = vec![TensorType::scalar(DType::I64)];
            let graph = &mut trace.top().graph;
            let iteration = graph.add_node(op, inputs, types, location.clone())[0];
            trace.symbol(iteration)
        }),
        Err(error) => {
            record(error);
            AnyTensor::new(Repr::Poisoned(DType::I64))
        }
    }
}

/// Takes the next element: its leaves, with these statically known types.
pub(crate) fn take_element(
    iteration: &AnyTensor,
    types: Vec<TensorType>,
    location: &Location,
) -> Vec<AnyTensor> {
    let poisoned = |ty: &TensorType| AnyTensor::new(Repr::Poisoned(ty.dtype));
    match resolve(iteration, location) {
        Ok(iteration) => with_trace(|trace| {
            let graph = &mut trace.top().graph;
            let step = Op::Iteration(IterationStep::TakeElement);
            let leaves = graph.add_node(step, vec![iteration], types, location.clone());
            leaves.into_iter().map(|v| trace.symbol(v)).collect()
        }),
        Err(error) => {
            let leaves = types.iter().map(poisoned).collect();
            record(error);
            leaves
        }
    }
}

/// Whether an iteration of the innermost graph has another element: a boolean scalar.
pub(super) fn has_element(iteration: ValueId, location: &Location) -> ValueId {
    with_trace(|trace| {
        let step = Op::Iteration(IterationStep::HasElement);
        let types = vec![TensorType::scalar(DType::Bool)];
        let graph = &mut trace.top().graph;
        graph.add_node(step, vec![iteration], types, location.clone())[0]
    })
}
