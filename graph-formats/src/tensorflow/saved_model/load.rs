//! A model from the messages of a SavedModel: its object graph, or, for models of TensorFlow 1, the graph of its session.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use graph_ir::graph::{SharedGraph, Value};
use graph_ir::types::TensorType;
use graph_kernels::Array;
use prost::Message;
use rustc_hash::FxHashMap;

use super::{Function, Model, OBJECT_GRAPH, Signature, StoredVariable, Trace, structure};
use crate::tensorflow::bundle::Bundle;
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::export::Names;
use crate::tensorflow::import::{Argument, Reader};
use crate::tensorflow::proto::attr_value::Value as Attribute;
use crate::tensorflow::proto::saved_object::Kind;
use crate::tensorflow::proto::{
    GraphDef, MetaGraphDef, SavedConcreteFunction, SavedModel, SavedObjectGraph,
    TrackableObjectGraph,
};
use crate::tensorflow::tensors::{Room, array_of};
use crate::tensorflow::types::tensor_type;

/// Reads a model.
pub(super) fn model(saved: &[u8], bundle: &Bundle) -> Result<Model> {
    let saved = SavedModel::decode(saved)?;
    let is_served = |graph: &&MetaGraphDef| {
        graph
            .meta_info_def
            .as_ref()
            .is_some_and(|info| info.tags.iter().any(|tag| tag == "serve"))
    };
    let graphs = &saved.meta_graphs;
    let meta = graphs.iter().find(is_served).or(graphs.first());
    let meta = meta.ok_or_else(|| Error::invalid("the model has no graph"))?;
    let objects = meta
        .object_graph_def
        .as_ref()
        .filter(|objects| !objects.nodes.is_empty());
    let objects = objects.ok_or_else(|| {
        Error::unsupported("a model without an object graph, which TensorFlow 1 saved; `tf.saved_model.save(tf.saved_model.load(path), path)` writes one")
    })?;
    let none = GraphDef::default();
    let mut loading = Loading::new(objects, meta.graph_def.as_ref().unwrap_or(&none), bundle)?;
    loading.functions()?;
    let model = loading.model;
    match model.refused.first() {
        Some((name, error)) if model.functions.is_empty() && model.signatures.is_empty() => {
            Err(error.clone().at(format!("function `{name}`")))
        }
        _ => Ok(model),
    }
}

/// A model that is being read.
struct Loading<'m> {
    objects: &'m SavedObjectGraph,
    graph: &'m GraphDef,
    model: Model,
    /// The positions of the variables, by their objects.
    variables: FxHashMap<i32, usize>,
    /// The names of the variables so far.
    names: Names,
    /// The concrete functions that have been read, by their names: several functions and signatures may have the same.
    traces: FxHashMap<String, Result<Trace>>,
    /// The constants that functions captured, by the names of their nodes.
    constants: FxHashMap<String, Arc<Array>>,
    room: Room,
}

/// The longest path to an object. Without a limit, the paths of a chain of objects would need the square of its length in memory.
const MAX_PATH: usize = 4096;

/// The paths from the root to the objects; each object has its shortest. The root's own lists, such as one of all variables, are left out, and
/// so are objects with longer paths.
fn paths(objects: &SavedObjectGraph) -> FxHashMap<i32, String> {
    let object = |id: i32| {
        usize::try_from(id)
            .ok()
            .and_then(|id| objects.nodes.get(id))
    };
    let is_list = |id: i32| {
        let kind = object(id).and_then(|object| object.kind.as_ref());
        matches!(kind, Some(Kind::UserObject(list)) if list.identifier == "trackable_list_wrapper")
    };
    let mut paths = FxHashMap::from_iter([(0, String::new())]);
    let mut pending = std::collections::VecDeque::from([0]);
    while let Some(at) = pending.pop_front() {
        let own = paths.get(&at).cloned().unwrap_or_default();
        let children = object(at).map(|object| &object.children);
        for child in children
            .into_iter()
            .flatten()
            .filter(|child| at != 0 || !is_list(child.node_id))
        {
            let length = own.len() + 1 + child.local_name.len();
            if let Entry::Vacant(place) = paths.entry(child.node_id)
                && length <= MAX_PATH
            {
                let dot = if own.is_empty() { "" } else { "." };
                place.insert(format!("{own}{dot}{}", child.local_name));
                pending.push_back(child.node_id);
            }
        }
    }
    paths
}

impl<'m> Loading<'m> {
    fn new(
        objects: &'m SavedObjectGraph,
        graph: &'m GraphDef,
        bundle: &Bundle,
    ) -> Result<Loading<'m>> {
        let tracked = match bundle.get_bytes(OBJECT_GRAPH) {
            Some(bytes) => TrackableObjectGraph::decode(bytes)?,
            None => TrackableObjectGraph::default(),
        };
        let paths = paths(objects);
        let mut loading = Loading {
            objects,
            graph,
            model: Model::default(),
            variables: FxHashMap::default(),
            names: Names::default(),
            traces: FxHashMap::default(),
            constants: FxHashMap::default(),
            room: Room::default(),
        };
        for (at, object) in objects.nodes.iter().enumerate() {
            let Some(Kind::Variable(variable)) = &object.kind else {
                continue;
            };
            let attributes = tracked
                .nodes
                .get(at)
                .map(|object| object.attributes.as_slice());
            let key = attributes
                .unwrap_or_default()
                .iter()
                .find(|attribute| attribute.name == "VARIABLE_VALUE");
            let Some(value) = key.and_then(|key| bundle.get(&key.checkpoint_key)) else {
                // What only saving and restoring use has no value.
                continue;
            };
            let ty = match tensor_type(variable.dtype, variable.shape.as_ref()) {
                Ok(ty) if ty.accepts(value) => ty,
                Ok(ty) => {
                    return Err(Error::invalid(format!(
                        "variable `{}` is of type {ty}, and its value isn't",
                        variable.name
                    )));
                }
                Err(error) => return Err(error.at(format!("variable `{}`", variable.name))),
            };
            let path = paths.get(&(at as i32)).cloned();
            let name = path.unwrap_or_else(|| variable.name.replace('/', "."));
            loading
                .variables
                .insert(at as i32, loading.model.variables.len());
            loading.model.variables.push(StoredVariable {
                name: loading.names.unique(&name),
                shape: ty.shape,
                is_trainable: variable.trainable,
                value: value.clone(),
            });
        }
        Ok(loading)
    }

    /// Reads the functions of the root, and the signatures.
    fn functions(&mut self) -> Result<()> {
        let objects = self.objects;
        let object = |id: i32| {
            usize::try_from(id)
                .ok()
                .and_then(|id| objects.nodes.get(id))
        };
        let root = object(0).ok_or_else(|| Error::invalid("the object graph is empty"))?;
        for child in &root.children {
            let name = child.local_name.as_str();
            let Some(object) = object(child.node_id) else {
                return Err(Error::invalid(format!("the object `{name}` is missing")));
            };
            match &object.kind {
                Some(Kind::Function(function))
                    if !(name == "__call__" && self.has(&function.concrete_functions)) =>
                {
                    self.function(name, &function.concrete_functions);
                }
                Some(Kind::UserObject(map)) if map.identifier == "signature_map" => {
                    for child in &object.children {
                        let signature = usize::try_from(child.node_id)
                            .ok()
                            .and_then(|id| objects.nodes.get(id));
                        if let Some(Kind::BareConcreteFunction(function)) =
                            signature.and_then(|object| object.kind.as_ref())
                        {
                            self.signature(&child.local_name, &function.concrete_function_name);
                        }
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Whether another child of the root has these functions.
    fn has(&self, functions: &[String]) -> bool {
        let others = self
            .objects
            .nodes
            .iter()
            .flat_map(|object| match &object.kind {
                Some(Kind::UserObject(_)) => object.children.as_slice(),
                _ => &[],
            });
        let mut others = others
            .filter(|child| child.local_name != "__call__")
            .filter_map(|child| self.objects.nodes.get(usize::try_from(child.node_id).ok()?));
        others.any(|object| matches!(&object.kind, Some(Kind::Function(function)) if function.concrete_functions == functions))
    }

    fn function(&mut self, name: &str, concrete: &[String]) {
        let mut traces = Vec::new();
        for of in concrete {
            match self.trace(of) {
                Ok(trace) => traces.push(trace),
                Err(error) => self.model.refused.push((name.to_owned(), error)),
            }
        }
        if !traces.is_empty() {
            let name = name.to_owned();
            self.model.functions.push(Function { name, traces });
        }
    }

    fn signature(&mut self, name: &str, concrete: &str) {
        match self.trace(concrete) {
            Ok(trace) => self.model.signatures.push(Signature {
                name: name.to_owned(),
                trace,
            }),
            Err(error) => self.model.refused.push((name.to_owned(), error)),
        }
    }

    /// A concrete function.
    fn trace(&mut self, name: &str) -> Result<Trace> {
        let trace = match self.traces.get(name) {
            Some(known) => known.clone(),
            None => {
                let read = self.read_trace(name);
                self.traces.insert(name.to_owned(), read.clone());
                read
            }
        };
        self.room
            .take(trace.as_ref().map_or(0, |trace| trace.variables.len()))?;
        trace
    }

    /// Reads a concrete function.
    fn read_trace(&mut self, name: &str) -> Result<Trace> {
        let objects = self.objects;
        let described = objects.concrete_functions.get(name);
        let described = described
            .ok_or_else(|| Error::invalid(format!("the function `{name}` isn't described")))?;
        let table = self.table(described);
        let values = table
            .iter()
            .filter_map(|at| self.model.variables.get(*at))
            .map(|variable| Value {
                ty: TensorType::new(variable.value.dtype(), variable.shape.clone()),
                name: Some(variable.name.as_str().into()),
            });
        let library = self.graph.library.as_ref();
        let mut reader = Reader::new(library, values.collect(), self.room.clone());
        let arguments = self.arguments(&reader, name, described, &table)?;
        let graph: SharedGraph = reader.graph(name, &arguments)?.into();
        let results = structure::tensors(described.output_signature.as_ref())?;
        let results: Vec<String> = results.into_iter().map(|(name, _)| name).collect();
        let is_named =
            results.len() == graph.outputs.len() && results.iter().all(|name| !name.is_empty());
        Ok(Trace {
            graph,
            variables: table,
            results: if is_named { results } else { Vec::new() },
        })
    }

    /// The variables that a function uses, each once.
    fn table(&self, described: &SavedConcreteFunction) -> Vec<usize> {
        let bound = described
            .bound_inputs
            .iter()
            .filter_map(|id| self.variables.get(id));
        let mut table: Vec<usize> = Vec::new();
        for at in bound {
            if !table.contains(at) {
                table.push(*at);
            }
        }
        table
    }

    /// The arguments: the parameters, then what the function captured.
    fn arguments(
        &mut self,
        reader: &Reader<'_>,
        name: &str,
        described: &SavedConcreteFunction,
        table: &[usize],
    ) -> Result<Vec<Argument>> {
        let signature = reader.find(name)?.signature.as_ref();
        let inputs = signature
            .map(|signature| signature.input_arg.as_slice())
            .unwrap_or_default();
        let bound = &described.bound_inputs;
        let own = inputs
            .len()
            .checked_sub(bound.len())
            .ok_or_else(|| Error::invalid("it captures more than it takes"))?;
        let known = structure::tensors(described.canonicalized_input_signature.as_ref())?;
        let known = if known.len() == own {
            known
        } else {
            Vec::new()
        };
        let mut arguments = Vec::new();
        for (at, input) in inputs.iter().take(own).enumerate() {
            let open = || Ok::<_, Error>((input.name.clone(), tensor_type(input.r#type, None)?));
            let (name, ty) = known.get(at).cloned().map_or_else(open, Ok)?;
            let name = if name.is_empty() {
                input.name.clone()
            } else {
                name
            };
            arguments.push(Argument::Tensor(name, ty));
        }
        for id in bound {
            arguments.push(self.captured(*id, table)?);
        }
        Ok(arguments)
    }

    /// What a function captured.
    fn captured(&mut self, id: i32, table: &[usize]) -> Result<Argument> {
        if let Some(variable) = self.variables.get(&id) {
            let at = table.iter().position(|own| own == variable);
            return at
                .map(Argument::Variable)
                .ok_or_else(|| Error::invalid("a variable is missing"));
        }
        let objects = self.objects;
        let object = usize::try_from(id)
            .ok()
            .and_then(|id| objects.nodes.get(id));
        match object.and_then(|object| object.kind.as_ref()) {
            Some(Kind::Constant(constant)) => {
                self.constant(&constant.operation).map(Argument::Constant)
            }
            Some(Kind::Variable(variable)) => Err(Error::unsupported(format!(
                "variable `{}` has no value",
                variable.name
            ))),
            _ => Err(Error::unsupported(
                "it captures what is neither a variable nor a constant, such as a table of strings",
            )),
        }
    }

    /// The value of a constant node of the main graph.
    fn constant(&mut self, name: &str) -> Result<Arc<Array>> {
        if let Some(known) = self.constants.get(name) {
            return Ok(known.clone());
        }
        let node = self.graph.node.iter().find(|node| node.name == name);
        let value = node.and_then(|node| node.attr.get("value")?.value.as_ref());
        let Some(Attribute::Tensor(tensor)) = value else {
            return Err(Error::invalid(format!("the constant `{name}` is missing")));
        };
        let array = Arc::new(array_of(tensor, &self.room)?);
        self.constants.insert(name.to_owned(), array.clone());
        Ok(array)
    }
}
