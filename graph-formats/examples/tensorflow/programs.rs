//! Programs with control flow and calls.

use graph_kernels::Array;

/// Each program's name, graph and operands.
pub fn all() -> Vec<(&'static str, &'static str, Vec<Array>)> {
    let int = |n: i64| Array::scalar(n);
    vec![
        ("collatz", COLLATZ, vec![int(27)]),
        ("relu_true", RELU, vec![Array::scalar(5)]),
        ("relu_false", RELU, vec![Array::scalar(-3)]),
        (
            "switch",
            SWITCH,
            vec![Array::scalar(1), Array::scalar(2.0f32)],
        ),
        (
            "switch_last",
            SWITCH,
            vec![Array::scalar(7), Array::scalar(2.0f32)],
        ),
        (
            "powers",
            POWERS,
            vec![Array::scalar(5), Array::new(&[2], vec![1.5f32, -2.0])],
        ),
        (
            "calls",
            CALLS,
            vec![Array::new(&[3], vec![1.0f32, 2.0, 3.0])],
        ),
        ("list", LIST, vec![Array::scalar(4)]),
    ]
}

const RELU: &str = "graph (x: int32[]) -> (int32[]) {
  %1 = constant 0 : int32[]
  %2 = greater(x, %1) : bool[]
  %3 = cond %2 (x) : int32[] {
    then (x: int32[]) {
      return x
    }
    else (x: int32[]) {
      %1 = constant 0 : int32[]
      return %1
    }
  }
  return %3
}
";

pub const COLLATZ: &str = "graph (n: int64[]) -> (int64[]) {
  %1 = constant 0 : int64[]
  %2, %3 = while_loop (n, %1) : int64[], int64[] {
    cond (n: int64[], steps: int64[]) {
      %2 = constant 1 : int64[]
      %3 = greater(n, %2) : bool[]
      return %3
    }
    body (n: int64[], steps: int64[]) {
      %2 = constant 2 : int64[]
      %3 = floor_mod(n, %2) : int64[]
      %4 = constant 0 : int64[]
      %5 = equal(%3, %4) : bool[]
      %6 = cond %5 (n) : int64[] {
        then (n: int64[]) {
          %1 = constant 2 : int64[]
          %2 = floor_div(n, %1) : int64[]
          return %2
        }
        else (n: int64[]) {
          %1 = constant 3 : int64[]
          %2 = mul(n, %1) : int64[]
          %3 = constant 1 : int64[]
          %4 = add(%2, %3) : int64[]
          return %4
        }
      }
      %7 = constant 1 : int64[]
      %8 = add(steps, %7) : int64[]
      return %6, %8
    }
  }
  return %3
}
";

const SWITCH: &str = "graph (i: int32[], x: float32[]) -> (float32[]) {
  %2 = switch_case i (x) : float32[] {
    branch (x: float32[]) {
      return x
    }
    branch (x: float32[]) {
      %1 = mul(x, x) : float32[]
      return %1
    }
    branch (x: float32[]) {
      %1 = neg(x) : float32[]
      return %1
    }
  }
  return %2
}
";

/// A loop with an operand that doesn't change.
const POWERS: &str = "graph (n: int32[], x: float32[?]) -> (float32[?]) {
  %2 = constant 0 : int32[]
  %3, %4 = while_loop (%2, x; n, x) : int32[], float32[?] {
    cond (i: int32[], y: float32[?], n: int32[], x: float32[?]) {
      %4 = less(i, n) : bool[]
      return %4
    }
    body (i: int32[], y: float32[?], n: int32[], x: float32[?]) {
      %4 = constant 1 : int32[]
      %5 = add(i, %4) : int32[]
      %6 = mul(y, x) : float32[?]
      return %5, %6
    }
  }
  return %4
}
";

const CALLS: &str = "fn square(x: float32[?]) -> float32[?] {
  %1 = mul(x, x) : float32[?]
  return %1
}
fn norm(x: float32[?]) -> float32[] {
  %1 = call square(x) : float32[?]
  %2 = reduce_sum(%1) {axes = [], keep_dims = false} : float32[]
  %3 = sqrt(%2) : float32[]
  return %3
}
graph (x: float32[?]) -> (float32[], float32[?], float32[?]) {
  %1 = call norm(x) : float32[]
  %2 = call square(x) : float32[?]
  %3 = after(x, %2) : float32[?]
  return %1, %2, %3
}
";

/// A list whose rows have no shape at first.
const LIST: &str = "graph (n: int32[]) -> (float32[?,2], int32[]) {
  %1 = constant 0 : int32[]
  %2 = list_new(%1) {dtype = float32, shape = dims[*]} : float32[*]
  %3 = constant [1.0, 2.0] : float32[2]
  %4, %5 = while_loop (%1, %2; n, %3) : int32[], float32[*] {
    cond (i: int32[], list: float32[*], n: int32[], row: float32[2]) {
      %4 = less(i, n) : bool[]
      return %4
    }
    body (i: int32[], list: float32[*], n: int32[], row: float32[2]) {
      %4 = cast(i) {dtype = float32} : float32[]
      %5 = mul(row, %4) : float32[2]
      %6 = list_write(list, i, %5) {grows = true} : float32[*]
      %7 = constant 1 : int32[]
      %8 = add(i, %7) : int32[]
      return %8, %6
    }
  }
  %6 = list_rows(%5) {shape = dims[?,2]} : float32[?,2]
  %7 = list_size(%5) : int32[]
  return %6, %7
}
";
