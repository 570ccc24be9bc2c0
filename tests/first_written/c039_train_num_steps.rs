//! A loop over a number of steps given as a Rust number or as a tensor: seed2_train_num_steps.
use graph_runtime::prelude::*;

fn train_one_step(steps: &Variable<i32>) {
    steps.assign_add(tensor(1));
}

#[graph_fn]
fn train(num_steps: i32, steps: &Variable<i32>) {
    graph_print!("Executing with num_steps = {num_steps}");
    for _ in 0..num_steps {
        train_one_step(steps);
    }
}

#[graph_fn]
fn train_tensor(num_steps: Tensor<i32>, steps: &Variable<i32>) {
    graph_print!("Executing with num_steps = {num_steps}");
    for _ in 0..num_steps {
        train_one_step(steps);
    }
}

fn main() {
    let steps = Variable::new(tensor(0));
    train(10, &steps);
    train(20, &steps);
    assert_eq!(steps.read().item(), 30);
    train_tensor(tensor(10), &steps);
    train_tensor(tensor(20), &steps);
    assert_eq!(steps.read().item(), 60);
    assert_eq!(train_tensor::function().trace_count(), 1);
}
