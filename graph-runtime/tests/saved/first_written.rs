//! Saving and loading as somebody writes it who knows Rust and TensorFlow.

use graph_runtime::nn::{Adam, Dense, Module};
use graph_runtime::prelude::*;
use graph_runtime::{Functions, load};

#[derive(Module)]
struct Classifier {
    hidden: Dense,
    scores: Dense,
}

#[graph_fn]
impl Classifier {
    fn predict(&self, x: Tensor<f32>) -> Tensor<f32> {
        self.scores.call(self.hidden.call(x).relu()).softmax(-1)
    }
}

#[graph_fn]
fn train(model: &Classifier, adam: &Adam, x: Tensor<f32>, y: Tensor<f32>) -> Tensor<f32> {
    let tape = GradientTape::new();
    let loss = (model.predict(x) - y).square().mean();
    adam.apply(&tape.gradient(&loss, model), model);
    loss
}

#[test]
fn a_model_is_saved_with_the_functions_that_serve_and_train_it() {
    let model = Classifier {
        hidden: Dense::new(4, 8),
        scores: Dense::new(8, 3),
    };
    let adam = Adam::new(&model);
    let (x, y) = (
        TensorSpec::new(&[None, Some(4)]),
        TensorSpec::new(&[None, Some(3)]),
    );
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("classifier.graph");
    let predict = model.predict_concrete(x.clone()).unwrap();
    let train = train::concrete(&model, &adam, x, y).unwrap();
    Functions::new()
        .with("predict", predict.bind(&model).unwrap())
        .unwrap()
        .with("train", train.bind((&model, &adam)).unwrap())
        .unwrap()
        .save(&path)
        .unwrap();

    // What follows knows nothing of the types above.
    let saved = load(&path).unwrap();
    let (predict, train) = (saved.get("predict").unwrap(), saved.get("train").unwrap());
    assert_eq!(
        predict.signature(),
        "(x: TensorSpec(shape=(None, 4), dtype=tf.float32, name=None)) -> TensorSpec(shape=(None, 3), dtype=tf.float32, name=None)"
    );
    let x = tensor([[1.0f32, 2.0, 3.0, 4.0], [0.0, 1.0, 0.0, 1.0]]);
    let y = tensor([[1.0f32, 0.0, 0.0], [0.0, 1.0, 0.0]]);
    let before: Tensor<f32> = predict.call(&x).unwrap();
    assert_eq!(before.to_vec(), model.predict(&x).to_vec());
    let losses: Vec<f32> = (0..20)
        .map(|_| train.call::<Tensor<f32>>((&x, &y)).unwrap().item())
        .collect();
    assert!(losses[19] < losses[0], "{losses:?}");
    // The model in this program was not touched; its copy in the file's functions was, and both functions see it.
    assert_eq!(before.to_vec(), model.predict(&x).to_vec());
    let after: Tensor<f32> = predict.call(&x).unwrap();
    assert_ne!(after.to_vec(), before.to_vec());

    // Saved again, it goes on from there.
    saved.save(&path).unwrap();
    let again: Tensor<f32> = load(&path)
        .unwrap()
        .get("predict")
        .unwrap()
        .call(&x)
        .unwrap();
    assert_eq!(again.to_vec(), after.to_vec());
}
