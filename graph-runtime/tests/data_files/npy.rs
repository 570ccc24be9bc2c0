//! npy files of all versions, dtypes and orders.

use graph_runtime::data::{DataError, read_npy};
use graph_runtime::prelude::*;
use proptest::prelude::*;

use crate::file;

pub fn npy_of<T: graph_runtime::data::NpyElement>(bytes: &[u8]) -> Result<Tensor<T>, DataError> {
    let (_folder, path) = file(bytes);
    read_npy(path)
}

/// An npy file of version 1.
pub fn npy(header: &str, values: &[u8]) -> Vec<u8> {
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
            "1 bytes follow the values",
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

/// An npy file with these bytes as its header, without padding.
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
    // More than fits a header of version 1.
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
        (b"", 10, "expected `{`, found the end"),
        (b"(1, 2)", 10, "expected `{`, found `(`"),
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
        (b"{'descr': '<f4', 'more': 1}", 27, "unknown key 'more'"),
        (b"{'desc\\x72': '<f4'}", 16, "a text has no end"),
        (b"{'descr': '<f4", 24, "a text has no end"),
        (b"{'descr' '<f4'}", 19, "expected `:`, found `\\'`"),
        (
            b"{'descr': '<f4' 'shape': ()}",
            26,
            "expected `}`, found `\\'`",
        ),
        (
            b"{'descr': '<f4',, 'shape': ()}",
            26,
            "expected a text in quotes, found `,`",
        ),
        (b"{,}", 11, "expected a text in quotes, found `,`"),
        (
            b"{\xff\xfe: 1}",
            11,
            "expected a text in quotes, found `\\xff`",
        ),
        (b"{'\xff\xfe': 1}", 11, "unknown key '\\xff\\xfe'"),
        (
            b"{'descr': '\xff4', 'fortran_order': False, 'shape': ()}",
            10,
            "the values are '\\xff4', where float32 is read",
        ),
        (b"{'descr': [('a', '<f4')]}", 20, "the values are records"),
        (b"{'descr': ('<f4', (2,))}", 20, "the values are records"),
        (b"{'descr': 4}", 20, "expected a text in quotes, found `4`"),
        (
            b"{'fortran_order': 1}",
            28,
            "expected `True` or `False`, found `1`",
        ),
        (b"{'fortran_order': 'True'}", 28, "`True` or `False`"),
        (b"{'fortran_order': Tru", 28, "`True` or `False`"),
        (b"{'fortran_order': Falsely}", 33, "expected `}`, found `l`"),
        (b"{'shape': 3}", 20, "expected `(`, found `3`"),
        (b"{'shape': (3)}", 22, "expected `,`, found `)`"),
        (b"{'shape': (,)}", 21, "expected a size, found `,`"),
        (b"{'shape': (2,,3)}", 23, "expected a size, found `,`"),
        (b"{'shape': (2, 3", 25, "expected `)`, found the end"),
        (b"{'shape': (2 3)}", 23, "expected `,`, found `3`"),
        (b"{'shape': (-1,)}", 21, "expected a size, found `-`"),
        (b"{'shape': (+1,)}", 21, "expected a size, found `+`"),
        (b"{'shape': (1.5,)}", 22, "expected `,`, found `.`"),
        (b"{'shape': (0x10,)}", 22, "expected `,`, found `x`"),
        (b"{'shape': ((3,),)}", 21, "expected a size, found `(`"),
        (b"{'shape': (((((((((3", 21, "expected a size, found `(`"),
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
            "expected nothing, found `1`",
        ),
        (
            b"{'descr': '<f4', 'fortran_order': False, 'shape': ()}\0",
            63,
            "expected nothing, found `\\x00`",
        ),
        (
            b"{'descr': '<f4', 'fortran_order': False, 'shape': ()}}",
            63,
            "expected nothing, found `}`",
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
    // The product of the sizes wraps to 0 or a small number, which is the length of the file's data.
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
    // These sizes fit the address space, but the file doesn't have the data.
    let error = npy_of::<f32>(&header("(1000000000000,)")).unwrap_err();
    assert_eq!(
        error.message(),
        "the file ends 4000000000000 bytes too early"
    );
    let error = npy_of::<f32>(&header(&format!("({})", "1, ".repeat(65)))).unwrap_err();
    assert!(error.message().contains("more than 64 axes"), "{error}");
    let many = [header(&format!("({})", "1, ".repeat(64))), vec![0; 4]].concat();
    assert_eq!(npy_of::<f32>(&many).unwrap().rank(), 64);
    // A long text in the file doesn't make a long message.
    let long = format!("{{'descr': '{}'}}", "\x1b".repeat(60000));
    let long = format!(
        "{}, 'fortran_order': True, 'shape': ()}}",
        &long[..long.len() - 1]
    );
    let error = npy_of::<f32>(&npy_with(2, long.as_bytes(), &[])).unwrap_err();
    assert!(error.message().len() < 300, "{error}");
    // A byte that is neither 0 nor 1 isn't a boolean.
    let header = b"{'descr': '|b1', 'fortran_order': False, 'shape': (3,)}";
    let error = npy_of::<bool>(&npy_with(1, header, &[0, 1, 2])).unwrap_err();
    assert_eq!(error.offset(), Some(10 + header.len() as u64 + 2));
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
