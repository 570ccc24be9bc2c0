//! From a model to a graph: the inputs as far as they are known, the nodes, and the outputs.

use std::collections::BTreeSet;
use std::sync::Arc;

use graph_ir::graph::Graph;
use graph_ir::types::TensorType;
use graph_kernels::{Array, DType};
use rustc_hash::{FxHashMap, FxHashSet};

use super::build::{Build, Val};
use super::error::{Fault, Result, invalid, unsupported};
use super::scope::{Opsets, Scopes, domain, opsets};
use super::tensor::Folder;
use super::types::{Parameter, Type};
use super::value::{Sequence, Value};
use crate::onnx::proto::{FunctionProto, GraphProto, ModelProto};

/// What is known about an argument when the graph is made.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Known {
    /// Its type.
    Type(TensorType),
    /// Its value.
    Value(Arc<Array>),
    /// That it is a sequence of tensors of these types.
    Sequence(DType, Vec<TensorType>),
    /// That an optional has no value.
    Absent,
}

/// The form of a result.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Form {
    /// The next output.
    Tensor,
    /// So many outputs.
    Sequence(usize),
    /// No output.
    Absent,
}

/// A graph made from a model.
#[derive(Clone, Debug)]
pub(crate) struct Imported {
    pub graph: Graph,
    /// For each input of the graph, the argument that it is (a part of).
    pub inputs: Vec<usize>,
    /// The forms of the model's outputs.
    pub outputs: Vec<Form>,
}

/// Why no graph was made.
pub(crate) struct Failed {
    pub fault: Fault,
    /// The arguments whose values would help.
    pub needs: BTreeSet<usize>,
    /// The weights among the inputs, by position, whose values would help.
    pub weights: BTreeSet<usize>,
}

/// A model as it was read from its file, with what every import of it needs.
#[derive(Debug)]
pub(crate) struct Source {
    pub model: ModelProto,
    pub folder: Folder,
}

impl Source {
    pub fn graph(&self) -> Result<&GraphProto> {
        let graph = self.model.graph.as_ref();
        graph.map_or_else(|| invalid("the model has no graph"), Ok)
    }

    fn opsets(&self) -> Result<Opsets> {
        opsets(&self.model.opset_import)
    }

    fn functions(&self) -> FxHashMap<super::scope::FunctionId<'_>, &FunctionProto> {
        let functions = self.model.functions.iter();
        functions
            .map(|f| ((domain(&f.domain), f.name.as_str(), f.overload.as_str()), f))
            .collect()
    }

    /// The inputs that a caller gives: those without an initializer.
    pub fn parameters(&self) -> Result<Vec<Parameter>> {
        let graph = self.graph()?;
        let given = initialized(graph);
        let free = graph
            .input
            .iter()
            .filter(|info| !given.contains(info.name.as_str()));
        free.map(Parameter::read).collect()
    }

    /// Makes the graph for arguments of which this is known.
    pub fn import(&self, arguments: &[Known]) -> Result<Imported, Failed> {
        self.import_with(arguments, FxHashSet::default())
    }

    /// The same with the initializers of these names as further inputs.
    pub fn import_with<'m>(
        &'m self,
        arguments: &[Known],
        weights: FxHashSet<&'m str>,
    ) -> Result<Imported, Failed> {
        let start = |fault| Failed {
            fault,
            needs: BTreeSet::new(),
            weights: BTreeSet::new(),
        };
        let opsets = self.opsets().map_err(start)?;
        let graph = self.graph().map_err(start)?;
        let scopes = Scopes::new(self.functions(), self.folder.clone(), opsets);
        let mut build = Build::new(scopes);
        build.weights = weights;
        let (inputs, outputs) =
            read(&mut build, graph, arguments).map_err(|fault| needed(&build, fault, arguments))?;
        let leaves: Vec<Val> = outputs
            .iter()
            .flat_map(|value| value.leaves().to_vec())
            .collect();
        let forms = outputs.iter().map(|value| match value {
            Value::Tensor(_) => Form::Tensor,
            Value::Sequence(sequence) => Form::Sequence(sequence.items.len()),
            Value::Absent => Form::Absent,
        });
        let forms = forms.collect();
        let graph = build.finish(&leaves).map_err(start)?;
        if let Err(error) = graph_ir::graph::verify(&graph) {
            return Err(start(Fault::Unsupported(error.to_string())));
        }
        Ok(Imported {
            graph,
            inputs,
            outputs: forms,
        })
    }
}

/// The names of initializers.
fn initialized(graph: &GraphProto) -> FxHashSet<&str> {
    let sparse = graph
        .sparse_initializer
        .iter()
        .filter_map(|s| s.values.as_ref());
    graph
        .initializer
        .iter()
        .chain(sparse)
        .map(|t| t.name.as_str())
        .collect()
}

/// A failure with the arguments whose values would help.
fn needed(build: &Build<'_>, fault: Fault, arguments: &[Known]) -> Failed {
    let origins = build.helpful(&fault);
    let slots = slots(arguments);
    let needs = origins
        .iter()
        .filter_map(|input| slots.get(*input).copied())
        .collect();
    let weights = origins
        .iter()
        .filter_map(|input| input.checked_sub(slots.len()))
        .collect();
    Failed {
        fault,
        needs,
        weights,
    }
}

/// For each input of the graph, its argument.
fn slots(arguments: &[Known]) -> Vec<usize> {
    let inputs = |known: &Known| match known {
        Known::Type(_) => 1,
        Known::Sequence(_, items) => items.len(),
        Known::Value(_) | Known::Absent => 0,
    };
    let slots = arguments
        .iter()
        .enumerate()
        .flat_map(|(n, known)| vec![n; inputs(known)]);
    slots.collect()
}

fn read(
    g: &mut Build<'_>,
    graph: &GraphProto,
    arguments: &[Known],
) -> Result<(Vec<usize>, Vec<Value>)> {
    let given = initialized(graph);
    let free = graph
        .input
        .iter()
        .filter(|info| !given.contains(info.name.as_str()));
    for (info, known) in free.zip(arguments) {
        let name = info.name.as_str();
        let value = match known {
            Known::Type(ty) => g.input(ty.clone(), Some(name)).into(),
            Known::Value(array) => g.given(array.clone()).into(),
            Known::Sequence(dtype, types) => {
                let items: Vec<Val> = types
                    .iter()
                    .map(|ty| g.input(ty.clone(), Some(name)))
                    .collect();
                Sequence::of(*dtype, items)
            }
            Known::Absent => Value::Absent,
        };
        g.scopes.define(name, value)?;
    }
    g.initializers(graph)?;
    g.nodes(&graph.node)?;
    let outputs = graph.output.iter().map(|info| g.scopes.find(&info.name));
    let outputs: Vec<Value> = outputs.collect::<Result<_>>()?;
    check_outputs(g, graph, &outputs)?;
    Ok((slots(arguments), outputs))
}

/// The outputs must be what the model declares.
fn check_outputs(g: &Build<'_>, graph: &GraphProto, outputs: &[Value]) -> Result<()> {
    for (info, value) in graph.output.iter().zip(outputs) {
        let Some(ty) = &info.r#type else {
            continue;
        };
        let Type::Tensor(declared) = super::types::read(ty)? else {
            continue;
        };
        let actual = g.ty(value.tensor()?);
        if actual.dtype != declared.dtype {
            return invalid(format!(
                "the output `{}` is {}, declared as {}",
                info.name, actual.dtype, declared.dtype
            ));
        }
    }
    Ok(())
}

/// What is known of an argument by its declared type alone.
pub(crate) fn declared(parameter: &Parameter) -> Result<Known> {
    match &parameter.ty {
        Type::Tensor(ty) => Ok(Known::Type(ty.clone())),
        Type::Sequence(_) | Type::Optional(_) => Err(Fault::NeedsShape(format!(
            "the number of tensors in `{}`",
            parameter.name
        ))),
    }
}

/// Refuses a model without outputs.
pub(crate) fn check_signature(graph: &GraphProto) -> Result<()> {
    if graph.output.is_empty() {
        return invalid("the graph has no outputs");
    }
    if graph.output.len() + graph.input.len() > 1 << 16 {
        return unsupported("more than 65536 inputs and outputs");
    }
    Ok(())
}
