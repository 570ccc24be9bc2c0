//! Damaged graphs for the verifier: `cargo +nightly fuzz run damaged_graph` (with cargo-fuzz installed).
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graph_tests::hostile::graph(bytes));
