//! Stacks: what the iterations of a loop save for its gradient. Rows of one known shape are a list that grows. Where a shape isn't known
//! it may change from iteration to iteration, as that of an inner loop's stack does: then all values are one list, and the
//! shapes another. Where not even the number of dimensions is known the shapes are of several shapes in turn: a `TensorArray` has
//! others before its first row is written.

use graph_kernels::{Array, DType};

use super::build::{constant, of_type, primitive};
use crate::graph::{Graph, Node, Shape, TensorType, ValueId};
use crate::ops::{self, Attr, Attrs};

/// A stack of what a value is in each iteration.
pub(super) struct Stack {
    /// The value's type.
    row: TensorType,
    /// The types of the lists: of the values of several shapes, then of what those shapes are; the last one is of rows.
    pub lists: Vec<TensorType>,
}

impl Stack {
    /// A stack for values of a type.
    pub fn of(row: TensorType) -> Stack {
        let (mut lists, mut rows) = (Vec::new(), row.clone());
        loop {
            let sizes = rows.shape.to_known();
            let dims = [None]
                .into_iter()
                .chain(sizes.iter().flatten().copied().map(Some));
            lists.push(TensorType::new(rows.dtype, Shape::of(dims)));
            if sizes.is_some() {
                return Stack { row, lists };
            }
            rows = TensorType::new(DType::I32, Shape::of([rows.shape.rank()]));
        }
    }

    /// How many lists have values of several shapes, which end somewhere.
    pub fn ragged(&self) -> usize {
        self.lists.len() - 1
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
        mut value: ValueId,
        node: &Node,
    ) -> Vec<ValueId> {
        let (ragged, rows) = lists.split_at(self.ragged());
        let mut pushed = Vec::new();
        for list in ragged {
            let operands = vec![*list, value];
            let none = Attrs::new();
            pushed.push(primitive(graph, &ops::LIST_EXTEND, none, operands, node));
            value = primitive(graph, &ops::SHAPE_OF, Attrs::new(), vec![value], node);
        }
        for list in rows {
            let attrs = Attrs::new().with("grows", Attr::Bool(true));
            let operands = vec![*list, i, value];
            pushed.push(primitive(graph, &ops::LIST_WRITE, attrs, operands, node));
        }
        pushed
    }

    /// The value of iteration `i`, and where those of the iterations before end in the lists that are ragged; its own do at `ends`.
    pub fn pop(
        &self,
        graph: &mut Graph,
        lists: &[ValueId],
        i: ValueId,
        ends: &[ValueId],
        node: &Node,
    ) -> (ValueId, Vec<ValueId>) {
        let (ragged, rows) = lists.split_at(self.ragged());
        let whole = graph.ty(rows[0]).shape.clone();
        let attrs = Attrs::new().with("shape", Attr::Shape(whole));
        let mut value = primitive(graph, &ops::LIST_READ, attrs, vec![rows[0], i], node);
        let mut begins = Vec::new();
        for (list, end) in ragged.iter().zip(ends).rev() {
            let shape = value;
            let all = Attrs::new()
                .with("axes", Attr::Ints(vec![]))
                .with("keep_dims", Attr::Bool(false));
            let size = primitive(graph, &ops::REDUCE_PROD, all, vec![shape], node);
            let begin = primitive(graph, &ops::SUB, Attrs::new(), vec![*end, size], node);
            let operands = vec![*list, begin, *end];
            let part = primitive(graph, &ops::SLICE_ROWS, Attrs::new(), operands, node);
            let operands = vec![part, shape];
            value = primitive(graph, &ops::RESHAPE_TO, Attrs::new(), operands, node);
            begins.insert(0, begin);
        }
        (of_type(graph, value, &self.row, node), begins)
    }
}

/// The number 0.
pub(super) fn zero(graph: &mut Graph, node: &Node) -> ValueId {
    constant(graph, Array::scalar(0i32), node)
}
