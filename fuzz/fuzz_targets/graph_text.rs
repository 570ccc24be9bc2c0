//! Any bytes as graph text: `cargo +nightly fuzz run graph_text` (with cargo-fuzz installed), or
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run graph_text` with the stable compiler.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graph_tests::hostile::text(bytes));
