//! Results, random numbers, prints, variables, datasets and gradients are those of a trace with known sizes, from the first call to the last.

use graph_runtime::prelude::*;
use graph_runtime::random::Rng;
use graph_runtime::{collect_prints, debug, random};

use crate::{CALLS, bits, numbers};

/// Writes a function twice: traced for known shapes, and traced once for all sizes.
macro_rules! beside {
    ($(fn $name:ident($($x:ident: f32 $sizes:tt),*) $body:block)*) => {$(
        mod $name {
            use super::*;
            #[graph_fn]
            pub fn known($($x: Tensor<f32>),*) -> Tensor<f32> $body
            #[graph_fn(input_signature = [$(f32 $sizes),*])]
            pub fn unknown($($x: Tensor<f32>),*) -> Tensor<f32> $body
            /// The plans for sizes are those of the traces that know the sizes.
            pub fn has_the_plans_of_known_sizes() -> bool {
                let known: Vec<String> = known::function()
                    .concrete_functions()
                    .iter()
                    .map(|concrete| concrete.plan().to_string())
                    .collect();
                assert_eq!(unknown::function().trace_count(), 1);
                let plans = unknown::function().concrete_functions()[0].sized_plans();
                assert_eq!(plans.len(), known.len());
                plans.iter().all(|plan| known.contains(&plan.to_string()))
            }
        }
    )*};
}

beside! {
    fn layer_norm(x: f32 [_, _], scale: f32 [_]) {
        let centred = &x - x.mean_axes(&[1], true);
        let variance = centred.square().mean_axes(&[1], true);
        centred * (variance + 1e-5).rsqrt() * scale
    }
    fn branches(x: f32 [_, _]) {
        let mut sum = x.sum_axis(0);
        if x.len_tensor() > 3 {
            sum = sum * 2.0 + matmul(x.t(), &x).sum_axis(0);
        } else {
            sum = sum.exp();
        }
        for row in x {
            if row.sum() > 0.0 {
                sum += row.tanh();
            }
        }
        sum
    }
    fn recurrent(xs: f32 [_, _, _], w: f32 [_, _]) {
        let mut h = xs.get(0).zeros_like();
        for x in xs {
            h = (x + matmul(&h, &w)).tanh();
        }
        h
    }
}

#[test]
fn results_to_the_last_bit() {
    for [rows, columns] in [[2, 3], [5, 7], [1, 1], [0, 4], [64, 33]] {
        let (x, w) = (numbers(&[rows, columns]), numbers(&[columns]));
        let expected = bits(&layer_norm::known(x.clone(), w.clone()));
        let branch = bits(&branches::known(x.clone()));
        for _ in 0..CALLS {
            assert_eq!(bits(&layer_norm::unknown(x.clone(), w.clone())), expected);
            assert_eq!(bits(&branches::unknown(x.clone())), branch);
        }
        let (xs, w) = (
            numbers(&[rows.max(1), 2, columns]),
            numbers(&[columns, columns]),
        );
        let last = bits(&recurrent::known(xs.clone(), w.clone()));
        for _ in 0..CALLS {
            assert_eq!(bits(&recurrent::unknown(xs.clone(), w.clone())), last);
        }
    }
    assert!(layer_norm::has_the_plans_of_known_sizes());
    assert!(branches::has_the_plans_of_known_sizes());
    assert!(recurrent::has_the_plans_of_known_sizes());
}

#[graph_fn(input_signature = [f32[_, _]])]
fn inner(x: Tensor<f32>) -> Tensor<f32> {
    let centred = &x - x.mean_axes(&[1], true);
    &centred * centred.square().mean_axes(&[1], true).rsqrt()
}

#[graph_fn(input_signature = [f32[_, _], i32[]])]
fn calling(x: Tensor<f32>, n: Tensor<i32>) -> Tensor<f32> {
    let mut sum = x;
    for _ in 0..n {
        sum = &sum + inner(sum.clone());
    }
    sum
}

#[test]
fn sizes_reach_what_is_called_inside_a_loop() {
    let (x, n) = (numbers(&[6, 5]), tensor(3));
    let first = bits(&calling(x.clone(), n.clone()));
    for _ in 0..CALLS {
        assert_eq!(bits(&calling(x.clone(), n.clone())), first);
    }
    let concrete = &calling::function().concrete_functions()[0];
    // The reductions of rows are part of one chain, which requires known sizes.
    let instructions = |plan: &graph_runtime::plan::Plan| plan.instructions.len();
    let (general, sized) = (
        instructions(concrete.plan()),
        instructions(&concrete.sized_plans()[0]),
    );
    assert!(
        sized < general,
        "{}\n{}",
        concrete.plan(),
        concrete.sized_plans()[0]
    );
}

#[graph_fn(input_signature = [f32[_]])]
fn draws(x: Tensor<f32>) -> Tensor<f32> {
    let noise = random::normal::<f32>(x.shape_tensor());
    let mut sum = &x + noise;
    if random::uniform::<f32>(&[]) < 0.5 {
        sum += random::with_seed(3).uniform(&[]);
    }
    sum
}

#[graph_fn(input_signature = [f32[3]])]
fn draws_for_three(x: Tensor<f32>) -> Tensor<f32> {
    let noise = random::normal::<f32>(x.shape_tensor());
    let mut sum = &x + noise;
    if random::uniform::<f32>(&[]) < 0.5 {
        sum += random::with_seed(3).uniform(&[]);
    }
    sum
}

#[test]
fn each_execution_draws_afresh_from_the_same_stream() {
    let x = || tensor([0.5, 1.5, 2.5]);
    random::set_seed(7);
    let unknown: Vec<_> = (0..2 * CALLS).map(|_| bits(&draws(x()))).collect();
    random::set_seed(7);
    let known: Vec<_> = (0..2 * CALLS)
        .map(|_| bits(&draws_for_three(x())))
        .collect();
    assert_eq!(unknown, known);
    assert!(unknown.windows(2).all(|pair| pair[0] != pair[1]));
    assert_eq!(
        draws::function().concrete_functions()[0]
            .sized_plans()
            .len(),
        1
    );
}

#[graph_fn(input_signature = [f32[_], _])]
fn effects(x: Tensor<f32>, v: &Variable<f32>) -> Tensor<f32> {
    v.assign_add(x.sum());
    graph_print!("of {}: {}", x.len_tensor(), v.read());
    let mut sum = tensor(0.0);
    for batch in Dataset::from_slices(x).batch(2) {
        sum += batch.max();
        graph_print!("{}", batch);
    }
    sum * v.read()
}

#[test]
fn prints_variables_and_datasets() {
    let v = Variable::new(tensor(0.0));
    let call = || {
        v.assign(tensor(0.25));
        let (result, lines) = collect_prints(|| effects(tensor([1.0, 5.0, 2.0]), &v).item());
        (result, lines, v.read().item())
    };
    let first = call();
    assert_eq!(first.0, (5.0 + 2.0) * 8.25);
    assert_eq!(first.1, ["of 3: 8.25", "[1 5]", "[2]"]);
    for _ in 0..CALLS {
        assert_eq!(call(), first);
    }
    assert_eq!(
        effects::function().concrete_functions()[0]
            .sized_plans()
            .len(),
        1
    );
}

#[test]
fn gradients_of_eager_tapes() {
    let x = numbers(&[9, 6]);
    let gradient = || {
        let tape = GradientTape::new();
        tape.watch(&x);
        let y = inner(x.clone()).square().sum();
        bits(
            &tape
                .gradient(&y, &x)
                .expect("the function is differentiable"),
        )
    };
    let first = gradient();
    for _ in 0..CALLS {
        assert_eq!(gradient(), first);
    }
}

#[graph_fn(input_signature = [f32[_]])]
fn shifted(x: Tensor<f32>) -> Tensor<f32> {
    (&x - x.mean()).log()
}

#[test]
fn profiles_count_every_run_and_numerics_are_checked() {
    let x = || numbers(&[5]);
    let expected = bits(&shifted(x()));
    let (_, profile) = debug::profile(|| {
        for _ in 0..CALLS {
            assert_eq!(bits(&shifted(x())), expected);
        }
    });
    let runs: u64 = profile.functions().iter().map(|f| f.runs).sum();
    assert_eq!(runs, CALLS as u64);
    let _scope = debug::CHECK_NUMERICS.scope(true);
    let messages: Vec<String> = (0..CALLS)
        .map(|_| match std::panic::catch_unwind(|| shifted(x())) {
            Ok(_) => "no error".to_owned(),
            Err(panic) => panic.downcast_ref::<String>().cloned().unwrap_or_default(),
        })
        .collect();
    assert!(messages[0].contains("graph op \"log\""), "{}", messages[0]);
    assert!(messages.iter().all(|m| *m == messages[0]));
}
