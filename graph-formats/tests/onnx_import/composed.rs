//! Ops that are read as many nodes: counts of n-grams, pieces of strings, windows at computed positions.

use graph_formats::onnx::proto::{AttributeProto, ModelProto};
use graph_kernels::Array;

use crate::models::*;

const STRING: i32 = 8;

/// A model of one node, whose operands and results have these dtypes and any shape.
fn one(op: &str, operands: &[i32], results: &[i32], attributes: Vec<AttributeProto>) -> ModelProto {
    let named = |prefix: &str, dtypes: &[i32]| -> Vec<(String, i32)> {
        let numbered = dtypes.iter().enumerate();
        numbered
            .map(|(n, dtype)| (format!("{prefix}{n}"), *dtype))
            .collect()
    };
    let (takes, gives) = (named("x", operands), named("y", results));
    let names =
        |all: &[(String, i32)]| all.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
    let (inputs, outputs) = (names(&takes), names(&gives));
    let inputs: Vec<&str> = inputs.iter().map(String::as_str).collect();
    let outputs: Vec<&str> = outputs.iter().map(String::as_str).collect();
    let open_all =
        |all: &[(String, i32)]| all.iter().map(|(name, dtype)| open(name, *dtype)).collect();
    model(graph(
        open_all(&takes),
        vec![node(op, &inputs, &outputs, attributes)],
        open_all(&gives),
    ))
}

/// The words 1 and 2, and the pairs (1, 2) and (2, 3), of which one has a word between its words.
#[test]
fn n_grams_are_counted_and_weighted() {
    for (mode, expected) in [
        ("TF", [1f32, 2.0, 1.0, 1.0]),
        ("IDF", [10.0, 20.0, 30.0, 40.0]),
        ("TFIDF", [10.0, 40.0, 30.0, 40.0]),
    ] {
        let attributes = vec![
            text("mode", mode),
            int("min_gram_length", 1),
            int("max_gram_length", 2),
            int("max_skip_count", 1),
            ints("ngram_counts", &[0, 2]),
            ints("ngram_indexes", &[0, 1, 2, 3]),
            ints("pool_int64s", &[1, 2, 1, 2, 2, 3]),
            float_list("weights", &[10.0, 20.0, 30.0, 40.0]),
        ];
        let model = one("TfIdfVectorizer", &[INT64], &[FLOAT], attributes);
        let words = Array::new(&[5], vec![1i64, 5, 2, 3, 2]);
        assert_eq!(
            run(&model, [words]),
            [Array::new(&[4], expected.to_vec())],
            "{mode}"
        );
    }
}

#[test]
fn strings_are_split_and_filled_up() {
    let model = one(
        "StringSplit",
        &[STRING],
        &[STRING, INT64],
        vec![text("delimiter", "-")],
    );
    let owned = |texts: &[&str]| {
        texts
            .iter()
            .map(|text| (*text).to_owned())
            .collect::<Vec<String>>()
    };
    let pieces = Array::new(&[2, 3], owned(&["a", "b", "c", "d", "", ""]));
    let counts = Array::new(&[2], vec![3i64, 1]);
    let texts = Array::new(&[2], owned(&["a-b-c", "d"]));
    assert_eq!(run(&model, [texts]), [pieces, counts]);
}

/// The filter doubles: of the first pixel the middle between it and the one below, of the third one what is left of the image.
#[test]
fn a_convolution_takes_its_values_where_the_offsets_say() {
    let model = one("DeformConv", &[FLOAT; 3], &[FLOAT], vec![]);
    let image = Array::new(&[1, 1, 2, 2], vec![1f32, 2.0, 3.0, 4.0]);
    let filter = Array::new(&[1, 1, 1, 1], vec![2f32]);
    let down_and_right = vec![0.5f32, 0.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0];
    let offsets = Array::new(&[1, 2, 2, 2], down_and_right);
    let expected = Array::new(&[1, 1, 2, 2], vec![4f32, 4.0, 0.0, 8.0]);
    assert_eq!(run(&model, [image, filter, offsets]), [expected]);
}
