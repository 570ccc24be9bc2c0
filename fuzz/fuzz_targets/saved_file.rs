//! Any bytes as a file of functions: `cargo +nightly fuzz run saved_file` (with cargo-fuzz installed), or
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run saved_file` with the stable compiler.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graph_tests::hostile::saved_file(bytes));
