//! Small files that ask for much memory, or for a deep stack: each is refused, or read without what it asks for.

use graph_formats::onnx::proto::attribute_proto::AttributeType;
use graph_formats::onnx::proto::{
    AttributeProto, FunctionProto, GraphProto, ModelProto, NodeProto, OperatorSetIdProto,
    SparseTensorProto, TensorProto,
};
use prost::Message;

use crate::models::*;

fn opset(domain: &str, version: i64) -> OperatorSetIdProto {
    OperatorSetIdProto {
        domain: domain.to_owned(),
        version,
    }
}

/// A model with functions of the domain `local`.
fn with_functions(graph: GraphProto, functions: Vec<FunctionProto>) -> ModelProto {
    let mut model = model(graph);
    model.opset_import.push(opset("local", 1));
    model.functions = functions;
    model
}

fn local(mut node: NodeProto) -> NodeProto {
    node.domain = "local".to_owned();
    node
}

/// A function whose attribute is `a`.
fn function(name: &str, input: &[&str], output: &str, node: Vec<NodeProto>) -> FunctionProto {
    FunctionProto {
        name: name.to_owned(),
        domain: "local".to_owned(),
        input: input.iter().map(|name| (*name).to_owned()).collect(),
        output: vec![output.to_owned()],
        attribute: vec!["a".to_owned()],
        node,
        opset_import: vec![opset("", 18), opset("local", 1)],
        ..FunctionProto::default()
    }
}

/// An attribute that refers to the function's own.
fn refers(name: &str, kind: AttributeType) -> AttributeProto {
    AttributeProto {
        name: name.to_owned(),
        ref_attr_name: "a".to_owned(),
        r#type: kind as i32,
        ..AttributeProto::default()
    }
}

/// The message for a model that is much smaller than what it asks for.
fn refusal(model: &ModelProto) -> String {
    assert!(
        model.encoded_len() < 1 << 22,
        "{} bytes",
        model.encoded_len()
    );
    read(model).expect_err("the model is refused").to_string()
}

#[test]
fn an_attribute_of_a_call_is_not_copied_without_a_bound() {
    let large = AttributeProto {
        name: "a".to_owned(),
        t: Some(floats("", &[1 << 18], &[0.0; 1 << 18])),
        r#type: AttributeType::Tensor as i32,
        ..AttributeProto::default()
    };
    let constants = (0..20_000).map(|n| {
        let value = refers("value", AttributeType::Tensor);
        node("Constant", &[], &[&format!("c{n}")], vec![value])
    });
    let model = with_functions(
        graph(
            vec![],
            vec![local(node("f", &[], &["y"], vec![large]))],
            vec![info("y", FLOAT, &[-1])],
        ),
        vec![function("f", &[], "c0", constants.collect())],
    );
    assert!(refusal(&model).contains("too large together"));
}

/// Each function wraps the graph that it is given in more branches, and passes it on.
#[test]
fn graphs_of_attributes_do_not_nest_without_a_bound() {
    let constant = |name: String| {
        let value = AttributeProto {
            name: "value_float".to_owned(),
            f: Some(0.0),
            r#type: AttributeType::Float as i32,
            ..AttributeProto::default()
        };
        graph(
            vec![],
            vec![node("Constant", &[], &[&name], vec![value])],
            vec![info(&name, FLOAT, &[])],
        )
    };
    let choice = |then: AttributeProto, n: usize| {
        let otherwise = subgraph("else_branch", constant(format!("e{n}")));
        node("If", &["c"], &[&format!("y{n}")], vec![then, otherwise])
    };
    let wrapped = || {
        let mut then = refers("then_branch", AttributeType::Graph);
        for n in 0..20 {
            let y = format!("y{n}");
            let branch = graph(vec![], vec![choice(then, n)], vec![info(&y, FLOAT, &[])]);
            then = subgraph(if n == 19 { "a" } else { "then_branch" }, branch);
        }
        then
    };
    const COUNT: usize = 80;
    let functions = (0..COUNT).map(|n| {
        let body = match n + 1 {
            COUNT => choice(refers("then_branch", AttributeType::Graph), 99),
            next => local(node(&format!("f{next}"), &["c"], &["y99"], vec![wrapped()])),
        };
        function(&format!("f{n}"), &["c"], "y99", vec![body])
    });
    let call = local(node(
        "f0",
        &["c"],
        &["y"],
        vec![subgraph("a", constant("z".to_owned()))],
    ));
    let model = with_functions(
        graph(
            vec![info("c", BOOL, &[])],
            vec![call],
            vec![info("y", FLOAT, &[])],
        ),
        functions.collect(),
    );
    assert!(refusal(&model).contains("nested more than"));
}

#[test]
fn sparse_tensors_are_not_larger_than_a_bound_together() {
    let sparse = |n: usize| SparseTensorProto {
        values: Some(floats(&format!("s{n}"), &[0], &[])),
        indices: Some(TensorProto {
            dims: vec![0],
            data_type: INT64,
            ..TensorProto::default()
        }),
        dims: vec![1 << 24],
    };
    let mut graph = graph(vec![], vec![], vec![info("s0", FLOAT, &[-1])]);
    graph.sparse_initializer = (0..200).map(sparse).collect();
    assert!(refusal(&model(graph)).contains("too large together"));
}

#[test]
fn an_axis_of_any_size_is_not_split_into_as_many_tensors() {
    let nodes = vec![
        node("SplitToSequence", &["x"], &["s"], vec![]),
        node("SequenceLength", &["s"], &["y"], vec![]),
    ];
    let inputs = vec![info("x", FLOAT, &[1 << 40])];
    let model = model(graph(inputs, nodes, vec![info("y", INT64, &[])]));
    assert!(refusal(&model).contains("parts"));
}

#[test]
fn sequences_that_grow_step_by_step_are_bounded_together() {
    let mut nodes = vec![node("SequenceConstruct", &["x"], &["s0"], vec![])];
    nodes.extend((0..20_000).map(|n| {
        let (old, new) = (format!("s{n}"), format!("s{}", n + 1));
        node("SequenceInsert", &[&old, "x"], &[&new], vec![])
    }));
    nodes.push(node("SequenceLength", &["s20000"], &["y"], vec![]));
    let inputs = vec![info("x", FLOAT, &[1])];
    let model = model(graph(inputs, nodes, vec![info("y", INT64, &[])]));
    assert!(refusal(&model).contains("too large together"));
}

#[test]
fn windows_are_bounded_together() {
    let window = |n: usize| node("HannWindow", &["size"], &[&format!("w{n}")], vec![]);
    let mut graph = graph(
        vec![],
        (0..1000).map(window).collect(),
        vec![info("w0", FLOAT, &[-1])],
    );
    graph.initializer = vec![TensorProto {
        name: "size".to_owned(),
        data_type: INT64,
        int64_data: vec![1 << 22],
        ..TensorProto::default()
    }];
    assert!(refusal(&model(graph)).contains("too large together"));
}

/// Sixty doublings of one letter would be a string of 2^60 letters, if they were done when the model is read.
#[test]
fn strings_do_not_grow_while_a_model_is_read() {
    let mut nodes = vec![node(
        "Constant",
        &[],
        &["s0"],
        vec![text("value_string", "a")],
    )];
    nodes.extend((0..60).map(|n| {
        let (old, new) = (format!("s{n}"), format!("s{}", n + 1));
        node("StringConcat", &[&old, &old], &[&new], vec![])
    }));
    let mut model = model(graph(vec![], nodes, vec![info("s60", 8, &[])]));
    model.opset_import[0].version = 20;
    assert!(read(&model).is_ok());
}
