//! Files of data: what is well formed is read, and everything else is an error that says where.

use std::io::Write;
use std::path::PathBuf;

use graph_runtime::data::{Csv, DataError, read_idx, read_npy};
use graph_runtime::prelude::*;
use proptest::prelude::*;

/// A file of these bytes, and the folder that goes with it.
fn file(bytes: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    std::fs::write(&path, bytes).expect("a file");
    (folder, path)
}

fn idx_of<T: graph_runtime::data::IdxElement>(bytes: &[u8]) -> Result<Tensor<T>, DataError> {
    let (_folder, path) = file(bytes);
    read_idx(path)
}

fn npy_of<T: graph_runtime::data::NpyElement>(bytes: &[u8]) -> Result<Tensor<T>, DataError> {
    let (_folder, path) = file(bytes);
    read_npy(path)
}

/// An IDX file: magic number, sizes, values.
fn idx(magic: [u8; 4], sizes: &[u32], values: &[u8]) -> Vec<u8> {
    let sizes = sizes.iter().flat_map(|size| size.to_be_bytes());
    magic
        .into_iter()
        .chain(sizes)
        .chain(values.iter().copied())
        .collect()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).expect("memory takes everything");
    encoder.finish().expect("memory takes everything")
}

#[test]
fn idx_files_are_read_compressed_or_not() {
    let bytes = idx([0, 0, 8, 2], &[2, 3], &[1, 2, 3, 4, 5, 6]);
    for bytes in [bytes.clone(), gzip(&bytes)] {
        let read: Tensor<u8> = idx_of(&bytes).unwrap();
        assert_eq!(read.shape().to_string(), "[2,3]");
        assert_eq!(read.to_vec(), [1, 2, 3, 4, 5, 6]);
    }
    let floats = [1.5f32, -2.0].map(f32::to_be_bytes).concat();
    let read: Tensor<f32> = idx_of(&idx([0, 0, 13, 1], &[2], &floats)).unwrap();
    assert_eq!(read.to_vec(), [1.5, -2.0]);
    let numbers = (-5i32).to_be_bytes();
    assert_eq!(
        idx_of::<i32>(&idx([0, 0, 12, 0], &[], &numbers))
            .unwrap()
            .item(),
        -5
    );
    assert_eq!(
        idx_of::<i8>(&idx([0, 0, 9, 1], &[2], &[1, 255]))
            .unwrap()
            .to_vec(),
        [1, -1]
    );
    assert_eq!(
        idx_of::<i16>(&idx([0, 0, 11, 1], &[1], &[255, 254]))
            .unwrap()
            .to_vec(),
        [-2]
    );
    let empty = idx_of::<u8>(&idx([0, 0, 8, 2], &[0, u32::MAX], &[])).unwrap();
    assert!(empty.to_vec().is_empty());
}

#[test]
fn every_departure_of_an_idx_file_has_its_place() {
    let cases: &[(Vec<u8>, u64, &str)] = &[
        (
            vec![],
            0,
            "the file ends in its magic number, of which 0 of 4 bytes are there",
        ),
        (
            vec![0, 0, 8],
            3,
            "the file ends in its magic number, of which 3 of 4 bytes are there",
        ),
        (
            idx([0, 0, 8, 2], &[3], &[0, 0, 0]),
            11,
            "the file ends in the size of axis 1, of which 3 of 4 bytes are there",
        ),
        (
            idx([1, 0, 8, 1], &[0], &[]),
            0,
            "an IDX file starts with two zero bytes, not 01 00",
        ),
        (
            idx([0, 0, 13, 1], &[0], &[]),
            2,
            "the values are 0x0d, float32, where uint8 is read",
        ),
        (
            idx([0, 0, 7, 1], &[0], &[]),
            2,
            "the values are 0x07, no type that the format knows, where uint8 is read",
        ),
        (
            idx([0, 0, 8, 1], &[3], &[1, 2]),
            10,
            "the file ends after 2 of the 3 bytes that values of shape [3] take",
        ),
        (
            idx([0, 0, 8, 1], &[3], &[1, 2, 3, 4]),
            11,
            "there is more than values of shape [3]",
        ),
        // 2^31 · 2^31 · 4 is 2^64, which wraps to 0: the length of the values here.
        (
            idx([0, 0, 8, 3], &[1 << 31, 1 << 31, 4], &[]),
            4,
            "no file has values of shape [2147483648, 2147483648, 4]",
        ),
        (
            idx([0, 0, 8, 2], &[1 << 31, 1 << 31], &[7]),
            13,
            "the file ends after 1 of the 4611686018427387904 bytes that values of shape [2147483648, 2147483648] take",
        ),
    ];
    for (bytes, offset, message) in cases {
        let error = idx_of::<u8>(bytes).expect_err(message);
        assert_eq!((error.message(), error.offset()), (*message, Some(*offset)));
        // A compressed file has the same content.
        let error = idx_of::<u8>(&gzip(bytes)).expect_err(message);
        assert_eq!((error.message(), error.offset()), (*message, Some(*offset)));
    }
    let error = read_idx::<u8>("no/such/file").unwrap_err();
    assert!(error.to_string().starts_with("no/such/file: "), "{error}");
}

/// An npy file of version 1.
fn npy(header: &str, values: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let length = (header.len() + 1).next_multiple_of(64) + 54;
    bytes.extend((length as u16).to_le_bytes());
    bytes.extend(header.bytes());
    bytes.resize(10 + length - 1, b' ');
    bytes.push(b'\n');
    bytes.extend(values);
    bytes
}

#[test]
fn npy_files_are_read_in_either_order() {
    let values = [1i32, 2, 3, 4, 5, 6].map(i32::to_le_bytes).concat();
    let read = npy_of::<i32>(&npy(
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }",
        &values,
    ));
    let read = read.unwrap();
    assert_eq!(
        (read.shape().to_string(), read.to_vec()),
        ("[2,3]".to_owned(), vec![1, 2, 3, 4, 5, 6])
    );
    let read = npy_of::<i32>(&npy(
        "{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }",
        &values,
    ));
    assert_eq!(read.unwrap().to_vec(), [1, 3, 5, 2, 4, 6]);
    let read = npy_of::<bool>(&npy(
        "{'descr': '|b1', 'fortran_order': False, 'shape': (), }",
        &[1],
    ));
    assert!(read.unwrap().item());
}

#[test]
fn every_departure_of_an_npy_file_has_its_place() {
    let good = npy(
        "{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }",
        &[0; 16],
    );
    assert_eq!(npy_of::<f64>(&good).unwrap().to_vec(), [0.0; 2]);
    let mut endless = good.clone();
    endless[8..10].fill(0xff);
    let mut version = good.clone();
    version[6] = 9;
    let cases: &[(Vec<u8>, u64, &str)] = &[
        (b"PK\x03\x04".to_vec(), 0, "starts with 93 and NUMPY"),
        (good[..9].to_vec(), 9, "ends in its header"),
        (endless, good.len() as u64, "ends in its header"),
        (version, 6, "version 9"),
        (
            good[..good.len() - 3].to_vec(),
            good.len() as u64 - 3,
            "3 bytes too early",
        ),
        (
            [&good[..], &[0]].concat(),
            good.len() as u64,
            "1 bytes more",
        ),
        (
            npy(
                "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }",
                &[0; 8],
            ),
            10,
            "where float64 is read",
        ),
        (npy("nonsense", &[]), 10, "no npy header"),
        (
            npy(
                "{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 8), }",
                &[],
            ),
            192,
            "overflow",
        ),
    ];
    for (bytes, offset, message) in cases {
        let error = npy_of::<f64>(bytes).expect_err(message);
        assert!(error.message().contains(message), "{error}");
        assert_eq!(error.offset(), Some(*offset), "{error}");
    }
}

/// An npy file whose header is these bytes, filled up by nothing.
fn npy_with(version: u8, header: &[u8], values: &[u8]) -> Vec<u8> {
    let length = (header.len() as u32).to_le_bytes();
    let length = if version == 1 { &length[..2] } else { &length };
    [b"\x93NUMPY", &[version, 0][..], length, header, values].concat()
}

#[test]
fn npy_files_of_all_versions_types_and_orders_of_bytes_are_read() {
    let header = |descriptor: &str, shape: &str| {
        format!("{{'descr': '{descriptor}', 'fortran_order': False, 'shape': {shape}, }}\n")
    };
    let one = header(">f8", "(2,)");
    let values = [1.5f64, -2.0].map(f64::to_be_bytes).concat();
    for version in 1..=3 {
        let read = npy_of::<f64>(&npy_with(version, one.as_bytes(), &values)).unwrap();
        assert_eq!(read.to_vec(), [1.5, -2.0], "version {version}");
    }
    // More than a header of version 1 can hold.
    let long = one + &" ".repeat(70_000);
    let read = npy_of::<f64>(&npy_with(2, long.as_bytes(), &values));
    assert_eq!(read.unwrap().to_vec(), [1.5, -2.0]);

    fn single<T: graph_runtime::data::NpyElement>(descriptor: &str, value: &[u8]) -> T {
        let header = format!("{{'descr':'{descriptor}','fortran_order':False,'shape':()}}");
        let read = npy_of::<T>(&npy_with(1, header.as_bytes(), value)).unwrap();
        assert_eq!(read.rank(), 0);
        read.item()
    }
    assert_eq!(single::<f32>("<f4", &0.5f32.to_le_bytes()), 0.5);
    assert_eq!(single::<f32>(">f4", &0.5f32.to_be_bytes()), 0.5);
    assert_eq!(single::<f64>("<f8", &0.1f64.to_le_bytes()), 0.1);
    assert_eq!(single::<i32>(">i4", &(-7i32).to_be_bytes()), -7);
    assert_eq!(single::<i64>("<i8", &i64::MIN.to_le_bytes()), i64::MIN);
    assert_eq!(single::<i64>(">i8", &i64::MIN.to_be_bytes()), i64::MIN);
    for descriptor in ["|u1", "<u1", ">u1", "u1"] {
        assert_eq!(single::<u8>(descriptor, &[200]), 200);
    }
    assert_eq!(single::<i8>("|i1", &[200]), -56);
    assert_eq!(single::<i16>(">i2", &(-300i16).to_be_bytes()), -300);
    assert_eq!(single::<u16>("<u2", &60_000u16.to_le_bytes()), 60_000);
    assert_eq!(single::<u32>(">u4", &u32::MAX.to_be_bytes()), u32::MAX);
    assert_eq!(single::<u64>("<u8", &u64::MAX.to_le_bytes()), u64::MAX);
    assert!(single::<bool>("|b1", &[1]));
}

#[test]
fn an_npy_header_may_be_written_in_every_way_of_python() {
    for header in [
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }",
        "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3)}   \n",
        "{ \"shape\" :( 2 ,3, ) ,\"fortran_order\":False,\"descr\":\"<i4\"}",
        "\n{'shape': (2L, 3L),\t'descr': '<i4',\r\n'fortran_order': False,}\n",
        "{'shape': (02, 3), 'descr': '<i4', 'fortran_order': False}",
    ] {
        let values = [1i32, 2, 3, 4, 5, 6].map(i32::to_le_bytes).concat();
        let read = npy_of::<i32>(&npy_with(1, header.as_bytes(), &values)).expect(header);
        assert_eq!(read.shape().to_string(), "[2,3]", "{header}");
    }
    for (shape, expected) in [
        ("(6,)", "[6]"),
        ("(1, 6, 1)", "[1,6,1]"),
        ("(3, 0)", "[3,0]"),
    ] {
        let header = format!("{{'descr': '|u1', 'fortran_order': True, 'shape': {shape}}}");
        let values = vec![1; if expected.contains('0') { 0 } else { 6 }];
        let read = npy_of::<u8>(&npy_with(1, header.as_bytes(), &values)).expect(shape);
        assert_eq!(read.shape().to_string(), expected);
    }
}

#[test]
fn arrays_of_fortran_have_their_axes_in_place() {
    // The value at [i, j, k] is 100 i + 10 j + k, with the first axis fastest.
    let mut values = Vec::new();
    for k in 0..4 {
        for j in 0..3 {
            values.extend((0..2).flat_map(|i| (100 * i + 10 * j + k as i64).to_be_bytes()));
        }
    }
    let header = b"{'descr': '>i8', 'fortran_order': True, 'shape': (2, 3, 4)}";
    let read = npy_of::<i64>(&npy_with(1, header, &values)).unwrap();
    assert_eq!(read.shape().to_string(), "[2,3,4]");
    let index = |at: i64| 100 * (at / 12) + 10 * (at / 4 % 3) + at % 4;
    assert_eq!(read.to_vec(), (0..24).map(index).collect::<Vec<_>>());
}

#[test]
fn a_hostile_npy_header_is_refused_where_it_is_wrong() {
    let cases: &[(&[u8], u64, &str)] = &[
        (b"", 10, "`{` belongs where its end is"),
        (b"(1, 2)", 10, "`{` belongs where `(` is"),
        (b"{}", 10, "'descr' is missing"),
        (
            b"{'descr': '<f4', 'shape': ()}",
            10,
            "'fortran_order' is missing",
        ),
        (
            b"{'descr': '<f4', 'fortran_order': False}",
            10,
            "'shape' is missing",
        ),
        (
            b"{'descr': '<f4', 'descr': '<f4'}",
            27,
            "'descr' is there twice",
        ),
        (b"{'descr': '<f4', 'more': 1}", 27, "'more' is no key"),
        (b"{'desc\\x72': '<f4'}", 16, "a text has no end"),
        (b"{'descr': '<f4", 24, "a text has no end"),
        (b"{'descr' '<f4'}", 19, "`:` belongs where `\\'` is"),
        (
            b"{'descr': '<f4' 'shape': ()}",
            26,
            "`}` belongs where `\\'` is",
        ),
        (
            b"{'descr': '<f4',, 'shape': ()}",
            26,
            "a text in quotes belongs where `,` is",
        ),
        (b"{,}", 11, "a text in quotes belongs where `,` is"),
        (
            b"{\xff\xfe: 1}",
            11,
            "a text in quotes belongs where `\\xff` is",
        ),
        (b"{'\xff\xfe': 1}", 11, "'\\xff\\xfe' is no key"),
        (
            b"{'descr': '\xff4', 'fortran_order': False, 'shape': ()}",
            10,
            "the values are '\\xff4', where float32 is read",
        ),
        (b"{'descr': [('a', '<f4')]}", 20, "the values are records"),
        (b"{'descr': ('<f4', (2,))}", 20, "the values are records"),
        (b"{'descr': 4}", 20, "a text in quotes belongs where `4` is"),
        (
            b"{'fortran_order': 1}",
            28,
            "`True` or `False` belongs where `1` is",
        ),
        (b"{'fortran_order': 'True'}", 28, "`True` or `False`"),
        (b"{'fortran_order': Tru", 28, "`True` or `False`"),
        (
            b"{'fortran_order': Falsely}",
            33,
            "`}` belongs where `l` is",
        ),
        (b"{'shape': 3}", 20, "`(` belongs where `3` is"),
        (b"{'shape': (3)}", 22, "`,` belongs where `)` is"),
        (b"{'shape': (,)}", 21, "a size belongs where `,` is"),
        (b"{'shape': (2,,3)}", 23, "a size belongs where `,` is"),
        (b"{'shape': (2, 3", 25, "`)` belongs where its end is"),
        (b"{'shape': (2 3)}", 23, "`,` belongs where `3` is"),
        (b"{'shape': (-1,)}", 21, "a size belongs where `-` is"),
        (b"{'shape': (+1,)}", 21, "a size belongs where `+` is"),
        (b"{'shape': (1.5,)}", 22, "`,` belongs where `.` is"),
        (b"{'shape': (0x10,)}", 22, "`,` belongs where `x` is"),
        (b"{'shape': ((3,),)}", 21, "a size belongs where `(` is"),
        (b"{'shape': (((((((((3", 21, "a size belongs where `(` is"),
        (
            b"{'shape': (18446744073709551616,)}",
            21,
            "a size overflows",
        ),
        (
            b"{'shape': (3, 99999999999999999999999999999999)}",
            24,
            "a size overflows",
        ),
        (
            b"{'descr': '<f4', 'fortran_order': False, 'shape': ()} 1",
            64,
            "nothing belongs where `1` is",
        ),
        (
            b"{'descr': '<f4', 'fortran_order': False, 'shape': ()}\0",
            63,
            "nothing belongs where `\\x00` is",
        ),
        (
            b"{'descr': '<f4', 'fortran_order': False, 'shape': ()}}",
            63,
            "nothing belongs where `}` is",
        ),
        (
            b"{'descr': '=f4', 'fortran_order': False, 'shape': ()}",
            10,
            "'=f4'",
        ),
        (
            b"{'descr': '|f4', 'fortran_order': False, 'shape': ()}",
            10,
            "'|f4'",
        ),
        (
            b"{'descr': 'f4', 'fortran_order': False, 'shape': ()}",
            10,
            "'f4'",
        ),
        (
            b"{'descr': '<<f4', 'fortran_order': False, 'shape': ()}",
            10,
            "'<<f4'",
        ),
        (
            b"{'descr': '', 'fortran_order': False, 'shape': ()}",
            10,
            "''",
        ),
    ];
    for (header, offset, message) in cases {
        let text = header.escape_ascii();
        let error = npy_of::<f32>(&npy_with(1, header, &[])).expect_err(message);
        assert!(error.message().contains(message), "{text}: {error}");
        assert_eq!(error.offset(), Some(*offset), "{text}: {error}");
    }

    let header = |shape: &str| {
        let header = format!("{{'descr': '<f4', 'fortran_order': True, 'shape': {shape}}}");
        npy_with(3, header.as_bytes(), &[])
    };
    // Sizes whose product is 0 or a small number once it has wrapped, of which the file has exactly so many.
    for shape in [
        "(4294967296, 4294967296)",
        "(4611686018427387904, 4)",
        "(2305843009213693952,)",
        "(18446744073709551615, 18446744073709551615, 0)",
        "(0, 18446744073709551615, 18446744073709551615)",
    ] {
        let bytes = header(shape);
        let error = npy_of::<f32>(&bytes).expect_err(shape);
        assert!(error.message().contains("overflow"), "{error}");
        assert_eq!(error.offset(), Some(bytes.len() as u64));
    }
    // What fits into memory's addresses, but isn't there.
    let error = npy_of::<f32>(&header("(1000000000000,)")).unwrap_err();
    assert_eq!(
        error.message(),
        "the file ends 4000000000000 bytes too early"
    );
    let error = npy_of::<f32>(&header(&format!("({})", "1, ".repeat(65)))).unwrap_err();
    assert!(error.message().contains("more than 64 axes"), "{error}");
    let many = [header(&format!("({})", "1, ".repeat(64))), vec![0; 4]].concat();
    assert_eq!(npy_of::<f32>(&many).unwrap().rank(), 64);
    // A long text in a file is no long message.
    let long = format!("{{'descr': '{}'}}", "\x1b".repeat(60000));
    let long = format!(
        "{}, 'fortran_order': True, 'shape': ()}}",
        &long[..long.len() - 1]
    );
    let error = npy_of::<f32>(&npy_with(2, long.as_bytes(), &[])).unwrap_err();
    assert!(error.message().len() < 300, "{error}");
    // A byte that is neither true nor false.
    let header = b"{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}";
    let error = npy_of::<bool>(&npy_with(1, header, &[0, 1, 2])).unwrap_err();
    assert_eq!(error.offset(), Some(10 + header.len() as u64 + 2));
}

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

proptest! {
    #[test]
    fn any_header_of_an_npy_file_is_read_or_refused(
        words in proptest::collection::vec(0usize..16, 0..20),
        values in proptest::collection::vec(any::<u8>(), 0..16),
    ) {
        const WORDS: [&str; 16] = [
            "{", "}", "'descr'", ":", "'<f4'", ",", "'fortran_order'", "True", "False", "'shape'", "(", ")", "1", "0", "9999999999", " ",
        ];
        let header: String = words.iter().map(|word| WORDS[*word]).collect();
        let bytes = npy_with(1, header.as_bytes(), &values);
        if let Err(error) = npy_of::<f32>(&bytes) {
            prop_assert!(error.offset().is_some_and(|offset| offset <= bytes.len() as u64), "{error}");
        }
    }
}

#[test]
fn a_csv_file_is_read_line_by_line() {
    let (_folder, path) = file(b"1;0.5;2.5;true;\"a;b\"\n-7; 1e3;inf;0;c\n");
    type Line = (
        Tensor<i64>,
        Tensor<f32, S1<2>>,
        Tensor<bool>,
        Tensor<String>,
    );
    let csv: Dataset<Line> = Csv::new(path)
        .without_header()
        .delimiter(b';')
        .dataset()
        .unwrap();
    let lines: Vec<_> = csv
        .iter()
        .map(|(a, b, c, d)| (a.item(), b.to_vec(), c.item(), d.item()))
        .collect();
    assert_eq!(lines[0], (1, vec![0.5, 2.5], true, "a;b".to_owned()));
    assert_eq!(
        lines[1],
        (-7, vec![1000.0, f32::INFINITY], false, "c".to_owned())
    );

    #[graph_fn]
    fn sum(lines: &Dataset<Line>) -> Tensor<f32> {
        let mut sum = tensor(0.0);
        for (_, values, ..) in lines.take(1) {
            sum += values.sum();
        }
        sum
    }
    assert_eq!(sum(&csv).item(), 3.0);
}

#[test]
fn a_wrong_line_of_a_csv_file_is_named() {
    #[graph_fn]
    fn sum(lines: &Dataset<(Tensor<f32>, Tensor<i32>)>) -> graph_runtime::Result<Tensor<f32>> {
        let mut sum = tensor(0.0);
        for (x, _) in lines {
            sum += x;
        }
        Ok(sum)
    }
    for (text, message) in [
        (
            "x,y\n1.5,2\nabc,3\n",
            "at byte 10: line 3: column 1: \"abc\" is no float32",
        ),
        (
            "x,y\n1.5,2\n1,2.5\n",
            "at byte 10: line 3: column 2: \"2.5\" is no int32",
        ),
        ("x,y\n1.5\n", "at byte 4: line 2: 1 values where 2 belong"),
        ("x,y\n1,2\n1,\u{0}\n", "is no int32"),
    ] {
        let (_folder, path) = file(text.as_bytes());
        let error = sum(&Csv::new(path).dataset().unwrap()).unwrap_err();
        assert!(error.message().contains(message), "{error}");
    }
    let (_folder, path) = file(b"x\n1\n");
    let refused = Csv::new(path)
        .dataset::<Tensor<f32, S2<2, 2>>>()
        .unwrap_err();
    assert!(
        refused.message().contains("scalars and vectors"),
        "{refused}"
    );
}
