//! Attention with a cache gives, position by position, what causal attention of the whole sequence gives, which is compared with Keras's.

use graph_runtime::Error;
use graph_runtime::nn::{AttentionCache, MultiHeadAttention};
use graph_runtime::prelude::*;

use super::both;

type Float = Tensor<f32>;

const TIME: usize = 7;

/// Some sequences `[2, TIME, 6]`.
fn sequences() -> Float {
    let values = (0..2 * TIME * 6).map(|i| ((i * 37 % 29) as f32 - 14.0) / 10.0);
    Tensor::from_vec(&[2, TIME, 6], values.collect()).unwrap()
}

#[track_caller]
fn assert_close(found: &Float, expected: &Float) {
    assert_eq!(found.array().shape(), expected.array().shape());
    for (found, expected) in found.to_vec().iter().zip(expected.to_vec()) {
        assert!((found - expected).abs() < 1e-5, "{found}, not {expected}");
    }
}

/// One position after the other, in a loop of the graph.
#[graph_fn]
fn one_by_one(layer: &MultiHeadAttention, x: &Float, capacity: usize) -> (Float, AttentionCache) {
    let mut cache = layer.cache(2, capacity);
    let mut outputs = TensorArray::new(TIME);
    for (i, position) in x.permute([1, 0, 2]).iter().enumerate() {
        let output = layer.call_cached(position.expand_dims(1), &mut cache);
        outputs.write(i, output.squeeze(&[1]));
    }
    (outputs.stack().permute([1, 0, 2]), cache)
}

/// The first positions at once, then those left.
#[graph_fn]
fn in_two(layer: &MultiHeadAttention, x: &Float, first: usize) -> Float {
    let mut cache = layer.cache(2, TIME);
    let begin = layer.call_cached(x.get((.., ..first)), &mut cache);
    let end = layer.call_cached(x.get((.., first..)), &mut cache);
    concat([begin, end], 1)
}

#[test]
fn a_cache_gives_each_row_of_causal_attention() {
    let (layer, x) = (MultiHeadAttention::new(6, 2, 3).causal(), sequences());
    let whole = layer.call(&x, &x);
    for capacity in [TIME, TIME + 5] {
        for (found, cache) in both(|| one_by_one(&layer, &x, capacity)) {
            assert_close(&found, &whole);
            assert_eq!(cache.length().item(), TIME as i32);
        }
    }
    for first in [1, 3, TIME - 1] {
        both(|| in_two(&layer, &x, first))
            .iter()
            .for_each(|found| assert_close(found, &whole));
    }
}

#[test]
fn a_cache_goes_into_a_graph_function_and_out_again() {
    #[graph_fn]
    fn step(
        layer: &MultiHeadAttention,
        x: Float,
        cache: AttentionCache,
    ) -> (Float, AttentionCache) {
        let mut cache = cache;
        (layer.call_cached(x, &mut cache), cache)
    }
    let (layer, x) = (MultiHeadAttention::new(6, 2, 3).causal(), sequences());
    let mut cache = layer.cache(2, TIME);
    let mut outputs = Vec::new();
    for position in x.split(TIME, 1) {
        let output;
        (output, cache) = step(&layer, position, cache);
        outputs.push(output);
    }
    assert_close(&concat(outputs, 1), &layer.call(&x, &x));
    assert_eq!(step::function().trace_count(), 1);
}

#[test]
fn a_cache_takes_any_number_of_positions() {
    #[graph_fn(input_signature = [_, f32[_, _, 6]])]
    fn all_at_once(layer: &MultiHeadAttention, x: Tensor<f32>) -> Float {
        let mut cache = layer.cache(2, 20);
        layer.call_cached(x, &mut cache)
    }
    let (layer, x) = (MultiHeadAttention::new(6, 2, 3).causal(), sequences());
    assert_close(&all_at_once(&layer, x.clone()), &layer.call(&x, &x));
}

#[test]
fn the_gradient_goes_through_the_cache() {
    let (layer, x) = (MultiHeadAttention::new(6, 2, 3).causal(), sequences());
    let whole = grad(|x: &Float| layer.call(x, x).square().sum())(&x);
    for found in both(|| grad(|x: &Float| one_by_one(&layer, x, TIME).0.square().sum())(&x)) {
        assert_close(&found, &whole);
    }
}

#[test]
fn a_full_cache_is_an_error() {
    #[graph_fn]
    fn outputs(layer: &MultiHeadAttention, x: Float, times: Tensor<i32>) -> Result<Float, Error> {
        let mut cache = layer.cache(1, 2);
        let mut last = x;
        for _ in 0..times {
            last = layer.call_cached(&last, &mut cache);
        }
        Ok(last)
    }
    let (layer, x) = (MultiHeadAttention::new(6, 2, 3), ones::<f32>(&[1, 1, 6]));
    assert!(outputs(&layer, x.clone(), tensor(2)).is_ok());
    let error = outputs(&layer, x, tensor(3)).unwrap_err().to_string();
    assert!(
        error.contains("the cache of an attention layer has no room"),
        "{error}"
    );
    assert!(error.contains("attention.rs"), "{error}");
}
