//! Ops, constants, versions of operator sets, and arguments whose values decide the graph.

use graph_formats::onnx::proto::{AttributeProto, FunctionProto, OperatorSetIdProto};
use graph_formats::onnx::{Data, ErrorKind};
use graph_kernels::Array;

use crate::models::*;

fn x() -> Array {
    Array::new(&[2, 3], vec![1f32, 2.0, 3.0, 4.0, 5.0, 6.0])
}

#[test]
fn a_layer_is_read_and_keeps_its_names_and_symbolic_sizes() {
    let mut graph = graph(
        vec![info("x", FLOAT, &[-1, 2])],
        vec![
            node("Gemm", &["x", "w", "b"], &["h"], vec![int("transB", 1)]),
            node("Relu", &["h"], &["y"], vec![]),
        ],
        vec![info("y", FLOAT, &[-1, 2])],
    );
    graph.initializer = vec![
        floats("w", &[2, 2], &[1.0, 1.0, -1.0, 1.0]),
        floats("b", &[2], &[0.5, -0.5]),
    ];
    let model = model(graph);
    let read = read(&model).unwrap();
    assert_eq!(
        (
            read.inputs()[0].name.as_str(),
            read.outputs()[0].name.as_str()
        ),
        ("x", "y")
    );
    assert_eq!(read.graph().unwrap().inputs.len(), 1);
    // relu([a + b + 0.5, b - a - 0.5]).
    let rows = Array::new(&[2, 2], vec![1f32, 2.0, 3.0, -1.0]);
    assert_eq!(
        run(&model, [rows]),
        [Array::new(&[2, 2], vec![3.5f32, 0.5, 2.5, 0.0])]
    );
}

#[test]
fn axes_that_are_arguments_decide_the_graph_of_a_call() {
    let model = model(graph(
        vec![info("x", FLOAT, &[2, 3]), info("axes", INT64, &[1])],
        vec![node(
            "ReduceSum",
            &["x", "axes"],
            &["y"],
            vec![int("keepdims", 0)],
        )],
        vec![info("y", FLOAT, &[-1])],
    ));
    assert_eq!(
        read(&model).unwrap().graph().unwrap_err().kind(),
        ErrorKind::Unsupported
    );
    let sum = |axis: i64| run(&model, [x(), Array::new(&[1], vec![axis])]);
    assert_eq!(sum(0), [Array::new(&[3], vec![5f32, 7.0, 9.0])]);
    assert_eq!(sum(-1), [Array::new(&[2], vec![6f32, 15.0])]);
}

#[test]
fn a_shape_is_calculated_while_the_model_is_read() {
    let mut graph = graph(
        vec![info("x", FLOAT, &[2, 3])],
        vec![
            node("Shape", &["x"], &["s"], vec![]),
            node("ReduceProd", &["s"], &["n"], vec![int("keepdims", 1)]),
            node("Reshape", &["x", "n"], &["y"], vec![]),
        ],
        vec![info("y", FLOAT, &[6])],
    );
    graph.initializer = vec![];
    let model = model(graph);
    let read = read(&model).unwrap();
    let nodes = read
        .graph()
        .unwrap()
        .nodes
        .iter()
        .filter(|node| node.op.name() != "constant")
        .count();
    assert_eq!(nodes, 1);
    assert_eq!(run(&model, [x()]), [x().reshaped(&[6])]);
}

#[test]
fn the_number_of_largest_values_may_be_calculated_in_a_run() {
    let model = model(graph(
        vec![info("x", FLOAT, &[2, 3]), info("k", INT64, &[1])],
        vec![node("TopK", &["x", "k"], &["y", "at"], vec![])],
        vec![info("y", FLOAT, &[2, -1]), info("at", INT64, &[2, -1])],
    ));
    let read = read(&model).unwrap();
    assert!(read.graph().is_ok());
    let one = |k: i64| [x(), Array::new(&[1], vec![k])];
    let (y, at) = (vec![3f32, 2.0, 6.0, 5.0], vec![2i64, 1, 2, 1]);
    assert_eq!(
        run(&model, one(2)),
        [Array::new(&[2, 2], y), Array::new(&[2, 2], at)]
    );
    let of_four = one(4).map(Data::from);
    assert!(read.call(&of_four, &mut Silent).is_err());
}

#[test]
fn softmax_flattens_before_version_13() {
    let of = |version: i64| {
        let mut model = model(graph(
            vec![info("x", FLOAT, &[1, 2, 2])],
            vec![node("Softmax", &["x"], &["y"], vec![int("axis", 1)])],
            vec![info("y", FLOAT, &[1, 2, 2])],
        ));
        model.opset_import[0].version = version;
        run(&model, [Array::new(&[1, 2, 2], vec![0f32; 4])]).remove(0)
    };
    assert_eq!(of(11).values::<f32>().unwrap(), [0.25; 4]);
    assert_eq!(of(13).values::<f32>().unwrap(), [0.5; 4]);
}

#[test]
fn a_convolution_in_three_dimensions_sums_its_places() {
    let mut graph = graph(
        vec![info("x", FLOAT, &[1, 1, 2, 2, 2])],
        vec![node(
            "Conv",
            &["x", "w"],
            &["y"],
            vec![ints("pads", &[0, 0, 0, 1, 0, 0])],
        )],
        vec![info("y", FLOAT, &[1, 1, 2, 1, 1])],
    );
    graph.initializer = vec![floats("w", &[1, 1, 2, 2, 2], &[1.0; 8])];
    let x = Array::new(
        &[1, 1, 2, 2, 2],
        (1..9).map(|n| n as f32).collect::<Vec<_>>(),
    );
    // The sum of all, and of the second layer with zeros behind it.
    assert_eq!(
        run(&model(graph), [x]),
        [Array::new(&[1, 1, 2, 1, 1], vec![36f32, 26.0])]
    );
}

#[test]
fn a_function_of_the_model_takes_operands_and_attributes() {
    let mut model = model(graph(
        vec![info("x", FLOAT, &[2, 3])],
        vec![{
            let mut call = node("total", &["x"], &["y"], vec![ints("axes", &[1])]);
            call.domain = "local".to_owned();
            call
        }],
        vec![info("y", FLOAT, &[2])],
    ));
    model.opset_import.push(OperatorSetIdProto {
        domain: "local".to_owned(),
        version: 1,
    });
    let refers = |name: &str, to: &str| AttributeProto {
        name: name.to_owned(),
        ref_attr_name: to.to_owned(),
        r#type: 7,
        ..AttributeProto::default()
    };
    model.functions = vec![FunctionProto {
        name: "total".to_owned(),
        domain: "local".to_owned(),
        input: vec!["a".to_owned()],
        output: vec!["b".to_owned()],
        attribute: vec!["axes".to_owned()],
        node: vec![
            node("Constant", &[], &["c"], vec![refers("value_ints", "axes")]),
            node("ReduceSum", &["a", "c"], &["b"], vec![int("keepdims", 0)]),
        ],
        opset_import: vec![OperatorSetIdProto {
            domain: String::new(),
            version: 18,
        }],
        ..FunctionProto::default()
    }];
    assert_eq!(run(&model, [x()]), [Array::new(&[2], vec![6f32, 15.0])]);
}
