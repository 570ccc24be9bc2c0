//! "Introduction to graphs and tf.function".

use graph_runtime::prelude::*;
use graph_runtime::{Argument, Error};

use crate::{eagerly, host_print, in_each_way, prints, traced};

fn a_regular_function(x: Tensor<f32>, y: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    let x = matmul(x, y);
    x + b
}

#[graph_fn]
fn a_function_that_uses_a_graph(x: Tensor<f32>, y: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    let x = matmul(x, y);
    x + b
}

#[test]
fn a_graph_gives_what_the_regular_function_gives() {
    let (x1, y1, b1) = (tensor([[1.0, 2.0]]), tensor([[2.0], [3.0]]), tensor(4.0));
    let orig_value = a_regular_function(x1.clone(), y1.clone(), b1.clone());
    in_each_way(|| {
        let tf_function_value = a_function_that_uses_a_graph(x1.clone(), y1.clone(), b1.clone());
        assert_eq!(tf_function_value.to_ndarray(), orig_value.to_ndarray());
    });
}

fn inner_function(x: Tensor<f32>, y: Tensor<f32>, b: Tensor<f32>) -> Tensor<f32> {
    let x = matmul(x, y);
    x + b
}

/// The graph includes the operations of `inner_function`, which needs no annotation.
#[graph_fn]
fn outer_function(x: Tensor<f32>) -> Tensor<f32> {
    let y = tensor([[2.0], [3.0]]);
    let b = tensor(4.0);
    inner_function(x, y, b)
}

#[test]
fn functions_that_a_graph_function_calls_are_in_its_graph() {
    in_each_way(|| {
        let result = outer_function(tensor([[1.0, 2.0]]));
        assert_eq!(result.to_string(), "[[12.]]");
    });
    let graph = outer_function::function()
        .latest()
        .unwrap()
        .graph()
        .to_string();
    assert!(graph.contains("matmul") && graph.contains("add"), "{graph}");
}

#[graph_fn]
fn simple_relu(x: Tensor<i32>) -> Tensor<i32> {
    if x.gt(0) {
        return x;
    } else {
        return 0;
    }
}

#[test]
fn simple_relu_takes_either_branch() {
    in_each_way(|| {
        assert_eq!(simple_relu(tensor(1)).item(), 1);
        assert_eq!(simple_relu(tensor(-1)).item(), 0);
    });
    assert_eq!(simple_relu::function().trace_count(), 1);
}

#[test]
fn simple_relu_shows_its_code_and_its_graph() {
    let code = simple_relu::to_code();
    assert!(
        code.contains("fn simple_relu") && code.contains("if_stmt"),
        "{code}"
    );
    traced(|| simple_relu(tensor(1)));
    let graph = simple_relu::function()
        .latest()
        .unwrap()
        .graph()
        .to_string();
    assert!(
        graph.contains("greater") && graph.contains("cond"),
        "{graph}"
    );
}

/// Python's lists are Rust arrays here, whose values are part of the signature.
#[graph_fn]
fn my_relu(x: impl Argument + Into<Tensor<f32>>) -> Tensor<f32> {
    maximum(0.0, x.into())
}

const MY_RELU_SIGNATURES: &str = "\
Input Parameters:
  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(), dtype=tf.float32, name=None)
Output Type:
  TensorSpec(shape=(), dtype=tf.float32, name=None)
Captures:
  None

Input Parameters:
  x (POSITIONAL_OR_KEYWORD): List[Literal[1], Literal[-1]]
Output Type:
  TensorSpec(shape=(2,), dtype=tf.float32, name=None)
Captures:
  None

Input Parameters:
  x (POSITIONAL_OR_KEYWORD): TensorSpec(shape=(2,), dtype=tf.float32, name=None)
Output Type:
  TensorSpec(shape=(2,), dtype=tf.float32, name=None)
Captures:
  None";

#[test]
fn my_relu_has_a_graph_for_each_signature() {
    traced(|| {
        assert_eq!(my_relu(tensor(5.5)).to_string(), "5.5");
        assert_eq!(my_relu([1.0, -1.0]).to_string(), "[1. 0.]");
        assert_eq!(my_relu(tensor([3.0, -3.0])).to_string(), "[3. 0.]");
        // These two calls do not create new graphs.
        assert_eq!(my_relu(tensor(-2.5)).to_string(), "0.0");
        assert_eq!(my_relu(tensor([-1.0, 1.0])).to_string(), "[0. 1.]");
    });
    assert_eq!(my_relu::function().trace_count(), 3);
    assert_eq!(my_relu::function().pretty_signatures(), MY_RELU_SIGNATURES);
}

#[graph_fn]
fn get_mse(y_true: Tensor<i32>, y_pred: Tensor<i32>) -> Tensor<i32> {
    host_print("Calculating MSE!");
    let sq_diff = (y_true - y_pred).pow(2);
    sq_diff.mean()
}

/// It prints only while tracing, but eagerly at each call. The numbers are those of two versions of the document.
#[test]
fn get_mse_prints_while_tracing_and_gives_the_same_eagerly() {
    let three_calls = || {
        let numbers = || (tensor([1, 0, 4, 4, 7]), tensor([3, 6, 3, 0, 6]));
        for (y_true, y_pred) in [numbers(), numbers(), numbers()] {
            assert_eq!(get_mse(y_true, y_pred).item(), 11);
        }
    };
    assert_eq!(traced(|| prints(three_calls).0), ["Calculating MSE!"]);
    assert_eq!(eagerly(|| prints(three_calls).0), ["Calculating MSE!"; 3]);
    in_each_way(|| {
        let error = get_mse(tensor([2, 0, 7, 2, 3]), tensor([9, 9, 1, 1, 5]));
        assert_eq!(error.item(), 34);
    });
}

#[graph_fn]
fn unused_return(x: Tensor<f32>) -> Result<Tensor<f32>, Error> {
    // Taking row 1 fails if the length of `x` is 1, but the row isn't used.
    let _unused = x.gather(&tensor([1]));
    Ok(x)
}

#[test]
fn what_nothing_uses_is_not_run() {
    let x = || tensor([0.0]);
    for _ in 0..2 {
        assert_eq!(traced(|| unused_return(x())).unwrap().to_string(), "[0.]");
    }
    // Eagerly all operations run, so an error is raised.
    let error = eagerly(|| unused_return(x())).unwrap_err();
    assert!(
        error.message().contains("indices[0] = 1 is not in [0, 1)"),
        "{error}"
    );
}

#[graph_fn]
fn power(x: Tensor<i32>, y: usize) -> Tensor<i32> {
    let mut result = eye::<i32>(10);
    for _ in 0..y {
        result = matmul(&x, result);
    }
    result
}

#[test]
fn power_of_a_matrix() {
    // The same numbers as in the document: integers of -1, 0, 1.
    let at = |i: usize, j: usize| ((i * 7 + j * 5 + i * j) % 3) as i32 - 1;
    let x: Vec<i32> = (0..100).map(|k| at(k / 10, k % 10)).collect();
    let mut expected: Vec<i32> = (0..100).map(|k| i32::from(k / 10 == k % 10)).collect();
    for _ in 0..100 {
        let cell = |i: usize, j: usize| {
            (0..10).fold(0i32, |sum, k| {
                sum.wrapping_add(x[i * 10 + k].wrapping_mul(expected[k * 10 + j]))
            })
        };
        expected = (0..100).map(|k| cell(k / 10, k % 10)).collect();
    }
    let x = Tensor::from_vec(&[10, 10], x).unwrap();
    in_each_way(|| assert_eq!(power(x.clone(), 100).to_vec(), expected));
    traced(|| power(x, 2));
    assert_eq!(power::function().trace_count(), 2);
}

#[graph_fn]
fn a_function_with_side_effect(x: impl Argument + Into<Tensor<i32>>) -> Tensor<i32> {
    host_print("Tracing!");
    let x: Tensor<i32> = x.into();
    x * x + tensor(2)
}

#[test]
fn a_side_effect_shows_when_a_function_traces() {
    traced(|| {
        let (host, _) = prints(|| assert_eq!(a_function_with_side_effect(tensor(2)).item(), 6));
        assert_eq!(host, ["Tracing!"]);
        let (host, _) = prints(|| assert_eq!(a_function_with_side_effect(tensor(3)).item(), 11));
        assert!(host.is_empty());
        // If a Rust value among the arguments changes, the function is traced again.
        let (host, _) = prints(|| assert_eq!(a_function_with_side_effect(2).item(), 6));
        assert_eq!(host, ["Tracing!"]);
        let (host, _) = prints(|| assert_eq!(a_function_with_side_effect(3).item(), 11));
        assert_eq!(host, ["Tracing!"]);
        let (host, _) = prints(|| assert_eq!(a_function_with_side_effect(2).item(), 6));
        assert!(host.is_empty());
    });
    assert_eq!(a_function_with_side_effect::function().trace_count(), 3);
}
