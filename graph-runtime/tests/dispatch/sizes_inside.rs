//! In a trace, a function is called with the sizes of its operands, even if the trace that serves the call leaves sizes open.

use graph_runtime::prelude::*;

#[graph_fn]
fn two(a: Tensor<f64>, b: Tensor<f64>) -> Tensor<f64> {
    a * 2.0 + b
}

#[graph_fn]
fn open(a: Tensor<f64, shape![_]>) -> Tensor<f64> {
    two(a.with_shape(), a.with_shape())
}

#[graph_fn]
fn looped(x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
    let mut x = x;
    for _ in 0..n {
        x = two(x.clone(), x.clone());
    }
    x
}

#[test]
fn an_earlier_trace_of_open_sizes_changes_nothing() {
    // After this there is a trace of `two` for vectors of any size. It also serves the calls in `looped`.
    assert_eq!(open(tensor([1.0, 2.0, 3.0])).to_vec(), [3.0, 6.0, 9.0]);
    assert_eq!(
        looped(tensor([1.0, 2.0, 3.0, 4.0]), tensor(2)).to_vec(),
        [9.0, 18.0, 27.0, 36.0]
    );
    assert_eq!(two::function().concrete_functions().len(), 1);
}

#[graph_fn]
fn halved(x: Tensor<f64, shape![_]>) -> Tensor<f64> {
    x / 2.0
}

#[graph_fn]
fn quartered(x: Tensor<f64, shape![_]>) -> Tensor<f64> {
    halved(halved(x))
}

#[graph_fn]
fn halved_often(x: Tensor<f64>, n: Tensor<i32>) -> Tensor<f64> {
    let mut x = x;
    for _ in 0..n {
        x = quartered(x) + 0.0;
    }
    x
}

#[test]
fn an_input_signature_leaves_no_size_open_that_the_caller_knows() {
    assert_eq!(
        halved_often(tensor([16.0, 32.0]), tensor(2)).to_vec(),
        [1.0, 2.0]
    );
    let concrete = halved_often::concrete(tensor([16.0, 32.0]), tensor(2)).unwrap();
    assert!(
        !concrete.graph().to_string().contains('?'),
        "{}",
        concrete.graph()
    );
}

#[graph_fn]
fn both(x: Tensor<f64>) -> Tensor<f64> {
    quartered(x) + quartered(x * 2.0)
}

#[test]
fn calls_with_the_same_sizes_share_a_graph() {
    assert_eq!(both(tensor([16.0, 32.0])).to_vec(), [12.0, 24.0]);
    let concrete = both::concrete(tensor([16.0, 32.0])).unwrap();
    let text = concrete.graph().to_string();
    assert_eq!(text.matches("fn quartered").count(), 1, "{text}");
}
