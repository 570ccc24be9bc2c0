//! Tests each invariant with a graph that violates it.

use std::sync::Arc;

use graph_kernels::{Array, DType};

use super::{Violation, verify};
use crate::error::Location;
use crate::graph::{Graph, Message, Node, Op, Print, Shape, TensorType, ValueId, VariableId};
use crate::ops::{Attr, find};

/// The violation and its message for a valid graph after `damage` has broken it.
fn broken(text: &str, damage: impl FnOnce(&mut Graph)) -> (Violation, String) {
    let mut graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}\n{text}"));
    verify(&graph).unwrap();
    damage(&mut graph);
    let error = verify(&graph).unwrap_err();
    (error.violation, error.message)
}

fn structure(text: &str, damage: impl FnOnce(&mut Graph), message: &str) {
    assert_eq!(
        broken(text, damage),
        (Violation::Structure, message.to_owned())
    );
}

fn mismatch(text: &str, damage: impl FnOnce(&mut Graph), message: &str) {
    assert_eq!(broken(text, damage), (Violation::Type, message.to_owned()));
}

fn retype(graph: &mut Graph, value: u32, shape: Shape) {
    graph.values[value as usize].ty.shape = shape;
}

const ADD: &str =
    "graph (x: int32[]) -> int32[] { y = add(x, x) : int32[] z = add(y, x) : int32[] return z }";

#[test]
fn definitions() {
    structure(
        ADD,
        |g| g.nodes[0].inputs[0] = ValueId(9),
        "node 0 (add): value %9 doesn't exist",
    );
    structure(
        ADD,
        |g| g.outputs[0] = ValueId(9),
        "output 0: value %9 doesn't exist",
    );
    structure(
        ADD,
        |g| g.nodes[1].outputs[0] = ValueId(1),
        "node 1 (add): value %1 is defined twice",
    );
    structure(
        ADD,
        |g| g.inputs.push(ValueId(0)),
        "input 1: value %0 is defined twice",
    );
    structure(
        ADD,
        |g| g.nodes.swap(0, 1),
        "node 0 (add): value %1 is read before it is defined",
    );
    let dangling = |g: &mut Graph| {
        g.add_value(TensorType::scalar(DType::I32), None);
    };
    structure(ADD, dangling, "value %3 is never defined");
}

#[test]
fn nodes_of_the_op_table() {
    mismatch(
        ADD,
        |g| retype(g, 2, Shape::known(&[2])),
        "node 1 (add): output: int32[2] doesn't cover int32[]",
    );
    let attribute = |g: &mut Graph| {
        if let Op::Primitive(_, attrs) = &mut g.nodes[0].op {
            attrs.push("axis", Attr::Int(0));
        }
    };
    structure(ADD, attribute, "node 0 (add): the attributes are not []");
    // A less precise recorded type is valid.
    let mut graph: Graph = ADD.parse().unwrap();
    retype(&mut graph, 2, Shape::unknown());
    assert_eq!(verify(&graph), Ok(()));
    assert!(find("add").is_some());
}

#[test]
fn seeds() {
    let text = "graph (x: int32[]) -> int64[2] { s = next_seed(3) : int64[2] return s }";
    mismatch(
        text,
        |g| retype(g, 1, Shape::known(&[3])),
        "node 0 (next_seed): output: int64[3] doesn't cover int64[2]",
    );
    structure(
        text,
        |g| g.nodes[0].inputs.push(ValueId(0)),
        "node 0 (next_seed): 1 operands where 0 belong",
    );
}

#[test]
fn summaries_take_a_value_of_their_kind_and_a_step() {
    let text = "graph (x: float32[], t: string[2], i: float32[1,4,4,3], s: int64[]) -> () {
        summary_scalar(\"x\", x, s)
        summary_histogram(\"i\", i, s)
        summary_image(\"i\", i, s)
        summary_text(\"t\", t, s)
        return
    }";
    for (node, input, message) in [
        (
            0,
            2,
            "node 0 (summary_scalar): summary_scalar takes a number or truth value without axes, not float32[1,4,4,3]",
        ),
        (
            1,
            1,
            "node 1 (summary_histogram): summary_histogram takes numbers or truth values, not string[2]",
        ),
        (
            2,
            0,
            "node 2 (summary_image): summary_image takes floats or bytes of shape [n, height, width, channels], not float32[]",
        ),
        (
            3,
            0,
            "node 3 (summary_text): summary_text takes strings, not float32[]",
        ),
    ] {
        mismatch(text, |g| g.nodes[node].inputs[0] = ValueId(input), message);
    }
    mismatch(
        text,
        |g| g.nodes[0].inputs[1] = ValueId(0),
        "node 0 (summary_scalar): step: a float32[] where a int64 scalar belongs",
    );
    structure(
        text,
        |g| g.nodes[0].inputs.truncate(1),
        "node 0 (summary_scalar): 1 operands where 2 belong",
    );
}

#[test]
fn constants_prints_and_assertions() {
    let text =
        "graph (p: bool[]) -> () { c = constant 1 : int32[] print(c) assert(p, \"m\") return }";
    mismatch(
        text,
        |g| retype(g, 1, Shape::unknown()),
        "node 0 (constant): a int32[] is recorded as int32[*]",
    );
    structure(
        text,
        |g| g.nodes[0].inputs.push(ValueId(0)),
        "node 0 (constant): 1 operands where 0 belong",
    );
    structure(
        text,
        |g| g.nodes[1].op = Op::Print(Box::new(Print::line(Message::new(vec![])))),
        "node 1 (print): 0 texts around 1 operands",
    );
    mismatch(
        text,
        |g| g.nodes[2].inputs[0] = ValueId(1),
        "node 2 (assert): condition: a int32[] where a bool scalar belongs",
    );
    structure(
        text,
        |g| g.nodes[2].inputs.push(ValueId(1)),
        "node 2 (assert): 1 texts around 1 operands",
    );
    structure(
        text,
        |g| g.nodes[2].inputs.clear(),
        "node 2 (assert): 0 operands where 1 belong",
    );
}

const COND: &str = "graph (p: bool[], x: int32[2]) -> int32[2] {
  y = cond p (x) : int32[2] { then (x: int32[2]) { return x } else (x: int32[?]) { z = constant [1, 2] : int32[2] return z } }
  return y
}";

#[test]
fn branches() {
    let then = |g: &mut Graph, damage: fn(&mut Graph)| damage(g.nodes[0].op.subgraphs_mut()[0]);
    structure(
        COND,
        |g| then(g, |t| t.outputs.clear()),
        "node 0 (cond): then: output: 0 values for 1",
    );
    structure(
        COND,
        |g| g.nodes[0].inputs.truncate(1),
        "node 0 (cond): then: input: 0 values for 1",
    );
    structure(
        COND,
        |g| g.nodes[0].inputs.clear(),
        "node 0 (cond): no operand to choose the branch by",
    );
    structure(
        COND,
        |g| then(g, |t| t.outputs[0] = ValueId(5)),
        "node 0 (cond): then: output 0: value %5 doesn't exist",
    );
    mismatch(
        COND,
        |g| retype(g, 0, Shape::known(&[1])),
        "node 0 (cond): condition: a bool[1] where a bool scalar belongs",
    );
    mismatch(
        COND,
        |g| then(g, |t| t.values[0].ty.shape = Shape::known(&[3])),
        "node 0 (cond): then: input 0: int32[3] doesn't cover int32[2]",
    );
    mismatch(
        COND,
        |g| then(g, |t| t.values[0].ty.shape = Shape::unknown()),
        "node 0 (cond): then: output 0: int32[2] doesn't cover int32[*]",
    );
    let text = "graph (i: int32[]) -> () { switch_case i () { branch () { return } } return }";
    structure(
        text,
        |g| g.nodes[0].op = Op::SwitchCase { branches: vec![] },
        "node 0 (switch_case): no branches",
    );
}

const LOOP: &str = "graph (n: int32[]) -> int32[] {
  i = while_loop (n; n) : int32[] {
    cond (i: int32[], n: int32[]) { p = less(i, n) : bool[] return p }
    body (i: int32[], n: int32[]) { return n }
  }
  return i
}";

#[test]
fn loops() {
    let part =
        |g: &mut Graph, i: usize, damage: fn(&mut Graph)| damage(g.nodes[0].op.subgraphs_mut()[i]);
    structure(
        LOOP,
        |g| part(g, 0, |c| c.outputs.clear()),
        "node 0 (while_loop): cond gives 0 values, not 1",
    );
    mismatch(
        LOOP,
        |g| part(g, 0, |c| c.outputs[0] = ValueId(0)),
        "node 0 (while_loop): cond: output 0: a int32[] where a bool scalar belongs",
    );
    structure(
        LOOP,
        |g| part(g, 1, |b| b.outputs.clear()),
        "node 0 (while_loop): body: output: 0 values for 1",
    );
    structure(
        LOOP,
        |g| g.nodes[0].inputs.clear(),
        "node 0 (while_loop): 0 operands can't be a state of 1 values",
    );
    // The body may return a less precise type than that of the initial state, if both subgraphs accept it as an input.
    mismatch(
        LOOP,
        |g| {
            part(g, 1, |b| b.values[1].ty.shape = Shape::unknown());
            retype(g, 1, Shape::unknown());
        },
        "node 0 (while_loop): cond: input of the next iteration 0: int32[] doesn't cover int32[*]",
    );
}

const FUSION: &str = "graph (x: float32[2,3], b: float32[3]) -> float32[2] {
  y = fusion (x, b) : float32[2] {
    body (x: float32[2,3], b: float32[3]) {
      c = constant 2.0 : float32[]
      d = mul(x, c) : float32[2,3]
      e = add(d, b) : float32[2,3]
      f = reduce_sum(e) {axes = [1], keep_dims = false} : float32[2]
      return f
    }
  }
  return y
}";

#[test]
fn fusions() {
    let body = |g: &mut Graph, damage: fn(&mut Graph)| damage(g.nodes[0].op.subgraphs_mut()[0]);
    mismatch(
        FUSION,
        |g| retype(g, 0, Shape::unknown()),
        "node 0 (fusion): body: input 0: float32[2,3] doesn't cover float32[*]",
    );
    mismatch(
        FUSION,
        |g| body(g, |b| b.outputs[0] = ValueId(0)),
        "node 0 (fusion): body: output 0: float32[2] doesn't cover float32[2,3]",
    );
}

/// Bodies that are valid graphs but aren't allowed in a fusion.
#[test]
fn what_a_fusion_may_hold() {
    let error = |nodes: &str| {
        let text = format!(
            "graph (x: float32[2,2], s: string[]) -> float32[*] {{
              y = fusion (x, s) : float32[*] {{
                body (x: float32[2,2], s: string[]) {{ {nodes} return y }}
              }}
              return y
            }}"
        );
        text.parse::<Graph>().map_err(|e| e.message).map(drop)
    };
    let refused = |message: &str| Err(format!("node 0 (fusion): body: {message}"));
    let refused_node = |node: &str| refused(&format!("node {node} can't be fused here"));
    let product = "{transpose_a = false, transpose_b = false} : float32[2,2]";

    let epilogue = format!("m = matmul(x, x) {product} y = relu(m) : float32[2,2]");
    assert_eq!(error(&epilogue), Ok(()));
    let late = format!("r = relu(x) : float32[2,2] y = matmul(x, x) {product}");
    assert_eq!(error(&late), refused_node("1 (matmul)"));
    let both = format!(
        "m = matmul(x, x) {product} y = reduce_sum(m) {{axes = [], keep_dims = false}} : float32[]"
    );
    assert_eq!(error(&both), refused_node("1 (reduce_sum)"));
    let slice = "strided_slice(x) {axes = [1], begins = [0], ends = [2], steps = [1], masks = [0]}";
    assert_eq!(
        error(&format!(
            "r = {slice} : float32[2,2] y = relu(r) : float32[2,2]"
        )),
        Ok(())
    );
    let last = format!("r = relu(x) : float32[2,2] y = {slice} : float32[2,2]");
    assert_eq!(error(&last), refused_node("1 (strided_slice)"));
    let row = |nodes: &str| error(&format!("i = constant 0 : int32[] {nodes}"));
    assert_eq!(
        row("r = index(x, i) : float32[2] y = relu(r) : float32[2]"),
        Ok(())
    );
    for nodes in [
        // At a position that isn't an input or a constant; of a value that isn't an input; as the result.
        "j = add(i, i) : int32[] r = index(x, j) : float32[2] y = relu(r) : float32[2]",
        "j = relu(x) : float32[2,2] r = index(j, i) : float32[2] y = relu(r) : float32[2]",
        "r = relu(x) : float32[2,2] y = index(x, i) : float32[2]",
    ] {
        assert_eq!(row(nodes), refused_node("2 (index)"), "{nodes}");
    }
    for (axes, trailing) in [
        ("", true),
        ("-1", true),
        ("1", true),
        ("1, 0", true),
        ("0", false),
    ] {
        let sum = format!("y = reduce_sum(x) {{axes = [{axes}], keep_dims = true}} : float32[*]");
        let expected = if trailing {
            Ok(())
        } else {
            refused_node("0 (reduce_sum)")
        };
        assert_eq!(error(&sum), expected, "{axes}");
    }
    assert_eq!(
        error("y = reshape(x) {shape = [4]} : float32[4]"),
        refused_node("0 (reshape)")
    );
    assert_eq!(
        error("y = constant [1.0] : float32[1]"),
        refused_node("0 (constant)")
    );
    assert_eq!(
        error("y = constant 1.0 : float32[]"),
        refused("no primitives")
    );
    assert_eq!(
        error("y = relu(x) : float32[2,2] z = relu(x) : float32[2,2]"),
        refused("the output is not the value of the last node")
    );
    assert_eq!(
        error("t = add(s, s) : string[] y = relu(x) : float32[2,2]"),
        refused_node("0 (add)")
    );
}

#[test]
fn calls_check_the_called_graph() {
    let mut callee = Graph::default();
    callee.outputs.push(ValueId(0));
    let mut graph = Graph::default();
    let location = Location {
        file: "lib.rs".into(),
        line: 7,
        column: 1,
        ..Location::unknown()
    };
    let op = Op::Call {
        name: "f".into(),
        graph: callee.into(),
        variables: Vec::new(),
    };
    graph.nodes.push(Node {
        op,
        inputs: vec![],
        outputs: vec![],
        location: location.clone(),
    });
    let error = verify(&graph).unwrap_err();
    assert_eq!(
        error.message,
        "node 0 (call): f: output 0: value %0 doesn't exist"
    );
    assert_eq!(error.location, location);
    let array = Arc::new(Array::scalar(1));
    graph.nodes[0].op = Op::Constant(array);
    assert!(verify(&graph).is_err());
}

#[test]
fn variables() {
    let text = "fn f() with (a: int32[], b: int32[]) -> int32[] { x = read_variable a : int32[] return x }
        graph (x: int32[], p: bool[]) with (v: int32[], w: int32[2], u: int32[]) -> int32[] {
          a = read_variable v : int32[]
          assign_variable v (x)
          update_variable w (x) { body (w: int32[2], d: int32[]) { s = add(w, d) : int32[2] return s } }
          cond p () { then () { b = read_variable v : int32[] return } else () { return } }
          c = call f() with (v, u) : int32[]
          return a
        }";
    structure(
        text,
        |g| g.nodes[0].op = Op::ReadVariable(VariableId(3)),
        "node 0 (read_variable): variable 3 doesn't exist",
    );
    mismatch(
        text,
        |g| g.nodes[0].op = Op::ReadVariable(VariableId(1)),
        "node 0 (read_variable): output: int32[] doesn't cover int32[2]",
    );
    mismatch(
        text,
        |g| g.nodes[1].op = Op::AssignVariable(VariableId(1)),
        "node 1 (assign_variable): a variable of int32[2] can't hold int32[]",
    );
    let body = |g: &mut Graph, f: fn(&mut Graph)| f(g.nodes[2].op.subgraphs_mut().remove(0));
    structure(
        text,
        |g| {
            body(g, |b| {
                b.nodes.clear();
                b.values.truncate(2);
                b.outputs = vec![b.inputs[0]];
            })
        },
        "node 2 (update_variable): body: the output is not the value of the last node",
    );
    mismatch(
        text,
        |g| body(g, |b| b.values[0].ty.shape = Shape::scalar()),
        "node 2 (update_variable): body: node 0 (add): output: int32[2] doesn't cover int32[]",
    );
    structure(
        text,
        |g| {
            let table = g.variables.clone();
            g.nodes[3].op.subgraphs_mut()[0].variables = table;
        },
        "node 3 (cond): then: a subgraph has no variables of its own",
    );
    let places = |g: &mut Graph, places: &[u32]| {
        if let Op::Call { variables, .. } = &mut g.nodes[4].op {
            *variables = places.iter().copied().map(VariableId).collect();
        }
    };
    structure(
        text,
        |g| places(g, &[0]),
        "node 4 (call): f: 1 variables for 2",
    );
    structure(
        text,
        |g| places(g, &[0, 0]),
        "node 4 (call): f: variable 0 is passed twice",
    );
    mismatch(
        text,
        |g| places(g, &[0, 1]),
        "node 4 (call): f: variable 1 is a int32[], not a int32[2]",
    );
}
