//! The body that is being written, which is the main graph or a function: its nodes, their names, its variables and the order of its effects.

use std::sync::Arc;

use graph_ir::types::TensorType;
use graph_kernels::{Array, DType};

use super::names::Names;
use crate::tensorflow::proto::{DataType, NodeDef};
use crate::tensorflow::types::data_type;

/// What is known about a value.
#[derive(Clone)]
pub(crate) struct ValueInfo {
    /// The type of the tensor, or of the variable.
    pub ty: TensorType,
    /// Whether it is the handle of a variable.
    pub is_variable: bool,
}

impl ValueInfo {
    /// A tensor.
    pub fn tensor(ty: TensorType) -> ValueInfo {
        ValueInfo {
            ty,
            is_variable: false,
        }
    }

    /// The handle of a variable.
    pub fn variable(ty: TensorType) -> ValueInfo {
        ValueInfo {
            ty,
            is_variable: true,
        }
    }

    /// TensorFlow's dtype.
    pub fn data_type(&self) -> DataType {
        match self.is_variable {
            true => DataType::DtResource,
            false => data_type(self.ty.dtype),
        }
    }
}

/// A value of the body.
#[derive(Clone)]
pub(crate) struct Tensor {
    pub source: Source,
    pub info: ValueInfo,
}

/// Where a value comes from.
#[derive(Clone)]
pub(crate) enum Source {
    /// A placeholder of the main graph, or an argument of the function.
    Input(Arc<str>),
    /// A result of a node.
    Output {
        node: Arc<str>,
        /// The name of the result.
        result: &'static str,
        /// The position among the tensors of this result.
        at: usize,
        /// The position among all tensors that the node gives.
        position: usize,
    },
    /// A constant, which becomes a node where it is used.
    Constant(Arc<Array>),
}

impl Tensor {
    /// A constant.
    pub fn constant(array: impl Into<Arc<Array>>) -> Tensor {
        let array = array.into();
        Tensor {
            info: ValueInfo::tensor(TensorType::of_array(&array)),
            source: Source::Constant(array),
        }
    }

    /// The dtype of the tensor.
    pub fn dtype(&self) -> DType {
        self.info.ty.dtype
    }

    /// The number of axes, if it is known.
    pub fn rank(&self) -> Option<usize> {
        self.info.ty.shape.rank()
    }
}

/// The body that is being written.
#[derive(Default)]
pub(crate) struct Body {
    pub is_function: bool,
    pub nodes: Vec<NodeDef>,
    pub names: Names,
    /// The handles of the variables that the body uses, by their positions in the graph's table.
    pub variables: Vec<Option<Tensor>>,
    pub effects: Effects,
}

/// The order of effects, which control inputs keep.
#[derive(Default)]
pub(crate) struct Effects {
    /// The last node with an effect.
    last: Option<String>,
    /// The reads of variables since then.
    reads: Vec<String>,
}

impl Effects {
    /// The nodes that must run before a read.
    pub fn before_read(&self) -> Vec<String> {
        self.last.iter().cloned().collect()
    }

    /// The nodes that must run before an effect.
    pub fn before_effect(&self) -> Vec<String> {
        match self.reads.is_empty() {
            true => self.before_read(),
            false => self.reads.clone(),
        }
    }

    /// Records a read.
    pub fn read(&mut self, node: &str) {
        self.reads.push(node.to_owned());
    }

    /// Records an effect.
    pub fn effect(&mut self, node: &str) {
        self.last = Some(node.to_owned());
        self.reads.clear();
    }

    /// The node that is run last, for its effect.
    pub fn last(&self) -> Option<&str> {
        self.last.as_deref()
    }
}

impl Body {
    /// How a node's input names a value that is no constant.
    pub fn reference(&self, source: &Source) -> String {
        match source {
            Source::Input(name) => name.to_string(),
            Source::Output {
                node, result, at, ..
            } if self.is_function => format!("{node}:{result}:{at}"),
            Source::Output {
                node, position: 0, ..
            } => node.to_string(),
            Source::Output { node, position, .. } => format!("{node}:{position}"),
            Source::Constant(_) => String::new(),
        }
    }
}
