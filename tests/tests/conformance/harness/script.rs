//! Cases that make their own functions and calls: the translated script makes the same calls in the same order, and each is
//! compared with its entry in the record.
//!
//! The record has no eager run of a script. Ours must still give the same values, so the script runs a second time,
//! eagerly, and the values are compared again; traces, trace-time lines and errors aren't.

use std::collections::HashMap;

use graph_runtime::{GraphFunction, run_functions_eagerly};

use super::compare::{Expected, Observed, Outcome, check, same};
use super::record::{Case, Entry};
use super::run::{Mode, judge, observe};
use super::value::{Arguments, IntoValue, Value};
use crate::differences::{self, What};

/// A running script.
pub struct Script<'a> {
    case: &'a Case,
    mode: Mode,
    next: usize,
    /// The intended difference between a function's number of traces and the record's.
    ahead: HashMap<*const GraphFunction, isize>,
    failures: Vec<String>,
}

impl<'a> Script<'a> {
    pub fn new(case: &'a Case, mode: Mode) -> Script<'a> {
        Script {
            case,
            mode,
            next: 0,
            ahead: HashMap::new(),
            failures: Vec::new(),
        }
    }

    /// A recorded call. The record counts the traces of `graphs`: several functions if one Python function with arguments of several
    /// types is several functions in Rust, none for a plain function. `run` takes the recorded arguments.
    pub fn call<R: IntoValue>(
        &mut self,
        label: &str,
        graphs: &[&'static GraphFunction],
        run: impl FnOnce(&mut Arguments) -> R,
    ) {
        let Some((entry, at)) = self.advance(label) else {
            return;
        };
        let named = entry.kwargs.iter().map(|(name, value)| {
            let value = Value::try_from(value.clone()).expect("a recorded argument");
            (name.clone(), value)
        });
        let arguments = Arguments {
            positional: entry.args.iter().cloned().collect(),
            named: named.collect(),
        };
        let observed = observe(graphs, arguments, |arguments| run(arguments).into_value());
        let difference = differences::find(&self.case.id, &at);
        if self.mode == Mode::Eager && entry.error.is_some() {
            return;
        }
        let recorded = self.expected(entry, graphs, &observed, difference);
        let tolerance = self.case.tolerance();
        let complaints = judge(
            &observed,
            recorded.clone(),
            difference,
            self.mode,
            tolerance,
            |_| recorded.clone(),
        );
        for complaint in complaints {
            self.complain(&at, &complaint);
        }
    }

    /// A recorded step without a result: only what it prints is compared.
    pub fn does<R>(&mut self, label: &str, run: impl FnOnce() -> R) -> R {
        let entry = self.advance(label);
        let mut result = None;
        let observed = observe(&[], Arguments::default(), |_| {
            result = Some(run());
            Value::Nothing
        });
        if let (Some((entry, at)), Mode::Graph) = (entry, self.mode) {
            let expected = Expected {
                outcome: Outcome::Value(Value::Nothing),
                printed: Some(entry.printed.clone()),
                new_traces: None,
            };
            for complaint in check(&observed, &expected, self.case.tolerance()) {
                self.complain(&at, &complaint);
            }
        }
        result.expect("it was run")
    }

    /// A recorded value.
    pub fn value(&mut self, label: &str, value: impl IntoValue) {
        let Some((entry, at)) = self.advance(label) else {
            return;
        };
        let ours = value.into_value();
        let recorded = entry.value.as_ref().expect("an entry with a value");
        if self.mode == Mode::Graph && !same(&ours, recorded, self.case.tolerance()) {
            self.complain(&at, &format!("is {ours}, expected {recorded}"));
        }
    }

    /// Switches eager running on or off, as the script says.
    pub fn eagerly(&mut self, eagerly: bool) {
        run_functions_eagerly(eagerly || self.mode == Mode::Eager);
    }

    /// The result of an entry according to the record.
    fn expected(
        &mut self,
        entry: &Entry,
        graphs: &[&'static GraphFunction],
        observed: &Observed,
        difference: Option<&What>,
    ) -> Expected {
        let outcome = match (&entry.outputs, &entry.error) {
            (Some(value), _) => Outcome::Value(value.clone()),
            (None, Some(error)) => Outcome::TensorFlowError(error.core.clone()),
            (None, None) => panic!("the entry {:?} is no call", entry.label),
        };
        if self.mode == Mode::Eager {
            // Lines of trace time are printed by each eager run, so they aren't compared.
            return Expected {
                outcome,
                printed: None,
                new_traces: Some(0),
            };
        }
        let failed = entry.error.is_some();
        let new_traces = entry
            .tracing_count
            .filter(|_| !failed)
            .zip(graphs.first())
            .map(|(count, first)| {
                let total: usize = graphs.iter().map(|g| g.trace_count()).sum();
                let before = (total - observed.new_traces) as isize;
                let ahead = self.ahead.entry(std::ptr::from_ref(*first)).or_default();
                let new = count as isize + *ahead - before;
                if matches!(difference, Some(What::Gives(_) | What::InGraphs(_))) {
                    *ahead = total as isize - count as isize;
                }
                usize::try_from(new).unwrap_or(usize::MAX)
            });
        let printed = (!failed).then(|| entry.printed.clone());
        Expected {
            outcome,
            printed,
            new_traces,
        }
    }

    /// The next entry, whose label must be the script's, and its name in the table of differences.
    fn advance(&mut self, label: &str) -> Option<(&'a Entry, String)> {
        while let Some(entry) = self.case.entries.get(self.next) {
            let at = name(self.case, self.next);
            let left_out = differences::find(&self.case.id, &at).is_some_and(What::is_left_out);
            self.next += 1;
            if !left_out {
                if entry.label == label {
                    return Some((entry, at));
                }
                self.complain(&at, &format!("is not what the script does here: {label:?}"));
                return None;
            }
        }
        self.complain(label, "is no entry of the record");
        None
    }

    fn complain(&mut self, at: &str, complaint: &str) {
        let (id, mode) = (&self.case.id, self.mode.name());
        self.failures
            .push(format!("{id} ({mode}, {at:?}): {complaint}"));
    }

    /// All failures; an entry that the script has left out is one, too.
    pub fn finish(mut self, result: Result<(), String>) -> Vec<String> {
        if let Err(message) = result {
            self.complain("the script itself", &message);
            return self.failures;
        }
        for index in self.next..self.case.entries.len() {
            let at = name(self.case, index);
            if !differences::find(&self.case.id, &at).is_some_and(What::is_left_out) {
                self.complain(&at, "is not in the script");
            }
        }
        self.failures
    }
}

/// The name of an entry in the table of differences: its label, and a number from its second occurrence on.
pub fn name(case: &Case, index: usize) -> String {
    let label = &case.entries[index].label;
    match case.entries[..index]
        .iter()
        .filter(|e| e.label == *label)
        .count()
    {
        0 => label.clone(),
        earlier => format!("{label} #{}", earlier + 1),
    }
}
