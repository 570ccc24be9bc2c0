//! Gradients of functions, in eager code and in graphs.

use std::collections::BTreeMap;

use graph_runtime::GraphState;
use graph_runtime::autodiff::{grad, hessian, jacobian, jvp, value_and_grad, vjp};
use graph_runtime::prelude::*;

use super::both;

/// `x₀² x₁ + sin x₀`.
fn f(x: &Tensor<f64>) -> Tensor<f64> {
    let (a, b) = (x.get(0), x.get(1));
    &a * &a * &b + a.sin()
}

#[graph_fn]
fn derivatives(x: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>) {
    let (y, dy) = value_and_grad(f)(&x);
    (y, dy, hessian(f)(&x))
}

#[test]
fn first_and_second_derivatives() {
    let (a, b) = (0.5f64, 3.0f64);
    for (y, dy, h) in both(|| derivatives(tensor([a, b]))) {
        assert_eq!(y.item(), a * a * b + a.sin());
        assert_eq!(dy.to_vec(), [2.0 * a * b + a.cos(), a * a]);
        assert_eq!(h.shape().to_string(), "[2,2]");
        assert_eq!(h.to_vec(), [2.0 * b - a.sin(), 2.0 * a, 2.0 * a, 0.0]);
    }
}

/// `x` to the power of `n`, by a loop.
fn power(x: &Tensor<f64>, n: &Tensor<i32>) -> Tensor<f64> {
    #[graph_fn]
    fn power(x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
        let mut y = x.ones_like();
        for _ in 0..n {
            y = y * x;
        }
        y
    }
    power(x.clone(), n.clone())
}

#[graph_fn]
fn changes(x: Tensor<f64>, dx: Tensor<f64>, n: Tensor<i32>) -> (Tensor<f64>, Tensor<f64>) {
    jvp(|x: &Tensor<f64>| power(x, &n), &x, &dx)
}

#[test]
fn forward_through_a_loop() {
    for n in [0, 1, 4] {
        for (y, dy) in both(|| changes(tensor([2.0, 3.0]), tensor([1.0, 10.0]), tensor(n))) {
            let slope = |x: f64| f64::from(n) * x.powi(n - 1);
            assert_eq!(y.to_vec(), [2f64.powi(n), 3f64.powi(n)]);
            assert_eq!(dy.to_vec(), [slope(2.0), 10.0 * slope(3.0)], "{n}");
        }
    }
}

#[graph_fn]
fn jacobian_of_a_loop(x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
    jacobian(|x: &Tensor<f64>| power(x, &n))(&x)
}

#[test]
fn a_jacobian_through_a_loop() {
    for j in both(|| jacobian_of_a_loop(tensor([2.0, 3.0]), tensor(3))) {
        assert_eq!(j.to_vec(), [12.0, 0.0, 0.0, 27.0]);
    }
}

#[graph_fn]
fn back(x: Tensor<f64>, w: Tensor<f64>) -> Tensor<f64> {
    let (_, back) = vjp(|x: &Tensor<f64>| x.exp(), &x);
    back(&w) + back(&(w * 2.0))
}

#[test]
fn a_vector_times_the_jacobian_twice() {
    for y in both(|| back(tensor([0.0, 0.0]), tensor([1.0, 5.0]))) {
        assert_eq!(y.to_vec(), [3.0, 15.0]);
    }
}

#[test]
fn structures_come_back_and_what_is_unconnected_is_zero() {
    let x = (tensor([1.0, 2.0]), vec![tensor(3.0), tensor(4.0)]);
    let f = |(a, b): &(Tensor<f32>, Vec<Tensor<f32>>)| (a * &b[0]).sum();
    let (da, db) = grad(f)(&x);
    assert_eq!(da.to_vec(), [3.0, 3.0]);
    assert_eq!((db[0].item(), db[1].item()), (3.0, 0.0));
}

#[test]
fn with_respect_to_a_variable() {
    let v = Variable::new(tensor(3.0));
    let f = |v: &Variable<f32>| v.read() * v.read();
    assert_eq!(grad(f)(&v).item(), 6.0);
    assert_eq!(jacobian(f)(&v).item(), 6.0);
}

#[derive(Clone, GraphState)]
struct Layer {
    weights: Tensor<f64>,
    bias: Tensor<f64>,
    unused: Tensor<f64>,
}

#[derive(Clone, GraphState)]
struct Net {
    first: Layer,
    scale: Tensor<f64, S0>,
}

fn net() -> Net {
    Net {
        first: Layer {
            weights: tensor([1.0, 2.0]),
            bias: tensor(3.0),
            unused: tensor([1.0, 1.0]),
        },
        scale: tensor(10.0).with_shape(),
    }
}

fn forward(net: &Net, x: &Tensor<f64>) -> Tensor<f64> {
    ((&net.first.weights * x).sum() + &net.first.bias) * net.scale.square()
}

#[graph_fn]
fn in_structs(x: Tensor<f64>) -> (Net, Net, Net, Tensor<f64>) {
    let net = net();
    let f = |net: &Net| forward(net, &x);
    let (_, gradient) = value_and_grad(f)(&net);
    let back = vjp(f, &net).1(&tensor(2.0));
    let tape = GradientTape::new();
    tape.watch(&net);
    let by_tape = tape.gradient(&f(&net), &net).unwrap();
    (gradient, back, by_tape, jvp(f, &net, &net).1)
}

#[test]
fn structs_of_tensors_have_gradients_of_their_kind() {
    // (w · x + b) s² at x = [5, 7] is 22 · 100.
    for (gradient, back, by_tape, change) in both(|| in_structs(tensor([5.0, 7.0]))) {
        for (found, times) in [(gradient, 1.0), (back, 2.0), (by_tape, 1.0)] {
            assert_eq!(found.first.weights.to_vec(), [500.0 * times, 700.0 * times]);
            assert_eq!(found.first.bias.item(), 100.0 * times);
            assert_eq!(found.first.unused.to_vec(), [0.0, 0.0]);
            assert_eq!(found.scale.item(), 440.0 * times);
        }
        // The tangent of each part is the part itself: 22 · 100 · (1 + 2).
        assert_eq!(change.item(), 6600.0);
    }
    let net = net();
    let tape = GradientTape::new();
    assert!(tape.gradient(&tensor(1.0), &net).is_none());
}

/// The Jacobians of a function from two tensors to two tensors, and the second derivatives of a function of a struct.
#[graph_fn]
fn of_several(x: Tensor<f64>, y: Tensor<f64>) -> (Vec<Tensor<f64>>, Vec<Layer>) {
    let f = |(x, y): &(Tensor<f64>, Tensor<f64>)| (x * y, [y.square()]);
    let ((xy_x, xy_y), [(yy_x, yy_y)]) = jacobian(f)(&(x, y));
    let g = |layer: &Layer| (layer.weights.square() * &layer.bias).sum();
    let second = hessian(g)(&net().first);
    (vec![xy_x, xy_y, yy_x, yy_y], second)
}

#[test]
fn jacobians_and_hessians_of_several_tensors() {
    for (jacobians, second) in both(|| of_several(tensor([2.0, 3.0]), tensor(5.0))) {
        let found: Vec<_> = jacobians
            .iter()
            .map(|j| (j.shape().to_string(), j.to_vec()))
            .collect();
        let expected = [
            ("[2,2]", vec![5.0, 0.0, 0.0, 5.0]),
            ("[2]", vec![2.0, 3.0]),
            ("[2]", vec![0.0, 0.0]),
            ("[]", vec![10.0]),
        ];
        assert_eq!(
            found,
            expected.map(|(shape, values)| (shape.to_owned(), values))
        );
        // Weights 1 and 2, bias 3: the function is (w₁² + w₂²) b.
        let [weights, bias, unused] = &second[..] else {
            panic!("a derivative for each tensor")
        };
        assert_eq!(weights.weights.to_vec(), [6.0, 0.0, 0.0, 6.0]);
        assert_eq!(weights.bias.to_vec(), [2.0, 4.0]);
        assert_eq!(bias.weights.to_vec(), [2.0, 4.0]);
        assert_eq!(bias.bias.to_vec(), [0.0]);
        assert_eq!(unused.weights.shape().to_string(), "[2,2]");
        assert!(unused.unused.to_vec().iter().all(|d| *d == 0.0));
    }
}

#[test]
fn second_derivatives_with_respect_to_a_model() {
    #[derive(graph_runtime::nn::Module)]
    struct Line {
        slope: Variable<f32>,
        offset: Variable<f32>,
    }
    let line = Line {
        slope: Variable::new(tensor(2.0)),
        offset: Variable::new(tensor(1.0)),
    };
    let error = |line: &Line| (&line.slope * 3.0 + &line.offset).square();
    let second: Vec<Vec<f32>> = hessian(error)(&line)
        .into_iter()
        .map(|row| {
            let row = row.expect("a gradient").into_iter();
            row.map(|d| d.tensor::<f32>().unwrap().item()).collect()
        })
        .collect();
    assert_eq!(second, [[18.0, 6.0], [6.0, 2.0]]);
}

#[graph_fn]
fn around_themselves(x: Tensor<f64>) -> [Tensor<f64>; 5] {
    // x y², where x is a constant that has the same value as y.
    let f = |y: &Tensor<f64>| y * y * &x;
    let of_pair = |(y, z): &(Tensor<f64>, [Tensor<f64>; 1])| y * &z[0] * &x;
    let pair = (x.clone(), [x.clone()]);
    [
        grad(f)(&x),
        grad(grad(f))(&x),
        jvp(f, &x, &tensor(1.0)).1,
        vjp(f, &x).1(&tensor(1.0)),
        grad(of_pair)(&pair).0,
    ]
}

#[test]
fn what_a_function_takes_from_around_it_is_constant() {
    for derivatives in both(|| around_themselves(tensor(3.0))) {
        let derivatives = derivatives.map(|d| d.item());
        assert_eq!(derivatives, [18.0, 6.0, 18.0, 18.0, 9.0]);
    }
    // To an outer gradient, x isn't constant: the whole is 2 x².
    let whole = |x: &Tensor<f64>| around_themselves(x.clone())[0].clone();
    assert_eq!(grad(whole)(&tensor(3.0)).item(), 12.0);
    let x = tensor(3.0);
    assert_eq!(grad(|y: &Tensor<f64>| y * y * &x)(&x).item(), 18.0);
}

/// Minimizes (y - x)² + y² by two steps that begin at x.
#[graph_fn]
fn steps_from_where_one_is(x: Tensor<f64>) -> Tensor<f64> {
    let mut y = x.clone();
    for _ in 0..tensor(2) {
        y = &y - grad(|y: &Tensor<f64>| (y - &x).square() + y.square())(&y) * 0.25;
    }
    y
}

#[test]
fn the_first_iteration_is_as_the_others() {
    for y in both(|| steps_from_where_one_is(tensor(4.0))) {
        assert_eq!(y.item(), 2.0);
    }
}

/// If several updates write the same position, the last one remains, so only it has a gradient. (TensorFlow gives each of them one.)
#[test]
fn an_update_that_is_written_over_has_no_gradient() {
    let rows = tensor([[1], [0], [1]]);
    let of = |updates: &Tensor<f64>| {
        let x = tensor([10.0, 20.0, 30.0]).scatter_update(&rows, updates.clone());
        (x * tensor([1.0, 2.0, 3.0])).sum()
    };
    let g = grad(|u: &Tensor<f64>| of(u));
    assert_eq!(g(&tensor([5.0, 6.0, 7.0])).to_vec(), [0.0, 1.0, 2.0]);
}

#[test]
fn a_tensor_that_stands_twice_in_a_source_has_a_gradient_for_each_place() {
    let x = tensor(3.0f64);
    let sum = |a: &Tensor<f64>, b: &Tensor<f64>| a * 2.0 + b * 3.0;
    let vec = vec![x.clone(), x.clone()];
    let of_vec = grad(|v: &Vec<Tensor<f64>>| sum(&v[0], &v[1]))(&vec);
    assert_eq!([of_vec[0].item(), of_vec[1].item()], [2.0, 3.0]);
    let array = [x.clone(), x.clone()];
    let of_array = grad(|v: &[Tensor<f64>; 2]| sum(&v[0], &v[1]))(&array);
    assert_eq!(of_array.map(|g| g.item()), [2.0, 3.0]);
    let map = BTreeMap::from([("a", x.clone()), ("b", x.clone())]);
    let of_map = grad(|v: &BTreeMap<&str, Tensor<f64>>| sum(&v["a"], &v["b"]))(&map);
    assert_eq!([of_map["a"].item(), of_map["b"].item()], [2.0, 3.0]);
}
