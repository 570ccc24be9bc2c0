//! What made a size unknown. A message about one names the op and its line, which may be far away from the line that asks: the op is found
//! by going back through the graph under construction.

use std::cell::RefCell;

use super::any::AnyTensor;
use super::context::{Origin, Trace, is_tracing, with_trace};
use crate::graph::{Graph, Shape, ValueId};

thread_local! {
    /// The last tensor of unknown size whose shape was asked for: a [`Shape`] doesn't know its tensor.
    static ASKED: RefCell<Option<(Shape, Origin)>> = const { RefCell::new(None) };
}

/// Notes that Rust code asked for the shape of a tensor.
pub(crate) fn asked_for_shape(tensor: &AnyTensor, shape: &Shape) {
    if is_tracing() && !shape.is_known() {
        let origin = with_trace(|trace| trace.origin(tensor));
        ASKED.set(origin.map(|origin| (shape.clone(), origin)));
    }
}

/// What made sizes of this shape unknown, if it is that of the last tensor that was asked; as the end of a message.
pub(super) fn why_unknown_shape(shape: &Shape) -> Option<String> {
    let asked = ASKED.with_borrow(|asked| asked.clone());
    let (_, origin) = asked.filter(|(of, _)| of == shape && is_tracing())?;
    with_trace(|trace| trace.why_unknown(origin))
}

/// What made sizes of a tensor unknown, as the end of a message.
pub(crate) fn why_unknown(tensor: &AnyTensor) -> Option<String> {
    if !is_tracing() {
        return None;
    }
    with_trace(|trace| trace.why_unknown(trace.origin(tensor)?))
}

impl Trace {
    fn why_unknown(&self, origin: Origin) -> Option<String> {
        let (mut level, mut value) = (self.level(origin)?, origin.value);
        loop {
            let builder = &self.builders[level];
            if let Some(outer) = builder.source_of(value) {
                level = level.checked_sub(1)?;
                value = outer;
                continue;
            }
            let graph = &builder.graph;
            let made = graph
                .nodes
                .iter()
                .rev()
                .find(|n| n.outputs.contains(&value));
            let Some(node) = made else {
                let name = graph.values[value.index()].name.as_ref()?;
                let shape = &graph.ty(value).shape;
                return Some(format!("; `{name}` came in with shape {shape}"));
            };
            match node.inputs.iter().find(|v| is_unknown(graph, **v)) {
                Some(operand) => value = *operand,
                None => {
                    let (op, at) = (node.op.name(), &node.location);
                    return Some(format!("; it is unknown since `{op}` at {at}"));
                }
            }
        }
    }
}

fn is_unknown(graph: &Graph, value: ValueId) -> bool {
    !graph.ty(value).shape.is_known()
}
