//! Traces functions before anything is run, as a program may do when it starts: what is wrong in one is an error with its line, for functions
//! whose results have no room for errors, too.
//!
//! Nothing unwinds for it, so a program that aborts at a panic can do the same:
//!
//! ```text
//! cargo run --config 'profile.dev.panic="abort"' --example checked
//! ```

use graph_runtime::prelude::*;
use graph_runtime::{ConcreteFunction, Error};
use std::sync::Arc;

/// `x` has as many columns as `w` has rows, or there is no product.
#[graph_fn]
fn layer(x: Tensor<f32>, w: Tensor<f32>) -> Tensor<f32> {
    x.matmul(w).relu()
}

/// The fault is in another function.
#[graph_fn]
fn network(x: Tensor<f32>, w: Tensor<f32>) -> Tensor<f32> {
    let hidden = layer(x, w);
    if hidden.sum() > 0.0 { hidden } else { -hidden }
}

/// The shape is in the type.
#[graph_fn]
fn digit(pixels: Tensor<f32, shape![_, 784]>) -> Tensor<f32> {
    pixels.mean()
}

/// Nothing ends it.
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
        // The line of each is that of the fault: in the body where it is the body's, else of the call.
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
