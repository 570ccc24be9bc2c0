//! Gradients of whole programs: arrays of tensors, `match`, early returns, tapes in loops and branches, shapes that change.

use graph_runtime::debug;
use graph_runtime::prelude::*;

use super::both;

#[graph_fn]
fn by_array(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut powers = TensorArray::<f32>::dynamic();
    let mut p = x.ones_like();
    for i in 0..n {
        powers = powers.write(i, &p);
        p = p * x;
    }
    let y = powers.stack().sum();
    tape.gradient(&y, &x).unwrap()
}

#[test]
fn arrays_of_tensors() {
    // The value is 1 + x + x² + x³.
    for dy in both(|| by_array(tensor(2.0), tensor(4)).item()) {
        assert_eq!(dy, 1.0 + 4.0 + 12.0);
    }
}

#[graph_fn]
fn by_match(x: Tensor<f32>, which: Tensor<i32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let y = match which {
        0 => x * x,
        1 => x.exp(),
        _ => x * 3.0,
    };
    tape.gradient(&y, &x).unwrap()
}

#[test]
fn a_match() {
    for (which, expected) in [(0, 4.0), (1, 2f32.exp()), (7, 3.0)] {
        for dy in both(|| by_match(tensor(2.0), tensor(which)).item()) {
            assert_eq!(dy, expected);
        }
    }
}

/// Newton's square root, which returns from inside the loop.
#[graph_fn]
fn newton(a: Tensor<f64>) -> Tensor<f64> {
    let mut x = a.clone();
    for _ in 0..tensor(50) {
        let next = (x + a / x) * 0.5;
        if (next - x).abs() < 1e-12 {
            return next;
        }
        x = next;
    }
    x
}

#[graph_fn]
fn slope_of_root(a: Tensor<f64>) -> Tensor<f64> {
    let tape = GradientTape::new();
    tape.watch(&a);
    let root = newton(a.clone());
    tape.gradient(&root, &a).unwrap()
}

#[test]
fn a_return_inside_a_loop() {
    for a in [2.0f64, 9.0, 0.25] {
        for slope in both(|| slope_of_root(tensor(a)).item()) {
            assert!((slope - 0.5 / a.sqrt()).abs() < 1e-10, "{a}: {slope}");
        }
    }
}

#[graph_fn]
fn tape_in_a_branch(x: Tensor<f32>) -> Tensor<f32> {
    let y = x * x;
    if x > 1.0 {
        let tape = GradientTape::new();
        tape.watch(&y);
        let z = y * y;
        tape.gradient(&z, &y).unwrap()
    } else {
        y
    }
}

#[graph_fn]
fn gradient_in_a_branch(x: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::persistent();
    tape.watch(&x);
    let mut y = x.clone();
    let mut i = tensor(0);
    while i < 2 {
        y = y * x;
        i += 1;
    }
    if x > 1.0 {
        let z = y * 2.0;
        tape.gradient(&z, &x).unwrap()
    } else {
        y
    }
}

#[test]
fn tapes_and_branches() {
    for (x, expected) in [(2.0, 8.0), (0.5, 0.25)] {
        for dy in both(|| tape_in_a_branch(tensor(x)).item()) {
            assert_eq!(dy, expected);
        }
    }
    for (x, expected) in [(2.0, 24.0), (0.5, 0.125)] {
        for dy in both(|| gradient_in_a_branch(tensor(x)).item()) {
            assert_eq!(dy, expected, "{x}");
        }
    }
}

#[graph_fn]
fn growing(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    tape.watch(&x);
    let mut all = x.expand_dims(0).relax_shape(&[None]);
    for _ in 0..n {
        all = concat(&[&all, &(&all * x)], 0);
    }
    let y = all.sum();
    tape.gradient(&y, &x).unwrap()
}

#[test]
fn a_state_that_grows() {
    // x becomes x (1 + x), then x (1 + x)², whose slope is (1 + x)² + 2 x (1 + x).
    for dy in both(|| growing(tensor(3.0), tensor(2)).item()) {
        assert_eq!(dy, 16.0 + 24.0);
    }
}

#[graph_fn]
fn of_any_size(x: Tensor<f64>, w: Tensor<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let tape = GradientTape::new();
    tape.watch(&(&x, &w));
    let mut h = x.clone();
    for _ in 0..tensor(2) {
        h = matmul(h, &w).tanh() + x.mean_axis(0);
    }
    let (dx, dw) = tape.gradient(&h.square().mean(), &(&x, &w));
    (dx.unwrap(), dw.unwrap())
}

#[test]
fn sizes_known_only_when_run() {
    let x = tensor([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]]);
    let w = tensor([[0.7, -0.8], [0.9, 1.0]]);
    let known = of_any_size(x.clone(), w.clone());
    let spec = |name| TensorSpec::<f64>::new(&[None, None]).named(name);
    let concrete = of_any_size::concrete(spec("x"), spec("w")).unwrap();
    let open: (Tensor<f64>, Tensor<f64>) = concrete.call((x, w)).unwrap();
    assert_eq!(known.0.to_vec(), open.0.to_vec());
    assert_eq!(known.1.to_vec(), open.1.to_vec());
}

#[graph_fn]
fn weighted_by_rank(rows: &Tensor<f64>, w: &Tensor<f64>) -> Tensor<f64> {
    let mut sum = tensor(0.0f64);
    for row in rows {
        sum += (row.sort_axis(0, true) * w).sum();
    }
    sum
}

fn weights_by_rank(rows: &Tensor<f64>, w: &Tensor<f64>) -> Tensor<f64> {
    let tape = GradientTape::new();
    tape.watch(rows);
    let y = weighted_by_rank(rows, w);
    tape.gradient(&y, rows).unwrap()
}

#[graph_fn]
fn traced_weights_by_rank(rows: &Tensor<f64>, w: &Tensor<f64>) -> Tensor<f64> {
    weights_by_rank(rows, w)
}

#[test]
fn rows_are_sorted_once_for_their_values_and_the_gradient() {
    let rows = tensor([[0.5, -0.0, 3.0], [0.0, f64::NAN, -0.0]]);
    let w = tensor([1.0, 10.0, 100.0]);
    for gradient in [weights_by_rank, traced_weights_by_rank] {
        let (found, profile) = debug::profile(|| gradient(&rows, &w));
        assert_eq!(found.to_vec(), [10.0, 100.0, 1.0, 1.0, 100.0, 10.0]);
        let rows = profile.functions().iter().flat_map(|f| &f.rows);
        let sorts = rows.filter(|row| row.name.contains("sort"));
        assert_eq!(sorts.map(|row| row.calls).sum::<u64>(), 2, "{profile}");
    }
}

#[test]
#[should_panic(
    expected = "this tape was begun while a graph function was traced, and that has ended"
)]
fn a_tape_that_leaves_its_function() {
    thread_local! {
        static TAPE: std::cell::RefCell<Option<GradientTape>> = const { std::cell::RefCell::new(None) };
    }
    #[graph_fn]
    fn begin(x: Tensor<f32>) -> Tensor<f32> {
        TAPE.set(Some(GradientTape::new()));
        x * x
    }
    let x = tensor(1.0f32);
    let y = begin(x.clone());
    TAPE.take().unwrap().gradient(&y, &x);
}

#[test]
fn a_diagonal_without_values_has_a_gradient_without_values() {
    let of = |x: &Tensor<f64>| x.diag_at(1).square();
    for found in both(|| {
        graph_runtime::autodiff::grad(of)(&zeros([2, 0]))
            .shape()
            .to_vec()
    }) {
        assert_eq!(found, [2, 0]);
    }
    let below = |x: &Tensor<f64>| x.diag_at(-2).square();
    for found in both(|| graph_runtime::autodiff::grad(below)(&tensor([1.0, 2.0])).to_vec()) {
        assert_eq!(found, [2.0, 4.0]);
    }
}
