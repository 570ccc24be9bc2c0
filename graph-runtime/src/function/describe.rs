//! Decodes signatures: the types of the parameters, and those of the tensors among them.

use std::sync::Arc;

use graph_ir::types::TypeSpec;
use graph_kernels::DType;

use crate::graph::{Shape, TensorType};
use crate::signature::{
    LITERALS, Literal, SEQUENCES, Sequence, StructNames, Structs, Tag, UNKNOWN,
};

/// What a key says about the parameters.
pub(crate) struct Description {
    /// Their types.
    pub types: Vec<TypeSpec>,
    /// The types and names of the tensors among them.
    pub tensors: Vec<(TensorType, Arc<str>)>,
    /// The names of the variables among them, each once.
    pub variables: Vec<Arc<str>>,
}

/// Decodes words of a signature with these structs.
pub(crate) fn describe(key: &[u64], structs: &Structs, parameters: &[&str]) -> Description {
    let mut reader = Reader {
        words: key.iter(),
        structs,
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

/// Decodes a key.
struct Reader<'a> {
    words: std::slice::Iter<'a, u64>,
    structs: &'a Structs,
    tensors: Vec<(TensorType, Arc<str>)>,
    variables: Vec<Arc<str>>,
    parameter: &'a str,
}

impl Reader<'_> {
    fn word(&mut self) -> u64 {
        self.words.next().copied().unwrap_or_default()
    }

    fn read(&mut self) -> TypeSpec {
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
            Tag::Alias => TypeSpec::Alias((head >> 8) as usize),
            Tag::Literal => self.literal((head >> 8) as usize),
            Tag::Text => TypeSpec::Literal(format!("{:?}", self.text(head))),
            Tag::Bytes => {
                let bytes = self.bytes((head >> 8) as usize);
                TypeSpec::Literal(bytes.iter().map(|b| format!("{b:02x}")).collect())
            }
            Tag::Sequence => self.sequence(
                SEQUENCES[(head >> 8 & 0xff) as usize],
                (head >> 16) as usize,
            ),
            Tag::Variable => self.variable(head),
            Tag::Opaque => {
                self.word();
                TypeSpec::Opaque
            }
            Tag::Named => TypeSpec::Literal(format!("{:?}", self.named(head).0)),
        }
    }

    fn tensor(&mut self, ty: TensorType) -> TypeSpec {
        self.tensors.push((ty.clone(), Arc::from(self.parameter)));
        TypeSpec::OfTensor(ty)
    }

    fn variable(&mut self, head: u64) -> TypeSpec {
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
        let ty = TensorType::new(dtype, shape);
        TypeSpec::OfVariable { ty, index }
    }

    fn literal(&mut self, ty: usize) -> TypeSpec {
        let bits = self.word() as u128 | (self.word() as u128) << 64;
        let (ty, name) = LITERALS[ty];
        TypeSpec::Literal(match ty {
            Literal::bool => (bits != 0).to_string(),
            Literal::char => format!("{:?}", char::from_u32(bits as u32).unwrap_or('?')),
            Literal::f32 => f32::from_bits(bits as u32).to_string(),
            Literal::f64 => f64::from_bits(bits as u64).to_string(),
            Literal::unit => "()".to_owned(),
            _ if name.starts_with('i') => (bits as i128).to_string(),
            _ => bits.to_string(),
        })
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        let words = (0..len.div_ceil(8)).flat_map(|_| self.word().to_le_bytes());
        words.take(len).collect()
    }

    /// The text that a word begins.
    fn text(&mut self, head: u64) -> String {
        let bytes = self.bytes((head >> 8) as usize);
        String::from_utf8_lossy(&bytes).into_owned()
    }

    /// The name of a struct, and those of its fields.
    fn named(&mut self, head: u64) -> (String, &'static [&'static str]) {
        self.word();
        match StructNames::of(head, self.structs) {
            Some(names) => (names.name.to_owned(), names.fields),
            None => Default::default(),
        }
    }

    fn sequence(&mut self, kind: Sequence, len: usize) -> TypeSpec {
        match kind {
            Sequence::None => TypeSpec::None,
            Sequence::Some => self.read(),
            Sequence::Tuple => TypeSpec::Tuple(self.items(len)),
            Sequence::List => TypeSpec::List(self.items(len)),
            Sequence::Dict => TypeSpec::Dict((0..len / 2).map(|_| self.entry()).collect()),
            Sequence::Struct => self.structure(len),
        }
    }

    fn items(&mut self, len: usize) -> Vec<TypeSpec> {
        (0..len).map(|_| self.read()).collect()
    }

    fn entry(&mut self) -> (String, TypeSpec) {
        let key = match self.read() {
            TypeSpec::Literal(text) => text,
            other => other.to_string(),
        };
        (key, self.read())
    }

    /// A struct. Its first part is its name, if it has one. Words that only tell Rust types apart are left out.
    fn structure(&mut self, len: usize) -> TypeSpec {
        let head = self.words.as_slice().first().copied().unwrap_or_default();
        let (name, names) = match Tag::of(head) {
            Tag::Named => {
                self.word();
                self.named(head)
            }
            Tag::Text => {
                self.word();
                (self.text(head), &[][..])
            }
            _ => Default::default(),
        };
        let has_name = matches!(Tag::of(head), Tag::Named | Tag::Text);
        let parts = self.items(len - usize::from(has_name));
        let parts = parts.into_iter().filter(|part| *part != TypeSpec::Opaque);
        let name_of = |i: usize| match names.get(i) {
            Some(name) => (*name).to_owned(),
            None => i.to_string(),
        };
        let fields = parts.enumerate().map(|(i, part)| (name_of(i), part));
        TypeSpec::structure(name, fields)
    }
}

/// That an argument doesn't fit its parameter: TensorFlow's sentence, and what the parameter takes as all other messages write it.
pub(super) fn no_cast(given: &TypeSpec, wanted: &TypeSpec, parameter: &str) -> String {
    let value = match given {
        TypeSpec::Literal(text) => text.clone(),
        other => other.to_string(),
    };
    let sentence = format!("`Can not cast {value} to {wanted}` for parameter `{parameter}`");
    match (wanted, given) {
        (TypeSpec::OfTensor(wanted), TypeSpec::OfTensor(given)) => {
            format!("{sentence}, which takes {wanted}, not {given}")
        }
        (TypeSpec::OfTensor(wanted), _) => {
            format!("{sentence}, which takes a tensor, {wanted}")
        }
        _ => sentence,
    }
}

/// A tensor type in TensorFlow's notation.
pub(crate) fn spec(ty: &TensorType) -> String {
    TypeSpec::OfTensor(ty.clone()).to_string()
}
