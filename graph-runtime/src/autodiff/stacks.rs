//! Stacks: what the iterations of a loop save for its gradient. Rows of one known shape are a list that grows. Where a shape isn't known
//! it may change from iteration to iteration, as that of an inner loop's stack does: then all values are one list, and the
//! shapes another.

use graph_kernels::{Array, DType};

use super::build::{constant, of_type, primitive};
use crate::graph::{Graph, Node, Shape, TensorType, ValueId};
use crate::ops::{self, Attr, Attrs};

/// A stack of what a value is in each iteration.
pub(super) struct Stack {
    /// The value's type.
    row: TensorType,
    /// The types of the lists.
    pub lists: Vec<TensorType>,
}

impl Stack {
    /// A stack for values of a type.
    pub fn of(row: TensorType) -> Stack {
        let list = |dtype, row: &[usize]| {
            let dims = [None].into_iter().chain(row.iter().map(|n| Some(*n)));
            TensorType::new(dtype, Shape::of(dims))
        };
        let lists = match (row.shape.to_known(), row.shape.rank()) {
            (Some(sizes), _) => vec![list(row.dtype, &sizes)],
            (None, Some(rank)) => vec![list(row.dtype, &[]), list(DType::I32, &[rank])],
            // The first row will tell.
            (None, None) => vec![TensorType::new(row.dtype, Shape::unknown())],
        };
        Stack { row, lists }
    }

    /// Whether the rows may be of several shapes.
    pub fn is_ragged(&self) -> bool {
        self.lists.len() == 2
    }

    /// The lists before the first iteration; `none` is the number 0.
    pub fn begin(&self, graph: &mut Graph, none: ValueId, node: &Node) -> Vec<ValueId> {
        let new = |ty: &TensorType| {
            let attrs = Attrs::new()
                .with("dtype", Attr::DType(ty.dtype))
                .with("shape", Attr::Shape(ty.shape.clone()));
            primitive(graph, &ops::LIST_NEW, attrs, vec![none], node)
        };
        self.lists.iter().map(new).collect()
    }

    /// The lists behind iteration `i`, in which the value was this one.
    pub fn push(
        &self,
        graph: &mut Graph,
        lists: &[ValueId],
        i: ValueId,
        value: ValueId,
        node: &Node,
    ) -> Vec<ValueId> {
        let write = |list: ValueId, row: ValueId, graph: &mut Graph| {
            let attrs = Attrs::new().with("grows", Attr::Bool(true));
            primitive(graph, &ops::LIST_WRITE, attrs, vec![list, i, row], node)
        };
        match lists {
            [values, shapes] => {
                let shape = primitive(graph, &ops::SHAPE_OF, Attrs::new(), vec![value], node);
                let operands = vec![*values, value];
                let values = primitive(graph, &ops::LIST_EXTEND, Attrs::new(), operands, node);
                vec![values, write(*shapes, shape, graph)]
            }
            lists => lists
                .iter()
                .map(|list| write(*list, value, graph))
                .collect(),
        }
    }

    /// The value of iteration `i`, and where those of the iterations before end; `end` is where its own do.
    pub fn pop(
        &self,
        graph: &mut Graph,
        lists: &[ValueId],
        i: ValueId,
        end: Option<ValueId>,
        node: &Node,
    ) -> (ValueId, Option<ValueId>) {
        let ([values, shapes], Some(end)) = (lists, end) else {
            let shape = match self.row.shape.dims() {
                None => Shape::unknown(),
                Some(dims) => Shape::of([None].into_iter().chain(dims.iter().copied())),
            };
            let attrs = Attrs::new().with("shape", Attr::Shape(shape));
            let value = primitive(graph, &ops::LIST_READ, attrs, vec![lists[0], i], node);
            return (of_type(graph, value, &self.row, node), None);
        };
        let attrs = Attrs::new().with("shape", Attr::Shape(self.lists[1].shape.clone()));
        let shape = primitive(graph, &ops::LIST_READ, attrs, vec![*shapes, i], node);
        let all = Attrs::new()
            .with("axes", Attr::Ints(vec![]))
            .with("keep_dims", Attr::Bool(false));
        let size = primitive(graph, &ops::REDUCE_PROD, all, vec![shape], node);
        let begin = primitive(graph, &ops::SUB, Attrs::new(), vec![end, size], node);
        let operands = vec![*values, begin, end];
        let part = primitive(graph, &ops::SLICE_ROWS, Attrs::new(), operands, node);
        let operands = vec![part, shape];
        let value = primitive(graph, &ops::RESHAPE_TO, Attrs::new(), operands, node);
        (of_type(graph, value, &self.row, node), Some(begin))
    }
}

/// The number 0.
pub(super) fn zero(graph: &mut Graph, node: &Node) -> ValueId {
    constant(graph, Array::scalar(0i32), node)
}
