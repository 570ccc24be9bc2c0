//! A parameter that takes a tensor by value accepts what ops accept: the tensor, a reference to one, and a variable.

use graph_runtime::prelude::*;

#[graph_fn]
fn centred(x: Tensor<f32>) -> Tensor<f32> {
    let mean = x.mean();
    x - mean
}

#[graph_fn]
fn scaled<T: Float>(x: Tensor<T>, by: Tensor<T>) -> Tensor<T> {
    if by.sum() > T::from_f64(0.0) {
        x * by
    } else {
        x * T::from_f64(0.5)
    }
}

#[graph_fn]
fn total(x: Tensor<f32, shape![_]>) -> Tensor<f32> {
    x.sum().dynamic()
}

const X: [f32; 2] = [1.0, 3.0];

#[test]
fn a_tensor_a_reference_and_a_variable_share_a_trace() {
    let x = tensor(X);
    for _ in 0..2 {
        assert_eq!(centred(&x).to_vec(), [-1.0, 1.0]);
        assert_eq!(centred(&&x).to_vec(), [-1.0, 1.0]);
        assert_eq!(centred(&Variable::new(tensor(X))).to_vec(), [-1.0, 1.0]);
    }
    assert_eq!(centred(x).to_vec(), [-1.0, 1.0]);
    assert_eq!(centred::function().trace_count(), 1);
    let concrete = centred::concrete(&tensor(X)).expect("a trace");
    assert_eq!(concrete.graph().nodes().len(), 2);
    assert_eq!(centred::function().trace_count(), 1);
}

#[test]
fn an_input_signature_accepts_them_too() {
    let x = tensor(X);
    assert_eq!(total(&x).item(), 4.0);
    assert_eq!(total(Variable::new(tensor(X))).item(), 4.0);
    assert_eq!(total(x).item(), 4.0);
    assert_eq!(total::function().trace_count(), 1);
}

#[test]
fn literals_and_element_types_are_inferred_as_before() {
    assert_eq!(centred(tensor([2.0, 4.0])).to_vec(), [-1.0, 1.0]);
    let x = tensor([2.0f64]);
    assert_eq!(scaled(&x, tensor(3.0)).item(), 6.0);
    assert_eq!(scaled(tensor([-1.0]), tensor([-1.0f32])).item(), -0.5);
    assert_eq!(scaled::<f32>(tensor(2.0), tensor([4.0])).item(), 8.0);
    assert_eq!(centred(x.cast()).item(), 0.0);
}

#[test]
fn a_function_stays_a_value() {
    let rows = tensor([X, [5.0, 7.0]]);
    let expected = [-1.0, 1.0, -1.0, 1.0];
    assert_eq!(map_fn(centred, &rows).to_vec(), expected);
    let pointer: fn(Tensor<f32>) -> Tensor<f32> = centred;
    assert_eq!(pointer(tensor(X)).to_vec(), [-1.0, 1.0]);
    let given = [tensor(X), tensor(X)];
    let lent: Vec<Tensor<f32>> = given.iter().map(centred).collect();
    let taken: Vec<Tensor<f32>> = given.into_iter().map(centred).collect();
    assert_eq!(stack(&lent, 0).to_vec(), expected);
    assert_eq!(stack(&taken, 0).to_vec(), expected);
}

struct Model {
    weight: Tensor<f32>,
}

impl Model {
    #[graph_fn]
    fn private(&self, x: Tensor<f32, shape![_]>) -> Tensor<f32> {
        (x * &self.weight).dynamic()
    }

    #[graph_fn]
    fn twice(x: Tensor<f32>) -> Tensor<f32> {
        x * 2.0
    }
}

trait Layer {
    fn call(&self, x: Tensor<f32>) -> Tensor<f32>;
}

impl Layer for Model {
    #[graph_fn]
    fn call(&self, x: Tensor<f32>) -> Tensor<f32> {
        if x.sum() > 0.0 { x } else { -x }
    }
}

#[test]
fn a_private_method_is_a_graph_function_as_a_public_one_is() {
    let model = Model {
        weight: tensor([2.0]),
    };
    let x = tensor(X);
    assert_eq!(model.private(&x).to_vec(), [2.0, 6.0]);
    assert_eq!(model.private(x.clone()).to_vec(), [2.0, 6.0]);
    assert_eq!(Model::twice(&x).to_vec(), [2.0, 6.0]);
    assert!(Model::private_to_code().contains("fn private"));
    assert_eq!(Model::twice_function().trace_count(), 1);
    // A trait says what its methods take, and gets no functions beside them.
    assert_eq!(model.call(x).to_vec(), X);
}

/// A type of the user's that has the tensor's name, and no trace type.
mod own {
    #[derive(Debug, PartialEq)]
    pub struct Tensor<T>(pub Vec<T>);

    #[graph_runtime::graph_fn]
    pub fn pushed(mut x: Tensor<u8>, n: u8) -> Tensor<u8> {
        if n > 0 {
            x.0.push(n);
        }
        x
    }
}

#[test]
fn a_type_of_the_same_name_is_taken_as_it_is() {
    assert_eq!(
        own::pushed(own::Tensor(vec![1]), 2),
        own::Tensor(vec![1, 2])
    );
}
