//! A node while it is read: its operands and attributes.

use graph_ir::types::Shape;
use graph_kernels::DType;

use super::build::Val;
use crate::tensorflow::error::{Error, Result};
use crate::tensorflow::proto::attr_value::{ListValue, Value as Attribute};
use crate::tensorflow::proto::{AttrValue, NodeDef, TensorProto};
use crate::tensorflow::types::{dtype_of, shape_of};

/// A value that a node gives.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// A tensor, or a list of rows as one array.
    Tensor(Val),
    /// The handle of a variable, by its position in the table.
    Variable(usize),
    /// The axes over which a gradient is summed to this shape, a vector.
    AxesTo(Val),
    /// Nothing that a graph here needs.
    Nothing,
}

impl Value {
    /// The tensor.
    pub fn tensor(&self) -> Result<Val> {
        match self {
            Value::Tensor(val) => Ok(*val),
            Value::Variable(_) => Err(Error::unsupported("a handle of a variable as a tensor")),
            Value::AxesTo(_) => Err(Error::unsupported("axes that are known only at run time")),
            Value::Nothing => Err(Error::unsupported("a value of an op that isn't here")),
        }
    }
}

/// A node while it is read.
pub(crate) struct Node<'a> {
    pub def: &'a NodeDef,
    pub inputs: Vec<Value>,
}

/// One typed getter per line.
macro_rules! getters {
    ($($(#[$doc:meta])* $name:ident -> $type:ty = $pattern:pat => $value:expr;)*) => { $(
        $(#[$doc])*
        pub fn $name(&self, name: &str) -> Result<Option<$type>> {
            match self.attribute(name) {
                None => Ok(None),
                Some($pattern) => Ok(Some($value)),
                Some(_) => Err(Error::invalid(format!("the attribute `{name}` has another kind"))),
            }
        }
    )* };
}

impl<'a> Node<'a> {
    fn attribute(&self, name: &str) -> Option<&'a Attribute> {
        self.def
            .attr
            .get(name)
            .and_then(|AttrValue { value }| value.as_ref())
    }

    getters! {
        /// The integer attribute with this name.
        int -> i64 = Attribute::I(n) => *n;
        /// The float attribute with this name.
        float -> f64 = Attribute::F(x) => f64::from(*x);
        /// The boolean attribute with this name.
        bool -> bool = Attribute::B(b) => *b;
        /// The function attribute with this name.
        func -> &'a str = Attribute::Func(func) => func.name.as_str();
        /// The tensor attribute with this name.
        tensor_proto -> &'a TensorProto = Attribute::Tensor(tensor) => tensor;
        /// The attribute with this name, which is a list.
        list -> &'a ListValue = Attribute::List(list) => list;
        /// The text attribute with this name.
        bytes -> &'a [u8] = Attribute::S(text) => text.as_slice();
        /// The number of the dtype attribute with this name.
        data_type -> i32 = Attribute::Type(number) => *number;
    }

    /// The text attribute with this name.
    pub fn text(&self, name: &str) -> Result<Option<&'a str>> {
        let text = self.bytes(name)?.map(std::str::from_utf8).transpose();
        text.map_err(|_| Error::invalid(format!("the attribute `{name}` isn't text")))
    }

    /// The dtype attribute with this name.
    pub fn dtype(&self, name: &str) -> Result<Option<DType>> {
        self.data_type(name)?.map(dtype_of).transpose()
    }

    /// The shape attribute with this name; unknown, if it isn't given.
    pub fn shape(&self, name: &str) -> Result<Shape> {
        match self.attribute(name) {
            None => Ok(Shape::unknown()),
            Some(Attribute::Shape(shape)) => shape_of(Some(shape)),
            Some(_) => Err(Error::invalid(format!(
                "the attribute `{name}` has another kind"
            ))),
        }
    }

    /// The attribute with this name, which is a list of integers.
    pub fn ints(&self, name: &str) -> Result<&'a [i64]> {
        Ok(self.list(name)?.map_or(&[], |list| list.i.as_slice()))
    }

    /// The attribute as a truth value that is false by default.
    pub fn flag(&self, name: &str) -> Result<bool> {
        Ok(self.bool(name)?.unwrap_or(false))
    }

    /// An attribute that must be given.
    pub fn required<T>(&self, name: &str, value: Option<T>) -> Result<T> {
        value.ok_or_else(|| Error::invalid(format!("the attribute `{name}` is missing")))
    }

    /// An operand.
    pub fn value(&self, n: usize) -> Result<&Value> {
        self.inputs
            .get(n)
            .ok_or_else(|| Error::invalid(format!("operand {n} is missing")))
    }

    /// A tensor operand.
    pub fn tensor(&self, n: usize) -> Result<Val> {
        self.value(n)?.tensor()
    }

    /// All operands, which must be tensors.
    pub fn tensors(&self) -> Result<Vec<Val>> {
        self.inputs.iter().map(Value::tensor).collect()
    }
}
