//! A node while it is read: its operands, its attributes, and the version of its operator set. What an importer doesn't ask for isn't an
//! operand or attribute of the op: [`Node::finish`] refuses it.

use std::cell::RefCell;

use graph_kernels::{Array, DType};
use rustc_hash::FxHashSet;

use super::build::{Build, Val};
use super::error::{Fault, Result, invalid};
use super::tensor::{self, Folder};
use super::types;
use super::value::Value;
use crate::onnx::proto::attribute_proto::AttributeType;
use crate::onnx::proto::{AttributeProto, GraphProto, NodeProto, TypeProto};

/// A node of a model, while it is read.
pub(crate) struct Node<'a> {
    pub proto: &'a NodeProto,
    /// The version of the operator set of its domain.
    pub version: i64,
    inputs: Vec<Option<Value>>,
    folder: Folder,
    asked: RefCell<Asked<'a>>,
}

/// What the importer has asked for.
#[derive(Default)]
struct Asked<'a> {
    attributes: FxHashSet<&'a str>,
    /// The number of operands, from the first.
    inputs: usize,
}

/// One typed getter per line.
macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident $kind:ident -> $type:ty = |$a:ident| $read:expr;)*) => { $(
        $(#[$doc])*
        pub fn $name(&self, name: &str) -> Result<Option<$type>> {
            self.attribute(name, AttributeType::$kind)?
                .map(|$a| $read.map_or_else(|| invalid(format!("the attribute `{name}` has no value")), Ok))
                .transpose()
        }
    )* };
}

/// The value that an attribute of a kind has if its field isn't there: version 3 of Protocol Buffers leaves out defaults.
fn left_out<T>(attribute: &AttributeProto, kind: AttributeType, default: T) -> Option<T> {
    (attribute.r#type == kind as i32).then_some(default)
}

impl<'a> Node<'a> {
    pub fn new(
        proto: &'a NodeProto,
        version: i64,
        inputs: Vec<Option<Value>>,
        folder: Folder,
    ) -> Node<'a> {
        Node {
            proto,
            version,
            inputs,
            folder,
            asked: RefCell::default(),
        }
    }

    /// The attribute, if it is given and is of the kind.
    fn attribute(&self, name: &str, kind: AttributeType) -> Result<Option<&'a AttributeProto>> {
        let found = self.proto.attribute.iter().find(|a| a.name == name);
        let Some(found) = found else {
            return Ok(None);
        };
        self.asked.borrow_mut().attributes.insert(&found.name);
        if found.r#type != kind as i32 && found.r#type != AttributeType::Undefined as i32 {
            let expected = kind.as_str_name().to_lowercase();
            return invalid(format!(
                "the attribute `{name}` must be given as {expected}"
            ));
        }
        Ok(Some(found))
    }

    getters! {
        /// The integer attribute with this name.
        int Int -> i64 = |a| a.i.or(left_out(a, AttributeType::Int, 0));
        /// The float attribute with this name.
        float Float -> f64 = |a| a.f.or(left_out(a, AttributeType::Float, 0.0)).map(f64::from);
        /// The attribute with this name, which is a list of integers.
        ints Ints -> &'a [i64] = |a| Some(a.ints.as_slice());
        /// The attribute with this name, which is a list of floats.
        floats Floats -> &'a [f32] = |a| Some(a.floats.as_slice());
        /// The text attribute with this name.
        text String -> &'a str = |a| match &a.s {
            Some(s) => std::str::from_utf8(s).ok(),
            None => left_out(a, AttributeType::String, ""),
        };
        /// The subgraph with this name.
        graph Graph -> &'a GraphProto = |a| a.g.as_ref();
        /// The type attribute with this name.
        type_proto TypeProto -> &'a TypeProto = |a| a.tp.as_ref();
    }

    /// The attribute with this name, which is a list of texts.
    pub fn texts(&self, name: &str) -> Result<Option<Vec<String>>> {
        let found = self.attribute(name, AttributeType::Strings)?;
        Ok(found.map(|a| {
            let texts = a.strings.iter();
            texts
                .map(|s| String::from_utf8_lossy(s).into_owned())
                .collect()
        }))
    }

    /// The tensor attribute with this name.
    pub fn array(&self, name: &str) -> Result<Option<Array>> {
        match self.attribute(name, AttributeType::Tensor)? {
            None => Ok(None),
            Some(a) => match &a.t {
                Some(t) => tensor::read(t, &self.folder).map(Some),
                None => invalid(format!("the attribute `{name}` has no value")),
            },
        }
    }

    /// The sparse tensor attribute with this name, as a dense one.
    pub fn sparse(&self, name: &str, g: &mut Build<'_>) -> Result<Option<Array>> {
        match self.attribute(name, AttributeType::SparseTensor)? {
            None => Ok(None),
            Some(a) => match &a.sparse_tensor {
                Some(t) => g.sparse(t).map(Some),
                None => invalid(format!("the attribute `{name}` has no value")),
            },
        }
    }

    /// The attribute with this name as a truth value.
    pub fn flag(&self, name: &str, default: bool) -> Result<bool> {
        Ok(self.int(name)?.map_or(default, |n| n != 0))
    }

    /// The attribute with this name as a dtype.
    pub fn dtype(&self, name: &str) -> Result<Option<DType>> {
        self.int(name)?.map(types::dtype_of).transpose()
    }

    /// The attribute, which must be given.
    pub fn required<T>(&self, name: &str, value: Option<T>) -> Result<T> {
        value.map_or_else(|| invalid(format!("the attribute `{name}` is missing")), Ok)
    }

    /// An operand, if it is given.
    pub fn value(&self, n: usize) -> Option<&Value> {
        let mut asked = self.asked.borrow_mut();
        asked.inputs = asked.inputs.max(n + 1);
        self.inputs.get(n).and_then(Option::as_ref)
    }

    /// A tensor operand, if it is given.
    pub fn optional(&self, n: usize) -> Result<Option<Val>> {
        match self.value(n) {
            None | Some(Value::Absent) => Ok(None),
            Some(value) => value.tensor().map(Some),
        }
    }

    /// A tensor operand, which must be given.
    pub fn tensor(&self, n: usize) -> Result<Val> {
        match self.optional(n)? {
            Some(val) => Ok(val),
            None => invalid(format!("operand {n} is missing")),
        }
    }

    /// All operands, which must be tensors.
    pub fn tensors(&self) -> Result<Vec<Val>> {
        (0..self.inputs.len()).map(|n| self.tensor(n)).collect()
    }

    /// The number of operands.
    pub fn len(&self) -> usize {
        self.inputs.len()
    }

    /// Whether the output is used.
    pub fn wants(&self, n: usize) -> bool {
        self.proto
            .output
            .get(n)
            .is_some_and(|name| !name.is_empty())
    }

    /// The integers of an operand, which must be known, if it is given.
    pub fn known_ints(&self, n: usize, g: &Build<'_>) -> Result<Option<Vec<i64>>> {
        self.optional(n)?
            .map(|v| g.known_ints(v, &format!("operand {n}")))
            .transpose()
    }

    /// Integers that are an attribute before a version, and an operand since.
    pub fn ints_or_operand(
        &self,
        name: &str,
        since: i64,
        n: usize,
        g: &Build<'_>,
    ) -> Result<Option<Vec<i64>>> {
        if self.version < since {
            return Ok(self.ints(name)?.map(<[i64]>::to_vec));
        }
        self.known_ints(n, g)
    }

    /// Refuses operands and attributes that weren't asked for, and outputs beyond those that there are.
    pub fn finish(&self, outputs: usize) -> Result<()> {
        let asked = self.asked.borrow();
        let mut attributes = self.proto.attribute.iter();
        if let Some(unknown) = attributes.find(|a| !asked.attributes.contains(a.name.as_str())) {
            return Err(Fault::Unsupported(format!(
                "the attribute `{}`",
                unknown.name
            )));
        }
        let beyond = self.inputs.iter().skip(asked.inputs);
        if beyond.flatten().next().is_some() {
            return invalid(format!(
                "it takes {} operands, not {}",
                asked.inputs,
                self.inputs.len()
            ));
        }
        let beyond = self.proto.output.iter().skip(outputs);
        if beyond.into_iter().any(|name| !name.is_empty()) {
            return invalid(format!(
                "it has {outputs} outputs, not {}",
                self.proto.output.len()
            ));
        }
        Ok(())
    }
}
