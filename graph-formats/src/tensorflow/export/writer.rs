//! The writer: it adds nodes to the body that is being written. A node's dtypes follow from its operands and results by the op's signature.

use std::sync::Arc;

use graph_ir::types::{Shape, TensorType};
use graph_kernels::{Array, DType, Element, cast};

use super::body::{Body, Source, Tensor, ValueInfo};
use super::library::Library;
use crate::tensorflow::attributes;
use crate::tensorflow::proto::{AttrValue, DataType, NodeDef};
use crate::tensorflow::signatures::{self, Arg, ArgType, Signature};
use crate::tensorflow::tensors::tensor_proto;
use crate::tensorflow::types::{data_type, shape_proto};

/// Writes nodes.
#[derive(Default)]
pub(crate) struct Writer {
    pub body: Body,
    pub library: Library,
    /// The number of functions around the body.
    pub depth: usize,
}

/// What a node does besides computing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Effect {
    None,
    Read,
    Write,
}

impl Writer {
    /// Begins a node whose first operands are these, one for each argument of the op.
    pub fn op(&mut self, op: &str, inputs: &[&Tensor]) -> Building<'_> {
        Building {
            writer: self,
            op: op.to_owned(),
            name: None,
            inputs: inputs.iter().map(|x| vec![(*x).clone()]).collect(),
            attributes: Vec::new(),
            effect: Effect::None,
            after: Vec::new(),
        }
    }

    /// The same value under a new name.
    pub fn identity(&mut self, x: &Tensor) -> Tensor {
        self.op("Identity", &[x]).like(x)
    }

    /// A vector of `int32`, which ops take as axes, sizes and positions.
    pub fn ints(&mut self, values: &[i64]) -> Tensor {
        self.converted(&Array::new(&[values.len()], values.to_vec()), DType::I32)
    }

    /// An `int32` scalar.
    pub fn int(&mut self, value: i64) -> Tensor {
        self.converted(&Array::scalar(value), DType::I32)
    }

    /// A scalar.
    pub fn scalar<T: Element>(&mut self, value: T) -> Tensor {
        Tensor::constant(Array::scalar(value))
    }

    /// A number as a scalar of a dtype.
    pub fn number(&mut self, value: f64, dtype: DType) -> Tensor {
        self.converted(&Array::scalar(value), dtype)
    }

    /// A constant of another dtype; sizes that don't fit into `int32` stay `int64`.
    fn converted(&mut self, array: &Array, dtype: DType) -> Tensor {
        let too_large = |n: &i64| i32::try_from(*n).is_err();
        if dtype == DType::I32
            && array
                .values::<i64>()
                .is_some_and(|values| values.iter().any(too_large))
        {
            return Tensor::constant(array.clone());
        }
        let mut converted = Array::default();
        match cast(array, dtype, &mut converted) {
            Ok(()) => Tensor::constant(converted),
            // Numbers become any dtype but strings, for which nothing asks.
            Err(_) => Tensor::constant(array.clone()),
        }
    }

    /// The values as another dtype.
    pub fn cast(&mut self, x: &Tensor, dtype: DType) -> Tensor {
        if x.dtype() == dtype {
            return x.clone();
        }
        let ty = TensorType::new(dtype, x.info.ty.shape.clone());
        self.op("Cast", &[x]).gives(ty)
    }

    /// How a node's input names the value. A constant becomes a node of the wanted name.
    pub fn reference(&mut self, x: &Tensor, name: &str) -> String {
        let Source::Constant(array) = &x.source else {
            return self.body.reference(&x.source);
        };
        let name = self.body.names.unique(name);
        self.body.nodes.push(NodeDef {
            name: name.clone(),
            op: "Const".to_owned(),
            attr: [
                (
                    "dtype".to_owned(),
                    attributes::dtype(data_type(array.dtype())),
                ),
                ("value".to_owned(), attributes::tensor(tensor_proto(array))),
            ]
            .into(),
            ..NodeDef::default()
        });
        self.body.reference(&Source::Output {
            node: name.into(),
            result: "output",
            at: 0,
            position: 0,
        })
    }
}

/// A node before its results are known.
pub(crate) struct Building<'w> {
    writer: &'w mut Writer,
    op: String,
    name: Option<String>,
    /// The operands of each argument of the op.
    inputs: Vec<Vec<Tensor>>,
    attributes: Vec<(&'static str, AttrValue)>,
    effect: Effect,
    after: Vec<String>,
}

impl Building<'_> {
    /// The next argument, which is a list of tensors.
    pub fn list(mut self, tensors: &[Tensor]) -> Self {
        self.inputs.push(tensors.to_vec());
        self
    }

    /// The next argument, which is one tensor.
    pub fn with(mut self, tensor: &Tensor) -> Self {
        self.inputs.push(vec![tensor.clone()]);
        self
    }

    /// The name that the node should have, instead of the op's.
    pub fn named(mut self, name: &str) -> Self {
        self.name = Some(name.to_owned());
        self
    }

    /// Adds an attribute.
    pub fn attr(mut self, name: &'static str, value: AttrValue) -> Self {
        self.attributes.push((name, value));
        self
    }

    /// Says what the node does besides computing.
    pub fn effect(mut self, effect: Effect) -> Self {
        self.effect = effect;
        self
    }

    /// The node runs after the node whose result a value is.
    pub fn after(mut self, x: &Tensor) -> Self {
        match &x.source {
            Source::Input(name) => self.after.push(name.to_string()),
            Source::Output { node, .. } => self.after.push(node.to_string()),
            Source::Constant(_) => {}
        }
        self
    }

    /// The node's only result, of the dtype and shape of a value.
    pub fn like(self, x: &Tensor) -> Tensor {
        self.gives(x.info.ty.clone())
    }

    /// The node's only result, of a dtype, with a shape that no reader needs.
    pub fn of(self, dtype: DType) -> Tensor {
        self.gives(TensorType::new(dtype, Shape::unknown()))
    }

    /// The node's first result; TensorFlow's op may have others.
    pub fn gives(self, ty: TensorType) -> Tensor {
        self.give(&[ValueInfo::tensor(ty)]).swap_remove(0)
    }

    /// The node's results.
    pub fn give(self, results: &[ValueInfo]) -> Vec<Tensor> {
        static NONE: Signature = Signature {
            inputs: Vec::new(),
            outputs: Vec::new(),
        };
        debug_assert!(
            signatures::find(&self.op).is_some(),
            "ops.txt has {}",
            self.op
        );
        let signature = signatures::find(&self.op).unwrap_or(&NONE);
        let name = self
            .writer
            .body
            .names
            .unique(self.name.as_deref().unwrap_or(&self.op));
        let mut node = NodeDef {
            op: self.op,
            name: name.clone(),
            ..NodeDef::default()
        };
        for (arg, tensors) in signature.inputs.iter().zip(&self.inputs) {
            let types: Vec<DataType> = tensors.iter().map(|x| x.info.data_type()).collect();
            set_types(&mut node, arg, &types);
            for x in tensors {
                let reference = self.writer.reference(x, &format!("{name}/{}", arg.name));
                node.input.push(reference);
            }
        }
        let outputs = outputs(&mut node, signature, results);
        let attributes = self.attributes.into_iter();
        node.attr
            .extend(attributes.map(|(key, value)| (key.to_owned(), value)));
        let effects = &mut self.writer.body.effects;
        let mut controls = match self.effect {
            Effect::None => Vec::new(),
            Effect::Read => effects.before_read(),
            Effect::Write => effects.before_effect(),
        };
        match self.effect {
            Effect::None => {}
            Effect::Read => effects.read(&name),
            Effect::Write => effects.effect(&name),
        }
        controls.extend(self.after);
        node.input
            .extend(controls.iter().map(|control| format!("^{control}")));
        self.writer.body.nodes.push(node);
        outputs
    }
}

/// Sets the attributes that an argument's dtypes determine.
fn set_types(node: &mut NodeDef, arg: &Arg, types: &[DataType]) {
    let mut set = |name: &str, value| node.attr.insert(name.to_owned(), value);
    match arg.ty {
        ArgType::Fixed(_) => {}
        ArgType::Attr(name) => {
            types
                .first()
                .map(|dtype| set(name, attributes::dtype(*dtype)));
        }
        ArgType::Many(number, of) => {
            set(number, attributes::int(types.len() as i64));
            if let (Some(name), Some(dtype)) = (of, types.first()) {
                set(name, attributes::dtype(*dtype));
            }
        }
        ArgType::List(name) => {
            set(name, attributes::dtypes(types.iter().copied()));
        }
    }
}

/// The results, by the op's signature; all that are left belong to a result that is a list.
fn outputs(node: &mut NodeDef, signature: &Signature, results: &[ValueInfo]) -> Vec<Tensor> {
    let name: Arc<str> = node.name.as_str().into();
    let mut outputs = Vec::new();
    for arg in &signature.outputs {
        let left = results.get(outputs.len()..).unwrap_or_default();
        let count = match arg.ty {
            ArgType::Many(..) | ArgType::List(_) => left.len(),
            _ => left.len().min(1),
        };
        if count == 0 && matches!(arg.ty, ArgType::Attr(_)) {
            continue;
        }
        let types: Vec<DataType> = left[..count].iter().map(ValueInfo::data_type).collect();
        set_types(node, arg, &types);
        for (at, info) in left[..count].iter().enumerate() {
            outputs.push(Tensor {
                source: Source::Output {
                    node: name.clone(),
                    result: arg.name,
                    at,
                    position: outputs.len(),
                },
                info: info.clone(),
            });
        }
    }
    outputs
}

/// The attribute `output_shapes`, from which TensorFlow takes the shapes of the results of control flow.
pub(crate) fn output_shapes(results: &[ValueInfo]) -> AttrValue {
    let shape = |info: &ValueInfo| match info.is_variable {
        true => shape_proto(&Shape::scalar()),
        false => shape_proto(&info.ty.shape),
    };
    attributes::shapes(results.iter().map(shape))
}
