//! **A small GPT**: a transformer of two blocks learns a text letter by letter, and goes on with it.

use graph_runtime::nn::{Adam, Dense, Embedding, Gradient, LayerNorm, Module, losses};
use graph_runtime::prelude::*;

const TEXT: &str = "the quick brown fox jumps over the lazy dog. ";
const LETTERS: &str = "abcdefghijklmnopqrstuvwxyz. ";
const WIDTH: usize = 32;
const HEADS: usize = 4;
const WINDOW: usize = 16;

#[derive(Module)]
struct Block {
    before: LayerNorm,
    parts: Dense,
    mix: Dense,
    between: LayerNorm,
    wide: Dense,
    narrow: Dense,
}

impl Block {
    fn new() -> Block {
        Block {
            before: LayerNorm::new(WIDTH),
            parts: Dense::new(WIDTH, 3 * WIDTH),
            mix: Dense::new(WIDTH, WIDTH),
            between: LayerNorm::new(WIDTH),
            wide: Dense::new(WIDTH, 4 * WIDTH),
            narrow: Dense::new(4 * WIDTH, WIDTH),
        }
    }

    /// Each place looks at those before it.
    fn attend(&self, x: &Tensor<f32>) -> Tensor<f32> {
        let (batch, time) = (x.dim(0) as isize, x.dim(1) as isize);
        let size = (WIDTH / HEADS) as isize;
        let parts = self
            .parts
            .call(x)
            .reshape([batch, time, 3, HEADS as isize, size]);
        let parts = parts.permute([2, 0, 3, 1, 4]);
        let (queries, keys, values) = (parts.get(0), parts.get(1), parts.get(2));
        let scores = queries.matmul_t(keys) / (size as f32).sqrt();
        let visible = ones::<f32>([time as usize, time as usize]).tril(0).gt(0.0);
        let weights = visible.select(scores, -1e9).softmax(-1);
        let seen = weights.matmul(values).permute([0, 2, 1, 3]);
        self.mix.call(seen.reshape([batch, time, WIDTH as isize]))
    }

    fn call(&self, x: &Tensor<f32>) -> Tensor<f32> {
        let x = x + self.attend(&self.before.call(x));
        let wide = self.wide.call(self.between.call(&x)).gelu_tanh();
        &x + self.narrow.call(wide)
    }
}

#[derive(Module)]
struct Gpt {
    letters: Embedding,
    places: Variable<f32>,
    blocks: Vec<Block>,
    last: LayerNorm,
    scores: Dense,
}

impl Gpt {
    fn new() -> Gpt {
        Gpt {
            letters: Embedding::new(LETTERS.len(), WIDTH),
            places: Variable::new(random::normal([WINDOW, WIDTH]) * 0.1),
            blocks: vec![Block::new(), Block::new()],
            last: LayerNorm::new(WIDTH),
            scores: Dense::new(WIDTH, LETTERS.len()),
        }
    }

    /// The scores of the next letter at each place.
    fn call(&self, text: &Tensor<i32>) -> Tensor<f32> {
        let mut x = self.letters.call(text) + &self.places;
        for block in &self.blocks {
            x = block.call(&x);
        }
        self.scores.call(self.last.call(x))
    }

    /// How badly each letter is foreseen from those before it.
    fn loss(&self, text: &Tensor<i32>, next: &Tensor<i32>) -> Tensor<f32> {
        losses::sparse_categorical_crossentropy_from_logits(next, self.call(text)).mean()
    }
}

/// The loss, and its gradient.
#[graph_fn]
fn gradient(model: &Gpt, text: &Tensor<i32>, next: &Tensor<i32>) -> (Tensor<f32>, Vec<Gradient>) {
    let tape = GradientTape::new();
    let loss = model.loss(text, next);
    let gradients = tape.gradient(&loss, model);
    (loss, gradients)
}

/// Learns from windows at random places; returns the last loss.
#[graph_fn]
fn train(model: &Gpt, adam: &Adam, text: &Tensor<i32>, steps: Tensor<i32>) -> Tensor<f32> {
    let window = range(0, WINDOW as i32, 1).expand_dims(0);
    let mut loss = tensor(0.0);
    for _ in 0..steps {
        let starts = random::integers(0, (text.len() - WINDOW) as i32, [16, 1]);
        let places = starts + window;
        let (now, next) = (text.gather(&places), text.gather(&places + 1));
        let gradients;
        (loss, gradients) = gradient(model, &now, &next);
        adam.apply(&gradients, model);
    }
    loss
}

/// The most likely next letters, one after the other.
#[graph_fn]
fn go_on(model: &Gpt, start: &Tensor<i32>, count: usize) -> Tensor<i32> {
    let mut window = start.clone();
    let mut letters = TensorArray::new(count);
    for i in 0..tensor(count as i32) {
        let scores = model.call(&window.expand_dims(0));
        let letter = scores[(0, -1)].argmax(0).cast::<i32>();
        letters.write(i, letter);
        window = concat([window[1..].clone(), letter.expand_dims(0)], 0);
    }
    letters.stack()
}

/// A text as numbers of letters.
fn numbers(text: &str) -> Tensor<i32> {
    let number = |letter| LETTERS.find(letter).expect("a letter, a point or a space") as i32;
    tensor(text.chars().map(number).collect::<Vec<_>>())
}

fn text_of(numbers: &Tensor<i32>) -> String {
    numbers
        .to_vec()
        .iter()
        .map(|n| LETTERS.as_bytes()[*n as usize] as char)
        .collect()
}

/// Learns the text and goes on from its beginning.
fn learn(steps: i32) -> (f32, String) {
    random::set_seed(1);
    let model = Gpt::new();
    let adam = Adam::new(&model).learning_rate(0.003);
    let text = numbers(&TEXT.repeat(3));
    let loss = train(&model, &adam, &text, tensor(steps)).item();
    (
        loss,
        text_of(&go_on(&model, &text.get(..WINDOW as i32), 29)),
    )
}

/// What is timed: two hundred steps of learning.
pub fn work() {
    learn(200);
}

/// The program.
pub fn main() {
    let (loss, text) = learn(150);
    println!("loss {loss:.3}; {} … {text}", &TEXT[..WINDOW]);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{close, fill, slope};

    #[test]
    fn the_loss_and_its_slope_are_numpys() {
        let model = Gpt::new();
        fill(&model);
        let text = numbers(&TEXT.repeat(2));
        let window = |start: i32| {
            text.get(start..start + 2 * WINDOW as i32)
                .reshape([2, WINDOW as isize])
        };
        let (loss, gradients) = gradient(&model, &window(0), &window(1));
        close(&[f64::from(loss.item())], &[3.3764167335981625], 1e-5);
        close(&[slope(&gradients)], &[0.4402496418531853], 1e-4);
    }

    #[test]
    fn it_learns_the_text() {
        let (loss, text) = learn(150);
        assert_eq!(text, TEXT[WINDOW..], "loss {loss}");
    }
}
