//! Parameters whose types have a shape are input signatures: one trace, and a check at the call.

use graph_runtime::prelude::*;

#[graph_fn]
fn collatz(x: Tensor<i32, shape![_]>) -> Tensor<i32, shape![_]> {
    select(x % 2 == 0, x / 2, 3 * x + 1)
}

#[test]
fn one_trace_serves_every_size() {
    assert_eq!(collatz(tensor([1, 2])).to_vec(), [4, 1]);
    assert_eq!(collatz(tensor([1, 2, 3, 4, 5])).to_vec(), [4, 1, 10, 2, 16]);
    assert!(
        collatz(Tensor::from_vec(&[0], vec![]).unwrap())
            .to_vec()
            .is_empty()
    );
    assert_eq!(collatz([1, 2]).to_vec(), [4, 1]);
    assert_eq!(collatz(vec![3]).to_vec(), [10]);
    assert_eq!(collatz(Tensor::of([7, 8])).to_vec(), [22, 4]);
    assert_eq!(collatz::function().trace_count(), 1);
    let signature = collatz::function().latest().unwrap().signature();
    assert!(
        signature.starts_with("(x: TensorSpec(shape=(None,), dtype=tf.int32, name=None))"),
        "{signature}"
    );
}

#[test]
#[should_panic(
    expected = "Can not cast TensorSpec(shape=(2, 2), dtype=tf.int32, name=None) to TensorSpec(shape=(None,), dtype=tf.int32, name=None)"
)]
fn another_rank_panics() {
    collatz(tensor([[1, 2], [3, 4]]));
}

#[graph_fn]
fn checked(x: Tensor<f32, shape![_, 2]>) -> graph_runtime::Result<Tensor<f32, shape![_, 2]>> {
    Ok(&x + 1.0)
}

#[test]
fn a_result_holds_the_error() {
    assert_eq!(checked(tensor([[1.0, 2.0]])).unwrap().to_vec(), [2.0, 3.0]);
    let error = checked(tensor([1.0, 2.0])).unwrap_err();
    assert!(
        error.to_string().contains("shape=(2,), dtype=tf.float32"),
        "{error}"
    );
    assert!(error.to_string().contains("signatures.rs"), "{error}");
    assert!(checked(tensor([[1.0, 2.0], [3.0, 4.0]])).is_ok());
    assert_eq!(checked::function().trace_count(), 1);
}

#[graph_fn]
fn outer(x: Tensor<f32>) -> Tensor<f32> {
    checked(x).unwrap().dynamic()
}

#[test]
fn a_call_inside_a_trace_is_checked_too() {
    assert_eq!(outer(tensor([[1.0, 2.0]])).to_vec(), [2.0, 3.0]);
}

struct Layer<const N: usize> {
    weight: Tensor<f32, S2<2, N>>,
}

impl<const N: usize> Layer<N> {
    #[graph_fn]
    pub fn call(&self, x: Tensor<f32, shape![_, 2]>) -> Tensor<f32, shape![_, N]> {
        let mut y = x.matmul(&self.weight);
        if y.sum() > 0.0 {
            y = y * 2.0;
        }
        y
    }
}

#[test]
fn methods_and_branches_carry_shapes() {
    let layer = Layer {
        weight: Tensor::of([[1.0, 0.0, -1.0], [0.0, 1.0, 1.0]]),
    };
    let y: Tensor<f32, shape![_, 3]> = layer.call(tensor([[1.0, 2.0]]));
    assert_eq!(y.to_vec(), [2.0, 4.0, 2.0]);
}

#[graph_fn]
fn grow(x: Tensor<i32, shape![_]>) -> Tensor<i32, shape![_]> {
    let mut x = x;
    while x.size() < 10 {
        x = concat([&x, &x], Axis::<0>);
    }
    x
}

#[test]
fn a_loop_may_change_an_unknown_size() {
    assert_eq!(grow(tensor([1, 2, 3])).shape().to_string(), "[12]");
}
