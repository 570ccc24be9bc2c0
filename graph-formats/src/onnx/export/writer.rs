//! The writer: the nodes of the body that is being written, and what they share: names, constants and the variables' present values.
//!
//! A body is the main graph, a function, or a branch or a loop's body inside these. The bodies inside a graph see its names, so no name
//! occurs twice in it, and its constants are kept beside it once.

use std::mem;
use std::rc::Rc;

use graph_ir::types::{Dim, Shape, TensorType};
use graph_kernels::{Array, DType, cast};
use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::Functions;
use super::kernels::computed_as;
use super::options::Options;
use super::tensors::{data_type, tensor};
use crate::onnx::proto::attribute_proto::AttributeType;
use crate::onnx::proto::{AttributeProto, GraphProto, NodeProto, TensorProto};

/// A value of the model: its name, and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct Tensor {
    pub name: Rc<str>,
    pub ty: TensorType,
    /// The sizes that it holds, as far as they are known, if it is a vector of sizes.
    pub sizes: Option<Rc<[Dim]>>,
}

impl Tensor {
    pub fn new(name: Rc<str>, ty: TensorType) -> Tensor {
        let sizes = None;
        Tensor { name, ty, sizes }
    }

    pub fn dtype(&self) -> DType {
        self.ty.dtype
    }

    /// The sizes of the axes, if the rank is known.
    pub fn dims(&self) -> Option<&[Option<usize>]> {
        self.ty.shape.dims()
    }

    /// The number of axes.
    ///
    /// # Errors
    /// If it isn't known: many operators of ONNX list axes.
    pub fn rank(&self) -> Result<usize, String> {
        let rank = self.ty.shape.rank();
        rank.ok_or_else(|| "the rank of an operand isn't known, which ONNX needs here".to_owned())
    }

    /// An axis that may count from the end, counted from the beginning.
    pub fn axis(&self, axis: i64) -> Result<usize, String> {
        let axis = graph_kernels::normalize_axis(axis, self.rank()?);
        axis.map_err(|error| error.to_string())
    }
}

/// More sizes than this are no shape that anybody asks for.
const MOST_SIZES: usize = 16;

/// The sizes in a vector of few integers.
fn sizes_in(array: &Array) -> Option<Rc<[Dim]>> {
    if array.rank() != 1 || array.len() > MOST_SIZES {
        return None;
    }
    let size = |n: i64| usize::try_from(n).ok();
    let wide = array
        .values::<i64>()
        .map(|values| values.iter().map(|n| size(*n)).collect());
    wide.or_else(|| {
        array
            .values::<i32>()
            .map(|values| values.iter().map(|n| size(i64::from(*n))).collect())
    })
}

/// The names of one graph and the graphs inside it.
#[derive(Default)]
pub(super) struct Names {
    used: FxHashSet<Rc<str>>,
    numbers: FxHashMap<String, usize>,
}

impl Names {
    /// The name itself if it is new, otherwise with a number.
    pub fn unique(&mut self, name: &str) -> Rc<str> {
        if !name.is_empty() && !self.used.contains(name) {
            return self.take(name.into());
        }
        let number = self.numbers.entry(name.to_owned()).or_default();
        loop {
            *number += 1;
            let numbered = format!("{name}_{number}");
            if !self.used.contains(numbered.as_str()) {
                return self.take(numbered.into());
            }
        }
    }

    fn take(&mut self, name: Rc<str>) -> Rc<str> {
        self.used.insert(name.clone());
        name
    }
}

/// What is written for the main graph, or for one function.
#[derive(Default)]
pub(super) struct Body {
    pub names: Names,
    /// The nodes of the innermost body.
    pub nodes: Vec<NodeProto>,
    /// The user's line of what is being written.
    pub line: String,
    pub constants: Vec<TensorProto>,
    /// Constants by their bytes, so that none is kept twice.
    known: FxHashMap<Vec<u8>, Tensor>,
    /// The present values of the graph's variables.
    pub variables: Vec<Tensor>,
}

pub(super) struct Writer {
    pub options: Options,
    pub body: Body,
    pub functions: Functions,
}

impl Writer {
    pub fn new(options: Options) -> Writer {
        Writer {
            options,
            body: Body::default(),
            functions: Functions::default(),
        }
    }

    /// Begins a node of an operator.
    pub fn op(&mut self, operator: &str, inputs: &[&Tensor]) -> Building<'_> {
        Building {
            writer: self,
            operator: operator.to_owned(),
            inputs: inputs.iter().map(|input| Some((*input).clone())).collect(),
            attributes: Vec::new(),
        }
    }

    /// The same value under a new name.
    pub fn identity(&mut self, x: &Tensor) -> Tensor {
        self.op("Identity", &[x]).like(x)
    }

    /// The values as another dtype.
    pub fn cast(&mut self, x: &Tensor, dtype: DType) -> Tensor {
        if x.dtype() == dtype {
            return x.clone();
        }
        let to = data_type(dtype) as i64;
        let shape = x.ty.shape.clone();
        let cast = self.op("Cast", &[x]).int("to", to);
        let cast = cast.gives(TensorType::new(dtype, shape));
        Tensor {
            sizes: x.sizes.clone().filter(|_| dtype.is_index()),
            ..cast
        }
    }

    /// A constant.
    pub fn constant(&mut self, array: &Array) -> Tensor {
        let proto = tensor(array, "");
        let key = prost::Message::encode_to_vec(&proto);
        if let Some(known) = self.body.known.get(&key) {
            return known.clone();
        }
        let constant = Tensor {
            sizes: sizes_in(array),
            ..Tensor::new(
                self.body.names.unique("constant"),
                TensorType::of_array(array),
            )
        };
        let name = constant.name.to_string();
        self.body.constants.push(TensorProto { name, ..proto });
        self.body.known.insert(key, constant.clone());
        constant
    }

    /// A vector of `int64`, which operators take as axes, sizes and positions.
    pub fn ints(&mut self, values: &[i64]) -> Tensor {
        self.constant(&Array::new(&[values.len()], values.to_vec()))
    }

    /// An `int64` scalar.
    pub fn int(&mut self, value: i64) -> Tensor {
        self.constant(&Array::scalar(value))
    }

    /// A number as a scalar of a dtype.
    pub fn number(&mut self, value: f64, dtype: DType) -> Tensor {
        self.converted(&Array::scalar(value), dtype)
    }

    /// An array as a constant of another dtype.
    pub fn converted(&mut self, array: &Array, dtype: DType) -> Tensor {
        let mut converted = Array::default();
        match cast(array, dtype, &mut converted) {
            Ok(()) => self.constant(&converted),
            // Numbers become any dtype but strings, for which nothing asks.
            Err(_) => self.constant(array),
        }
    }

    /// Writes a body of its own, and returns its nodes.
    pub fn inner<R>(&mut self, write: impl FnOnce(&mut Writer) -> R) -> (Vec<NodeProto>, R) {
        let outer = mem::take(&mut self.body.nodes);
        let result = write(self);
        (mem::replace(&mut self.body.nodes, outer), result)
    }

    /// Gives the last node's output another name, if it is this value.
    pub fn rename_last(&mut self, value: &mut Tensor, name: &str) {
        if let Some(output) = self
            .body
            .nodes
            .last_mut()
            .and_then(|node| node.output.first_mut())
            && **output == *value.name
        {
            value.name = self.body.names.unique(name);
            *output = value.name.to_string();
        }
    }

    /// The values as results of the body that is being written: each is the output of one of its own nodes, and none occurs twice.
    pub fn as_results(&mut self, values: &[Tensor]) -> Vec<Tensor> {
        let own = self.body.nodes.iter().flat_map(|node| &node.output);
        let mut free: FxHashSet<String> = own.cloned().collect();
        let result = |value: &Tensor| match free.remove(&*value.name) {
            true => value.clone(),
            false => self.identity(value),
        };
        values.iter().map(result).collect()
    }
}

/// A node before its output is named.
pub(super) struct Building<'w> {
    writer: &'w mut Writer,
    operator: String,
    inputs: Vec<Option<Tensor>>,
    attributes: Vec<AttributeProto>,
}

impl Building<'_> {
    /// Leaves out the next operand.
    pub fn without(mut self) -> Self {
        self.inputs.push(None);
        self
    }

    /// The next operands.
    pub fn with(mut self, inputs: &[Tensor]) -> Self {
        self.inputs.extend(inputs.iter().cloned().map(Some));
        self
    }

    fn attribute(mut self, name: &str, of: AttributeType, value: AttributeProto) -> Self {
        self.attributes.push(AttributeProto {
            name: name.to_owned(),
            r#type: of as i32,
            ..value
        });
        self
    }

    pub fn int(self, name: &str, value: i64) -> Self {
        let value = AttributeProto {
            i: Some(value),
            ..AttributeProto::default()
        };
        self.attribute(name, AttributeType::Int, value)
    }

    pub fn ints(self, name: &str, values: &[i64]) -> Self {
        let value = AttributeProto {
            ints: values.to_vec(),
            ..AttributeProto::default()
        };
        self.attribute(name, AttributeType::Ints, value)
    }

    pub fn text(self, name: &str, value: &str) -> Self {
        let value = AttributeProto {
            s: Some(value.as_bytes().to_vec()),
            ..AttributeProto::default()
        };
        self.attribute(name, AttributeType::String, value)
    }

    pub fn graph(self, name: &str, graph: GraphProto) -> Self {
        let value = AttributeProto {
            g: Some(graph),
            ..AttributeProto::default()
        };
        self.attribute(name, AttributeType::Graph, value)
    }

    /// The node's only output, of the dtype and shape of a value.
    pub fn like(self, x: &Tensor) -> Tensor {
        self.gives(x.ty.clone())
    }

    /// The node's only output, of a dtype, with a shape that no reader needs.
    pub fn of(self, dtype: DType) -> Tensor {
        self.gives(TensorType::new(dtype, Shape::unknown()))
    }

    /// The node's only output. It is computed in a wider dtype if there is no kernel for this one.
    pub fn gives(self, ty: TensorType) -> Tensor {
        let data = usize::from(self.operator == "Where");
        let dtype = self
            .inputs
            .get(data)
            .and_then(|x| Some(x.as_ref()?.dtype()));
        let Some(dtype) = dtype else {
            return self.give_all(&[ty]).swap_remove(0);
        };
        let wide = computed_as(&self.operator, dtype);
        if wide == dtype {
            return self.give_all(&[ty]).swap_remove(0);
        }
        let Building {
            writer,
            operator,
            inputs,
            attributes,
        } = self;
        let cast = |x: Option<Tensor>| match x {
            Some(x) if x.dtype() == dtype => Some(writer.cast(&x, wide)),
            x => x,
        };
        let inputs = inputs.into_iter().map(cast).collect();
        let given = if ty.dtype == dtype { wide } else { ty.dtype };
        let computed = Building {
            writer: &mut *writer,
            operator,
            inputs,
            attributes,
        }
        .give_all(&[TensorType::new(given, ty.shape.clone())])
        .swap_remove(0);
        writer.cast(&computed, ty.dtype)
    }

    /// The node's outputs, in the dtypes that its operands have.
    pub fn give_all(self, types: &[TensorType]) -> Vec<Tensor> {
        self.in_domain("", types)
    }

    /// The outputs of a node whose operator belongs to a domain.
    pub fn in_domain(self, domain: &str, types: &[TensorType]) -> Vec<Tensor> {
        let names = &mut self.writer.body.names;
        let hint = self.operator.to_lowercase();
        let output = |ty: &TensorType| Tensor::new(names.unique(&hint), ty.clone());
        let outputs: Vec<Tensor> = types.iter().map(output).collect();
        let name = |x: &Option<Tensor>| x.as_ref().map_or_else(String::new, |x| x.name.to_string());
        self.writer.body.nodes.push(NodeProto {
            input: self.inputs.iter().map(name).collect(),
            output: outputs
                .iter()
                .map(|output| output.name.to_string())
                .collect(),
            op_type: self.operator,
            attribute: self.attributes,
            doc_string: self.writer.body.line.clone(),
            domain: domain.to_owned(),
            ..NodeProto::default()
        });
        outputs
    }
}
