//! One tensor passed as several arguments: in the function each parameter is a tensor of its own, and the gradients of all of them are
//! added to that of the tensor that was passed.

use graph_runtime::autodiff::{grad, jacobian, jvp, vjp};
use graph_runtime::prelude::*;
use graph_runtime::{TraceType, debug};

#[graph_fn]
fn two(a: Tensor<f64>, b: Tensor<f64>) -> Tensor<f64> {
    a * 2.0 + b * 3.0
}

#[graph_fn]
fn pair((a, b): (Tensor<f64>, Tensor<f64>)) -> Tensor<f64> {
    a * 2.0 + b * 3.0
}

#[graph_fn]
fn borrowed(a: &Tensor<f64>, b: Tensor<f64>) -> Tensor<f64> {
    a * 2.0 + b * 3.0
}

#[graph_fn]
fn all(list: Vec<Tensor<f64>>) -> Tensor<f64> {
    &list[0] * 2.0 + &list[1] * 3.0
}

#[derive(Clone, TraceType)]
struct Two {
    a: Tensor<f64>,
    b: Tensor<f64>,
}

#[graph_fn]
fn fields(two: Two) -> Tensor<f64> {
    two.a * 2.0 + two.b * 3.0
}

/// `softmax(q kᵀ) v`.
#[graph_fn]
fn attention(q: Tensor<f64>, k: Tensor<f64>, v: Tensor<f64>) -> Tensor<f64> {
    q.matmul(k.transpose()).softmax(-1).matmul(v)
}

type Rule = fn(&Tensor<f64>) -> Tensor<f64>;

/// Functions that return 2 x + 3 x. Each passes `x` on as two arguments.
const FIVE: [(&str, Rule); 7] = [
    ("two values", |x| two(x.clone(), x.clone())),
    ("a tuple", |x| pair((x.clone(), x.clone()))),
    ("a reference and a value", |x| borrowed(x, x.clone())),
    ("a Vec", |x| all(vec![x.clone(), x.clone()])),
    ("a struct", |x| {
        fields(Two {
            a: x.clone(),
            b: x.clone(),
        })
    }),
    ("a graph function around", |x| around(x.clone())),
    ("two levels", |x| twice_aliased(x.clone(), x.clone())),
];

#[graph_fn]
fn around(x: Tensor<f64>) -> Tensor<f64> {
    two(x.clone(), x.clone())
}

/// 5 a + (2 b + 3 a) - 5 b. If both are x, this is 5 x.
#[graph_fn]
fn twice_aliased(a: Tensor<f64>, b: Tensor<f64>) -> Tensor<f64> {
    two(a.clone(), a.clone()) + two(b.clone(), a.clone()) - two(b.clone(), b.clone())
}

fn slope(f: Rule, x: &Tensor<f64>) -> f64 {
    let tape = GradientTape::new();
    tape.watch(x);
    let y = f(x);
    tape.gradient(&y, x).map_or(0.0, |d| d.item())
}

#[graph_fn]
fn slope_inside(x: &Tensor<f64>, which: usize) -> Tensor<f64> {
    let tape = GradientTape::new();
    tape.watch(x);
    let y = FIVE[which].1(x);
    tape.gradient(&y, x).unwrap()
}

#[test]
fn the_gradient_of_a_tensor_given_twice_is_the_sum() {
    for (name, f) in FIVE {
        for x in [tensor(1.0), tensor(4.0)] {
            assert_eq!(f(&x).item(), 5.0 * x.item(), "{name}");
            assert_eq!(slope(f, &x), 5.0, "a tape around, {name}");
            assert_eq!(grad(f)(&x).item(), 5.0, "grad, {name}");
            assert_eq!(jacobian(f)(&x).item(), 5.0, "jacobian, {name}");
            assert_eq!(jvp(f, &x, &tensor(1.0)).1.item(), 5.0, "jvp, {name}");
            let (_, back) = vjp(f, &x);
            assert_eq!(back(&tensor(1.0)).item(), 5.0, "vjp, {name}");
        }
    }
}

#[test]
fn a_tape_inside_sees_both() {
    for (which, (name, _)) in FIVE.iter().enumerate() {
        assert_eq!(slope_inside(&tensor(2.0), which).item(), 5.0, "{name}");
    }
}

#[test]
fn eager_functions_see_both() {
    let _scope = debug::EAGER.scope(true);
    let slopes = FIVE.map(|(_, f)| slope(f, &tensor(2.0)));
    assert_eq!(slopes, [5.0; 7]);
}

#[test]
fn second_derivatives_see_both() {
    #[graph_fn]
    fn product(a: Tensor<f64>, b: Tensor<f64>) -> Tensor<f64> {
        &a * &b * a
    }
    let cube = |x: &Tensor<f64>| product(x.clone(), x.clone());
    assert_eq!(grad(cube)(&tensor(2.0)).item(), 12.0);
    assert_eq!(grad(grad(cube))(&tensor(2.0)).item(), 12.0);
}

#[test]
fn a_parameter_is_a_tensor_of_its_own_in_the_function() {
    #[graph_fn]
    fn of_the_first(a: Tensor<f64>, b: Tensor<f64>) -> Tensor<f64> {
        let tape = GradientTape::new();
        tape.watch(&a);
        let y = &a * 2.0 + &b * 3.0;
        tape.gradient(&y, &a).unwrap()
    }
    let x = tensor(1.0);
    assert_eq!(of_the_first(x.clone(), x.clone()).item(), 2.0);
}

#[test]
fn one_trace_serves_calls_with_one_tensor_and_with_two() {
    #[graph_fn]
    fn difference(a: Tensor<i32>, b: Tensor<i32>) -> Tensor<i32> {
        a - b
    }
    #[graph_fn]
    fn outer(n: Tensor<i32>) -> Tensor<i32> {
        difference(n.clone(), n.clone()) + difference(n.clone() * 2, n)
    }
    assert_eq!(difference(tensor(5), tensor(3)).item(), 2);
    let x = tensor(5);
    assert_eq!(difference(x.clone(), x).item(), 0);
    assert_eq!(difference::function().concrete_functions().len(), 1);
    assert_eq!(outer(tensor(5)).item(), 5);
    assert_eq!(outer(tensor(7)).item(), 7);
}

#[test]
fn one_specification_stands_for_two_arguments() {
    #[graph_fn]
    fn traces_another(x: Tensor<f64>) -> Tensor<f64> {
        let spec: Tensor<f64> = TensorSpec::new(&[None]).placeholder();
        let (a, b) = (spec.clone(), spec);
        let inputs = fields::concrete(Two { a, b }).unwrap().graph().inputs.len();
        x * inputs as f64
    }
    assert_eq!(traces_another(tensor(1.0)).item(), 2.0);
}

#[test]
fn self_attention_has_the_gradient_of_differences() {
    let x = tensor([[0.3, -0.2], [0.5, 0.1], [-0.4, 0.7]]);
    let loss = |x: &Tensor<f64>| attention(x.clone(), x.clone(), x.clone()).square().sum();
    let gradient = grad(loss)(&x).to_vec();
    let step = 1e-6;
    for (i, slope) in gradient.iter().enumerate() {
        let moved = |by: f64| {
            let mut values = x.to_vec();
            values[i] += by;
            loss(&tensor(values).reshape(&[3, 2])).item()
        };
        let difference = (moved(step) - moved(-step)) / (2.0 * step);
        assert!(
            (slope - difference).abs() < 1e-7,
            "{i}: {slope}, {difference}"
        );
    }
}
