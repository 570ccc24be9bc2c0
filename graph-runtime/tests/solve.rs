//! Systems of linear equations: NumPy's solutions, shapes that tracing doesn't know, and errors with the user's line.

use graph_runtime::Error;
use graph_runtime::prelude::*;

fn matrices() -> Tensor<f64> {
    tensor([
        [[4.0, -2.0, 1.0], [3.0, 6.0, -4.0], [2.0, 1.0, 8.0]],
        // A pivot that isn't on the diagonal.
        [[0.0, 2.0, 1.0], [1.0, 1.0, 0.0], [3.0, 0.0, 1.0]],
    ])
}

fn right() -> Tensor<f64> {
    tensor([[12.0, 1.0], [-25.0, 2.0], [32.0, 3.0]])
}

#[track_caller]
fn assert_close<T: Into<f64>>(found: Vec<T>, expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.into_iter().zip(expected) {
        let found: f64 = found.into();
        assert!(
            (found - expected).abs() <= tolerance,
            "{found}, not {expected}"
        );
    }
}

/// `numpy.linalg.solve(a, b)` of NumPy 2.4.6, in `float64`.
const SOLUTIONS: [f64; 12] = [
    1.0,
    0.34980988593155893,
    -2.0,
    0.32319391634980993,
    4.0,
    0.24714828897338406,
    -6.0,
    1.2,
    -19.0,
    0.8,
    50.0,
    -0.6,
];

/// `numpy.linalg.inv(a)`.
const INVERSES: [f64; 18] = [
    0.19771863117870722,
    0.06463878326996197,
    0.007604562737642592,
    -0.12167300380228137,
    0.11406844106463877,
    0.07224334600760458,
    -0.034220532319391636,
    -0.030418250950570346,
    0.1140684410646388,
    -0.2,
    0.4,
    0.2,
    0.2,
    0.6,
    -0.2,
    0.6,
    -1.2,
    0.4,
];

#[test]
fn solutions_and_inverses_are_those_of_numpy() {
    let (a, b) = (matrices(), right());
    assert_close(a.solve(&b).to_vec(), &SOLUTIONS, 1e-13);
    assert_close(a.inv().to_vec(), &INVERSES, 1e-15);
    let (a, b) = (a.cast::<f32>(), b.cast::<f32>());
    assert_close(a.solve(b).to_vec(), &SOLUTIONS, 3e-5);
    assert_close(a.inv().to_vec(), &INVERSES, 3e-7);
    // A value of 16 bits is rounded once, from the solution in 32.
    let half = a
        .row(0)
        .cast::<f16>()
        .solve(tensor([[1.0], [2.0], [3.0]]).cast::<f16>());
    let expected = [SOLUTIONS[1], SOLUTIONS[3], SOLUTIONS[5]];
    assert_close(half.cast::<f64>().to_vec(), &expected, 2e-4);
}

#[test]
fn a_vector_is_one_column_for_all_matrices() {
    let b = right().get((.., 0));
    let x = matrices().solve(&b);
    assert_eq!(x.shape().to_string(), "[2,3]");
    assert_close(x.to_vec(), &[1.0, -2.0, 4.0, -6.0, -19.0, 50.0], 1e-13);
    assert_close(
        matrices().row(0).solve(b).to_vec(),
        &[1.0, -2.0, 4.0],
        1e-14,
    );
}

#[test]
fn sizes_that_only_a_run_knows() {
    #[graph_fn(input_signature = [f64[_, _, _], f64[_, _]])]
    fn both(a: Tensor<f64>, b: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
        (a.solve(b), a.inv())
    }
    let (x, inverse) = both(matrices(), right());
    assert_close(x.to_vec(), &SOLUTIONS, 1e-13);
    assert_close(inverse.to_vec(), &INVERSES, 1e-15);
}

#[test]
fn a_singular_matrix_is_an_error_with_the_line() {
    #[graph_fn]
    fn solved(a: Tensor<f64>, b: Tensor<f64>) -> Result<Tensor<f64>, Error> {
        Ok(a.solve(b))
    }
    let line = line!() - 2;
    let error = solved(tensor([[1.0, 2.0], [2.0, 4.0]]), tensor([1.0, 1.0])).unwrap_err();
    let message = error.to_string();
    assert!(
        message.contains("the matrix is singular, so it has no inverse"),
        "{message}"
    );
    assert!(message.contains(&format!("solve.rs:{line}")), "{message}");
    #[graph_fn]
    fn inverse(a: Tensor<f64>) -> Result<Tensor<f64>, Error> {
        Ok(a.inv())
    }
    let regular = tensor([[[1.0, 0.0], [0.0, 1.0]], [[0.0, 1.0], [0.0, 3.0]]]);
    let message = inverse(regular).unwrap_err().to_string();
    assert!(
        message.contains("matrix 1 of the batch is singular"),
        "{message}"
    );
    let message = inverse(ones(&[2, 3])).unwrap_err().to_string();
    assert!(message.contains("square matrices"), "{message}");
}

/// Derivative of `xᵀ · a⁻¹ · x` with respect to `a`, which is `-a⁻ᵀ x xᵀ a⁻ᵀ`.
#[test]
fn gradients_go_through_in_a_loop() {
    #[graph_fn]
    fn form(a: Tensor<f64>, x: Tensor<f64>, times: Tensor<i32>) -> Tensor<f64> {
        let mut y = x;
        for _ in 0..times {
            y = a.solve(y);
        }
        y.dot(&x)
    }
    let (a, x) = (matrices().row(0), tensor([1.0, 2.0, 3.0]));
    let tape = GradientTape::new();
    tape.watch(&a);
    let y = form(a.clone(), x.clone(), tensor(1));
    let gradient = tape.gradient(&y, &a).unwrap();
    let inverse = a.inv();
    let (left, right) = (inverse.t().matvec(&x), inverse.matvec(&x));
    let expected: Vec<f64> = (-left.outer(right)).to_vec();
    assert_close(gradient.to_vec(), &expected, 1e-13);
}
