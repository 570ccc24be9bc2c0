//! The values of operands: the same generator as `scripts/oracle/draw.py`, whose comments say how each value is drawn.

use std::fmt;

use graph_kernels::{bf16, f16};
use graph_runtime::{Array, DType};
use serde::Deserialize;
use serde_json::Value;

use crate::bits;
use crate::record::{dtype, sizes};

/// The position that stands for the weights of a gradient.
pub const WEIGHTS: u64 = 15;

/// An operand: a dtype, a shape, and how its values are drawn, or the values themselves.
#[derive(Clone, Deserialize)]
#[serde(from = "Vec<Value>")]
pub struct Operand {
    pub dtype: DType,
    pub shape: Vec<usize>,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// Uniform between two floats.
    Uniform(f64, f64),
    /// Integers from the first to below the second.
    Integers(i64, i64),
    /// Every second value is an edge of the dtype, on average.
    Special,
    Values(Vec<Value>),
}

impl From<Vec<Value>> for Operand {
    fn from(parts: Vec<Value>) -> Operand {
        let text = |n: usize| parts[n].as_str().expect("a text");
        let float = |n: usize| parts[n].as_f64().expect("a number");
        let int = |n: usize| parts[n].as_i64().expect("an integer");
        Operand {
            dtype: dtype(text(0)),
            shape: sizes(&parts[1]),
            kind: match text(2) {
                "uniform" => Kind::Uniform(float(3), float(4)),
                "integers" => Kind::Integers(int(3), int(4)),
                "special" => Kind::Special,
                "values" => Kind::Values(parts[3..].to_vec()),
                other => panic!("nothing is drawn as {other}"),
            },
        }
    }
}

impl fmt::Display for Operand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{:?} {:?}", self.dtype, self.shape, self.kind)
    }
}

impl Operand {
    /// The weights of a result's gradient.
    pub fn weights(result: &Array) -> Operand {
        Operand {
            dtype: result.dtype(),
            shape: result.shape().to_vec(),
            kind: Kind::Uniform(0.5, 2.0),
        }
    }

    pub fn is_special(&self) -> bool {
        matches!(self.kind, Kind::Special)
    }

    /// The values of an operand of a case.
    pub fn make(&self, case: u64, position: u64) -> Array {
        let len = self.shape.iter().product::<usize>() as u64;
        let words = (0..len).map(|i| mix((((case * 16 + position) << 32) + i).wrapping_mul(GAMMA)));
        match &self.kind {
            Kind::Uniform(low, high) => {
                let value = |z: u64| low + (high - low) * ((z >> 11) as f64 * 2f64.powi(-53));
                self.array(words.map(|z| Number::Float(value(z))))
            }
            Kind::Integers(low, high) => {
                let value = |z: u64| low + (z % (high - low) as u64) as i64;
                self.array(words.map(|z| Number::Integer(value(z) as u64)))
            }
            Kind::Special if self.dtype.is_float() => {
                self.array(words.map(|z| Number::Float(special_float(z, self.dtype))))
            }
            Kind::Special => {
                self.array(words.map(|z| Number::Integer(special_integer(z, self.dtype))))
            }
            Kind::Values(values) if self.dtype == DType::Str => {
                let text = |v: &Value| v.as_str().expect("a string").to_owned();
                Array::new(
                    &self.shape,
                    values.iter().map(text).collect::<Vec<String>>(),
                )
            }
            Kind::Values(values) => self.array(values.iter().map(number)),
        }
    }

    fn array(&self, numbers: impl Iterator<Item = Number>) -> Array {
        let shape = &self.shape;
        macro_rules! array {
            ($convert:expr) => {
                Array::new(shape, numbers.map($convert).collect::<Vec<_>>())
            };
        }
        match self.dtype {
            DType::F64 => array!(Number::float),
            DType::F32 => array!(|n| n.float() as f32),
            DType::F16 => array!(|n| f16::from_f32(n.float() as f32)),
            DType::BF16 => array!(|n| bf16::from_f32(n.float() as f32)),
            DType::I8 => array!(|n| n.bits() as i8),
            DType::I16 => array!(|n| n.bits() as i16),
            DType::I32 => array!(|n| n.bits() as i32),
            DType::I64 => array!(|n| n.bits() as i64),
            DType::U8 => array!(|n| n.bits() as u8),
            DType::U16 => array!(|n| n.bits() as u16),
            DType::U32 => array!(|n| n.bits() as u32),
            DType::U64 => array!(Number::bits),
            DType::Bool => array!(|n| n.bits() != 0),
            DType::Str => panic!("strings aren't drawn"),
        }
    }
}

/// A value before it is converted to its dtype.
#[derive(Clone, Copy)]
enum Number {
    Float(f64),
    /// The low bits of an integer.
    Integer(u64),
}

impl Number {
    fn float(self) -> f64 {
        match self {
            Number::Float(value) => value,
            Number::Integer(bits) => bits as i64 as f64,
        }
    }

    fn bits(self) -> u64 {
        match self {
            Number::Float(value) => value as i64 as u64,
            Number::Integer(bits) => bits,
        }
    }
}

fn number(value: &Value) -> Number {
    match (
        value.as_bool(),
        value.as_i64(),
        value.as_u64(),
        value.as_f64(),
    ) {
        (Some(flag), ..) => Number::Integer(flag.into()),
        (_, Some(n), ..) => Number::Integer(n as u64),
        (_, _, Some(n), _) => Number::Integer(n),
        (.., Some(x)) => Number::Float(x),
        _ => panic!("{value} is no number"),
    }
}

const GAMMA: u64 = 0x9e37_79b9_7f4a_7c15;

/// One step of SplitMix64.
fn mix(mut z: u64) -> u64 {
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

fn special_float(z: u64, dtype: DType) -> f64 {
    let [step, least, largest] = bits::limits(dtype);
    let (inf, nan) = (f64::INFINITY, f64::NAN);
    let edges = [
        nan, inf, -inf, 0.0, -0.0, 1.0, -1.0, 0.5, -2.0, largest, -largest, least, -least, step,
        6.0, -0.5,
    ];
    let choice = z >> 1;
    if z & 1 == 1 {
        return edges[choice as usize % edges.len()];
    }
    let mantissa = 1.0 + (choice >> 31) as f64 * 2f64.powi(-32);
    let sign = if (choice >> 20) & 1 == 1 { -1.0 } else { 1.0 };
    sign * mantissa * 2f64.powi((choice % 13) as i32 - 6)
}

fn special_integer(z: u64, dtype: DType) -> u64 {
    if dtype == DType::Bool {
        return z & 1;
    }
    let bits = 8 * dtype.bytes() as u32;
    let max = if dtype.is_unsigned() {
        u64::MAX >> (64 - bits)
    } else {
        (1 << (bits - 1)) - 1
    };
    let min = if dtype.is_unsigned() {
        0
    } else {
        (max as i64).wrapping_neg() as u64 - 1
    };
    let edges = [min, min.wrapping_add(1), max, max - 1, 0, 1, 2, max / 2];
    let choice = z >> 1;
    match z & 1 == 1 {
        true => edges[choice as usize % edges.len()],
        false => choice >> 7,
    }
}
