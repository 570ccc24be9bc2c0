//! Writes the graph of scalars for a sequence of nodes.

use std::ops::Range;
use std::sync::Arc;

use graph_kernels::{Array, Dims};
use rustc_hash::FxHashMap;

use super::dims;
use crate::error::Location;
use crate::graph::{Graph, Node, Op, SharedGraph, TensorType, ValueId};
use crate::plan::words::Word;

/// How many nodes of scalars a node may become, on average. With more, kernels for whole tensors are faster.
const NODES: usize = 12;
/// The maximum number of nodes of a graph of scalars. A word program has room for about as many.
const MAX_NODES: usize = 4096;

/// A sequence of nodes as a graph of scalars.
pub(in crate::plan) struct Fragment {
    /// The graph. Its outputs are the elements of each value that is used after the nodes.
    pub graph: Graph,
    /// For each input of the graph, a value of the original graph, and which of its elements it is; `None` for a whole array.
    pub inputs: Vec<(ValueId, Option<usize>)>,
}

/// The graph of scalars for a range of nodes; `None` if there is none, or if it would be slower. `escaping` are the values that are used after
/// the nodes.
pub(in crate::plan) fn split(
    graph: &Graph,
    nodes: Range<usize>,
    escaping: &[ValueId],
) -> Option<Fragment> {
    let nodes = &graph.nodes[nodes];
    let most = NODES.saturating_mul(Graph::size_of(nodes)).min(MAX_NODES);
    let mut splitter = Splitter { left: most };
    let (mut to, mut inputs) = (Graph::default(), Vec::new());
    let mut scope = Scope::of(graph);
    for value in nodes.iter().flat_map(|node| &node.inputs) {
        if scope.parts.contains_key(value) || nodes.iter().any(|node| node.outputs.contains(value))
        {
            continue;
        }
        let parts = Parts::given(graph.ty(*value), &Form::of(graph.ty(*value)), &mut to);
        let elements = (0..parts.elements.as_ref().map_or(0, Vec::len)).map(Some);
        let array = parts.array.map(|_| None);
        inputs.extend(elements.chain(array).map(|part| (*value, part)));
        scope.parts.insert(*value, parts);
    }
    splitter.nodes(&mut scope, nodes, &mut to)?;
    for value in escaping {
        to.outputs.extend(scope.elements(*value)?);
    }
    Some(Fragment { graph: to, inputs })
}

/// A value in a graph of scalars.
#[derive(Clone, Default)]
pub(super) struct Parts {
    /// Its elements, row-major, if it is a small tensor.
    elements: Option<Vec<ValueId>>,
    /// The value itself, if it is an array from outside, whose rows may be read by their positions.
    array: Option<ValueId>,
}

/// Which parts a value has.
struct Form {
    elements: bool,
    array: bool,
}

impl Form {
    /// The parts of a value from outside.
    fn of(ty: &TensorType) -> Form {
        Form {
            elements: dims(ty).is_some(),
            array: matches!(Word::of(ty), Some(Word::Rows)),
        }
    }
}

impl Parts {
    fn of(elements: Vec<ValueId>) -> Parts {
        Parts {
            elements: Some(elements),
            array: None,
        }
    }

    /// Adds inputs for a value of this form.
    fn given(ty: &TensorType, form: &Form, to: &mut Graph) -> Parts {
        let scalar = TensorType::scalar(ty.dtype);
        let count = dims(ty).map_or(0, |dims| dims.iter().product());
        let elements = form.elements.then(|| {
            let inputs = (0..count).map(|_| to.add_input(scalar.clone(), None));
            inputs.collect()
        });
        let array = form.array.then(|| to.add_input(ty.clone(), None));
        Parts { elements, array }
    }

    fn form(&self) -> Form {
        Form {
            elements: self.elements.is_some(),
            array: self.array.is_some(),
        }
    }

    /// All values, in the order of the inputs that [`given`](Self::given) adds.
    fn all(&self) -> impl Iterator<Item = ValueId> {
        self.elements.iter().flatten().copied().chain(self.array)
    }
}

/// The values of one original graph.
pub(super) struct Scope<'a> {
    pub graph: &'a Graph,
    parts: FxHashMap<ValueId, Parts>,
    /// The constants among the values.
    constants: FxHashMap<ValueId, &'a Arc<Array>>,
}

impl<'a> Scope<'a> {
    fn of(graph: &'a Graph) -> Scope<'a> {
        let constants = graph.nodes.iter().filter_map(|node| match &node.op {
            Op::Constant(array) => Some((node.outputs[0], array)),
            _ => None,
        });
        Scope {
            graph,
            parts: FxHashMap::default(),
            constants: constants.collect(),
        }
    }

    /// The elements of a value, if it is a small tensor.
    pub fn elements(&self, value: ValueId) -> Option<&[ValueId]> {
        self.parts.get(&value)?.elements.as_deref()
    }

    /// The value itself, if it is an array from outside.
    pub fn array(&self, value: ValueId) -> Option<ValueId> {
        self.parts.get(&value)?.array
    }

    /// The constant that defines a value.
    pub fn constant(&self, value: ValueId) -> Option<&'a Arc<Array>> {
        self.constants.get(&value).copied()
    }

    /// The type of a value's elements.
    pub fn scalar(&self, value: ValueId) -> TensorType {
        TensorType::scalar(self.graph.ty(value).dtype)
    }

    /// The sizes of a small tensor.
    pub fn dims(&self, value: ValueId) -> Option<Dims> {
        dims(self.graph.ty(value))
    }
}

/// Writes nodes of scalars.
pub(super) struct Splitter {
    /// How many nodes may still be written.
    left: usize,
}

impl Splitter {
    fn nodes(&mut self, scope: &mut Scope<'_>, nodes: &[Node], to: &mut Graph) -> Option<()> {
        for node in nodes {
            let outputs = self.node(scope, node, to)?;
            scope
                .parts
                .extend(node.outputs.iter().copied().zip(outputs));
        }
        Some(())
    }

    /// Writes a node. Returns its outputs.
    fn node(&mut self, scope: &Scope<'_>, node: &Node, to: &mut Graph) -> Option<Vec<Parts>> {
        let at = &node.location;
        match &node.op {
            Op::Constant(array) => {
                let elements = (0..array.len()).map(|i| {
                    let word = array.word_at(i)?;
                    let scalar = Array::of_word(array.dtype(), word);
                    self.constant(to, scalar, at)
                });
                Some(vec![Parts::of(elements.collect::<Option<_>>()?)])
            }
            Op::Primitive(op, attrs) => {
                let elements = self.primitive(scope, node, (op, attrs), to)?;
                Some(vec![Parts::of(elements)])
            }
            Op::Assert(_) => {
                let shown = |value: &ValueId| match scope.elements(*value) {
                    Some([scalar]) if scope.dims(*value)?.is_empty() => Some(*scalar),
                    _ => scope.array(*value),
                };
                let inputs = node.inputs.iter().map(shown).collect::<Option<_>>()?;
                self.add(to, node.op.clone(), inputs, Vec::new(), at)?;
                Some(Vec::new())
            }
            Op::Fusion { body: graph } | Op::Call { graph, .. } => {
                self.inline(scope, node, graph, to)
            }
            _ => self.flow(scope, node, to),
        }
    }

    /// Writes the nodes of a graph in place of a node.
    fn inline(
        &mut self,
        scope: &Scope<'_>,
        node: &Node,
        graph: &SharedGraph,
        to: &mut Graph,
    ) -> Option<Vec<Parts>> {
        let mut inner = Scope::of(graph);
        for (own, outer) in graph.inputs.iter().zip(&node.inputs) {
            inner.parts.insert(*own, scope.parts.get(outer)?.clone());
        }
        self.nodes(&mut inner, &graph.nodes, to)?;
        let outputs = graph.outputs.iter();
        outputs
            .map(|value| inner.parts.get(value).cloned())
            .collect()
    }

    /// Writes a branch or a loop.
    fn flow(&mut self, scope: &Scope<'_>, node: &Node, to: &mut Graph) -> Option<Vec<Parts>> {
        let state = match &node.op {
            Op::WhileLoop { .. } => node.outputs.len(),
            Op::Cond { .. } | Op::SwitchCase { .. } => 0,
            _ => return None,
        };
        // The first operand of a branch is its condition, which the subgraphs don't take.
        let chooses = usize::from(state == 0 && !matches!(node.op, Op::WhileLoop { .. }));
        let mut operands: Vec<Parts> = Vec::new();
        for (i, value) in node.inputs.iter().enumerate() {
            let mut parts = scope.parts.get(value)?.clone();
            if i < state + chooses {
                // What changes from one iteration to the next is no array from outside.
                parts.array = None;
                parts.elements.as_ref()?;
            }
            operands.push(parts);
        }
        let subgraphs = node.op.subgraphs().into_iter();
        let subgraphs = subgraphs.map(|graph| self.subgraph(graph, &operands[chooses..]));
        let subgraphs: Vec<Graph> = subgraphs.collect::<Option<_>>()?;
        let inputs = operands.iter().flat_map(Parts::all).collect();
        let types: Vec<Vec<TensorType>> = node
            .outputs
            .iter()
            .map(|value| {
                let count = scope.dims(*value)?.iter().product();
                Some(vec![scope.scalar(*value); count])
            })
            .collect::<Option<_>>()?;
        let op = node.op.with_subgraphs(subgraphs);
        let outputs = self.add(to, op, inputs, types.concat(), &node.location)?;
        let mut outputs = outputs.into_iter();
        let taken =
            |types: &Vec<TensorType>| Parts::of(outputs.by_ref().take(types.len()).collect());
        Some(types.iter().map(taken).collect())
    }

    /// The graph of scalars for a subgraph with operands of these forms.
    fn subgraph(&mut self, graph: &Graph, operands: &[Parts]) -> Option<Graph> {
        let (mut scope, mut to) = (Scope::of(graph), Graph::default());
        for (value, outer) in graph.inputs.iter().zip(operands) {
            let parts = Parts::given(graph.ty(*value), &outer.form(), &mut to);
            scope.parts.insert(*value, parts);
        }
        self.nodes(&mut scope, &graph.nodes, &mut to)?;
        for value in &graph.outputs {
            to.outputs.extend(scope.elements(*value)?);
        }
        Some(to)
    }

    /// Writes a scalar constant.
    pub fn constant(&mut self, to: &mut Graph, value: Array, at: &Location) -> Option<ValueId> {
        let ty = TensorType::of_array(&value);
        let outputs = self.add(to, Op::Constant(Arc::new(value)), Vec::new(), vec![ty], at)?;
        outputs.first().copied()
    }

    /// Writes a node with outputs of these types; `None` if it would be one too many.
    pub fn add(
        &mut self,
        to: &mut Graph,
        op: Op,
        inputs: Vec<ValueId>,
        types: Vec<TensorType>,
        at: &Location,
    ) -> Option<Vec<ValueId>> {
        if !matches!(op, Op::Constant(_)) {
            self.left = self.left.checked_sub(1)?;
        }
        Some(to.add_node(op, inputs, types, at.clone()))
    }
}
