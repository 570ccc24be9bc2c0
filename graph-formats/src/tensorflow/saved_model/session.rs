//! The graph of TensorFlow 1, which sessions, the C API and TensorFlow Serving load: placeholders, variables, a call for each signature, and the nodes
//! that save and restore the variables.

use std::collections::BTreeMap;

use graph_ir::types::{Shape, TensorType};
use graph_kernels::{Array, DType};

use super::objects::key;
use super::{Model, Signature};
use crate::tensorflow::attributes;
use crate::tensorflow::export::{Effect, Source, Tensor, ValueInfo, Writer};
use crate::tensorflow::proto::saver_def::CheckpointFormatVersion;
use crate::tensorflow::proto::{SaverDef, SignatureDef, TensorInfo, tensor_info};
use crate::tensorflow::types::{data_type, shape_proto};

/// Writes the variables' handles.
pub(super) fn handles(w: &mut Writer, model: &Model) -> Vec<Tensor> {
    let mut handles = Vec::new();
    for variable in &model.variables {
        let ty = TensorType::new(variable.value.dtype(), variable.shape.clone());
        let handle = w
            .op("VarHandleOp", &[])
            .attr("dtype", attributes::dtype(data_type(ty.dtype)))
            .attr("shape", attributes::shape(shape_proto(&ty.shape)))
            .attr("shared_name", attributes::text(&variable.name))
            .attr("container", attributes::text(""))
            .named(&crate::tensorflow::export::node_name(&variable.name));
        handles.extend(handle.give(&[ValueInfo::variable(ty)]));
    }
    handles
}

/// A placeholder of this name.
fn placeholder(w: &mut Writer, name: &str, ty: TensorType) -> Tensor {
    let shape = attributes::shape(shape_proto(&ty.shape));
    w.op("Placeholder", &[])
        .attr("shape", shape)
        .named(name)
        .gives(ty)
}

/// What a session needs to know of a tensor.
fn info(w: &Writer, tensor: &Tensor) -> TensorInfo {
    let reference = w.body.reference(&tensor.source);
    let name = if reference.contains(':') {
        reference
    } else {
        format!("{reference}:0")
    };
    TensorInfo {
        encoding: Some(tensor_info::Encoding::Name(name)),
        dtype: data_type(tensor.dtype()) as i32,
        tensor_shape: Some(shape_proto(&tensor.info.ty.shape)),
    }
}

/// Writes a call of a signature's function, whose parameters and results are in the order of their names.
pub(super) fn signature(
    w: &mut Writer,
    signature: &Signature,
    function: &str,
    handles: &[Tensor],
) -> SignatureDef {
    let trace = &signature.trace;
    let ordered = |names: Vec<String>| {
        names
            .into_iter()
            .enumerate()
            .map(|(at, name)| (name, at))
            .collect::<BTreeMap<_, _>>()
    };
    let (mut arguments, mut inputs) = (Vec::new(), BTreeMap::new());
    for (name, at) in ordered(trace.parameters()) {
        let ty = trace.graph.ty(trace.graph.inputs[at]).clone();
        let argument = placeholder(w, &format!("{}_{name}", signature.name), ty);
        inputs.insert(name, info(w, &argument));
        arguments.push(argument);
    }
    arguments.extend(
        trace
            .variables
            .iter()
            .filter_map(|id| handles.get(*id).cloned()),
    );
    let named = ordered(trace.results());
    let infos: Vec<ValueInfo> = named
        .values()
        .map(|at| ValueInfo::tensor(trace.graph.ty(trace.graph.outputs[*at]).clone()))
        .collect();
    let call = w.op("StatefulPartitionedCall", &[]).list(&arguments);
    let results = call.attr("f", attributes::func(function)).give(&infos);
    let outputs = named
        .into_keys()
        .zip(&results)
        .map(|(name, result)| (name, info(w, result)));
    SignatureDef {
        inputs,
        outputs: outputs.collect(),
        method_name: "tensorflow/serving/predict".to_owned(),
    }
}

/// Writes the nodes that save and restore the variables.
pub(super) fn saver(w: &mut Writer, model: &Model, handles: &[Tensor]) -> SaverDef {
    let file = placeholder(w, "saver_filename", TensorType::scalar(DType::Str));
    let mut done = w.op("Identity", &[&file]);
    if !handles.is_empty() {
        let names: Vec<String> = model
            .variables
            .iter()
            .map(|variable| key(&variable.name))
            .collect();
        let count = names.len();
        let names = Tensor::constant(Array::new(&[count], names));
        let slices = Tensor::constant(Array::new(&[count], vec![String::new(); count]));
        let types = model
            .variables
            .iter()
            .map(|variable| TensorType::new(variable.value.dtype(), variable.shape.clone()));
        let infos: Vec<ValueInfo> = types.map(ValueInfo::tensor).collect();
        let restored = w.op("RestoreV2", &[&file, &names, &slices]).give(&infos);
        for (handle, value) in handles.iter().zip(&restored) {
            w.op("AssignVariableOp", &[handle, value])
                .named("save/AssignVariableOp")
                .effect(Effect::Write)
                .give(&[]);
        }
        let values: Vec<Tensor> = handles
            .iter()
            .map(|handle| {
                w.op("ReadVariableOp", &[handle])
                    .gives(handle.info.ty.clone())
            })
            .collect();
        w.op("SaveV2", &[&file, &names, &slices])
            .list(&values)
            .named("save/SaveV2")
            .give(&[]);
        done = w.op("Identity", &[&file]).after(&after("save/SaveV2"));
    }
    done.named("save/control_dependency").like(&file);
    let mut restore = w.op("NoOp", &[]).named("save/restore_all");
    for at in 0..handles.len() {
        let name = if at == 0 {
            "save/AssignVariableOp".to_owned()
        } else {
            format!("save/AssignVariableOp_{at}")
        };
        restore = restore.after(&after(&name));
    }
    restore.give(&[]);
    SaverDef {
        filename_tensor_name: "saver_filename:0".to_owned(),
        save_tensor_name: "save/control_dependency:0".to_owned(),
        restore_op_name: "save/restore_all".to_owned(),
        version: CheckpointFormatVersion::V2 as i32,
        ..SaverDef::default()
    }
}

/// A tensor that stands for a node without results, as a control input.
fn after(node: &str) -> Tensor {
    Tensor {
        source: Source::Input(node.into()),
        info: ValueInfo::tensor(TensorType::new(DType::Bool, Shape::scalar())),
    }
}
