//! Concrete functions whose Rust types are forgotten.

use graph_runtime::function::{ToLoaded, TypeSpec};
use graph_runtime::nn::{Adam, Dense, Module};
use graph_runtime::prelude::*;
use graph_runtime::{GraphState, TraceType};

#[test]
fn captured_tensors_become_constants() {
    let captured = tensor([1.0f32, 2.0]);
    let scale = std::sync::LazyLock::force(&SCALE);
    #[graph_fn]
    fn scaled(x: Tensor<f32>) -> Tensor<f32> {
        x * &*SCALE
    }
    static SCALE: std::sync::LazyLock<Tensor<f32>> =
        std::sync::LazyLock::new(|| tensor([10.0f32, 20.0]));
    let loaded = scaled::concrete(&captured).unwrap().to_loaded().unwrap();
    let y: Tensor<f32> = loaded.call(&captured).unwrap();
    assert_eq!(y.to_vec(), (&captured * scale).to_vec());
    assert_eq!(loaded.parameters().len(), 1);
}

#[derive(Clone, GraphState, TraceType)]
struct Point {
    x: Tensor<f32>,
    y: Tensor<f32>,
}

#[graph_fn]
fn shifted(at: &Point, by: (Tensor<f32>, f32), names: &str) -> (Point, Vec<Tensor<f32>>) {
    let _ = names;
    let moved = Point {
        x: &at.x + &by.0,
        y: &at.y * by.1,
    };
    let list = vec![moved.x.clone(), moved.y.clone()];
    (moved, list)
}

/// The fields of a point, for a program that doesn't have the struct.
type Fields = (Tensor<f32>, Tensor<f32>);

#[test]
fn structures_are_kept_with_their_names() {
    let at = Point {
        x: tensor(1.0f32),
        y: tensor(2.0f32),
    };
    let concrete = shifted::concrete(&at, (tensor(10.0f32), 3.0), "n").unwrap();
    let loaded = concrete.to_loaded().unwrap();
    let paths: Vec<_> = loaded
        .function()
        .leaves()
        .into_iter()
        .map(|(path, _)| path)
        .collect();
    assert_eq!(paths, ["at.x", "at.y", "by.0"]);
    let results: Vec<_> = loaded
        .function()
        .result_names()
        .into_iter()
        .map(|(n, _)| n)
        .collect();
    assert_eq!(
        results,
        ["output_0.x", "output_0.y", "output_1.0", "output_1.1"]
    );
    let TypeSpec::Struct { name, .. } = &loaded.parameters()[0].spec else {
        panic!("{loaded}")
    };
    assert_eq!(name, "Point");
    // Plain values may be given again, or left out.
    let all: (Point, Vec<Tensor<f32>>) =
        loaded.call((&at, (tensor(10.0f32), 3.0f32), "n")).unwrap();
    let short: (Fields, Vec<Tensor<f32>>) = loaded.call((&at, (tensor(10.0f32),))).unwrap();
    assert_eq!((all.0.x.item(), all.0.y.item()), (11.0, 6.0));
    assert_eq!((short.0.0.item(), short.1[1].item()), (11.0, 6.0));
}

#[graph_fn]
fn step(model: &(Dense, Dense), adam: &Adam, x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let loss = (model.1.call(model.0.call(x)) - y).square().mean();
    adam.apply(&tape.gradient(&loss, model), model);
    loss
}

#[test]
fn a_bound_model_is_trained_by_both() {
    let model = (Dense::new(2, 3), Dense::new(3, 1));
    let adam = Adam::new(&model);
    let (x, y) = (tensor([[1.0f32, 2.0]]), tensor([[1.0f32]]));
    let concrete = step::concrete(&model, &adam, &x, &y).unwrap();
    let loaded = concrete.bind((&model, &adam)).unwrap();
    let names: Vec<&str> = loaded
        .function()
        .held_variables()
        .iter()
        .filter_map(|v| v.name.as_deref())
        .collect();
    assert_eq!(
        names[..4],
        [
            "model.0.kernel",
            "model.0.bias",
            "model.1.kernel",
            "model.1.bias"
        ]
    );
    let mut losses = Vec::new();
    for _ in 0..3 {
        losses.push(step(&model, &adam, &x, &y).item());
        let loss: Tensor<f32> = loaded.call((&x, &y)).unwrap();
        losses.push(loss.item());
    }
    assert!(losses.windows(2).all(|two| two[1] < two[0]), "{losses:?}");
    assert_eq!(adam.iterations().item(), 6);
    assert_eq!(model.count_parameters(), 13);
}

#[test]
fn a_variable_may_stay_a_parameter() {
    #[graph_fn]
    fn count(total: &Variable<i32>, n: Tensor<i32>) -> Tensor<i32> {
        total.assign_add(n);
        total.read()
    }
    let total = Variable::new(tensor(1));
    let loaded = count::concrete(&total, tensor(0))
        .unwrap()
        .to_loaded()
        .unwrap();
    let other = Variable::new(tensor(10));
    let sum: Tensor<i32> = loaded.call((&other, tensor(5))).unwrap();
    assert_eq!((sum.item(), total.item(), other.item()), (15, 1, 15));
}

#[test]
fn what_a_function_writes_is_among_the_results() {
    #[graph_fn]
    fn advance(state: &mut Tensor<i32>, by: Tensor<i32>) -> Tensor<i32> {
        *state += &by;
        by * 2
    }
    let mut state = tensor(1);
    let loaded = advance::concrete(&mut state, tensor(5))
        .unwrap()
        .to_loaded()
        .unwrap();
    let (result, state): (Tensor<i32>, Tensor<i32>) = loaded.call((tensor(7), tensor(2))).unwrap();
    assert_eq!((result.item(), state.item()), (4, 9));
}
