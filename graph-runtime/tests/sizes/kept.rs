//! Which plans are made and kept.

use std::sync::atomic::{AtomicUsize, Ordering};

use graph_runtime::prelude::*;

use crate::{CALLS, bits, numbers};

static BODIES: AtomicUsize = AtomicUsize::new(0);

#[graph_fn(input_signature = [f32[_]])]
fn counted(x: Tensor<f32>) -> Tensor<f32> {
    BODIES.fetch_add(1, Ordering::Relaxed);
    &x - x.mean()
}

#[test]
fn the_second_call_has_a_plan_and_the_body_does_not_run_again() {
    let plans = || counted::function().concrete_functions()[0].sized_plans();
    for size in 1..6 {
        counted(numbers(&[size]));
        assert_eq!(plans().len(), size - 1);
        for _ in 0..CALLS {
            counted(numbers(&[size]));
            assert_eq!(plans().len(), size);
        }
        assert_eq!(
            plans()[size - 1].inputs[0].to_string(),
            format!("float32[{size}]")
        );
    }
    assert_eq!(BODIES.load(Ordering::Relaxed), 1);
    assert_eq!(counted::function().trace_count(), 1);
}

#[graph_fn]
fn of_known(x: Tensor<f32>) -> Tensor<f32> {
    &x - x.mean()
}

#[test]
fn a_trace_of_known_sizes_has_one_plan() {
    for _ in 0..CALLS {
        of_known(numbers(&[3]));
    }
    let concrete = &of_known::function().concrete_functions()[0];
    assert!(concrete.sized_plans().is_empty());
}

#[graph_fn]
fn any_rank(x: Tensor<f32>) -> Tensor<f32> {
    &x - x.mean()
}

#[test]
fn ranks_are_told_apart() {
    let concrete = any_rank::concrete(TensorSpec::of_any_rank()).unwrap();
    let shapes: [&[usize]; 5] = [&[], &[1], &[1, 1], &[2, 3], &[6]];
    for _ in 0..CALLS {
        for shape in shapes {
            let y: Tensor<f32> = concrete.call_flat(&[numbers(shape).as_any()]).unwrap();
            assert_eq!(y.shape().to_string(), numbers(shape).shape().to_string());
        }
    }
    assert_eq!(concrete.sized_plans().len(), shapes.len());
}

#[graph_fn(input_signature = [f32[_]])]
fn few_kept(x: Tensor<f32>) -> Tensor<f32> {
    &x - x.mean()
}

#[test]
fn plans_make_room_for_those_of_sizes_that_come_more_often() {
    let plans = || few_kept::function().concrete_functions()[0].sized_plans();
    let mut seen = std::collections::BTreeSet::new();
    for size in 1..200 {
        for _ in 0..3 {
            let x = numbers(&[size]);
            let expected = bits(&(&x - x.mean()));
            assert_eq!(bits(&few_kept(x)), expected);
        }
        seen.extend(plans().iter().map(|plan| plan.id));
    }
    assert_eq!(plans().len(), 16);
    assert!(seen.len() < 20, "{} plans were made", seen.len());
    for _ in 0..2000 {
        few_kept(numbers(&[500]));
    }
    let is_there = plans()
        .iter()
        .any(|plan| plan.inputs[0].to_string() == "float32[500]");
    assert!(is_there && plans().len() == 16);
}

#[graph_fn(input_signature = [f32[_, _]])]
fn by_many_threads(x: Tensor<f32>) -> Tensor<f32> {
    let centred = &x - x.mean_axes(&[1], true);
    &centred * centred.square().mean_axes(&[1], true)
}

#[test]
fn threads_get_their_own_results() {
    let sizes: Vec<[usize; 2]> = (1..6).flat_map(|a| (1..6).map(move |b| [a, b])).collect();
    let expected: Vec<Vec<u32>> = sizes
        .iter()
        .map(|shape| {
            let x = numbers(shape);
            let centred = &x - x.mean_axes(&[1], true);
            bits(&(&centred * centred.square().mean_axes(&[1], true)))
        })
        .collect();
    std::thread::scope(|scope| {
        for thread in 0..6 {
            let (sizes, expected) = (&sizes, &expected);
            scope.spawn(move || {
                for call in 0..400 {
                    let i = (call * (thread + 1)) % sizes.len();
                    let y = by_many_threads(numbers(&sizes[i]));
                    assert_eq!(bits(&y), expected[i]);
                }
            });
        }
    });
    let plans = by_many_threads::function().concrete_functions()[0].sized_plans();
    assert!((1..=16).contains(&plans.len()));
    let mut types: Vec<String> = plans.iter().map(|p| p.inputs[0].to_string()).collect();
    types.sort();
    types.dedup();
    assert_eq!(types.len(), plans.len(), "one plan for the same sizes");
}
