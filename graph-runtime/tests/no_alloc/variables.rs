//! Variables: a step that updates them allocates its outputs, and nothing that grows with the variables.

use graph_runtime::TraceType;
use graph_runtime::prelude::*;

use crate::alone;
use crate::calls::{PER_SCALAR, of_a_warm_call};

#[derive(TraceType)]
struct Model {
    weights: Variable<f32>,
    velocity: Variable<f32>,
    bias: Variable<f32>,
    steps: Variable<i32>,
}

/// The loss of a linear model and a step of gradient descent, written by hand in the forms that optimizers use.
#[graph_fn]
fn train(model: &Model, x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    let error = matmul(&x, &model.weights) + &model.bias - y;
    let gradient = matmul(x.t(), &error) * 0.01;
    model.velocity.assign(&model.velocity * 0.9 + gradient);
    model.weights.assign_sub(0.1 * model.velocity.read());
    let slope = error.mean_axis(0);
    model.bias.assign(&model.bias - slope * 0.1);
    model.steps.assign_add(1);
    error.square().mean()
}

fn step_allocations(inner: usize) -> usize {
    let model = Model {
        weights: Variable::new(ones(&[inner, 8])),
        velocity: Variable::new(zeros(&[inner, 8])),
        bias: Variable::new(zeros(&[8])),
        steps: Variable::new(tensor(0)),
    };
    let (x, y) = (ones::<f32>(&[4, inner]), zeros::<f32>(&[4, 8]));
    let count = of_a_warm_call(|| train(&model, x.clone(), y.clone()));
    assert_eq!(model.steps.item(), 3);
    count
}

#[test]
fn a_training_step_updates_in_place() {
    let _alone = alone();
    // The velocity is used after its assignment, so it is shared with the variable: one cell, whatever its size.
    assert_eq!(step_allocations(16), PER_SCALAR + 1);
    assert_eq!(step_allocations(5000), PER_SCALAR + 1);
}

#[graph_fn]
fn rows(table: &Variable<f32>, i: Tensor<i32>, x: Tensor<f32>) {
    table.scatter_add(&i, x);
}

#[test]
fn rows_are_written_where_they_stand() {
    let _alone = alone();
    let table = Variable::new(zeros::<f32>(&[1000, 8]));
    let (i, x) = (tensor([[3], [999]]), ones::<f32>(&[2, 8]));
    assert_eq!(of_a_warm_call(|| rows(&table, i.clone(), x.clone())), 0);
}

#[graph_fn]
fn exchanges(v: &Variable<f32>) {
    // There is no chain that could write over the variable: its buffer and that of the slot are swapped.
    v.assign(v.read().t());
}

#[test]
fn what_is_assigned_changes_places_with_what_was_held() {
    let _alone = alone();
    let v = Variable::new(ones(&[30, 30]));
    assert_eq!(of_a_warm_call(|| exchanges(&v)), 0);
}

#[graph_fn]
fn counts(v: &Variable<f32>, n: Tensor<i32>) {
    for _ in 0..n {
        v.assign_add(1.0);
        if v.read().sum() > 100.0 {
            v.assign(v * 0.5);
        }
    }
}

#[test]
fn iterations_allocate_nothing() {
    let _alone = alone();
    let v = Variable::new(zeros::<f32>(&[50]));
    assert_eq!(
        of_a_warm_call(|| counts(&v, tensor(3))),
        of_a_warm_call(|| counts(&v, tensor(300)))
    );
}
