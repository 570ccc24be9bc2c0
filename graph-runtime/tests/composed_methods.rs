//! Methods that are made of other ops have the values of NumPy 2.4.6 and PyTorch 2.15, and the gradients of JAX 0.10.

use graph_runtime::Error;
use graph_runtime::prelude::*;

fn x() -> Tensor<f64> {
    tensor([
        [3.0, -1.5, 8.0, 2.25],
        [0.5, 9.0, 1.0, -4.0],
        [6.0, 2.5, -2.0, 7.0],
    ])
}

fn places() -> Tensor<f64> {
    tensor([0.0, 0.5, 2.0, 2.25])
}

/// What the results are weighed by, before they are summed and differentiated.
fn weights() -> Tensor<f64> {
    tensor([[1.0, -2.0, 0.5], [3.0, 1.0, -1.0], [0.25, 2.0, 1.5]])
}

#[track_caller]
fn assert_close(found: &Tensor<f64>, shape: &str, expected: &[f64]) {
    assert_eq!(found.shape().to_string(), shape);
    let found = found.to_vec();
    assert_eq!(found.len(), expected.len());
    for (found, expected) in found.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-13, "{found}, not {expected}");
    }
}

#[test]
fn differences_of_neighbours() {
    let rows = [-4.5, 9.5, -5.75, 8.5, -8.0, -5.0, -3.5, -4.5, 9.0];
    assert_close(&x().diff(-1), "[3,3]", &rows);
    let columns = [-2.5, 10.5, -7.0, -6.25, 5.5, -6.5, -3.0, 11.0];
    assert_close(&x().diff(0), "[2,4]", &columns);
    assert_eq!(zeros::<f32>([0]).diff(0).shape(), [0]);
    assert_eq!(zeros::<f32>([1]).diff(0).shape(), [0]);
    // Each value but the first is added once, each but the last subtracted once.
    let gradient = grad(|x: &Tensor<f64>| (x.diff(0) * tensor([1.0, 10.0])).sum());
    assert_eq!(
        gradient(&tensor([5.0, 6.0, 8.0])).to_vec(),
        [-1.0, -9.0, 10.0]
    );
}

#[test]
fn integrals_by_the_trapezoidal_rule() {
    assert_close(&x().trapezoid(places()), "[3]", &[6.53125, 9.5, 3.125]);
    assert_close(&x().trapezoid(0.25), "[3]", &[2.28125, 2.0625, 1.75]);
    let weighed = |x: &Tensor<f64>, p: &Tensor<f64>| x.trapezoid(p) * tensor([1.0, 2.0, -1.0]);
    let of_values = grad(|x: &Tensor<f64>| weighed(x, &places()).sum())(&x());
    let expected = [
        0.25, 1.0, 0.875, 0.125, 0.5, 2.0, 1.75, 0.25, -0.25, -1.0, -0.875, -0.125,
    ];
    assert_close(&of_values, "[3,4]", &expected);
    let of_places = grad(|p: &Tensor<f64>| weighed(&x(), p).sum())(&places());
    assert_close(&of_places, "[4]", &[-6.0, -7.0, 13.375, -0.375]);
}

#[test]
fn covariances_and_correlations() {
    let covariances = [
        15.265625,
        -10.697916666666666,
        -8.552083333333332,
        -10.697916666666666,
        29.229166666666664,
        -8.8125,
        -8.552083333333332,
        -8.8125,
        16.5625,
    ];
    assert_close(&x().cov(), "[3,3]", &covariances);
    let correlations = [
        1.0,
        -0.5064466454743101,
        -0.5378382480380891,
        -0.5064466454743101,
        1.0,
        -0.40052346764123914,
        -0.5378382480380892,
        -0.4005234676412392,
        1.0,
    ];
    assert_close(&x().corrcoef(), "[3,3]", &correlations);
    let two = stack([x(), x() * 2.0], 0);
    assert_close(&two.cov().get(1), "[3,3]", &covariances.map(|c| 4.0 * c));
    assert!(tensor([[1.0], [2.0]]).cov().is_nan().all().item());

    let of_cov = grad(|x: &Tensor<f64>| (x.cov() * weights()).sum())(&x());
    let expected = [
        0.3229166666666665,
        -0.7187499999999991,
        1.8229166666666665,
        -1.427083333333334,
        0.14583333333333337,
        3.145833333333333,
        -0.5208333333333329,
        -2.7708333333333335,
        2.265625,
        0.47395833333333337,
        -4.317708333333333,
        1.578125,
    ];
    assert_close(&of_cov, "[3,4]", &expected);
    let of_corrcoef = grad(|x: &Tensor<f64>| (x.corrcoef() * weights()).sum())(&x());
    let expected = [
        0.024760291829092514,
        0.014464281498237195,
        0.006203623782012221,
        -0.04542819710934193,
        0.02911844193537392,
        -0.006999686938724393,
        -0.008007411701153056,
        -0.014111343295496471,
        0.0264094027410184,
        0.02780488437473863,
        -0.01683682026970468,
        -0.03737746684605235,
    ];
    assert_close(&of_corrcoef, "[3,4]", &expected);
}

#[test]
fn kroneckers_product() {
    let (a, b) = (
        tensor([[1.0, 2.0, -1.0], [0.5, 3.0, 2.0]]),
        tensor([[2.0, -3.0], [0.25, 1.0]]),
    );
    let expected = [
        2.0, -3.0, 4.0, -6.0, -2.0, 3.0, 0.25, 1.0, 0.5, 2.0, -0.25, -1.0, 1.0, -1.5, 6.0, -9.0,
        4.0, -6.0, 0.125, 0.5, 0.75, 3.0, 0.5, 2.0,
    ];
    assert_close(&a.kron(&b), "[4,6]", &expected);
    let of_vector = [2.0, -3.0, -4.0, 6.0, 0.25, 1.0, -0.5, -2.0];
    assert_close(&tensor([1.0, -2.0]).kron(&b), "[2,4]", &of_vector);
    #[graph_fn(input_signature = [f64[_, _], f64[_, 2]])]
    fn of_any_size(a: Tensor<f64>, b: Tensor<f64>) -> Tensor<f64> {
        a.kron(b)
    }
    assert_close(&of_any_size(&a, &b), "[4,6]", &expected);

    let numbers = || (range(0, 24, 1).cast::<f64>() - 7.0).reshape([4, 6]);
    let of_left = grad(|a: &Tensor<f64>| (a.kron(&b) * numbers()).sum())(&a);
    assert_close(&of_left, "[2,3]", &[3.75, 4.25, 4.75, 6.75, 7.25, 7.75]);
    let of_right = grad(|b: &Tensor<f64>| (a.kron(b) * numbers()).sum())(&b);
    assert_close(&of_right, "[2,2]", &[27.5, 35.0, 72.5, 80.0]);
}

#[test]
fn cross_products() {
    let (u, v) = (
        tensor([[1.0, 2.0, 3.0], [-1.0, 0.5, 4.0]]),
        tensor([2.0, -1.0, 0.5]),
    );
    let expected = [4.0, 5.5, -5.0, 4.25, 8.5, 0.0];
    assert_close(&u.cross(&v), "[2,3]", &expected);
    let weights = tensor([[1.0, 2.0, 3.0], [4.0, -5.0, 6.0]]);
    let of_left = grad(|u: &Tensor<f64>| (u.cross(&v) * &weights).sum())(&u);
    assert_close(&of_left, "[2,3]", &[-4.0, -5.5, 5.0, -3.5, -10.0, -6.0]);
    let of_right = grad(|v: &Tensor<f64>| (u.cross(v) * &weights).sum())(&v);
    assert_close(&of_right, "[3]", &[-23.0, -22.0, -3.0]);
    #[graph_fn]
    fn crossed(u: Tensor<f64>, v: Tensor<f64>) -> Result<Tensor<f64>, Error> {
        Ok(u.cross(v))
    }
    let line = line!() - 2;
    let message = crossed(tensor([1.0, 2.0]), v).unwrap_err().to_string();
    assert!(
        message.contains("vectors of three numbers along the last axis, not a tensor of shape [2]"),
        "{message}"
    );
    assert!(
        message.contains(&format!("composed_methods.rs:{line}")),
        "{message}"
    );
}

#[test]
fn powers_of_matrices() {
    let m = tensor([[2.0, 1.0], [0.5, -1.0]]);
    assert_close(&m.matrix_power(5), "[2,2]", &[44.5, 14.75, 7.375, 0.25]);
    assert_close(&m.matrix_power(-3), "[2,2]", &[0.064, 0.224, 0.112, -0.608]);
    assert_close(&m.matrix_power(0), "[2,2]", &[1.0, 0.0, 0.0, 1.0]);
    assert_close(&m.matrix_power(1), "[2,2]", &[2.0, 1.0, 0.5, -1.0]);
    let weights = tensor([[1.0, 2.0], [3.0, -4.0]]);
    let gradient = grad(|m: &Tensor<f64>| (m.matrix_power(-3) * &weights).sum())(&m);
    assert_close(&gradient, "[2,2]", &[0.032, -1.024, -2.272, 7.744]);
    #[graph_fn]
    fn power(x: Tensor<f32>, exponent: i32) -> Result<Tensor<f32>, Error> {
        Ok(x.matrix_power(exponent))
    }
    for exponent in [-1, 0, 2] {
        assert!(
            power(ones([2, 3]), exponent).is_err(),
            "to the power {exponent}"
        );
    }
}

#[test]
fn numbers_for_nan_and_infinities() {
    let x = tensor([1.5, f32::NAN, f32::INFINITY, f32::NEG_INFINITY]);
    assert_eq!(x.nan_to_num().to_vec(), [1.5, 0.0, f32::MAX, f32::MIN]);
    let half = x.cast::<f16>().nan_to_num().cast::<f32>();
    assert_eq!(half.to_vec(), [1.5, 0.0, 65504.0, -65504.0]);
    let gradient = grad(|x: &Tensor<f32>| (x.nan_to_num() * 3.0).sum())(&x);
    assert_eq!(gradient.to_vec(), [3.0, 0.0, 0.0, 0.0]);
}

#[test]
fn between_two_tensors() {
    let u = tensor([[1.0, 2.0, 3.0], [-1.0, 0.5, 4.0]]);
    let mixed = u.lerp(&u * 2.0 - 1.0, tensor([0.25, 0.5, 2.0]));
    assert_close(&mixed, "[2,3]", &[1.0, 2.5, 7.0, -1.5, 0.25, 10.0]);
    let gradient = grad(|(a, b): &(Tensor<f64>, Tensor<f64>)| a.lerp(b, 0.25).sum());
    let (of_begin, of_end) = gradient(&(tensor(1.0), tensor(5.0)));
    assert_eq!((of_begin.item(), of_end.item()), (0.75, 0.25));
}

#[test]
fn axes_alone_and_in_lists() {
    let x = tensor([[[1, 2], [3, 4]]]);
    let axes = vec![1, 2];
    assert_eq!(x.reverse(1).to_vec(), [3, 4, 1, 2]);
    assert_eq!(x.reverse([1, 2]).to_vec(), [4, 3, 2, 1]);
    assert_eq!(x.reverse(&[1, 2]).to_vec(), [4, 3, 2, 1]);
    assert_eq!(x.reverse(&axes).to_vec(), [4, 3, 2, 1]);
    assert_eq!(x.reverse(&axes[1..]).to_vec(), [2, 1, 4, 3]);
    assert_eq!(x.squeeze(0).shape(), [2, 2]);
    assert_eq!(x.squeeze([0]).shape(), [2, 2]);
    assert_eq!(x.squeeze(&[]).shape(), [2, 2]);
}
