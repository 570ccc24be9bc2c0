//! The record, `tests/oracle/cases.jsonl.gz`; `scripts/oracle/record.py` describes its lines.

use std::io::{BufRead, BufReader};

use flate2::Crc;
use flate2::read::GzDecoder;
use graph_runtime::DType;
use graph_runtime::graph::Shape;
use graph_runtime::ops::{self, Attr, Attrs, OpDef};
use serde::Deserialize;
use serde_json::{Map, Value};

use crate::bits;
use crate::draw::Operand;

/// One use of an op, and the results of a library.
#[derive(Deserialize)]
pub struct Case {
    pub case: u64,
    pub op: String,
    attrs: Map<String, Value>,
    #[serde(rename = "in")]
    pub operands: Vec<Operand>,
    pub of: Source,
    pub out: Recorded,
    /// The magnitude relative to which errors of a sum are measured.
    #[serde(default)]
    pub scale: f64,
    pub grads: Option<Vec<Option<Recorded>>>,
    #[serde(default)]
    scales: Vec<f64>,
}

/// The library that was asked.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    Tf,
    Jax,
}

/// An array that a library returned.
#[derive(Deserialize)]
#[serde(from = "Vec<Value>")]
pub struct Recorded {
    pub dtype: String,
    pub shape: Vec<usize>,
    pub values: Values,
    /// The CRC of all values, if only some are recorded.
    pub crc: Option<u32>,
}

pub enum Values {
    /// The bits of the recorded values.
    Bits(Vec<u64>),
    Texts(Vec<String>),
}

/// Every case.
pub fn cases() -> Vec<Case> {
    // Cargo sets the variable, too, when it runs a test; a program that was copied to another machine is told where the record is.
    let folder = std::env::var("CARGO_MANIFEST_DIR");
    let folder = folder.as_deref().unwrap_or(env!("CARGO_MANIFEST_DIR"));
    let path = std::path::Path::new(folder).join("oracle/cases.jsonl.gz");
    let file = std::fs::File::open(path).expect("the record is there");
    let lines = BufReader::new(GzDecoder::new(file)).lines();
    let parsed = lines.map(|line| serde_json::from_str(&line.expect("a compressed line")));
    parsed.map(|case| case.expect("a case")).collect()
}

impl Case {
    pub fn row(&self) -> &'static OpDef {
        ops::find(&self.op).unwrap_or_else(|| panic!("there is no op `{}`", self.op))
    }

    /// The attributes in the order of the op's row.
    pub fn attrs(&self) -> Attrs {
        let row = self.row();
        assert_eq!(
            row.attrs.len(),
            self.attrs.len(),
            "attributes of {}",
            self.op
        );
        let attr = |name: &&'static str| (*name, attr(name, &self.attrs[*name]));
        row.attrs.iter().map(attr).collect()
    }

    /// The gradients that the library returned, each with the magnitude relative to which errors are measured.
    pub fn gradients(&self) -> Vec<Option<(&Recorded, f64)>> {
        let mut scales = self.scales.iter();
        let mut scaled = |g| (g, scales.next().copied().unwrap_or_default());
        let recorded = self.grads.iter().flatten();
        recorded.map(|g| g.as_ref().map(&mut scaled)).collect()
    }

    /// The case as one line, without its results.
    pub fn text(&self) -> String {
        let attrs: Vec<String> = self
            .attrs
            .iter()
            .map(|(name, value)| format!(" {name}={value}"))
            .collect();
        let operands: Vec<String> = self.operands.iter().map(Operand::to_string).collect();
        format!(
            "{} {}({}){} of {:?}",
            self.case,
            self.op,
            operands.join(", "),
            attrs.concat(),
            self.of
        )
    }
}

fn attr(name: &str, value: &Value) -> Attr {
    match value {
        Value::Bool(flag) => Attr::Bool(*flag),
        Value::Number(n) => Attr::Int(n.as_i64().expect("an integer")),
        Value::String(text) if name == "dtype" => Attr::DType(dtype(text)),
        Value::String(text) => Attr::Text(text.clone()),
        Value::Array(list) => Attr::Ints(
            list.iter()
                .map(|n| n.as_i64().expect("an integer"))
                .collect(),
        ),
        Value::Object(shape) => Attr::Shape(Shape::known(&sizes(&shape["dims"]))),
        Value::Null => panic!("no attribute is null"),
    }
}

pub fn dtype(name: &str) -> DType {
    DType::from_name(name).unwrap_or_else(|| panic!("there is no dtype {name}"))
}

pub fn sizes(list: &Value) -> Vec<usize> {
    let list = list.as_array().expect("a list of sizes");
    list.iter()
        .map(|n| n.as_u64().expect("a size") as usize)
        .collect()
}

impl From<Vec<Value>> for Recorded {
    fn from(parts: Vec<Value>) -> Recorded {
        let name = parts[0].as_str().expect("a dtype").to_owned();
        let values = match &parts[2] {
            Value::String(text) => Values::Bits(bits::read(text, dtype(&name))),
            list => Values::Texts(serde_json::from_value(list.clone()).expect("a list of strings")),
        };
        Recorded {
            shape: sizes(&parts[1]),
            values,
            crc: parts.get(3).map(|crc| crc.as_u64().expect("a CRC") as u32),
            dtype: name,
        }
    }
}

/// Of larger arrays, the first values, the last ones, and some between them are recorded.
const SHOWN: usize = 20;
const FIRST: usize = 4;
const LAST: usize = 8;
const BETWEEN: usize = 8;

/// The positions of the recorded values in an array with this many values.
pub fn shown(len: usize) -> Vec<usize> {
    if len <= SHOWN {
        return (0..len).collect();
    }
    let between = (0..BETWEEN).map(|n| FIRST + (len - FIRST - LAST) * n / BETWEEN);
    (0..FIRST).chain(between).chain(len - LAST..len).collect()
}

/// The CRC of all values of an array.
pub fn crc(dtype: DType, values: &[u64]) -> u32 {
    let mut crc = Crc::new();
    for bits in values {
        crc.update(&bits.to_le_bytes()[..dtype.bytes()]);
    }
    crc.sum()
}

impl Recorded {
    /// Whether all recorded values are 0.
    pub fn is_zero(&self) -> bool {
        matches!(&self.values, Values::Bits(bits) if bits.iter().all(|bits| *bits == 0))
    }
}
