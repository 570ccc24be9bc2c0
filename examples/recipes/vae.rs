//! **A variational autoencoder** of handwritten digits: two numbers for each picture, from which it is drawn again.

use super::inputs;
use graph_runtime::nn::{Activation, Adam, Dense, Gradient, Module};
use graph_runtime::prelude::*;

#[derive(Module)]
struct Vae {
    look: Dense,
    mean: Dense,
    spread: Dense,
    hidden: Dense,
    draw: Dense,
}

impl Vae {
    fn new() -> Vae {
        Vae {
            look: Dense::new(64, 32).activation(Activation::Tanh),
            mean: Dense::new(32, 2),
            spread: Dense::new(32, 2),
            hidden: Dense::new(2, 32).activation(Activation::Tanh),
            draw: Dense::new(32, 64),
        }
    }

    /// The mean and the logarithm of the variance of each picture's numbers.
    fn encode(&self, pictures: &Tensor<f32>) -> (Tensor<f32>, Tensor<f32>) {
        let seen = self.look.call(pictures);
        (self.mean.call(&seen), self.spread.call(&seen))
    }

    /// The logits of the pixels.
    fn decode(&self, numbers: &Tensor<f32>) -> Tensor<f32> {
        self.draw.call(self.hidden.call(numbers))
    }

    /// The negative bound on the logarithm of the pictures' likelihood.
    fn loss(&self, pictures: &Tensor<f32>, noise: &Tensor<f32>) -> Tensor<f32> {
        let (mean, spread) = self.encode(pictures);
        let numbers = &mean + (&spread / 2.0).exp() * noise;
        let logits = self.decode(&numbers);
        let drawn = logits.sigmoid_cross_entropy(pictures).sum_axis(1);
        let apart = 0.5 * (mean.square() + spread.exp() - 1.0 - spread).sum_axis(1);
        (drawn + apart).mean()
    }
}

/// The loss, and its gradient.
#[graph_fn]
fn gradient(
    model: &Vae,
    pictures: &Tensor<f32>,
    noise: &Tensor<f32>,
) -> (Tensor<f32>, Vec<Gradient>) {
    let tape = GradientTape::new();
    let loss = model.loss(pictures, noise);
    let gradients = tape.gradient(&loss, model);
    (loss, gradients)
}

/// Learns from all pictures in each epoch; returns the loss of each.
#[graph_fn]
fn train(model: &Vae, adam: &Adam, pictures: &Tensor<f32>, epochs: Tensor<i32>) -> Tensor<f32> {
    let mut losses = TensorArray::dynamic();
    for _ in 0..epochs {
        let noise = random::normal([pictures.len(), 2]);
        let (loss, gradients) = gradient(model, pictures, &noise);
        adam.apply(&gradients, model);
        losses.push(loss);
    }
    losses.stack()
}

/// Learns from the first pictures.
fn learn(pictures: usize, epochs: i32) -> (Vae, Tensor<f32>) {
    random::set_seed(1);
    let model = Vae::new();
    let adam = Adam::new(&model).learning_rate(0.01);
    let losses = train(&model, &adam, &inputs::digits(pictures), tensor(epochs));
    (model, losses)
}

/// What is timed.
pub fn work() {
    learn(500, 100);
}

/// The program.
pub fn main() {
    let (model, losses) = learn(500, 200);
    println!(
        "loss {:.2} at first, {:.2} at last",
        losses.get(0).item(),
        losses.get(-1).item()
    );
    let drawn = model
        .decode(&tensor([[0.0, 0.0]]))
        .sigmoid()
        .reshape([8, 8]);
    for row in drawn.unstack(0) {
        let shade = |ink: &f32| b" .:-=+*#%@"[(ink * 9.9) as usize] as char;
        println!("{}", row.to_vec().iter().map(shade).collect::<String>());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{close, fill, slope};

    #[test]
    fn the_loss_and_its_slope_are_numpys() {
        let model = Vae::new();
        fill(&model);
        let noise = tensor(inputs::normal(20, 81)).cast().reshape([10, 2]);
        let (loss, gradients) = gradient(&model, &inputs::digits(10), &noise);
        close(&[f64::from(loss.item())], &[46.845432274249], 1e-5);
        close(&[slope(&gradients)], &[5.545927862726784], 1e-4);
    }

    #[test]
    fn pictures_are_drawn_better_than_by_their_mean() {
        let (_, losses) = learn(500, 200);
        // What it costs to draw each pixel by its mean over all pictures is the entropy of those means.
        let mean = inputs::digits(500).mean_axis(0);
        let entropy = -(mean.xlogy(&mean) + (1.0 - &mean).xlogy(1.0 - &mean))
            .sum()
            .item();
        assert!(
            losses.get(-1).item() < entropy,
            "{} {entropy}",
            losses.get(-1)
        );
    }
}
