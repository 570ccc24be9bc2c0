//! Attributes and operands that decide what an op means. Expected values are closed formulas.

use graph_formats::tensorflow::graph_of;
use graph_formats::tensorflow::proto::attr_value::Value;
use graph_formats::tensorflow::proto::{
    NodeDef, TensorProto, TensorShapeProto, tensor_shape_proto,
};
use graph_kernels::{Array, DType};

use crate::nodes::*;

/// TensorFlow's numbers of dtypes.
const FLOAT: i32 = 1;
const INT64: i32 = 9;
const BOOL: i32 = 10;

fn floats(values: &[f32]) -> Array {
    Array::new(&[values.len()], values.to_vec())
}

fn texts(values: &[&str]) -> Array {
    let texts = values.iter().map(|text| (*text).to_owned());
    Array::new(&[values.len()], texts.collect::<Vec<String>>())
}

/// The outputs of one node with these operands.
fn of_node(
    op: &str,
    operands: Vec<Array>,
    attributes: &[(&str, Value)],
    outputs: &[&str],
) -> Result<Vec<Array>, crate::Failure> {
    let names: Vec<String> = (0..operands.len()).map(|n| format!("x{n}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let mut nodes = constants(names.iter().copied().zip(operands).collect());
    nodes.push(node("n", op, &names, attributes));
    values_of(&graph(nodes, vec![]), outputs)
}

#[test]
fn the_running_averages_of_a_batch_normalization_move_by_the_factor() {
    let run = |factor: f32| {
        let operands = vec![
            Array::new(&[1, 2, 1, 1], vec![1f32, 3.0]),
            floats(&[1.0]),
            floats(&[0.0]),
            floats(&[10.0]),
            floats(&[4.0]),
        ];
        let factor = [("exponential_avg_factor", Value::F(factor))];
        of_node("FusedBatchNormV3", operands, &factor, &["n:1", "n:2"]).unwrap()
    };
    // The batch has the mean 2, and 2 is the unbiased variance.
    assert_eq!(run(1.0), [floats(&[2.0]), floats(&[2.0])]);
    assert_eq!(run(0.25), [floats(&[8.0]), floats(&[3.5])]);
}

#[test]
fn indices_have_the_dtype_that_is_asked_for() {
    let operands = || vec![floats(&[1.0, 3.0, 2.0]), Array::scalar(1i32)];
    let of = |attributes: &[(&str, Value)]| {
        of_node("TopKV2", operands(), attributes, &["n:1"])
            .unwrap()
            .remove(0)
    };
    assert_eq!(of(&[]), Array::new(&[1], vec![1i32]));
    assert_eq!(
        of(&[("index_type", Value::Type(INT64))]),
        Array::new(&[1], vec![1i64])
    );
}

#[test]
fn a_matrix_is_filled_with_zeros_beside_its_diagonal_or_refused() {
    let of = |padding: f32| {
        let size = || Array::scalar(-1i32);
        let operands = vec![
            floats(&[1.0, 2.0]),
            Array::scalar(0i32),
            size(),
            size(),
            Array::scalar(padding),
        ];
        of_node("MatrixDiagV3", operands, &[], &["n"])
    };
    assert_eq!(
        of(0.0).unwrap(),
        [Array::new(&[2, 2], vec![1f32, 0.0, 0.0, 2.0])]
    );
    for padding in [-1.0, 0.5] {
        let error = of(padding).unwrap_err().to_string();
        assert!(error.contains("padding of a diagonal"), "{error}");
    }
}

#[test]
fn strings_that_are_joined_keep_their_axis_if_asked() {
    let of = |keeps: bool| {
        let operands = vec![texts(&["a", "b"]), Array::scalar(0i32)];
        let keeps = [("keep_dims", Value::B(keeps))];
        of_node("ReduceJoin", operands, &keeps, &["n"])
            .unwrap()
            .remove(0)
    };
    assert_eq!(of(false), Array::scalar("ab".to_owned()));
    assert_eq!(of(true), texts(&["ab"]));
}

#[test]
fn the_zero_of_strings_is_the_empty_string() {
    let zeros = of_node("ZerosLike", vec![texts(&["a"])], &[], &["n"]).unwrap();
    assert_eq!(zeros, [texts(&[""])]);
    let operands = vec![texts(&["a"]), Array::new(&[1, 2], vec![1i32, 0])];
    let padded = of_node("Pad", operands, &[], &["n"]).unwrap();
    assert_eq!(padded, [texts(&["", "a"])]);
}

#[test]
fn the_case_of_ascii_letters_alone_is_refused() {
    let of = |attributes: &[(&str, Value)]| {
        of_node("StringLower", vec![texts(&["AÄ"])], attributes, &["n"])
    };
    let encoding = [("encoding", Value::S(b"utf-8".to_vec()))];
    assert_eq!(of(&encoding).unwrap(), [texts(&["aä"])]);
    assert!(of(&[]).unwrap_err().to_string().contains("encoding"));
}

#[test]
fn an_axis_is_split_into_equal_parts_or_not_at_all() {
    let of = |count: i64| {
        let operands = vec![Array::scalar(0i32), floats(&[1.0, 2.0, 3.0])];
        of_node(
            "Split",
            operands,
            &[("num_split", Value::I(count))],
            &["n:1"],
        )
    };
    assert_eq!(of(3).unwrap(), [floats(&[2.0])]);
    assert!(
        of(2)
            .unwrap_err()
            .to_string()
            .contains("an axis of 3 in 2 parts")
    );
}

#[test]
fn a_result_of_a_function_is_found_by_its_name() {
    let two = function(
        "two",
        &[],
        constants(vec![("c", floats(&[1.0])), ("d", floats(&[2.0]))]),
        &[("a", FLOAT, "c:output:0"), ("b", FLOAT, "d:output:0")],
    );
    // A node whose op is the function's own name is a call, too.
    let of = |result: &str| {
        let outer = function(
            "outer",
            &[],
            vec![node("n", "two", &[], &[])],
            &[("y", FLOAT, &format!("n:{result}:0"))],
        );
        let def = graph(vec![call("m", "outer", &[])], vec![two.clone(), outer]);
        values_of(&def, &["m"])
    };
    assert_eq!(of("a").unwrap(), [floats(&[1.0])]);
    assert_eq!(of("b").unwrap(), [floats(&[2.0])]);
    assert!(
        of("c")
            .unwrap_err()
            .to_string()
            .contains("refers to nothing")
    );
}

/// A constant of many values of which none is given.
fn repeated(name: &str, len: i64) -> NodeDef {
    let dim = tensor_shape_proto::Dim {
        size: len,
        ..Default::default()
    };
    let tensor = TensorProto {
        dtype: BOOL,
        tensor_shape: Some(TensorShapeProto {
            dim: vec![dim],
            unknown_rank: false,
        }),
        ..TensorProto::default()
    };
    node(name, "Const", &[], &[("value", Value::Tensor(tensor))])
}

#[test]
fn constants_that_repeat_values_are_bounded_together() {
    let names = ["a", "b", "c"];
    let def = graph(names.map(|name| repeated(name, 1 << 25)).to_vec(), vec![]);
    assert!(graph_of(&def, &names[..2]).is_ok());
    let error = graph_of(&def, &names).unwrap_err().to_string();
    assert!(error.contains("values that repeat others"), "{error}");
}

/// Without a copy for each of 2^12 calls, which would be 2^34 bytes.
#[test]
fn a_constant_of_a_function_is_read_once() {
    const DEPTH: usize = 12;
    let functions = (0..=DEPTH).map(|n| {
        let nodes = match n {
            DEPTH => vec![repeated("y", 1 << 22)],
            n => {
                let inner = format!("f{}", n + 1);
                vec![
                    call("a", &inner, &[]),
                    call("b", &inner, &[]),
                    node("y", "LogicalAnd", &["a:output:0", "b:output:0"], &[]),
                ]
            }
        };
        let result = if n == DEPTH { "y:output:0" } else { "y:z:0" };
        function(&format!("f{n}"), &[], nodes, &[("r", BOOL, result)])
    });
    let def = graph(vec![call("n", "f0", &[])], functions.collect());
    let read = graph_of(&def, &["n"]).unwrap();
    assert_eq!(read.ty(read.outputs[0]).dtype, DType::Bool);
}
