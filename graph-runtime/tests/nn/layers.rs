//! Layers with Keras's weights give its outputs and gradients.

use graph_runtime::Argument;
use graph_runtime::autodiff::Sources;
use graph_runtime::nn::{
    Activation, AvgPool2D, BatchNorm, Conv2D, Dense, Embedding, Flatten, GlobalAvgPool2D, Gradient,
    Gru, GruCell, LayerNorm, Lstm, LstmCell, MaxPool2D, Module, MultiHeadAttention, Reshape,
};
use graph_runtime::prelude::*;

use super::both;
use super::record::{all_floats, assert_close, record};

type Float = Tensor<f32>;

/// The outputs, and the gradients of the sum of their squares with respect to the weights and the inputs.
#[graph_fn]
fn run<L, F>(
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

/// Gives a layer the recorded weights.
fn set(layer: &impl Module, name: &str) {
    let weights = all_floats(&record(name)["weights"]);
    let parameters = layer.parameters();
    assert_eq!(
        parameters.len(),
        weights.len(),
        "{name}: the number of weights"
    );
    for (parameter, weight) in parameters.iter().zip(weights) {
        parameter.variable::<f32>().unwrap().assign(weight);
    }
}

/// Compares a layer with the record; inputs that aren't floats are known to the call.
fn check<L>(name: &str, layer: L, call: impl Fn(&L, &[Float]) -> Vec<Float> + Copy)
where
    L: Module + Argument + Sources<Gradients = Vec<Gradient>>,
{
    let name = format!("layers.{name}");
    let case = record(&name);
    let gradients = case["gradients"].as_array().unwrap();
    let trainable = layer.trainable_variables().len();
    let mut inputs = all_floats(&case["inputs"]);
    inputs.truncate(gradients.len() - trainable);
    let results = both(|| {
        set(&layer, &name);
        let result = run(&layer, call, inputs.clone());
        let after = layer
            .parameters()
            .into_iter()
            .map(|p| p.variable::<f32>().unwrap().read());
        (result, after.collect::<Vec<Float>>())
    });
    for (way, ((outputs, weights, inputs), after)) in ["traced", "eager"].iter().zip(results) {
        let each = |what: &str, found: Vec<Float>| {
            let recorded = case[what].as_array().unwrap();
            assert_eq!(found.len(), recorded.len(), "{name}: {what}");
            for (i, (found, recorded)) in found.iter().zip(recorded).enumerate() {
                assert_close(found, recorded, 5e-6, &format!("{name}, {way}: {what} {i}"));
            }
        };
        each("outputs", outputs);
        each("after", after);
        let weights = weights.into_iter().map(|g| g.tensor::<f32>());
        each(
            "gradients",
            weights
                .chain(inputs)
                .map(|g| g.expect("a gradient"))
                .collect(),
        );
    }
}

#[test]
fn dense() {
    check(
        "dense",
        Dense::new(5, 4).activation(Activation::Tanh),
        |l, x| vec![l.call(&x[0])],
    );
    check("dense_rank_3", Dense::new(5, 4), |l, x| vec![l.call(&x[0])]);
    let softmax = Dense::new(5, 4)
        .without_bias()
        .activation(Activation::Softmax);
    check("dense_without_bias", softmax, |l, x| vec![l.call(&x[0])]);
}

#[test]
fn conv() {
    check(
        "conv",
        Conv2D::new(2, 3, [3, 3]).activation(Activation::Relu),
        |l, x| vec![l.call(&x[0])],
    );
    let same = Conv2D::new(2, 3, [2, 3]).strides([2, 2]).same_padding();
    check("conv_same", same, |l, x| vec![l.call(&x[0])]);
}

#[test]
fn pooling() {
    check("max_pool", MaxPool2D::new([2, 2]), |l, x| {
        vec![l.call(&x[0])]
    });
    let same = MaxPool2D::new([3, 3]).strides([2, 2]).same_padding();
    check("max_pool_same", same, |l, x| vec![l.call(&x[0])]);
    check("avg_pool", AvgPool2D::new([2, 3]), |l, x| {
        vec![l.call(&x[0])]
    });
    let same = AvgPool2D::new([3, 3]).strides([2, 2]).same_padding();
    check("avg_pool_same", same, |l, x| vec![l.call(&x[0])]);
    check("global_avg_pool", GlobalAvgPool2D, |l, x| {
        vec![l.call(&x[0])]
    });
}

#[test]
fn shapes() {
    check("flatten", Flatten, |l, x| vec![l.call(&x[0])]);
    check("reshape", Reshape::new(&[2, -1]), |l, x| {
        vec![l.call(&x[0])]
    });
}

#[test]
fn embedding() {
    check("embedding", Embedding::new(6, 3), |l, _| {
        vec![l.call(tensor([[1, 5, 1], [0, 2, 2]]))]
    });
}

#[test]
fn norms() {
    check("layer_norm", LayerNorm::new(4), |l, x| vec![l.call(&x[0])]);
    check("batch_norm_inference", BatchNorm::new(4), |l, x| {
        vec![l.call(&x[0], false)]
    });
    check("batch_norm_training", BatchNorm::new(4), |l, x| {
        vec![l.call(&x[0], true)]
    });
    let images = BatchNorm::new(4).momentum(0.9).epsilon(0.01);
    check("batch_norm_images", images, |l, x| {
        vec![l.call(&x[0], true)]
    });
}

#[test]
fn lstm() {
    check("lstm_cell", LstmCell::new(4, 3), |l, x| {
        let (h, c) = l.call(&x[0], (x[1].clone(), x[2].clone()));
        vec![h, c]
    });
    check("lstm", Lstm::new(4, 3), |l, x| vec![l.call(&x[0])]);
    check(
        "lstm_sequences",
        Lstm::new(4, 3).return_sequences(),
        |l, x| vec![l.call(&x[0])],
    );
}

#[test]
fn gru() {
    check("gru_cell", GruCell::new(4, 3), |l, x| {
        vec![l.call(&x[0], x[1].clone())]
    });
    check("gru", Gru::new(4, 3), |l, x| vec![l.call(&x[0])]);
    check(
        "gru_sequences",
        Gru::new(4, 3).return_sequences(),
        |l, x| vec![l.call(&x[0])],
    );
}

#[test]
fn attention() {
    check("attention", MultiHeadAttention::new(6, 2, 3), |l, x| {
        vec![l.call(&x[0], &x[1])]
    });
    check(
        "attention_masked",
        MultiHeadAttention::new(6, 2, 3),
        |l, x| {
            let rows = |row: [bool; 4]| [row; 3];
            let mask = tensor([
                [rows([true, true, false, true])],
                [rows([true, false, true, true])],
            ]);
            vec![l.call_masked(&x[0], &x[1], mask)]
        },
    );
    check(
        "attention_causal",
        MultiHeadAttention::new(6, 2, 3).causal(),
        |l, x| vec![l.call(&x[0], &x[1])],
    );
}

#[graph_fn]
fn of_any_size(
    lstm: &Lstm,
    attention: &MultiHeadAttention,
    x: Tensor<f32, shape![_, _, 4]>,
) -> (Float, Float) {
    let x = x.dynamic();
    (lstm.call(&x), Flatten.call(attention.call(&x, &x)))
}

#[test]
fn one_trace_for_all_sizes() {
    let (lstm, attention) = (Lstm::new(4, 3), MultiHeadAttention::new(4, 2, 3));
    for (batch, time) in [(2, 5), (1, 3), (4, 1)] {
        let x = graph_runtime::random::uniform::<f32>(&[batch, time, 4]);
        let (last, mixed) = of_any_size(&lstm, &attention, x.clone());
        let expected = (lstm.call(&x), Flatten.call(attention.call(&x, &x)));
        for (found, expected) in [(last, expected.0), (mixed, expected.1)] {
            assert_eq!(found.array().shape(), expected.array().shape());
            assert!((found - expected).abs().max().item() < 1e-6);
        }
    }
    assert_eq!(of_any_size::function().trace_count(), 1);
}
