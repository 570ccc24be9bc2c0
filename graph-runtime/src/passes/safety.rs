//! Which nodes can't fail: those may be left out where their result doesn't matter after all, and run where they
//! would not have run. Anything that isn't known to be safe counts as unsafe.

use crate::graph::fusion::Part;
use crate::graph::{Graph, Node, Op};
use crate::ops::{self, OpDef};

/// Elementwise ops that no integers make fail.
static TOTAL_ON_INTEGERS: &[&OpDef] = &[
    &ops::ADD,
    &ops::SUB,
    &ops::MUL,
    &ops::NEG,
    &ops::ABS,
    &ops::SIGN,
    &ops::SQUARE,
    &ops::RELU,
    &ops::MAXIMUM,
    &ops::MINIMUM,
    &ops::TRUE_DIV,
    &ops::BIT_AND,
    &ops::BIT_OR,
    &ops::BIT_XOR,
    &ops::BIT_NOT,
    &ops::LESS,
    &ops::LESS_EQUAL,
    &ops::GREATER,
    &ops::GREATER_EQUAL,
    &ops::EQUAL,
    &ops::NOT_EQUAL,
    &ops::SELECT,
    &ops::CAST,
];

/// Other ops that only unfitting shapes make fail.
static TOTAL_ON_SHAPES: &[&OpDef] = &[
    &ops::MATMUL,
    &ops::RESHAPE,
    &ops::TRANSPOSE,
    &ops::EXPAND_DIMS,
    &ops::SQUEEZE,
    &ops::CONCAT,
    &ops::STACK,
    &ops::BROADCAST_TO,
    &ops::TILE,
    &ops::FILL,
    &ops::STRIDED_SLICE,
    &ops::PAD,
    &ops::MIRROR_PAD,
    &ops::REPEAT,
    &ops::ROLL,
    &ops::SORT,
    &ops::ARGSORT,
    &ops::TOP_K,
    &ops::DIAG,
    &ops::DIAG_PART,
    &ops::BAND_PART,
    &ops::REDUCE_SUM,
    &ops::REDUCE_MEAN,
    &ops::REDUCE_MAX,
    &ops::REDUCE_MIN,
];

/// Ops that take anything.
static TOTAL: &[&OpDef] = &[&ops::SHAPE_OF, &ops::SIZE_OF, &ops::RANK_OF];

/// True if a node of a verified graph can't fail and has no effect.
pub(super) fn never_fails(graph: &Graph, node: &Node) -> bool {
    match &node.op {
        Op::Constant(_) => true,
        Op::Primitive(op, _) if TOTAL.contains(op) => true,
        Op::Primitive(op, _) if TOTAL_ON_SHAPES.contains(op) => shapes_are_known(graph, node),
        Op::Primitive(op, _) => {
            Part::of(graph, node) == Some(Part::Element)
                && (shapes_are_known(graph, node) || arrays_broadcast(graph, node))
                && (TOTAL_ON_INTEGERS.contains(op) || !takes_integers(graph, node))
        }
        _ => false,
    }
}

/// True if the verifier has checked all shapes already.
fn shapes_are_known(graph: &Graph, node: &Node) -> bool {
    let mut shapes = node.inputs.iter().map(|v| &graph.ty(*v).shape);
    shapes.all(|shape| shape.to_known().is_some())
}

/// True if the operands broadcast whatever their shapes are: there is one array, and scalars.
fn arrays_broadcast(graph: &Graph, node: &Node) -> bool {
    let mut arrays = node
        .inputs
        .iter()
        .filter(|v| graph.ty(**v).shape.rank() != Some(0));
    let first = arrays.next();
    arrays.all(|v| Some(v) == first)
}

fn takes_integers(graph: &Graph, node: &Node) -> bool {
    node.inputs.iter().any(|v| graph.ty(*v).dtype.is_integer())
}
