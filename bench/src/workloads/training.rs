//! Gradients and training: a tape in a graph, steps of Adam, and the loop over batches.

use std::path::Path;

use graph_runtime::TraceType;
use graph_runtime::prelude::*;

use crate::npy::{FileError, Inputs, Outputs};
use crate::program::Program;

/// The sum of squares of `h` after 100 iterations of `h = tanh(h W)`, and its gradients with respect to `h` and `W`.
#[graph_fn]
pub fn while_gradient(h0: Tensor<f32>, w: Tensor<f32>) -> (Tensor<f32>, Tensor<f32>, Tensor<f32>) {
    let tape = GradientTape::new();
    tape.watch(&(&h0, &w));
    let mut h = h0.clone();
    for _ in 0..tensor(100) {
        h = matmul(h, &w).tanh();
    }
    let loss = (h * h).sum();
    let (dh, dw) = tape.gradient(&loss, &(&h0, &w));
    (loss, dh.unwrap(), dw.unwrap())
}

/// The kernels and biases of three dense layers.
type Parameters = [Tensor<f32>; 6];

/// The mean cross entropy of a network with two hidden layers.
fn loss_of(x: &Tensor<f32>, y: &Tensor<i64>, [w1, b1, w2, b2, w3, b3]: &Parameters) -> Tensor<f32> {
    let h = (matmul(x, w1) + b1).relu();
    let h = (matmul(h, w2) + b2).relu();
    let logits = matmul(h, w3) + b3;
    logits.sparse_softmax_cross_entropy(y).mean()
}

/// The loss, and the gradients with respect to the parameters.
#[graph_fn]
pub fn value_and_gradients(
    x: Tensor<f32>,
    y: Tensor<i64>,
    parameters: Parameters,
) -> (Tensor<f32>, Vec<Tensor<f32>>) {
    let tape = GradientTape::new();
    tape.watch(&parameters);
    let loss = loss_of(&x, &y, &parameters);
    let gradients = tape.gradient(&loss, &parameters);
    (loss, gradients.into_iter().flatten().collect())
}

/// The parameters and Adam's state.
#[derive(Clone, TraceType)]
pub struct State {
    parameters: Vec<Variable<f32>>,
    means: Vec<Variable<f32>>,
    variances: Vec<Variable<f32>>,
}

const RATE: f32 = 1e-3;
const DECAYS: [f32; 2] = [0.9, 0.999];
const EPSILON: f32 = 1e-7;

/// One step of Adam on a batch. `t` is the number of the step, from 1.
#[graph_fn]
pub fn step(x: Tensor<f32>, y: Tensor<i64>, state: &State, t: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let read: Vec<Tensor<f32>> = state.parameters.iter().map(Variable::read).collect();
    let read: Parameters = read.try_into().expect("six parameters");
    let loss = loss_of(&x, &y, &read);
    let gradients = tape.gradient(&loss, &state.parameters);
    let gradients = gradients.into_iter().flatten().collect();
    adam(gradients, state, t);
    loss
}

/// A step of Adam with gradients of all parameters.
#[graph_fn]
pub fn adam(gradients: Vec<Tensor<f32>>, state: &State, t: Tensor<f32>) {
    let [b1, b2] = DECAYS;
    let rate = RATE * (1.0 - tensor(b2).pow(&t)).sqrt() / (1.0 - tensor(b1).pow(&t));
    for (i, g) in gradients.into_iter().enumerate() {
        let (m, v) = (&state.means[i], &state.variances[i]);
        m.assign_add((&g - m.read()) * (1.0 - b1));
        v.assign_add((&g * &g - v.read()) * (1.0 - b2));
        state.parameters[i].assign_sub(&rate * m.read() / (v.read().sqrt() + EPSILON));
    }
}

const STEPS: i32 = 200;
const BATCH: i32 = 100;

/// All steps of training, in one graph.
#[graph_fn]
pub fn train(xs: Tensor<f32>, ys: Tensor<i64>, state: &State) -> Tensor<f32> {
    let mut loss = tensor(0.0);
    for t in 0..tensor(STEPS) {
        let first = t * BATCH;
        let x = xs.slice(stack(&[&first, &tensor(0)], 0), &[BATCH as isize, -1]);
        let y = ys.slice(stack(&[&first], 0), &[BATCH as isize]);
        loss = step(x, y, state, (t + 1).cast::<f32>());
    }
    loss
}

/// A program that updates one parameter with a given gradient. Its state is reset before its results are written.
struct Update {
    state: State,
    initial: Vec<Tensor<f32>>,
    gradient: Tensor<f32>,
}

impl Program for Update {
    fn call(&mut self) {
        adam(vec![self.gradient.clone()], &self.state, tensor(TIMED_STEP));
    }

    fn write_outputs(&mut self, folder: &Path) -> Result<(), FileError> {
        self.state.reset(&self.initial);
        self.call();
        let values = self.state.variables().map(Variable::read);
        values.collect::<Vec<_>>().write(folder)
    }
}

/// A step of Adam with one parameter.
pub fn one_update(folder: &Path) -> Result<Box<dyn Program>, FileError> {
    let mut inputs = Inputs::new(folder);
    let initial: Vec<Tensor<f32>> = (0..3).map(|_| inputs.take()).collect::<Result<_, _>>()?;
    let variable = |i: usize| vec![Variable::new(initial[i].clone())];
    Ok(Box::new(Update {
        state: State {
            parameters: variable(0),
            means: variable(1),
            variances: variable(2),
        },
        initial,
        gradient: inputs.take()?,
    }))
}

/// A program that trains. Its state is reset before its results are written.
struct Training<F> {
    state: State,
    initial: Vec<Tensor<f32>>,
    call: F,
}

impl<F: FnMut(&State) -> Tensor<f32>> Program for Training<F> {
    fn call(&mut self) {
        std::hint::black_box((self.call)(&self.state));
    }

    fn write_outputs(&mut self, folder: &Path) -> Result<(), FileError> {
        self.state.reset(&self.initial);
        let loss = (self.call)(&self.state);
        let parameters = self.state.parameters.iter().map(Variable::read);
        [loss]
            .into_iter()
            .chain(parameters)
            .collect::<Vec<_>>()
            .write(folder)
    }
}

impl State {
    /// The state with these values: the parameters, then Adam's state, or zeros for it.
    fn new(values: &[Tensor<f32>]) -> State {
        let variables =
            |values: &[Tensor<f32>]| values.iter().cloned().map(Variable::new).collect();
        let (parameters, adam) = values.split_at(6);
        let zeros: Vec<Tensor<f32>> = parameters.iter().map(Tensor::zeros_like).collect();
        let (means, variances) = match adam {
            [] => (&zeros[..], &zeros[..]),
            adam => adam.split_at(6),
        };
        State {
            parameters: variables(parameters),
            means: variables(means),
            variances: variables(variances),
        }
    }

    /// Gives the variables these values.
    fn reset(&self, values: &[Tensor<f32>]) {
        for (variable, value) in self.variables().zip(values) {
            variable.assign(value);
        }
    }

    fn variables(&self) -> impl Iterator<Item = &Variable<f32>> {
        let adam = self.means.iter().chain(&self.variances);
        self.parameters.iter().chain(adam)
    }
}

/// The data, the state that is made of the next `count` inputs, and its initial values.
type Data = (Tensor<f32>, Tensor<i64>, State, Vec<Tensor<f32>>);

fn data(folder: &Path, count: usize) -> Result<Data, FileError> {
    let mut inputs = Inputs::new(folder);
    let (x, y) = (inputs.take()?, inputs.take()?);
    let values: Result<Vec<Tensor<f32>>, FileError> = (0..count).map(|_| inputs.take()).collect();
    let state = State::new(&values?);
    let initial = state.variables().map(Variable::read).collect();
    Ok((x, y, state, initial))
}

/// The number of the step that is timed.
const TIMED_STEP: f32 = 10.0;

/// One step on one batch.
pub fn one_step(folder: &Path) -> Result<Box<dyn Program>, FileError> {
    let (x, y, state, initial) = data(folder, 18)?;
    let call = move |state: &State| step(x.clone(), y.clone(), state, tensor(TIMED_STEP));
    Ok(Box::new(Training {
        state,
        initial,
        call,
    }))
}

/// All steps; each call starts again.
pub fn all_steps(folder: &Path) -> Result<Box<dyn Program>, FileError> {
    let (xs, ys, state, initial) = data(folder, 6)?;
    let begin = initial.clone();
    let call = move |state: &State| {
        state.reset(&begin);
        train(xs.clone(), ys.clone(), state)
    };
    Ok(Box::new(Training {
        state,
        initial,
        call,
    }))
}

/// The loss of a network and its gradients.
pub fn gradients(folder: &Path) -> Result<Box<dyn Program>, FileError> {
    let mut inputs = Inputs::new(folder);
    let (x, y) = (inputs.take()?, inputs.take()?);
    let parameters: Vec<Tensor<f32>> = (0..6).map(|_| inputs.take()).collect::<Result<_, _>>()?;
    let parameters: Parameters = parameters.try_into().expect("six inputs");
    Ok(crate::program::calls(move || {
        let (loss, gradients) = value_and_gradients(x.clone(), y.clone(), parameters.clone());
        [loss].into_iter().chain(gradients).collect::<Vec<_>>()
    }))
}
