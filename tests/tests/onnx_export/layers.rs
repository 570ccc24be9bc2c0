//! Layers and models: what they compute, and a step's gradients, as models of ONNX with the weights inside.

use std::sync::Arc;

use graph_runtime::autodiff::Sources;
use graph_runtime::nn::{
    Activation, AvgPool2D, BatchNorm, Conv1D, Conv2D, Dense, Embedding, Flatten, GlobalAvgPool2D,
    Gradient, Gru, GruCell, LayerNorm, Lstm, LstmCell, MaxPool2D, Module, MultiHeadAttention,
    RmsNorm,
};
use graph_runtime::prelude::*;
use graph_runtime::tensor::AnyTensor;
use graph_runtime::{Argument, Array, Nest};

use crate::cases::Cases;

type Float = Tensor<f32>;

/// The outputs, and the gradients of the sum of their squares with respect to the weights and the inputs.
#[graph_fn]
fn gradients<L, F>(
    layer: &L,
    call: F,
    inputs: Vec<Float>,
) -> (Vec<Float>, Vec<Gradient>, Vec<Option<Float>>)
where
    L: Argument + Sources<Gradients = Vec<Gradient>>,
    F: Fn(&L, &[Float]) -> Vec<Float>,
{
    let tape = GradientTape::new();
    tape.watch(&inputs);
    let outputs = call(layer, &inputs);
    let loss: Float = outputs.iter().map(|output| output.square().sum()).sum();
    let (weights, inputs) = tape.gradient(&loss, &(layer, &inputs));
    (outputs, weights, inputs)
}

#[graph_fn]
fn outputs<L, F>(layer: &L, call: F, inputs: Vec<Float>) -> Vec<Float>
where
    L: Argument,
    F: Fn(&L, &[Float]) -> Vec<Float>,
{
    call(layer, &inputs)
}

/// Different numbers from -1.6 to 1.6.
fn ramp(shape: &[usize]) -> Float {
    let len: usize = shape.iter().product();
    let values: Vec<f32> = (0..len)
        .map(|n| ((n * 37 % 23) as f32 - 11.0) / 7.0)
        .collect();
    tensor(values).reshape(shape)
}

fn leaves(result: &impl Nest) -> Vec<Arc<Array>> {
    let mut leaves = Vec::new();
    result.leaves(&mut |leaf: &AnyTensor| leaves.push(leaf.array()));
    leaves
}

fn check<L>(
    cases: &Cases,
    name: &str,
    layer: L,
    shapes: &[&[usize]],
    call: impl Fn(&L, &[Float]) -> Vec<Float> + Copy,
) where
    L: Module + Argument + Sources<Gradients = Vec<Gradient>>,
{
    for (n, parameter) in layer.parameters().into_iter().enumerate() {
        // Weights that differ, so that a transposed one is seen.
        if let Some(variable) = parameter.variable::<f32>()
            && n % 4 < 2
        {
            let new = ramp(&variable.shape().to_vec()) * 0.3;
            variable.assign(new);
        }
    }
    let inputs: Vec<Float> = shapes.iter().map(|shape| ramp(shape)).collect();
    let operands: Vec<Arc<Array>> = inputs.iter().map(Tensor::array).collect();
    let concrete =
        outputs::concrete(&layer, call, inputs.clone()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let model = concrete
        .to_onnx_of(&layer)
        .unwrap_or_else(|e| panic!("{name}: {e}"));
    let results = leaves(&outputs(&layer, call, inputs.clone()));
    cases.add(name, &model.to_bytes(), &operands, &results);

    let concrete =
        gradients::concrete(&layer, call, inputs.clone()).unwrap_or_else(|e| panic!("{name}: {e}"));
    let model = concrete
        .to_onnx_of(&layer)
        .unwrap_or_else(|e| panic!("{name}, gradients: {e}"));
    let results = leaves(&gradients(&layer, call, inputs));
    cases.add(
        &format!("{name}, gradients"),
        &model.to_bytes(),
        &operands,
        &results,
    );
}

#[test]
fn layers_and_their_gradients_are_models() {
    let cases = &Cases::new("layers");
    let image: &[&[usize]] = &[&[2, 7, 6, 2]];
    for activation in [
        Activation::Tanh,
        Activation::Relu,
        Activation::Softmax,
        Activation::Gelu,
        Activation::Elu,
        Activation::Sigmoid,
    ] {
        let name = format!("dense {activation:?}");
        check(
            cases,
            &name,
            Dense::new(5, 4).activation(activation),
            &[&[3, 5]],
            |l, x| vec![l.call(&x[0])],
        );
    }
    check(
        cases,
        "dense of rank 3",
        Dense::new(5, 4),
        &[&[2, 3, 5]],
        |l, x| vec![l.call(&x[0])],
    );
    check(cases, "conv", Conv2D::new(2, 3, [3, 3]), image, |l, x| {
        vec![l.call(&x[0])]
    });
    let same = Conv2D::new(2, 3, [2, 3]).strides([2, 2]).same_padding();
    check(cases, "conv same", same, image, |l, x| vec![l.call(&x[0])]);
    let wide = Conv2D::new(2, 2, [2, 1]).strides([3, 2]);
    check(cases, "conv wide strides", wide, image, |l, x| {
        vec![l.call(&x[0])]
    });
    let line: &[&[usize]] = &[&[2, 7, 2]];
    check(cases, "conv1d", Conv1D::new(2, 3, 3), line, |l, x| {
        vec![l.call(&x[0])]
    });
    let causal = Conv1D::new(2, 3, 3).strides(2).causal_padding();
    check(cases, "conv1d causal", causal, line, |l, x| {
        vec![l.call(&x[0])]
    });
    check(cases, "rms norm", RmsNorm::new(4), &[&[3, 4]], |l, x| {
        vec![l.call(&x[0])]
    });
    check(
        cases,
        "layer norm",
        LayerNorm::new(4),
        &[&[3, 4]],
        |l, x| vec![l.call(&x[0])],
    );
    check(cases, "max pool", MaxPool2D::new([2, 2]), image, |l, x| {
        vec![l.call(&x[0])]
    });
    let same = MaxPool2D::new([3, 3]).strides([2, 2]).same_padding();
    check(cases, "max pool same", same, image, |l, x| {
        vec![l.call(&x[0])]
    });
    check(cases, "avg pool", AvgPool2D::new([2, 3]), image, |l, x| {
        vec![l.call(&x[0])]
    });
    let same = AvgPool2D::new([3, 3]).strides([2, 2]).same_padding();
    check(cases, "avg pool same", same, image, |l, x| {
        vec![l.call(&x[0])]
    });
    check(cases, "global avg pool", GlobalAvgPool2D, image, |l, x| {
        vec![l.call(&x[0])]
    });
    check(cases, "flatten", Flatten, image, |l, x| vec![l.call(&x[0])]);
    check(cases, "embedding", Embedding::new(6, 3), &[&[2]], |l, x| {
        vec![l.call(tensor([[1, 5, 1], [0, 2, 2]])) * x[0].sum()]
    });
    check(
        cases,
        "batch norm",
        BatchNorm::new(4),
        &[&[3, 4]],
        |l, x| vec![l.call(&x[0], false)],
    );
    check(
        cases,
        "batch norm training",
        BatchNorm::new(4),
        &[&[3, 4]],
        |l, x| vec![l.call(&x[0], true)],
    );
    check(
        cases,
        "lstm cell",
        LstmCell::new(4, 3),
        &[&[2, 4], &[2, 3], &[2, 3]],
        |l, x| {
            let (h, c) = l.call(&x[0], (x[1].clone(), x[2].clone()));
            vec![h, c]
        },
    );
    let steps: &[&[usize]] = &[&[2, 5, 4]];
    check(cases, "lstm", Lstm::new(4, 3), steps, |l, x| {
        vec![l.call(&x[0])]
    });
    check(
        cases,
        "lstm sequences",
        Lstm::new(4, 3).return_sequences(),
        steps,
        |l, x| vec![l.call(&x[0])],
    );
    check(
        cases,
        "gru cell",
        GruCell::new(4, 3),
        &[&[2, 4], &[2, 3]],
        |l, x| vec![l.call(&x[0], x[1].clone())],
    );
    check(cases, "gru", Gru::new(4, 3), steps, |l, x| {
        vec![l.call(&x[0])]
    });
    check(
        cases,
        "gru sequences",
        Gru::new(4, 3).return_sequences(),
        steps,
        |l, x| vec![l.call(&x[0])],
    );
    let pair: &[&[usize]] = &[&[2, 3, 6], &[2, 4, 6]];
    check(
        cases,
        "attention",
        MultiHeadAttention::new(6, 2, 3),
        pair,
        |l, x| vec![l.call(&x[0], &x[1])],
    );
    check(
        cases,
        "attention causal",
        MultiHeadAttention::new(6, 2, 3).causal(),
        pair,
        |l, x| vec![l.call(&x[0], &x[1])],
    );
}
