//! Regions of scalars: which nodes become one word program, and that its errors are those of kernels.

use graph_kernels::{Array, DType};

use super::testing::{plan, plan_of_arrays, run_lines};
use super::words::{Word, WordOp};
use super::{Instruction, Plan};
use crate::error::Location;
use crate::graph::{Graph, Op, TensorType};
use crate::ops::{self, Attrs};

fn listing(plan: &Plan) -> Vec<String> {
    plan.instructions
        .iter()
        .map(Instruction::to_string)
        .collect()
}

/// The sum of 1000 / x over the elements at even positions below `n`.
const SUM: &str = "graph (items: int32[?], n: int32[]) -> int32[] {
  zero = constant 0 : int32[]
  i, sum = while_loop (zero, zero; items, n) : int32[], int32[] {
    cond (i: int32[], sum: int32[], items: int32[?], n: int32[]) {
      p = less(i, n) : bool[]
      return p
    }
    body (i: int32[], sum: int32[], items: int32[?], n: int32[]) {
      one = constant 1 : int32[]
      two = constant 2 : int32[]
      odd = rem(i, two) : int32[]
      skip = cast(odd) {dtype = bool} : bool[]
      sum2 = cond skip (i, sum, items) : int32[] {
        then (i: int32[], sum: int32[], items: int32[?]) { return sum }
        else (i: int32[], sum: int32[], items: int32[?]) {
          x = index(items, i) : int32[]
          whole = constant 1000 : int32[]
          q = div(whole, x) : int32[]
          s = add(sum, q) : int32[]
          return s
        }
      }
      j = add(i, one) : int32[]
      return j, sum2
    }
  }
  return sum
}";

fn inputs(items: &[i32], n: i32) -> Vec<Array> {
    vec![Array::new(&[items.len()], items.to_vec()), Array::scalar(n)]
}

#[test]
fn a_loop_over_the_values_of_an_array_is_one_instruction() {
    let plan = plan(SUM);
    assert_eq!(plan.instructions.len(), 1, "{plan}");
    let run = |items: &[i32], n: i32| run_lines(&plan, inputs(items, n)).unwrap().0;
    // 1000 / 10 + 1000 / 8 + 1000 / -3.
    assert_eq!(
        *run(&[10, 0, 8, 0, -3], 5)[0],
        Array::scalar(100 + 125 - 333)
    );
    assert_eq!(*run(&[10, 0, 8, 0, -3], 0)[0], Array::scalar(0));
    assert_eq!(*run(&[], -1)[0], Array::scalar(0));
}

#[test]
fn it_fails_as_kernels_do() {
    let cases: [(&[i32], i32, &str, u32); 2] = [
        (
            &[10, 0, 0, 0, -3],
            5,
            "Integer division by zero (in `div` of int32[], int32[])",
            18,
        ),
        (
            &[10, 0, 8],
            5,
            // Position 4 is the third even position.
            "slice index 4 of dimension 0 out of bounds. (in `index` of int32[3], int32[])",
            16,
        ),
    ];
    for plan in [plan(SUM), plan_of_arrays(SUM)] {
        for (items, n, message, line) in cases {
            let error = run_lines(&plan, inputs(items, n)).unwrap_err();
            assert_eq!(error.message(), message, "{plan}");
            assert_eq!(error.location().line, line);
            // The failed run doesn't affect the next one.
            let outputs = run_lines(&plan, inputs(&[500, 0, 250], 3)).unwrap().0;
            assert_eq!(*outputs[0], Array::scalar(2 + 4));
        }
    }
}

#[test]
fn a_comparison_with_nan_leaves_a_loop_or_stays_in_it_as_written() {
    // Halves x until it is below 1 and counts; `x >= 1` is false for NaN, but `!(x < 1)` is true, so then the limit of the count ends the loop.
    let text = |test: &str| {
        format!(
            "graph (x: float32[]) -> int32[] {{
              zero = constant 0 : int32[]
              y, n = while_loop (x, zero) : float32[], int32[] {{
                cond (x: float32[], n: int32[]) {{
                  one = constant 1 : float32[]
                  ten = constant 10 : int32[]
                  few = less(n, ten) : bool[]
                  {test}
                  q = logical_and(few, p) : bool[]
                  return q
                }}
                body (x: float32[], n: int32[]) {{
                  half = constant 0.5 : float32[]
                  one = constant 1 : int32[]
                  y = mul(x, half) : float32[]
                  m = add(n, one) : int32[]
                  return y, m
                }}
              }}
              return n
            }}"
        )
    };
    let at_least = text("p = greater_equal(x, one) : bool[]");
    let not_less = text("l = less(x, one) : bool[] p = logical_not(l) : bool[]");
    for (x, steps) in [
        (8.0, [4, 4]),
        (0.5, [0, 0]),
        (f32::NAN, [0, 10]),
        (f32::INFINITY, [10, 10]),
    ] {
        let plans = [plan(&at_least), plan(&not_less)];
        let counts = plans.map(|plan| run_lines(&plan, vec![Array::scalar(x)]).unwrap().0);
        assert_eq!(
            counts.map(|c| Array::clone(&c[0])),
            steps.map(Array::scalar),
            "{x}"
        );
    }
}

#[test]
fn arrays_stay_outside() {
    let plan = plan(
        "graph (x: float32[2], n: int32[]) -> (float32[2], int32[]) {
          one = constant 1 : int32[]
          m = add(n, one) : int32[]
          k = mul(m, m) : int32[]
          y = neg(x) : float32[2]
          l = sub(k, n) : int32[]
          return y, l
        }",
    );
    let expected = [
        "s0 = words(in1) of 2 steps",
        "s1 = neg(in0)",
        "s0 = words(s0, in1) of 1 steps",
    ];
    assert_eq!(listing(&plan), expected, "{plan}");
}

#[test]
fn more_values_than_registers_are_arrays() {
    // 300 values are alive until they are added up.
    let values: String = (0..300)
        .map(|i| format!("c{i} = constant {i} : int32[] v{i} = mul(x, c{i}) : int32[]\n"))
        .collect();
    let sums: String = (1..300)
        .map(|i| format!("s{i} = add(s{}, v{i}) : int32[]\n", i - 1))
        .collect();
    let plan = plan(&format!(
        "graph (x: int32[]) -> int32[] {{ {values} s0 = add(x, v0) : int32[] {sums} return s299 }}"
    ));
    assert!(plan.instructions.len() > 300);
    let outputs = run_lines(&plan, vec![Array::scalar(2)]).unwrap().0;
    assert_eq!(*outputs[0], Array::scalar(2 + 2 * (299 * 300 / 2)));
}

#[test]
fn a_condition_that_the_loop_does_not_change_is_read_every_time() {
    // The loop would never end if `p` were true, and does nothing if it is false.
    let plan = plan(
        "graph (x: float32[2], n: int32[]) -> float32[2] {
          zero = constant 0 : int32[]
          p = less(n, zero) : bool[]
          y = while_loop (x; p) : float32[2] {
            cond (x: float32[2], p: bool[]) { return p }
            body (x: float32[2], p: bool[]) { y = neg(x) : float32[2] return y }
          }
          return y
        }",
    );
    let x = Array::new(&[2], vec![1f32, 2.0]);
    let outputs = run_lines(&plan, vec![x.clone(), Array::scalar(3)])
        .unwrap()
        .0;
    assert_eq!(*outputs[0], x, "{plan}");
}

#[test]
fn the_ops_that_words_have_and_no_others_are_compiled() {
    let mut compiled = 0;
    for (op, dtype) in ops::all().flat_map(|op| DType::ALL.map(|dtype| (op, dtype))) {
        for count in 1..=3 {
            let (attrs, types) = (Attrs::new(), vec![TensorType::scalar(dtype); count]);
            let Ok(output) = (op.infer)(&types, &attrs) else {
                continue;
            };
            let is_word = Word::of(&output) == Some(Word::Single(output.dtype));
            let words: Option<Vec<Word>> = types.iter().map(Word::of).collect();
            let has =
                is_word && words.is_some_and(|words| WordOp::of(op, &attrs, &words).is_some());
            let mut graph = Graph::default();
            let inputs = types
                .into_iter()
                .map(|ty| graph.add_input(ty, None))
                .collect();
            let (op, at) = (Op::Primitive(op, attrs), Location::unknown());
            graph.outputs = graph.add_node(op, inputs, vec![output], at);
            let plan = Plan::new(&graph);
            assert_eq!(plan.only_words().is_some(), has, "{graph}");
            compiled += usize::from(has);
        }
    }
    assert!(compiled > 0, "nothing is asked");
}
