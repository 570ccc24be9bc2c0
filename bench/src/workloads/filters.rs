//! A Kalman filter: the log likelihood of observations, and its gradient.

use graph_runtime::prelude::*;

const LOG_2PI: f64 = 1.8378770664093453;

/// How the state moves and is seen, with the noise of both.
type Model<'a> = [&'a Tensor<f64>; 4];

/// The log likelihood of the rows of `z`, from a state and its covariance on.
#[graph_fn]
fn likelihood(
    z: &Tensor<f64>,
    x: &Tensor<f64>,
    p: &Tensor<f64>,
    [f, h, q, r]: Model<'_>,
) -> Tensor<f64> {
    let (q, r) = (q.diag(), r.diag());
    let (mut x, mut p, mut ll) = (x.clone(), p.clone(), tensor(0.0));
    for seen in z {
        x = f.matvec(&x);
        p = f.matmul(&p).matmul_t(f) + &q;
        let e = seen - h.matvec(&x);
        let shared = p.matmul_t(h);
        let s = h.matmul(&shared) + &r;
        let inverse = s.inv();
        let gain = shared.matmul(&inverse);
        let weighed = (&e * inverse.matvec(&e)).sum();
        x = x + gain.matvec(&e);
        p = &p - gain.matmul(h.matmul(&p));
        ll -= (weighed + determinant(&s).log() + 2.0 * LOG_2PI) / 2.0;
    }
    ll
}

/// The determinant of a matrix with two rows.
fn determinant(s: &Tensor<f64>) -> Tensor<f64> {
    s.get((0, 0)) * s.get((1, 1)) - s.get((0, 1)) * s.get((1, 0))
}

/// The log likelihood.
#[graph_fn]
pub fn kalman(
    z: Tensor<f64>,
    x: Tensor<f64>,
    p: Tensor<f64>,
    f: Tensor<f64>,
    h: Tensor<f64>,
    q: Tensor<f64>,
    r: Tensor<f64>,
) -> Tensor<f64> {
    likelihood(&z, &x, &p, [&f, &h, &q, &r])
}

/// The log likelihood, and its gradients with respect to the model.
#[graph_fn]
pub fn gradient(
    z: Tensor<f64>,
    x: Tensor<f64>,
    p: Tensor<f64>,
    f: Tensor<f64>,
    h: Tensor<f64>,
    q: Tensor<f64>,
    r: Tensor<f64>,
) -> Vec<Tensor<f64>> {
    let tape = GradientTape::new();
    let model = [&f, &h, &q, &r];
    tape.watch(&model);
    let ll = likelihood(&z, &x, &p, model);
    let gradients = tape.gradient(&ll, &model);
    [ll].into_iter()
        .chain(gradients.map(Option::unwrap))
        .collect()
}
