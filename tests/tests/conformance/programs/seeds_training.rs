//! The documents' training loop over a dataset, all in one graph: family seeds.

use graph_runtime::prelude::*;

use crate::harness::{Script, scripts};

fn train_one_step(
    network: &[Variable<f32>; 4],
    seen: &Variable<f32>,
    right: &Variable<f32>,
    x: &Tensor<f32>,
    y: &Tensor<i64>,
) -> Tensor<f32> {
    let [w1, b1, w2, b2] = network;
    let tape = GradientTape::new();
    let hidden = (x.matmul(w1.read()) + b1.read()).relu();
    let logits = hidden.matmul(w2.read()) + b2.read();
    let loss = logits.sparse_softmax_cross_entropy(y).mean();
    for (parameter, gradient) in network.iter().zip(tape.gradient(&loss, network)) {
        parameter.assign_sub(gradient.expect("the loss depends on it") * 0.5);
    }
    seen.assign_add(y.len_tensor().cast::<f32>());
    right.assign_add(logits.argmax(1).equal(y).cast::<f32>().sum());
    loss
}

#[graph_fn]
fn train(
    xs: Tensor<f32>,
    ys: Tensor<i64>,
    network: &[Variable<f32>; 4],
    seen: &Variable<f32>,
    right: &Variable<f32>,
) -> (Tensor<i32>, Tensor<f32>, Tensor<f32>) {
    let mut step = tensor(0);
    let mut loss = tensor(0.0);
    for (x, y) in Dataset::from_slices((xs, ys)).batch(4).repeat(6) {
        step += 1;
        loss = train_one_step(network, seen, right, &x, &y);
        if step % 6 == 0 {
            let accuracy = right / seen;
            graph_print!("Step {step} : loss {loss} ; accuracy {accuracy}");
        }
    }
    (step, loss, right / seen)
}

fn seed3_training_loop(rec: &mut Script) {
    let xs = (range(0, 48, 1) * 7 % 11).cast::<f32>().reshape(&[12, 4]) / 11.0;
    let column = |i: usize| xs.get((.., i));
    let ys = (column(0) + column(1))
        .gt(column(2) + column(3))
        .cast::<i64>();
    let ramp = |rows: isize, columns: isize, offset: f32| {
        let count = rows * columns;
        let ramp = range(0, count as i32, 1)
            .cast::<f32>()
            .reshape(&[rows, columns]);
        Variable::new(ramp / count as f32 - offset)
    };
    let network = [
        ramp(4, 3, 0.4),
        Variable::new(zeros(&[3])),
        ramp(3, 2, 0.5),
        Variable::new(zeros(&[2])),
    ];
    let (seen, right) = (Variable::new(tensor(0.0)), Variable::new(tensor(0.0)));
    rec.value("ys", ys.clone());
    rec.call("train", &[train::function()], |_| {
        train(xs.clone(), ys.clone(), &network, &seen, &right)
    });
    rec.value("w2", &network[2]);
    rec.value("b1", &network[1]);
}

scripts! {
    seed3_training_loop;
}
