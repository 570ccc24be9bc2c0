//! Compares the behaviour of a program with the record: values, errors, printed lines, new traces.

use super::errors;
use super::record::{Printed, Source, Tolerance};
use super::value::{Scalar, Value, Values};

/// The expected behaviour of a call.
#[derive(Clone)]
pub struct Expected {
    pub outcome: Outcome,
    /// The lines; `None` if they aren't compared.
    pub printed: Option<Vec<Printed>>,
    /// The number of new traces; `None` if it isn't compared.
    pub new_traces: Option<usize>,
}

/// The expected end of a call.
#[derive(Clone)]
pub enum Outcome {
    Value(Value),
    /// An error with the same meaning as this one of TensorFlow.
    TensorFlowError(String),
    /// An error that contains all these words.
    Error(&'static [&'static str]),
}

/// The observed behaviour of a call.
pub struct Observed {
    pub result: Result<Value, String>,
    pub trace_log: Vec<String>,
    pub printed: Vec<String>,
    pub new_traces: usize,
}

/// The differences from what is expected; empty if there are none.
pub fn check(observed: &Observed, expected: &Expected, tolerance: Tolerance) -> Vec<String> {
    let mut complaints = Vec::new();
    match (&observed.result, &expected.outcome) {
        (Ok(ours), Outcome::Value(recorded)) => {
            if !same(ours, recorded, tolerance) {
                complaints.push(format!("gave {ours}, expected {recorded}"));
            }
        }
        (Ok(ours), Outcome::TensorFlowError(core)) => {
            complaints.push(format!("gave {ours}, expected an error like: {core}"));
        }
        (Ok(ours), Outcome::Error(words)) => {
            complaints.push(format!("gave {ours}, expected an error with {words:?}"));
        }
        (Err(ours), Outcome::Value(recorded)) => {
            complaints.push(format!("failed, expected {recorded}; it said: {ours}"));
        }
        (Err(ours), Outcome::TensorFlowError(core)) => {
            complaints.extend(errors::disagree(ours, core));
        }
        (Err(ours), Outcome::Error(words)) => {
            if !words.iter().all(|word| ours.contains(word)) {
                complaints.push(format!("said: {ours}\n      without {words:?}"));
            }
        }
    }
    if let Some(printed) = &expected.printed {
        let ordered = |mut lines: Vec<String>| {
            if tolerance.lines_in_any_order {
                lines.sort();
            }
            lines
        };
        let recorded = |from| -> Vec<String> {
            let lines = printed.iter().filter(|line| line.from == from);
            ordered(lines.map(|line| in_rust_words(&line.text)).collect())
        };
        for (when, from, ours) in [
            ("while tracing", Source::Py, &observed.trace_log),
            ("in the graph", Source::Tf, &observed.printed),
        ] {
            let ours = ordered(ours.iter().map(|line| in_rust_words(line)).collect());
            if ours != recorded(from) {
                let recorded = recorded(from);
                complaints.push(format!("printed {when} {ours:?}, expected {recorded:?}"));
            }
        }
    }
    if let Some(new_traces) = expected.new_traces
        && new_traces != observed.new_traces
    {
        let ours = observed.new_traces;
        complaints.push(format!("made {ours} new traces, expected {new_traces}"));
    }
    complaints
}

/// Whether two values are the same. A plain Python value equals the scalar tensor that Rust makes of it.
pub fn same(ours: &Value, recorded: &Value, tolerance: Tolerance) -> bool {
    match (ours, recorded) {
        (Value::Nothing, Value::Nothing) => true,
        (Value::Plain(a), Value::Plain(b)) => same_scalar(a, b, tolerance),
        (Value::Tensor(a), Value::Tensor(b)) => {
            let values = || a.values.iter().zip(&b.values);
            a.dtype == b.dtype
                && a.shape == b.shape
                && a.values.len() == b.values.len()
                && values().all(|(a, b)| same_scalar(a, b, tolerance))
        }
        (Value::Tensor(_), Value::Plain(scalar)) => {
            let tensor = Values {
                dtype: scalar.dtype().to_owned(),
                shape: Vec::new(),
                values: vec![scalar.clone()],
            };
            same(ours, &Value::Tensor(tensor), tolerance)
        }
        (Value::Sequence(a), Value::Sequence(b)) => {
            a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b, tolerance))
        }
        (Value::Dict(a), Value::Dict(b)) => {
            a.len() == b.len()
                && a.iter()
                    .zip(b)
                    .all(|((i, a), (j, b))| i == j && same(a, b, tolerance))
        }
        _ => false,
    }
}

fn same_scalar(ours: &Scalar, recorded: &Scalar, tolerance: Tolerance) -> bool {
    match (ours, recorded) {
        (Scalar::Float(a), Scalar::Float(b)) => tolerance.allows(*a, *b),
        _ => ours == recorded,
    }
}

/// A line in which Python's text for a symbolic tensor, a shape and the booleans is replaced by Rust's. Names of graph nodes,
/// which only TensorFlow has, are removed.
pub fn in_rust_words(line: &str) -> String {
    let mut line = line.to_owned();
    while let Some(start) = line.find("Tensor(\"") {
        let Some(end) = line[start..].find("shape=") else {
            break;
        };
        line.replace_range(start..start + end, "Tensor(symbolic, ");
    }
    let mut text = String::new();
    let mut rest = line.as_str();
    while let Some(open) = rest.find('(') {
        let (before, from_open) = rest.split_at(open);
        text.push_str(before);
        match shape(from_open) {
            Some((shape, behind)) => {
                text.push_str(&shape);
                rest = behind;
            }
            None => {
                text.push('(');
                rest = &from_open[1..];
            }
        }
    }
    text.push_str(rest);
    text.replace("True", "true").replace("False", "false")
}

/// Converts a Python tuple of sizes at the start of a text to a shape. Returns this and the rest of the text.
fn shape(text: &str) -> Option<(String, &str)> {
    let (inside, behind) = text.strip_prefix('(')?.split_once(')')?;
    let dims = inside.split(',').map(str::trim).filter(|d| !d.is_empty());
    let dims: Vec<&str> = dims.map(|d| if d == "None" { "?" } else { d }).collect();
    let sizes = dims.iter().all(|d| *d == "?" || d.parse::<usize>().is_ok());
    // A single number in parentheses isn't a tuple.
    let tuple = sizes && (dims.len() != 1 || inside.trim_end().ends_with(','));
    tuple.then(|| (format!("[{}]", dims.join(",")), behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pythons_words_become_rusts() {
        let python =
            r#"n = 1 Tensor("while/x:0", shape=(None, 3), dtype=int32) bias (2,) () True (5)"#;
        let rust = "n = 1 Tensor(symbolic, shape=[?,3], dtype=int32) bias [2] [] true (5)";
        assert_eq!(in_rust_words(python), rust);
        assert_eq!(in_rust_words(rust), rust);
    }

    #[test]
    fn values_are_told_apart() {
        let float = |v| Value::Plain(Scalar::Float(v));
        let within = |relative| Tolerance {
            relative,
            zeros_alike: false,
            lines_in_any_order: false,
        };
        assert!(same(&float(f64::NAN), &float(f64::NAN), within(0.0)));
        assert!(!same(&float(1.0 + 1e-9), &float(1.0), within(0.0)));
        assert!(same(&float(1.0 + 1e-9), &float(1.0), within(1e-6)));
        assert!(!same(&float(-0.0), &float(0.0), within(0.0)));
        let zeros_alike = Tolerance {
            zeros_alike: true,
            ..within(0.0)
        };
        assert!(same(&float(-0.0), &float(0.0), zeros_alike));
        let int = Value::Plain(Scalar::Int(1));
        assert!(!same(&int, &float(1.0), within(1.0)));
        assert!(!same(
            &Value::Sequence(vec![int.clone()]),
            &int,
            within(0.0)
        ));
    }
}
