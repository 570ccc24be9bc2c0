//! Writes the graph of scalars for a sequence of nodes.

use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use graph_kernels::{Array, Dims};
use rustc_hash::{FxHashMap, FxHashSet};

use super::dims;
use super::lists::{List, Lists, is_written};
use crate::error::Location;
use crate::graph::{Graph, Node, Op, SharedGraph, TensorType, ValueId};
use crate::ops;

/// How many nodes of scalars a node may become, on average. With more, kernels for whole tensors are faster.
const NODES: usize = 12;
/// The maximum number of nodes of a graph of scalars. A word program has room for about as many.
const MAX_NODES: usize = 4096;

/// A sequence of nodes as a graph of scalars.
pub(in crate::plan) struct Fragment {
    /// The graph. Its outputs are the elements of each small tensor that is used after the nodes.
    pub graph: Graph,
    /// For each input of the graph, the value of the original graph that it comes from, and its role.
    pub inputs: Vec<(ValueId, Role)>,
    /// The shapes of the rows of the lists, in the order of their inputs.
    pub rows: Vec<Dims>,
    /// Where each value is that is used after the nodes.
    pub escaping: Vec<Escape>,
}

/// What an input of a graph of scalars stands for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::plan) enum Role {
    /// An element of a small tensor.
    Element(usize),
    /// An array from outside, whose rows are read.
    Whole,
    /// A list that begins with the value and is written.
    List,
}

/// Where a value is after a graph of scalars.
pub(in crate::plan) enum Escape {
    /// Its elements are outputs.
    Elements,
    /// It is the list with this number.
    List(usize),
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
    let mut splitter = Splitter {
        budget: most,
        lists: Lists::default(),
    };
    let (mut to, mut inputs) = (Graph::default(), Vec::new());
    let mut scope = Scope::of(graph);
    let inside = nodes.iter().flat_map(|node| &node.outputs);
    let inside: FxHashSet<ValueId> = inside.copied().collect();
    for (node, position) in nodes
        .iter()
        .flat_map(|node| (0..node.inputs.len()).map(move |n| (node, n)))
    {
        let value = node.inputs[position];
        let ty = graph.ty(value);
        if inside.contains(&value) {
            continue;
        }
        if is_written(node, position) {
            let list = splitter.lists.begin(to.add_input(ty.clone(), None));
            inputs.push((value, Role::List));
            scope.begun.insert((*node.outputs.first()?, position), list);
        } else if let Entry::Vacant(unknown) = scope.parts.entry(value) {
            let parts = unknown.insert(Parts::given(ty, &Form::of(ty), &mut to));
            let elements = (0..parts.elements.as_ref().map_or(0, Vec::len)).map(Role::Element);
            let array = parts.array.map(|_| Role::Whole);
            inputs.extend(elements.chain(array).map(|role| (value, role)));
        }
    }
    splitter.nodes(&mut scope, nodes, &mut to)?;
    let escape = |value: &ValueId| match scope.list(*value) {
        Some(list) => Some(Escape::List(splitter.lists.fresh(list)?.number)),
        None => {
            to.outputs.extend(scope.elements(*value)?);
            Some(Escape::Elements)
        }
    };
    let escaping = escaping.iter().map(escape).collect::<Option<_>>()?;
    Some(Fragment {
        graph: to,
        inputs,
        rows: splitter.lists.rows()?,
        escaping,
    })
}

/// A value in a graph of scalars.
#[derive(Clone, Default)]
pub(super) struct Parts {
    /// Its elements, row-major, if it is a small tensor.
    elements: Option<Vec<ValueId>>,
    /// The value itself, if it is an array from outside, whose rows may be read by their positions.
    array: Option<ValueId>,
    /// The list that it is. Then it has no other parts.
    pub list: Option<List>,
}

/// Which parts a value has.
pub(super) struct Form {
    elements: bool,
    array: bool,
}

impl Form {
    /// The parts of a value from outside.
    fn of(ty: &TensorType) -> Form {
        Form {
            elements: dims(ty).is_some(),
            array: ty.shape.rank() != Some(0),
        }
    }
}

impl Parts {
    pub fn of(elements: Vec<ValueId>) -> Parts {
        Parts {
            elements: Some(elements),
            ..Parts::default()
        }
    }

    pub fn of_list(list: List) -> Parts {
        Parts {
            list: Some(list),
            ..Parts::default()
        }
    }

    /// Adds inputs for a value of this form.
    pub fn given(ty: &TensorType, form: &Form, to: &mut Graph) -> Parts {
        let scalar = TensorType::scalar(ty.dtype);
        let count = dims(ty).map_or(0, |dims| dims.iter().product());
        let elements = form.elements.then(|| {
            let inputs = (0..count).map(|_| to.add_input(scalar.clone(), None));
            inputs.collect()
        });
        let array = form.array.then(|| to.add_input(ty.clone(), None));
        Parts {
            elements,
            array,
            list: None,
        }
    }

    pub fn form(&self) -> Form {
        Form {
            elements: self.elements.is_some(),
            array: self.array.is_some(),
        }
    }

    /// The elements.
    pub fn elements(&self) -> Option<&[ValueId]> {
        self.elements.as_deref()
    }

    /// All values but a list, in the order of the inputs that [`given`](Self::given) adds.
    pub fn all(&self) -> impl Iterator<Item = ValueId> {
        self.elements.iter().flatten().copied().chain(self.array)
    }
}

/// The values of one original graph.
pub(super) struct Scope<'a> {
    pub graph: &'a Graph,
    parts: FxHashMap<ValueId, Parts>,
    /// The lists that begin at operands of nodes, by the first result of the node and the operand's position.
    begun: FxHashMap<(ValueId, usize), List>,
    /// The constants among the values.
    constants: FxHashMap<ValueId, &'a Arc<Array>>,
}

impl<'a> Scope<'a> {
    pub fn of(graph: &'a Graph) -> Scope<'a> {
        let constants = graph.nodes.iter().filter_map(|node| match &node.op {
            Op::Constant(array) => Some((node.outputs[0], array)),
            _ => None,
        });
        Scope {
            graph,
            parts: FxHashMap::default(),
            begun: FxHashMap::default(),
            constants: constants.collect(),
        }
    }

    /// Says what parts a value has.
    pub fn define(&mut self, value: ValueId, parts: Parts) {
        self.parts.insert(value, parts);
    }

    /// The elements of a value, if it is a small tensor.
    pub fn elements(&self, value: ValueId) -> Option<&[ValueId]> {
        self.parts.get(&value)?.elements()
    }

    /// The value itself, if it is an array from outside.
    pub fn array(&self, value: ValueId) -> Option<ValueId> {
        self.parts.get(&value)?.array
    }

    /// The list that a value is.
    pub fn list(&self, value: ValueId) -> Option<List> {
        self.parts.get(&value)?.list
    }

    /// The parts of the operand of a node at a position.
    pub fn operand(&self, node: &Node, position: usize) -> Option<Parts> {
        let first = node.outputs.first();
        match first.and_then(|first| self.begun.get(&(*first, position))) {
            Some(list) => Some(Parts::of_list(*list)),
            None => self.parts.get(&node.inputs[position]).cloned(),
        }
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
    pub budget: usize,
    pub lists: Lists,
}

impl Splitter {
    pub fn nodes(&mut self, scope: &mut Scope<'_>, nodes: &[Node], to: &mut Graph) -> Option<()> {
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
            Op::Primitive(op, attrs) if **op == ops::LIST_WRITE => {
                let list = self.list_write(scope, node, attrs, to)?;
                Some(vec![Parts::of_list(list)])
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
        for (position, own) in graph.inputs.iter().enumerate() {
            inner.parts.insert(*own, scope.operand(node, position)?);
        }
        self.nodes(&mut inner, &graph.nodes, to)?;
        let outputs = graph.outputs.iter();
        outputs
            .map(|value| inner.parts.get(value).cloned())
            .collect()
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
            self.budget = self.budget.checked_sub(1)?;
        }
        Some(to.add_node(op, inputs, types, at.clone()))
    }
}
