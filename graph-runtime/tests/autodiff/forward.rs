//! Forward mode of programs whose derivatives are known: eagerly and traced, with reverse mode outside and inside.

use graph_runtime::TensorArray;
use graph_runtime::autodiff::{
    ForwardAccumulator, custom_gradient, grad, jvp, recompute, stop_gradient,
};
use graph_runtime::prelude::*;

use super::both;

type Pair = (Tensor<f64>, Tensor<f64>);

/// The value of `f`, and its derivative: the tangent of the value if `x` has the tangent 1.
fn slope(f: impl Fn(&Tensor<f64>) -> Tensor<f64>, x: &Tensor<f64>) -> Pair {
    jvp(f, x, &x.ones_like())
}

#[graph_fn]
fn branches(x: Tensor<f64>) -> Pair {
    slope(
        |x| {
            #[graph_fn]
            fn f(x: Tensor<f64>) -> Tensor<f64> {
                let mut y = tensor(7.0f64);
                if x > 1.0 {
                    y = x * x;
                } else if x > 0.0 {
                    return x * 3.0;
                }
                y + x
            }
            f(x.clone())
        },
        &x,
    )
}

#[test]
fn through_branches() {
    for (x, y, dy) in [(2.0, 6.0, 5.0), (0.5, 1.5, 3.0), (-1.0, 6.0, 1.0)] {
        for found in both(|| branches(tensor(x))) {
            assert_eq!((found.0.item(), found.1.item()), (y, dy), "{x}");
        }
    }
}

#[graph_fn]
fn cases(x: Tensor<f64>, n: Tensor<i32>) -> Pair {
    let forward = ForwardAccumulator::new(&x, &tensor(1.0));
    let y = match n {
        0 => x * x,
        1 => tensor(4.0),
        _ => x.exp(),
    };
    (forward.jvp_or_zeros(&y), y)
}

#[test]
fn through_a_match() {
    for (n, dy) in [(0, 6.0), (1, 0.0), (2, 3f64.exp())] {
        for found in both(|| cases(tensor(3.0), tensor(n))) {
            assert_eq!(found.0.item(), dy, "{n}");
        }
    }
}

/// Newton's square root. Only at its end it is known how many iterations the loop made.
#[graph_fn]
fn root(a: Tensor<f64>) -> Tensor<f64> {
    let mut x = a.clone();
    while (x * x - a).abs() > 1e-12 {
        x = (x + a / x) / 2.0;
    }
    x
}

#[graph_fn]
fn root_and_slope(a: Tensor<f64>) -> Pair {
    slope(|a| root(a.clone()), &a)
}

#[test]
fn through_a_loop_of_any_number_of_iterations() {
    for (y, dy) in both(|| root_and_slope(tensor(9.0))) {
        assert!((y.item() - 3.0).abs() < 1e-9 && (dy.item() - 1.0 / 6.0).abs() < 1e-9);
    }
    let (y, dy) = slope(|a| root(a.clone()), &tensor(4.0));
    assert!((y.item() - 2.0).abs() < 1e-9 && (dy.item() - 0.25).abs() < 1e-9);
}

/// The rows `x`, `x²`, `x³`, and their sum.
#[graph_fn]
fn rows(x: Tensor<f64>) -> Pair {
    let mut rows = TensorArray::dynamic();
    let mut row = x.ones_like();
    for i in 0..tensor(3) {
        row = row * x;
        rows = rows.write(i, &row);
    }
    let sum = rows.stack().sum_axis(0);
    (rows.stack(), sum)
}

#[graph_fn]
fn changes_of_rows(x: Tensor<f64>, dx: Tensor<f64>) -> (Pair, Pair) {
    jvp(|x: &Tensor<f64>| rows(x.clone()), &x, &dx)
}

#[test]
fn through_a_tensor_array() {
    for ((rows, sum), (d_rows, d_sum)) in
        both(|| changes_of_rows(tensor([2.0, 1.0]), tensor([1.0, 10.0])))
    {
        assert_eq!(rows.to_vec(), [2.0, 1.0, 4.0, 1.0, 8.0, 1.0]);
        assert_eq!(sum.to_vec(), [14.0, 3.0]);
        assert_eq!(d_rows.to_vec(), [1.0, 10.0, 4.0, 20.0, 12.0, 30.0]);
        assert_eq!(d_sum.to_vec(), [17.0, 60.0]);
    }
}

#[graph_fn]
fn around_and_inside(x: Tensor<f64>, n: Tensor<i32>) -> (Tensor<f64>, Tensor<f64>, Tensor<f64>) {
    let f = |x: &Tensor<f64>| {
        let mut y = x.clone();
        for _ in 0..n {
            y = y * x;
        }
        y
    };
    let forward_of_reverse = slope(grad(f), &x).1;
    let reverse_of_forward = grad(|x: &Tensor<f64>| slope(f, x).1)(&x);
    let twice_forward = slope(|x| slope(f, x).1, &x).1;
    (forward_of_reverse, reverse_of_forward, twice_forward)
}

#[test]
fn second_derivatives_in_all_three_ways() {
    // The value is x⁴; its second derivative is 12 x².
    for found in both(|| around_and_inside(tensor(2.0), tensor(3))) {
        assert_eq!(
            (found.0.item(), found.1.item(), found.2.item()),
            (48.0, 48.0, 48.0)
        );
    }
}

#[graph_fn]
fn fourth(x: Tensor<f64>) -> Tensor<f64> {
    let mut y = x.clone();
    for _ in 0..tensor(3) {
        y = y * x;
    }
    y
}

#[test]
fn second_derivatives_of_calls() {
    let (f, x) = (|x: &Tensor<f64>| fourth(x.clone()), tensor(2.0));
    assert_eq!(slope(grad(f), &x).1.item(), 48.0);
    assert_eq!(grad(|x: &Tensor<f64>| slope(f, x).1)(&x).item(), 48.0);
    assert_eq!(slope(|x| slope(f, x).1, &x).1.item(), 48.0);
}

#[graph_fn]
fn of_variables(v: &Variable<f64>, x: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let forward = ForwardAccumulator::new(&(v, &x), &(tensor(1.0), tensor(10.0)));
    let mut y = v * v * x;
    for _ in 0..tensor(2) {
        y = y + v;
    }
    let dy = forward.jvp(&y).unwrap();
    v.assign(&y);
    // The assigned value's own tangent is not used: a variable's tangent is the one that the accumulator was given for it.
    (dy, forward.jvp(&(v.read() * 2.0)).unwrap())
}

#[test]
fn with_respect_to_variables() {
    // v² x + 2 v has the derivative 2 v x + 2 with respect to v, and v² with respect to x.
    for (dy, of_read) in both(|| of_variables(&Variable::new(tensor(3.0)), tensor(5.0))) {
        assert_eq!((dy.item(), of_read.item()), (32.0 + 90.0, 2.0));
    }
}

#[graph_fn]
fn read_in_a_call(v: &Variable<f64>) -> Tensor<f64> {
    v.read() * v.read()
}

#[test]
fn a_call_reads_a_variable() {
    let v = Variable::new(tensor(3.0));
    let forward = ForwardAccumulator::new(&v, &tensor(0.5));
    let y = read_in_a_call(&v);
    assert_eq!(forward.jvp(&y).unwrap().item(), 3.0);
}

/// `x²`, with a gradient that is ten times too large.
fn exaggerated(x: Tensor<f64>) -> Tensor<f64> {
    custom_gradient(x, |x: Tensor<f64>| {
        let y = &x * &x;
        (y, move |dy: Tensor<f64>| dy * (20.0 * &x))
    })
}

#[graph_fn]
fn by_hand(x: Tensor<f64>) -> (Pair, Tensor<f64>, Tensor<f64>) {
    let f = |x: &Tensor<f64>| exaggerated(x.clone());
    let second = slope(grad(f), &x).1;
    let kept = slope(|x| recompute(x, |x| x.exp().sin()), &x).1;
    (slope(f, &x), second, kept)
}

#[test]
fn a_gradient_by_hand_is_transposed() {
    let x = 2f64;
    for ((y, dy), second, kept) in both(|| by_hand(tensor(x))) {
        assert_eq!((y.item(), dy.item(), second.item()), (4.0, 40.0, 20.0));
        assert_eq!(kept.item(), x.exp().cos() * x.exp());
    }
}

#[test]
fn asked_more_than_once_and_of_what_does_not_change() {
    let (x, n) = (tensor([1.0, 2.0]), tensor(3));
    let forward = ForwardAccumulator::new(&(&x, &n), &(tensor([1.0, 1.0]), tensor(0)));
    let y = &x * &x;
    assert_eq!(forward.jvp(&y).unwrap().to_vec(), [2.0, 4.0]);
    let z = &y * n.cast::<f64>();
    assert_eq!(forward.jvp(&z).unwrap().to_vec(), [6.0, 12.0]);
    assert_eq!(forward.jvp(&y).unwrap().to_vec(), [2.0, 4.0]);
    assert_eq!(forward.jvp(&x).unwrap().to_vec(), [1.0, 1.0]);
    assert!(forward.jvp(&stop_gradient(&y)).is_none());
    assert!(forward.jvp(&x.argmax(0)).is_none());
    assert_eq!(forward.jvp_or_zeros(&y.ones_like()).to_vec(), [0.0, 0.0]);
}

#[graph_fn]
fn asked_in_branches(x: Tensor<f64>) -> Tensor<f64> {
    let forward = ForwardAccumulator::new(&x, &tensor(1.0));
    let y = x * x;
    let mut found = forward.jvp(&y).unwrap();
    if x > 0.0 {
        let z = y * x;
        found = found + forward.jvp(&z).unwrap();
    }
    found + forward.jvp(&(y * y)).unwrap()
}

#[test]
fn asked_inside_a_branch() {
    for dy in both(|| asked_in_branches(tensor(2.0)).item()) {
        assert_eq!(dy, 4.0 + 12.0 + 32.0);
    }
}

#[graph_fn]
fn asked_in_a_loop(x: Tensor<f64>) -> Tensor<f64> {
    let forward = ForwardAccumulator::new(&x, &tensor(1.0));
    let mut y = x.clone();
    for _ in 0..tensor(2) {
        y = y * x + forward.jvp(&y).unwrap();
    }
    y
}

#[test]
#[should_panic(expected = "begun outside a loop is asked inside it")]
fn asked_inside_a_loop() {
    asked_in_a_loop(tensor(2.0));
}

#[test]
#[should_panic(expected = "float64[] can't be a change of float64[2]")]
fn a_change_of_another_shape() {
    let _ = ForwardAccumulator::new(&tensor([1.0, 2.0]), &tensor(1.0));
}
