//! Tests of display graphs: text in, one line for each node out.

use super::*;

/// Each node as `name = op(inputs)`.
fn lines(nodes: &[NodeDef]) -> Vec<String> {
    let line = |node: &NodeDef| format!("{} = {}({})", node.name, node.op, node.input.join(", "));
    nodes.iter().map(line).collect()
}

fn drawn(text: &str) -> GraphDef {
    let graph: Graph = text.parse().unwrap_or_else(|e| panic!("{e}"));
    graph_def(&graph)
}

#[test]
fn branches_and_bodies_stand_in_boxes_and_read_what_is_outside() {
    let def = drawn(
        "graph (n: int32[], k: int32[]) -> (int32[]) {
            s = while_loop (n; k) : int32[] {
                cond (i: int32[], k: int32[]) { p = less(i, k) : bool[] return p }
                body (i: int32[], k: int32[]) {
                    p = equal(i, k) : bool[]
                    j = cond p (i, k) : int32[] {
                        then (i: int32[], k: int32[]) { print(i) return k }
                        else (i: int32[], k: int32[]) { m = mul(i, i) : int32[] return m }
                    }
                    return j
                }
            }
            print(s)
            return s
        }",
    );
    let body = "while_loop/body/cond";
    assert_eq!(
        lines(&def.node),
        [
            "n = parameter()".to_owned(),
            "k = parameter()".to_owned(),
            "while_loop/i = loop_state(n)".to_owned(),
            "while_loop/cond/less = less(while_loop/i, k)".to_owned(),
            "while_loop/body/equal = equal(while_loop/i, k)".to_owned(),
            format!("{body}/then/print = print(while_loop/i)"),
            format!("{body}/else/mul = mul(while_loop/i, while_loop/i)"),
            format!("{body} = cond(while_loop/body/equal, k, {body}/else/mul, ^{body}/then/print)"),
            format!("while_loop = while_loop(while_loop/cond/less, {body}, ^{body})"),
            "print = print(while_loop, ^while_loop)".to_owned(),
            "result_0 = result(while_loop, ^print)".to_owned(),
        ]
    );
    // Every input is a node.
    let names: Vec<&str> = def.node.iter().map(|node| &node.name[..]).collect();
    let inputs = def.node.iter().flat_map(|node| &node.input);
    for input in inputs {
        assert!(names.contains(&input.trim_start_matches('^')), "{input}");
    }
}

#[test]
fn calls_of_one_graph_are_one_function() {
    let def = drawn(
        "fn \"f<i32>\"(x: float32[]) with (v: float32[]) -> (float32[], float32[]) {
            w = read_variable v : float32[]
            y = add(x, w) : float32[]
            return y, x
        }
        graph (x: float32[]) with (%\"dense/w\": float32[]) -> (float32[]) {
            y, z = call \"f<i32>\"(x) with (%\"dense/w\") : float32[], float32[]
            a, b = call \"f<i32>\"(z) with (%\"dense/w\") : float32[], float32[]
            update_variable %\"dense/w\" (b) {
                body (v: float32[], b: float32[]) { w = sub(v, b) : float32[] return w }
            }
            return a
        }",
    );
    assert_eq!(
        lines(&def.node),
        [
            "x = parameter()",
            "dense/w = variable()",
            "call = f_i32_(x, dense/w)",
            "call_1 = f_i32_(call:1, dense/w)",
            "update_variable/body/sub = sub(dense/w, call_1:1)",
            "update_variable = update_variable(update_variable/body/sub)",
            "result_0 = result(call_1, ^update_variable)",
        ]
    );
    let [function] = &def.library.as_ref().unwrap().function[..] else {
        panic!("not one function")
    };
    let signature = function.signature.as_ref().unwrap();
    let names = |all: &[ArgDef]| all.iter().map(|arg| arg.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&signature.input_arg), ["x", "v"]);
    assert_eq!(names(&signature.output_arg), ["result_0", "result_1"]);
    assert_eq!(
        lines(&function.node_def),
        [
            "read_variable = read_variable(v)",
            "add = add(x, read_variable)",
            "result_0 = result(add)",
            "result_1 = result(x)",
        ]
    );
}

#[test]
fn nodes_have_shapes_attributes_and_legal_names() {
    let def = drawn(
        "graph (%\"größe 1\": float32[?,3]) -> (float32[?]) {
            y = reduce_sum(%\"größe 1\") {axes = [1], keep_dims = false} : float32[?]
            return y
        }",
    );
    assert_eq!(def.node[0].name, "gr__e_1");
    let attr = &def.node[1].attr;
    assert_eq!(attr["axes"].value, Some(Value::S(b"[1]".to_vec())));
    let Some(Value::List(shapes)) = &attr["_output_shapes"].value else {
        panic!("no shapes")
    };
    let sizes: Vec<i64> = shapes.shape[0].dim.iter().map(|dim| dim.size).collect();
    assert_eq!(sizes, [-1]);
}

#[test]
fn depth_is_bounded() {
    let mut text = "graph (p: bool[]) -> () {".to_owned();
    let depth = 60;
    text += &"cond p (p) { then (p: bool[]) {".repeat(depth);
    text += &" return } else (p: bool[]) { return } }".repeat(depth);
    text += " return }";
    assert_eq!(drawn(&text).node.len(), 1 + DEPTH + 1);
}
