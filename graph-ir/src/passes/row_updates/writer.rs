//! Builds the closed graph for the update of a few rows.

use std::sync::Arc;

use graph_kernels::{Array, DType};

use super::RowUpdate;
use crate::error::Location;
use crate::graph::{Graph, Op, Shape, TensorType, ValueId};
use crate::ops::{self, Attr, Attrs, OpDef};

/// A closed graph under construction.
pub(super) struct Writer<'a> {
    pub graph: Graph,
    location: &'a Location,
}

impl<'a> Writer<'a> {
    pub fn new(location: &'a Location) -> Writer<'a> {
        Writer {
            graph: Graph::default(),
            location,
        }
    }

    pub fn constant(&mut self, array: Array) -> ValueId {
        let ty = TensorType::of_array(&array);
        let op = Op::Constant(Arc::new(array));
        self.graph
            .add_node(op, vec![], vec![ty], self.location.clone())[0]
    }

    pub fn primitive(&mut self, op: &'static OpDef, attrs: Attrs, operands: &[ValueId]) -> ValueId {
        let types: Vec<TensorType> = operands.iter().map(|v| self.graph.ty(*v).clone()).collect();
        let ty = (op.infer)(&types, &attrs).expect("the operands of an update fit");
        let op = Op::Primitive(op, attrs);
        self.graph
            .add_node(op, operands.to_vec(), vec![ty], self.location.clone())[0]
    }

    pub fn zeros(&mut self, dtype: DType, shape: &[usize]) -> ValueId {
        let zero = self.constant(Array::zeros(dtype, &[]));
        let attrs = Attrs::new().with("shape", sizes(shape));
        self.primitive(&ops::FILL, attrs, &[zero])
    }

    pub fn add_rows(&mut self, sum: ValueId, part: ValueId, indices: ValueId) -> ValueId {
        let attrs = Attrs::new()
            .with("axis", Attr::Int(0))
            .with("batch_dims", Attr::Int(0));
        self.primitive(&ops::GATHER_ADD, attrs, &[sum, part, indices])
    }

    pub fn reshaped(&mut self, x: ValueId, shape: &[usize]) -> ValueId {
        if self.graph.ty(x).shape == Shape::known(shape) {
            return x;
        }
        self.primitive(
            &ops::RESHAPE,
            Attrs::new().with("shape", sizes(shape)),
            &[x],
        )
    }

    /// All values of an array as a vector.
    pub fn vector(&mut self, x: ValueId) -> ValueId {
        let size = self.graph.ty(x).shape.size().unwrap_or_default();
        self.reshaped(x, &[size])
    }

    /// The concatenation of vectors of integers.
    pub fn joined(&mut self, vectors: &[ValueId]) -> ValueId {
        if let [one] = vectors {
            return *one;
        }
        let wide = vectors
            .iter()
            .map(|v| self.cast(*v, DType::I64))
            .collect::<Vec<_>>();
        self.primitive(&ops::CONCAT, Attrs::new().with("axis", Attr::Int(0)), &wide)
    }

    fn cast(&mut self, x: ValueId, dtype: DType) -> ValueId {
        if self.graph.ty(x).dtype == dtype {
            return x;
        }
        self.primitive(
            &ops::CAST,
            Attrs::new().with("dtype", Attr::DType(dtype)),
            &[x],
        )
    }

    /// A range of rows of an array.
    pub fn rows(&mut self, x: ValueId, begin: usize, end: usize) -> ValueId {
        let whole = self.graph.ty(x).shape.dims().and_then(|dims| dims[0]);
        if (begin, Some(end)) == (0, whole) {
            return x;
        }
        let [begin, end] = [begin, end].map(|n| self.constant(Array::scalar(n as i64)));
        self.primitive(&ops::SLICE_ROWS, Attrs::new(), &[x, begin, end])
    }

    /// Writes the update of rows of a variable.
    pub fn update(&mut self, update: &RowUpdate<'_>, rows: ValueId, change: ValueId) {
        let mut body = Writer::new(self.location);
        let name = update.body.values[update.body.inputs[0].index()]
            .name
            .clone();
        let operands = [
            body.graph.add_input(update.table.clone(), name),
            body.graph.add_input(self.graph.ty(rows).clone(), None),
            body.graph.add_input(self.graph.ty(change).clone(), None),
        ];
        let changed = body.primitive(update.op, Attrs::new(), &operands);
        body.graph.outputs = vec![changed];
        let op = Op::UpdateVariable {
            variable: update.variable,
            body: body.graph.into(),
        };
        self.graph
            .add_node(op, vec![rows, change], vec![], self.location.clone());
    }
}

fn sizes(shape: &[usize]) -> Attr {
    Attr::Ints(shape.iter().map(|n| *n as i64).collect())
}
