//! The record: `cases.json`, `siblings.json` and `corners.json` as Rust values.

use serde::Deserialize;

use super::Value;

/// A program with all results that TensorFlow gave for it.
#[derive(Deserialize)]
pub struct Case {
    pub id: String,
    pub family: String,
    pub tags: Vec<String>,
    /// "exact" or "approx:R".
    pub compare: String,
    #[serde(default)]
    pub calls: Vec<Call>,
    #[serde(default)]
    pub entries: Vec<Entry>,
}

/// A call of the case's function.
#[derive(Deserialize)]
pub struct Call {
    pub args: Vec<Value>,
    pub outputs: Option<Value>,
    pub error: Option<RecordedError>,
    pub printed: Vec<Printed>,
    pub new_traces: usize,
    pub eager: Eager,
}

/// A step of a script: a call, or a value that is recorded.
#[derive(Deserialize)]
pub struct Entry {
    pub label: String,
    #[serde(default)]
    pub args: Vec<Value>,
    #[serde(default)]
    pub kwargs: serde_json::Map<String, serde_json::Value>,
    pub outputs: Option<Value>,
    pub error: Option<RecordedError>,
    #[serde(default)]
    pub printed: Vec<Printed>,
    pub tracing_count: Option<usize>,
    pub value: Option<Value>,
}

/// A printed line.
#[derive(Clone, Deserialize)]
pub struct Printed {
    pub from: Source,
    pub text: String,
}

/// The origin of a line.
#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// Python, at trace time.
    Py,
    /// TensorFlow, at run time.
    Tf,
}

/// The part of an error's text that matters.
#[derive(Clone, Deserialize)]
pub struct RecordedError {
    pub core: String,
}

/// The results of plain eager Python.
#[derive(Deserialize)]
#[serde(untagged)]
pub enum Eager {
    /// "same" or "same_error_class".
    AsGraph(#[allow(dead_code, reason = "both mean the same here")] String),
    /// The results that differ from the graph's.
    Otherwise {
        outputs: Option<Value>,
        error: Option<RecordedError>,
        printed: Option<Vec<Printed>>,
    },
}

/// The maximum difference between two results.
#[derive(Clone, Copy)]
pub struct Tolerance {
    /// The relative error.
    pub relative: f64,
    /// Whether 0 and -0 are equal, because TensorFlow's own sign depends on the machine.
    pub zeros_alike: bool,
    /// Whether the lines may come in any order, because TensorFlow doesn't define it. (Ours is the program's order.)
    pub lines_in_any_order: bool,
}

impl Tolerance {
    /// Whether two floats count as equal.
    pub fn allows(self, ours: f64, recorded: f64) -> bool {
        let near =
            || self.relative > 0.0 && (ours - recorded).abs() <= self.relative * recorded.abs();
        let zeros = || self.zeros_alike && ours == 0.0 && recorded == 0.0;
        ours.to_bits() == recorded.to_bits()
            || ours.is_nan() && recorded.is_nan()
            || near()
            || zeros()
    }
}

impl Case {
    /// The maximum difference between floats.
    pub fn tolerance(&self) -> Tolerance {
        let relative = match self.compare.strip_prefix("approx:") {
            Some(tolerance) => tolerance.parse().expect("a number behind approx:"),
            None => 0.0,
        };
        Tolerance {
            relative,
            zeros_alike: self.tagged("signed_zero_platform_dependent"),
            lines_in_any_order: self.tagged("print_order_unspecified"),
        }
    }

    fn tagged(&self, tag: &str) -> bool {
        self.tags.iter().any(|t| t == tag)
    }

    /// True if TensorFlow refuses the program although it has a meaning.
    pub fn is_tensorflow_limitation(&self) -> bool {
        self.tagged("tf_limitation")
    }
}

/// All given cases.
pub fn cases() -> Vec<Case> {
    let text = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/conformance/cases.json"
    ));
    parse(text)
}

/// The cases that were written for this project.
pub fn siblings() -> Vec<Case> {
    parse(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/conformance/siblings.json"
    )))
}

/// The corner cases.
pub fn corners() -> Vec<Case> {
    parse(include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/conformance/corners.json"
    )))
}

fn parse(text: &str) -> Vec<Case> {
    serde_json::from_str(text).expect("the record has the form that its README describes")
}
