//! The protocol: a scripted session, and the replies to requests that can't be fulfilled.

use graph_bench::protocol::Session;
use graph_bench::workloads;
use ndarray::arr0;
use serde_json::{Value, json};

use crate::case::{answer, read, write};

/// The number of threads that every session here asks for; it applies to the whole process.
const THREADS: usize = 3;

#[test]
fn a_whole_session() {
    let folder = tempfile::tempdir().expect("a folder");
    write(folder.path(), 0, &arr0(1.5f32).into_dyn());
    let mut session = Session::new(workloads::find);

    let hello = answer(
        &mut session,
        json!({"op": "hello", "peer": "ours", "threads": THREADS}),
    );
    assert_eq!(
        hello,
        json!({"ok": true, "version": env!("CARGO_PKG_VERSION")})
    );
    assert_eq!(graph_runtime::threads(), THREADS);

    let prepared = answer(
        &mut session,
        json!({"op": "prepare", "name": "call_overhead_add_scalar", "peer": "ours", "dir": folder.path()}),
    );
    assert_eq!(prepared["ok"], true);
    assert!(prepared["first_call_s"].as_f64().expect("a number") > 0.0);
    assert_eq!(read::<f32>(folder.path(), 0), arr0(2.5).into_dyn());

    let calibrated = answer(
        &mut session,
        json!({"op": "calibrate", "peer": "ours", "min_ms": 0.1}),
    );
    assert!(calibrated["inner"].as_u64().expect("a number") >= 1);

    let sampled = answer(
        &mut session,
        json!({"op": "sample", "peer": "ours", "count": 3, "hot": false, "max_s": 60.0}),
    );
    for column in ["ns", "cpu_ns", "faults", "delay"] {
        assert_eq!(
            sampled[column].as_array().expect(column).len(),
            3,
            "{column}"
        );
    }
    assert!(sampled["ns"][0].as_f64().expect("a number") > 0.0);

    let drop = json!({"op": "drop", "peer": "ours"});
    assert_eq!(answer(&mut session, drop), json!({"ok": true}));
    let after = answer(&mut session, json!({"op": "calibrate", "min_ms": 1}));
    assert_eq!(after, json!({"ok": false, "error": "nothing is prepared"}));
}

/// The error of a reply, after a check that the session still works.
fn refused(request: Value) -> Value {
    let mut session = Session::new(workloads::find);
    let reply = answer(&mut session, request);
    assert_eq!(reply["ok"], false);
    let hello = answer(&mut session, json!({"op": "hello", "threads": THREADS}));
    assert_eq!(hello["ok"], true);
    reply
}

#[test]
fn workloads_that_are_not_there_are_unsupported() {
    for name in ["no such thing", "grad_while_101", ""] {
        let reply = refused(json!({"op": "prepare", "name": name, "dir": "/nowhere"}));
        let error = format!("no workload {name}");
        assert_eq!(
            reply,
            json!({"ok": false, "error": error, "unsupported": true})
        );
    }
}

#[test]
fn what_cannot_be_done_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    let prepare =
        json!({"op": "prepare", "name": "call_overhead_add_scalar", "dir": folder.path()});
    let missing = refused(prepare.clone());
    assert!(
        missing["error"].to_string().contains("in0.npy"),
        "{missing}"
    );
    assert_eq!(missing["unsupported"], Value::Null);

    write(folder.path(), 0, &arr0(1i64).into_dyn());
    let wrong_dtype = refused(prepare);
    assert!(
        wrong_dtype["error"].to_string().contains("in0.npy"),
        "{wrong_dtype}"
    );

    refused(json!({"op": "fly"}));
    refused(json!({"op": "sample", "count": 1, "max_s": -1.0}));
    refused(json!([1, 2]));
}

#[test]
fn a_workload_that_panics_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    for index in 0..2 {
        write(
            folder.path(),
            index,
            &ndarray::Array2::<f32>::zeros((2, 3)).into_dyn(),
        );
    }
    let reply = refused(json!({"op": "prepare", "name": "matmul_f32_64", "dir": folder.path()}));
    let error = reply["error"].to_string();
    assert!(
        error.contains("panic") && error.contains("matmul"),
        "{error}"
    );
}

#[test]
fn every_line_has_one_reply() {
    let mut session = Session::new(workloads::find);
    for line in ["", "{", "null", "{\"op\":\"drop\"}"] {
        assert!(!session.answer(line).contains('\n'));
    }
}
