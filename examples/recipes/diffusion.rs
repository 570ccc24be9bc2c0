//! **A diffusion model** of handwritten digits: a network learns which noise was added to a picture, and takes noise away until a picture is
//! left.

use super::inputs;
use graph_runtime::nn::{Activation, Adam, Dense, Gradient, Module};
use graph_runtime::prelude::*;

/// In so many steps a picture becomes noise.
const STEPS: usize = 40;

#[derive(Module)]
struct Denoiser {
    first: Dense,
    second: Dense,
    last: Dense,
}

impl Denoiser {
    fn new() -> Denoiser {
        Denoiser {
            first: Dense::new(66, 96).activation(Activation::Silu),
            second: Dense::new(96, 96).activation(Activation::Silu),
            last: Dense::new(96, 64),
        }
    }

    /// The noise in pictures that have gone so many steps.
    fn call(&self, pictures: &Tensor<f32>, step: &Tensor<i32>) -> Tensor<f32> {
        let angle = step.cast::<f32>().expand_dims(1) * (std::f32::consts::PI / STEPS as f32);
        let x = concat([pictures, &angle.sin(), &angle.cos()], 1);
        self.last.call(self.second.call(self.first.call(x)))
    }
}

/// How much noise comes in each step, and how much of a picture is left behind each.
fn schedule() -> (Tensor<f32>, Tensor<f32>) {
    let noise: Tensor<f32> = linspace(0.002, 0.25, STEPS);
    let left = (1.0 - &noise).cumprod(0);
    (noise, left)
}

/// How badly the model finds the noise that was added, and the gradient of that.
#[graph_fn]
fn gradient(
    model: &Denoiser,
    pictures: &Tensor<f32>,
    step: &Tensor<i32>,
    noise: &Tensor<f32>,
) -> (Tensor<f32>, Vec<Gradient>) {
    let left = schedule().1.gather(step).expand_dims(1);
    let noisy = left.sqrt() * pictures + (1.0 - left).sqrt() * noise;
    let tape = GradientTape::new();
    let loss = (noise - model.call(&noisy, step)).square().mean();
    let gradients = tape.gradient(&loss, model);
    (loss, gradients)
}

/// Learns; returns the loss of each round.
#[graph_fn]
fn train(
    model: &Denoiser,
    adam: &Adam,
    pictures: &Tensor<f32>,
    rounds: Tensor<i32>,
) -> Tensor<f32> {
    let mut losses = TensorArray::dynamic();
    for _ in 0..rounds {
        let step = random::integers(0, STEPS as i32, [pictures.len()]);
        let noise = random::normal_like(pictures);
        let (loss, gradients) = gradient(model, pictures, &step, &noise);
        adam.apply(&gradients, model);
        losses.push(loss);
    }
    losses.stack()
}

/// New pictures out of noise.
#[graph_fn]
fn paint(model: &Denoiser, count: usize) -> Tensor<f32> {
    let (noise, left) = schedule();
    let mut x = random::normal([count, 64]);
    for i in 0..tensor(STEPS as i32) {
        let step = STEPS as i32 - 1 - i;
        let found = model.call(&x, &fill([count], step));
        x = (x - noise[step] / (1.0 - left[step]).sqrt() * found) / (1.0 - noise[step]).sqrt();
        if step > 0 {
            x += noise[step].sqrt() * random::normal_like(&x);
        }
    }
    x
}

/// The first digits, between -1 and 1.
fn digits(count: usize) -> Tensor<f32> {
    inputs::digits(count) * 2.0 - 1.0
}

/// Learns from the first pictures.
fn learn(pictures: usize, rounds: i32) -> (Denoiser, Tensor<f32>) {
    random::set_seed(2);
    let model = Denoiser::new();
    let adam = Adam::new(&model).learning_rate(0.003);
    let losses = train(&model, &adam, &digits(pictures), tensor(rounds));
    (model, losses)
}

/// What is timed.
pub fn work() {
    learn(500, 100);
}

/// The program.
pub fn main() {
    let (model, losses) = learn(500, 400);
    println!(
        "loss {:.3} at first, {:.3} at last",
        losses.get(0).item(),
        losses.get(-1).item()
    );
    let pictures = (paint(&model, 4) + 1.0).clip(0.0, 2.0) * 4.5;
    for row in pictures.reshape([4, 8, 8]).permute([1, 0, 2]).unstack(0) {
        let shade = |ink: &f32| b" .:-=+*#%@"[*ink as usize] as char;
        let line: Vec<String> = row
            .unstack(0)
            .iter()
            .map(|part| part.to_vec().iter().map(shade).collect())
            .collect();
        println!("{}", line.join("   "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{close, fill, slope};

    #[test]
    fn the_loss_and_its_slope_are_numpys() {
        let model = Denoiser::new();
        fill(&model);
        let noise = tensor(inputs::normal(8 * 64, 91)).cast().reshape([8, 64]);
        let step = tensor([0, 1, 5, 10, 20, 30, 38, 39]);
        let (loss, gradients) = gradient(&model, &digits(8), &step, &noise);
        close(&[f64::from(loss.item())], &[5.145873881952422], 1e-5);
        close(&[slope(&gradients)], &[10.565126925632384], 1e-4);
    }

    /// Who finds no noise at all loses the noise's variance, which is 1. Pictures have the pixels' mean of the digits.
    #[test]
    fn it_finds_most_of_the_noise() {
        let (model, losses) = learn(500, 400);
        assert!(losses.get(-1).item() < 0.5, "{}", losses.get(-1));
        let painted = paint(&model, 100).mean().item();
        let real = digits(500).mean().item();
        assert!((painted - real).abs() < 0.1, "{painted} {real}");
    }
}
