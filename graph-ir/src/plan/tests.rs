//! Plans on the CPU. The expected results are computed by hand or by plain Rust.

use std::sync::Arc;

use graph_kernels::Array;

use super::testing::{plan, plan_of_arrays, run_lines};
use super::{Instruction, Plan};

/// Runs a plan on `int32` scalars twice, so that the second run uses the frame of the first one.
fn run_ints(plan: &Plan, inputs: &[i32]) -> Vec<i32> {
    let arrays = || inputs.iter().copied().map(Array::scalar).collect();
    let first = run_lines(plan, arrays())
        .unwrap_or_else(|e| panic!("{e}\n{plan}"))
        .0;
    let second = run_lines(plan, arrays())
        .unwrap_or_else(|e| panic!("{e}\n{plan}"))
        .0;
    assert_eq!(first, second);
    first
        .iter()
        .map(|a| a.values::<i32>().unwrap()[0])
        .collect()
}

const FIBONACCI: &str = "graph (n: int32[]) -> (int32[], int32[]) {
  zero = constant 0 : int32[]
  one = constant 1 : int32[]
  i, a, b = while_loop (zero, zero, one; n) : int32[], int32[], int32[] {
    cond (i: int32[], a: int32[], b: int32[], n: int32[]) { p = less(i, n) : bool[] return p }
    body (i: int32[], a: int32[], b: int32[], n: int32[]) {
      one = constant 1 : int32[]
      j = add(i, one) : int32[]
      c = add(a, b) : int32[]
      return j, b, c
    }
  }
  return a, b
}";

#[test]
fn loop_state_moves_all_at_once() {
    let plan = plan_of_arrays(FIBONACCI);
    assert_eq!(run_ints(&plan, &[10]), [55, 89]);
    assert_eq!(run_ints(&plan, &[0]), [0, 1]);
    // All moves inside the loop swap buffers; only the entry of the loop copies.
    let copies = plan
        .instructions
        .iter()
        .filter(|i| matches!(i, Instruction::Copy { .. }))
        .count();
    assert_eq!(copies, 3, "{plan}");
}

#[test]
fn state_is_exchanged_and_rotated() {
    let text = "graph (n: int32[], a: int32[], b: int32[], c: int32[]) -> (int32[], int32[], int32[], int32[]) {
      zero = constant 0 : int32[]
      one = constant 1 : int32[]
      i, x, y, z = while_loop (zero, a, b, c; n, one) : int32[], int32[], int32[], int32[] {
        cond (i: int32[], x: int32[], y: int32[], z: int32[], n: int32[], one: int32[]) {
          p = less(i, n) : bool[]
          return p
        }
        body (i: int32[], x: int32[], y: int32[], z: int32[], n: int32[], one: int32[]) {
          j = add(i, one) : int32[]
          return j, y, z, x
        }
      }
      return i, x, y, z
    }";
    assert_eq!(run_ints(&plan(text), &[0, 7, 8, 9]), [0, 7, 8, 9]);
    assert_eq!(run_ints(&plan(text), &[1, 7, 8, 9]), [1, 8, 9, 7]);
    assert_eq!(run_ints(&plan(text), &[5, 7, 8, 9]), [5, 9, 7, 8]);
}

#[test]
fn nested_loops_keep_what_outer_iterations_need() {
    // The sum over i < n of (k + the sum over j < i of j), where k is defined outside both loops.
    let text = "graph (n: int32[], m: int32[]) -> (int32[], int32[]) {
      zero = constant 0 : int32[]
      k = mul(m, m) : int32[]
      i, s = while_loop (zero, zero; n, k) : int32[], int32[] {
        cond (i: int32[], s: int32[], n: int32[], k: int32[]) { p = less(i, n) : bool[] return p }
        body (i: int32[], s: int32[], n: int32[], k: int32[]) {
          zero = constant 0 : int32[]
          one = constant 1 : int32[]
          j, t = while_loop (zero, k; i) : int32[], int32[] {
            cond (j: int32[], t: int32[], i: int32[]) { p = less(j, i) : bool[] return p }
            body (j: int32[], t: int32[], i: int32[]) {
              one = constant 1 : int32[]
              t2 = add(t, j) : int32[]
              j2 = add(j, one) : int32[]
              return j2, t2
            }
          }
          s2 = add(s, t) : int32[]
          i2 = add(i, one) : int32[]
          return i2, s2
        }
      }
      return s, k
    }";
    let expected = |n: i32, m: i32| (0..n).map(|i| m * m + (0..i).sum::<i32>()).sum::<i32>();
    for (n, m) in [(0, 3), (1, 3), (7, 4)] {
        assert_eq!(run_ints(&plan(text), &[n, m]), [expected(n, m), m * m]);
    }
}

#[test]
fn branches_and_switches_take_one_way() {
    let text = "graph (a: int32[], b: int32[], i: int32[]) -> (int32[], int32[], int32[]) {
      p = less(a, b) : bool[]
      small, large = cond p (a, b) : int32[], int32[] {
        then (a: int32[], b: int32[]) { return a, b }
        else (a: int32[], b: int32[]) { return b, a }
      }
      r = switch_case i (small, large) : int32[] {
        branch (x: int32[], y: int32[]) { z = add(x, y) : int32[] return z }
        branch (x: int32[], y: int32[]) { z = mul(x, y) : int32[] print(\"product \", z) return z }
        branch (x: int32[], y: int32[]) { return x }
      }
      return small, large, r
    }";
    let plan = plan(text);
    assert_eq!(run_ints(&plan, &[3, 5, 0]), [3, 5, 8]);
    assert_eq!(run_ints(&plan, &[5, 3, 1]), [3, 5, 15]);
    assert_eq!(run_ints(&plan, &[5, 3, 2]), [3, 5, 3]);
    assert_eq!(run_ints(&plan, &[5, 3, -1]), [3, 5, 3]);
    assert_eq!(run_ints(&plan, &[5, 3, 99]), [3, 5, 3]);
    let lines = run_lines(&plan, [5, 3, 1].map(Array::scalar).to_vec())
        .unwrap()
        .1;
    assert_eq!(lines, ["product 15"]);
}

#[test]
fn summaries_keep_their_order_among_prints() {
    let text = "graph (n: int64[]) -> (int64[]) {
      one = constant 1 : int64[]
      zero = constant 0 : int64[]
      i = while_loop (zero; n, one) : int64[] {
        cond (i: int64[], n: int64[], one: int64[]) { p = less(i, n) : bool[] return p }
        body (i: int64[], n: int64[], one: int64[]) {
          square = mul(i, i) : int64[]
          print(\"step \", i)
          summary_scalar(\"square\", square, i)
          next = add(i, one) : int64[]
          print(\"done\")
          return next
        }
      }
      return i
    }";
    let lines = run_lines(&plan(text), vec![Array::scalar(2i64)]).unwrap().1;
    let round = |i: i64| {
        [
            format!("step {i}"),
            format!("summary_scalar square at {i}: {}", i * i),
            "done".into(),
        ]
    };
    assert_eq!(lines, [round(0), round(1)].concat());
}

#[test]
fn a_summary_that_cannot_be_written_fails_the_run() {
    let text = "graph (s: int64[]) -> () { summary_scalar(\"\", s, s) return }";
    let error = run_lines(&plan(text), vec![Array::scalar(2i64)]).unwrap_err();
    assert_eq!(error.message(), "can't write the summary ``: it has no tag");
}

#[test]
fn calls_are_part_of_the_plan() {
    let text = "fn square(x: int32[]) -> int32[] { y = mul(x, x) : int32[] return y }
    fn fourth(x: int32[]) -> int32[] {
      y = call square(x) : int32[]
      z = call square(y) : int32[]
      return z
    }
    graph (x: int32[]) -> (int32[], int32[]) { y = call fourth(x) : int32[] return y, x }";
    assert_eq!(run_ints(&plan(text), &[3]), [81, 3]);
}

#[test]
fn values_out_of_use_share_a_slot() {
    let chain: String = (1..20)
        .map(|i| format!("v{i} = add(v{}, v{}) : int32[]\n", i - 1, i - 1))
        .collect();
    let plan = plan_of_arrays(&format!(
        "graph (v0: int32[]) -> int32[] {{ {chain} return v19 }}"
    ));
    assert_eq!(plan.slots.len(), 2, "{plan}");
    assert_eq!(run_ints(&plan, &[1]), [1 << 19]);
}

#[test]
fn errors_name_op_operands_and_line() {
    let plan = plan(
        "graph (a: int32[], b: int32[]) -> int32[] {
      p = less(b, a) : bool[]
      assert(p, \"b is below a: \", b, \" < \", a)
      c = div(a, b) : int32[]
      return c
    }",
    );
    let fails =
        |a: i32, b: i32| run_lines(&plan, vec![Array::scalar(a), Array::scalar(b)]).unwrap_err();
    let error = fails(1, 0);
    assert_eq!(
        error.message(),
        "Integer division by zero (in `div` of int32[], int32[])"
    );
    assert_eq!(error.location().line, 4);
    assert_eq!(fails(1, 2).message(), "b is below a: 2 < 1");
    // A failed run doesn't affect the next one.
    assert_eq!(run_ints(&plan, &[7, 2]), [3]);
}

#[test]
fn inputs_of_other_types_are_refused() {
    let plan = plan("graph (a: int32[?,2]) -> int32[?,2] { return a }");
    let run = |array: Array| run_lines(&plan, vec![array]).map(|(outputs, _)| outputs[0].clone());
    assert!(run(Array::new(&[1, 2], vec![1, 2])).is_ok());
    let error = run(Array::new(&[2], vec![1, 2])).unwrap_err();
    assert_eq!(
        error.message(),
        "input 0 is a int32[2] where a int32[?,2] belongs"
    );
    assert!(run(Array::new(&[1, 2], vec![1.0, 2.0])).is_err());
    assert!(run_lines(&plan, vec![]).is_err());
}

#[test]
fn returned_arrays_are_not_overwritten_by_later_runs() {
    let plan =
        plan("graph (a: int32[]) -> (int32[], int32[]) { b = add(a, a) : int32[] return b, b }");
    let first = run_lines(&plan, vec![Array::scalar(1)]).unwrap().0;
    let second = run_lines(&plan, vec![Array::scalar(5)]).unwrap().0;
    assert!(Arc::ptr_eq(&first[0], &first[1]));
    assert_eq!(
        [first[0].values::<i32>(), second[0].values::<i32>()],
        [Some(&[2][..]), Some(&[10][..])]
    );
}
