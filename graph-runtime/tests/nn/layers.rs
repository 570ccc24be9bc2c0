//! With Keras's weights, layers have Keras's outputs and gradients.

use graph_runtime::Argument;
use graph_runtime::autodiff::Sources;
use graph_runtime::nn::{
    Activation, AvgPool2D, BatchNorm, Conv1D, Conv2D, Dense, Dropout, Embedding, Flatten,
    GlobalAvgPool2D, Gradient, Gru, GruCell, Layer, LayerNorm, Lstm, LstmCell, MaxPool2D, Module,
    MultiHeadAttention, Reshape, RmsNorm, Sequential,
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

/// Sets the weights of a layer to the recorded ones.
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

/// Compares a layer with the record; `call` captures the inputs that aren't floats.
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
    let gelu = Dense::new(5, 4).activation(Activation::Gelu);
    check("dense_gelu", gelu, |l, x| vec![l.call(&x[0])]);
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
    let wide = Conv2D::new(3, 2, [2, 1])
        .strides([3, 2])
        .activation(Activation::Elu);
    check("conv_wide_strides", wide, |l, x| vec![l.call(&x[0])]);
}

#[test]
fn conv1d() {
    let relu = Conv1D::new(2, 3, 3).activation(Activation::Relu);
    check("conv1d", relu, |l, x| vec![l.call(&x[0])]);
    let same = Conv1D::new(2, 3, 4).strides(2).same_padding();
    check("conv1d_same", same, |l, x| vec![l.call(&x[0])]);
    let causal = Conv1D::new(2, 3, 3)
        .strides(2)
        .causal_padding()
        .without_bias();
    check("conv1d_causal", causal, |l, x| vec![l.call(&x[0])]);
}

#[test]
fn rms_norm() {
    check("rms_norm", RmsNorm::new(4), |l, x| vec![l.call(&x[0])]);
    check("rms_norm_epsilon", RmsNorm::new(4).epsilon(0.1), |l, x| {
        vec![l.call(&x[0])]
    });
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
    check(
        "attention_without_key",
        MultiHeadAttention::new(6, 2, 3),
        |l, x| {
            let mask = [
                [true, true, false, true],
                [false; 4],
                [true, false, false, false],
            ];
            vec![l.call_masked(&x[0], &x[1], tensor([[mask], [mask]]))]
        },
    );
    check(
        "attention_masked_and_causal",
        MultiHeadAttention::new(6, 2, 3).causal(),
        |l, x| vec![l.call_masked(&x[0], &x[1], tensor([true, false, true, true]))],
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

/// The error of a layer for an input that it can't take, traced and eagerly.
fn refusal(call: impl Fn() -> Float) -> (String, u32) {
    #[graph_fn]
    fn traced<F: Fn() -> Float>(call: F) -> Result<Float, graph_runtime::Error> {
        Ok(call())
    }
    let error = traced(&call).unwrap_err();
    let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).unwrap_err();
    let text = panic.downcast_ref::<String>().expect("a text");
    assert!(text.starts_with(error.message()), "{text}");
    (error.message().to_owned(), error.location().line)
}

#[test]
fn an_input_of_another_shape_is_refused_by_the_layer() {
    let x = |shape: &[usize]| zeros::<f32>(shape);
    let refused = |call: &dyn Fn() -> Float| refusal(call).0;
    assert_eq!(
        refused(&|| Dense::new(3, 2).call(x(&[4, 5]))),
        "Dense takes inputs of shape [.., 3], not [4,5]"
    );
    assert_eq!(
        refused(&|| Conv2D::new(3, 4, [3, 3]).call(x(&[8, 8, 3]))),
        "Conv2D takes inputs of shape [batch, rows, columns, 3], not [8,8,3]"
    );
    assert_eq!(
        refused(&|| BatchNorm::new(1).call(x(&[4, 5]), true)),
        "BatchNorm takes inputs of shape [.., 1], not [4,5]"
    );
    assert_eq!(
        refused(&|| LayerNorm::new(3).call(x(&[4, 5]))),
        "LayerNorm takes inputs of shape [.., 3], not [4,5]"
    );
    assert_eq!(
        refused(&|| Lstm::new(3, 2).call(x(&[4, 3]))),
        "Lstm takes inputs of shape [batch, time, 3], not [4,3]"
    );
    assert_eq!(
        refused(&|| GruCell::new(3, 2).call(x(&[4, 5]), x(&[4, 2]))),
        "GruCell takes inputs of shape [batch, 3], not [4,5]"
    );
    assert_eq!(
        refused(&|| MultiHeadAttention::new(4, 2, 3).call(x(&[2, 3, 4]), x(&[3, 4]))),
        "MultiHeadAttention takes inputs of shape [batch, places, 4], not [3,4]"
    );
    assert_eq!(
        refused(&|| Flatten.call(tensor(1.0))),
        "Flatten takes inputs of shape [batch, ..], not a scalar"
    );
}

/// `Sequential` calls its layers through trait objects, which don't pass on the caller's line.
#[test]
fn what_is_wrong_within_a_sequential_is_wrong_where_it_is_called() {
    #[derive(Module)]
    struct Own(Dense);
    const OWN: u32 = line!() + 3;
    impl Layer for Own {
        fn forward(&self, x: &Float, _: bool) -> Float {
            self.0.call(x)
        }
    }
    let inner = || {
        Sequential::new()
            .with(Dense::new(4, 2))
            .with(Dense::new(3, 1))
    };
    let nested = Sequential::new().with(Flatten).with(inner());
    let (message, line) = refusal(|| nested.call(zeros::<f32>(&[1, 4]), false));
    assert_eq!(message, "Dense takes inputs of shape [.., 3], not [1,2]");
    assert_eq!(line, line!() - 2);
    let own = Sequential::new().with(Sequential::new().with(Own(Dense::new(3, 1))));
    assert_eq!(refusal(|| own.call(zeros::<f32>(&[1, 4]), false)).1, OWN);
    // This holds for the error of a run, too.
    #[graph_fn]
    fn run(model: &Sequential, x: Float) -> Result<Float, graph_runtime::Error> {
        let x = x.relax_shape(&[None, None]);
        Ok(model.call(x, false))
    }
    let split = Sequential::new().with(Reshape::new(&[3, -1]));
    let error = run(&split, zeros::<f32>(&[2, 4])).unwrap_err();
    assert_eq!(error.location().line, line!() - 4, "{error}");
}

#[test]
fn a_rate_of_one_drops_everything() {
    let dropped = Dropout::new(1.0).call(ones::<f32>(&[3]), true);
    assert_eq!(dropped.to_vec(), [0.0; 3]);
}

/// For a sequence without steps, the result is the initial state and no outputs.
#[test]
fn sequences_of_no_steps() {
    for shape in both(|| {
        Lstm::new(3, 2)
            .call(zeros::<f32>(&[4, 0, 3]))
            .shape()
            .to_string()
    }) {
        assert_eq!(shape, "[4,2]");
    }
    let gru = || {
        Gru::new(3, 2)
            .return_sequences()
            .call(zeros::<f32>(&[4, 0, 3]))
    };
    for shape in both(|| gru().shape().to_string()) {
        assert_eq!(shape, "[4,0,2]");
    }
}
