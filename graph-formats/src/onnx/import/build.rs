//! Builds graphs: adds nodes by the type rules of the op table, computes small constants at once, and passes values into subgraphs.
//!
//! A [`Val`] knows the graph that defines it. Used in a subgraph, it becomes an input of that subgraph (a capture), or a constant if its
//! value is known. So an importer writes down what it computes, and needn't know in which graph it is.

use std::collections::BTreeSet;
use std::sync::Arc;

use graph_ir::error::Location;
use graph_ir::graph::{Graph, Op, ValueId};
use graph_ir::ops::{self, Attrs, OpDef};
use graph_ir::types::{Shape, TensorType};
use graph_kernels::Array;
use rustc_hash::{FxHashMap, FxHashSet};

use super::error::{Fault, Result, unsupported};
use super::scope::Scopes;
use super::terms;
use crate::fold::{Folding, size_of};

/// The most elements of a result that is computed at once.
pub(crate) const MAX_FOLDED: usize = 1 << 14;
/// The most elements of what importers make beside the tensors of the file, such as windows, positions and lists.
const MAX_MADE: usize = 1 << 25;
/// The most bytes of functions and attributes that are copied for calls.
const MAX_COPIED: usize = 1 << 28;
/// The most steps of an import, each of which reads or adds a node: a small file may ask for any number, through functions that call each
/// other.
const MAX_NODES: usize = 1 << 17;

/// The most nodes among which the definition of a value is looked for: sizes are used soon after they are calculated.
const MAX_LOOKED: usize = 1 << 10;

/// A value of the graph that is being built, or of a graph around it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Val {
    /// The serial number of its graph.
    graph: u32,
    id: ValueId,
}

/// A graph that is being built.
struct Level {
    serial: u32,
    graph: Graph,
    known: FxHashMap<ValueId, Arc<Array>>,
    /// Values of the graph around it that it uses.
    captures: FxHashMap<Val, ValueId>,
    /// Those that are inputs, in order.
    captured: Vec<Val>,
}

/// Where a value of a graph comes from.
enum Source {
    /// The input with this number.
    Input(usize),
    /// A value of the graph around.
    Captured(Val),
    /// The node with this number.
    Node(usize),
}

impl Level {
    /// Where each value comes from.
    fn sources(&self) -> FxHashMap<ValueId, Source> {
        let inputs = self.graph.inputs.iter().enumerate();
        let mut sources: FxHashMap<ValueId, Source> =
            inputs.map(|(n, id)| (*id, Source::Input(n))).collect();
        for (n, node) in self.graph.nodes.iter().enumerate() {
            sources.extend(node.outputs.iter().map(|id| (*id, Source::Node(n))));
        }
        sources.extend(
            self.captures
                .iter()
                .map(|(outer, id)| (*id, Source::Captured(*outer))),
        );
        sources
    }
}

/// A finished subgraph, and the values around it that it takes as its last inputs.
pub(crate) struct Closed {
    graph: Graph,
    captured: Vec<(Val, ValueId)>,
}

/// The values that several subgraphs take from around them, each once.
#[derive(Default)]
pub(crate) struct Captured {
    all: Vec<Val>,
    seen: FxHashSet<Val>,
}

impl Captured {
    /// Adds those of a subgraph.
    pub fn add(&mut self, closed: &Closed) {
        let vals = closed.captured.iter().map(|(val, _)| *val);
        let new = vals.filter(|val| self.seen.insert(*val));
        self.all.extend(new);
    }

    /// The values with their types.
    pub fn typed(self, g: &Build<'_>) -> Vec<(Val, TensorType)> {
        let all = self.all.into_iter();
        all.map(|val| (val, g.ty(val).clone())).collect()
    }
}

impl Closed {
    /// The graph, whose inputs are its own and then these values around it.
    pub fn into_graph(self, all: &[(Val, TensorType)]) -> Graph {
        let Closed {
            mut graph,
            captured,
        } = self;
        let ids: FxHashSet<ValueId> = captured.iter().map(|(_, id)| *id).collect();
        let captured: FxHashMap<Val, ValueId> = captured.into_iter().collect();
        let own = graph.inputs.iter().copied().filter(|id| !ids.contains(id));
        let mut inputs: Vec<ValueId> = own.collect();
        for (val, ty) in all {
            inputs.push(match captured.get(val) {
                Some(id) => *id,
                None => graph.add_value(ty.clone(), None),
            });
        }
        graph.inputs = inputs;
        graph
    }
}

/// Builds a graph.
pub(crate) struct Build<'m> {
    levels: Vec<Level>,
    next_serial: u32,
    nodes: usize,
    folding: Folding,
    made: usize,
    copied: usize,
    location: Location,
    /// The arguments whose values a subgraph that was given up needed.
    needed: BTreeSet<usize>,
    /// The names that nodes use.
    pub scopes: Scopes<'m>,
    /// The initializers that are inputs, and no constants.
    pub weights: FxHashSet<&'m str>,
}

impl<'m> Build<'m> {
    pub fn new(scopes: Scopes<'m>) -> Build<'m> {
        let mut build = Build {
            levels: Vec::new(),
            next_serial: 0,
            nodes: 0,
            folding: Folding::new(MAX_FOLDED),
            made: 0,
            copied: 0,
            location: Location::unknown(),
            needed: BTreeSet::new(),
            scopes,
            weights: FxHashSet::default(),
        };
        build.open();
        build
    }

    /// Nodes that are added from now on come from here.
    pub fn set_location(&mut self, location: Location) -> Location {
        std::mem::replace(&mut self.location, location)
    }

    /// Begins a subgraph.
    pub fn open(&mut self) {
        self.levels.push(Level {
            serial: self.next_serial,
            graph: Graph::default(),
            known: FxHashMap::default(),
            captures: FxHashMap::default(),
            captured: Vec::new(),
        });
        self.next_serial += 1;
    }

    /// The number of graphs that are open.
    pub fn depth(&self) -> usize {
        self.levels.len()
    }

    /// Gives up subgraphs that were begun after the depth.
    pub fn abandon(&mut self, depth: usize) {
        self.levels.truncate(depth);
    }

    /// Ends the subgraph, with these outputs.
    pub fn close(&mut self, outputs: &[Val]) -> Result<Closed> {
        let outputs: Result<Vec<ValueId>> = outputs.iter().map(|v| self.here(*v)).collect();
        let outputs = outputs?;
        let Some(mut level) = self.levels.pop() else {
            return unsupported("no graph is open");
        };
        level.graph.outputs = outputs;
        let captures = &level.captures;
        let captured = level.captured.iter();
        let captured = captured
            .filter_map(|val| Some((*val, *captures.get(val)?)))
            .collect();
        Ok(Closed {
            graph: level.graph,
            captured,
        })
    }

    fn top(&mut self) -> &mut Level {
        self.levels
            .last_mut()
            .expect("the outermost graph stays open")
    }

    fn val(&self, id: ValueId) -> Val {
        let graph = self.levels.last().map_or(0, |level| level.serial);
        Val { graph, id }
    }

    fn level_of(&self, val: Val) -> &Level {
        let mut levels = self.levels.iter().rev();
        let found = levels.find(|level| level.serial == val.graph);
        found.expect("a value is used within the graph that defines it")
    }

    /// The type of a value.
    pub fn ty(&self, val: Val) -> &TensorType {
        self.level_of(val).graph.ty(val.id)
    }

    /// The value, if it is known.
    pub fn known(&self, val: Val) -> Option<&Arc<Array>> {
        self.level_of(val).known.get(&val.id)
    }

    /// The op that defines a value within its graph, and its operands.
    pub fn definition(&self, val: Val) -> Option<(&Op, Vec<Val>)> {
        let nodes = self.level_of(val).graph.nodes.iter().rev();
        let node = nodes
            .take(MAX_LOOKED)
            .find(|node| node.outputs.contains(&val.id))?;
        let graph = val.graph;
        let operands = node.inputs.iter().map(|id| Val { graph, id: *id });
        Some((&node.op, operands.collect()))
    }

    /// Adds an input.
    pub fn input(&mut self, ty: TensorType, name: Option<&str>) -> Val {
        let id = self.top().graph.add_input(ty, name.map(Arc::from));
        self.val(id)
    }

    /// Adds a constant that an importer made.
    pub fn constant(&mut self, array: impl Into<Arc<Array>>) -> Val {
        let array = array.into();
        self.made = self.made.saturating_add(array.len());
        self.known_constant(array)
    }

    /// Adds a constant that is a tensor of the file, or an argument.
    pub fn given(&mut self, array: impl Into<Arc<Array>>) -> Val {
        let array = array.into();
        self.folding.allow(&array);
        self.known_constant(array)
    }

    /// Adds a constant that isn't counted.
    fn known_constant(&mut self, array: Arc<Array>) -> Val {
        let location = self.location.clone();
        let level = self.top();
        let op = Op::Constant(array.clone());
        let types = vec![TensorType::of_array(&array)];
        let id = level.graph.add_node(op, Vec::new(), types, location)[0];
        level.known.insert(id, array);
        self.val(id)
    }

    /// The value in the innermost graph: itself, or what passes it in.
    fn here(&mut self, val: Val) -> Result<ValueId> {
        let at = self
            .levels
            .iter()
            .rposition(|level| level.serial == val.graph);
        let Some(at) = at else {
            return unsupported("a value is used outside its graph");
        };
        let (mut outer, mut id) = (val, val.id);
        for inner in at + 1..self.levels.len() {
            id = self.captured(inner, outer);
            outer = Val {
                graph: self.levels[inner].serial,
                id,
            };
        }
        Ok(id)
    }

    /// The value of the graph around `inner`, in `inner`.
    fn captured(&mut self, inner: usize, outer: Val) -> ValueId {
        if let Some(id) = self.levels[inner].captures.get(&outer) {
            return *id;
        }
        let known = self.levels[inner - 1].known.get(&outer.id).cloned();
        let value = &self.levels[inner - 1].graph.values[outer.id.index()];
        let (ty, name) = (value.ty.clone(), value.name.clone());
        let location = self.location.clone();
        let level = &mut self.levels[inner];
        let id = match known {
            Some(array) => {
                let op = Op::Constant(array.clone());
                let id = level.graph.add_node(op, Vec::new(), vec![ty], location)[0];
                level.known.insert(id, array);
                id
            }
            None => {
                level.captured.push(outer);
                level.graph.add_input(ty, name)
            }
        };
        level.captures.insert(outer, id);
        id
    }

    /// Builds a subgraph.
    pub fn within<T>(
        &mut self,
        build: impl FnOnce(&mut Self) -> Result<(Vec<Val>, T)>,
    ) -> Result<(Closed, T)> {
        let (depth, scope) = (self.depth(), self.scopes.depth());
        self.open();
        let built = build(self).and_then(|(outputs, more)| Ok((self.close(&outputs)?, more)));
        if let Err(fault) = &built {
            if let Fault::NeedsValue(_, val) = fault
                && self.is_open(*val)
            {
                self.needed = self.origins(*val).unwrap_or_default();
            }
            self.abandon(depth);
            self.scopes.leave_to(scope);
        }
        built
    }

    /// Counts a step of the import.
    pub fn step(&mut self) -> Result<()> {
        self.nodes += 1;
        if self.nodes > MAX_NODES {
            return unsupported(format!(
                "a model that takes more than {MAX_NODES} steps to read"
            ));
        }
        self.make(0)
    }

    /// Counts elements of what an importer makes.
    pub fn make(&mut self, elements: usize) -> Result<()> {
        self.made = self.made.saturating_add(elements);
        if self.made > MAX_MADE {
            return unsupported("lists, windows and positions that are too large together");
        }
        Ok(())
    }

    /// Counts the bytes of a function or an attribute that is copied for a call.
    pub fn copy(&mut self, bytes: usize) -> Result<()> {
        self.copied = self.copied.saturating_add(bytes);
        if self.copied > MAX_COPIED {
            return unsupported("calls of functions that are too large together");
        }
        Ok(())
    }

    /// The finished graph.
    pub fn finish(mut self, outputs: &[Val]) -> Result<Graph> {
        Ok(self.close(outputs)?.graph)
    }

    /// Adds a node with outputs of these types.
    pub fn node(&mut self, op: Op, inputs: &[Val], types: Vec<TensorType>) -> Result<Vec<Val>> {
        self.step()?;
        let inputs: Result<Vec<ValueId>> = inputs.iter().map(|v| self.here(*v)).collect();
        let inputs = inputs?;
        let location = self.location.clone();
        let ids = self.top().graph.add_node(op, inputs, types, location);
        Ok(ids.into_iter().map(|id| self.val(id)).collect())
    }

    /// Applies an op of the table. A small result of known operands is computed at once.
    pub fn op(&mut self, op: &'static OpDef, inputs: &[Val], attrs: Attrs) -> Result<Val> {
        let types: Vec<TensorType> = inputs.iter().map(|v| self.ty(*v).clone()).collect();
        let ty = (op.infer)(&types, &attrs)?;
        if let Some(array) = self.folded(op, inputs, &attrs, &ty)? {
            return Ok(self.known_constant(Arc::new(array)));
        }
        let outputs = self.node(Op::Primitive(op, attrs), inputs, vec![ty])?;
        Ok(outputs[0])
    }

    /// The result, if the operands are known and it is small.
    fn folded(
        &self,
        op: &'static OpDef,
        inputs: &[Val],
        attrs: &Attrs,
        ty: &TensorType,
    ) -> Result<Option<Array>> {
        let known = |v: &Val| self.known(*v).map(|array| &**array);
        let operands: Option<Vec<&Array>> = inputs.iter().map(known).collect();
        let Some(operands) = operands else {
            return Ok(None);
        };
        let size = size_of(ty).or_else(|| is_bounded(op).then_some(0));
        Ok(self.folding.fold(op, &operands, attrs, (ty.dtype, size))?)
    }

    /// Whether the graph of a value is still being built.
    fn is_open(&self, val: Val) -> bool {
        self.levels.iter().any(|level| level.serial == val.graph)
    }

    /// The arguments, by position, whose values would help with a fault; none are known to help if the list is empty.
    pub fn helpful(&self, fault: &Fault) -> BTreeSet<usize> {
        match fault {
            Fault::NeedsValue(_, val) if self.is_open(*val) => {
                self.origins(*val).unwrap_or_default()
            }
            Fault::NeedsValue(..) => self.needed.clone(),
            _ => BTreeSet::new(),
        }
    }

    /// The arguments of the model, by position, that a value depends on; `None` if it also depends on the step of a loop.
    fn origins(&self, val: Val) -> Option<BTreeSet<usize>> {
        let sources: Vec<FxHashMap<ValueId, Source>> =
            self.levels.iter().map(Level::sources).collect();
        let mut origins = BTreeSet::new();
        let (mut pending, mut seen) = (vec![val], FxHashSet::default());
        while let Some(val) = pending.pop() {
            if !seen.insert(val) {
                continue;
            }
            let at = self
                .levels
                .iter()
                .position(|level| level.serial == val.graph)?;
            match sources[at].get(&val.id)? {
                Source::Input(n) if at == 0 => {
                    origins.insert(*n);
                }
                Source::Input(_) => return None,
                Source::Captured(outer) => pending.push(*outer),
                Source::Node(n) => {
                    let inputs = self.levels[at].graph.nodes[*n].inputs.iter();
                    pending.extend(inputs.map(|id| Val {
                        graph: val.graph,
                        id: *id,
                    }));
                }
            }
        }
        Some(origins)
    }

    /// The shape, as far as it is known.
    pub fn shape(&self, val: Val) -> &Shape {
        &self.ty(val).shape
    }

    /// The rank.
    pub fn rank(&self, val: Val) -> Result<usize> {
        let rank = self.shape(val).rank();
        rank.ok_or_else(|| Fault::NeedsShape("the rank of an operand".to_owned()))
    }

    /// The sizes of all axes. Their product is small enough to calculate with.
    pub fn dims(&self, val: Val) -> Result<Vec<usize>> {
        let Some(dims) = self.shape(val).to_known() else {
            return Err(Fault::NeedsShape("the sizes of an operand".to_owned()));
        };
        terms::len(&dims)?;
        Ok(dims.to_vec())
    }
}

/// Whether the number of values of an op's result is bounded by that of its operands, though the type rule doesn't know it.
fn is_bounded(op: &'static OpDef) -> bool {
    [
        &ops::NONZERO,
        &ops::UNIQUE,
        &ops::BOOLEAN_MASK,
        &ops::RESHAPE_TO,
        &ops::SLICE_AXIS,
        &ops::SLICE_ROWS,
    ]
    .contains(&op)
}
