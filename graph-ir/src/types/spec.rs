//! `TypeSpec`: the type of a value that a function takes or gives, which may be a structure of tensors, variables and plain values. It is
//! data, not a Rust type: a function that comes from a file has it without the program that it was written in.

use std::fmt::{self, Write};

use super::{Shape, TensorType};

/// The type of a value that a function takes or gives (TensorFlow's `tf.TypeSpec`). `{}` is TensorFlow's notation:
/// `Tuple[TensorSpec(shape=(None,), dtype=tf.float32, name=None), Literal[3]]`.
///
/// ```
/// use graph_runtime::function::TypeSpec;
/// use graph_runtime::graph::{Shape, TensorType};
/// use graph_runtime::DType;
///
/// let x = TypeSpec::OfTensor(TensorType::new(DType::F32, Shape::of([None])));
/// let point = TypeSpec::structure("Point", [("x", x.clone()), ("y", x)]);
/// let paths: Vec<String> = point.leaves("at").into_iter().map(|(path, _)| path).collect();
/// assert_eq!(paths, ["at.x", "at.y"]);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum TypeSpec {
    /// A tensor.
    OfTensor(TensorType),
    /// A variable.
    OfVariable {
        /// The type of all values that it can have.
        ty: TensorType,
        /// Which of the variables among the arguments it is. Two places with the same number hold the same variable.
        index: usize,
    },
    /// The same tensor as an earlier one, given by its position among the tensors of all arguments.
    Alias(usize),
    /// A plain value, as text: `3`, `true`, `"same"`.
    Literal(String),
    /// A tuple.
    Tuple(Vec<TypeSpec>),
    /// A list, an array or a set.
    List(Vec<TypeSpec>),
    /// A map: the text of each key, as in [`TypeSpec::Literal`], and the value.
    Dict(Vec<(String, TypeSpec)>),
    /// A struct, or a variant of an enum.
    Struct {
        /// The name of the type; empty if it has none.
        name: String,
        /// The name of each field, or its position, and its value.
        fields: Vec<(String, TypeSpec)>,
    },
    /// The absence of a value.
    None,
    /// A value that only the program itself can describe.
    Opaque,
}

impl TypeSpec {
    /// A struct with these fields.
    pub fn structure<N: Into<String>>(
        name: impl Into<String>,
        fields: impl IntoIterator<Item = (N, TypeSpec)>,
    ) -> TypeSpec {
        TypeSpec::Struct {
            name: name.into(),
            fields: fields
                .into_iter()
                .map(|(n, spec)| (n.into(), spec))
                .collect(),
        }
    }

    /// The parts of a collection, each with its name: a field, a key, or a position. `None` for anything else.
    pub fn parts(&self) -> Option<Vec<(String, &TypeSpec)>> {
        match self {
            TypeSpec::Tuple(items) | TypeSpec::List(items) => {
                let names = (0..items.len()).map(|i| i.to_string());
                Some(names.zip(items).collect())
            }
            TypeSpec::Dict(entries) => {
                let name = |key: &str| key.trim_matches('"').to_owned();
                Some(
                    entries
                        .iter()
                        .map(|(key, item)| (name(key), item))
                        .collect(),
                )
            }
            TypeSpec::Struct { fields, .. } => Some(
                fields
                    .iter()
                    .map(|(name, item)| (name.clone(), item))
                    .collect(),
            ),
            _ => None,
        }
    }

    /// The part at a position, for a field of a Rust type with `count` fields. `None` if the number of parts is another, or if the part has
    /// another name: those of tuples and lists have none.
    pub fn part(&self, name: &str, position: usize, count: usize) -> Option<&TypeSpec> {
        let parts = self.parts().filter(|parts| parts.len() == count)?;
        let (own, part) = parts.get(position)?;
        let is_named = matches!(self, TypeSpec::Struct { .. } | TypeSpec::Dict(_));
        (!is_named || own == name).then_some(*part)
    }

    /// The only tensor in it, if all else is its structure.
    pub fn only_tensor(&self) -> Option<&TensorType> {
        match self {
            TypeSpec::OfTensor(ty) => Some(ty),
            collection => match &collection.parts()?[..] {
                [(_, part)] => part.only_tensor(),
                _ => None,
            },
        }
    }

    /// The parts of a collection, to be changed.
    fn parts_mut(&mut self) -> Vec<&mut TypeSpec> {
        match self {
            TypeSpec::Tuple(items) | TypeSpec::List(items) => items.iter_mut().collect(),
            TypeSpec::Dict(entries)
            | TypeSpec::Struct {
                fields: entries, ..
            } => entries.iter_mut().map(|(_, item)| item).collect(),
            _ => Vec::new(),
        }
    }

    /// The tensors and variables in it, in order, each with the path to it: `at.x` for the field `x` of a value `at`, `pair.0` for the first
    /// item of a tuple `pair`.
    pub fn leaves(&self, path: &str) -> Vec<(String, &TypeSpec)> {
        let mut leaves = Vec::new();
        self.visit(path, &mut |path, leaf| leaves.push((path.to_owned(), leaf)));
        leaves
    }

    fn visit<'a>(&'a self, path: &str, leaf: &mut dyn FnMut(&str, &'a TypeSpec)) {
        match self {
            TypeSpec::OfTensor(_) | TypeSpec::OfVariable { .. } => leaf(path, self),
            collection => {
                for (name, part) in collection.parts().unwrap_or_default() {
                    match path {
                        "" => part.visit(&name, leaf),
                        path => part.visit(&format!("{path}.{name}"), leaf),
                    }
                }
            }
        }
    }

    /// The types of the tensors in it, in order, to be changed.
    pub fn tensors_mut(&mut self) -> Vec<&mut TensorType> {
        match self {
            TypeSpec::OfTensor(ty) => vec![ty],
            collection => {
                let parts = collection.parts_mut().into_iter();
                parts.flat_map(TypeSpec::tensors_mut).collect()
            }
        }
    }

    /// Whether it contains no tensor and no variable, so that it needn't be given.
    pub fn is_literal(&self) -> bool {
        match self {
            TypeSpec::OfTensor(_) | TypeSpec::OfVariable { .. } | TypeSpec::Alias(_) => false,
            collection => {
                let mut parts = collection.parts().unwrap_or_default().into_iter();
                parts.all(|(_, part)| part.is_literal())
            }
        }
    }

    /// The number of levels of collections.
    pub fn depth(&self) -> usize {
        let parts = self.parts().unwrap_or_default().into_iter();
        1 + parts.map(|(_, part)| part.depth()).max().unwrap_or(0)
    }
}

/// A shape in the format of a Python tuple.
#[doc(hidden)]
pub fn tuple(shape: &Shape) -> String {
    let Some(dims) = shape.dims() else {
        return "<unknown>".to_owned();
    };
    let size = |d: &Option<usize>| d.map_or("None".to_owned(), |n| n.to_string());
    match dims {
        [d] => format!("({},)", size(d)),
        dims => format!("({})", dims.iter().map(size).collect::<Vec<_>>().join(", ")),
    }
}

impl fmt::Display for TypeSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypeSpec::OfTensor(ty) => {
                let shape = tuple(&ty.shape);
                write!(
                    f,
                    "TensorSpec(shape={shape}, dtype=tf.{}, name=None)",
                    ty.dtype
                )
            }
            TypeSpec::OfVariable { ty, index } => {
                let (shape, dtype) = (tuple(&ty.shape), ty.dtype);
                write!(
                    f,
                    "VariableSpec(shape={shape}, dtype=tf.{dtype}, trainable=True, alias_id={index})"
                )
            }
            TypeSpec::Alias(index) => write!(f, "Alias[{index}]"),
            TypeSpec::Literal(text) => write!(f, "Literal[{text}]"),
            TypeSpec::Tuple(items) => list(f, "Tuple", items.iter().map(Shown::Spec)),
            TypeSpec::List(items) => list(f, "List", items.iter().map(Shown::Spec)),
            TypeSpec::Dict(entries) => {
                let items = |(key, item)| [Shown::Literal(key), Shown::Spec(item)];
                list(
                    f,
                    "Dict",
                    entries.iter().flat_map(|(key, item)| items((key, item))),
                )
            }
            TypeSpec::Struct { name, fields } => {
                let quoted = format!("{name:?}");
                let name = (!name.is_empty()).then_some(Shown::Literal(&quoted));
                let items = fields.iter().map(|(_, item)| Shown::Spec(item));
                list(f, "Struct", name.into_iter().chain(items))
            }
            TypeSpec::None => f.write_str("Literal[None]"),
            TypeSpec::Opaque => f.write_str("Opaque"),
        }
    }
}

/// An item in the text of a collection.
enum Shown<'a> {
    Spec(&'a TypeSpec),
    Literal(&'a str),
}

fn list<'a>(
    f: &mut fmt::Formatter<'_>,
    name: &str,
    items: impl Iterator<Item = Shown<'a>>,
) -> fmt::Result {
    write!(f, "{name}[")?;
    for (i, item) in items.enumerate() {
        if i > 0 {
            f.write_str(", ")?;
        }
        match item {
            Shown::Spec(spec) => write!(f, "{spec}")?,
            Shown::Literal(text) => write!(f, "Literal[{text}]")?,
        }
    }
    f.write_char(']')
}
