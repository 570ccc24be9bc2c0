//! Chains of elementwise ops as one instruction: which instructions are made, what errors say, and how much memory a plan needs.

use graph_kernels::Array;

use super::testing::{plan, run_lines};
use super::{Instruction, Plan};

fn listing(plan: &Plan) -> Vec<String> {
    plan.instructions
        .iter()
        .map(Instruction::to_string)
        .collect()
}

#[test]
fn a_fusion_is_one_instruction() {
    let plan = plan(
        "graph (x: float32[2,3], w: float32[3,2], b: float32[2]) -> (float32[2,2], float32[2]) {
          y = fusion (x, w, b) : float32[2,2] {
            body (x: float32[2,3], w: float32[3,2], b: float32[2]) {
              p = matmul(x, w) {transpose_a = false, transpose_b = false} : float32[2,2]
              q = add(p, b) : float32[2,2]
              r = relu(q) : float32[2,2]
              return r
            }
          }
          z = fusion (y, b) : float32[2] {
            body (y: float32[2,2], b: float32[2]) {
              p = sub(y, b) : float32[2,2]
              q = mul(p, p) : float32[2,2]
              r = reduce_sum(q) {axes = [1], keep_dims = false} : float32[2]
              return r
            }
          }
          return y, z
        }",
    );
    let expected = [
        "s0 = matmul+add+relu(in0, in1, in2)",
        "s1 = sub+mul+reduce_sum(s0, in2)",
    ];
    assert_eq!(listing(&plan), expected, "{plan}");
    let inputs = vec![
        Array::new(&[2, 3], vec![1f32, 2.0, 3.0, -1.0, 0.0, 1.0]),
        Array::new(&[3, 2], vec![1f32, 0.0, 0.0, 1.0, 1.0, 1.0]),
        Array::new(&[2], vec![0.5f32, -10.0]),
    ];
    // x·w = [[4, 5], [0, 1]]; after the bias and the relu: [[4.5, 0], [0.5, 0]].
    let outputs = run_lines(&plan, inputs).unwrap().0;
    assert_eq!(
        *outputs[0],
        Array::new(&[2, 2], vec![4.5f32, 0.0, 0.5, 0.0])
    );
    assert_eq!(*outputs[1], Array::new(&[2], vec![16f32 + 100.0, 100.0]));
}

#[test]
fn constants_keep_no_product_from_its_chain() {
    let plan = plan(
        "graph (x: float32[2,3], w: float32[3,2]) -> float32[2,2] {
          y = fusion (x, w) : float32[2,2] {
            body (x: float32[2,3], w: float32[3,2]) {
              p = matmul(x, w) {transpose_a = false, transpose_b = false} : float32[2,2]
              half = constant 0.5 : float32[]
              q = mul(p, half) : float32[2,2]
              r = relu(q) : float32[2,2]
              return r
            }
          }
          return y
        }",
    );
    assert_eq!(
        listing(&plan),
        ["s0 = matmul+mul+relu(in0, in1, c0)"],
        "{plan}"
    );
    let inputs = vec![
        Array::new(&[2, 3], vec![1f32, 2.0, 3.0, -1.0, 0.0, 1.0]),
        Array::new(&[3, 2], vec![1f32, 0.0, 0.0, 1.0, 1.0, -2.0]),
    ];
    // x·w = [[4, -4], [0, -2]].
    let outputs = run_lines(&plan, inputs).unwrap().0;
    assert_eq!(*outputs[0], Array::new(&[2, 2], vec![2f32, 0.0, 0.0, 0.0]));
}

#[test]
fn an_op_that_fails_in_a_chain_is_named_with_its_line() {
    let plan = plan(
        "graph (x: int32[2], y: int32[2]) -> int32[2] {
          z = fusion (x, y) : int32[2] {
            body (x: int32[2], y: int32[2]) {
              s = add(x, y) : int32[2]
              q = div(x, s) : int32[2]
              return q
            }
          }
          return z
        }",
    );
    let run = |y: [i32; 2]| {
        let inputs = [vec![7, 8], y.to_vec()].map(|values| Array::new(&[2], values));
        run_lines(&plan, inputs.to_vec()).map(|(outputs, _)| outputs[0].clone())
    };
    assert_eq!(*run([-6, -4]).unwrap(), Array::new(&[2], vec![7, 2]));
    let error = run([1, -8]).unwrap_err();
    assert_eq!(
        error.message(),
        "Integer division by zero (in `div` of int32[2], int32[2])"
    );
    assert_eq!(error.location().line, 5);
    assert_eq!(*run([-6, -4]).unwrap(), Array::new(&[2], vec![7, 2]));
}

#[test]
fn a_chain_behind_a_product_meets_shapes_that_were_not_known() {
    let plan = plan(
        "graph (x: float32[?,2], w: float32[?,1], b: float32[?,1]) -> float32[?,1] {
          y = fusion (x, w, b) : float32[?,1] {
            body (x: float32[?,2], w: float32[?,1], b: float32[?,1]) {
              p = matmul(x, w) {transpose_a = false, transpose_b = false} : float32[?,1]
              q = sub(b, p) : float32[?,1]
              return q
            }
          }
          return y
        }",
    );
    assert_eq!(listing(&plan), ["s0 = matmul+sub(in0, in1, in2)"], "{plan}");
    let run = |w: usize, b: &[f32]| {
        let inputs = vec![
            Array::new(&[2, 2], vec![1f32, 2.0, 3.0, 4.0]),
            Array::new(&[w, 1], vec![10f32; w]),
            Array::new(&[b.len(), 1], b.to_vec()),
        ];
        let result = run_lines(&plan, inputs).map(|(outputs, _)| Array::clone(&outputs[0]));
        result.map_err(|error| (error.message().to_owned(), error.location().line))
    };
    // x·w = [30, 70]
    let column = |values: Vec<f32>| Ok(Array::new(&[2, 1], values));
    assert_eq!(run(2, &[1.0, 2.0]), column(vec![-29.0, -68.0]));
    assert_eq!(run(2, &[1.0]), column(vec![-29.0, -69.0]));
    let incompatible =
        "Incompatible shapes: [3,1] vs. [2,1] (in `sub` of float32[3,1], float32[2,1])";
    assert_eq!(run(2, &[1.0; 3]), Err((incompatible.to_owned(), 5)));
    let incompatible = "Matrix size-incompatible: In[0]: [2,2], In[1]: [3,1] (in `matmul` of float32[2,2], float32[3,1])";
    assert_eq!(run(3, &[1.0]), Err((incompatible.to_owned(), 4)));
}

#[test]
fn shapes_that_turn_out_not_to_fit_are_an_error_of_the_op() {
    let plan = plan(
        "graph (x: float32[?], y: float32[?]) -> float32[?] {
          a = exp(x) : float32[?]
          b = add(a, y) : float32[?]
          return b
        }",
    );
    // `b` overwrites `a`, unless the sizes differ at run time.
    assert_eq!(plan.slots.len(), 1, "{plan}");
    let run = |m: usize, n: usize| {
        let inputs = vec![
            Array::new(&[m], vec![0f32; m]),
            Array::new(&[n], vec![1f32; n]),
        ];
        run_lines(&plan, inputs).map(|(outputs, _)| Array::clone(&outputs[0]))
    };
    assert_eq!(run(2, 2).unwrap(), Array::new(&[2], vec![2f32, 2.0]));
    assert_eq!(run(1, 3).unwrap(), Array::new(&[3], vec![2f32; 3]));
    assert_eq!(
        run(2, 3).unwrap_err().message(),
        "Incompatible shapes: [2] vs. [3] (in `add` of float32[2], float32[3])"
    );
    assert_eq!(run(3, 1).unwrap(), Array::new(&[3], vec![2f32; 3]));
}

#[test]
fn a_long_chain_takes_the_memory_of_what_is_alive_at_once() {
    // Each value but the last is read twice: at most two large arrays are alive at once, and two small ones.
    let mut text = String::from(
        "graph (v0: float32[1000], w0: float32[10]) -> (float32[1000], float32[10]) {\n",
    );
    for i in 1..100 {
        let j = i - 1;
        text += &format!("t{i} = sort(v{j}) {{axis = 0, descending = false}} : float32[1000]\n");
        text += &format!("v{i} = add(t{i}, v{j}) : float32[1000]\n");
        text += &format!("u{i} = sort(w{j}) {{axis = 0, descending = false}} : float32[10]\n");
        text += &format!("w{i} = add(u{i}, w{j}) : float32[10]\n");
    }
    text += "return v99, w99 }";
    let plan = plan(&text);
    assert_eq!(
        (plan.slots.len(), plan.bytes),
        (4, 2 * 4000 + 2 * 40),
        "{plan}"
    );
}

#[test]
fn large_values_take_the_large_slots() {
    // Small and large values alternate. If a small value took a large slot, the next large value would need another slot.
    let plan = plan(
        "graph (x: float32[1000], y: float32[1]) -> float32[1000] {
          a = sort(x) {axis = 0, descending = false} : float32[1000]
          b = sort(y) {axis = 0, descending = false} : float32[1]
          c = reduce_max(a) {axes = [0], keep_dims = true} : float32[1]
          d = concat(b, c) {axis = 0} : float32[2]
          e = tile(d) {multiples = [500]} : float32[1000]
          f = reduce_max(e) {axes = [0], keep_dims = true} : float32[1]
          g = tile(f) {multiples = [1000]} : float32[1000]
          return g
        }",
    );
    let large = 4000;
    assert!(plan.bytes < 2 * large, "{} bytes: {plan}", plan.bytes);
}
