//! `#[graph_fn(input_signature = [f32[_, 784]])]`: shapes beside the function, for parameters whose types have none.

use graph_runtime::Error;
use graph_runtime::prelude::*;

const WIDTH: usize = 2;

/// `next_collatz` of TensorFlow's documents, whose signature is `TensorSpec([None], int32)`.
#[graph_fn(input_signature = [i32[_]])]
fn next_collatz(x: Tensor<i32>) -> Result<Tensor<i32>, Error> {
    Ok(select(x % 2 == 0, x / 2, 3 * x + 1))
}

#[test]
fn there_is_one_trace_and_what_does_not_fit_is_refused() {
    assert_eq!(next_collatz(tensor([1, 2])).unwrap().to_vec(), [4, 1]);
    assert_eq!(
        next_collatz(tensor([3, 4, 5])).unwrap().to_vec(),
        [10, 2, 16]
    );
    assert_eq!(next_collatz([7]).unwrap().to_vec(), [22]);
    assert_eq!(next_collatz::function().trace_count(), 1);
    let matrix: Tensor<i32> = tensor([[1, 2], [3, 4]]).dynamic();
    let error = next_collatz(matrix).unwrap_err();
    let words = "Can not cast TensorSpec(shape=(2, 2), dtype=tf.int32, name=None) to TensorSpec(shape=(None,), dtype=tf.int32, name=None)";
    assert!(error.message().contains(words), "{error}");
}

#[graph_fn]
fn doubled(x: Tensor<f32>) -> Tensor<f32> {
    x * 2.0
}

#[graph_fn(input_signature = [f32[_]])]
fn doubled_of_any_size(x: Tensor<f32>) -> Tensor<f32> {
    doubled(x)
}

/// A tensor of unknown size that such a function passes on needs a trace of its own, even if there is a trace for one size.
#[test]
fn what_is_handed_on_is_of_any_size_too() {
    assert_eq!(doubled(tensor([1.0, 2.0])).to_vec(), [2.0, 4.0]);
    for n in [2, 3] {
        let x = Tensor::from_vec(&[n], vec![1.0; n]).unwrap();
        assert_eq!(doubled_of_any_size(x).to_vec(), vec![2.0; n]);
    }
    assert_eq!(doubled::function().trace_count(), 2);
}

struct Scale(f32);

impl Scale {
    /// The body may change the shape, because types don't follow it.
    #[graph_fn(input_signature = [f32[_, WIDTH], _, i64[]], reduce_retracing)]
    pub fn grow(
        &self,
        mut x: Tensor<f32>,
        factor: f32,
        times: graph_runtime::Tensor<i64>,
    ) -> Tensor<f32> {
        x = concat(&[&x, &x], 0) * factor * self.0;
        x = x.reshape(&[-1]);
        x + times.cast::<f32>()
    }
}

impl graph_runtime::Argument for Scale {
    fn trace_type(&self, signature: &mut graph_runtime::function::Signature) {
        self.0.trace_type(signature);
    }
}

#[test]
fn parameters_without_a_spec_stay_as_they_are() {
    let scale = Scale(10.0);
    let x = tensor([[1.0, 2.0]]);
    assert_eq!(
        scale.grow(x.clone(), 1.0, 5).to_vec(),
        [15.0, 25.0, 15.0, 25.0]
    );
    assert_eq!(
        scale.grow(x, 2.0, tensor(0)).to_vec(),
        [20.0, 40.0, 20.0, 40.0]
    );
    assert_eq!(
        scale
            .grow(tensor([[1.0, 2.0], [3.0, 4.0]]), 1.0, 0)
            .to_vec()
            .len(),
        8
    );
    // One for each value of `factor`.
    assert_eq!(Scale::grow_function().trace_count(), 2);
}
