//! Graphs and models of TensorFlow, without TensorFlow. What TensorFlow wrote is in `models`, with the values that it computed;
//! `scripts/tensorflow_check.py graph-formats/tests/tensorflow/models --keep` writes these files anew.
#![cfg(feature = "saved-model")]

mod export;
mod meaning;
mod models;
mod nodes;
#[path = "../../examples/tensorflow/read.rs"]
mod read;
mod saved;
mod text;
#[path = "../../examples/tensorflow/values.rs"]
#[allow(dead_code, reason = "the example also writes files")]
mod values;

type Failure = Box<dyn std::error::Error>;
