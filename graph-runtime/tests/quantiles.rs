//! Medians and quantiles are NumPy's (2.4.6).

use graph_runtime::Error;
use graph_runtime::prelude::*;

fn x() -> Tensor<f64> {
    tensor([
        [[3.0, -1.5, 8.0], [2.25, 7.0, -4.0]],
        [[0.5, 9.0, 1.0], [6.0, -2.0, 2.5]],
    ])
}

#[track_caller]
fn assert_close(found: &Tensor<f64>, shape: &str, expected: &[f64]) {
    assert_eq!(found.shape().to_string(), shape);
    let found = found.to_vec();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        let same = found == expected || found.is_nan() && expected.is_nan();
        assert!(
            same || (found - expected).abs() < 1e-14,
            "{found}, not {expected}"
        );
    }
}

#[test]
fn medians() {
    assert_close(&x().median(), "[]", &[2.375]);
    assert_close(
        &x().median_axis(0),
        "[2,3]",
        &[1.75, 3.75, 4.5, 4.125, 2.5, -0.75],
    );
    assert_close(
        &x().median_axis(1),
        "[2,3]",
        &[2.625, 2.75, 2.0, 3.25, 3.5, 1.75],
    );
    assert_close(&x().median_axis(-1), "[2,2]", &[3.0, 2.25, 1.0, 2.5]);
    let infinities = tensor([
        [f64::INFINITY, f64::INFINITY],
        [f64::NEG_INFINITY, f64::INFINITY],
    ]);
    assert_close(
        &infinities.median_axis(1),
        "[2]",
        &[f64::INFINITY, f64::NAN],
    );
    // What halves and sums would lose.
    for alone in [5e-324, f64::MAX] {
        assert_close(&tensor([alone]).median(), "[]", &[alone]);
    }
}

#[test]
fn quantiles() {
    for (q, expected) in [
        (0.0, -4.0),
        (0.1, -1.95),
        (0.37, 1.0875),
        (0.9, 7.9),
        (1.0, 9.0),
    ] {
        assert_close(&x().quantile(q), "[]", &[expected]);
    }
    let of_first = x().quantile_axis(0.37, 0);
    assert_close(
        &of_first,
        "[2,3]",
        &[1.425, 2.385, 3.59, 3.6375, 1.33, -1.595],
    );
    assert_close(&x().quantile_axis(0.9, -1), "[2,2]", &[7.0, 6.05, 7.4, 5.3]);
    let several = x().quantile_axis(tensor([0.2, 0.65]), 1);
    let expected = [
        2.4, 0.2, -1.6, 1.6, 0.2, 1.3, 2.7375, 4.025, 3.8, 4.075, 5.15, 1.975,
    ];
    assert_close(&several, "[2,2,3]", &expected);
    let single = x().cast::<f32>().quantile(0.37f32).item();
    assert!((single - 1.0875).abs() < 1e-6, "{single}");
}

#[test]
fn nan_is_the_quantile_of_values_with_nan() {
    let x = tensor([[1.0, f64::NAN, 3.0], [1.0, 2.0, 4.0]]);
    assert_close(&x.median_axis(1), "[2]", &[f64::NAN, 2.0]);
    assert_close(&x.quantile_axis(0.25, 1), "[2]", &[f64::NAN, 1.5]);
}

#[test]
fn in_graphs_of_unknown_sizes() {
    #[graph_fn(input_signature = [f64[_, _, _], f64[_]])]
    fn both(x: Tensor<f64>, q: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
        (x.median_axis(1), x.quantile_axis(q, 2))
    }
    let (median, quantiles) = both(x(), tensor([0.0, 0.9]));
    assert_close(&median, "[2,3]", &[2.625, 2.75, 2.0, 3.25, 3.5, 1.75]);
    let expected = [-1.5, -4.0, 0.5, -2.0, 7.0, 6.05, 7.4, 5.3];
    assert_close(&quantiles, "[2,2,2]", &expected);
}

type Way = fn(&Tensor<f64>) -> Tensor<f64>;

/// A step of each value to both sides.
fn differences(f: impl Fn(&Tensor<f64>) -> Tensor<f64>, x: &[f64]) -> Vec<f64> {
    let moved = |i: usize, by: f64| {
        let mut x = x.to_vec();
        x[i] += by;
        f(&tensor(x)).item()
    };
    let slope = |i| (moved(i, 1e-5) - moved(i, -1e-5)) / 2e-5;
    (0..x.len()).map(slope).collect()
}

#[test]
fn gradients_are_the_differences() {
    let x = [0.5, 9.0, 1.0, 6.0, -2.0, 2.5];
    let ways: [Way; 4] = [
        |x| x.median(),
        |x| x.get(..5).median(),
        |x| x.quantile(0.37),
        |x| (x.quantile(tensor([0.3, 0.81])) * tensor([2.0, -3.0])).sum(),
    ];
    for f in ways {
        let gradient = grad(f)(&tensor(x)).to_vec();
        for (found, expected) in gradient.iter().zip(differences(f, &x)) {
            assert!((found - expected).abs() < 1e-8, "{found}, not {expected}");
        }
    }
    let of_share = grad(|q: &Tensor<f64>| tensor(x).quantile(q))(&tensor(0.37)).item();
    // At 0.37 * 5 = 1.85, between 0.5 and 1.
    assert!((of_share - 5.0 * 0.5).abs() < 1e-12, "{of_share}");
}

#[test]
fn a_share_outside_is_an_error() {
    #[graph_fn]
    fn of(x: Tensor<f64>, q: Tensor<f64>) -> Result<Tensor<f64>, Error> {
        Ok(x.quantile(q))
    }
    for q in [-0.01, 1.01, f64::INFINITY] {
        let error = of(tensor([1.0, 2.0, 3.0]), tensor(q))
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("gather") && error.contains("quantiles.rs"),
            "{error}"
        );
    }
    let matrix = of(tensor([1.0]), tensor([[0.5]])).unwrap_err().to_string();
    assert!(matrix.contains("one share or of a vector"), "{matrix}");
}
