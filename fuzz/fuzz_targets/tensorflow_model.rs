//! Any bytes as a graph and as a model of TensorFlow: `cargo +nightly fuzz run tensorflow_model` (with cargo-fuzz installed), or
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run tensorflow_model` with the stable compiler.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graph_tests::hostile_files::tensorflow_model(bytes));
