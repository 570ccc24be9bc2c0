//! Conformance: TensorFlow's own programs, translated to Rust, have the results of TensorFlow: dtypes, shapes,
//! values, printed lines, errors and numbers of traces, in graphs and eagerly.
//!
//! `harness` reads the record (`conformance/cases.json`) and compares. `programs` has the translations and their table,
//! `siblings` and `corners` the same for programs written for this project. `differences` lists the cases in which Rust intentionally
//! differs. A case of the families below that is in
//! neither table fails the test. `CONFORMANCE_CASE=id` runs a single case.

mod corners;
mod differences;
mod harness;
mod programs;
mod siblings;

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use differences::{DIFFERENCES, What};
use harness::record::{self, Case, cases};
use harness::script::name;
use harness::{Row, run};

/// The families of programs.
const FAMILIES: &[&str] = &[
    "if_nest",
    "ternary",
    "logical",
    "short_circuit",
    "literal_mixed",
    "literals",
    "switch_case",
    "while",
    "while_true",
    "for_tf_range",
    "for_rows",
    "for_py_range",
    "for_dataset",
    "nested_loops",
    "nested_break",
    "nested_functions",
    "loop_state",
    "break",
    "continue",
    "early_return",
    "return_in_loop",
    "algorithms",
    "tf_limits",
    "err_branches",
    "err_loop_vars",
    "err_condition",
    "err_ops",
    "retrace",
    "captures",
    "seeds",
    "where_vectorised",
    "int_division",
    "division_by_zero",
    "overflow",
    "nan",
    "casts",
    "dtypes",
    "argmax",
    "empty",
    "broadcasting",
    "indexing",
    "linear_algebra",
    "softmax",
    "sorting",
    "pow",
    "containers",
    "non_strict",
    "effect_order",
    "asserts",
    "tensorarray",
    "higher_order",
    "shape_ops",
    "python_lists",
    "ml_programs",
    "variables",
    "input_signature",
    "reduce_retracing",
    "dispatch",
    "concrete_function",
    "grad_cond",
    "grad_while",
    "grad_for",
    "grad_second_order",
    "grad_edges",
    "grad_none",
    "grad_shapes",
    "grad_variables",
];

// There is one test, because the switch to eager runs holds for all threads.
#[test]
fn programs_give_what_tensorflow_gave() {
    graph_tests_device::set_default_of_environment();
    let mut cases = cases();
    cases.extend(record::siblings());
    cases.extend(record::corners());
    let written = siblings::tables().chain(corners::tables());
    let rows = programs::tables().chain(written);
    let rows: HashMap<&str, &Row> = rows.map(|row| (row.id, row)).collect();
    let only = std::env::var("CONFORMANCE_CASE").ok();
    let mut failures = inconsistencies(&cases, &rows);
    let mut run_cases = 0;
    for case in cases
        .iter()
        .filter(|c| FAMILIES.contains(&c.family.as_str()))
    {
        let Some(row) = rows.get(case.id.as_str()) else {
            continue;
        };
        if only.as_ref().is_none_or(|id| *id == case.id) {
            run_cases += 1;
            failures.extend(run::run(case, row));
        }
    }
    assert!(
        failures.is_empty(),
        "{} of {run_cases} cases and their tables: {} failures\n  {}",
        failing(&failures),
        failures.len(),
        failures.join("\n  ")
    );
    if graph_runtime::device::current() == graph_tests_device::vault() && only.is_none() {
        let traffic = graph_tests_device::traffic();
        assert!(traffic.applied > 10_000 && traffic.ran > 500, "{traffic:?}");
    }
}

#[test]
fn so_they_do_where_values_live_on_another_device() {
    on_device("vault");
}

#[test]
fn so_they_do_on_an_emulated_gpu() {
    on_device("gpu");
}

/// Runs all programs in a process of its own, because the record counts traces.
fn on_device(name: &str) {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "programs_give_what_tensorflow_gave"])
        .env("GRAPH_TESTS_DEVICE", name)
        // The models of the programs are those of the CPU, written once.
        .env_remove("ONNX_CASES")
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("1 passed"), "{text}");
}

/// Counts how many calls of the given cases have the recorded result, by family; `cargo test --test conformance -- --nocapture` prints
/// this. At least 95 % must. (Other numbers of traces, eager runs, mistakes of TensorFlow's optimizer, and errors that are found at compile
/// time don't count as different results.)
#[test]
fn nearly_all_given_calls_are_equal() {
    let cases = cases();
    let (mut given, mut equal) = (0, 0);
    println!("{:20} cases calls equal otherwise", "family");
    for family in FAMILIES {
        let cases: Vec<&Case> = cases.iter().filter(|c| c.family == *family).collect();
        let verdicts: Vec<Verdict> = cases.iter().flat_map(|c| verdicts(c)).collect();
        let count = |verdict| verdicts.iter().filter(|v| **v == verdict).count();
        let [same, otherwise] = [Verdict::Equal, Verdict::Otherwise].map(count);
        let (cases, calls) = (cases.len(), verdicts.len());
        println!("{family:20} {cases:5} {calls:5} {same:5} {otherwise:9}");
        given += calls;
        equal += same;
    }
    println!("{equal} of {given} calls are equal");
    assert!(equal * 100 >= given * 95, "{equal} of {given}");
}

/// Whether one call or entry of a case has the recorded result.
#[derive(PartialEq)]
enum Verdict {
    Equal,
    /// Its result differs intentionally.
    Otherwise,
}

/// The verdicts on all calls and entries of a case.
fn verdicts(case: &Case) -> Vec<Verdict> {
    let calls = (0..case.calls.len()).map(|i| format!("call {i}"));
    let entries = (0..case.entries.len()).map(|i| name(case, i));
    let said = |at: String| differences::find(&case.id, "").or(differences::find(&case.id, &at));
    calls
        .chain(entries)
        .map(|at| match said(at) {
            Some(What::NoCounterpart | What::InGraphs(_) | What::Gives(_)) => Verdict::Otherwise,
            _ => Verdict::Equal,
        })
        .collect()
}

/// The number of different cases among the failures.
fn failing(failures: &[String]) -> usize {
    let mut ids: Vec<_> = failures
        .iter()
        .filter_map(|f| f.split(' ').next())
        .collect();
    ids.dedup();
    ids.len()
}

/// The contradictions between the tables and the record.
fn inconsistencies(cases: &[Case], rows: &HashMap<&str, &Row>) -> Vec<String> {
    let mut wrong = Vec::new();
    for case in cases
        .iter()
        .filter(|c| FAMILIES.contains(&c.family.as_str()))
    {
        let translated = rows.contains_key(case.id.as_str());
        let left_out = differences::find(&case.id, "").is_some_and(What::is_left_out);
        if translated == left_out {
            let which = if translated { "both" } else { "neither" };
            wrong.push(format!("{} is {which} translated and left out", case.id));
        }
    }
    for id in rows.keys() {
        if !cases
            .iter()
            .any(|c| c.id == *id && FAMILIES.contains(&c.family.as_str()))
        {
            wrong.push(format!("{id} is translated, but no case of these families"));
        }
    }
    for difference in DIFFERENCES {
        let places = |case: &Case| {
            let calls = (0..case.calls.len()).map(|i| format!("call {i}"));
            let entries = (0..case.entries.len()).map(|i| name(case, i));
            calls.chain(entries).any(|at| at == difference.at)
        };
        let case = cases.iter().find(|c| c.id == difference.id);
        if !case.is_some_and(|c| difference.at.is_empty() || places(c)) {
            wrong.push(format!(
                "{} has no {:?} to differ in",
                difference.id, difference.at
            ));
        }
        if let What::Refused(ui_test) = difference.what {
            // On another machine, the variable says where the tests are.
            let folder = std::env::var("CARGO_MANIFEST_DIR");
            let folder = folder.as_deref().unwrap_or(env!("CARGO_MANIFEST_DIR"));
            let file = Path::new(folder)
                .join("../ui-tests/cases/fail")
                .join(ui_test);
            if !file.is_file() {
                wrong.push(format!("{}: there is no ui-test {ui_test}", difference.id));
            }
        }
    }
    wrong
}
