//! Traces functions before anything runs, as a program may do when it starts: each error is found with its line, also in functions whose
//! return types have no room for errors.
//!
//! This needs no unwinding, so it works in a program that aborts at a panic, too:
//!
//! ```text
//! cargo run --config 'profile.dev.panic="abort"' --example checked
//! ```

use graph_runtime::prelude::*;
use graph_runtime::{ConcreteFunction, Error};
use std::sync::Arc;

/// `x` must have as many columns as `w` has rows.
#[graph_fn]
fn layer(x: Tensor<f32>, w: Tensor<f32>) -> Tensor<f32> {
    x.matmul(w).relu()
}

/// Its error is in another function.
#[graph_fn]
fn network(x: Tensor<f32>, w: Tensor<f32>) -> Tensor<f32> {
    let hidden = layer(x, w);
    if hidden.sum() > 0.0 { hidden } else { -hidden }
}

/// The type of the argument has the shape.
#[graph_fn]
fn digit(pixels: Tensor<f32, shape![_, 784]>) -> Tensor<f32> {
    pixels.mean()
}

/// The recursion never ends.
#[graph_fn]
fn endless(x: Tensor<f32>) -> Tensor<f32> {
    endless(x + 1.0)
}

#[derive(Clone, GraphState, TraceType)]
struct Model {
    weights: Tensor<f32>,
    calls: Tensor<i32>,
}

#[graph_fn]
impl Model {
    fn step(&mut self, x: Tensor<f32>) -> (Tensor<f32>, usize) {
        self.calls += 1;
        let y = x.matmul(&self.weights);
        (y, 7)
    }
}

fn main() {
    let matrix = |rows, columns| TensorSpec::new(&[Some(rows), Some(columns)]);
    let mut model = Model {
        weights: Tensor::ones([2, 3]),
        calls: tensor(0),
    };

    let right = [
        ("layer", layer::concrete(matrix(4, 2), matrix(2, 3))),
        ("network", network::concrete(matrix(4, 2), matrix(2, 3))),
        ("digit", digit::concrete(matrix(1, 784))),
        ("Model::step", model.step_concrete(matrix(4, 2))),
    ];
    for (name, checked) in right {
        println!("{name}: {}", found(&checked));
        assert!(checked.is_ok());
    }

    let wrong = [
        // The expected line of each error: in the body if the error is there, otherwise the line of the call.
        ("layer", layer::concrete(matrix(4, 2), matrix(3, 3)), 17),
        ("network", network::concrete(matrix(4, 2), matrix(3, 3)), 17),
        ("digit", digit::concrete(matrix(1, 700)), line!()),
        ("endless", endless::concrete(tensor(1.0)), 36),
        ("Model::step", model.step_concrete(matrix(4, 7)), 49),
    ];
    for (name, checked, line) in wrong {
        let found = found(&checked);
        println!("{name}: {found}");
        let place = format!("{}:{line}:", file!());
        assert!(checked.is_err() && found.contains(&place), "{place}");
    }
    assert_eq!(model.calls.item(), 0);
}

fn found(checked: &Result<Arc<ConcreteFunction>, Error>) -> String {
    match checked {
        Ok(concrete) => format!("a graph with {} inputs", concrete.graph().inputs.len()),
        Err(error) => error.to_string(),
    }
}
