//! After five steps of each optimizer, the variables have Keras's values. Other behaviour and errors of optimizers.

use graph_runtime::Error;
use graph_runtime::autodiff::Sources;
use graph_runtime::nn::schedules::{
    CosineDecay, ExponentialDecay, PiecewiseConstantDecay, Schedule,
};
use graph_runtime::nn::{Adam, AdamW, Dense, Module, Optimizer, RmsProp, Rule, Sgd};
use graph_runtime::prelude::*;

use super::both;
use super::record::{all_floats, assert_close, record};

type Float = Tensor<f32>;

#[graph_fn]
fn apply<R: Rule>(
    optimizer: &Optimizer<R>,
    variables: &[Variable<f32>; 2],
    gradients: [Option<Float>; 2],
) {
    optimizer.apply(&gradients, variables);
}

fn check<R: Rule>(name: &str, make: impl Fn(&[Variable<f32>; 2]) -> Optimizer<R>) {
    let case = record("optimizers");
    let after = case["after"][name].as_array().unwrap();
    let gradients = case["gradients"].as_array().unwrap();
    both(|| {
        let start = all_floats(&case["start"]).into_iter().map(Variable::new);
        let variables: [Variable<f32>; 2] = start.collect::<Vec<_>>().try_into().ok().unwrap();
        let optimizer = make(&variables);
        for (i, (gradients, after)) in gradients.iter().zip(after).enumerate() {
            let gradients: [Float; 2] = all_floats(gradients).try_into().ok().unwrap();
            apply(&optimizer, &variables, gradients.map(Some));
            for (variable, after) in variables.iter().zip(after.as_array().unwrap()) {
                assert_close(&variable.read(), after, 1e-6, &format!("{name}, step {i}"));
            }
        }
        assert_eq!(optimizer.iterations().item(), 5);
    });
}

#[test]
fn sgd() {
    check("sgd", |v| Sgd::new(v));
    check("sgd_momentum", |v| {
        Sgd::new(v).learning_rate(0.1).momentum(0.9)
    });
    check("sgd_nesterov", |v| {
        Sgd::new(v).learning_rate(0.1).momentum(0.9).nesterov()
    });
}

#[test]
fn adam() {
    check("adam", |v| Adam::new(v));
    check("adam_options", |v| {
        Adam::new(v)
            .learning_rate(0.05)
            .betas(0.8, 0.95)
            .epsilon(1e-3)
    });
    check("adam_w", |v| AdamW::new(v));
    check("adam_w_options", |v| {
        AdamW::new(v).learning_rate(0.05).weight_decay(0.1)
    });
}

#[test]
fn rms_prop() {
    check("rms_prop", |v| RmsProp::new(v));
    check("rms_prop_options", |v| {
        RmsProp::new(v)
            .learning_rate(0.01)
            .rho(0.8)
            .momentum(0.5)
            .epsilon(1e-4)
            .centered()
    });
}

#[test]
fn clipping() {
    check("clip_value", |v| {
        Sgd::new(v).learning_rate(0.1).clip_value(0.5)
    });
    check("clip_norm", |v| {
        Sgd::new(v).learning_rate(0.1).clip_norm(0.5)
    });
    check("global_clip_norm", |v| {
        Sgd::new(v).learning_rate(0.1).global_clip_norm(0.5)
    });
}

#[test]
fn a_scheduled_rate() {
    check("scheduled", |v| {
        Sgd::new(v).learning_rate(ExponentialDecay::new(0.5, 2, 0.5))
    });
}

#[test]
fn schedules_are_those_of_keras() {
    let decay = ExponentialDecay::new(0.1, 7, 0.5);
    let cosine = CosineDecay::new(0.1, 20).alpha(0.1);
    let warmup = CosineDecay::new(0.01, 20).alpha(0.1).warmup(0.2, 8);
    let schedules: [(&str, &dyn Schedule); 5] = [
        ("exponential", &decay),
        ("staircase", &decay.staircase()),
        ("cosine", &cosine),
        ("warmup", &warmup),
        (
            "piecewise",
            &PiecewiseConstantDecay::new(&[2, 13], &[0.3, 0.2, 0.1]),
        ),
    ];
    let at = record("schedules.at").as_array().unwrap();
    for (name, schedule) in schedules {
        for (at, expected) in at.iter().zip(
            record(&format!("schedules.rates.{name}"))
                .as_array()
                .unwrap(),
        ) {
            let rate = schedule.rate(&tensor(at.as_f64().unwrap() as f32)).item();
            let expected = expected.as_f64().unwrap();
            assert!(
                (f64::from(rate) - expected).abs() < 1e-7,
                "{name} at {at}: {rate}, not {expected}"
            );
        }
    }
}

#[graph_fn]
fn step<X>(optimizer: &Adam, variables: &X) -> Result<(), Error>
where
    X: Sources<Gradients: graph_runtime::nn::Gradients> + graph_runtime::Argument + Module,
{
    let tape = GradientTape::new();
    let parameters = variables.trainable_variables();
    let squares = parameters
        .iter()
        .filter_map(|p| p.variable::<f32>())
        .map(|v| v.read().square().sum());
    let loss: Float = squares.sum();
    optimizer.apply(&tape.gradient(&loss, variables), variables);
    Ok(())
}

#[test]
fn two_models_share_a_trace_and_keep_their_own_state() {
    let values = |v: &Variable<f32>| v.read().to_vec();
    let make = || [Variable::new(tensor([1.0])), Variable::new(tensor([10.0]))];
    let (a, b, alone) = (make(), make(), make());
    let [of_a, of_b, of_alone] = [&a, &b, &alone].map(|v| Adam::new(v).learning_rate(0.1));
    for _ in 0..3 {
        step(&of_a, &a).unwrap();
        step(&of_b, &b).unwrap();
    }
    for _ in 0..3 {
        step(&of_alone, &alone).unwrap();
    }
    for i in 0..2 {
        assert_eq!(values(&a[i]), values(&alone[i]));
        assert_eq!(values(&b[i]), values(&alone[i]));
    }
    // If an optimizer knows the variables in another order, it must not use the state of one for another.
    let [v, w] = make();
    let swapped = Adam::new(&(&w, &v)).learning_rate(0.1);
    for _ in 0..3 {
        step(&swapped, &[v.clone(), w.clone()]).unwrap();
    }
    assert_eq!(
        (values(&v), values(&w)),
        (values(&alone[0]), values(&alone[1]))
    );
}

#[test]
fn what_an_optimizer_refuses() {
    let (mine, other) = (Dense::new(2, 2), Dense::new(2, 2));
    let error = step(&Adam::new(&mine), &other).unwrap_err();
    assert!(
        error
            .message()
            .starts_with("the optimizer wasn't made for the variable 'kernel'"),
        "{error}"
    );
    assert!(error.to_string().contains("optimizers.rs:"), "{error}");

    let adam = Adam::new(&mine);
    let error = no_gradients(&adam, &mine).unwrap_err();
    assert!(
        error
            .message()
            .starts_with("No gradients provided for any variable"),
        "{error}"
    );
    assert_eq!(adam.iterations().item(), 0);
}

#[graph_fn]
fn no_gradients(adam: &Adam, model: &Dense) -> Result<(), Error> {
    let tape = GradientTape::new();
    let loss = tensor(1.0f32);
    adam.apply(&tape.gradient(&loss, model), model);
    Ok(())
}

static ADAM: std::sync::LazyLock<(Dense, Adam)> = std::sync::LazyLock::new(|| {
    let model = Dense::new(1, 1);
    let adam = Adam::new(&model);
    (model, adam)
});

#[graph_fn]
fn only_the_model_is_an_argument(model: &Dense) -> Result<(), Error> {
    let tape = GradientTape::new();
    let loss = model.call(tensor([[1.0]])).sum();
    ADAM.1.apply(&tape.gradient(&loss, model), model);
    Ok(())
}

#[graph_fn]
fn neither_is() -> Tensor<f32> {
    let (model, adam) = &*ADAM;
    let tape = GradientTape::new();
    let loss = model.call(tensor([[1.0]])).sum();
    adam.apply(&tape.gradient(&loss, model), model);
    loss
}

#[test]
fn model_and_optimizer_are_both_arguments_or_both_captured() {
    let error = only_the_model_is_an_argument(&ADAM.0).unwrap_err();
    assert!(error.message().contains("Pass both, or none"), "{error}");
    let (first, second) = (neither_is().item(), neither_is().item());
    assert!(second < first);
    assert_eq!(neither_is::function().trace_count(), 1);
}

#[test]
fn a_step_of_adam_updates_in_place() {
    let v = Variable::new(zeros::<f32>(&[100]));
    let adam = Adam::new(&v);
    adam_step(&adam, &v, ones(&[100]));
    let concrete = adam_step::function().latest().unwrap();
    let graph = concrete.optimized_graph().to_string();
    let nodes: Vec<&str> = graph
        .lines()
        .filter(|line| line.starts_with("  ") && !line.starts_with("   "))
        .collect();
    let updates = nodes.iter().filter(|node| node.contains("update_variable"));
    assert_eq!(
        updates.count(),
        4,
        "of the variable, its two averages and the count:\n{graph}"
    );
    // The formulas are part of the updates: no other array of the variable's size is made.
    let mut large = nodes.iter().filter(|node| node.contains("float32[100]"));
    assert!(large.all(|node| node.contains("read_variable")), "{graph}");
    // And one loop changes the variable and both averages.
    let plan = concrete.plan().to_string();
    let written = plan.lines().filter_map(|line| line.split_once(" = "));
    let mut written = written.map(|(to, _)| to.matches('v').count());
    assert!(written.any(|count| count == 3), "{plan}");
}

#[graph_fn]
fn adam_step(adam: &Adam, v: &Variable<f32>, gradient: Tensor<f32>) {
    adam.apply(&Some(gradient), v);
}

#[test]
fn half_floats_and_doubles_are_trained_too() {
    let half = Variable::new(tensor([1.0f32, -1.0]).cast::<graph_runtime::tensor::bf16>());
    let double = Variable::new(tensor([1.0f64, -1.0]));
    let adam = Adam::new(&(&half, &double))
        .learning_rate(0.125)
        .global_clip_norm(10.0);
    let tape = GradientTape::new();
    let loss = half.read().square().sum().cast::<f64>() + double.read().square().sum();
    adam.apply(&tape.gradient(&loss, &(&half, &double)), &(&half, &double));
    assert_eq!(half.read().cast::<f32>().to_vec(), [0.875, -0.875]);
    assert!((double.read().abs().max().item() - 0.875).abs() < 1e-5);
}

#[test]
fn a_schedule_of_no_steps_is_refused_where_it_is_made() {
    let refused = |make: fn()| std::panic::catch_unwind(make).is_err();
    assert!(refused(|| _ = CosineDecay::new(0.1, 0)));
    assert!(refused(|| _ = ExponentialDecay::new(0.1, 0, 0.5)));
    assert!(refused(
        || _ = PiecewiseConstantDecay::new(&[20, 10], &[1.0, 0.5, 0.2])
    ));
    // A warm-up of no steps is finished at once, as in Keras.
    let rate = CosineDecay::new(0.1, 10).warmup(0.3, 0);
    assert_eq!(rate.rate(&tensor(0.0)).item(), 0.3);
}
