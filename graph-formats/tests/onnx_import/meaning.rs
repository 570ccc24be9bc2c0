//! Attributes, defaults by version, and types that decide what an op means. Expected values are closed formulas, or the definitions of ONNX's
//! specification, which the comments quote.

use graph_formats::onnx::proto::attribute_proto::AttributeType;
use graph_formats::onnx::proto::{AttributeProto, NodeProto, TypeProto, type_proto};
use graph_formats::onnx::{Data, ErrorKind};
use graph_kernels::{Array, DType};

use crate::models::*;

/// The results of one node with these operands, in a version of the operator set. They are of this dtype.
fn of_node(version: i64, node: NodeProto, operands: &[Array], dtype: i32) -> Vec<Array> {
    let inputs = node.input.iter().zip(operands);
    let inputs = inputs.map(|(name, array)| {
        let sizes: Vec<i64> = array.shape().iter().map(|n| *n as i64).collect();
        info(name, FLOAT, &sizes)
    });
    let outputs = node.output.iter().filter(|name| !name.is_empty());
    let outputs = outputs.map(|name| open(name, dtype)).collect();
    let mut model = model(graph(inputs.collect(), vec![node], outputs));
    model.opset_import[0].version = version;
    run(&model, operands.to_vec())
}

#[test]
fn the_scores_that_attention_shows_are_those_before_the_soft_cap() {
    // "0: the output of qk matmul; 1: the output after the softcap operation"
    let of = |mode: i64| {
        let attributes = vec![float("softcap", 1.0), int("qk_matmul_output_mode", mode)];
        let node = node(
            "Attention",
            &["q", "k", "v"],
            &["", "", "", "shown"],
            attributes,
        );
        let one = |value: f32| Array::new(&[1, 1, 1, 1], vec![value]);
        of_node(23, node, &[one(2.0), one(3.0), one(1.0)], FLOAT).remove(0)
    };
    assert_eq!(of(0).values::<f32>().unwrap(), [6.0]);
    assert!((of(1).values::<f32>().unwrap()[0] - 6f32.tanh()).abs() < 1e-6);
}

#[test]
fn parameters_of_activations_belong_to_those_that_take_them() {
    // "The values are consumed in the order of activation functions": Tanh takes none.
    let attributes = vec![
        text("direction", "bidirectional"),
        texts("activations", &["Tanh", "LeakyRelu"]),
        float_list("activation_alpha", &[0.5]),
        int("hidden_size", 1),
    ];
    let node = node("RNN", &["x", "w", "r"], &["y"], attributes);
    let x = Array::new(&[1, 1, 1], vec![-2f32]);
    let both = |value: f32| Array::new(&[2, 1, 1], vec![value; 2]);
    let y = of_node(14, node, &[x, both(1.0), both(0.0)], FLOAT).remove(0);
    let [forward, backward] = y.values::<f32>().unwrap() else {
        panic!("{y:?}")
    };
    assert!((forward - (-2f32).tanh()).abs() < 1e-6);
    assert_eq!(*backward, -1.0);
}

#[test]
fn selu_has_rounded_parameters_before_version_6() {
    let of = |version| {
        let node = node("Selu", &["x"], &["y"], vec![]);
        of_node(version, node, &[Array::scalar(1f32)], FLOAT).remove(0)
    };
    assert_eq!(of(1), Array::scalar(1.0507f32));
    assert_eq!(of(6), Array::scalar(1.050_701_f32));
}

#[test]
fn the_mask_of_a_dropout_is_of_the_operands_dtype_before_version_10() {
    let of = |version| {
        let node = node("Dropout", &["x"], &["", "mask"], vec![]);
        let dtype = if version < 10 { FLOAT } else { BOOL };
        of_node(version, node, &[Array::new(&[2], vec![1f32, 2.0])], dtype).remove(0)
    };
    assert_eq!(of(7), Array::new(&[2], vec![1f32; 2]));
    assert_eq!(of(10), Array::new(&[2], vec![true; 2]));
}

#[test]
fn an_attribute_that_is_left_out_of_a_message_is_zero() {
    // Writers of version 3 of Protocol Buffers leave out a field that has its default.
    let axis = AttributeProto {
        name: "axis".to_owned(),
        r#type: AttributeType::Int as i32,
        ..AttributeProto::default()
    };
    let x = Array::new(&[2, 1], vec![0f32; 2]);
    let y = of_node(13, node("Softmax", &["x"], &["y"], vec![axis]), &[x], FLOAT).remove(0);
    assert_eq!(y.values::<f32>().unwrap(), [0.5; 2]);
}

#[test]
fn an_empty_sequence_has_the_declared_dtype() {
    let TypeProto { value, .. } = info("", INT64, &[2]).r#type.unwrap();
    let of = type_proto::Sequence {
        elem_type: Some(Box::new(TypeProto {
            value,
            ..TypeProto::default()
        })),
    };
    let mut sequence = info("s", INT64, &[]);
    sequence.r#type = Some(TypeProto {
        value: Some(type_proto::Value::SequenceType(Box::new(of))),
        ..TypeProto::default()
    });
    let model = model(graph(
        vec![sequence, info("x", INT64, &[2])],
        vec![
            node("SequenceInsert", &["s", "x"], &["t"], vec![]),
            node("ConcatFromSequence", &["t"], &["y"], vec![int("axis", 0)]),
        ],
        vec![info("y", INT64, &[-1])],
    ));
    let x = Array::new(&[2], vec![3i64, 4]);
    let arguments = [Data::Sequence(Vec::new()), x.clone().into()];
    let results = read(&model).unwrap().call(&arguments, &mut Silent).unwrap();
    assert!(matches!(&results[0], Data::Tensor(y) if **y == x));
}

#[test]
fn sizes_are_followed_only_through_ops_that_keep_them() {
    // The shape of `x` as truth values, and these as integers, is [1, 1].
    let cast = |from: &str, to: &str, dtype: i32| {
        node("Cast", &[from], &[to], vec![int("to", i64::from(dtype))])
    };
    let nodes = vec![
        node("Shape", &["x"], &["s"], vec![]),
        cast("s", "flags", BOOL),
        cast("flags", "ones", INT64),
        node("Reshape", &["t", "ones"], &["y"], vec![]),
    ];
    let model = model(graph(
        vec![info("x", FLOAT, &[-1, 3]), info("t", FLOAT, &[-1])],
        nodes,
        vec![info("y", FLOAT, &[-1, -1])],
    ));
    let y = run(
        &model,
        [
            Array::zeros(DType::F32, &[5, 3]),
            Array::new(&[1], vec![7f32]),
        ],
    );
    assert_eq!(y, [Array::new(&[1, 1], vec![7f32])]);
}

#[test]
fn a_width_that_only_a_call_knows_is_asked_for_then() {
    let heads = || vec![int("q_num_heads", 1), int("kv_num_heads", 1)];
    let wide = |name: &str| info(name, FLOAT, &[1, 1, -1]);
    let mut model = model(graph(
        ["q", "k", "v"].map(wide).to_vec(),
        vec![node("Attention", &["q", "k", "v"], &["y"], heads())],
        vec![info("y", FLOAT, &[-1, -1, -1])],
    ));
    model.opset_import[0].version = 23;
    let kind = read(&model).unwrap().graph().unwrap_err().kind();
    assert_eq!(kind, ErrorKind::Unsupported);
    let one = |value: f32| Array::new(&[1, 1, 1], vec![value]);
    // One key has all the weight.
    assert_eq!(run(&model, [one(1.0), one(2.0), one(5.0)]), [one(5.0)]);
}

#[test]
fn the_shape_of_the_filters_must_be_the_declared_one() {
    let of = |size: i64| {
        let mut graph = graph(
            vec![info("x", FLOAT, &[1, 1, 2])],
            vec![node(
                "ConvTranspose",
                &["x", "w"],
                &["y"],
                vec![ints("kernel_shape", &[size])],
            )],
            vec![info("y", FLOAT, &[1, 1, -1])],
        );
        graph.initializer = vec![floats("w", &[1, 1, 2], &[1.0, 10.0])];
        model(graph)
    };
    let x = Array::new(&[1, 1, 2], vec![1f32, 2.0]);
    let y = Array::new(&[1, 1, 3], vec![1f32, 12.0, 20.0]);
    assert_eq!(run(&of(2), [x]), [y]);
    let error = read(&of(3)).unwrap_err().to_string();
    assert!(error.contains("`kernel_shape`"), "{error}");
}

#[test]
fn bands_of_a_filter_may_lie_outside_all_numbers() {
    let mut graph = graph(
        vec![],
        vec![node(
            "MelWeightMatrix",
            &["bins", "length", "rate", "low", "high"],
            &["y"],
            vec![],
        )],
        vec![info("y", FLOAT, &[-1, -1])],
    );
    let whole = |name: &str, value: i64| graph_formats::onnx::proto::TensorProto {
        name: name.to_owned(),
        data_type: INT64,
        int64_data: vec![value],
        ..Default::default()
    };
    graph.initializer = vec![
        whole("bins", 1),
        whole("length", 1 << 22),
        whole("rate", 1),
        floats("low", &[], &[-699.0]),
        floats("high", &[], &[3e38]),
    ];
    let mut model = model(graph);
    model.opset_import[0].version = 17;
    let y = run(&model, []).remove(0);
    assert!(
        y.values::<f32>()
            .unwrap()
            .iter()
            .all(|v| (0.0..=1.0).contains(v))
    );
}
