//! Models that are written here and changed message by message.

use graph_formats::tensorflow::proto::attr_value::Value;
use graph_formats::tensorflow::proto::saved_object::Kind;
use graph_formats::tensorflow::proto::trackable_object_graph::trackable_object::ObjectReference;
use graph_formats::tensorflow::proto::{
    FunctionDef, MetaGraphDef, NodeDef, SavedModel, SavedObject, SavedObjectGraph,
};
use graph_formats::tensorflow::saved_model::{self, Files, Function, Model, StoredVariable, Trace};
use graph_ir::device::Place;
use graph_ir::graph::{Graph, SharedGraph};
use graph_ir::types::TensorType;
use graph_kernels::Array;
use prost::Message;

use crate::nodes::{constants, node};
use crate::values::run;

fn scalar(name: &str, value: f32) -> StoredVariable {
    StoredVariable::new(name, Array::scalar(value))
}

/// A model with one function of a number, which writes all variables.
fn model(name: &str, variables: Vec<StoredVariable>) -> Model {
    let names: Vec<String> = (0..variables.len()).map(|n| format!("v{n}")).collect();
    let table: Vec<String> = names.iter().map(|v| format!("{v}: float32[]")).collect();
    let writes: String = names
        .iter()
        .map(|v| format!("assign_variable {v} (x) "))
        .collect();
    let text = format!(
        "graph (x: float32[]) with ({}) -> (float32[]) {{ {writes} return x }}",
        table.join(", ")
    );
    let graph: Graph = text.parse().unwrap();
    let trace = Trace {
        graph: SharedGraph::from(graph),
        variables: (0..variables.len()).collect(),
        results: Vec::new(),
    };
    Model {
        variables,
        functions: vec![Function {
            name: name.to_owned(),
            traces: vec![trace],
        }],
        ..Model::default()
    }
}

/// The model's files with a changed graph.
fn changed(model: &Model, change: impl FnOnce(&mut MetaGraphDef)) -> Files {
    let mut files = model.to_files().unwrap();
    let file = files.get_mut("saved_model.pb").unwrap();
    let mut saved = SavedModel::decode(file.as_slice()).unwrap();
    change(&mut saved.meta_graphs[0]);
    *file = saved.encode_to_vec();
    files
}

/// The values of the variables after a call of the function, whose only node is this one and takes the variables and then constants.
fn stepped(start: &[f32], op: &str, numbers: &[f32], attributes: &[(&str, Value)]) -> Vec<f32> {
    let variables = (0..start.len()).map(|n| scalar(&format!("w{n}"), start[n]));
    let body = |function: &mut FunctionDef| {
        let arguments = &function.signature.as_ref().unwrap().input_arg;
        let mut inputs: Vec<String> = arguments[1..].iter().map(|arg| arg.name.clone()).collect();
        let names: Vec<String> = (0..numbers.len()).map(|n| format!("c{n}")).collect();
        let arrays = names.iter().zip(numbers);
        let arrays = arrays.map(|(name, value)| (name.as_str(), Array::scalar(*value)));
        let mut nodes: Vec<NodeDef> = constants(arrays.collect());
        inputs.extend(names.iter().map(|name| format!("{name}:output:0")));
        let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
        nodes.push(node("step", op, &inputs, attributes));
        let result = arguments[0].name.clone();
        function
            .ret
            .values_mut()
            .for_each(|from| from.clone_from(&result));
        function.control_ret = [("step".to_owned(), "step".to_owned())].into();
        function.node_def = nodes;
    };
    let files = changed(&model("step", variables.collect()), |meta| {
        let library = meta.graph_def.as_mut().unwrap().library.as_mut().unwrap();
        library.function.iter_mut().for_each(body);
    });
    let read = saved_model::from_bytes(&files).unwrap();
    assert!(read.refused.is_empty(), "{:?}", read.refused);
    let places = read.variables.iter().map(|variable| {
        let ty = TensorType::of_array(&variable.value);
        Place::new(variable.name.as_str(), ty, variable.value.clone()).unwrap()
    });
    let places: Vec<Place> = places.collect();
    let trace = &read.functions[0].traces[0];
    let own = trace.variables.iter().map(|at| &places[*at]).collect();
    run(&trace.graph, &[Array::scalar(0f32)], own).unwrap();
    let value = |place: &Place| place.read().to_host().unwrap().values::<f32>().unwrap()[0];
    places.iter().map(value).collect()
}

fn near(found: &[f32], expected: &[f64]) {
    let close = |(a, b): (&f32, &f64)| (f64::from(*a) - b).abs() < 1e-6;
    let all = found.len() == expected.len() && found.iter().zip(expected).all(close);
    assert!(all, "{found:?} and not {expected:?}");
}

/// Kingma and Ba, "Adam", algorithm 1 with the bias corrections in the rate; Dozat's variant looks ahead.
#[test]
fn adam_is_that_of_its_paper() {
    let (g, m, v, rate, b1, b2, eps) = (0.5, 0.1, 0.02, 0.01, 0.9, 0.99, 1e-4);
    let (p1, p2) = (b1 * b1, b2 * b2);
    let (m1, v1) = (b1 * m + (1.0 - b1) * g, b2 * v + (1.0 - b2) * g * g);
    let rate_t: f64 = rate * f64::sqrt(1.0 - p2) / (1.0 - p1);
    for nesterov in [false, true] {
        let ahead = if nesterov {
            b1 * m1 + (1.0 - b1) * g
        } else {
            m1
        };
        let w = 1.0 - rate_t * ahead / (f64::sqrt(v1) + eps);
        let numbers = [p1, p2, rate, b1, b2, eps, g].map(|n| n as f32);
        let found = stepped(
            &[1.0, m as f32, v as f32],
            "ResourceApplyAdam",
            &numbers,
            &[("use_nesterov", Value::B(nesterov))],
        );
        near(&found, &[w, m1, v1]);
    }
}

#[test]
fn momentum_adds_up_gradients() {
    let (rate, gradient, share) = (0.1, 2.0, 0.5);
    let accumulated = 4.0 * share + gradient;
    for nesterov in [false, true] {
        let step = match nesterov {
            true => gradient + share * accumulated,
            false => accumulated,
        };
        let found = stepped(
            &[1.0, 4.0],
            "ResourceApplyMomentum",
            &[rate, gradient, share].map(|n: f64| n as f32),
            &[("use_nesterov", Value::B(nesterov))],
        );
        near(&found, &[1.0 - rate * step, accumulated]);
    }
}

#[test]
fn objects_of_one_name_are_refused() {
    let error = |name: &str, variables: &[&str]| {
        let variables = variables.iter().map(|name| scalar(name, 0.0)).collect();
        model(name, variables).to_files().unwrap_err().to_string()
    };
    assert!(error("b", &["b"]).contains("`b`"));
    assert!(error("layer", &["layer.w"]).contains("`layer`"));
    assert!(error("signatures", &["b"]).contains("`signatures`"));
    assert!(error("f", &["a", "a.b"]).contains("`a`"));
    assert!(error("f", &["a/b", "a.b"]).contains("`a.b`"));
}

/// A function with two names is read once.
#[test]
fn names_of_one_function_share_its_graph() {
    let files = changed(&model("f", vec![scalar("w", 1.0)]), |meta| {
        let objects = &mut meta.object_graph_def.as_mut().unwrap().nodes;
        let is_function = |object: &SavedObject| matches!(object.kind, Some(Kind::Function(_)));
        let function = objects.iter().position(is_function).unwrap();
        objects[0].children.push(ObjectReference {
            node_id: function as i32,
            local_name: "g".to_owned(),
        });
    });
    let read = saved_model::from_bytes(&files).unwrap();
    let [f, g] = &read.functions[..] else {
        panic!("{:?}", read.functions)
    };
    assert_eq!(f.traces[0].graph.as_ptr(), g.traces[0].graph.as_ptr());
}

/// The paths of a chain of 200,000 objects would have 2^40 letters together.
#[test]
fn paths_of_objects_are_bounded() {
    let object = |n: i32| SavedObject {
        children: vec![ObjectReference {
            node_id: n + 1,
            local_name: "x".repeat(50),
        }],
        ..SavedObject::default()
    };
    let files = changed(&model("f", vec![scalar("w", 1.0)]), |meta| {
        let SavedObjectGraph { nodes, .. } = meta.object_graph_def.as_mut().unwrap();
        let first = nodes.len() as i32;
        nodes[0].children.push(ObjectReference {
            node_id: first,
            local_name: "chain".to_owned(),
        });
        nodes.extend((first..first + 200_000).map(object));
    });
    let read = saved_model::from_bytes(&files).unwrap();
    assert_eq!(read.variables[0].name, "w");
}
