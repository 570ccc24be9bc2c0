//! Files with arbitrary bytes, truncated or changed: each is read or refused.

use graph_runtime::data::Csv;
use graph_runtime::prelude::*;
use proptest::prelude::*;

use crate::file;
use crate::idx::{gzip, idx, idx_of};
use crate::npy::{npy, npy_of};

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..64), magic in 0..4usize) {
        let begin: &[u8] = [&b""[..], &[0, 0, 8, 2], &[0x1f, 0x8b, 8], b"\x93NUMPY\x02\x00"][magic];
        let bytes = [begin, &bytes].concat();
        let _ = idx_of::<u8>(&bytes);
        let _ = npy_of::<f32>(&bytes);
        let (_folder, path) = file(&bytes);
        let csv: Dataset<(Tensor<f32>, Tensor<f32>)> = Csv::new(path).dataset().unwrap();
        let _ = std::panic::catch_unwind(|| csv.iter().count());
    }

    #[test]
    fn a_file_cut_short_is_refused_and_a_changed_one_never_panics(cut in 0usize..200, at in 0usize..200, byte: u8) {
        let values: Vec<u8> = (0..64).collect();
        let plain = idx([0, 0, 8, 3], &[4, 4, 4], &values);
        let npy = npy("{'descr': '<f4', 'fortran_order': False, 'shape': (4, 4), }", &values);
        for whole in [plain.clone(), gzip(&plain), npy] {
            let mut changed = whole.clone();
            let length = changed.len();
            changed[at % length] = byte;
            let _ = (idx_of::<u8>(&changed), npy_of::<f32>(&changed));
            let short = &whole[..cut % length];
            let error = idx_of::<u8>(short).unwrap_err();
            prop_assert!(error.offset().is_some(), "{error}");
            let error = npy_of::<f32>(short).unwrap_err();
            prop_assert!(error.offset().is_some_and(|offset| offset <= short.len() as u64), "{error}");
        }
    }
}
