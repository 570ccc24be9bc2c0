//! The structure of models of small graphs.

use graph_ir::graph::Graph;
use prost::Message;

use super::{Options, Signature, export, to_bytes};
use crate::onnx::proto::{GraphProto, ModelProto, NodeProto};

fn model_of(text: &str) -> ModelProto {
    let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}"));
    let model = export(&graph, &Signature::default(), &Options::default());
    let model = model.unwrap_or_else(|e| panic!("{e}"));
    // What a reader of the file gets.
    ModelProto::decode(to_bytes(&model).as_slice()).expect("a model")
}

fn graph_of(model: &ModelProto) -> &GraphProto {
    model.graph.as_ref().expect("a graph")
}

fn operators(nodes: &[NodeProto]) -> Vec<&str> {
    nodes.iter().map(|node| node.op_type.as_str()).collect()
}

fn inner<'a>(node: &'a NodeProto, name: &str) -> &'a GraphProto {
    let mut attributes = node.attribute.iter();
    let found = attributes.find(|attribute| attribute.name == name);
    found
        .and_then(|attribute| attribute.g.as_ref())
        .expect("a graph")
}

#[test]
fn a_choice_of_three_is_nested_and_the_last_branch_takes_the_rest() {
    let model = model_of(
        "graph (i: int32[], x: float32[2]) -> (float32[2]) {
           y = switch_case i (x) : float32[2] {
             branch (a: float32[2]) { b = exp(a) : float32[2] return b }
             branch (a: float32[2]) { return a }
             branch (a: float32[2]) { b = sin(a) : float32[2] return b }
           }
           return y
         }",
    );
    let nodes = &graph_of(&model).node;
    assert_eq!(operators(nodes), ["Equal", "If"]);
    assert_eq!(operators(&inner(&nodes[1], "then_branch").node), ["Exp"]);
    let rest = inner(&nodes[1], "else_branch");
    assert_eq!(operators(&rest.node), ["Equal", "If"]);
    // A branch doesn't return a value of the graph around it.
    assert_eq!(
        operators(&inner(&rest.node[1], "then_branch").node),
        ["Identity"]
    );
    assert_eq!(
        operators(&inner(&rest.node[1], "else_branch").node),
        ["Sin"]
    );
}

#[test]
fn variables_that_a_branch_or_a_loop_writes_are_further_results() {
    let model = model_of(
        "graph (c: bool[], n: int32[]) with (v: int32[]) -> () {
           cond c (n) {
             then (n: int32[]) { assign_variable v (n) return }
             else (n: int32[]) { return }
           }
           m = while_loop (n) : int32[] {
             cond (n: int32[]) { z = constant 0 : int32[] p = greater(n, z) : bool[] return p }
             body (n: int32[]) {
               o = constant 1 : int32[]
               w = read_variable v : int32[]
               u = add(w, n) : int32[]
               assign_variable v (u)
               m = sub(n, o) : int32[]
               return m
             }
           }
           return
         }",
    );
    let graph = graph_of(&model);
    assert_eq!(operators(&graph.node), ["If", "Greater", "Loop"]);
    let body = inner(&graph.node[2], "body");
    // Iteration, condition, counter, variable; condition, counter, variable.
    assert_eq!((body.input.len(), body.output.len()), (4, 3));
    assert_eq!(graph.output.len(), 1);
    assert_eq!(graph.output[0].name, "v_new");
    // The variable has no value, so it is an input.
    let inputs: Vec<&str> = graph
        .input
        .iter()
        .map(|input| input.name.as_str())
        .collect();
    assert_eq!(inputs, ["c", "n", "v"]);
    let written = inner(&graph.node[0], "else_branch");
    assert_eq!(written.node[0].input, ["v"]);
}

#[test]
fn a_called_graph_is_a_function_with_its_variables() {
    let model = model_of(
        "fn count(x: int32[]) with (v: int32[]) -> int32[] {
           y = read_variable v : int32[]
           z = add(x, y) : int32[]
           assign_variable v (z)
           return z
         }
         graph (x: int32[]) with (w: int32[]) -> (int32[]) {
           y = call count(x) with (w) : int32[]
           z = call count(y) with (w) : int32[]
           return z
         }",
    );
    let function = &model.functions[0];
    assert_eq!(
        (model.functions.len(), function.name.as_str()),
        (1, "count")
    );
    assert_eq!((function.input.len(), function.output.len()), (2, 2));
    let nodes = &graph_of(&model).node;
    assert_eq!(operators(nodes), ["count", "count"]);
    // The second call takes what the first one wrote.
    assert_eq!(nodes[1].input[1], nodes[0].output[1]);
    let domains: Vec<&str> = model
        .opset_import
        .iter()
        .map(|opset| opset.domain.as_str())
        .collect();
    assert_eq!(domains, ["", "local"]);
}

#[test]
fn constants_are_kept_once_and_small_integers_computed_in_wider_ones() {
    let model = model_of(
        "graph (x: int8[3], y: int8[3]) -> (int8[3], int8[3]) {
           a = floor_div(x, y) : int8[3]
           b = maximum(x, y) : int8[3]
           c = right_shift(x, y) : int8[3]
           return b, c
         }",
    );
    let graph = graph_of(&model);
    let names: Vec<&str> = graph
        .initializer
        .iter()
        .map(|tensor| tensor.name.as_str())
        .collect();
    let mut different = names.clone();
    different.dedup();
    assert_eq!(names, different);
    // What no result needs isn't written.
    assert!(!operators(&graph.node).contains(&"Div"));
}

#[test]
fn what_cannot_be_written_names_the_op() {
    let refused = |text: &str| {
        let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}"));
        let error = export(&graph, &Signature::default(), &Options::default());
        error.expect_err("an error").message().to_owned()
    };
    let solve = "graph (a: float32[2,2]) -> (float32[2,2]) { x = solve(a, a) {adjoint = false} : float32[2,2] return x }";
    assert_eq!(
        refused(solve),
        "`solve` can't be written as ONNX: ONNX has no operator that solves linear equations"
    );
    let open = "graph (a: float32[*]) -> () { return }";
    assert!(
        refused(open).contains("the rank of `a`"),
        "{}",
        refused(open)
    );
    let nothing = "graph (a: float32[]) -> () { return }";
    assert!(
        refused(nothing).contains("no result"),
        "{}",
        refused(nothing)
    );
}

/// What onnxruntime does with an empty array and an axis that counts from the end isn't a reduction.
#[test]
fn reductions_count_their_axes_from_the_beginning() {
    for (op, dtype) in [("reduce_sum", "float32"), ("reduce_all", "bool")] {
        let model = model_of(&format!(
            "graph (x: {dtype}[4,0,3]) -> ({dtype}[4,1,1]) {{
               y = {op}(x) {{axes = [-2, -1], keep_dims = true}} : {dtype}[4,1,1]
               return y
             }}"
        ));
        let axes = &graph_of(&model).initializer[0];
        let axes = axes.raw_data.as_deref().expect("bytes");
        let axes: Vec<i64> = axes
            .as_chunks::<8>()
            .0
            .iter()
            .map(|bytes| i64::from_le_bytes(*bytes))
            .collect();
        assert_eq!(axes, [1, 2], "{op}");
    }
}

/// The batch takes the place of the channels of a `Conv`, of which onnxruntime wants one.
#[test]
fn a_gradient_of_filters_has_images_even_of_an_empty_batch() {
    for (batch, padded) in [("2", false), ("0", true), ("?", true)] {
        let model = model_of(&format!(
            "graph (x: float32[{batch},5,5,2], g: float32[{batch},3,3,4]) -> (float32[?,?,?,4]) {{
               s = constant [3, 3, 2, 4] : int32[4]
               y = conv2d_backprop_filter(x, s, g) {{strides = [1, 1], dilations = [1, 1], padding = \"VALID\", pads = [0, 0, 0, 0]}} : float32[?,?,?,4]
               return y
             }}"
        ));
        let found = operators(&graph_of(&model).node);
        let pads = found.iter().filter(|name| **name == "Pad").count();
        assert_eq!(pads, if padded { 2 } else { 0 }, "{batch}: {found:?}");
    }
}

#[test]
fn windows_have_dilations_only_if_they_have_holes() {
    let attributes = |dilations: &str| {
        let model = model_of(&format!(
            "graph (x: float32[1,5,5,2]) -> (float32[?,?,?,2]) {{
               y = avg_pool2d(x) {{size = [2, 2], strides = [1, 1], dilations = {dilations}, padding = \"VALID\", pads = [0, 0, 0, 0]}} : float32[?,?,?,2]
               return y
             }}"
        ));
        let mut nodes = graph_of(&model).node.iter();
        let pool = nodes
            .find(|node| node.op_type == "AveragePool")
            .expect("a pooling");
        let names = pool.attribute.iter().map(|attribute| &attribute.name);
        names.cloned().collect::<Vec<_>>()
    };
    // In opset 18 the operator has no such attribute.
    assert_eq!(attributes("[1, 1]"), ["kernel_shape", "strides"]);
    assert_eq!(
        attributes("[2, 2]"),
        ["kernel_shape", "strides", "dilations"]
    );
}

/// `int64`, in which other integers are compared, isn't compared rightly by onnxruntime above 31 bits.
#[test]
fn the_largest_of_uint32_is_that_of_float64() {
    let model = model_of(
        "graph (x: uint32[9]) -> (uint32[]) {
           y = reduce_max(x) {axes = [], keep_dims = false} : uint32[]
           return y
         }",
    );
    let nodes = &graph_of(&model).node;
    assert_eq!(operators(nodes), ["Cast", "ReduceMax", "Cast"]);
    assert_eq!(nodes[0].attribute[0].i, Some(11));
}
