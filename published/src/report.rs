//! The results, as JSON and as a table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::list::Entry;

/// The effects of the attribute on one crate.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CrateReport {
    /// The crate.
    #[serde(flatten)]
    pub entry: Entry,
    /// The results by the kind of functions that had the attribute.
    pub runs: BTreeMap<String, Run>,
}

/// The results with the attribute on all functions of a kind.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Run {
    /// The number of functions of the kind.
    pub seen: usize,
    /// The number of functions that the documentation refuses, by reason.
    pub refused: BTreeMap<String, usize>,
    /// The number of the others.
    pub attributed: usize,
    /// The functions that don't compile.
    pub failed: Vec<FailedFunction>,
    /// The number of tests that pass without the attribute.
    pub tests_before: usize,
    /// The number of these that pass with it.
    pub tests_passed: usize,
    /// The tests that don't.
    pub newly_failing: Vec<FailedTest>,
    /// The error if the crate doesn't compile with graph-runtime among its dependencies, even without the attribute.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unlinkable: Option<String>,
    /// The time that the tests took without the attribute.
    pub seconds_before: f64,
    /// The time that they took with it.
    pub seconds_after: f64,
}

/// A function that doesn't compile under the attribute.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FailedFunction {
    /// Its path inside the file.
    pub function: String,
    /// The file, relative to the crate's folder.
    pub file: String,
    /// The line of the published file in which it begins.
    pub line: usize,
    /// The line of the error, if it is inside the function.
    pub at: Option<usize>,
    /// The compiler's error code, or the name of a lint.
    pub code: Option<String>,
    /// The first line of the error.
    pub message: String,
}

/// A test that passes only without the attribute.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FailedTest {
    /// The name, prefixed by the file name for an integration test.
    pub test: String,
    /// Its output.
    pub message: String,
}

impl FailedFunction {
    /// The class of the error: the message without the names in it.
    pub fn class(&self) -> String {
        let mut class = String::new();
        if let Some(code) = &self.code {
            class += code;
            class += ": ";
        }
        for (index, part) in self.message.split('`').enumerate() {
            class += if index % 2 == 0 { part } else { "`…`" };
        }
        class
    }
}

/// The sums over all crates.
#[derive(Default)]
struct Sums {
    seen: usize,
    refused: usize,
    attributed: usize,
    failed: usize,
    before: usize,
    passed: usize,
}

impl Sums {
    fn add(&mut self, run: &Run) {
        self.seen += run.seen;
        self.refused += run.refused.values().sum::<usize>();
        self.attributed += run.attributed;
        self.failed += run.failed.len();
        self.before += run.tests_before;
        self.passed += run.tests_passed;
    }

    fn cells(&self) -> String {
        let Sums {
            seen,
            refused,
            attributed,
            failed,
            before,
            passed,
        } = self;
        let compiled = attributed - failed;
        let share = match attributed {
            0 => "–".to_owned(),
            _ => format!("{:.1} %", 100.0 * compiled as f64 / *attributed as f64),
        };
        format!("{seen} | {refused} | {attributed} | {failed} | {share} | {before} | {passed}")
    }
}

const ABOUT: &str = "# Published crates under the attribute

Written by `cargo run -p graph-published`: change that, not this. `#[graph_fn]` stands on every function of a published crate, in a second run on
every method; from what doesn't compile it is taken off, and the crate's own tests run with the rest.

* **seen**: functions with this kind that the compiler sees, in `src` and `tests`, but for the tests themselves and what a macro writes.
* **refused**: what the documentation refuses: `const fn`, `async fn`, `unsafe fn`, `extern fn` and functions without a body.
* **fail**: what doesn't compile under the attribute, of the others.
* **tests**: those that pass without the attribute; **pass**: those of them that pass with it. Documentation tests don't run.

`results.json` has each failure with its message.
";

/// The table.
pub fn markdown(crates: &[CrateReport]) -> String {
    let mut text = ABOUT.to_owned();
    let mut kinds: Vec<&String> = crates
        .iter()
        .flat_map(|report| report.runs.keys())
        .collect();
    kinds.sort();
    kinds.dedup();
    for kind in kinds {
        let runs = crates
            .iter()
            .filter_map(|report| Some((report, report.runs.get(kind)?)));
        let runs: Vec<(&CrateReport, &Run)> = runs.collect();
        table(&mut text, kind, &runs);
        classes(&mut text, &runs);
        tests(&mut text, &runs);
    }
    text
}

fn table(text: &mut String, kind: &str, runs: &[(&CrateReport, &Run)]) {
    let _ = writeln!(text, "\n## The attribute on {kind}\n");
    *text += "| crate | what it is | seen | refused | under the attribute | fail | compile | tests | pass |\n";
    *text += "|---|---|--:|--:|--:|--:|--:|--:|--:|\n";
    let mut all = Sums::default();
    for (report, run) in runs {
        let mut sums = Sums::default();
        sums.add(run);
        all.add(run);
        let Entry {
            name,
            version,
            kind,
            ..
        } = &report.entry;
        let _ = writeln!(text, "| {name} {version} | {kind} | {} |", sums.cells());
    }
    let _ = writeln!(text, "| **{} crates** | | {} |", runs.len(), all.cells());
}

fn classes(text: &mut String, runs: &[(&CrateReport, &Run)]) {
    let mut classes: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (report, run) in runs {
        for failed in &run.failed {
            classes
                .entry(failed.class())
                .or_default()
                .push(&report.entry.name);
        }
        if let Some(message) = &run.unlinkable {
            let class = format!("With the dependency alone: {message}");
            classes.entry(class).or_default().push(&report.entry.name);
        }
    }
    if classes.is_empty() {
        return;
    }
    let mut classes: Vec<(String, Vec<&str>)> = classes.into_iter().collect();
    classes.sort_by_key(|(_, crates)| std::cmp::Reverse(crates.len()));
    *text += "\nWhat the compiler says:\n\n| functions | message | in |\n|--:|---|---|\n";
    for (class, mut crates) in classes {
        let count = crates.len();
        crates.dedup();
        let crates = crates.join(", ");
        let _ = writeln!(
            text,
            "| {count} | {} | {crates} |",
            class.replace('|', "\\|")
        );
    }
}

fn tests(text: &mut String, runs: &[(&CrateReport, &Run)]) {
    let failing = runs.iter().flat_map(|(report, run)| {
        let name = &report.entry.name;
        run.newly_failing.iter().map(move |failed| (name, failed))
    });
    let lines: Vec<String> = failing
        .map(|(name, FailedTest { test, message })| {
            let message: String = message.chars().take(160).collect();
            format!("* {name}, `{test}`: {message}")
        })
        .collect();
    if !lines.is_empty() {
        let _ = writeln!(text, "\nTests that pass no longer:\n\n{}", lines.join("\n"));
    }
}

#[cfg(test)]
mod tests {
    use super::FailedFunction;

    #[test]
    fn a_class_has_no_names() {
        let failed = FailedFunction {
            function: "f".to_owned(),
            file: "src/lib.rs".to_owned(),
            line: 1,
            at: None,
            code: Some("E0382".to_owned()),
            message: "use of moved value: `x`".to_owned(),
        };
        assert_eq!(failed.class(), "E0382: use of moved value: `…`");
    }
}
