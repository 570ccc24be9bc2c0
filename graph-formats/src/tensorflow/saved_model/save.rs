//! A model as the messages of a SavedModel.

use std::collections::BTreeMap;

use graph_ir::error::{Location, Result};
use prost::Message;

use super::objects::{self, Objects, object};
use super::{Files, Function, Model, SAVED_MODEL, Signature, Trace, session, structure};
use crate::tensorflow::attributes;
use crate::tensorflow::export::{self, Tensor, ValueInfo, Writer};
use crate::tensorflow::proto::meta_graph_def::MetaInfoDef;
use crate::tensorflow::proto::op_def::ArgDef;
use crate::tensorflow::proto::saved_object::Kind;
use crate::tensorflow::proto::{
    FunctionDef, MetaGraphDef, NodeDef, OpDef, SavedBareConcreteFunction, SavedConcreteFunction,
    SavedFunction, SavedModel, SavedObject, SavedObjectGraph, StructuredValue,
};

/// The version of TensorFlow that the messages are those of.
const TENSORFLOW_VERSION: &str = "2.13.0";

/// What is being written.
struct Saving<'a> {
    w: Writer,
    objects: Objects,
    functions: BTreeMap<String, SavedConcreteFunction>,
    handles: &'a [Tensor],
}

/// The files of a model.
///
/// # Errors
/// If a graph contains what TensorFlow can't say. The error names the op, the reason and the user's line.
pub(super) fn files(model: &Model) -> Result<Files> {
    let mut w = Writer::default();
    let handles = session::handles(&mut w, model);
    let mut saving = Saving {
        w,
        objects: Objects::new(model),
        functions: BTreeMap::new(),
        handles: &handles,
    };
    for (at, function) in model.functions.iter().enumerate() {
        let node = saving.function(function)?;
        saving.objects.child(0, &function.name, node);
        if at == 0 {
            saving.objects.child(0, "__call__", node);
        }
    }
    let map = saving.objects.add(object("signature_map"));
    saving.objects.child(0, "signatures", map);
    let mut definitions = BTreeMap::new();
    for signature in &model.signatures {
        let (node, definition) = saving.signature(signature)?;
        saving.objects.child(map, &signature.name, node);
        definitions.insert(signature.name.clone(), definition);
    }
    saving.objects.check(model)?;
    let saver = session::saver(&mut saving.w, model, &handles);
    let mut files: Files = objects::checkpoint(model, &saving.objects).into();
    let meta_graph = MetaGraphDef {
        meta_info_def: Some(MetaInfoDef {
            tags: vec!["serve".to_owned()],
            tensorflow_version: TENSORFLOW_VERSION.to_owned(),
            ..MetaInfoDef::default()
        }),
        graph_def: Some(export::finish(saving.w)),
        saver_def: Some(saver),
        signature_def: definitions,
        object_graph_def: Some(SavedObjectGraph {
            nodes: saving.objects.nodes,
            concrete_functions: saving.functions,
        }),
        ..MetaGraphDef::default()
    };
    let saved = SavedModel {
        saved_model_schema_version: 1,
        meta_graphs: vec![meta_graph],
    };
    files.insert(SAVED_MODEL.to_owned(), saved.encode_to_vec());
    Ok(files)
}

impl Saving<'_> {
    /// Writes a function with its traces, and returns its object.
    fn function(&mut self, function: &Function) -> Result<i32> {
        let mut names = Vec::new();
        for trace in &function.traces {
            let name = self.concrete(&function.name, trace)?;
            let types = |ids: &[graph_ir::graph::ValueId]| trace.graph.types(ids);
            let parameters = trace
                .parameters()
                .into_iter()
                .zip(types(&trace.graph.inputs));
            let parameters = parameters
                .map(|(name, ty)| structure::tensor(&name, &ty))
                .collect();
            let inputs = structure::tuple(vec![structure::tuple(parameters), structure::dict([])]);
            self.describe(
                &name,
                trace,
                inputs,
                structure::results(&types(&trace.graph.outputs)),
            );
            names.push(name);
        }
        let positional = function
            .traces
            .first()
            .map(Trace::parameters)
            .unwrap_or_default();
        Ok(self.objects.add(SavedObject {
            kind: Some(Kind::Function(SavedFunction {
                concrete_functions: names,
                function_spec: Some(structure::function_spec(&positional, &[])),
            })),
            ..SavedObject::default()
        }))
    }

    /// Writes a trace's function, and returns its name.
    fn concrete(&mut self, name: &str, trace: &Trace) -> Result<String> {
        let inputs: Vec<ValueInfo> = trace
            .graph
            .types(&trace.graph.inputs)
            .into_iter()
            .map(ValueInfo::tensor)
            .collect();
        let function = export::Function::called(&trace.graph, name, &inputs);
        export::write_function(&mut self.w, &function, &Location::unknown())
    }

    fn describe(
        &mut self,
        name: &str,
        trace: &Trace,
        inputs: StructuredValue,
        outputs: StructuredValue,
    ) {
        let bound = trace
            .variables
            .iter()
            .filter_map(|id| self.objects.variables.get(*id).copied());
        let described = SavedConcreteFunction {
            bound_inputs: bound.collect(),
            canonicalized_input_signature: Some(inputs),
            output_signature: Some(outputs),
        };
        self.functions.insert(name.to_owned(), described);
    }

    /// Writes a signature: a function whose parameters and results are in the order of their names, its object, and the call of a session.
    fn signature(
        &mut self,
        signature: &Signature,
    ) -> Result<(i32, crate::tensorflow::proto::SignatureDef)> {
        let trace = &signature.trace;
        let called = self.concrete(&signature.name, trace)?;
        let parameters = by_name(trace.parameters(), trace.graph.types(&trace.graph.inputs));
        let results = by_name(trace.results(), trace.graph.types(&trace.graph.outputs));
        let wrapper = wrapper(&called, trace, &parameters, &results);
        let name = self.w.library.add("__inference_signature_wrapper", wrapper);
        let dict = |named: &[Named]| {
            structure::dict(named.iter().map(|named| {
                (
                    named.name.clone(),
                    structure::tensor(&named.name, &named.ty),
                )
            }))
        };
        let inputs = structure::tuple(vec![structure::tuple(Vec::new()), dict(&parameters)]);
        self.describe(&name, trace, inputs, dict(&results));
        let keywords: Vec<String> = parameters.into_iter().map(|named| named.name).collect();
        let node = self.objects.add(SavedObject {
            kind: Some(Kind::BareConcreteFunction(SavedBareConcreteFunction {
                concrete_function_name: name.clone(),
                function_spec: Some(structure::function_spec(&[], &keywords)),
                argument_keywords: keywords,
                allowed_positional_arguments: 1,
            })),
            ..SavedObject::default()
        });
        let definition = session::signature(&mut self.w, signature, &name, self.handles);
        Ok((node, definition))
    }
}

/// A parameter or result.
struct Named {
    name: String,
    ty: graph_ir::types::TensorType,
    /// Its position in the graph.
    at: usize,
}

/// In the order of the names.
fn by_name(names: Vec<String>, types: Vec<graph_ir::types::TensorType>) -> Vec<Named> {
    let all = names.into_iter().zip(types).enumerate();
    let mut named: Vec<Named> = all.map(|(at, (name, ty))| Named { name, ty, at }).collect();
    named.sort_by(|a, b| a.name.cmp(&b.name));
    named
}

/// A function that takes parameters and gives results in the order of their names, and calls a trace.
fn wrapper(called: &str, trace: &Trace, parameters: &[Named], results: &[Named]) -> FunctionDef {
    let argument = |name: &str, info: &ValueInfo| ArgDef {
        name: name.to_owned(),
        r#type: info.data_type() as i32,
        ..ArgDef::default()
    };
    let variables = trace
        .graph
        .variables
        .iter()
        .map(|value| ValueInfo::variable(value.ty.clone()));
    let variables: Vec<(String, ValueInfo)> = variables
        .enumerate()
        .map(|(at, info)| (format!("variable_{at}"), info))
        .collect();
    let mut inputs: Vec<ArgDef> = parameters
        .iter()
        .map(|named| argument(&named.name, &ValueInfo::tensor(named.ty.clone())))
        .collect();
    inputs.extend(variables.iter().map(|(name, info)| argument(name, info)));
    let mut ordered: Vec<&Named> = parameters.iter().collect();
    ordered.sort_by_key(|named| named.at);
    let types = |ids: &[graph_ir::graph::ValueId]| {
        trace.graph.types(ids).into_iter().map(ValueInfo::tensor)
    };
    let taken = types(&trace.graph.inputs).chain(variables.iter().map(|(_, info)| info.clone()));
    let call = NodeDef {
        name: "StatefulPartitionedCall".to_owned(),
        op: "StatefulPartitionedCall".to_owned(),
        input: ordered
            .iter()
            .map(|named| named.name.clone())
            .chain(variables.iter().map(|(name, _)| name.clone()))
            .collect(),
        attr: [
            (
                "Tin".to_owned(),
                attributes::dtypes(taken.map(|info| info.data_type())),
            ),
            (
                "Tout".to_owned(),
                attributes::dtypes(types(&trace.graph.outputs).map(|info| info.data_type())),
            ),
            ("f".to_owned(), attributes::func(called)),
        ]
        .into(),
        ..NodeDef::default()
    };
    let control = call.name.clone();
    FunctionDef {
        ret: results
            .iter()
            .map(|named| {
                (
                    named.name.clone(),
                    format!("{}:output:{}", call.name, named.at),
                )
            })
            .collect(),
        control_ret: [(control.clone(), control.clone())].into(),
        signature: Some(OpDef {
            input_arg: inputs,
            output_arg: results
                .iter()
                .map(|named| argument(&named.name, &ValueInfo::tensor(named.ty.clone())))
                .collect(),
            is_stateful: true,
            control_output: vec![control],
            ..OpDef::default()
        }),
        node_def: vec![call],
        ..FunctionDef::default()
    }
}
