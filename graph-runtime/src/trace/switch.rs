//! `switch_case`: one closed subgraph per index.

use super::any::AnyTensor;
use super::builder::{Builder, unify_captures};
use super::context::{check_depth, resolve, with_trace};
use super::nest::Parts;
use super::outcome::{Code, Group, Outcome};
use crate::error::{Error, Location, Result};
use crate::graph::{Graph, Op, TensorType, ValueId};

/// Traces each branch in a builder of its own, and adds the node. All branches must give values of the same structure.
pub(crate) fn switch<F: FnOnce() -> Option<Parts>>(
    index: &AnyTensor,
    branches: impl Iterator<Item = F>,
    location: Location,
) -> Result<Parts> {
    check_depth(&location);
    let index = resolve(index, &location)?;
    let mut built: Vec<(Builder, Vec<ValueId>)> = Vec::new();
    let mut first: Option<Parts> = None;
    for branch in branches {
        let depth = with_trace(|trace| {
            trace.nesting += 1;
            trace.builders.push(Builder::new());
            trace.builders.len() - 1
        });
        let parts = branch().ok_or_else(|| {
            Error::trace(
                "a branch of a switch gave an `Err`: an error can't be chosen inside a graph",
                location.clone(),
            )
        });
        let closed = with_trace(|trace| {
            trace.nesting -= 1;
            let leaves = parts
                .as_ref()
                .map(|p| p.leaves.as_slice())
                .unwrap_or_default();
            let values = trace.resolve_leaves(leaves, &location);
            let outcome =
                trace.close_to(depth, Outcome::always(Code::Next, Group::Returned, values));
            let values = outcome.group(Group::Returned).cloned().unwrap_or_default();
            (trace.builders.pop().expect("the branch's builder"), values)
        });
        built.push(closed);
        let parts = parts?;
        match &first {
            Some(first) if !first.structure.same(&*parts.structure) => {
                let message = format!(
                    "the branches of a switch give values of different structure: {:?} and {:?}",
                    first.structure, parts.structure
                );
                return Err(Error::trace(message, location));
            }
            Some(_) => {}
            None => first = Some(parts),
        }
    }
    let first =
        first.ok_or_else(|| Error::trace("a switch has at least one branch", location.clone()))?;
    let leaves = with_trace(|trace| {
        let types = types(&built);
        let parent = &mut trace
            .builders
            .last_mut()
            .expect("a trace has a builder")
            .graph;
        let mut builders: Vec<&mut Builder> = built.iter_mut().map(|(b, _)| b).collect();
        let mut inputs = vec![index];
        inputs.extend(unify_captures(&mut builders, parent));
        let branches = built
            .into_iter()
            .map(|(builder, outputs)| {
                let graph = Graph {
                    outputs,
                    ..builder.graph
                };
                graph.into()
            })
            .collect();
        let outputs = parent.add_node(Op::SwitchCase { branches }, inputs, types, location);
        outputs.into_iter().map(|v| trace.symbol(v)).collect()
    });
    Ok(Parts {
        structure: first.structure,
        leaves,
    })
}

/// The common types of the outputs of all branches.
fn types(built: &[(Builder, Vec<ValueId>)]) -> Vec<TensorType> {
    let of = |(builder, values): &(Builder, Vec<ValueId>)| -> Vec<TensorType> {
        values
            .iter()
            .map(|v| builder.graph.ty(*v).clone())
            .collect()
    };
    let mut branches = built.iter().map(of);
    let first = branches.next().unwrap_or_default();
    branches.fold(first, |all, branch| {
        all.iter()
            .zip(&branch)
            .map(|(a, b)| a.join(b).unwrap_or_else(|| a.clone()))
            .collect()
    })
}
