//! Random numbers. Those of a seed are the same as in TensorFlow; ops with a state take a new seed from a stream here.

use graph_ir::graph::Op;
use graph_ir::ops::{self, Attr, Attrs, OpDef};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::DType;

use super::{Rule, Rules};
use crate::tensorflow::error::Result;
use crate::tensorflow::import::build::{Build, Val};
use crate::tensorflow::import::node::Node;

pub(super) const RULES: Rules = &[
    (
        "RandomUniform",
        Rule::One(|g, node| draw(g, node, &ops::STATELESS_UNIFORM)),
    ),
    (
        "RandomStandardNormal",
        Rule::One(|g, node| draw(g, node, &ops::STATELESS_NORMAL)),
    ),
    ("RandomUniformInt", Rule::One(integers)),
];

/// A new seed, of the stream of the node's own seed if it has one.
fn seed(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let own = node.int("seed2")?.filter(|seed| *seed != 0);
    let ty = TensorType::new(DType::I64, Shape::known(&[2]));
    Ok(g.node(Op::NextSeed(own), &[], vec![ty])[0])
}

fn draw(g: &mut Build, node: &Node<'_>, op: &'static OpDef) -> Result<Val> {
    let (shape, dtype) = (
        node.tensor(0)?,
        node.required("dtype", node.dtype("dtype")?)?,
    );
    let seed = seed(g, node)?;
    let attrs = |sizes: Vec<i64>| {
        Attrs::new()
            .with("shape", Attr::Ints(sizes))
            .with("dtype", Attr::DType(dtype))
    };
    match g.ints(shape) {
        Some(sizes) => g.op(op, &[seed], attrs(sizes)),
        None => {
            let sizes = g.sizes(shape);
            let drawn = g.op(op, &[seed, shape], attrs(Vec::new()))?;
            g.refined(drawn, &sizes)
        }
    }
}

fn integers(g: &mut Build, node: &Node<'_>) -> Result<Val> {
    let [shape, low, high] = [node.tensor(0)?, node.tensor(1)?, node.tensor(2)?];
    let seed = seed(g, node)?;
    let attrs = Attrs::new().with("shape", Attr::Ints(Vec::new()));
    g.op(&ops::STATELESS_INTEGERS, &[seed, low, high, shape], attrs)
}
