//! A plain recurrent network learns whether a sequence has an odd number of ones: textbook.

use graph_runtime::nn::{Adam, Module, losses};
use graph_runtime::prelude::*;

#[derive(Module)]
struct Rnn {
    input: Variable<f32>,
    hidden: Variable<f32>,
    bias: Variable<f32>,
    output: Variable<f32>,
}

impl Rnn {
    fn new(units: usize) -> Self {
        Rnn {
            input: Variable::new(random::normal([1, units]) * 0.5),
            hidden: Variable::new(eye(units)),
            bias: Variable::new(zeros([units])),
            output: Variable::new(random::normal([units, 2]) * 0.5),
        }
    }

    /// Sequences `[batch, time, 1]` to scores `[batch, 2]`.
    #[graph_fn]
    fn call(&self, x: &Tensor<f32>) -> Tensor<f32> {
        let mut h = zeros([x.dim(0), self.bias.len()]);
        for step in x.permute([1, 0, 2]) {
            h = (step.matmul(self.input) + h.matmul(self.hidden) + self.bias).tanh();
        }
        h.matmul(self.output)
    }
}

#[graph_fn]
fn train(model: &Rnn, adam: &Adam, x: &Tensor<f32>, y: &Tensor<i64>) -> Tensor<f32> {
    let mut last = tensor(0.0);
    let mut epoch = tensor(0);
    while epoch < 400 {
        let tape = GradientTape::new();
        let loss = losses::sparse_categorical_crossentropy_from_logits(y, model.call(x)).mean();
        adam.apply(&tape.gradient(&loss, model), model);
        last = loss;
        epoch += 1;
    }
    last
}

fn main() {
    random::set_seed(7);
    let model = Rnn::new(8);
    let adam = Adam::new(&model).learning_rate(0.02);
    let sequences: Vec<[[f32; 1]; 3]> = (0..8).map(|n| [n & 1, n >> 1 & 1, n >> 2 & 1].map(|bit| [bit as f32])).collect();
    let labels: Vec<i64> = (0..8i64).map(|n| n.count_ones() as i64 % 2).collect();
    let (x, y) = (tensor(sequences), tensor(labels));
    let loss = train(&model, &adam, &x, &y);
    println!("{}", loss.item());
    assert!(loss.item() < 0.1);
    assert_eq!(model.call(&x).argmax(1).to_vec(), y.to_vec());
}
