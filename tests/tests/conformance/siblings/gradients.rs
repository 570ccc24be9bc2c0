//! Gradients: at kinks and ties, where functions have no value, in branches that aren't taken, of convolutions and rearrangements, through
//! loops and choices.

use graph_runtime::prelude::*;
use graph_runtime::tensor::{Padding, Window, einsum};

use crate::harness::functions;

type Float = Tensor<f32>;
type Int = Tensor<i32>;
type Gradient = Option<Float>;

/// The gradient of a function of one tensor.
fn grad(f: impl Fn(&Float) -> Float, x: &Float) -> Vec<Gradient> {
    let tape = GradientTape::new();
    tape.watch(x);
    let y = f(x);
    vec![tape.gradient(&y, x)]
}

/// The gradients of a function of two.
fn grad_of_two(f: impl Fn(&Float, &Float) -> Float, a: &Float, b: &Float) -> (Gradient, Gradient) {
    let tape = GradientTape::new();
    tape.watch((a, b));
    let y = f(a, b);
    tape.gradient(&y, &(a, b))
}

#[graph_fn]
fn grad_activations(x: Float) -> Vec<Vec<Gradient>> {
    vec![
        grad(|v| v.relu(), &x),
        grad(|v| v.relu6(), &x),
        grad(|v| v.elu(), &x),
        grad(|v| v.selu(), &x),
        grad(|v| v.leaky_relu(0.25), &x),
        grad(|v| v.softplus(), &x),
        grad(|v| v.softsign(), &x),
        grad(|v| v.sigmoid(), &x),
        grad(|v| v.tanh(), &x),
    ]
}

#[graph_fn]
fn grad_abs_sign_square(x: Float) -> Vec<Vec<Gradient>> {
    vec![
        grad(|v| v.abs(), &x),
        grad(|v| v.sign(), &x),
        grad(|v| v.square(), &x),
        grad(|v| -v, &x),
    ]
}

#[graph_fn]
fn grad_roots_and_logarithms(x: Float) -> Vec<Vec<Gradient>> {
    vec![
        grad(|v| v.sqrt(), &x),
        grad(|v| v.rsqrt(), &x),
        grad(|v| v.log(), &x),
        grad(|v| v.log1p(), &x),
        grad(|v| v.reciprocal(), &x),
        grad(|v| v.exp(), &x),
        grad(|v| v.expm1(), &x),
        grad(|v| v.sin(), &x),
    ]
}

#[graph_fn]
fn grad_powers(x: Float, y: Float) -> ((Gradient, Gradient), Vec<Gradient>, Vec<Gradient>) {
    (
        grad_of_two(|x, y| x.pow(y), &x, &y),
        grad(|v| v.pow(2.0), &x),
        grad(|v| tensor(2.0).pow(v), &y),
    )
}

#[graph_fn]
fn grad_dead_branches(x: Float) -> Vec<Vec<Gradient>> {
    vec![
        grad(|v| v.gt(0.0).select(v.sqrt(), 0.0), &x),
        grad(|v| v.gt(0.0).select(v.rsqrt(), 0.0), &x),
        grad(|v| v.gt(0.0).select(v.log(), 0.0), &x),
        grad(|v| v.gt(0.0).select(1.0 / v, 0.0), &x),
        grad(|v| v.gt(0.0).select(v.pow(0.5), 0.0), &x),
        grad(|v| v.lt(1.0).select(v.acos(), 0.0), &x),
        grad(|v| v.gt(0.0).select(v.reciprocal(), 0.0), &x),
    ]
}

#[graph_fn]
fn grad_without_nan(x: Float, y: Float) -> Vec<(Gradient, Gradient)> {
    vec![
        grad_of_two(|x, y| x.divide_no_nan(y), &x, &y),
        grad_of_two(|x, y| x.xlogy(y), &x, &y),
        grad_of_two(|x, y| x.xlog1py(y), &x, &y),
        grad_of_two(|x, y| x.xdivy(y), &x, &y),
    ]
}

#[graph_fn]
fn grad_reductions(x: Float) -> Vec<Vec<Gradient>> {
    vec![
        grad(|v| v.prod(), &x),
        grad(|v| v.prod_axis(1), &x),
        grad(|v| v.max_axis(1), &x),
        grad(|v| v.min_axes(&[0, 1], false), &x),
        grad(|v| v.mean_axis(0), &x),
        grad(|v| v.cumsum_with(1, true, false), &x),
        grad(|v| v.logsumexp_axis(1), &x),
    ]
}

#[graph_fn]
fn grad_norms(x: Float) -> Vec<Vec<Gradient>> {
    use graph_runtime::tensor::Norm;
    vec![
        grad(|v| v.norm_of(Norm::Two, &[1], false), &x),
        grad(|v| v.l2_normalize(1), &x),
        grad(|v| v.norm_of(Norm::One, &[0, 1], false), &x),
        grad(|v| v.variance_axes(&[1], false), &x),
    ]
}

#[graph_fn]
fn grad_clip_at_bounds(x: Float) -> Vec<Vec<Gradient>> {
    vec![
        grad(|v| v.clip(0.0, 1.0), &x),
        grad(|v| v.maximum(0.0).minimum(1.0), &x),
    ]
}

#[graph_fn]
fn grad_remainders(a: Float, b: Float) -> Vec<(Gradient, Gradient)> {
    vec![
        grad_of_two(|a, b| a.floor_mod(b), &a, &b),
        grad_of_two(|a, b| a / b, &a, &b),
    ]
}

#[graph_fn]
fn grad_steps(x: Float) -> Vec<Vec<Gradient>> {
    vec![
        grad(|v| v.round(), &x),
        grad(|v| v.floor(), &x),
        grad(|v| v.ceil(), &x),
        grad(|v| v.floor_div(2.0), &x),
        grad(|v| v.cast::<i32>().cast(), &x),
        grad(|v| v.gt(0.0).cast(), &x),
        grad(|v| v.argmax(0).cast(), &x),
        grad(|v| v.argsort().cast(), &x),
        grad(|v| v.cast::<i32>().one_hot(3), &x),
        grad(|v| v.shape_tensor().cast(), &x),
    ]
}

#[graph_fn]
fn grad_order_with_ties(x: Float) -> Vec<Vec<Gradient>> {
    let w: Float = tensor([1.0, 2.0, 3.0, 4.0]);
    vec![
        grad(|v| v.top_k(2).0 * w[..2], &x),
        grad(|v| v.sort() * &w, &x),
        grad(|v| v.sort_descending() * &w, &x),
        grad(|v| v.gather(tensor([1, 1, 3, 1])) * &w, &x),
        grad(|v| v.max() * 2.0, &x),
    ]
}

#[graph_fn]
fn grad_segments(x: Float) -> Vec<Vec<Gradient>> {
    let ids = tensor([0, 0, 0, 2, 2, 2]);
    let mixed = tensor([1, 0, 1, -1, 0, 1]);
    let w: Float = tensor([1.0, 2.0, 3.0]);
    let two = w[..2];
    vec![
        grad(|v| v.segment_max(&ids) * &w, &x),
        grad(|v| v.segment_min(&ids) * &w, &x),
        grad(|v| v.segment_sum(&ids) * &w, &x),
        grad(|v| v.segment_mean(&ids) * &w, &x),
        grad(|v| v.segment_prod(&ids) * &w, &x),
        grad(|v| v.unsorted_segment_max(&mixed, 2) * &two, &x),
        grad(|v| v.unsorted_segment_sum(&mixed, 2) * &two, &x),
        grad(|v| v.unsorted_segment_prod(&mixed, 2) * &two, &x),
    ]
}

/// Windows that advance by `strides`.
fn sliding(strides: [usize; 2], padding: Padding) -> Window {
    Window {
        strides,
        padding,
        ..Window::default()
    }
}

#[graph_fn]
fn grad_poolings(m: Float) -> Vec<Vec<Gradient>> {
    let x = m[(NewAxis, .., .., NewAxis)];
    let [valid, same] = [Padding::Valid, Padding::Same].map(|padding| sliding([1, 2], padding));
    vec![
        grad(|v| v.max_pool2d([2, 2], valid).square(), &x),
        grad(|v| v.max_pool2d([2, 2], same).square(), &x),
        grad(|v| v.avg_pool2d([2, 2], valid).square(), &x),
        grad(|v| v.avg_pool2d([2, 2], same).square(), &x),
    ]
}

#[graph_fn]
fn grad_convolutions(m: Float, k: Float) -> Vec<(Gradient, Gradient)> {
    let (x, f) = (m[(NewAxis, .., .., NewAxis)], k[(.., .., NewAxis, NewAxis)]);
    let two = concat([&x, &(x * x)], 3);
    let depthwise = concat([&f, &(f * 2.0)], 2);
    let same = sliding([1, 1], Padding::Same);
    let by_two = sliding([2, 2], Padding::Valid);
    let valid = Window::default();
    vec![
        grad_of_two(|a, b| a.conv2d(b, same), &x, &f),
        grad_of_two(|a, b| a.conv2d(b, by_two).square(), &x, &f),
        grad_of_two(
            |a, b| a.depthwise_conv2d(b, valid).square(),
            &two,
            &depthwise,
        ),
        grad_of_two(|a, b| a.conv2d_transpose(b, [4, 4], valid).square(), &x, &f),
    ]
}

#[graph_fn]
fn grad_cross_entropies(z: Float, y: Float) -> Vec<Vec<Gradient>> {
    vec![
        grad(|v| v.softmax_cross_entropy(&y), &z),
        grad(|v| v.sigmoid_cross_entropy(&y), &z),
        grad(|v| v.softmax(-1)[(.., 0)], &z),
        grad(|v| v.log_softmax(-1)[(.., 0)], &z),
    ]
}

#[graph_fn]
fn grad_functions_at_extremes(x: Float) -> Vec<Vec<Gradient>> {
    vec![
        grad(|v| v.expm1(), &x),
        grad(|v| v.log1p(), &x),
        grad(|v| v.softplus(), &x),
        grad(|v| v.erf(), &x),
        grad(|v| v.erfc(), &x),
        grad(|v| v.asin(), &x),
        grad(|v| v.acos(), &x),
        grad(|v| v.atan(), &x),
        grad(|v| v.asinh(), &x),
        grad(|v| v.acosh(), &x),
        grad(|v| v.atanh(), &x),
    ]
}

#[graph_fn]
fn grad_angles(y: Float, x: Float) -> Vec<(Gradient, Gradient)> {
    vec![
        grad_of_two(|y, x| y.atan2(x), &y, &x),
        grad_of_two(|a, b| (a * a + b * b).sqrt(), &y, &x),
    ]
}

#[graph_fn]
fn grad_ties_broadcast(a: Float, b: Float) -> Vec<(Gradient, Gradient)> {
    vec![
        grad_of_two(|a, b| a.maximum(b), &a, &b),
        grad_of_two(|a, b| a.minimum(b), &a, &b),
        grad_of_two(|a, b| b.maximum(a), &a, &b),
        grad_of_two(|a, b| a.squared_difference(b), &a, &b),
    ]
}

/// The gradient of a function's gradient.
fn second(f: impl Fn(&Float) -> Float, x: &Float) -> Vec<Gradient> {
    grad(|v| grad(&f, v).remove(0).unwrap(), x)
}

#[graph_fn]
fn grad_second_order_edges(x: Float) -> Vec<Vec<Gradient>> {
    vec![
        second(|v| v.abs(), &x),
        second(|v| v.square(), &x),
        second(|v| v.pow(3.0), &x),
        second(|v| v.softplus(), &x),
        second(|v| v.tanh(), &x),
        second(|v| (v + 2.0).prod(), &x),
        second(|v| v.exp(), &x),
        second(|v| (v * v).max(), &x),
    ]
}

#[graph_fn]
fn grad_second_order_of_steps(x: Float) -> Vec<Gradient> {
    second(|v| v.relu(), &x)
}

#[graph_fn]
fn grad_second_order_of_product(x: Float) -> Vec<Gradient> {
    second(|v| v.prod(), &x)
}

#[graph_fn]
fn grad_arrangements(x: Float) -> Vec<Vec<Gradient>> {
    let w: Float = tensor([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let twice = concat([&w, &w], 0);
    fn flat(x: Float) -> Float {
        x.reshape(&[-1])
    }
    vec![
        grad(|v| flat(v.tile(&[1, 2])) * &twice, &x),
        grad(|v| flat(v.roll(1, 1)) * &w, &x),
        grad(|v| flat(v.repeat(2, 0)) * &twice, &x),
        grad(|v| flat(v.reverse(&[1])) * &w, &x),
        grad(|v| flat(v.pad([(1, 0), (0, 1)]))[..6] * &w, &x),
        grad(|v| v[(.., (..).by(-2))] * 3.0, &x),
        grad(|v| v.gather_axis(tensor([2, 0, 2]), 1) * 2.0, &x),
        grad(|v| v.band_part(0, 1), &x),
        grad(|v| v.diag_part() * tensor([1.0, 10.0]), &x),
        grad(|v| v.diag() * 2.0, &x),
    ]
}

#[graph_fn]
fn grad_sums_of_products(
    a: Float,
    b: Float,
) -> (
    (Gradient, Gradient),
    (Gradient, Gradient),
    Vec<Gradient>,
    Vec<Gradient>,
    (Gradient, Gradient),
    (Gradient, Gradient),
    (Gradient, Gradient),
) {
    (
        grad_of_two(|p, q| einsum("ij,jk->ik", [p, q]), &a, &b),
        grad_of_two(|p, q| einsum("ij,kj->", [p, q]), &a, &b),
        grad(|p| einsum("ii->i", [p]) * tensor([1.0, 2.0]), &a),
        grad(|p| einsum("ij->j", [p]).square(), &a),
        grad_of_two(|p, q| einsum("...j,...j->...", [p, q]).square(), &a, &b),
        grad_of_two(|p, q| p.tensordot(q, &[0], &[1]).square(), &a, &b),
        grad_of_two(|p, q| p.tensordot(q, &[], &[]), &a, &b),
    )
}

#[graph_fn]
fn grad_newton_root(x: Float, tolerance: Float) -> (Float, Gradient) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = x + 1.0;
    while (y * y - x).abs() > tolerance {
        y = 0.5 * (y + x / y);
    }
    let dy = tape.gradient(&y, &x);
    (y, dy)
}

#[graph_fn]
fn until(v: Float, a: Float) -> Float {
    let mut s = a.clone();
    for e in &v {
        s = s * e + a;
        if s > 4.0 {
            return s * s;
        }
    }
    s
}

#[graph_fn]
fn grad_early_return_in_loop(v: Float, a: Float) -> (Gradient, Gradient) {
    grad_of_two(|v, a| until(v.clone(), a.clone()), &v, &a)
}

#[graph_fn]
fn grad_matrix_powers_in_loop(m: Float, n: Int) -> (Float, Gradient) {
    let tape = GradientTape::new();
    tape.watch(&m);
    let mut p: Float = eye(2);
    let mut rows = TensorArray::new(&n);
    for i in 0..&n {
        p = p.matmul(&m);
        rows = rows.write(i, p[(.., 0)].sum());
    }
    let weights = (range(0, n, 1) + 1).cast::<f32>();
    let y = (rows.stack() * weights).sum();
    let dy = tape.gradient(&y, &m);
    (y, dy)
}

#[graph_fn]
fn choose(v: Float, k: Int) -> Float {
    let y;
    if k == 0 {
        y = v.exp();
    } else if k == 1 {
        if v > 0.0 {
            y = v * v;
        } else {
            y = -v;
        }
    } else {
        y = tensor(3.0);
    }
    y * v
}

#[graph_fn]
fn grad_nested_choices(x: Float, k: Int) -> Vec<Gradient> {
    grad(|v| choose(v.clone(), k.clone()), &x)
}

#[graph_fn]
fn grad_tape_inside_loop(x: Float, n: Int) -> Float {
    let mut y = x;
    for _ in 0..n {
        let tape = GradientTape::new();
        tape.watch(&y);
        let loss = (y * y - 2.0).square();
        y = y - 0.01 * tape.gradient(&loss, &y).unwrap();
    }
    y
}

functions! {
    grad_activations(x);
    grad_abs_sign_square(x);
    grad_roots_and_logarithms(x);
    grad_powers(x, y);
    grad_dead_branches(x);
    grad_without_nan(x, y);
    grad_reductions(x);
    grad_norms(x);
    grad_clip_at_bounds(x);
    grad_remainders(a, b);
    grad_steps(x);
    grad_order_with_ties(x);
    grad_segments(x);
    grad_poolings(m);
    grad_convolutions(m, k);
    grad_cross_entropies(z, y);
    grad_functions_at_extremes(x);
    grad_angles(y, x);
    grad_ties_broadcast(a, b);
    grad_second_order_edges(x);
    grad_second_order_of_product(x);
    grad_second_order_of_steps(x);
    grad_arrangements(x);
    grad_sums_of_products(a, b);
    grad_newton_root(x, tolerance);
    grad_early_return_in_loop(v, a);
    grad_matrix_powers_in_loop(m, n);
    grad_nested_choices(x, k);
    grad_tape_inside_loop(x, n);
}
