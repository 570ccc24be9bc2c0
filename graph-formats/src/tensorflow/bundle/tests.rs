//! Round trips, bytes that are the same each time, and files that lie.

use super::*;

/// A bundle of several blocks, with every kind of tensor.
fn bundle() -> Bundle {
    let mut bundle = Bundle::new();
    for i in 0..300 {
        bundle.insert(
            format!("layers/{i}/kernel/.ATTRIBUTES/VARIABLE_VALUE"),
            Array::new(&[2], vec![i as f32, -0.5]),
        );
    }
    bundle.insert("step", Array::scalar(7i64));
    bundle.insert("flags", Array::new(&[2], vec![true, false]));
    bundle.insert("empty", Array::zeros(DType::F64, &[0, 3]));
    bundle.insert(
        "names",
        Array::new(
            &[3],
            vec!["größe".to_owned(), String::new(), "x".repeat(200)],
        ),
    );
    bundle.insert_bytes("graph", vec![0xff, 0, 0x80]);
    bundle
}

#[test]
fn a_bundle_comes_back_and_its_bytes_are_the_same_each_time() {
    let (index, data) = bundle().to_bytes();
    assert_eq!(Bundle::from_bytes(&index, &[&data]), Ok(bundle()));
    assert_eq!(bundle().to_bytes(), (index, data));
    let empty = Bundle::new().to_bytes();
    assert_eq!(Bundle::from_bytes(&empty.0, &[empty.1]), Ok(Bundle::new()));
}

#[test]
fn no_changed_or_missing_byte_of_the_index_goes_unnoticed() {
    let mut small = Bundle::new();
    small.insert("x", Array::new(&[2], vec![1.0f32, 2.0]));
    small.insert("names", Array::new(&[1], vec!["a".to_owned()]));
    let (index, data) = small.to_bytes();
    for at in 0..index.len() {
        let mut changed = index.clone();
        changed[at] ^= 0x40;
        if let Ok(read) = Bundle::from_bytes(&changed, &[&data]) {
            // The padding of the footer means nothing.
            assert_eq!(read, small, "byte {at}");
            assert!(at >= index.len() - FOOTER_LENGTH, "byte {at}");
        }
        assert!(
            Bundle::from_bytes(&index[..at], &[&data]).is_err(),
            "{at} bytes"
        );
    }
}

const FOOTER_LENGTH: usize = 48;

#[test]
fn changed_and_missing_bytes_of_the_data_are_noticed() {
    let (index, data) = bundle().to_bytes();
    for at in (0..data.len()).step_by(53) {
        let mut changed = data.clone();
        changed[at] ^= 1;
        assert!(
            Bundle::from_bytes(&index, &[&changed]).is_err(),
            "byte {at}"
        );
    }
    let error = Bundle::from_bytes(&index, &[&data[..data.len() - 1]]).unwrap_err();
    assert!(!error.to_string().is_empty());
    assert!(Bundle::from_bytes(&index, &[] as &[&[u8]]).is_err());
}

/// An index of one entry, with right checksums.
fn index_of(entry: BundleEntryProto) -> Vec<u8> {
    let header = BundleHeaderProto {
        num_shards: 1,
        ..BundleHeaderProto::default()
    };
    let entries = [
        (Vec::new(), header.encode_to_vec()),
        (b"x".to_vec(), entry.encode_to_vec()),
    ];
    table::write(&entries.into())
}

#[test]
fn entries_that_lie_about_sizes_are_refused() {
    let data = [0u8; 8];
    let entry = |dtype: DataType, dims: &[usize], offset, size| BundleEntryProto {
        dtype: dtype as i32,
        shape: Some(shape_proto(&Shape::known(dims))),
        offset,
        size,
        crc32c: masked(&data),
        ..BundleEntryProto::default()
    };
    let read = |entry| Bundle::from_bytes(&index_of(entry), &[&data]);
    assert!(read(entry(DataType::DtFloat, &[2], 0, 8)).is_ok());
    let lies = [
        entry(DataType::DtFloat, &[1 << 40], 0, 8),
        entry(DataType::DtFloat, &[2], 1, 8),
        entry(DataType::DtFloat, &[2], -1, 8),
        entry(DataType::DtFloat, &[2], 0, i64::MAX),
        entry(DataType::DtString, &[1 << 40], 0, 8),
        entry(DataType::DtString, &[8], 0, 8),
        entry(DataType::DtVariant, &[2], 0, 8),
        BundleEntryProto {
            shard_id: 5,
            ..entry(DataType::DtFloat, &[2], 0, 8)
        },
    ];
    for lie in lies {
        assert!(read(lie.clone()).is_err(), "{lie:?}");
    }
}
