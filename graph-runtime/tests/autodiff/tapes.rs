//! What a tape records: `stop_recording`, `reset` and `watched_variables`, as in TensorFlow's guide and the documentation of `GradientTape`.

use std::collections::BTreeMap;

use graph_runtime::autodiff::PersistentTape;
use graph_runtime::nn::Parameter;
use graph_runtime::prelude::*;

use super::both;

/// The documentation's example: what was computed before `reset` is a constant.
#[graph_fn]
fn reset_between(w: &Variable<f64>) -> Tensor<f64> {
    let tape = GradientTape::new();
    let first = w * 3.0;
    tape.reset();
    let loss = first + w * 2.0;
    tape.gradient(&loss, w).unwrap()
}

#[test]
fn reset_begins_anew() {
    for dw in both(|| reset_between(&Variable::new(tensor(1.0)))) {
        assert_eq!(dw.item(), 2.0);
    }
}

#[graph_fn]
fn forgets_what_is_watched(x: Tensor<f64>) -> bool {
    let tape = GradientTape::new();
    tape.watch(&x);
    tape.reset();
    tape.gradient(&(x * x), &x).is_none()
}

#[test]
fn reset_forgets_what_is_watched() {
    for forgotten in both(|| forgets_what_is_watched(tensor(2.0))) {
        assert!(forgotten);
    }
}

#[graph_fn]
fn persistent_tape_forgets(x: Tensor<f64>) -> (bool, bool) {
    let tape = GradientTape::persistent();
    tape.watch(&x);
    let y = &x * &x;
    let before = tape.gradient(&y, &x).is_none();
    tape.reset();
    (before, tape.gradient(&y, &x).is_none())
}

#[test]
fn a_persistent_tape_is_reset_too() {
    for forgotten in both(|| persistent_tape_forgets(tensor(2.0))) {
        assert_eq!(forgotten, (false, true));
    }
}

/// What isn't recorded is a constant, even a loop. What follows is recorded again.
#[graph_fn]
fn without(x: Tensor<f64>, n: Tensor<i32>) -> (Tensor<f64>, Option<Tensor<f64>>) {
    let tape = GradientTape::persistent();
    tape.watch(&x);
    let before = x * x;
    let scale = tape.stop_recording(|| {
        let mut scale = x.clone();
        for _ in 0..n {
            scale = scale * x;
        }
        scale
    });
    let y = before * scale + x;
    (tape.gradient(&y, &x).unwrap(), tape.gradient(&scale, &x))
}

#[test]
fn what_is_not_recorded_is_constant() {
    // x² · 2³ + x at 2: the scale 2³ = 8 is a constant.
    for (dx, of_scale) in both(|| without(tensor(2.0), tensor(2))) {
        assert_eq!(dx.item(), 2.0 * 2.0 * 8.0 + 1.0);
        assert!(of_scale.is_none());
    }
}

/// The documentation's use: a persistent tape whose gradients aren't recorded themselves.
#[graph_fn]
fn gradients_unrecorded(x: Tensor<f64>) -> (Tensor<f64>, Option<Tensor<f64>>, Tensor<f64>) {
    let tape = GradientTape::persistent();
    tape.watch(&x);
    let y = x * x * x;
    let dy = tape.stop_recording(|| tape.gradient(&y, &x).unwrap());
    let none = tape.gradient(&dy, &x);
    let recorded = tape.gradient(&y, &x).unwrap();
    (dy, none, tape.gradient(&recorded, &x).unwrap())
}

#[test]
fn gradients_that_are_not_recorded_have_none() {
    for (dy, none, second) in both(|| gradients_unrecorded(tensor(2.0))) {
        assert_eq!((dy.item(), second.item()), (12.0, 12.0));
        assert!(none.is_none());
    }
}

#[test]
fn other_tapes_go_on() {
    let x = tensor(3.0f64);
    let (outer, inner) = (GradientTape::persistent(), GradientTape::persistent());
    outer.watch(&x);
    inner.watch(&x);
    let y = outer.stop_recording(|| &x * &x);
    let z = inner.stop_recording(|| &x * &x);
    assert!(outer.gradient(&y, &x).is_none() && inner.gradient(&z, &x).is_none());
    assert_eq!(inner.gradient(&y, &x).unwrap().item(), 6.0);
    assert_eq!(outer.gradient(&z, &x).unwrap().item(), 6.0);
}

#[test]
fn a_panic_does_not_end_the_recording() {
    let x = tensor(3.0f64);
    let tape = GradientTape::new();
    tape.watch(&x);
    let panics = || tape.stop_recording(|| panic!("not recorded"));
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(panics)).unwrap_err();
    assert_eq!(tape.gradient(&(&x * &x), &x).unwrap().item(), 6.0);
}

fn names(watched: &[Parameter]) -> Vec<String> {
    watched.iter().map(|p| p.name().to_owned()).collect()
}

#[graph_fn]
fn reads(v: &Variable<f64>) -> Tensor<f64> {
    v.read() * v.read()
}

#[graph_fn]
fn of_all_read(
    v: &Variable<f64>,
    w: &Variable<f64>,
    unread: &Variable<f64>,
    n: &Variable<i32>,
) -> (Vec<String>, Vec<Tensor<f64>>) {
    let before = w.read();
    let tape = GradientTape::new();
    let mut y = before * 2.0;
    for _ in 0..n.read() {
        y = y + reads(v);
    }
    tape.stop_recording(|| unread.read());
    let read = tape.watched_variables();
    let gradients = tape.gradient(&y, &read);
    let gradients = gradients.iter().map(|g| g.tensor().unwrap());
    (names(&read), gradients.collect())
}

#[test]
fn variables_that_are_read_are_watched() {
    for (names, gradients) in both(|| {
        of_all_read(
            &Variable::named("v", tensor(3.0)),
            &Variable::named("w", tensor(4.0)),
            &Variable::named("unread", tensor(5.0)),
            &Variable::named("n", tensor(2)),
        )
    }) {
        assert_eq!(names, ["v"]);
        assert_eq!(gradients[0].item(), 12.0);
    }
}

#[test]
fn a_tape_that_has_left_its_function_watches_no_variable() {
    thread_local! {
        static TAPE: std::cell::RefCell<Option<PersistentTape>> = const { std::cell::RefCell::new(None) };
    }
    #[graph_fn]
    fn begin(v: &Variable<f64>) -> Tensor<f64> {
        let tape = GradientTape::persistent();
        let y = v * 2.0;
        TAPE.set(Some(tape));
        y
    }
    begin(&Variable::new(tensor(1.0)));
    let tape = TAPE.take().expect("the function was traced");
    assert!(tape.watched_variables().is_empty());
}

#[graph_fn]
fn of_integers(n: Tensor<i32>, x: Tensor<f64>) -> (Option<Tensor<i32>>, Option<Tensor<f64>>) {
    let tape = GradientTape::new();
    tape.watch(&(&n, &x));
    let y = n.cast::<f64>() * x;
    tape.gradient(&y, &(n, x))
}

#[test]
fn integers_have_no_gradient() {
    for (of_integers, of_floats) in both(|| of_integers(tensor([1, 2]), tensor([3.0, 4.0]))) {
        assert!(of_integers.is_none());
        assert_eq!(of_floats.unwrap().to_vec(), [1.0, 2.0]);
    }
}

#[graph_fn]
fn hessian_by_hand(x: Tensor<f64>) -> Tensor<f64> {
    let outer = GradientTape::new();
    outer.watch(&x);
    let inner = GradientTape::new();
    inner.watch(&x);
    let y = (x * x * x).sum();
    let slope = inner.gradient(&y, &x).unwrap();
    outer.jacobian(&slope, &x)
}

#[graph_fn]
fn slopes_of_examples(x: Tensor<f64>, w: &Variable<f64>) -> (Tensor<f64>, Tensor<f64>) {
    let tape = GradientTape::persistent();
    tape.watch(&x);
    let y = x.matmul(w).tanh();
    (tape.batch_jacobian(&y, &x), tape.jacobian(&y, &x))
}

#[test]
fn jacobians_of_tapes_made_by_hand() {
    for h in both(|| hessian_by_hand(tensor([1.0, 2.0]))) {
        assert_eq!(h.to_vec(), [6.0, 0.0, 0.0, 12.0]);
    }
    let w = Variable::new(tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]));
    let x = tensor([[0.1, -0.1], [0.2, 0.0], [0.0, 0.3], [0.1, 0.1]]);
    for (examples, all) in both(|| slopes_of_examples(x.clone(), &w)) {
        assert_eq!(examples.array().shape(), [4, 3, 2]);
        assert_eq!(all.array().shape(), [4, 3, 4, 2]);
        for n in 0..4 {
            let own = all.get((n, .., n));
            assert_eq!(examples.get(n).to_vec(), own.to_vec());
        }
    }
    // As in TensorFlow, a target with one value for each row has a gradient with one row for each.
    let tape = GradientTape::new();
    tape.watch(&x);
    let lengths = x.square().sum_axis(1);
    assert_eq!(
        tape.batch_jacobian(&lengths, &x).to_vec(),
        (2.0 * x).to_vec()
    );
}

#[test]
fn batches_of_a_jacobian_are_of_one_size() {
    let refused = std::panic::catch_unwind(|| {
        let x = tensor([1.0, 2.0]);
        let tape = GradientTape::new();
        tape.watch(&x);
        tape.batch_jacobian(&concat([&x, &x], 0), &x)
    });
    let text = *refused.unwrap_err().downcast::<String>().unwrap();
    let words = "Need first dimension of target shape ([4]) and source shape ([2]) to match.";
    assert!(text.contains(words), "{text}");
}

#[test]
fn gradients_have_the_structure_of_their_sources() {
    let [a, b, c, d, unused] = [1.0, 2.0, 3.0, 4.0, 5.0f64].map(tensor);
    let absent = None::<&Tensor<f64>>;
    let sources = || {
        let map = BTreeMap::from([("d", &d)]);
        (Some(&a), absent, vec![&b, &c], map, [&unused])
    };
    let tape = GradientTape::persistent();
    tape.watch(sources());
    let y = &a * 2.0 + &b * 3.0 + &c * 5.0 + &d * 7.0;
    let (da, none, of_vec, of_map, of_array) = tape.gradient(&y, sources());
    assert_eq!(da.unwrap().unwrap().item(), 2.0);
    assert!(none.is_none() && of_array[0].is_none());
    let of_vec = of_vec.into_iter().map(|g| g.unwrap().item());
    assert_eq!(of_vec.collect::<Vec<_>>(), [3.0, 5.0]);
    assert_eq!(of_map["d"].as_ref().unwrap().item(), 7.0);
    let (da, none, of_vec, of_map, of_array) = tape.gradient_or_zeros(&y, sources());
    assert_eq!((da.unwrap().item(), of_array[0].item()), (2.0, 0.0));
    assert!(none.is_none());
    assert_eq!([of_vec[0].item(), of_vec[1].item()], [3.0, 5.0]);
    assert_eq!(of_map["d"].item(), 7.0);
}
