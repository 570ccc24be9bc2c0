//! A GPT of two layers: the gradients of its parameters, and sampling with a cache of keys and values.

use std::array;
use std::path::Path;

use graph_runtime::prelude::*;

use crate::npy::{FileError, Inputs};
use crate::program::{Program, calls};

const WIDTH: isize = 64;
const HEADS: isize = 4;
const HEAD: isize = WIDTH / HEADS;
const SAMPLES: usize = 32;

/// The scale and the shift of a layer normalization.
struct Norm(Tensor<f32>, Tensor<f32>);

impl Norm {
    fn call(&self, x: &Tensor<f32>) -> Tensor<f32> {
        let centred = x - x.mean_axes(&[-1], true);
        let variance = centred.square().mean_axes(&[-1], true);
        centred * (variance + 1e-5).rsqrt() * &self.0 + &self.1
    }
}

/// The weights and the bias of a dense layer.
struct Dense(Tensor<f32>, Tensor<f32>);

impl Dense {
    fn call(&self, x: &Tensor<f32>) -> Tensor<f32> {
        matmul(x, &self.0) + &self.1
    }
}

struct Layer {
    before: Norm,
    parts: Dense,
    mix: Dense,
    between: Norm,
    wide: Dense,
    narrow: Dense,
}

impl Layer {
    fn feed_forward(&self, x: Tensor<f32>) -> Tensor<f32> {
        let wide = self.wide.call(&self.between.call(&x)).gelu_tanh();
        x + self.narrow.call(&wide)
    }
}

struct Gpt {
    tokens: Tensor<f32>,
    positions: Tensor<f32>,
    layers: [Layer; 2],
    last: Norm,
    scores: Tensor<f32>,
}

impl Gpt {
    /// The model of 29 parameters, which come in the order of the fields.
    fn of(parameters: &[Tensor<f32>]) -> Gpt {
        let mut parameters = parameters.iter().cloned();
        let mut next = || parameters.next().expect("29 parameters");
        Gpt {
            tokens: next(),
            positions: next(),
            layers: array::from_fn(|_| Layer {
                before: Norm(next(), next()),
                parts: Dense(next(), next()),
                mix: Dense(next(), next()),
                between: Norm(next(), next()),
                wide: Dense(next(), next()),
                narrow: Dense(next(), next()),
            }),
            last: Norm(next(), next()),
            scores: next(),
        }
    }

    /// The scores of all letters behind each place of some texts of one length.
    fn call(&self, texts: &Tensor<i32>) -> Tensor<f32> {
        let (batch, length) = (texts.dim(0) as isize, texts.dim(1) as isize);
        let visible = ones::<f32>([length as usize, length as usize])
            .tril(0)
            .gt(0.0);
        let mut x = self.tokens.gather(texts) + &self.positions;
        for layer in &self.layers {
            let parts = layer.parts.call(&layer.before.call(&x));
            let parts = parts.reshape([batch, length, 3, HEADS, HEAD]);
            let parts = parts.permute([2, 0, 3, 1, 4]);
            let (queries, keys, values) = (parts.get(0), parts.get(1), parts.get(2));
            let scores = queries.matmul_t(keys) * 0.25;
            let weights = visible.select(scores, -1e9).softmax(-1);
            let seen = weights.matmul(values).permute([0, 2, 1, 3]);
            x += layer.mix.call(&seen.reshape([batch, length, WIDTH]));
            x = layer.feed_forward(x);
        }
        matmul(self.last.call(&x), &self.scores)
    }
}

/// The mean cross entropy, and its gradients with respect to the parameters.
#[graph_fn]
fn value_and_gradients(
    texts: &Tensor<i32>,
    next: &Tensor<i32>,
    parameters: &Vec<Tensor<f32>>,
) -> (Tensor<f32>, Vec<Tensor<f32>>) {
    let tape = GradientTape::new();
    tape.watch(parameters);
    let scores = Gpt::of(parameters).call(texts);
    let loss = scores.sparse_softmax_cross_entropy(next).mean();
    let gradients = tape.gradient(&loss, parameters);
    (loss, gradients.into_iter().flatten().collect())
}

/// The letters that follow `first`, each the one of the highest score.
#[graph_fn]
fn sample(first: Tensor<i32>, parameters: &Vec<Tensor<f32>>) -> Tensor<i32> {
    let gpt = Gpt::of(parameters);
    let mut keys: [Tensor<f32>; 2] = array::from_fn(|_| zeros([SAMPLES as isize, HEADS, HEAD]));
    let mut values = keys.clone();
    let mut letters = TensorArray::new(SAMPLES);
    let mut letter = first;
    for t in 0..tensor(SAMPLES as i32) {
        let mut x = (gpt.tokens[letter] + gpt.positions[t]).expand_dims(0);
        let seen = range(0, SAMPLES as i32, 1).le(t).reshape([-1, 1]);
        for (i, layer) in gpt.layers.iter().enumerate() {
            let parts = layer
                .parts
                .call(&layer.before.call(&x))
                .reshape([3, HEADS, HEAD]);
            keys[i] = keys[i].with_row(t, parts[1]);
            values[i] = values[i].with_row(t, parts[2]);
            let scores = (keys[i] * parts[0]).sum_axis(2) * 0.25;
            let weights = seen.select(scores, -1e9).softmax(0);
            let mixed = (weights.expand_dims(2) * values[i]).sum_axis(0);
            x += layer.mix.call(&mixed.reshape([1, WIDTH]));
            x = layer.feed_forward(x);
        }
        letter = matmul(gpt.last.call(&x), &gpt.scores)[0]
            .argmax(0)
            .cast::<i32>();
        letters.write(t, letter);
    }
    letters.stack()
}

/// The parameters, which are the inputs that are left.
fn parameters(inputs: &mut Inputs<'_>) -> Result<Vec<Tensor<f32>>, FileError> {
    (0..29).map(|_| inputs.take()).collect()
}

/// The loss of a batch of texts and its gradients.
pub fn training(folder: &Path) -> Result<Box<dyn Program>, FileError> {
    let mut inputs = Inputs::new(folder);
    let (texts, next) = (inputs.take()?, inputs.take()?);
    let parameters = parameters(&mut inputs)?;
    Ok(calls(move || {
        let (loss, gradients) = value_and_gradients(&texts, &next, &parameters);
        [loss].into_iter().chain(gradients).collect::<Vec<_>>()
    }))
}

/// Sampling from a first letter.
pub fn sampling(folder: &Path) -> Result<Box<dyn Program>, FileError> {
    let mut inputs = Inputs::new(folder);
    let first: Tensor<i32> = inputs.take()?;
    let parameters = parameters(&mut inputs)?;
    Ok(calls(move || sample(first.clone(), &parameters)))
}
