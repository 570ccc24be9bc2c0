//! A network of two layers trained by hand from a dataset, all steps in one graph: seed3_training_loop.
use graph_runtime::nn::losses;
use graph_runtime::prelude::*;

struct Weights {
    w1: Variable<f32>,
    b1: Variable<f32>,
    w2: Variable<f32>,
    b2: Variable<f32>,
}

#[graph_fn]
fn train(xs: Tensor<f32>, ys: Tensor<i64>) -> (Tensor<i32>, Tensor<f32>, Tensor<f32>) {
    let ramp = |n: i32| tensor((0..n).map(|i| i as f32).collect::<Vec<_>>());
    let w1 = Variable::new(ramp(12).reshape([4, 3]) / 12.0 - 0.4);
    let b1 = Variable::new(tensor([0.0; 3]));
    let w2 = Variable::new(ramp(6).reshape([3, 2]) / 6.0 - 0.5);
    let b2 = Variable::new(tensor([0.0; 2]));
    let p = Weights { w1, b1, w2, b2 };
    let (mut step, mut loss) = (tensor(0), tensor(0.0));
    let (mut seen, mut right) = (tensor(0.0), tensor(0.0));
    for (x, y) in Dataset::from_slices((xs, ys)).batch(4).repeat(6) {
        step += 1;
        let tape = GradientTape::new();
        let hidden = (x.matmul(p.w1.read()) + p.b1.read()).relu();
        let logits = hidden.matmul(p.w2.read()) + p.b2.read();
        loss = losses::sparse_categorical_crossentropy_from_logits(&y, &logits).mean();
        let (dw1, db1, dw2, db2) = tape.gradient(&loss, (&p.w1, &p.b1, &p.w2, &p.b2));
        p.w1.assign_sub(0.5 * dw1.unwrap());
        p.b1.assign_sub(0.5 * db1.unwrap());
        p.w2.assign_sub(0.5 * dw2.unwrap());
        p.b2.assign_sub(0.5 * db2.unwrap());
        seen += 4.0;
        right += (logits.argmax(1) == y).cast::<f32>().sum();
    }
    (step, loss, right / seen)
}

fn main() {
    let values: Vec<f32> = (0..48).map(|i| (i * 7 % 11) as f32 / 11.0).collect();
    let (step, loss, accuracy) =
        train(tensor(values).reshape([12, 4]), tensor([0i64, 0, 1, 0, 1, 1, 1, 1, 0, 1, 0, 0]));
    assert_eq!(step.item(), 18);
    assert!((loss.item() - 0.7555256).abs() < 1e-3);
    assert!((accuracy.item() - 0.33333334).abs() < 1e-6);
}
