//! Any bytes as the index and the data of a TensorFlow checkpoint: `cargo +nightly fuzz run tensorflow_checkpoint` (with cargo-fuzz installed), or
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run tensorflow_checkpoint` with the stable compiler. What loads is the same after it is written.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graph_tests::hostile_files::tensorflow_checkpoint(bytes));
