//! Any bytes as the index and the data of a TensorFlow checkpoint: `cargo +nightly fuzz run tensorflow_checkpoint` (with cargo-fuzz installed), or
//! `RUSTC_BOOTSTRAP=1 cargo fuzz run tensorflow_checkpoint` with the stable compiler. What loads is the same after it is written.
#![no_main]

use graph_formats::tensorflow::Bundle;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    if let Ok(bundle) = Bundle::from_bytes(bytes, &[bytes]) {
        let (index, data) = bundle.to_bytes();
        assert_eq!(Bundle::from_bytes(&index, &[data]), Ok(bundle));
    }
});
