//! A bigram model of letters: counts by indexed assignment, probabilities, and a text that is drawn from them.

use graph_runtime::prelude::*;

#[graph_fn]
fn counts(text: &Tensor<i32>) -> Tensor<f32> {
    let mut n: Tensor<f32> = zeros([27, 27]);
    for i in 1..text.len() as i32 {
        let (a, b) = (text[i - 1], text[i]);
        n[(a, b)] += 1.0;
    }
    n
}

#[graph_fn]
fn log_likelihood(n: &Tensor<f32>, text: &Tensor<i32>) -> Tensor<f32> {
    let p = (n + 1.0) / (n + 1.0).sum_axes(&[1], true);
    let pairs = stack([&text[..-1], &text[1..]], 1);
    p.gather_nd(pairs).log().mean()
}

#[graph_fn]
fn write(n: &Tensor<f32>, length: usize) -> Tensor<i32> {
    let mut letter = tensor(0);
    let mut out = TensorArray::new(length);
    for i in tensor(0)..length as i32 {
        let logits = (n[letter] + 0.01).log();
        letter = random::categorical(logits.expand_dims(0), 1)[(0, 0)].cast();
        out.write(i, letter);
    }
    out.stack()
}

fn main() {
    let text = " the quick brown fox jumps over the lazy dog the end ";
    let codes: Vec<i32> = text.bytes().map(|b| if b == b' ' { 0 } else { (b - b'a') as i32 + 1 }).collect();
    let codes = tensor(codes);
    let n = counts(&codes);
    assert_eq!(n.sum().item() as usize, text.len() - 1);
    assert_eq!(n.get((20, 8)).item(), 3.0); // "th"
    let likelihood = log_likelihood(&n, &codes);
    println!("{likelihood}");
    assert!((likelihood.item() - LIKELIHOOD).abs() < 1e-5);
    random::set_seed(5);
    let written: String = write(&n, 30).to_vec().into_iter().map(|c| if c == 0 { ' ' } else { (b'a' + c as u8 - 1) as char }).collect();
    println!("{written}");
    assert_eq!(written.len(), 30);
}

// NumPy's.
const LIKELIHOOD: f32 = -2.577_728_6;
