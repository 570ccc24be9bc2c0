//! Which kernels work in place, and that no value changes that is still needed or belongs to somebody else.

use std::sync::Arc;

use graph_kernels::Array;

use super::testing::{plan, run_lines};
use super::{Instruction, Plan};

/// The names of the ops that run in place.
fn in_place(plan: &Plan) -> Vec<&'static str> {
    let name = |instruction: &Instruction| match instruction {
        Instruction::Kernel {
            op, in_place: true, ..
        } => Some(op.name),
        _ => None,
    };
    plan.instructions.iter().filter_map(name).collect()
}

/// Writes i² to row i of an array, for every i. Returns the array before and after.
const FILL: &str = "graph (rows: int32[5]) -> (int32[5], int32[5]) {
  zero = constant 0 : int32[]
  i, filled = while_loop (zero, rows) : int32[], int32[5] {
    cond (i: int32[], rows: int32[5]) {
      n = constant 5 : int32[]
      p = less(i, n) : bool[]
      return p
    }
    body (i: int32[], rows: int32[5]) {
      one = constant 1 : int32[]
      square = mul(i, i) : int32[]
      rows2 = set_row(rows, i, square) : int32[5]
      j = add(i, one) : int32[]
      return j, rows2
    }
  }
  return rows, filled
}";

#[test]
fn rows_written_in_a_loop_are_written_in_place() {
    let plan = plan(FILL);
    assert_eq!(in_place(&plan), ["set_row"], "{plan}");
    let rows = Array::new(&[5], vec![7; 5]);
    // The initial state is the caller's array, which must not change.
    for _ in 0..2 {
        let outputs = run_lines(&plan, vec![rows.clone()]).unwrap().0;
        assert_eq!(*outputs[0], rows);
        assert_eq!(*outputs[1], Array::new(&[5], vec![0, 1, 4, 9, 16]));
    }
    // The row is written to the state in place: the state is moved only once, at the entry of the loop.
    let moved = plan
        .instructions
        .iter()
        .filter(|i| matches!(i, Instruction::Swap(..) | Instruction::Copy { .. }));
    assert_eq!(moved.count(), 2, "{plan}");
}

#[test]
fn values_that_are_needed_later_or_twice_stay() {
    let later = plan(
        "graph (i: int32[], x: int32[2]) -> (int32[2], int32[2]) {
          y = add(x, x) : int32[2]
          z = set_row(y, i, i) : int32[2]
          return y, z
        }",
    );
    assert_eq!(in_place(&later), [""; 0], "{later}");
    let inputs = vec![Array::scalar(1), Array::new(&[2], vec![3, 4])];
    let outputs = run_lines(&later, inputs).unwrap().0;
    assert_eq!(*outputs[0], Array::new(&[2], vec![6, 8]));
    assert_eq!(*outputs[1], Array::new(&[2], vec![6, 1]));
}

#[test]
fn constants_and_arrays_returned_before_are_never_overwritten() {
    // The slot shares the constant's array, and in the next run its own previous output.
    let plan = plan(
        "graph (p: bool[], i: int32[]) -> (int32[2], int32[2]) {
          x = cond p () : int32[2] {
            then () { a = constant [1, 2] : int32[2] return a }
            else () { b = constant [3, 4] : int32[2] return b }
          }
          y = set_row(x, i, i) : int32[2]
          z = cond p () : int32[2] {
            then () { a = constant [1, 2] : int32[2] return a }
            else () { b = constant [3, 4] : int32[2] return b }
          }
          return y, z
        }",
    );
    assert_eq!(in_place(&plan), ["set_row"], "{plan}");
    let run = |p: bool, i: i32| {
        run_lines(&plan, vec![Array::scalar(p), Array::scalar(i)])
            .unwrap()
            .0
    };
    let rows = |values: [i32; 2]| Arc::new(Array::new(&[2], values.to_vec()));
    let first = run(true, 1);
    assert_eq!(first, [rows([1, 1]), rows([1, 2])]);
    assert_eq!(run(false, 0), [rows([0, 4]), rows([3, 4])]);
    assert_eq!(first, [rows([1, 1]), rows([1, 2])]);
}
