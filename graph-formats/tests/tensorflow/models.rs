//! Models that TensorFlow wrote.

use std::path::{Path, PathBuf};

use graph_formats::tensorflow::proto::GraphDef;
use graph_formats::tensorflow::{Bundle, graph_of, saved_model};

use crate::read;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tensorflow/models")
}

/// A loop that is left early and collects rows in a list, a training step of a perceptron, and a training step whose gradient goes through a loop.
#[test]
fn models_give_the_values_that_tensorflow_computed() {
    read::all(&folder()).unwrap();
}

#[test]
fn a_model_that_was_read_is_saved_again_and_gives_the_same_values() {
    let model = saved_model::load(folder().join("mlp")).unwrap();
    let names: Vec<&str> = model
        .variables
        .iter()
        .map(|variable| variable.name.as_str())
        .collect();
    assert_eq!(names, ["w1", "b1", "w2", "b2"]);
    let again = std::env::temp_dir().join(format!("graph-formats-again-{}", std::process::id()));
    std::fs::create_dir_all(&again).unwrap();
    saved_model::save(again.join("mlp"), &model).unwrap();
    std::fs::copy(folder().join("mlp.values"), again.join("mlp.values")).unwrap();
    read::all(&again).unwrap();
    std::fs::remove_dir_all(again).unwrap();
}

#[test]
fn a_checkpoint_of_tensorflow_is_read() {
    let bundle = Bundle::load(folder().join("mlp/variables/variables")).unwrap();
    let shape = |name: &str| {
        bundle
            .get(&format!("{name}/.ATTRIBUTES/VARIABLE_VALUE"))
            .unwrap()
            .shape()
            .to_vec()
    };
    assert_eq!((shape("w1"), shape("b2")), (vec![20, 16], vec![5]));
    assert!(bundle.get_bytes("_CHECKPOINTABLE_OBJECT_GRAPH").is_some());
}

/// No changed byte makes reading panic, or take long.
#[test]
fn changed_models_are_errors_or_other_models() {
    let saved = std::fs::read(folder().join("rnn/saved_model.pb")).unwrap();
    for at in (0..saved.len()).step_by(211) {
        let mut changed = saved.clone();
        changed[at] = changed[at].wrapping_add(1);
        let files = [("saved_model.pb".to_owned(), changed)];
        let _ = saved_model::from_bytes(&files.into());
    }
}

/// Control flow of TensorFlow's first version is refused with the way around it.
#[test]
fn switch_and_merge_are_refused() {
    let mut def = GraphDef::default();
    for (name, op, input) in [
        ("x", "Placeholder", ""),
        ("enter", "Enter", "x"),
        ("y", "Identity", "enter"),
    ] {
        let mut node = graph_formats::tensorflow::proto::NodeDef {
            name: name.to_owned(),
            op: op.to_owned(),
            ..Default::default()
        };
        if !input.is_empty() {
            node.input.push(input.to_owned());
        }
        if op == "Placeholder" {
            let float = graph_formats::tensorflow::proto::attr_value::Value::Type(1);
            let dtype = graph_formats::tensorflow::proto::AttrValue { value: Some(float) };
            node.attr.insert("dtype".to_owned(), dtype);
        }
        def.node.push(node);
    }
    let error = graph_of(&def, &["y"]).unwrap_err().to_string();
    assert!(
        error.contains("lower_control_flow=False") && error.contains("`enter`"),
        "{error}"
    );
}

/// Nodes that need each other, functions that call themselves, and a chain that is too deep for recursion.
#[test]
fn graphs_without_an_end_are_refused() {
    let node = |name: &str, op: &str, input: &str| graph_formats::tensorflow::proto::NodeDef {
        name: name.to_owned(),
        op: op.to_owned(),
        input: vec![input.to_owned()],
        ..Default::default()
    };
    let mut def = GraphDef {
        node: vec![node("a", "Relu", "b"), node("b", "Relu", "a")],
        ..GraphDef::default()
    };
    let error = graph_of(&def, &["a"]).unwrap_err().to_string();
    assert!(error.contains("needs itself"), "{error}");
    def.node = (0..100_000)
        .map(|i| node(&format!("n{i}"), "Relu", &format!("n{}", i + 1)))
        .collect();
    let error = graph_of(&def, &["n0"]).unwrap_err().to_string();
    assert!(error.contains("there is no node `n100000`"), "{error}");
}

/// Functions that are nested too deep, by calls and by loops, are refused before the stack ends.
#[test]
fn functions_that_are_nested_too_deep_are_refused() {
    for op in ["PartitionedCall", "StatelessWhile", "StatelessIf"] {
        let error = graph_of(&nested(op), &["f0:output:0"])
            .unwrap_err()
            .to_string();
        assert!(error.contains("nested more than"), "{error}");
    }
}

/// A chain of functions, each of which has the next one in a node of this op.
fn nested(op: &str) -> GraphDef {
    use graph_formats::tensorflow::proto::{
        AttrValue, FunctionDef, FunctionDefLibrary, NameAttrList, NodeDef, OpDef,
        attr_value::Value, op_def::ArgDef,
    };
    let function = |n: usize| AttrValue {
        value: Some(Value::Func(NameAttrList {
            name: format!("f{n}"),
            ..NameAttrList::default()
        })),
    };
    let node = |n: usize, x: &str| NodeDef {
        name: format!("f{n}"),
        op: op.to_owned(),
        input: vec![x.to_owned(); if op == "StatelessIf" { 2 } else { 1 }],
        attr: ["f", "cond", "body", "then_branch", "else_branch"]
            .map(|name| (name.to_owned(), function(n)))
            .into(),
        ..NodeDef::default()
    };
    let arg = |name: &str| ArgDef {
        name: name.to_owned(),
        r#type: 10,
        ..ArgDef::default()
    };
    let define = |n: usize| FunctionDef {
        signature: Some(OpDef {
            name: format!("f{n}"),
            input_arg: vec![arg("x")],
            output_arg: vec![arg("y")],
            ..OpDef::default()
        }),
        node_def: vec![node(n + 1, "x")],
        ret: [("y".to_owned(), format!("f{}:output:0", n + 1))].into(),
        ..FunctionDef::default()
    };
    let placeholder = NodeDef {
        name: "x".to_owned(),
        op: "Placeholder".to_owned(),
        attr: [(
            "dtype".to_owned(),
            AttrValue {
                value: Some(Value::Type(10)),
            },
        )]
        .into(),
        ..NodeDef::default()
    };
    GraphDef {
        node: vec![placeholder, node(0, "x")],
        library: Some(FunctionDefLibrary {
            function: (0..100).map(define).collect(),
            ..FunctionDefLibrary::default()
        }),
        ..GraphDef::default()
    }
}
