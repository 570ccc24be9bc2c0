//! A Caesar cipher is broken by the frequencies of letters.

use graph_runtime::prelude::*;

const ENGLISH: [f32; 26] = [
    0.082, 0.015, 0.028, 0.043, 0.127, 0.022, 0.020, 0.061, 0.070, 0.0015, 0.0077, 0.040, 0.024, 0.067, 0.075, 0.019,
    0.00095, 0.060, 0.063, 0.091, 0.028, 0.0098, 0.024, 0.0015, 0.020, 0.00074,
];

fn letters(text: &str) -> Tensor<i32> {
    tensor(text.bytes().filter(|b| b.is_ascii_lowercase()).map(|b| (b - b'a') as i32).collect::<Vec<_>>())
}

fn text(letters: &Tensor<i32>) -> String {
    letters.to_vec().iter().map(|&l| (l as u8 + b'a') as char).collect()
}

#[graph_fn]
fn encrypt(letters: Tensor<i32>, key: Tensor<i32>) -> Tensor<i32> {
    (letters + key) % 26
}

#[graph_fn]
fn chi_squared(letters: &Tensor<i32>) -> Tensor<f32> {
    let expected = tensor(ENGLISH) * letters.len() as f32;
    let counts = letters.bincount(26).cast::<f32>();
    ((counts - &expected).square() / expected).sum()
}

#[graph_fn]
fn break_it(secret: &Tensor<i32>) -> Tensor<i32> {
    let mut best = tensor(0);
    let mut least = tensor(f32::INFINITY);
    for key in tensor(0)..26 {
        let score = chi_squared(&((secret - key).floor_mod(26)));
        if score < least {
            (best, least) = (key, score);
        }
    }
    best
}

fn main() {
    let plain = letters("it was the best of times it was the worst of times it was the age of wisdom");
    let secret = encrypt(&plain, tensor(17));
    assert!(secret.to_vec() != plain.to_vec());
    let key = break_it(&secret);
    assert_eq!(key.item(), 17);
    let found = encrypt(secret, 26 - key);
    assert_eq!(text(&found), text(&plain));
    assert_eq!(&text(&found)[..5], "itwas");
}
