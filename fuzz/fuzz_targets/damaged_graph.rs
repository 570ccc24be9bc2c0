//! Damaged graphs for the verifier: `cargo +nightly fuzz run damaged_graph` (with cargo-fuzz installed), or
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run damaged_graph` with the stable compiler.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| graph_tests::hostile::graph(bytes));
