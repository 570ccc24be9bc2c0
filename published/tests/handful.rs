//! Surveys five of the crates at each `cargo test`, and compares the results with those in `results.json`. A failure that isn't recorded there is a
//! fault. If a recorded failure is gone, `cargo run -p graph-published -- NAME` removes it from the record.
//!
//! The crates are dev-dependencies of this package, so that cargo has their sources, locked as any other's.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use graph_published::functions::Kind;
use graph_published::list::{self, Entry};
use graph_published::report::{CrateReport, Run};
use graph_published::survey::Workshop;

/// Text without `std`, two parsers, numerics, a collection; the last two of edition 2015.
const HANDFUL: [&str; 5] = ["heck", "semver", "pico-args", "roots", "vec_map"];

#[test]
fn the_attribute_does_to_a_handful_of_crates_what_is_recorded() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = list::read(&here.join("crates.toml")).expect("the list");
    let text = fs::read_to_string(here.join("results.json")).expect("the results");
    let recorded: Vec<CrateReport> = serde_json::from_str(&text).expect("what the tool wrote");
    let differences: Vec<String> = HANDFUL
        .iter()
        .flat_map(|name| differences(name, &entries, &recorded))
        .collect();
    assert!(differences.is_empty(), "{}", differences.join("\n"));
}

fn differences(name: &str, entries: &[Entry], recorded: &[CrateReport]) -> Vec<String> {
    let entry = entries.iter().find(|entry| entry.name == name);
    let entry = entry.expect("a crate of the list");
    let recorded = recorded.iter().find(|report| report.entry.name == name);
    let recorded = recorded.expect("results of the crate");
    let report = Workshop::standard()
        .survey(entry, &[Kind::Functions, Kind::Methods])
        .unwrap_or_else(|fault| panic!("{name}: {fault}"));
    let runs = report.runs.iter();
    runs.flat_map(|(kind, run)| changes(name, run, &recorded.runs[kind]))
        .collect()
}

/// The facts that are new, and the recorded ones that are no longer true.
fn changes(name: &str, now: &Run, recorded: &Run) -> Vec<String> {
    let (now, recorded) = (facts(now), facts(recorded));
    let new = now.iter().filter(|(fact, _)| !recorded.contains_key(*fact));
    let gone = recorded.iter().filter(|(fact, _)| !now.contains_key(*fact));
    new.map(|(fact, why)| format!("{name}, new: {fact}: {why}"))
        .chain(gone.map(|(fact, _)| format!("{name}, recorded and no longer true: {fact}")))
        .collect()
}

/// The findings of a run: each fact as a text that can be compared, with the message of the compiler or a test, which may change.
fn facts(run: &Run) -> BTreeMap<String, String> {
    let functions = run.failed.iter().map(|failed| {
        let (function, file, line) = (&failed.function, &failed.file, failed.line);
        let fact = format!("`{function}` in {file}:{line} doesn't compile");
        (fact, failed.message.clone())
    });
    let tests = run.newly_failing.iter();
    let tests = tests.map(|failed| {
        (
            format!("`{}` passes no longer", failed.test),
            failed.message.clone(),
        )
    });
    let alone = "doesn't compile with the dependency alone".to_owned();
    let unlinkable = run
        .unlinkable
        .iter()
        .map(|message| (alone.clone(), message.clone()));
    let counts = format!(
        "{} functions under the attribute, {} tests",
        run.attributed, run.tests_before
    );
    let counts = (counts, "another version of the crate?".to_owned());
    functions
        .chain(tests)
        .chain(unlinkable)
        .chain([counts])
        .collect()
}

#[test]
fn a_new_failure_is_a_change_and_so_is_one_that_is_gone() {
    let run = |failed: &str| -> Run {
        let text = format!(
            r#"{{"seen":2,"refused":{{}},"attributed":2,"failed":[{failed}],"tests_before":3,"tests_passed":3,"newly_failing":[],
                "seconds_before":0.0,"seconds_after":0.0}}"#
        );
        serde_json::from_str(&text).expect("a run")
    };
    let good = run("");
    let bad = run(
        r#"{"function":"f","file":"src/lib.rs","line":7,"at":8,"code":null,"message":"refused"}"#,
    );
    assert!(changes("x", &bad, &bad).is_empty());
    let fact = "`f` in src/lib.rs:7 doesn't compile";
    assert_eq!(
        changes("x", &bad, &good),
        [format!("x, new: {fact}: refused")]
    );
    let gone = format!("x, recorded and no longer true: {fact}");
    assert_eq!(changes("x", &good, &bad), [gone]);
}
