//! Decodes signatures: the trace types of the parameters in TensorFlow's notation, and the types of the tensors among them.

use std::fmt::Write;
use std::sync::Arc;

use graph_kernels::DType;

use crate::graph::{Shape, TensorType};
use crate::signature::{LITERALS, Literal, SEQUENCES, Sequence, Tag, UNKNOWN};
use crate::variable::tuple;

/// What a key says about the parameters.
pub(crate) struct Description {
    /// Their trace types, in TensorFlow's notation.
    pub types: Vec<String>,
    /// The types and names of the tensors among them.
    pub tensors: Vec<(TensorType, Arc<str>)>,
    /// The names of the variables among them, each once.
    pub variables: Vec<Arc<str>>,
}

/// Decodes a key.
pub(crate) fn describe(key: &[u64], parameters: &[&str]) -> Description {
    let mut reader = Reader {
        words: key.iter(),
        tensors: Vec::new(),
        variables: Vec::new(),
        parameter: "",
    };
    let types = parameters
        .iter()
        .map(|name| {
            reader.parameter = name;
            reader.read()
        })
        .collect();
    Description {
        types,
        tensors: reader.tensors,
        variables: reader.variables,
    }
}

/// Decodes a key to text.
struct Reader<'a> {
    words: std::slice::Iter<'a, u64>,
    tensors: Vec<(TensorType, Arc<str>)>,
    variables: Vec<Arc<str>>,
    parameter: &'a str,
}

impl Reader<'_> {
    fn word(&mut self) -> u64 {
        self.words.next().copied().unwrap_or_default()
    }

    fn read(&mut self) -> String {
        let head = self.word();
        match Tag::of(head) {
            Tag::Tensor => {
                let dtype = DType::ALL[(head >> 8 & 0xff) as usize];
                let dims: Vec<u64> = (0..head >> 16).map(|_| self.word()).collect();
                let shape = Shape::of(dims.iter().map(|d| (*d != UNKNOWN).then_some(*d as usize)));
                self.tensor(TensorType::new(dtype, shape))
            }
            Tag::UnknownRank => self.tensor(TensorType::new(
                DType::ALL[(head >> 8 & 0xff) as usize],
                Shape::unknown(),
            )),
            Tag::Alias => format!("Alias[{}]", head >> 8),
            Tag::Literal => self.literal((head >> 8) as usize),
            Tag::Text => {
                let text = self.bytes((head >> 8) as usize);
                format!("Literal[{:?}]", String::from_utf8_lossy(&text))
            }
            Tag::Bytes => {
                let bytes = self.bytes((head >> 8) as usize);
                format!(
                    "Literal[{}]",
                    bytes.iter().map(|b| format!("{b:02x}")).collect::<String>()
                )
            }
            Tag::Sequence => self.sequence(
                SEQUENCES[(head >> 8 & 0xff) as usize],
                (head >> 16) as usize,
            ),
            Tag::Variable => self.variable(head),
            Tag::Opaque => {
                self.word();
                "Opaque".to_owned()
            }
            Tag::Named => {
                self.word();
                let name = self.bytes((head >> 8) as usize);
                format!("Literal[{:?}]", String::from_utf8_lossy(&name))
            }
        }
    }

    fn tensor(&mut self, ty: TensorType) -> String {
        let text = spec(&ty);
        self.tensors.push((ty, Arc::from(self.parameter)));
        text
    }

    fn variable(&mut self, head: u64) -> String {
        let dtype = DType::ALL[(head >> 8 & 0xff) as usize];
        let index = (head >> 16) as usize;
        let shape = match self.word() {
            UNKNOWN => Shape::unknown(),
            rank => Shape::of((0..rank).map(|_| match self.word() {
                UNKNOWN => None,
                n => Some(n as usize),
            })),
        };
        if index == self.variables.len() {
            self.variables.push(Arc::from(self.parameter));
        }
        format!(
            "VariableSpec(shape={}, dtype=tf.{dtype}, trainable=True, alias_id={index})",
            tuple(&shape)
        )
    }

    fn literal(&mut self, ty: usize) -> String {
        let bits = self.word() as u128 | (self.word() as u128) << 64;
        let (ty, name) = LITERALS[ty];
        let value = match ty {
            Literal::bool => (bits != 0).to_string(),
            Literal::char => format!("{:?}", char::from_u32(bits as u32).unwrap_or('?')),
            Literal::f32 => f32::from_bits(bits as u32).to_string(),
            Literal::f64 => f64::from_bits(bits as u64).to_string(),
            Literal::unit => "()".to_owned(),
            _ if name.starts_with('i') => (bits as i128).to_string(),
            _ => bits.to_string(),
        };
        format!("Literal[{value}]")
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        let words = (0..len.div_ceil(8)).flat_map(|_| self.word().to_le_bytes());
        words.take(len).collect()
    }

    fn sequence(&mut self, kind: Sequence, len: usize) -> String {
        let parts: Vec<String> = (0..len).map(|_| self.read()).collect();
        match kind {
            Sequence::None => "Literal[None]".to_owned(),
            Sequence::Some => parts.concat(),
            _ => {
                let mut text = format!("{kind:?}[");
                let _ = write!(text, "{}]", parts.join(", "));
                text
            }
        }
    }
}

/// A tensor type in TensorFlow's notation.
pub(crate) fn spec(ty: &TensorType) -> String {
    let shape = tuple(&ty.shape);
    format!(
        "TensorSpec(shape={shape}, dtype=tf.{}, name=None)",
        ty.dtype
    )
}
