//! The structure of models of whole functions.

use std::collections::BTreeSet;

use graph_formats::onnx::proto::{GraphProto, ModelProto, NodeProto};
use graph_runtime::ConcreteFunction;
use graph_runtime::nn::Dense;
use graph_runtime::onnx::Options;
use graph_runtime::prelude::*;
use prost::Message;

fn proto(concrete: &ConcreteFunction) -> ModelProto {
    let bytes = concrete
        .to_onnx()
        .unwrap_or_else(|e| panic!("{e}"))
        .to_bytes();
    ModelProto::decode(bytes.as_slice()).expect("a model")
}

fn main_graph(model: &ModelProto) -> &GraphProto {
    model.graph.as_ref().expect("a graph")
}

fn inner<'a>(node: &'a NodeProto, name: &str) -> &'a GraphProto {
    let attribute = node
        .attribute
        .iter()
        .find(|attribute| attribute.name == name);
    attribute
        .and_then(|attribute| attribute.g.as_ref())
        .expect("a graph")
}

fn names(values: &[graph_formats::onnx::proto::ValueInfoProto]) -> Vec<&str> {
    values.iter().map(|value| value.name.as_str()).collect()
}

/// Checks that each name is defined once and before it is used, in a graph and the graphs inside it.
fn check_order(
    nodes: &[NodeProto],
    visible: &BTreeSet<String>,
    all: &mut BTreeSet<String>,
    results: &[&str],
) {
    let mut visible = visible.clone();
    for node in nodes {
        for input in node.input.iter().filter(|input| !input.is_empty()) {
            assert!(visible.contains(input), "{input} of {}", node.op_type);
        }
        for graph in node
            .attribute
            .iter()
            .filter_map(|attribute| attribute.g.as_ref())
        {
            let mut inside = visible.clone();
            for input in &graph.input {
                assert!(
                    all.insert(input.name.clone()),
                    "{} is defined twice",
                    input.name
                );
                inside.insert(input.name.clone());
            }
            check_order(&graph.node, &inside, all, &names(&graph.output));
        }
        for output in &node.output {
            assert!(all.insert(output.clone()), "{output} is defined twice");
            visible.insert(output.clone());
        }
    }
    for result in results {
        let own = nodes
            .iter()
            .any(|node| node.output.iter().any(|output| output == result));
        assert!(own, "{result} is no value of the graph itself");
    }
}

fn check_model(model: &ModelProto) {
    let graph = main_graph(model);
    let given = graph.input.iter().map(|input| &input.name);
    let given: BTreeSet<String> = given
        .chain(graph.initializer.iter().map(|tensor| &tensor.name))
        .cloned()
        .collect();
    assert_eq!(given.len(), graph.input.len() + graph.initializer.len());
    check_order(
        &graph.node,
        &given,
        &mut given.clone(),
        &names(&graph.output),
    );
    for function in &model.functions {
        let given: BTreeSet<String> = function.input.iter().cloned().collect();
        let results: Vec<&str> = function.output.iter().map(String::as_str).collect();
        check_order(&function.node, &given, &mut given.clone(), &results);
    }
}

#[graph_fn]
fn collatz(mut n: Tensor<i32, S0>) -> Tensor<i32> {
    let mut steps = tensor(0);
    while n > 1 {
        if n % 2 == 0 {
            n = n / 2;
        } else {
            n = 3 * n + 1;
        }
        steps += 1;
    }
    steps
}

#[test]
fn control_flow_sees_the_values_around_it() {
    let concrete = collatz::concrete(TensorSpec::new(&[])).unwrap();
    let model = proto(&concrete);
    check_model(&model);
    let graph = main_graph(&model);
    assert_eq!(
        (names(&graph.input), names(&graph.output)),
        (vec!["n"], vec!["output"])
    );
    let the_loop = graph
        .node
        .iter()
        .find(|node| node.op_type == "Loop")
        .expect("a loop");
    let body = inner(the_loop, "body");
    let choice = body
        .node
        .iter()
        .find(|node| node.op_type == "If")
        .expect("a choice");
    assert!(inner(choice, "then_branch").input.is_empty());
    assert!(
        the_loop.doc_string.contains("programs.rs:"),
        "{}",
        the_loop.doc_string
    );
    assert_eq!((model.ir_version, model.opset_import[0].version), (8, 20));
}

#[graph_fn]
fn scaled(x: &Tensor<f32>) -> Tensor<f32> {
    x * 3.0
}

#[graph_fn]
fn calls(x: Tensor<f32>) -> Tensor<f32> {
    scaled(&x) + scaled(&(x + 1.0))
}

#[test]
fn a_called_function_is_written_once() {
    let model = proto(&calls::concrete(TensorSpec::new(&[None])).unwrap());
    check_model(&model);
    assert_eq!(model.functions.len(), 1);
    let called = main_graph(&model)
        .node
        .iter()
        .filter(|node| node.domain == "local");
    assert_eq!(called.count(), 2);
}

#[test]
fn unknown_sizes_have_names_and_bytes_are_the_same_each_time() {
    let concrete = calls::concrete(TensorSpec::new(&[None])).unwrap();
    let text = format!("{:?}", main_graph(&proto(&concrete)).input[0]);
    assert!(text.contains("DimParam(\"x_0\")"), "{text}");
    let bytes = || concrete.to_onnx().unwrap().to_bytes();
    assert_eq!(bytes(), bytes());
}

#[derive(TraceType)]
struct Regression {
    layer: Dense,
}

#[graph_fn]
impl Regression {
    fn step(&self, x: &Tensor<f32>, y: &Tensor<f32>) -> Tensor<f32> {
        let tape = GradientTape::new();
        let loss = (self.layer.call(x) - y).square().mean();
        let (kernel, bias) = (self.layer.kernel(), self.layer.bias().expect("a bias"));
        let (of_kernel, of_bias) = tape.gradient(&loss, (kernel, bias));
        kernel.assign_sub(0.1 * of_kernel.expect("a gradient"));
        bias.assign_sub(0.1 * of_bias.expect("a gradient"));
        loss
    }
}

#[test]
fn what_onnx_cannot_say_names_op_and_line() {
    #[graph_fn]
    fn noisy(x: Tensor<f32>) -> Tensor<f32> {
        graph_print!("x is {x}");
        x
    }
    #[graph_fn]
    fn drawn(x: Tensor<f32>) -> Tensor<f32> {
        x + graph_runtime::random::uniform(&[2])
    }
    let spec = || TensorSpec::new(&[]);
    for (concrete, text) in [
        (
            noisy::concrete(spec()).unwrap(),
            "`print` can't be written as ONNX: ONNX has no operator that prints",
        ),
        (
            drawn::concrete(spec()).unwrap(),
            "`next_seed` can't be written as ONNX",
        ),
    ] {
        let error = concrete.to_onnx().expect_err("an error");
        assert!(error.message().starts_with(text), "{error}");
        assert!(
            error.location().file.ends_with("programs.rs") && error.location().line > 0,
            "{error}"
        );
    }
    let mut options = Options::default();
    options.drop_prints_and_assertions = true;
    assert!(
        noisy::concrete(spec())
            .unwrap()
            .to_onnx_with(&(), &options)
            .is_ok()
    );
    options.opset = 17;
    let error = noisy::concrete(spec())
        .unwrap()
        .to_onnx_with(&(), &options)
        .expect_err("an error");
    assert!(
        error.message().contains("opset 18 to 21, not 17"),
        "{error}"
    );
}

#[test]
fn a_step_of_training_returns_the_new_values() {
    let model = Regression {
        layer: Dense::new(3, 1),
    };
    let x = tensor([[1f32, 2.0, -1.0], [0.5, -0.5, 2.0]]);
    let y = tensor([[1f32], [-2.0]]);
    let concrete = model.step_concrete(&x, &y).unwrap();
    let written = concrete.to_onnx_of(&model).unwrap();
    let proto = ModelProto::decode(written.to_bytes().as_slice()).unwrap();
    check_model(&proto);
    let graph = main_graph(&proto);
    assert_eq!(names(&graph.input), ["x", "y"]);
    let kept: Vec<&str> = graph
        .initializer
        .iter()
        .map(|tensor| tensor.name.as_str())
        .filter(|name| !name.starts_with("constant"))
        .collect();
    let new: Vec<String> = kept.iter().map(|name| format!("{name}_new")).collect();
    assert_eq!(names(&graph.output)[1..], new);
    assert_eq!(kept.len(), 2);

    // Without the model, its variables are inputs.
    let open = concrete.to_onnx().unwrap();
    let open = ModelProto::decode(open.to_bytes().as_slice()).unwrap();
    assert_eq!(names(&main_graph(&open).input).len(), 4);
    let other = Regression {
        layer: Dense::new(2, 1),
    };
    assert!(concrete.to_onnx_of(&other).is_err());

    let loss = model.step(&x, &y);
    let (kernel, bias) = (model.layer.kernel(), model.layer.bias().expect("a bias"));
    let results = [loss.array(), kernel.read().array(), bias.read().array()];
    let cases = crate::cases::Cases::new("steps");
    cases.add(
        "a step of training",
        &written.to_bytes(),
        &[x.array(), y.array()],
        &results,
    );
}
