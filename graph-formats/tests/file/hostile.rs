//! Damaged and malicious files: an error with its place, no panic, and no memory beyond a small multiple of the file.

use graph_formats::file::{ReadError, read, write};
use proptest::prelude::*;

use crate::contents::{counters, dtypes, structures};

fn originals() -> Vec<Vec<u8>> {
    [counters(), structures(), dtypes()]
        .iter()
        .map(|contents| write(contents).unwrap())
        .collect()
}

/// A file with this header and data.
fn file(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = (header.len() as u64).to_le_bytes().to_vec();
    bytes.extend_from_slice(header.as_bytes());
    bytes.extend_from_slice(data);
    bytes
}

#[track_caller]
fn refused(bytes: &[u8], message: &str) {
    let ReadError {
        place,
        message: found,
    } = read(bytes).unwrap_err();
    let whole = format!("{place}: {found}");
    assert!(!place.is_empty() && whole.contains(message), "{whole}");
}

#[test]
fn every_file_cut_short_is_refused() {
    for bytes in originals() {
        for end in 0..bytes.len() {
            assert!(read(&bytes[..end]).is_err(), "{end} of {}", bytes.len());
        }
        let mut longer = bytes.clone();
        longer.push(0);
        refused(&longer, "bytes of data");
    }
}

#[test]
fn lies_about_sizes_are_refused() {
    refused(
        &u64::MAX.to_le_bytes(),
        "a header of 18446744073709551615 bytes in a file of 8",
    );
    refused(&file("{}", &[]), "no \"graph.version\" in the metadata");
    let tensor = |entry: &str, data: &[u8]| file(&format!("{{\"t\":{entry}}}"), data);
    let entries = [
        r#"{"dtype":"F32","shape":[1],"data_offsets":[0,18446744073709551615]}"#,
        r#"{"dtype":"F32","shape":[1],"data_offsets":[4,0]}"#,
        r#"{"dtype":"F32","shape":[1],"data_offsets":[0]}"#,
        r#"{"dtype":"F32","shape":1,"data_offsets":[0,4]}"#,
    ];
    for entry in entries {
        refused(
            &tensor(entry, &[0; 4]),
            "tensor t: its dtype, shape or place is wrong",
        );
    }
    let overlapping = r#"{"a":{"dtype":"U8","shape":[2],"data_offsets":[0,2]},"b":{"dtype":"U8","shape":[2],"data_offsets":[1,3]}}"#;
    refused(
        &file(overlapping, &[0; 3]),
        "a tensor begins at byte 1 of the data, not at 2",
    );
    let original = originals().swap_remove(2);
    let length = u64::from_le_bytes(*original.first_chunk().unwrap()) as usize;
    let (header, data) = original[8..].split_at(length);
    let header = str::from_utf8(header).unwrap();
    assert!(header.contains("\"shape\":[2,3]"));
    let shapes = [
        "[2,4]",
        "[9223372036854775807,3]",
        "[4294967296,4294967296]",
        "[]",
    ];
    for shape in shapes {
        let changed = header.replacen("\"shape\":[2,3]", &format!("\"shape\":{shape}"), 1);
        let error = read(&file(&changed, data)).unwrap_err();
        assert!(error.place.starts_with("tensor v"), "{error}");
    }
}

/// A file of one function with this text.
fn of_text(text: &str, described: &str) -> Vec<u8> {
    let metadata = serde_json::json!({
        "graph.version": "1",
        "graph.text": text,
        "graph.functions": described,
    });
    file(
        &serde_json::json!({ "__metadata__": metadata }).to_string(),
        &[],
    )
}

const NOTHING: &str = r#"{"functions":[],"variables":[],"strings":[]}"#;

#[test]
fn a_text_has_its_line_and_column() {
    read(&of_text("", NOTHING)).unwrap();
    refused(
        &of_text(
            "fn f() -> int32[] {\n  x = noop() : int32[]\n  return x }",
            NOTHING,
        ),
        "graph.text:2:7: no op is called `noop`",
    );
    refused(
        &of_text(
            "fn f(x: int32[]) -> int32[] { y = add(x) : int32[] return y }",
            NOTHING,
        ),
        "graph.text:1:31: node 0 (add)",
    );
    refused(
        &of_text(
            "fn f() -> int32[9] { x = constant #0 : int32[9] return x }",
            NOTHING,
        ),
        "graph.text:1:35: there is no constant 0, only 0 come with the text",
    );
    refused(
        &of_text(
            "fn f() -> int32[] { y = call f() : int32[] return y }",
            NOTHING,
        ),
        "no function of this name stands above",
    );
}

#[test]
fn a_short_text_can_not_ask_for_much() {
    let zeros =
        "fn f() -> int32[16777216] { x = constant [0; 16777216] : int32[16777216] return x }";
    refused(
        &of_text(zeros, NOTHING),
        "graph.text:1:42: 16777216 equal values in a text",
    );
    let mut doubling =
        "fn f0(x: int32[]) -> int32[] { y = neg(x) : int32[] return y }\n".to_owned();
    for i in 1..40 {
        let called = i - 1;
        doubling += &format!(
            "fn f{i}(x: int32[]) -> int32[] {{ y = call f{called}(x) : int32[] z = call f{called}(y) : int32[] return z }}\n"
        );
    }
    refused(&of_text(&doubling, NOTHING), "more than 1048576 nodes");
    let deep = format!(
        "fn f(p: bool[], x: int32[]) -> int32[] {{ {}",
        "y = cond p (p, x) : int32[] { then (p: bool[], x: int32[]) { ".repeat(100_000)
    );
    refused(&of_text(&deep, NOTHING), "subgraphs nest deeper than 64");
    let recipe = format!(
        "fn f() -> int64[] {{ i = begin_iteration {}",
        "repeat(".repeat(100_000)
    );
    refused(&of_text(&recipe, NOTHING), "datasets nest deeper than 64");
}

#[test]
fn signatures_that_do_not_fit_are_refused() {
    let text = "fn f(x: int32[]) with (v: int32[]) -> int32[] { return x }";
    let described =
        |function: &str| format!(r#"{{"functions":[{function}],"variables":[],"strings":[]}}"#);
    let cases = [
        (
            r#"{"name":"f","function":"f","graph":"g","parameters":[],"results":null,"variables":[]}"#,
            "function 0 has no such signature",
        ),
        (
            r#"{"name":"f","function":"f","graph":"f","parameters":[],"results":"tensor","variables":[]}"#,
            "0 inputs in the signature, but 1 in the graph",
        ),
        (
            r#"{"name":"f","function":"f","graph":"f","parameters":[["x","tensor"],["y","tensor"]],"results":"tensor","variables":[]}"#,
            "function 0 has no such signature",
        ),
        (
            r#"{"name":"f","function":"f","graph":"f","parameters":[["x","tensor"]],"results":{"tuple":[]},"variables":[]}"#,
            "0 outputs in the signature, but 1 in the graph",
        ),
        (
            r#"{"name":"f","function":"f","graph":"f","parameters":[["x","tensor"]],"results":"tensor","variables":[]}"#,
            "function \"f\" has 0 variables, but its graph 1",
        ),
        (
            r#"{"name":"f","function":"f","graph":"f","parameters":[["x","tensor"]],"results":"tensor","variables":[9]}"#,
            "function \"f\" has no variable 9",
        ),
        (
            r#"{"name":"f","function":"f","graph":"f","parameters":[["x","tensor"],["v",{"variable":3}]],"results":"tensor","variables":[]}"#,
            "function 0 has no such signature",
        ),
    ];
    for (function, message) in cases {
        refused(&of_text(text, &described(function)), message);
    }
    let nested = described(&format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000)));
    refused(&of_text(text, &nested), "values nest deeper than 200");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Whatever bytes are changed, the result is an error or contents that can be written.
    #[test]
    fn changed_bytes_do_no_harm(
        which in 0usize..3,
        changes in proptest::collection::vec((any::<proptest::sample::Index>(), any::<u8>()), 1..6),
    ) {
        let mut bytes = originals().swap_remove(which);
        for (place, byte) in &changes {
            let place = place.index(bytes.len());
            bytes[place] = *byte;
        }
        if let Ok(contents) = read(&bytes) {
            let again = write(&contents).unwrap();
            prop_assert!(read(&again).is_ok());
        }
    }

    /// The same for parts that are cut out, moved or repeated.
    #[test]
    fn moved_parts_do_no_harm(
        which in 0usize..3,
        from in any::<proptest::sample::Index>(),
        length in 0usize..40,
        to in any::<proptest::sample::Index>(),
        keep in any::<bool>(),
    ) {
        let mut bytes = originals().swap_remove(which);
        let from = from.index(bytes.len());
        let part = bytes[from..(from + length).min(bytes.len())].to_vec();
        if !keep {
            bytes.drain(from..from + part.len());
        }
        let to = to.index(bytes.len() + 1);
        bytes.splice(to..to, part);
        if let Ok(contents) = read(&bytes) {
            prop_assert!(write(&contents).is_ok());
        }
    }
}
