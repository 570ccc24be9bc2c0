//! The value of a name while a model is read.

use std::rc::Rc;

use graph_kernels::DType;

use super::build::Val;
use super::error::{Result, invalid};

/// The value of a name. Sequences and optional values exist only while the model is read: the graph has tensors.
#[derive(Clone, Debug)]
pub(crate) enum Value {
    /// A tensor.
    Tensor(Val),
    /// A list of tensors, whose number is known.
    Sequence(Sequence),
    /// An optional without a value.
    Absent,
}

/// A list of tensors of one dtype, which is unknown only for an empty list from an optional.
#[derive(Clone, Debug)]
pub(crate) struct Sequence {
    pub dtype: DType,
    pub items: Rc<[Val]>,
}

impl Sequence {
    pub fn of(dtype: DType, items: impl Into<Rc<[Val]>>) -> Value {
        Value::Sequence(Sequence {
            dtype,
            items: items.into(),
        })
    }
}

impl Value {
    /// The tensor.
    pub fn tensor(&self) -> Result<Val> {
        match self {
            Value::Tensor(val) => Ok(*val),
            Value::Sequence(_) => invalid("a sequence where a tensor is expected"),
            Value::Absent => invalid("an optional without a value where a tensor is expected"),
        }
    }

    /// The sequence.
    pub fn sequence(&self) -> Result<&Sequence> {
        match self {
            Value::Sequence(sequence) => Ok(sequence),
            _ => invalid("something else where a sequence is expected"),
        }
    }

    /// The tensors that it consists of.
    pub fn leaves(&self) -> &[Val] {
        match self {
            Value::Tensor(val) => std::slice::from_ref(val),
            Value::Sequence(sequence) => &sequence.items,
            Value::Absent => &[],
        }
    }

    /// The same with other tensors, as many as [`leaves`](Self::leaves).
    pub fn with_leaves(&self, leaves: &mut impl Iterator<Item = Val>) -> Result<Value> {
        Ok(match self {
            Value::Tensor(_) => match leaves.next() {
                Some(val) => Value::Tensor(val),
                None => return invalid("a tensor is missing"),
            },
            Value::Sequence(s) => {
                let items: Vec<Val> = leaves.take(s.items.len()).collect();
                Sequence::of(s.dtype, items)
            }
            Value::Absent => Value::Absent,
        })
    }

    /// Whether both have the same form: two tensors, two sequences of the same length, or two absent values.
    pub fn is_like(&self, other: &Value) -> bool {
        std::mem::discriminant(self) == std::mem::discriminant(other)
            && self.leaves().len() == other.leaves().len()
    }
}

impl From<Val> for Value {
    fn from(val: Val) -> Value {
        Value::Tensor(val)
    }
}
