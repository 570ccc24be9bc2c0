//! `reduce_retracing` generalizes a trace to what the shapes of the calls have in common; without it nothing is generalized.

use graph_runtime::prelude::*;

#[graph_fn(reduce_retracing)]
fn total(x: Tensor<i32>) -> Tensor<i32> {
    let mut sum = tensor(0);
    for row in x {
        sum += row.sum();
    }
    sum
}

/// The type of the parameter in each trace of the function, oldest first.
fn shapes(function: &GraphFunction) -> Vec<String> {
    let concrete = function.concrete_functions();
    let shape = |text: String| {
        let start = text.find("shape=").expect("a tensor") + "shape=".len();
        text[start..text.find(", dtype").expect("a tensor")].to_owned()
    };
    concrete.iter().map(|c| shape(c.signature())).collect()
}

#[test]
fn the_second_shape_is_generalized() {
    for n in [3usize, 5, 7, 9, 3] {
        assert_eq!(total(tensor(vec![2; n])).item(), 2 * n as i32);
    }
    assert_eq!(shapes(total::function()), ["(3,)", "(None,)"]);
    // With another rank, only the dtype is common.
    assert_eq!(total(tensor([[1, 2], [3, 4]])).item(), 10);
    assert_eq!(total(tensor([[[5]]])).item(), 5);
    assert_eq!(shapes(total::function()), ["(3,)", "(None,)", "<unknown>"]);
}

#[graph_fn(reduce_retracing)]
fn scaled(x: Tensor<f32>, names: Vec<&str>, factor: f32) -> Tensor<f32> {
    x * factor * names.len() as f32
}

#[test]
fn literals_never_generalize() {
    for (n, factor) in [(2usize, 1.0), (2, 2.0), (3, 2.0), (4, 2.0)] {
        let x = scaled(tensor(vec![1.0; n]), vec!["a", "b"], factor);
        assert_eq!(x.to_vec(), vec![2.0 * factor; n]);
    }
    // Each factor has its own traces, and shapes are generalized for each factor separately.
    assert_eq!(shapes(scaled::function()), ["(2,)", "(2,)", "(None,)"]);
    scaled(tensor([1.0]), vec!["a"], 2.0);
    assert_eq!(shapes(scaled::function()).last().unwrap(), "(1,)");
}

struct Model {
    weight: Tensor<f32>,
}

#[graph_fn(reduce_retracing)]
impl Model {
    fn apply(weight: Tensor<f32>, x: Tensor<f32>) -> Tensor<f32> {
        x.matmul(weight)
    }
    pub fn doubled(x: Tensor<f32>) -> Tensor<f32> {
        x * 2.0
    }
}

#[test]
fn an_impl_block_takes_the_option_too() {
    let model = Model {
        weight: tensor([[2.0], [3.0]]),
    };
    assert_eq!(
        Model::apply(model.weight, tensor([[1.0, 1.0]])).to_vec(),
        [5.0]
    );
    for n in [1usize, 2, 3, 4] {
        Model::doubled(tensor(vec![0.0; n]));
    }
    assert_eq!(Model::doubled_function().trace_count(), 2);
}

#[graph_fn]
fn exact(x: Tensor<f32>) -> Tensor<f32> {
    x + 1.0
}

#[test]
fn without_the_option_each_shape_has_a_trace() {
    for n in [3usize, 5, 7, 3] {
        exact(tensor(vec![0.0; n]));
    }
    assert_eq!(shapes(exact::function()), ["(3,)", "(5,)", "(7,)"]);
}

#[test]
fn a_general_trace_serves_calls_from_other_graphs() {
    #[graph_fn(reduce_retracing)]
    fn inner(x: Tensor<i32>) -> Tensor<i32> {
        x * 2
    }
    #[graph_fn]
    fn outer(x: Tensor<i32>) -> Tensor<i32> {
        inner(x) + 1
    }
    for n in [1usize, 2, 3, 4] {
        assert_eq!(outer(tensor(vec![1; n])).to_vec(), vec![3; n]);
    }
    assert_eq!(inner::function().trace_count(), 2);
}
