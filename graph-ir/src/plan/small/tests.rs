//! Loops over small tensors: which become one word program, and that the bits are those of kernels.

use graph_kernels::Array;
use graph_kernels::simd::{Level, with_level};

use crate::plan::Plan;
use crate::plan::testing::{plan, plan_of_arrays, run_lines};

/// Ten steps of an oscillator: `y += 0.1 * [y[1], -y[0]]`, and the largest `|y|`.
const OSCILLATOR: &str = "graph (y: float64[2]) -> (float64[2], float64[]) {
  zero = constant 0 : int32[]
  i, z = while_loop (zero, y) : int32[], float64[2] {
    cond (i: int32[], y: float64[2]) {
      n = constant 10 : int32[]
      p = less(i, n) : bool[]
      return p
    }
    body (i: int32[], y: float64[2]) {
      one = constant 1 : int32[]
      j = add(i, one) : int32[]
      zero = constant 0 : int32[]
      a = index(y, one) : float64[]
      b = index(y, zero) : float64[]
      c = neg(b) : float64[]
      d = stack(a, c) {axis = 0} : float64[2]
      h = constant 0.1 : float64[]
      e = mul(d, h) : float64[2]
      z = add(y, e) : float64[2]
      return j, z
    }
  }
  q = abs(z) : float64[2]
  m = reduce_max(q) {axes = [], keep_dims = false} : float64[]
  return z, m
}";

#[test]
fn a_loop_over_a_vector_of_two_is_one_instruction() {
    let plan = plan(OSCILLATOR);
    assert_eq!(plan.instructions.len(), 1, "{plan}");
    let outputs = run_lines(&plan, vec![Array::new(&[2], vec![1.0, 0.5])])
        .unwrap()
        .0;
    let mut y = [1.0f64, 0.5];
    for _ in 0..10 {
        y = [y[0] + y[1] * 0.1, y[1] + -y[0] * 0.1];
    }
    assert_eq!(outputs[0], Array::new(&[2], y.to_vec()).into());
    assert_eq!(outputs[1], Array::scalar(y[0].abs().max(y[1].abs())).into());
}

/// A loop of three steps over a tensor of a type, whose body ends with the value `z`.
fn stepping(ty: &str, body: &str) -> String {
    format!(
        "graph (y: {ty}, v: int32[?]) -> {ty} {{
  zero = constant 0 : int32[]
  i, z = while_loop (zero, y; v) : int32[], {ty} {{
    cond (i: int32[], y: {ty}, v: int32[?]) {{
      n = constant 3 : int32[]
      p = less(i, n) : bool[]
      return p
    }}
    body (i: int32[], y: {ty}, v: int32[?]) {{
      one = constant 1 : int32[]
      j = add(i, one) : int32[]
{body}
      return j, z
    }}
  }}
  return z
}}"
    )
}

/// Checks that the loop is one instruction, with the bits of kernels.
#[track_caller]
fn check(ty: &str, shape: &[usize], body: &str) {
    let text = stepping(ty, body);
    let words = plan(&text);
    assert_eq!(words.instructions.len(), 1, "{words}");
    let count = shape.iter().product();
    let special = [
        1.5,
        -0.0,
        f64::NAN,
        f64::INFINITY,
        -1e300,
        0.1,
        -7.25,
        1e-310,
    ];
    for start in 0..special.len() {
        let values: Vec<f64> = special
            .iter()
            .copied()
            .cycle()
            .skip(start)
            .take(count)
            .collect();
        let inputs = || {
            vec![
                Array::new(shape, values.clone()),
                Array::new(&[3], vec![2, 0, 1]),
            ]
        };
        let run = |plan| run_lines(plan, inputs()).unwrap().0.remove(0);
        let (got, expected) = (run(&words), run(&plan_of_arrays(&text)));
        assert_eq!(got.shape(), expected.shape(), "{body}");
        // Which NaN it is depends on the order of the factors, which the compiler chooses.
        let of_nan = |x: &f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
        let bits = |array: &Array| -> Vec<u64> {
            array.values::<f64>().unwrap().iter().map(of_nan).collect()
        };
        assert_eq!(bits(&got), bits(&expected), "{body} of {values:?}");
    }
}

#[test]
fn functions_of_elements_have_the_bits_of_kernels() {
    check(
        "float64[3]",
        &[3],
        "a = tanh(y) : float64[3]\n k = constant [1.0, -2.0, 0.5] : float64[3]\n z = mul(a, k) : float64[3]",
    );
    check(
        "float64[2,2]",
        &[2, 2],
        "h = constant [3.0, 4.0] : float64[2]\n z = div(y, h) : float64[2,2]",
    );
    check(
        "float64[2,1]",
        &[2, 1],
        "p = less(y, y) : bool[2,1]\n q = sqrt(y) : float64[2,1]\n z = select(p, y, q) : float64[2,1]",
    );
}

#[test]
fn moved_elements_are_the_same() {
    for body in [
        "z = transpose(y) {perm = [1, 0]} : float64[2,2]",
        "r = reshape(y) {shape = [4]} : float64[4]\n z = reshape(r) {shape = [2, 2]} : float64[2,2]",
        "d = diag_part(y) {diagonal = 0} : float64[2]\n z = diag(d) {diagonal = 0} : float64[2,2]",
        "z = band_part(y) {low = 0, high = -1} : float64[2,2]",
        "e = index(y, one) : float64[2]\n z = stack(e, e) {axis = 1} : float64[2,2]",
        "s = strided_slice(y) {axes = [1], begins = [-1], ends = [0], steps = [-1], masks = [2]} : float64[2,2]\n z = add(s, y) : float64[2,2]",
        "k = index(v, i) : int32[]\n f = cast(k) {dtype = float64} : float64[]\n z = mul(y, f) : float64[2,2]",
        "t = tile(y) {multiples = [2, 1]} : float64[4,2]\n z = strided_slice(t) {axes = [0], begins = [1], ends = [3], steps = [1], masks = [0]} : float64[2,2]",
    ] {
        check("float64[2,2]", &[2, 2], body);
    }
}

#[test]
fn reductions_add_in_the_order_of_kernels() {
    for op in [
        "reduce_sum",
        "reduce_mean",
        "reduce_max",
        "reduce_min",
        "reduce_prod",
    ] {
        check(
            "float64[15]",
            &[15],
            &format!(
                "s = {op}(y) {{axes = [], keep_dims = false}} : float64[]\n z = mul(y, s) : float64[15]"
            ),
        );
        check(
            "float64[3,5]",
            &[3, 5],
            &format!(
                "s = {op}(y) {{axes = [-1], keep_dims = true}} : float64[3,1]\n z = sub(y, s) : float64[3,5]"
            ),
        );
    }
}

#[test]
fn loops_that_need_kernels_keep_them() {
    let needs =
        |ty: &str, body: &str| assert!(plan(&stepping(ty, body)).instructions.len() > 1, "{body}");
    // The message of an error names the types of the operands.
    needs(
        "int32[2]",
        "k = constant [1, 0] : int32[2]\n z = div(y, k) : int32[2]",
    );
    needs("float64[17]", "z = tanh(y) : float64[17]");
    // With 16 products, the kernel adds them in several sums.
    needs(
        "float64[1,16]",
        "t = matmul(y, y) {transpose_a = false, transpose_b = true} : float64[1,1]\n z = mul(y, t) : float64[1,16]",
    );
    // With 16 values the kernel adds several at a time.
    needs(
        "float64[16]",
        "s = reduce_sum(y) {axes = [], keep_dims = false} : float64[]\n z = mul(y, s) : float64[16]",
    );
    // Unknown positions of what the loop computes.
    needs(
        "float64[2]",
        "k = index(v, i) : int32[]\n e = index(y, k) : float64[]\n z = mul(y, e) : float64[2]",
    );
}

/// Products of small matrices, in every form.
fn products() {
    let matmul = |a: bool, b: bool, result: &str| {
        format!("z = matmul(y, k) {{transpose_a = {a}, transpose_b = {b}}} : {result}")
    };
    let square = "k = constant [0.1, -3.0, 7.0, 1e-3, 0.0, -0.0, 2.5, 1e10, 3.0] : float64[3,3]\n";
    for (a, b) in [(false, false), (true, false), (false, true), (true, true)] {
        check(
            "float64[3,3]",
            &[3, 3],
            &format!("{square}{}", matmul(a, b, "float64[3,3]")),
        );
    }
    check(
        "float64[1,3]",
        &[1, 3],
        &format!("{square}{}", matmul(false, false, "float64[1,3]")),
    );
    check(
        "float64[3,1]",
        &[3, 1],
        &format!(
            "{square}w = matmul(k, y) {{transpose_a = true, transpose_b = false}} : float64[3,1]\n z = add(w, y) : float64[3,1]"
        ),
    );
    check(
        "float64[3]",
        &[3],
        &format!("{square}z = einsum(k, y) {{equation = \"...ij,...j->...i\"}} : float64[3]"),
    );
    check(
        "float64[3]",
        &[3],
        "d = einsum(y, y) {equation = \"...i,...i->...\"} : float64[]\n z = mul(y, d) : float64[3]",
    );
    check(
        "float64[2,2]",
        &[2, 2],
        "z = einsum(y, y) {equation = \"ij,kj->ki\"} : float64[2,2]",
    );
    check(
        "float64[3]",
        &[3],
        "o = einsum(y, y) {equation = \"i,j->ij\"} : float64[3,3]\n z = diag_part(o) {diagonal = 0} : float64[3]",
    );
    check(
        "float64[2,2]",
        &[2, 2],
        "z = tensordot(y, y) {axes_a = [0], axes_b = [1]} : float64[2,2]",
    );
}

#[test]
fn sums_of_products_have_the_bits_of_kernels_at_every_level() {
    for level in Level::supported() {
        assert_eq!(with_level(level, products), Some(()));
    }
}

#[test]
fn parts_are_added_at_constant_positions() {
    for body in [
        "a = index(y, one, zero) : float64[]\n z = index_add(y, a, zero, one) : float64[2,2]",
        "a = index(y, one) : float64[2]\n z = index_add(y, a, zero) : float64[2,2]",
    ] {
        let body = format!("zero = constant 0 : int32[]\n {body}");
        check("float64[2,2]", &[2, 2], &body);
    }
}

#[test]
fn systems_are_solved_with_the_bits_of_the_kernel() {
    for n in [1, 2, 3] {
        for adjoint in [false, true] {
            let ty = format!("float64[{n},{n}]");
            // A regular matrix, and others with other pivots: `y` has numbers of all sizes.
            let k: Vec<f64> = (0..n * n)
                .map(|i| 0.75 + 0.1 * i as f64 + 0.01 * (i * i) as f64)
                .collect();
            let body = format!(
                "k = constant {k:?} : {ty}\n s = tanh(y) : {ty}\n m = add(s, k) : {ty}\n q = not_equal(m, m) : bool[{n},{n}]\n f = select(q, k, m) : {ty}\n z = solve(f, y) {{adjoint = {adjoint}}} : {ty}"
            );
            check(&ty, &[n, n], &body);
        }
    }
}

#[test]
fn a_singular_matrix_has_the_error_of_the_kernel() {
    let text = stepping(
        "float64[2,2]",
        "z = solve(y, y) {adjoint = false} : float64[2,2]",
    );
    let inputs = || {
        let singular = Array::new(&[2, 2], vec![1.0, 2.0, 2.0, 4.0]);
        vec![singular, Array::new(&[3], vec![2, 0, 1])]
    };
    let words = plan(&text);
    assert_eq!(words.instructions.len(), 1, "{words}");
    let error = run_lines(&words, inputs()).unwrap_err().to_string();
    let expected = run_lines(&plan_of_arrays(&text), inputs()).unwrap_err();
    assert_eq!(error, expected.to_string());
    assert!(error.contains("the matrix is singular"), "{error}");
}

/// The sum of `n` rows.
const ROWS: &str = "graph (x: float64[?,2], y: float64[2], n: int32[]) -> float64[2] {
  zero = constant 0 : int32[]
  i, z = while_loop (zero, y; x, n) : int32[], float64[2] {
    cond (i: int32[], y: float64[2], x: float64[?,2], n: int32[]) {
      p = less(i, n) : bool[]
      return p
    }
    body (i: int32[], y: float64[2], x: float64[?,2], n: int32[]) {
      one = constant 1 : int32[]
      j = add(i, one) : int32[]
      r = index(x, i) : float64[2]
      z = add(y, r) : float64[2]
      return j, z
    }
  }
  return z
}";

#[test]
fn rows_of_an_array_are_read_by_their_elements() {
    let words = plan(ROWS);
    assert_eq!(words.instructions.len(), 1, "{words}");
    let run = |plan: &Plan, n: i32| {
        let x = Array::new(&[3, 2], vec![1.0, 2.0, 30.0, 40.0, 500.0, 600.0]);
        let y = Array::new(&[2], vec![0.25, 0.5]);
        run_lines(plan, vec![x, y, Array::scalar(n)]).map(|(outputs, _)| outputs[0].clone())
    };
    let sum = |values: [f64; 2]| Array::new(&[2], values.to_vec()).into();
    assert_eq!(run(&words, 3), Ok(sum([531.25, 642.5])));
    assert_eq!(run(&words, 0), Ok(sum([0.25, 0.5])));
    // A position that is out of bounds has the error of the kernel, with its line and its loop.
    let expected = run(&plan_of_arrays(ROWS), 4).unwrap_err();
    assert_eq!(
        run(&words, 4).unwrap_err().to_string(),
        expected.to_string()
    );
    let expected = expected.to_string();
    assert!(
        expected.contains("slice index 3 of dimension 0 out of bounds"),
        "{expected}"
    );
}
