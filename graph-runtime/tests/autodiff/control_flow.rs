//! Gradients through `while` over tensors. Branches, nested loops and `break` are among the conformance programs `grad_*`.

use graph_runtime::autodiff::grad;
use graph_runtime::prelude::*;

use super::both;

#[graph_fn]
fn square(x: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = x * x;
    tape.gradient(&y, &x).unwrap()
}

#[test]
fn straight_code() {
    for y in both(|| square(tensor(3.0)).item()) {
        assert_eq!(y, 6.0);
    }
}

#[graph_fn]
fn power(x: Tensor<f32>, n: Tensor<i32>) -> (Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut y = tensor(1.0);
    let mut i = tensor(0);
    while i < n {
        y = y * x;
        i += 1;
    }
    let dy = tape.gradient(&y, &x).unwrap();
    (y, dy)
}

#[test]
fn a_loop_of_any_number_of_iterations() {
    for (n, expected) in [(3, (8.0, 12.0)), (1, (2.0, 1.0)), (0, (1.0, 0.0))] {
        let (y, dy) = power(tensor(2.0), tensor(n));
        assert_eq!((y.item(), dy.item()), expected, "{n}");
    }
}

/// What the sum adds depends on `i`. Its values are known in advance, but `i` isn't a counter: it doesn't grow by a fixed step.
#[graph_fn]
fn by_doubled_numbers(x: Tensor<f64>) -> Tensor<f64> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let (mut sum, mut i) = (tensor(0.0), tensor(1));
    while i < 100 {
        sum += &x * i.cast::<f64>();
        i = i * 2;
    }
    tape.gradient(&sum, &x).unwrap()
}

/// Here `a` isn't a counter either: it follows `b`.
#[graph_fn]
fn by_numbers_that_follow_others(x: Tensor<f64>) -> Tensor<f64> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let (mut sum, mut a, mut b) = (tensor(0.0), tensor(1), tensor(1));
    while b < 50 {
        sum += &x * a.cast::<f64>();
        a = b + 1;
        b = b * 3;
    }
    tape.gradient(&sum, &x).unwrap()
}

#[test]
fn only_what_grows_by_a_step_is_counted_back() {
    for dx in both(|| by_doubled_numbers(tensor(3.0)).item()) {
        assert_eq!(dx, 1.0 + 2.0 + 4.0 + 8.0 + 16.0 + 32.0 + 64.0);
    }
    for dx in both(|| by_numbers_that_follow_others(tensor(3.0)).item()) {
        assert_eq!(dx, 1.0 + 2.0 + 4.0 + 10.0);
    }
}

#[graph_fn]
fn by_counted_numbers(x: Tensor<f64>) -> Tensor<f64> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let (mut sum, mut i) = (tensor(0.0), tensor(1));
    while i < 10 {
        sum += &x * i.cast::<f64>();
        i += 2;
    }
    tape.gradient(&sum, &x).unwrap()
}

#[graph_fn]
fn by_wide_numbers(x: Tensor<f64>) -> Tensor<f64> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let (mut sum, mut i) = (tensor(0.0), tensor(1i64));
    while i < 10 {
        sum += &x * i.cast::<f64>();
        i += 2;
    }
    tape.gradient(&sum, &x).unwrap()
}

#[test]
fn what_grows_by_a_step_needs_no_stack() {
    for f in [by_counted_numbers, by_wide_numbers] {
        for dx in both(|| f(tensor(3.0)).item()) {
            assert_eq!(dx, 1.0 + 3.0 + 5.0 + 7.0 + 9.0);
        }
    }
    for function in [by_counted_numbers::function(), by_wide_numbers::function()] {
        let graph = function.latest().unwrap();
        let text = graph.optimized_graph().to_string();
        assert!(!text.contains("list_"), "{text}");
    }
}

#[graph_fn]
fn third(x: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    let outer = GradientTape::new();
    outer.watch(&x);
    let middle = GradientTape::new();
    middle.watch(&x);
    let inner = GradientTape::new();
    inner.watch(&x);
    let mut y = x * x;
    let mut i = tensor(0);
    while i < 2 {
        y = y * x;
        i += 1;
    }
    let a = inner.gradient(&y, &x).unwrap();
    let b = middle.gradient(&a, &x).unwrap();
    let c = outer.gradient(&b, &x).unwrap();
    (a, b, c)
}

#[test]
fn three_times_through_a_loop() {
    for (a, b, c) in both(|| third(tensor(2.0))) {
        // x⁴ and its derivatives: 4 x³, 12 x², 24 x.
        assert_eq!((a.item(), b.item(), c.item()), (32.0, 48.0, 48.0));
    }
}

/// For 2, 3, 4: 2, 2 · 3 and 2 · 3 · 4. If a number is negative: nothing.
#[graph_fn]
fn products(x: Tensor<f64>, rows: Tensor<i32>) -> Tensor<f64> {
    let mut sum = tensor(0.0);
    for row in 0..rows {
        let mut products = TensorArray::<f64>::new(3);
        for i in 0..tensor(3) {
            let mut product = x.get(&i);
            if product < 0.0 {
                return x.sum();
            }
            if i > 0 {
                product = product * products.read(&i - 1);
            }
            products = products.write(&i, product);
        }
        sum += products.stack().sum() * (row + 1).cast::<f64>();
    }
    sum
}

#[graph_fn]
fn slope_of_products(x: Tensor<f64>, rows: Tensor<i32>) -> Tensor<f64> {
    grad(|x: &Tensor<f64>| products(x.clone(), rows.clone()))(&x)
}

#[graph_fn]
fn curvature_of_products(x: Tensor<f64>, rows: Tensor<i32>) -> Tensor<f64> {
    let slope = grad(|x: &Tensor<f64>| products(x.clone(), rows.clone()));
    grad(|x: &Tensor<f64>| slope(x).get(0))(&x)
}

#[test]
fn an_array_whose_rows_are_read_once_one_is_there() {
    for rows in [1, 2] {
        let times = [0.0, 1.0, 3.0][rows as usize];
        let of = |values: [f64; 3]| values.map(|value| value * times);
        for slope in both(|| slope_of_products(tensor([2.0, 3.0, 4.0]), tensor(rows))) {
            assert_eq!(slope.to_vec(), of([16.0, 10.0, 6.0]));
        }
        for curvature in both(|| curvature_of_products(tensor([2.0, 3.0, 4.0]), tensor(rows))) {
            assert_eq!(curvature.to_vec(), of([0.0, 5.0, 3.0]));
        }
        for slope in both(|| slope_of_products(tensor([2.0, -3.0, 4.0]), tensor(rows))) {
            assert_eq!(slope.to_vec(), [1.0; 3]);
        }
    }
}

/// 4 times the first power of x that is larger than 100.
#[graph_fn]
fn broken(x: Tensor<f64>) -> Tensor<f64> {
    let mut y = x.clone();
    let quadruple = loop {
        y = y * x;
        if y.sum() > 100.0 {
            break &y * 4.0;
        }
    };
    quadruple
}

#[graph_fn]
fn slope_of_broken(x: Tensor<f64>) -> Tensor<f64> {
    grad(|x: &Tensor<f64>| broken(x.clone()))(&x)
}

#[test]
fn what_a_loop_of_unknown_sizes_is_left_with() {
    let slope = slope_of_broken::concrete(TensorSpec::new(&[None])).unwrap();
    let dx: Tensor<f64> = slope.call((tensor([1.0, 5.0]),)).unwrap();
    assert_eq!(dx.to_vec(), [12.0, 300.0]);
}

#[graph_fn]
fn leaves_early(x: Tensor<f64>, y: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
    let mut state = x.clone();
    for i in 0..n {
        state = if i > 0 { state } else { &state + &y };
        if i > 0 {
            break;
        }
        if n > 3 {
            return state * 2.0;
        }
    }
    state.square() * &x
}

/// The values of an early exit are undefined in iterations without that exit. Where they are saved, they still have the shape of their type.
#[test]
fn a_loop_that_is_left_early_gives_its_gradient_to_a_tape_around() {
    for found in both(|| {
        let (x, y) = (tensor([1.0, 2.0, 3.0]), tensor([4.0, 5.0, 6.0]));
        let of =
            |(x, y): &(Tensor<f64>, Tensor<f64>)| leaves_early(x.clone(), y.clone(), tensor(2));
        let (dx, dy) = graph_runtime::autodiff::grad(of)(&(x, y));
        (dx.to_vec(), dy.to_vec())
    }) {
        assert_eq!(found, (vec![35.0, 77.0, 135.0], vec![10.0, 28.0, 54.0]));
    }
}
