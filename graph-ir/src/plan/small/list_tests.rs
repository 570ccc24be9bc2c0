//! Loops that write lists: which become one word program, and that they give the same as kernels, errors included.

use graph_kernels::{Array, DType};

use crate::error::Error;
use crate::plan::testing::{plan, plan_of_arrays, run_lines};
use crate::plan::{Instruction, Plan};

fn words(plan: &Plan) -> usize {
    let words = plan.instructions.iter();
    words
        .filter(|i| matches!(i, Instruction::Words(w) if !w.lists().is_empty()))
        .count()
}

/// The results of a text for some inputs, by two plans. Its loops, of which there are `loops`, are word programs that write lists.
#[track_caller]
fn same(text: &str, loops: usize, inputs: &[Array]) -> Result<Vec<Array>, Error> {
    let (small, arrays) = (plan(text), plan_of_arrays(text));
    assert_eq!(words(&small), loops, "{small}");
    let jumps = small
        .instructions
        .iter()
        .any(|i| matches!(i, Instruction::Repeat { .. }));
    assert!(!jumps, "{small}");
    let run = |plan: &Plan| run_lines(plan, inputs.to_vec()).map(|(outputs, _)| outputs);
    let expected = run(&arrays);
    for _ in 0..2 {
        let got = run(&small);
        match (&got, &expected) {
            (Ok(got), Ok(expected)) => assert_eq!(got, expected),
            (Err(got), Err(expected)) => assert_eq!(got.to_string(), expected.to_string()),
            _ => panic!("{got:?}, expected {expected:?}"),
        }
    }
    expected.map(|outputs| outputs.iter().map(|x| Array::clone(x)).collect())
}

/// Writes row `i`, from `[i, 2 i]`, of a list for each `i` below `n`.
fn writing(list: &str, grows: bool, rows: &str) -> String {
    format!(
        "graph (n: int32[], l: {list}) -> {rows} {{
  zero = constant 0 : int32[]
  i, k = while_loop (zero, l; n) : int32[], {list} {{
    cond (i: int32[], l: {list}, n: int32[]) {{
      p = less(i, n) : bool[]
      return p
    }}
    body (i: int32[], l: {list}, n: int32[]) {{
      one = constant 1 : int32[]
      j = add(i, one) : int32[]
      two = constant [1, 2] : int32[2]
      r = mul(two, i) : int32[2]
      k = list_write(l, i, r) {{grows = {grows}}} : {list}
      return j, k
    }}
  }}
  rows = list_rows(k) {{shape = dims[?,2]}} : {rows}
  return rows
}}"
    )
}

fn rows(n: i32) -> Array {
    Array::new(
        &[n as usize, 2],
        (0..n).flat_map(|i| [i, 2 * i]).collect::<Vec<i32>>(),
    )
}

#[test]
fn rows_are_written_in_place() {
    let text = writing("int32[?,2]", false, "int32[?,2]");
    let list = Array::zeros(DType::I32, &[3, 2]);
    assert_eq!(
        same(&text, 1, &[Array::scalar(3), list.clone()]),
        Ok(vec![rows(3)])
    );
    assert_eq!(
        same(&text, 1, &[Array::scalar(0), list.clone()]),
        Ok(vec![list.clone()])
    );
    let error = same(&text, 1, &[Array::scalar(5), list])
        .unwrap_err()
        .to_string();
    for part in [
        "Trying to modify element 3 in a list with 3 elements. (in `list_write` of int32[3,2], int32[], int32[2])",
        "in iteration 4 of the loop",
    ] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn lists_grow() {
    let text = writing("int32[?,2]", true, "int32[?,2]");
    for n in [0, 1, 16, 17, 300] {
        let list = Array::zeros(DType::I32, &[0, 2]);
        assert_eq!(same(&text, 1, &[Array::scalar(n), list]), Ok(vec![rows(n)]));
    }
}

#[test]
fn the_first_row_gives_a_list_its_shape() {
    let text = writing("int32[*]", false, "int32[?,2]");
    let open = || {
        Array::zeros(
            DType::I32,
            &[[3].as_slice(), &graph_kernels::NO_SHAPE].concat(),
        )
    };
    assert_eq!(
        same(&text, 1, &[Array::scalar(3), open()]),
        Ok(vec![rows(3)])
    );
    // Without a row it has none.
    let zeros = Array::zeros(DType::I32, &[3, 2]);
    assert_eq!(same(&text, 1, &[Array::scalar(0), open()]), Ok(vec![zeros]));
    let error = same(&text, 1, &[Array::scalar(4), open()]).unwrap_err();
    assert!(
        error.to_string().contains("element 3 in a list with 3"),
        "{error}"
    );
}

#[test]
fn a_list_with_rows_of_another_shape_has_the_error_of_the_kernel() {
    let text = writing("int32[*]", false, "int32[?,2]");
    let other = Array::zeros(DType::I32, &[3, 4]);
    let error = same(&text, 1, &[Array::scalar(1), other])
        .unwrap_err()
        .to_string();
    assert!(
        error.contains("Item element shape: [2] list shape: [4]"),
        "{error}"
    );
}

/// Writes the squares of the numbers below `n` to a list, and sums the list's rows from `m` down to 0, in one region.
const BOTH: &str = "graph (n: int32[], m: int32[], l: float64[?]) -> (float64[], float64[?]) {
  zero = constant 0 : int32[]
  i, k = while_loop (zero, l; n) : int32[], float64[?] {
    cond (i: int32[], l: float64[?], n: int32[]) {
      p = less(i, n) : bool[]
      return p
    }
    body (i: int32[], l: float64[?], n: int32[]) {
      one = constant 1 : int32[]
      j = add(i, one) : int32[]
      q = mul(i, i) : int32[]
      f = cast(q) {dtype = float64} : float64[]
      k = list_write(l, i, f) {grows = true} : float64[?]
      return j, k
    }
  }
  s = constant 0.0 : float64[]
  d, t = while_loop (m, s; k, zero) : int32[], float64[] {
    cond (d: int32[], s: float64[], k: float64[?], zero: int32[]) {
      p = greater_equal(d, zero) : bool[]
      return p
    }
    body (d: int32[], s: float64[], k: float64[?], zero: int32[]) {
      one = constant 1 : int32[]
      e = sub(d, one) : int32[]
      x = list_read(k, d) {shape = dims[?]} : float64[]
      t = add(s, x) : float64[]
      return e, t
    }
  }
  return t, k
}";

#[test]
fn a_list_is_read_behind_the_loop_that_writes_it() {
    let list = Array::zeros(DType::F64, &[0]);
    let run = |n: i32, m: i32| same(BOTH, 1, &[Array::scalar(n), Array::scalar(m), list.clone()]);
    let squares: Vec<f64> = (0..20).map(|n: i32| f64::from(n * n)).collect();
    let sum: f64 = squares.iter().rev().sum();
    assert_eq!(
        run(20, 19),
        Ok(vec![Array::scalar(sum), Array::new(&[20], squares)])
    );
    let error = run(3, 7).unwrap_err().to_string();
    for part in [
        "Trying to access element 7 in a list with 3 elements. (in `list_read` of float64[3], int32[])",
        "in iteration 1 of the loop",
    ] {
        assert!(error.contains(part), "{error}");
    }
}

#[test]
fn lists_that_are_read_before_a_write_keep_their_kernels() {
    // A run that fails is repeated, which would read what the first one has written.
    let text = "graph (n: int32[], l: float64[?]) -> float64[?] {
  one = constant 1 : int32[]
  i, k = while_loop (one, l; n, one) : int32[], float64[?] {
    cond (i: int32[], l: float64[?], n: int32[], one: int32[]) {
      p = less(i, n) : bool[]
      return p
    }
    body (i: int32[], l: float64[?], n: int32[], one: int32[]) {
      j = add(i, one) : int32[]
      h = sub(i, one) : int32[]
      x = list_read(l, h) {shape = dims[?]} : float64[]
      y = list_read(l, i) {shape = dims[?]} : float64[]
      z = add(x, y) : float64[]
      k = list_write(l, i, z) {grows = false} : float64[?]
      return j, k
    }
  }
  return k
}";
    let plan = plan(text);
    assert_eq!(words(&plan), 0, "{plan}");
    let inputs = vec![Array::scalar(4), Array::new(&[4], vec![1.0, 2.0, 3.0, 4.0])];
    let outputs = run_lines(&plan, inputs).unwrap().0;
    assert_eq!(
        outputs[0],
        Array::new(&[4], vec![1.0, 3.0, 6.0, 10.0]).into()
    );
}

#[test]
fn an_earlier_value_of_a_list_is_kept() {
    // The list before the loop is a result, too: the loop writes a copy.
    let text = writing("int32[?,2]", false, "int32[?,2]").replace(
        "  return rows\n",
        "  s = list_rows(l) {shape = dims[?,2]} : int32[?,2]\n  t = sub(rows, s) : int32[?,2]\n  return t\n",
    );
    let list = Array::new(&[2, 2], vec![5, 6, 7, 8]);
    let difference = Array::new(&[2, 2], vec![-5, -6, -6, -6]);
    assert_eq!(
        same(&text, 1, &[Array::scalar(2), list]),
        Ok(vec![difference])
    );
}
