//! Bytes for the reader of ONNX: `cargo +nightly fuzz run onnx` (with cargo-fuzz installed), or `RUSTC_BOOTSTRAP=1 cargo fuzz run onnx` with
//! the stable compiler.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graph_tests::hostile_files::onnx(bytes));
