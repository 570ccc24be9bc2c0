//! A model is trained, saved with its function, loaded without its types, and gives the same numbers.

use graph_runtime::nn::{Adam, Dense, Module, Sequential, losses};
use graph_runtime::prelude::*;
use graph_runtime::{Functions, load};

#[graph_fn]
fn predict(model: &Sequential, x: &Tensor<f32>) -> Tensor<f32> {
    model.call(x, false).sigmoid()
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    random::set_seed(7);
    let model = Sequential::new().add(Dense::new(2, 8).relu()).add(Dense::new(8, 1));
    let adam = Adam::new(&model).learning_rate(0.05);
    let x = tensor([[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]]);
    let y = tensor([[0.0], [1.0], [1.0], [1.0]]);
    for _ in 0..200 {
        let tape = GradientTape::new();
        let loss = losses::binary_crossentropy_from_logits(&y, model.call(&x, true)).mean();
        adam.apply(&tape.gradient(&loss, &model), &model);
    }
    let wanted = predict(&model, &x);
    assert_eq!((wanted.gt(0.5)).squeeze(&[1]).to_vec(), [false, true, true, true]);

    let path = std::env::temp_dir().join(format!("or-{}.graph", std::process::id()));
    let concrete = predict::concrete(&model, TensorSpec::new(&[None, Some(2)]))?;
    Functions::new().with("predict", concrete.bind(&model)?)?.save(&path)?;

    let loaded = load(&path)?;
    let found: Tensor<f32> = loaded.get("predict")?.call(&x)?;
    assert_eq!(found.to_vec(), wanted.to_vec());
    let one: Tensor<f32> = loaded.get("predict")?.call(tensor([[1.0f32, 0.0]]))?;
    assert_eq!(one.shape(), [1, 1]);
    std::fs::remove_file(path)?;
    Ok(())
}
