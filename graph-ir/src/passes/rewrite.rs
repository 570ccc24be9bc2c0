//! Local rewriting, which many passes use: a rule gets one primitive and can inspect the primitives and constants that its operands
//! come from. It may return a replacement.

use std::sync::Arc;

use graph_kernels::{Array, DType, cast};

use super::patch::Patch;
use super::rebuild::{Rebuild, constants};
use super::safety::never_fails;
use crate::graph::{Graph, Node, Op, Shape, TensorType, ValueId};
use crate::ops::{self, Attrs, OpDef};

/// Rules don't see the values of constants with more values than this.
const MAX_LOOKED_THROUGH: usize = 64;

/// A primitive that a rule is applied to.
#[derive(Clone, Copy)]
pub(super) struct Use<'a> {
    pub op: &'static OpDef,
    pub attrs: &'a Attrs,
    pub inputs: &'a [ValueId],
    pub output: ValueId,
}

impl<'a> Use<'a> {
    fn of(node: &'a Node) -> Option<Use<'a>> {
        match (&node.op, &node.outputs[..]) {
            (Op::Primitive(op, attrs), [output]) => Some(Use {
                op,
                attrs,
                inputs: &node.inputs,
                output: *output,
            }),
            _ => None,
        }
    }
}

/// The replacement of a primitive.
pub(super) enum Edit {
    /// An existing value: an operand, or a value that an operand was computed from.
    Value(ValueId),
    /// A constant.
    Constant(Array),
    /// Another primitive.
    Primitive(&'static OpDef, Attrs, Vec<Operand>),
}

impl Edit {
    /// Another primitive on existing values.
    pub fn primitive(op: &'static OpDef, attrs: Attrs, inputs: &[ValueId]) -> Edit {
        let inputs = inputs.iter().copied().map(Operand::Value).collect();
        Edit::Primitive(op, attrs, inputs)
    }
}

/// An operand of a new primitive.
pub(super) enum Operand {
    Value(ValueId),
    Constant(Array),
}

/// A graph, with the definition of each value for rules to inspect.
pub(super) struct View<'a> {
    pub graph: &'a Graph,
    constants: Vec<Option<&'a Arc<Array>>>,
    /// The node that defines each value, unless it is an input.
    definitions: Vec<Option<&'a Node>>,
}

impl<'a> View<'a> {
    pub fn of(graph: &'a Graph) -> View<'a> {
        let mut definitions = vec![None; graph.values.len()];
        for node in &graph.nodes {
            for output in &node.outputs {
                definitions[output.index()] = Some(node);
            }
        }
        View {
            graph,
            constants: constants(graph),
            definitions,
        }
    }

    pub fn shape(&self, value: ValueId) -> &'a Shape {
        &self.graph.ty(value).shape
    }

    pub fn dtype(&self, value: ValueId) -> DType {
        self.graph.ty(value).dtype
    }

    /// The primitive that defines a value.
    pub fn made_by(&self, value: ValueId) -> Option<Use<'a>> {
        self.definitions[value.index()].and_then(Use::of)
    }

    /// The first operand of the primitive that defines a value, if it is this op.
    pub fn operand_of(&self, value: ValueId, op: &OpDef) -> Option<ValueId> {
        let made_by = self.made_by(value).filter(|made_by| made_by.op == op)?;
        made_by.inputs.first().copied()
    }

    /// The constant that defines a value.
    pub fn constant(&self, value: ValueId) -> Option<&'a Arc<Array>> {
        self.constants[value.index()]
    }

    /// The number that all elements of a constant are equal to.
    pub fn number(&self, value: ValueId) -> Option<f64> {
        let array = self.constants[value.index()]?;
        if !array.dtype().is_number() || !(1..=MAX_LOOKED_THROUGH).contains(&array.len()) {
            return None;
        }
        let mut numbers = Array::default();
        cast(array, DType::F64, &mut numbers).ok()?;
        let numbers = numbers.values::<f64>()?;
        let first = numbers.first()?;
        let same = numbers.iter().all(|n| n.to_bits() == first.to_bits());
        same.then_some(*first)
    }

    /// The elements of an integer constant, row-major.
    pub fn integers(&self, value: ValueId) -> Option<Vec<i64>> {
        let array = self.constants[value.index()]?;
        if !array.dtype().is_integer() || array.len() > MAX_LOOKED_THROUGH {
            return None;
        }
        let mut integers = Array::default();
        cast(array, DType::I64, &mut integers).ok()?;
        integers.values::<i64>().map(<[i64]>::to_vec)
    }

    /// The boolean that all elements of a constant are equal to.
    pub fn truth(&self, value: ValueId) -> Option<bool> {
        let values = self.constants[value.index()]?.values::<bool>()?;
        let first = values.first()?;
        values.iter().all(|v| v == first).then_some(*first)
    }

    /// True if broadcasting `value` with `other` certainly returns the shape of `value`.
    pub fn keeps_shape(&self, value: ValueId, other: ValueId) -> bool {
        match (self.shape(value).dims(), self.shape(other).dims()) {
            (_, Some([])) => true,
            _ if value == other => true,
            (Some(dims), Some(other)) if other.len() <= dims.len() => {
                let last = &dims[dims.len() - other.len()..];
                let fits = |(a, b): (_, &Option<usize>)| *b == Some(1) || (b.is_some() && a == b);
                last.iter().zip(other).all(fits)
            }
            _ => false,
        }
    }

    /// True if nothing that a value is computed from can fail, so that removing it hides no error.
    pub fn can_go(&self, value: ValueId) -> bool {
        let mut left = 32;
        self.cannot_fail(value, &mut left)
    }

    fn cannot_fail(&self, value: ValueId, left: &mut usize) -> bool {
        let Some(node) = self.definitions[value.index()] else {
            return true;
        };
        if *left == 0 {
            return false;
        }
        *left -= 1;
        (never_fails(self.graph, node) || self.is_within(node))
            && node.inputs.iter().all(|v| self.cannot_fail(*v, left))
    }

    /// True for an index at constant positions that are within known sizes.
    fn is_within(&self, node: &Node) -> bool {
        let Some(of) = Use::of(node).filter(|of| of.op == &ops::INDEX) else {
            return false;
        };
        let Some(([x], positions)) = of.inputs.split_first_chunk() else {
            return false;
        };
        let sizes = self.shape(*x).dims().unwrap_or_default();
        let is_within = |(position, size): (&ValueId, &Option<usize>)| {
            let size = size.and_then(|size| i64::try_from(size).ok());
            match (self.integers(*position).as_deref(), size) {
                (Some([i]), Some(size)) => (-size..size).contains(i),
                _ => false,
            }
        };
        positions.len() <= sizes.len() && positions.iter().zip(sizes).all(is_within)
    }
}

/// Returns the replacement of a primitive of one op, if there is one.
pub(super) type Rule = fn(&View<'_>, &Use<'_>) -> Option<Edit>;

/// Rules, each with the op that it applies to.
pub(super) type Rules = [(&'static OpDef, Rule)];

/// Applies the rules to the primitives of a graph. A replacement is dropped if its type is less precise than the recorded type of the
/// value.
pub(super) fn rewrite(graph: &Graph, rules: &Rules) -> Option<Patch> {
    let rule_for = |node: &Node| {
        let of = Use::of(node)?;
        let (_, rule) = rules.iter().find(|(op, _)| std::ptr::eq(*op, of.op))?;
        Some(*rule)
    };
    graph.nodes.iter().find(|node| rule_for(node).is_some())?;
    let view = View::of(graph);
    let edits: Vec<(usize, Edit, TensorType)> = graph
        .nodes
        .iter()
        .enumerate()
        .filter_map(|(i, node)| {
            let of = Use::of(node)?;
            let edit = rule_for(node)?(&view, &of)?;
            let ty = type_of(graph, &edit)?;
            graph.ty(of.output).covers(&ty).then_some((i, edit, ty))
        })
        .collect();
    if edits.is_empty() {
        return None;
    }
    let mut edits = edits.into_iter().peekable();
    let mut rebuild = Rebuild::new(graph);
    for (i, node) in graph.nodes.iter().enumerate() {
        match edits.next_if(|(at, ..)| *at == i) {
            Some((_, edit, ty)) => apply(&mut rebuild, node, edit, ty),
            None => rebuild.keep(node),
        }
    }
    Some(rebuild.finish())
}

fn type_of(graph: &Graph, edit: &Edit) -> Option<TensorType> {
    match edit {
        Edit::Value(value) => Some(graph.ty(*value).clone()),
        Edit::Constant(array) => Some(TensorType::of_array(array)),
        Edit::Primitive(op, attrs, inputs) => {
            let types: Vec<TensorType> = inputs
                .iter()
                .map(|operand| match operand {
                    Operand::Value(value) => graph.ty(*value).clone(),
                    Operand::Constant(array) => TensorType::of_array(array),
                })
                .collect();
            (op.infer)(&types, attrs).ok()
        }
    }
}

fn apply(rebuild: &mut Rebuild<'_>, node: &Node, edit: Edit, ty: TensorType) {
    let at = &node.location;
    let value = match edit {
        Edit::Value(value) => rebuild.new_of(value),
        Edit::Constant(array) => rebuild.constant(Arc::new(array), at.clone()),
        Edit::Primitive(op, attrs, inputs) => {
            let inputs = inputs
                .into_iter()
                .map(|operand| match operand {
                    Operand::Value(value) => rebuild.new_of(value),
                    Operand::Constant(array) => rebuild.constant(Arc::new(array), at.clone()),
                })
                .collect();
            let op = Op::Primitive(op, attrs);
            rebuild.add_node(op, inputs, vec![ty], at.clone())[0]
        }
    };
    rebuild.replace(node.outputs[0], value);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::parse;

    /// Whether broadcasting the first input with the second certainly returns the shape of the first.
    fn keeps(shape: &str, other: &str) -> bool {
        let graph = parse(&format!(
            "graph (x: int32{shape}, y: int32{other}) -> int32{shape} {{ return x }}"
        ));
        View::of(&graph).keeps_shape(graph.inputs[0], graph.inputs[1])
    }

    #[test]
    fn a_shape_is_kept_where_the_other_one_is_a_part_of_it() {
        for (shape, other) in [
            ("[*]", "[]"),
            ("[2,3]", "[3]"),
            ("[2,3]", "[2,3]"),
            ("[2,3]", "[1,3]"),
            ("[?,3]", "[1,1]"),
        ] {
            assert!(keeps(shape, other), "{shape} {other}");
        }
        for (shape, other) in [
            ("[1]", "[3]"),
            ("[?]", "[3]"),
            ("[?]", "[?]"),
            ("[3]", "[?]"),
            ("[3]", "[1,3]"),
            ("[*]", "[1]"),
            ("[3]", "[*]"),
        ] {
            assert!(!keeps(shape, other), "{shape} {other}");
        }
    }
}
